"""Grading: one submission can spoil nothing but its own row."""

import csv

import nbformat
import psutil
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from reflectlab.__main__ import main
from reflectlab.course import grade
from reflectlab.course.exercise import exercise

IMPORT = "from reflectlab import exercise"
CHECK = 'exercise("1.1").check(who_speaks)'
RIGHT = exercise("1.1").right[0]
WRONG = exercise("1.1").wrong[0].code(RIGHT)


def submit(path, *sources):
    notebook = new_notebook(cells=[new_code_cell(s) for s in sources])
    nbformat.write(notebook, path)
    return str(path)


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        return {row["file"].split("/")[-1]: row
                for row in csv.DictReader(file)}


@pytest.fixture
def out(tmp_path):
    return str(tmp_path / "grades.csv")


def test_bad_submissions_cost_the_others_nothing(tmp_path, out, capsys):
    """One pass over all kinds; then only what failed or changed."""
    files = [
        submit(tmp_path / "a right.ipynb", IMPORT, RIGHT, CHECK),
        submit(tmp_path / "dies.ipynb", "import os; os._exit(3)"),
        submit(tmp_path / "wrong.ipynb", IMPORT, WRONG, CHECK),
        submit(tmp_path / "large.ipynb", IMPORT, RIGHT,
               "kept = 'x' * 3 * 2**30\n" + CHECK),
        submit(tmp_path / "other.ipynb", "1 + 1"),
        str(tmp_path / "missing.ipynb")]
    assert main(["grade", *files, "--out", out, "--gigabytes", "2.5"]) == 1
    said = capsys.readouterr()
    assert "YOUR rights" in said.err
    found = table(out)
    assert {name: (row["1.1"], row["1.2"], row["points"], row["of"])
            for name, row in found.items() if not row["problem"]} == {
        "a right.ipynb": ("correct", "missing", "1", "7"),
        "wrong.ipynb": ("not yet", "missing", "0", "7"),
        "large.ipynb": ("not checked", "missing", "0", "7")}
    problems = {name: row["problem"] for name, row in found.items()
                if row["problem"]}
    assert problems == {
        "dies.ipynb": "can't be run: the kernel died while it ran",
        "other.ipynb": "has no cell that checks an exercise",
        "missing.ipynb": "can't be read: No such file or directory"}
    assert problems["dies.ipynb"] in said.out


def test_again_only_what_changed_or_failed(tmp_path, out, monkeypatch):
    asked = []

    def run(path, seconds, gigabytes):
        asked.append(path[-7:])
        failed = path.endswith("c.ipynb")
        return {} if failed else {"1.1": "correct"}, "dead" * failed

    monkeypatch.setattr(grade, "run", run)
    files = [submit(tmp_path / f"{name}.ipynb", name) for name in "abc"]
    assert grade.main(files, out, 1, 1) == 1
    assert asked == ["a.ipynb", "b.ipynb", "c.ipynb"]
    submit(tmp_path / "b.ipynb", "changed")
    files.append(submit(tmp_path / "d.ipynb", "new"))
    assert grade.main(files, out, 1, 1) == 1
    assert asked[3:] == ["b.ipynb", "c.ipynb", "d.ipynb"]
    assert list(table(out)) == ["a.ipynb", "b.ipynb", "c.ipynb", "d.ipynb"]
    assert [row["points"] for row in table(out).values()] == list("1101")


def test_what_was_graded_is_kept_when_the_next_is_interrupted(
        tmp_path, out, monkeypatch, capsys):
    def run(path, seconds, gigabytes):
        if path.endswith("b.ipynb"):
            raise KeyboardInterrupt
        return {"1.1": "correct"}, ""

    monkeypatch.setattr(grade, "run", run)
    files = [submit(tmp_path / f"{name}.ipynb", name) for name in "ab"]
    assert grade.main(files, out, 1, 1) == 130
    assert "run again to go on" in capsys.readouterr().out
    assert table(out)["a.ipynb"]["1.1"] == "correct"


@pytest.mark.slow
def test_time_is_bounded_and_nothing_goes_on(tmp_path):
    path = submit(tmp_path / "slow.ipynb",
                  "import subprocess, time\n"
                  "subprocess.Popen(['sleep', '987'], "
                  "start_new_session=True)\n"
                  f"open({str(tmp_path / 'started')!r}, 'w').close()",
                  "while True:\n    time.sleep(1)")
    assert grade.run(path, 25, 4) == ({}, "not done after 25 s")
    assert (tmp_path / "started").exists()
    left = [p for p in psutil.process_iter(["cmdline"])
            if p.info["cmdline"] == ["sleep", "987"]
            and p.status() != psutil.STATUS_ZOMBIE]
    assert left == []


def test_a_submission_sees_neither_this_shell_nor_this_folder(
        tmp_path, monkeypatch):
    monkeypatch.setenv("MY_SECRET", "s3cret")
    monkeypatch.chdir(tmp_path)
    path = submit(tmp_path / "looks.ipynb", IMPORT, RIGHT,
                  "import os\nassert 'MY_SECRET' not in os.environ\n"
                  f"assert os.getcwd() != {str(tmp_path)!r}\n"
                  "exercise('1.1').check(who_speaks)")
    assert grade.run(path, 120, 4) == ({"1.1": "correct"}, "")


def test_another_file_is_not_overwritten(tmp_path, out, capsys):
    (tmp_path / "grades.csv").write_text("name,mark\nAda,1\n")
    path = submit(tmp_path / "a.ipynb", "1")
    assert main(["grade", path, "--out", out]) == 2
    assert "is not a table of grades" in capsys.readouterr().err
    assert (tmp_path / "grades.csv").read_text() == "name,mark\nAda,1\n"
