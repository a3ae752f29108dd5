"""Every check of the gate goes red on the defect that it is for."""

import pytest
from nbformat.v4 import new_output

import gate


def defect(check, change):
    """One case: `check` complains once `change(notebook, cell)` was made."""
    name = f"{check.__name__}-{change.__name__}"
    return pytest.param(check, change, id=name)


def count_is_null(notebook, cell):
    cell.execution_count = None


def counts_start_at_two(notebook, cell):
    cell.execution_count = 2
    notebook.cells[3].execution_count = 3


def result_has_another_count(notebook, cell):
    data = {"text/plain": "2"}
    result = new_output("execute_result", data=data, execution_count=7)
    cell.outputs = [result]


def only_a_picture(notebook, cell):
    data = {"image/png": "iVBORw0KGgo="}
    cell.outputs = [new_output("display_data", data=data)]


def output_is_missing(notebook, cell):
    cell.outputs = []


def ignore_comment(notebook, cell):
    cell.source = "# NBVAL_IGNORE_OUTPUT\n" + cell.source


def old_ignore_comment(notebook, cell):
    cell.source += "\n#PYTEST_VALIDATE_IGNORE_OUTPUT"


def ignore_tag(notebook, cell):
    cell.metadata.tags = ["nbval-ignore-output"]


def skip_tag(notebook, cell):
    cell.metadata.tags = ["nbval-skip"]


def raises_nothing(notebook, cell):
    cell.metadata.tags = ["raises-exception"]


def raises_unmarked(notebook, cell):
    notebook.cells[3].metadata = {}


def unknown_magic(notebook, cell):
    cell.source = "%no_such_magic\n" + cell.source


def shell_line(notebook, cell):
    cell.source = "!ls"


def no_code(notebook, cell):
    cell.source = "# nothing"


def trailing_semicolon(notebook, cell):
    cell.source += " ;  # é"


def standard_error(notebook, cell):
    cell.outputs[0].name = "stderr"


def warning(notebook, cell):
    cell.outputs[0].text = "x.py:1: DeprecationWarning: old\n"


def path(notebook, cell):
    cell.outputs[0].text = "/home/me/draft.py\n"


def address(notebook, cell):
    cell.outputs[0].text = "<object at 0x7f3d2c1b0a90>\n"


def random_id(notebook, cell):
    cell.id = "3f9c21ab"


def uuid(notebook, cell):
    cell.id = "3f9c21ab-0c1d-4e5f-8a9b-0123456789ab"


def id_used_twice(notebook, cell):
    cell.id = "title"


def widget_state(notebook, cell):
    notebook.metadata["widgets"] = {"state": {}}


def other_kernel(notebook, cell):
    notebook.metadata.kernelspec.name = "my-env"


def timing(notebook, cell):
    cell.metadata["execution"] = {"iopub.status.busy": "2026-01-01"}


def long_cell(notebook, cell):
    cell.source = "x = 1\n" * 31


def long_run(notebook, cell):
    cell.source = "def run():\n" + "    x = 1\n" * 45


def wide_line(notebook, cell):
    cell.source = f"x = '{'y' * 75}'"


def long_median(notebook, cell):
    for cell in notebook.cells[1::2]:
        cell.source = "x = 1\n" * 9


def no_prose(notebook, cell):
    del notebook.cells[2]


DEFECTS = [
    defect(gate.counts_run_from_one, count_is_null),
    defect(gate.counts_run_from_one, counts_start_at_two),
    defect(gate.counts_run_from_one, result_has_another_count),
    defect(gate.something_is_compared, only_a_picture),
    defect(gate.printing_is_stored, output_is_missing),
    defect(gate.no_marks, ignore_comment),
    defect(gate.no_marks, old_ignore_comment),
    defect(gate.no_marks, ignore_tag),
    defect(gate.no_marks, skip_tag),
    defect(gate.raising_is_marked, raises_nothing),
    defect(gate.raising_is_marked, raises_unmarked),
    defect(gate.plain_python, unknown_magic),
    defect(gate.plain_python, shell_line),
    defect(gate.plain_python, no_code),
    defect(gate.plain_python, trailing_semicolon),
    defect(gate.outputs_are_stable, standard_error),
    defect(gate.outputs_are_stable, warning),
    defect(gate.outputs_are_stable, path),
    defect(gate.outputs_are_stable, address),
    defect(gate.ids_are_explicit, random_id),
    defect(gate.ids_are_explicit, uuid),
    defect(gate.ids_are_explicit, id_used_twice),
    defect(gate.normal_form, widget_state),
    defect(gate.normal_form, other_kernel),
    defect(gate.normal_form, timing),
    defect(gate.cells_are_small, long_cell),
    defect(gate.cells_are_small, long_run),
    defect(gate.cells_are_small, wide_line),
    defect(gate.cells_are_small, long_median),
    defect(gate.prose_between_code, no_prose),
]


@pytest.mark.parametrize("check, change", DEFECTS)
def test_goes_red(tiny, check, change):
    change(tiny, tiny.cells[1])
    assert check(tiny)


@pytest.mark.parametrize("check", gate.CHECKS)
def test_stays_green(tiny, check):
    assert check(tiny) == []


def test_every_check_has_a_defect():
    assert {case.values[0] for case in DEFECTS} == set(gate.CHECKS)


def test_run_may_be_longer(tiny):
    tiny.cells[1].source = "def run():\n" + "    x = 1\n" * 44
    tiny.cells[3].source = "x"
    complaints = gate.cells_are_small(tiny)
    assert complaints == ["median cell: over 8 lines"]
