"""The test suite beside its floor: python benchmarks/suite.py

The floor is what nobody can avoid: five kernels that start and import what
the five notebooks import. Measured before and after, in the same minutes, so
that a busy machine slows both. Prints the suite as a multiple of the floor.
"""

import ast
import subprocess
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

ROOT = Path(__file__).resolve().parent.parent


def imports_of(path):
    """All import statements of a notebook, as one cell."""
    found = []
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            found += [ast.unparse(node) for node in ast.parse(
                cell.source).body
                if isinstance(node, (ast.Import, ast.ImportFrom))]
    return "\n".join(found)


def floor():
    """Seconds for five kernels with nothing but the imports."""
    start = time.perf_counter()
    for path in sorted((ROOT / "notebooks").glob("0*.ipynb")):
        NotebookClient(new_notebook(cells=[new_code_cell(
            imports_of(path))]), timeout=120, extra_arguments=[
                "--IPKernelApp.log_level=ERROR"]).execute()
    return time.perf_counter() - start


def pytest(*arguments):
    """Seconds for pytest as `make test` calls it."""
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-m", "pytest", "-q",
                           "-p", "no:cacheprovider", *arguments],
                          cwd=ROOT, capture_output=True, text=True)
    print(done.stdout.strip().splitlines()[-1])
    return time.perf_counter() - start


def main():
    floor()                             # the first one reads the disk
    before = floor()
    books = pytest("notebooks")
    between = floor()
    tests = pytest("tests")
    after = floor()
    base = (before + between + after) / 3
    print(f"floor      {base:6.1f} s  ({before:.1f}, {between:.1f}, "
          f"{after:.1f})")
    for name, spent in (("notebooks", books), ("tests", tests),
                        ("make test", books + tests)):
        print(f"{name:10} {spent:6.1f} s  {spent / base:5.1f} x the floor")


if __name__ == "__main__":
    main()
