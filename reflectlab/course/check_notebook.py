"""``python -m reflectlab check NOTEBOOK ...``: the checks outside Jupyter.

A notebook is run from top to bottom in a kernel of its own, in its own
folder, and nothing of it is changed. Its name and the working directory do
not matter: what counts is which checks its cells make.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

CELL_SECONDS = 60       # then a cell is interrupted, and the next one runs
CHECK = re.compile(r"""exercise\(\s*["'](\d+\.\d+)["']\s*\)\s*\.check\(""")
REPORT = """import json, reflectlab.course.progress as progress
print(json.dumps(progress.OUTCOMES))"""


def main(paths: Sequence[str | Path]) -> int:
    """Check notebooks and print a line for each exercise.

    Args:
        paths: notebook files.

    Returns:
        The exit status: 0 when every exercise of every notebook is correct,
        1 when one is not, 2 when a file can't be run as a notebook.
    """
    status = 0
    for path in map(Path, paths):
        print(path.name)
        try:
            outcomes = check_notebook(path)
        except (OSError, ValueError, RuntimeError) as exc:
            print(f"  can't be run: {exc}")
            status = 2
            continue
        if not outcomes:
            print("  has no cell that checks an exercise")
            status = max(status, 1)
        for id, (kind, text) in outcomes.items():
            print(f"  {id}  {kind}")
            if kind != "correct":
                status = max(status, 1)
            if kind in ("not yet", "not checked"):
                print("\n".join(f"       {line}"
                                for line in text.splitlines()))
    return status


def check_notebook(path: Path) -> dict[str, tuple[str, str]]:
    """Run one notebook and collect what its checks said.

    Args:
        path: the file.

    Returns:
        (outcome, text) by exercise, in the notebook's order. A check whose
        cell raised is "not checked", with what it raised.

    Raises:
        OSError, ValueError: the file can't be read as a notebook.
        RuntimeError: its kernel died.
    """
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import DeadKernelError
    from nbformat.reader import NotJSONError

    try:
        notebook = nbformat.read(path, as_version=4)
    except (NotJSONError, nbformat.ValidationError, AttributeError) as exc:
        raise ValueError(f"not a notebook ({type(exc).__name__})") from exc
    notebook.cells.append(nbformat.v4.new_code_cell(REPORT))
    # A setting left over in somebody's shell must never cost money.
    os.environ.pop("REFLECTLAB_LIVE", None)
    client = NotebookClient(
        notebook, kernel_name="python3", timeout=CELL_SECONDS,
        interrupt_on_timeout=True, allow_errors=True,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
        resources={"metadata": {"path": str(path.resolve().parent)}})
    try:
        client.execute()
    except DeadKernelError as exc:
        raise RuntimeError("the kernel died while it ran") from exc
    *cells, last = [c for c in notebook.cells if c.cell_type == "code"]
    said = _said(last)
    found = {id: _unchecked(cell) for cell in cells
             for id in CHECK.findall(cell.source)}
    return {id: said.get(id, found.get(id)) for id in {**found, **said}}


def _said(cell) -> dict[str, tuple[str, str]]:
    text = "".join(o.text for o in cell.outputs if o.get("name") == "stdout")
    try:
        return {id: tuple(pair) for id, pair in json.loads(text).items()}
    except ValueError:
        return {}


def _unchecked(cell) -> tuple[str, str]:
    for output in cell.outputs:
        if output.output_type == "error":
            return "not checked", (f"its cell raised {output.ename}: "
                                   f"{output.evalue}")
    return "not checked", "its cell did not run the check"
