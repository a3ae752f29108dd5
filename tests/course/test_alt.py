"""Every picture in a notebook is described in words."""

import re
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = sorted(
    (Path(__file__).parents[2] / "notebooks").glob("0*.ipynb"))
IN_MARKDOWN = re.compile(r"!\[(.*?)\]\(|<img\b([^>]*)>")


def undescribed(notebook):
    """Ids of the cells with a picture that has no alternative text."""
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            alt = output.get("metadata", {}).get("image/png", {}).get("alt")
            if "image/png" in output.get("data", {}) and not alt:
                found.append(cell.id)
        if cell.cell_type == "markdown":
            found += [cell.id for words, attributes
                      in IN_MARKDOWN.findall(cell.source)
                      if not words.strip() and not re.search(
                          r"alt=.\w", attributes)]
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_picture_has_alternative_text(path):
    assert undescribed(nbformat.read(path, as_version=4)) == []


def test_a_picture_without_words_is_noticed():
    output = nbformat.v4.new_output("display_data", {"image/png": "x"})
    cells = [nbformat.v4.new_code_cell("x", id="plot", outputs=[output]),
             nbformat.v4.new_markdown_cell("![ ](a.png)", id="bare"),
             nbformat.v4.new_markdown_cell("<img src='a.png'>", id="tag"),
             nbformat.v4.new_markdown_cell("![A loop](a.png)", id="good")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    assert undescribed(notebook) == ["plot", "bare", "tag"]
