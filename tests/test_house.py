"""The set-up files say the same thing, and say it everywhere."""

import importlib.metadata
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PINS = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
VERSIONS = dict(pin.split("==") for pin in PINS)
needs_make = pytest.mark.skipif(
    shutil.which("make") is None, reason="there is no make here"
)


def declared():
    """Every requirement of pyproject.toml, extras included."""
    extras = PROJECT["project"]["optional-dependencies"].values()
    return PROJECT["project"]["dependencies"] + sum(extras, [])


def test_pins_are_names_and_versions_only():
    for pin in PINS:
        assert re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", pin)


def test_pins_are_in_step():
    assert PROJECT["tool"]["uv"]["constraint-dependencies"] == PINS


def test_everything_declared_is_pinned_where_it_may_be():
    for requirement in declared():
        name, least = re.fullmatch(
            r"([a-z-]+)(?:\[\w+\])?>=([0-9.]+)", requirement
        ).groups()
        numbers = [int(n) for n in re.findall(r"\d+", VERSIONS[name])]
        assert numbers >= [int(n) for n in least.split(".")]


def test_what_runs_here_is_what_is_pinned():
    installed = {
        re.sub(r"[-_.]+", "-", found.name).lower(): found.version
        for found in importlib.metadata.distributions()
    }
    differing = {
        name: version
        for name, version in installed.items()
        if VERSIONS.get(name, version) != version
    }
    assert differing == {}


def test_environment_file_installs_the_project_with_the_pins():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    assert environment == {
        "name": PROJECT["project"]["name"],
        "dependencies": [
            "python=3.12",
            "pip",
            {"pip": ["-c constraints.txt", "-e ."]},
        ],
    }


def test_no_lock_file_and_no_address_is_committed():
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    files = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    ).stdout.decode()
    names = [Path(name).name for name in files.split("\0")]
    assert not [n for n in names if re.match(r"uv\.lock|pylock", n)]
    for name in ("Makefile", "constraints.txt", "environment.yml", ".ci/run"):
        text = (ROOT / name).read_text("utf-8")
        assert not re.search(r"https?://|index-url|find-links", text), name


@needs_make
@pytest.mark.parametrize(
    "target, command",
    [
        ("lab", "-m jupyterlab"),
        ("test", "-m pytest"),
        ("run", "-m reflectlab run"),
        ("notebooks", "tools/notebooks.py"),
        ("lint", "lint-imports"),
    ],
)
def test_make_target(target, command):
    result = subprocess.run(
        ["make", "--dry-run", target],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert command in result.stdout


@needs_make
def test_lab_opens_the_first_notebook_that_is_there():
    made = subprocess.run(
        ["make", "--dry-run", "lab"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    notebook = re.search(r"/lab/tree/(\S+)", made)[1]
    assert notebook == "notebooks/01_shared_history.ipynb"
    assert (ROOT / notebook).is_file()


@needs_make
@pytest.mark.parametrize(
    "version, reason",
    [("Python 3.8.18", "Python 3.8.18"), (None, "missing")],
)
def test_old_or_missing_python_is_one_sentence(tmp_path, version, reason):
    python = tmp_path / "python"
    if version:
        python.write_text(
            f'#!/bin/sh\n[ "$1" = --version ] && echo "{version}"\n'
            '[ "$1" = --version ]\n'
        )
        python.chmod(0o755)
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_text("")
    result = subprocess.run(
        ["make", "lab", f"PYTHON={python}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert result.returncode != 0
    assert result.stderr.splitlines()[0] == (
        f"Reflection Lab needs Python 3.11 or newer, but {python} is "
        f"{reason}: install one, or name it, as in: make lab "
        "PYTHON=python3.12"
    )
    assert not (tmp_path / ".venv").exists()
