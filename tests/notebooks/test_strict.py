"""Strict nbval goes red when a stored output is not what the code gives."""

import copy
import re
import subprocess
import sys

import nbformat

import gate
import notebooks


def outcomes(folder, copies):
    """Run the project's own pytest settings on copies of notebooks.

    Returns {name: [PASSED or FAILED of each code cell]}.
    """
    for name, notebook in copies.items():
        path = folder / f"{name}.ipynb"
        path.write_text(notebooks.text_of(notebook), "utf-8")
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider"]
        + ["-c", str(notebooks.ROOT / "pyproject.toml")]
        + [f"--rootdir={folder}", "--color=no", str(folder)],
        cwd=notebooks.ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    lines = re.findall(
        r"(\w+)::ipynb::Cell \d+ (PASSED|FAILED)", result.stdout
    )
    return {
        name: [outcome for which, outcome in lines if which == name]
        for name in copies
    }


def alter_print(tiny):
    tiny.cells[1].outputs[0].text = "3\n"


def alter_exception(tiny):
    tiny.cells[3].outputs[0].evalue += "!"


def alter_code(tiny):
    tiny.cells[1].source = "print(1 + 2)"


def drop_output(tiny):
    tiny.cells[1].outputs = []


def raise_nothing(tiny):
    tiny.cells[3].source = "int('1')"


def test_altered_copies_are_red(tiny, tmp_path):
    copies = {"unaltered": tiny}
    for alter in (
        alter_print,
        alter_exception,
        alter_code,
        drop_output,
        raise_nothing,
    ):
        copies[alter.__name__] = copy.deepcopy(tiny)
        alter(copies[alter.__name__])
    assert outcomes(tmp_path, copies) == {
        "unaltered": ["PASSED", "PASSED"],
        "alter_print": ["FAILED", "PASSED"],
        "alter_exception": ["PASSED", "FAILED"],
        "alter_code": ["FAILED", "PASSED"],
        "drop_output": ["FAILED", "PASSED"],
        "raise_nothing": ["PASSED", "FAILED"],
    }


def test_one_character_of_a_real_notebook_is_red(tmp_path):
    path = notebooks.ROOT / "notebooks" / "01_shared_history.ipynb"
    notebook = nbformat.read(path, as_version=4)
    printing = [
        (number, output)
        for number, cell in enumerate(gate.code_cells(notebook))
        for output in cell.outputs
        if output.output_type == "stream"
    ]
    number, output = printing[-1]
    first = "x" if output.text[0] != "x" else "y"
    output.text = first + output.text[1:]
    expected = ["PASSED"] * len(gate.code_cells(notebook))
    expected[number] = "FAILED"
    assert outcomes(tmp_path, {"real": notebook}) == {"real": expected}
