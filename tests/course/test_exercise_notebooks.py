"""The exercises where the learner meets them: in notebooks, in a kernel."""

import re
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from reflectlab.course.check_notebook import CHECK, check_notebook, main
from reflectlab.course.exercise import exercise, exercises

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
EVERY = list(exercises().values())
CHAPTERS = [1, 2, 3, 4, 5]
IMPORT = "from reflectlab.course.exercise import exercise"


def notebook_of(chapter):
    """The committed notebook of a chapter."""
    (path,) = FOLDER.glob(f"{chapter:02}_*.ipynb")
    return nbformat.read(path, as_version=4)


def small(*ids):
    """A notebook that holds these exercises and nothing else."""
    cells = [new_code_cell(IMPORT)]
    for id in ids:
        cells += [(new_code_cell if kind == "code" else new_markdown_cell)(
            source) for kind, source in exercise(id).cells()]
    return new_notebook(cells=cells)


def fill(notebook, answers):
    """Put code in the place of stubs; returns the ids that were filled."""
    stubs = {each.stub.strip(): each.id for each in EVERY}
    filled = []
    for cell in notebook.cells:
        id = stubs.get(cell.source)
        if id in answers:
            cell.source = answers[id].strip()
            filled.append(id)
    return filled


def save(notebook, path):
    nbformat.write(notebook, path)
    return path


def solutions():
    return {each.id: each.right[0] for each in EVERY}


def planted():
    return {each.id: each.wrong[0].code(each.right[0]) for each in EVERY}


# --- the committed notebooks ---

@pytest.mark.parametrize("each", EVERY, ids=lambda each: each.id)
def test_the_notebook_has_the_exercise_as_it_is_defined(each):
    notebook = notebook_of(int(each.id[0]))
    sources = [cell.source for cell in notebook.cells]
    statement, stub, _, check = [source for _, source in each.cells()]
    places = [[n for n, source in enumerate(sources) if source == wanted]
              for wanted in (statement, stub, check)]
    assert [len(place) for place in places] == [1, 1, 1]
    assert places == sorted(places)
    (output,) = notebook.cells[places[2][0]].outputs
    shown = output.data["text/plain"]
    assert shown.startswith(f"Exercise {each.id}: not attempted")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_other_exercise_is_in_a_notebook(chapter):
    notebook = notebook_of(chapter)
    found = [id for cell in notebook.cells if cell.cell_type == "code"
             for id in CHECK.findall(cell.source)]
    assert sorted(found) == [each.id for each in EVERY
                             if each.id.startswith(f"{chapter}.")]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_last_code_cell_says_what_is_solved(chapter):
    code = [cell for cell in notebook_of(chapter).cells
            if cell.cell_type == "code"]
    assert re.search(rf"^progress\({chapter}\)$", code[-1].source, re.M)
    assert "0 of " in code[-1].outputs[0].data["text/plain"]


@pytest.mark.slow
@pytest.mark.parametrize("answers, kind", [
    (dict, "not attempted"), (solutions, "correct"), (planted, "not yet")],
    ids=["as-it-is", "solved", "wrong"])
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_learner_notebook_runs(chapter, answers, kind, tmp_path):
    notebook = notebook_of(chapter)
    ids = [each.id for each in EVERY if each.id.startswith(f"{chapter}.")]
    answers = answers()
    filled = fill(notebook, answers)
    assert sorted(filled) == [id for id in ids if id in answers]
    said = check_notebook(save(notebook, tmp_path / "anything.ipynb"))
    assert sorted(said) == ids
    assert {id: pair for id, pair in said.items() if pair[0] != kind} == {}


# --- the command, on small notebooks ---

def test_every_outcome_has_its_line(tmp_path, monkeypatch, capsys):
    """One notebook, five exercises, five things that can happen."""
    notebook = small("1.1", "1.3", "1.4", "2.2", "3.1")
    fill(notebook, {
        "1.1": exercise("1.1").right[1],
        "1.3": "from reflectlab.course import probe\nprobe.SECONDS = 0.5\n"
               "def wasted_calls(calls):\n    while True: pass",
        "2.2": "nothing_is_defined = 1",
        "3.1": exercise("3.1").wrong[0].code(exercise("3.1").right[0])})
    (tmp_path / "a folder").mkdir()
    path = save(notebook, tmp_path / "a folder" / "My Copy (2).ipynb")
    before = path.read_bytes()
    monkeypatch.chdir(tmp_path)
    assert main(["a folder/My Copy (2).ipynb"]) == 1
    printed = capsys.readouterr().out
    said = dict(re.findall(r"^  (\d\.\d)  (.+)$", printed, re.M))
    assert said == {"1.1": "correct", "1.3": "not yet",
                    "1.4": "not attempted", "2.2": "not checked",
                    "3.1": "not yet"}
    text = " ".join(printed.split())
    assert "did not come to an end" in text
    assert "NameError: name 'illegal' is not defined" in text
    assert exercise("3.1").wrong[0].says in text
    assert path.read_bytes() == before


def test_a_solved_notebook_exits_with_zero(tmp_path, capsys):
    notebook = small("2.1", "4.1")
    assert fill(notebook, solutions()) == ["2.1", "4.1"]
    path = save(notebook, tmp_path / "solved.ipynb")
    assert main([path]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "solved.ipynb", "  2.1  correct", "  4.1  correct"]


def test_a_dead_kernel_is_reported(tmp_path, capsys):
    notebook = new_notebook(cells=[new_code_cell("import os; os._exit(3)")])
    assert main([save(notebook, tmp_path / "dies.ipynb")]) == 2
    assert "can't be run: the kernel died" in capsys.readouterr().out


def test_a_notebook_without_exercises_is_not_a_success(tmp_path, capsys):
    notebook = new_notebook(cells=[new_code_cell("1 + 1")])
    assert main([save(notebook, tmp_path / "empty.ipynb")]) == 1
    assert "has no cell that checks" in capsys.readouterr().out


@pytest.mark.parametrize("content", [None, "", "{}", "[]", "print(1)"])
def test_what_is_no_notebook_is_named(content, tmp_path, capsys):
    path = tmp_path / "broken.ipynb"
    if content is not None:
        path.write_text(content)
    assert main([path]) == 2
    assert "broken.ipynb\n  can't be run: " in capsys.readouterr().out
