"""What strict nbval does not look at, looked at.

    python tools/gate.py [FILE ...]

nbval re-executes a notebook and compares the outputs. It passes a cell that
was never run, one that is marked to be ignored, one that should raise and
doesn't, and an unknown magic. Each check below closes one such hole; it
takes a notebook and returns a list of complaints, each with its cell's id.
"""

import ast
import copy
import re
import statistics
import sys
from pathlib import Path

import nbformat
from nbval import plugin

import notebooks

RAISES = "raises-exception"
MARKS = re.compile(r"#\s*(NBVAL_|PYTEST_VALIDATE_)", re.IGNORECASE)
# What differs between two machines, two runs or two Pythons.
UNSTABLE = re.compile(
    r"/(home|root|tmp|usr|opt|var|Users|private)/|[A-Z]:\\|0x[0-9a-f]{6,}"
    r"|site-packages|ipykernel_|\w*Warning:"
)
NOT_COMPARED = {
    "image/png",
    "image/jpeg",
    "application/vnd.jupyter.widget-view+json",
}
MEDIAN_LINES, MAX_LINES, MAX_LINES_RUN = 8, 30, 45
MAX_CELLS, COLUMNS = 40, 79
MAX_CELLS_OF = {"04": 60, "05": 60}


def code_cells(notebook):
    return [c for c in notebook.cells if c.cell_type == "code"]


def texts_of(cell):
    """Every text that a cell's outputs hold, the pictures left out."""
    for output in cell.outputs:
        if output.output_type == "stream":
            yield output.text
        elif output.output_type == "error":
            yield f"{output.ename}: {output.evalue}"
        else:
            for kind, text in output.data.items():
                if kind not in NOT_COMPARED:
                    yield text if isinstance(text, str) else str(text)


def counts_run_from_one(notebook):
    """nbval compares nothing in a cell whose count is null."""
    complaints = []
    for number, cell in enumerate(code_cells(notebook), 1):
        counts = [cell.execution_count] + [
            output.execution_count
            for output in cell.outputs
            if output.output_type == "execute_result"
        ]
        if set(counts) != {number}:
            complaints.append(f"{cell.id}: counts {counts}, not {number}")
    return complaints


def something_is_compared(notebook):
    """nbval compares no picture and no widget: each needs a text beside it."""
    return [
        f"{cell.id}: an output without a text that can be compared"
        for cell in code_cells(notebook)
        for output in cell.outputs
        if "data" in output and not set(output.data) - NOT_COMPARED
    ]


def printing_is_stored(notebook):
    """A cell that prints at its top level has a stored output."""
    return [
        f"{cell.id}: prints, but no output is stored"
        for cell in code_cells(notebook)
        if not cell.outputs
        and re.search(r"^(print|display)\(", cell.source, re.M)
    ]


def no_marks(notebook):
    """No cell asks nbval to look away, in a comment or in a tag."""
    complaints = []
    for cell in code_cells(notebook):
        tags = set(cell.metadata.get("tags", ())) - {RAISES}
        if tags & set(plugin.metadata_tags):
            complaints.append(f"{cell.id}: tags {sorted(tags)}")
        if MARKS.search(cell.source):
            complaints.append(f"{cell.id}: a mark in a comment")
    return complaints


def raising_is_marked(notebook):
    """nbval passes a cell marked as raising that raises nothing."""
    complaints = []
    for cell in code_cells(notebook):
        marked = RAISES in cell.metadata.get("tags", ())
        raised = any(o.output_type == "error" for o in cell.outputs)
        if marked != raised:
            complaints.append(f"{cell.id}: marked {marked}, raised {raised}")
    return complaints


def plain_python(notebook):
    """nbval passes unknown magics; and a final semicolon fails it."""
    complaints = []
    for cell in code_cells(notebook):
        try:
            tree = ast.parse(cell.source)
        except SyntaxError:
            complaints.append(f"{cell.id}: not plain Python")
            continue
        if not tree.body:
            complaints.append(f"{cell.id}: empty")
        elif ";" in _after(cell.source, tree.body[-1]):
            complaints.append(f"{cell.id}: a trailing semicolon")
    return complaints


def _after(source, statement):
    """The code behind a statement, comments left out."""
    lines = source.encode().splitlines()[statement.end_lineno - 1 :]
    lines[0] = lines[0][statement.end_col_offset :]
    return "\n".join(line.decode().split("#")[0] for line in lines)


def outputs_are_stable(notebook):
    """No standard error, warning, path or address in what is stored."""
    complaints = []
    for cell in code_cells(notebook):
        if any(output.get("name") == "stderr" for output in cell.outputs):
            complaints.append(f"{cell.id}: standard error")
        for text in texts_of(cell):
            if found := UNSTABLE.search(text):
                complaints.append(f"{cell.id}: {found[0]!r} in an output")
    return complaints


def ids_are_explicit(notebook):
    """Ids are names that stay, not random numbers made up at every save."""
    ids = [cell.get("id", "") for cell in notebook.cells]
    complaints = [f"{i}: used twice" for i in set(ids) if ids.count(i) > 1]
    for i in ids:
        if not i or notebooks.RANDOM_ID.fullmatch(i):
            complaints.append(f"{i}: a random id")
    return complaints


def normal_form(notebook):
    """Kernelspec python3, no widget state, no stray metadata."""
    normal = notebooks.normalise(copy.deepcopy(notebook))
    if normal == notebook:
        return []
    return ["not in normal form: run `make notebooks`"]


def cells_are_small(notebook):
    """COURSE sizes: lines a cell, columns, cells a notebook."""
    complaints = []
    lengths = []
    for cell in code_cells(notebook):
        lines = cell.source.splitlines()
        lengths.append(len(lines))
        defines_run = re.search(r"^\s*def run\(", cell.source, re.M)
        most = MAX_LINES_RUN if defines_run else MAX_LINES
        if len(lines) > most:
            complaints.append(f"{cell.id}: {len(lines)} lines, over {most}")
        if any(len(line) > COLUMNS for line in lines):
            complaints.append(f"{cell.id}: a line over {COLUMNS} columns")
    if statistics.median(lengths or [0]) > MEDIAN_LINES:
        complaints.append(f"median cell: over {MEDIAN_LINES} lines")
    return complaints


def prose_between_code(notebook):
    """A reader is told something between any two code cells."""
    return [
        f"{second.id}: no prose before it"
        for first, second in zip(notebook.cells, notebook.cells[1:])
        if first.cell_type == second.cell_type == "code"
    ]


CHECKS = [
    counts_run_from_one,
    something_is_compared,
    printing_is_stored,
    no_marks,
    raising_is_marked,
    plain_python,
    outputs_are_stable,
    ids_are_explicit,
    normal_form,
    cells_are_small,
    prose_between_code,
]


def most_cells(name):
    """How many code cells the notebook of that file name may have."""
    return MAX_CELLS_OF.get(name[:2], MAX_CELLS)


def main(files):
    paths = [Path(file) for file in files]
    paths = paths or sorted((notebooks.ROOT / "notebooks").glob("*.ipynb"))
    complaints = 0
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        for check in CHECKS:
            for complaint in check(notebook):
                complaints += 1
                print(f"{path.name} {check.__name__}: {complaint}")
        number = len(code_cells(notebook))
        if number > most_cells(path.name):
            complaints += 1
            print(f"{path.name}: {number} code cells")
    print(f"{len(paths)} notebooks, {complaints} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
