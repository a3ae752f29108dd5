"""The course as an nbgrader assignment: source notebooks and a config.

nbgrader makes the learners' release from them, and grades what comes back.
The stub stands in full, so the release is what the course shows anyway; the
solution follows it between nbgrader's two marks.
"""

from __future__ import annotations

import copy
from pathlib import Path

from .check_notebook import CHECK
from .exercise import Exercise, exercises

NAME = "reflection_lab"
# Without the stub nbgrader would write one that raises.
CONFIG = f'''c = get_config()
c.CourseDirectory.course_id = "{NAME}"
c.ClearSolutions.code_stub = {{
    "python": "# Your answer goes in place of the ... above."}}
c.ExecutePreprocessor.timeout = 60
c.ExecutePreprocessor.interrupt_on_timeout = True
'''


def build(folder: Path, notebooks: dict) -> None:
    """Write an nbgrader course directory with one assignment.

    Args:
        folder: the course directory.
        notebooks: the learners' notebooks, parsed, by file name.
    """
    source = folder / "source" / NAME
    source.mkdir(parents=True, exist_ok=True)
    (folder / "nbgrader_config.py").write_text(CONFIG, "utf-8")
    for name, notebook in notebooks.items():
        save(marked(notebook), source / name)


def points(asked: Exercise) -> int:
    """What an exercise is worth: its difficulty, 1 to 3."""
    return asked.difficulty


def marked(notebook):
    """A copy of a learner's notebook with nbgrader's cells.

    Each stub becomes a solution cell; after each check comes a locked cell
    that raises unless the check says "correct".
    """
    from nbformat.v4 import new_code_cell

    made = copy.deepcopy(notebook)
    cells, made.cells = made.cells, []
    stubs = {each.stub.strip(): each for each in exercises().values()}
    for cell in cells:
        made.cells.append(cell)
        if cell.cell_type != "code":
            continue
        cell.outputs, cell.execution_count = [], None
        asked = stubs.get(cell.source)
        if asked:
            cell.source += (f"\n\n### BEGIN SOLUTION\n"
                            f"{asked.right[0].strip()}\n### END SOLUTION")
            cell.metadata.nbgrader = mark(cell.id, solution=True)
        for id in CHECK.findall(cell.source):
            name = exercises()[id].name
            test = new_code_cell(
                "from reflectlab import exercise\n\n"
                f'note = exercise("{id}").check({name})\n'
                'assert note.kind == "correct", note', id=f"{cell.id}-grade")
            test.metadata.nbgrader = mark(test.id, grade=True) | {
                "points": points(exercises()[id])}
            made.cells.append(test)
    return made


def mark(id: str, *, solution: bool = False, grade: bool = False) -> dict:
    """What nbgrader wants to know of a cell."""
    return {"grade": grade, "grade_id": id, "locked": grade,
            "schema_version": 3, "solution": solution, "task": False}


def save(notebook, path: Path) -> None:
    """Write a notebook.

    Raises:
        nbformat.ValidationError: it would not be a valid one.
    """
    import nbformat

    nbformat.validate(notebook)
    nbformat.write(notebook, path)
