"""The reference page is what the docstrings say."""

import ast

import pytest

import reference
import reflectlab


def test_the_page_is_current():
    assert reference.PAGE.read_text("utf-8") == reference.page(), (
        "run `make reference` and commit docs/reference.md")


@pytest.mark.parametrize("name", reflectlab.__all__)
def test_every_public_name_is_there_and_says_something(name):
    module, node = reference.source_of(name)
    said = reference.entry(name)
    assert said.startswith(f"## {name}\n\n*reflectlab.{module}*")
    if not isinstance(node, ast.Assign):
        assert len(ast.get_docstring(node).split()) > 2


CLASS = '''
class Box:
    """A box."""
    def __init__(self, size: int = 3) -> None: ...
    def fill(self, what: str) -> bool:
        """Put something in."""
    @property
    def full(self) -> bool:
        """Whether it is."""
    def _hidden(self): ...
'''


def test_what_a_class_shows():
    (node,) = ast.parse(CLASS).body
    assert reference.call_of(node) == "Box(size: int=3) -> None"
    assert list(reference.methods(node)) == [
        "- `.fill(what: str) -> bool`: Put something in.",
        "- `.full`: Whether it is."]
