"""The recipes of docs/library.md are run as they stand there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

TEXT = (Path(__file__).resolve().parent.parent / "docs" / "library.md"
        ).read_text("utf-8")
RECIPES = {code.split("\n")[0].removeprefix("# "): code
           for code in re.findall(r"```python\n(.*?)```", TEXT, re.S)}


def run(folder, name, code):
    """pytest on one file, alone, as a user would."""
    (folder / name).write_text(code, "utf-8")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
         "--rootdir", str(folder), name],
        cwd=folder, capture_output=True, text=True, timeout=120)


def test_there_are_three():
    assert sorted(RECIPES) == ["test_critic.py", "test_delta.py",
                               "test_loop.py"]


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_runs(tmp_path, name):
    done = run(tmp_path, name, RECIPES[name])
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name, change, says", [
    ("test_critic.py", ("return all(", "return True or all("),
     "not calibrated: catch 0.00"),
    ("test_critic.py", ("return all(", "return False and all("),
     "not calibrated: false alarm 1.00"),
    ("test_loop.py", ("xs[~n]) / 2", "xs[~n]) / 3"), "assert (False"),
], ids=["approves-all", "objects-to-all", "never-right"])
def test_a_recipe_can_fail(tmp_path, name, change, says):
    assert RECIPES[name].count(change[0]) == 1
    done = run(tmp_path, name, RECIPES[name].replace(*change))
    assert done.returncode == 1
    assert says in done.stdout


@pytest.mark.slow
def test_a_changed_delta_is_red(tmp_path):
    code = RECIPES["test_delta.py"]
    assert run(tmp_path, "test_delta.py", code).returncode == 0
    kept = (tmp_path / "delta.json").read_text()
    assert '"double": [' in kept
    worse = code.replace("return n % 2 == 0", "return 1")
    assert worse != code
    done = run(tmp_path, "test_delta.py", worse)
    assert done.returncode == 1 and "is_even" in done.stdout
    assert (tmp_path / "delta.json").read_text() == kept
