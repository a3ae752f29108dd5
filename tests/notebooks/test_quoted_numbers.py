"""A number quoted in a notebook's prose stands in one of its outputs.

quoted_numbers.json holds one entry for each: the notebook's name without
.ipynb, the sentence as it stands in the prose (line breaks are spaces), the
number as printed, and the text of the output that it comes from. In the
sentence the number may also be a word, from zero to twelve.
"""

import json
import re
from pathlib import Path

import nbformat
import pytest

import gate
import notebooks

TABLE = json.loads(
    Path(__file__).with_name("quoted_numbers.json").read_text("utf-8")
)
WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve"
).split()


def squeeze(text):
    return " ".join(text.split())


def holds(text, number):
    """Is the number there by itself, not as a part of another one?"""
    return re.search(rf"(?<![\w.]){re.escape(number)}(?![\w]|\.\d)", text)


def complaint(entry, notebook):
    """What is wrong with an entry of the table, or None."""
    number = entry["number"]
    prose = [
        squeeze(cell.source)
        for cell in notebook.cells
        if cell.cell_type == "markdown"
    ]
    outputs = [
        squeeze(text)
        for cell in gate.code_cells(notebook)
        for text in gate.texts_of(cell)
    ]
    spellings = [number]
    if number.isdecimal() and int(number) < len(WORDS):
        spellings.append(WORDS[int(number)])
    sentence = squeeze(entry["sentence"])
    if not any(sentence in text for text in prose):
        return "the prose has no such sentence"
    if not any(holds(sentence.lower(), word) for word in spellings):
        return "the sentence does not hold the number"
    if not holds(entry["output"], number):
        return "the output's text does not hold the number"
    if not any(squeeze(entry["output"]) in text for text in outputs):
        return "no output holds that text"
    return None


@pytest.mark.parametrize("entry", TABLE, ids=lambda entry: entry["sentence"])
def test_number_comes_from_an_output(entry):
    path = notebooks.ROOT / "notebooks" / f"{entry['notebook']}.ipynb"
    assert complaint(entry, nbformat.read(path, as_version=4)) is None


@pytest.mark.parametrize(
    "path", sorted(notebooks.ROOT.glob("notebooks/*.ipynb"))
)
def test_every_notebook_quotes_a_number(path):
    assert path.stem in {entry["notebook"] for entry in TABLE}


ENTRY = {"sentence": "Of two cells, one", "number": "2", "output": "2"}


@pytest.mark.parametrize(
    "change, wrong",
    [
        ({}, None),
        ({"sentence": "Of 2 cells, one"}, "the prose has no such sentence"),
        ({"number": "3"}, "the sentence does not hold the number"),
        ({"output": "1"}, "the output's text does not hold the number"),
        ({"output": "22"}, "the output's text does not hold the number"),
        ({"output": "a 2"}, "no output holds that text"),
    ],
)
def test_wrong_entry_is_found(tiny, change, wrong):
    assert complaint(ENTRY | change, tiny) == wrong


def test_changed_output_is_found(tiny):
    tiny.cells[1].outputs[0].text = "3\n"
    assert complaint(ENTRY, tiny) == "no output holds that text"
