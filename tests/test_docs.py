"""Links, and what the README says of the package, are true."""

import json
import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md",
         *sorted((ROOT / "docs").glob("*.md")), ROOT / "data" / "README.md",
         ROOT / "benchmarks" / "README.md",
         *sorted((ROOT / "notebooks").glob("*.ipynb"))]
LISTED = [line.split(" ")[0] for line in (
    ROOT / "docs" / "links.txt").read_text("utf-8").splitlines()]
LINK = re.compile(r"\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)?)\)")
ADDRESS = re.compile(r"https?://[^\s)\]>\"'`,|]+[^\s)\]>\"'`,|.;:]")


def text_of(path):
    """The prose of a page; of a notebook its Markdown cells."""
    if path.suffix != ".ipynb":
        return path.read_text("utf-8")
    return "\n\n".join(cell.source for cell in
                       nbformat.read(path, as_version=4).cells
                       if cell.cell_type == "markdown")


def anchors(path):
    """The places of a page that a link can name, as GitHub makes them."""
    heads = re.findall(r"^#+ (.+)$", text_of(path), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-")
            for head in heads}


def broken(path, text):
    """The links of a text at `path` that lead nowhere in the checkout."""
    for link in LINK.findall(text):
        if link.startswith(("http:", "https:", "mailto:")):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        if not target.exists():
            yield link
        elif anchor and target.suffix == ".md" and (
                anchor not in anchors(target)):
            yield link


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_within_the_project_lead_somewhere(path):
    assert list(broken(path, text_of(path))) == []


def test_a_broken_link_is_found():
    text = "[a](nowhere.md) [b](README.md#no-such-heading) [c](#start)"
    assert list(broken(ROOT / "README.md", text)) == [
        "nowhere.md", "README.md#no-such-heading"]


def test_every_address_is_on_one_list():
    """No test opens them: a person can, in one go, with the title beside."""
    found = {address for path in PAGES
             for address in ADDRESS.findall(text_of(path))}
    assert LISTED == sorted(set(LISTED))
    assert {a for a in found if not re.match(
        r"https?://(localhost|127\.0\.0\.1)", a)} == set(LISTED)


def test_the_module_map_of_the_readme_is_true():
    """Every module and package, once, on the floor that imports check."""
    readme = (ROOT / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| ([1-6]) \| (.+?) \|", readme, re.M)
    shown = {number: set(re.findall(r"`(\w+)`", names))
             for number, names in rows}
    contract = (ROOT / "pyproject.toml").read_text("utf-8").split(
        "layers = [")[1].split("]")[0]
    floors = [set(re.findall(r"\w+", line.split("#")[0]))
              for line in re.findall(r'"(.+)"', contract)]
    assert shown == {str(6 - n): floor for n, floor in enumerate(floors)}
    there = {path.stem for path in (ROOT / "reflectlab").iterdir()
             if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert set().union(*floors) == there - {"__init__"}


def test_the_dev_container_calls_a_target_that_is_there():
    text = (ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8")
    make, target = json.loads(text)["postCreateCommand"].split()
    assert make == "make"
    assert f"\n{target}:" in (ROOT / "Makefile").read_text("utf-8")
