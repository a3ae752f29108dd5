"""``python -m reflectlab instructor build``: the instructor's edition.

Generated from what the learners have, never committed: notebooks with the
solutions filled in, minutes, talking points and the likely wrong answers;
agendas; and an nbgrader course.
"""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path

from ..paths import PACKAGE
from . import assignment, plan
from .check_notebook import CHECK
from .exercise import Exercise, Note, exercises

HEADING = re.compile(r"^##? ", re.M)
LABEL = re.compile(r"\*(scripted|measured|published)\b")


def build(folder: str | Path) -> list[Path]:
    """Write the instructor's edition.

    Args:
        folder: made when it is missing; files of the same name are replaced.

    Returns:
        What was written: five notebooks, the agendas, the nbgrader course.

    Raises:
        FileNotFoundError: this is no checkout.
    """
    books = plan.notebooks()
    notes = json.loads((PACKAGE.parent / "docs" / "instructor_notes.json")
                       .read_text("utf-8"))
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for chapter, (name, notebook) in books.items():
        written.append(folder / name)
        assignment.save(edition(chapter, notebook,
                                notes["notebooks"][str(chapter)]),
                        written[-1])
    written.append(folder / "agenda.md")
    written[-1].write_text(plan.agendas(notes["sessions"], books), "utf-8")
    written.append(folder / "nbgrader")
    assignment.build(written[-1], dict(books.values()))
    return written


def edition(chapter: int, notebook, points: list[str]):
    """One notebook for the one who teaches it; the original is kept.

    Args:
        chapter: its number.
        notebook: the learner's, parsed.
        points: what to say, for its beginning.
    """
    every = {part.id: part for part in plan.parts(chapter, notebook)}
    made = copy.deepcopy(notebook)
    cells = made.cells
    made.cells = []
    stubs = {each.stub.strip(): each for each in exercises().values()}
    core = sum(p.minutes for p in every.values() if p.kind == "core")
    spent = 0
    for cell in cells:
        made.cells.append(cell)
        part = every.get(f"{chapter}/{cell.id}")
        if part:
            spent += part.minutes if part.kind == "core" else 0
            aside(made, cell, f"{part.minutes} minutes, {part.kind}; "
                  f"{spent} of {core} core minutes when it ends.\n\n"
                  + "\n".join(claims(cells[cells.index(cell):])))
        elif cell.source in stubs:
            cell.source, cell.outputs = stubs[cell.source].right[0].strip(), []
        for id in CHECK.findall(cell.source):
            asked = exercises()[id]
            cell.outputs = [result(asked.check(asked.answer(
                asked.right[0])), cell.execution_count)]
            aside(made, cell, likely(asked))
    aside(made, cells[0], "What to say:\n\n" + "\n".join(
        f"- {point}" for point in points), after=cells[0])
    return made


def aside(notebook, cell, text: str, after=None) -> None:
    """Add a cell for the instructor's eyes, at the end or after a cell."""
    from nbformat.v4 import new_markdown_cell

    quoted = "\n".join(f"> {line}".rstrip() for line in
                       ["**Instructor.** " + text.split("\n")[0],
                        *text.strip().split("\n")[1:]])
    place = len(notebook.cells)
    if after is not None:
        place = notebook.cells.index(after) + 1
    notebook.cells.insert(place, new_markdown_cell(
        quoted, id=f"{cell.id}-instructor"[:64]))


def claims(cells: list) -> list[str]:
    """The labelled claims between a section's heading and the next one."""
    found = []
    for n, cell in enumerate(cells):
        if cell.cell_type != "markdown" or plan.EXERCISE.search(cell.source):
            continue
        if n and HEADING.search(cell.source):
            break
        for paragraph in re.split(r"\n\n|\n(?=- )", cell.source):
            if LABEL.search(paragraph) and paragraph[0] not in "|#":
                found.append(" ".join(paragraph.removeprefix("- ").split()))
    return [f"- Claim: {each}" for each in found]


def likely(asked: Exercise) -> str:
    """The planted wrong answers, and what the check answers to each."""
    lines = [f"Exercise {asked.id}, likely wrong answers. Say what the check "
             "says, or ask the question behind it."]
    for n, wrong in enumerate(asked.wrong, 1):
        note = asked.check(asked.answer(wrong.code(asked.right[0])))
        lines += ["", f"{n}. The solution, but for", "", "```diff",
                  *(f"-{line}" for line in wrong.old.strip("\n").split("\n")),
                  *(f"+{line}" for line in wrong.new.strip("\n").split("\n")),
                  "```", "", "```text", *note.text.split("\n"), "```"]
    return "\n".join(lines)


def result(note: Note, count: int | None):
    """A note as the output of the cell that checks."""
    from nbformat.v4 import new_output

    return new_output("execute_result", execution_count=count, data={
        "text/plain": repr(note), "text/html": note._repr_html_()})
