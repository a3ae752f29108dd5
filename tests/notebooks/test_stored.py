"""The committed notebooks pass the gate."""

import re

import nbformat
import pytest
from nbval import plugin

import gate
import notebooks

FOLDER = notebooks.ROOT / "notebooks"
NAMES = [
    "01_shared_history.ipynb",
    "02_mirrored_histories.ipynb",
    "03_stopping_rule.ipynb",
    "04_measured.ipynb",
    "05_assembled_agent.ipynb",
]
SANITIZE = notebooks.ROOT / "tests" / "notebooks" / "sanitize.cfg"


def stored(name):
    return nbformat.read(FOLDER / name, as_version=4)


def test_the_five_notebooks_are_there():
    assert [path.name for path in sorted(FOLDER.glob("*.ipynb"))] == NAMES


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("check", gate.CHECKS)
def test_passes(name, check):
    assert check(stored(name)) == []


@pytest.mark.parametrize("name", NAMES)
def test_number_of_cells(name):
    cells = len(gate.code_cells(stored(name)))
    assert 0 < cells <= gate.most_cells(name)


@pytest.mark.parametrize("name", NAMES)
def test_file_is_as_the_tool_writes_it(name):
    text = (FOLDER / name).read_text("utf-8")
    notebook = nbformat.reads(text, as_version=4)
    assert notebooks.text_of(notebooks.normalise(notebook)) == text


def unneeded_rules(sanitize, texts):
    """The regexes of a sanitize file that match in none of the texts.

    Raises ValueError when nbval loads fewer rules than were written: it
    leaves out one whose two lines are indented or apart, without a word.
    """
    loaded = plugin.get_sanitize_patterns(sanitize)
    written = sanitize.count("regex:")
    if len(loaded) != written:
        raise ValueError(f"{written} rules written, {len(loaded)} loaded")
    return [
        regex
        for regex, _ in loaded
        if not any(re.search(regex, text) for text in texts)
    ]


def test_sanitize_rules_load_and_are_needed():
    texts = [
        text
        for name in NAMES
        for cell in gate.code_cells(stored(name))
        for text in gate.texts_of(cell)
    ]
    assert unneeded_rules(SANITIZE.read_text("utf-8"), texts) == []


def test_unneeded_rule_is_found():
    text = "regex: a+\nreplace: A\nregex: b\nreplace: B\n"
    assert unneeded_rules(text, ["caat"]) == ["b"]


@pytest.mark.parametrize(
    "text",
    ["  regex: a\n  replace: A\n", "regex: a\n\nreplace: A\n"],
    ids=["indented", "apart"],
)
def test_rule_that_does_not_load_is_found(text):
    with pytest.raises(ValueError, match="1 rules written, 0 loaded"):
        unneeded_rules(text, ["a"])
