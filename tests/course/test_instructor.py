"""The instructor's edition and the nbgrader assignment."""

import json

import nbformat
import pytest

from reflectlab.__main__ import main, parser
from reflectlab.course import assignment, plan
from reflectlab.course.exercise import exercises

BOOKS = plan.notebooks()
EVERY = list(exercises().values())
PARTS = {n: list(plan.parts(n, book)) for n, (_, book) in BOOKS.items()}
NOTES = json.loads((plan.PACKAGE.parent / "docs" / "instructor_notes.json")
                   .read_text("utf-8"))


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("instructor")
    assert main(["instructor", "build", str(folder)]) == 0
    return folder


def edition(built, chapter):
    return nbformat.read(built / BOOKS[chapter][0], as_version=4)


def notes_of(notebook):
    return {cell.id: cell.source for cell in notebook.cells
            if cell.id.endswith("-instructor")}


# --- notebooks ---

@pytest.mark.parametrize("each", EVERY, ids=lambda each: each.id)
def test_a_solution_its_outcome_and_what_else_to_expect(built, each):
    notebook = edition(built, int(each.id[0]))
    sources = [cell.source for cell in notebook.cells]
    assert each.right[0].strip() in sources
    assert each.stub.strip() not in sources
    check = f'exercise("{each.id}").check({each.name})'
    (cell,) = [cell for cell in notebook.cells if cell.source == check]
    assert cell.outputs[0].data["text/plain"].startswith(
        f"Exercise {each.id}: correct")
    said = " ".join(notes_of(notebook)[f"{cell.id}-instructor"]
                    .replace("\n> ", " ").split())
    for wrong in each.wrong:
        assert " ".join(wrong.says.split()) in said


@pytest.mark.parametrize("chapter", BOOKS)
def test_every_section_says_its_minutes_and_the_running_total(
        built, chapter):
    notes, spent = notes_of(edition(built, chapter)), 0
    core = plan.total(p for p in PARTS[chapter] if p.kind == "core")
    sections = [p for p in PARTS[chapter] if p.kind != "exercise"]
    assert len(sections) > 5
    for part in sections:
        spent += part.minutes if part.kind == "core" else 0
        note = notes[f"{part.id.partition('/')[2]}-instructor"]
        assert (f"{part.minutes} minutes, {part.kind}; {spent} of {core} "
                "core minutes") in note
    for point in NOTES["notebooks"][str(chapter)]:
        assert point in notes["title-instructor"]


def test_a_claim_stands_with_its_section_and_its_label(built):
    note = notes_of(edition(built, 1))["build-v1-instructor"]
    assert "- Claim: Three rounds need six replies" in note
    assert "(*scripted*)" in note
    assert note.count("Claim") == 1


def test_the_learners_notebooks_are_left_alone(built):
    for _, (name, book) in BOOKS.items():
        assert book == nbformat.read(
            plan.PACKAGE.parent / "notebooks" / name, as_version=4)


# --- agendas ---

def rows(text, heading):
    """(at, minutes) of the table under a heading, in order."""
    table = text.split(f"## {heading}")[1].split("\n## ")[0]
    return [(cells[1].strip(), int(cells[4])) for cells in
            (line.split("|") for line in table.splitlines())
            if len(cells) == 6 and cells[4].strip().isdigit()]


@pytest.mark.parametrize("heading, length", [
    *[(session["name"], session["minutes"]) for session in NOTES["sessions"]],
    *[(f"Week {n}", plan.WEEK) for n in BOOKS]])
def test_an_agenda_fills_its_time_and_not_more(built, heading, length):
    found = rows((built / "agenda.md").read_text("utf-8"), heading)
    at = 0
    for start, minutes in found:
        assert start == f"{at // 60}:{at % 60:02}"
        at += minutes
    assert at == length
    assert found[-1][1] >= 5            # something is left for questions


def test_five_weeks_hold_the_whole_course(built):
    text = (built / "agenda.md").read_text("utf-8").split("# Five weeks")[1]
    for part in sum(PARTS.values(), []):
        assert text.count(part.title) >= 1, part.id


def test_exercises_that_fit_are_done_in_class(built):
    for n in BOOKS:
        text = (built / "agenda.md").read_text("utf-8")
        here, home = text.split(f"## Week {n}\n")[1].split("**At home.**")[:2]
        left = int(here.strip().splitlines()[-1].split("|")[4])
        home = [p for p in PARTS[n] if p.kind == "exercise"
                and p.title in home.split("## ")[0]]
        assert all(p.minutes > left - plan.RESERVE for p in home)


def test_an_agenda_that_does_not_fit_says_so():
    with pytest.raises(ValueError, match="needs 75 minutes of 60"):
        plan.agenda("short", 60, [plan.Part("1.1", 1, "a", "core", 65)], 10)
    with pytest.raises(ValueError, match="no notebook has the part '9.9'"):
        plan.agendas([{"name": "x", "parts": ["9.9"]}], BOOKS)


def test_without_notebooks_the_error_says_where_they_are(
        monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(plan, "PACKAGE", tmp_path / "reflectlab")
    assert main(["instructor", "build", str(tmp_path)]) == 2
    assert "run this in a checkout" in capsys.readouterr().err


# --- nbgrader: .ci/run asks nbgrader itself (tools/check_nbgrader.py) ---

def test_the_assignment_marks_stubs_and_checks(built):
    folder = built / "nbgrader" / "source" / assignment.NAME
    ids, points = [], {}
    for path in sorted(folder.glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            known = cell.metadata.get("nbgrader", {})
            if known.get("solution"):
                ids.append(cell.id)
                assert not known["locked"]
                stub = cell.source.split("\n\n### BEGIN SOLUTION\n")[0]
                assert stub in {each.stub.strip() for each in EVERY}
                assert cell.source.endswith("\n### END SOLUTION")
            if known.get("grade"):
                assert known["locked"]
                points[cell.id] = known["points"]
    assert len(ids) == len(EVERY)
    assert points == {f"ex-{e.id.replace('.', '-')}-check-grade":
                      e.difficulty for e in EVERY}


@pytest.mark.parametrize("answer, raises", [
    (exercises()["1.1"].right[1], False),
    (exercises()["1.1"].stub, True),
    (exercises()["1.1"].wrong[0].code(exercises()["1.1"].right[0]), True)],
    ids=["right", "untouched", "wrong"])
def test_the_graded_cell_raises_unless_correct(answer, raises):
    cells = assignment.marked(BOOKS[1][1]).cells
    (test,) = [cell for cell in cells if cell.id == "ex-1-1-check-grade"]
    scope = {}
    exec(answer, scope)
    if raises:
        with pytest.raises(AssertionError, match="Exercise 1.1: not"):
            exec(test.source, scope)
    else:
        exec(test.source, scope)


def test_what_is_generated_is_not_committed():
    folder = parser().parse_args(["instructor", "build"]).folder
    ignored = (plan.PACKAGE.parent / ".gitignore").read_text("utf-8")
    assert f"{folder.split('/')[0]}/" in ignored.splitlines()
