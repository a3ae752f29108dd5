"""Does nbgrader take the assignment, and does it grade it as it should?

    python tools/check_nbgrader.py

Runs in an environment that holds nbgrader 0.9.6 and this package (.ci/run
makes one). Builds the instructor's edition, lets nbgrader's own commands
make the release, grade three learners and export, and looks at every score:
full marks for the solutions, a planted wrong answer costs its points and no
others, nothing for the untouched stubs. Takes a few minutes: fifteen
notebooks are run.
"""

import csv
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook

from reflectlab.course import assignment, instructor
from reflectlab.course.exercise import exercises

NAME = assignment.NAME
EVERY = list(exercises().values())
RIGHT = {each.id: each.right[-1] for each in EVERY}
# One wrong answer in each notebook, a different one of each kind.
WRONG = {each.id: each.wrong[-1].code(each.right[0])
         for each in EVERY if each.id.endswith(".2")}
LEARNERS = {"right": RIGHT, "wrong": RIGHT | WRONG, "empty": {}}


def nbgrader(folder, *arguments):
    """Run one nbgrader command in the course directory."""
    done = subprocess.run([sys.executable, "-m", "nbgrader", *arguments],
                          cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"nbgrader {' '.join(arguments)}:\n{done.stderr[-3000:]}")


def hand_in(release, submission, answers):
    """Fill answers into the released notebooks, as a learner does."""
    shutil.copytree(release, submission)
    for path in submission.glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        for each in EVERY:
            for cell in notebook.cells:
                if each.id in answers and cell.source.startswith(
                        each.stub.strip()):
                    cell.source = answers[each.id].strip()
        nbformat.write(notebook, path)


def faults(folder):
    """What differs from the scores that each learner has to get."""
    database = f"sqlite:///{folder / 'gradebook.db'}"
    with Gradebook(database) as book:
        for learner, answers in LEARNERS.items():
            submission = book.find_submission(NAME, learner)
            grades = {grade.name: grade for notebook in submission.notebooks
                      for grade in notebook.grades}
            for each in EVERY:
                grade = grades[f"ex-{each.id.replace('.', '-')}-check-grade"]
                good = answers.get(each.id) == RIGHT[each.id]
                wanted = assignment.points(each) if good else 0
                if (grade.score, grade.max_score) != (
                        wanted, assignment.points(each)):
                    yield (f"{learner}, exercise {each.id}: {grade.score} of "
                           f"{grade.max_score}, expected {wanted}")
    with (folder / "grades.csv").open(newline="") as file:
        exported = {row["student_id"]: float(row["score"])
                    for row in csv.DictReader(file)}
    full = sum(map(assignment.points, EVERY))
    lost = sum(assignment.points(each) for each in EVERY if each.id in WRONG)
    wanted = {"right": full, "wrong": full - lost, "empty": 0}
    if exported != wanted:
        yield f"exported {exported}, expected {wanted}"
    print(exported)


def main():
    """Exit with 1, and say what differs, when something does."""
    # nbgrader calls alembic by its name alone.
    os.environ["PATH"] = os.pathsep.join(
        [str(Path(sys.executable).parent), os.environ["PATH"]])
    with tempfile.TemporaryDirectory() as scratch:
        instructor.build(scratch)
        folder = Path(scratch, "nbgrader")
        nbgrader(folder, "generate_assignment", NAME)
        release = folder / "release" / NAME
        text = "".join(p.read_text() for p in release.glob("*.ipynb"))
        found = ["a solution is in the release"] * ("SOLUTION" in text)
        for learner, answers in LEARNERS.items():
            hand_in(release, folder / "submitted" / learner / NAME, answers)
        nbgrader(folder, "autograde", NAME)
        nbgrader(folder, "export", "--to", "grades.csv")
        found += faults(folder)
    print("\n".join(found) or "nbgrader: every score as it should be")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
