"""``python -m reflectlab grade NOTEBOOK ...``: a table of results, as CSV.

Each submission is copied into a folder of its own and run in a process of
its own, with bounds on time, memory and file size, and without this shell's
variables. That keeps one submission from spoiling the next. It is no
sandbox: what is run has the rights of whoever runs it.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .check_notebook import check_notebook
from .exercise import CORRECT, exercises

RIGHTS = ("Every cell of every submission is run with YOUR rights: it can "
          "read your files and use your network, and it could forge its own "
          "result. Grade in a container or an account that holds nothing "
          "else, and look at what surprises you.")
KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT")
FIXED = ["file", "sha256", "points", "of", "problem"]


def main(paths: Sequence[str], out: str, seconds: float,
         gigabytes: float) -> int:
    """Grade submissions, and write the table after each.

    What the table holds already is kept, unless the file has changed since
    or could not be graded.

    Args:
        paths: notebook files.
        out: the CSV file.
        seconds: for one submission.
        gigabytes: of address space for each of its processes.

    Returns:
        The exit status: 0 when every file could be graded, else 1; 130
        when interrupted from the keyboard.

    Raises:
        ValueError: ``out`` is there and is not such a table.
    """
    from tqdm import tqdm

    print(RIGHTS, file=sys.stderr)
    table = read(out)
    try:
        for path in tqdm(list(dict.fromkeys(paths)), unit="file"):
            digest = _digest(path)
            known = table.get(path)
            if known and known["sha256"] == digest and not known["problem"]:
                continue
            table[path] = {"file": path, "sha256": digest,
                           **row(*run(path, seconds, gigabytes))}
            write(out, table)
    except KeyboardInterrupt:
        print(f"interrupted; what is graded is in {out}, run again to go on")
        return 130
    failed = [path for path in paths if table[path]["problem"]]
    print(f"{len(set(paths))} submissions in {out}"
          + "".join(f"\n  {path}: {table[path]['problem']}"
                    for path in failed))
    return 1 if failed else 0


def run(path: str, seconds: float, gigabytes: float) -> tuple[dict, str]:
    """Check one submission in a process of its own.

    Returns:
        Outcomes by exercise, and what prevented them, or "".
    """
    import matplotlib

    with tempfile.TemporaryDirectory(prefix="grade-") as folder:
        said = Path(folder, "outcomes.json")
        try:
            shutil.copyfile(path, Path(folder, "submission.ipynb"))
        except OSError as exc:
            return {}, f"can't be read: {exc.strerror}"
        kept = {k: v for k, v in os.environ.items() if k in KEPT}
        kept |= {"HOME": folder, "TMPDIR": folder,
                 "MPLCONFIGDIR": matplotlib.get_cachedir()}
        child = subprocess.Popen(
            [sys.executable, "-m", __name__, folder, str(gigabytes)],
            cwd=folder, env=kept, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            return {}, f"not done after {seconds:g} s"
        finally:
            _stop(child, folder)
        try:
            found = json.loads(said.read_text("utf-8"))
            return found["outcomes"], found["problem"]
        except (OSError, ValueError, KeyError):
            return {}, f"its process ended early (status {child.returncode})"


def row(outcomes: dict, problem: str) -> dict:
    """Outcomes as a row of the table.

    Points are difficulties. All exercises of the notebook count, those whose
    check is missing, too.
    """
    chapters = {id.split(".")[0] for id in outcomes}
    asked = [each for each in exercises().values()
             if each.id.split(".")[0] in chapters]
    kinds = {each.id: outcomes.get(each.id, "missing") for each in asked}
    if not asked:
        problem = problem or "has no cell that checks an exercise"
    return {"points": sum(each.difficulty for each in asked
                          if kinds[each.id] == CORRECT),
            "of": sum(each.difficulty for each in asked),
            "problem": problem, **kinds}


def read(out: str) -> dict[str, dict]:
    """The rows of a table by file; none when there is no table yet."""
    if not Path(out).exists():
        return {}
    with open(out, encoding="utf-8", newline="") as file:
        found = csv.DictReader(file)
        rows = list(found)
    if (found.fieldnames or [])[:len(FIXED)] != FIXED:
        raise ValueError(f"{out} is not a table of grades: name another "
                         "file with --out")
    return {each["file"]: each for each in rows}


def write(out: str, table: dict[str, dict]) -> None:
    """Put the table in the place of the old one, whole or not at all."""
    ids = [id for id in exercises() if any(id in each
                                           for each in table.values())]
    with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="", delete=False,
            dir=Path(out).resolve().parent) as file:
        writer = csv.DictWriter(file, FIXED + ids)
        writer.writeheader()
        writer.writerows(table.values())
    os.replace(file.name, out)


def _digest(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def _stop(child: subprocess.Popen, home: str) -> None:
    """End a submission's process, its kernel, and what that left running.

    All of them have inherited the submission's folder as their home, unless
    it was hidden on purpose.
    """
    import psutil

    child.kill()
    child.wait()
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):     # gone, or another user's
            if process.environ().get("HOME") == home:
                process.kill()


def _child(folder: str, gigabytes: str) -> None:
    """Check the submission of a folder, and leave the outcomes beside it."""
    try:
        import resource
    except ImportError:         # Windows has no such bounds
        pass
    else:
        memory = int(float(gigabytes) * 2**30)
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_FSIZE, (2**28, 2**28))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    outcomes, problem = {}, ""
    try:
        checked = check_notebook(Path(folder, "submission.ipynb"))
        outcomes = {id: kind for id, (kind, _) in checked.items()}
    except (OSError, ValueError, RuntimeError) as exc:
        problem = f"can't be run: {exc}"
    Path(folder, "outcomes.json").write_text(
        json.dumps({"outcomes": outcomes, "problem": problem}), "utf-8")


if __name__ == "__main__":
    _child(*sys.argv[1:])
