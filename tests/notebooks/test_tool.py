"""Re-executing gives the same file, whatever was stored before."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell

import notebooks

PLOT = """\
import ipywidgets
import matplotlib.pyplot as plt

plt.plot([1, 2])
plt.show()
for i in range(3):
    print(i, flush=True)
ipywidgets.IntSlider()"""


def test_execution_is_byte_stable_and_in_normal_form(tiny, tmp_path):
    path = tmp_path / "tiny.ipynb"
    tiny.metadata["widgets"] = {"state": {}}
    tiny.cells[1].metadata["execution"] = {"iopub.status.busy": "2026"}
    tiny.cells.append(new_code_cell(PLOT))
    path.write_text(nbformat.writes(tiny), "utf-8")
    assert notebooks.main([str(path)]) == 0
    first = path.read_bytes()
    notebook = nbformat.read(path, as_version=4)
    assert notebook.metadata == notebooks.METADATA
    assert notebook.cells[1].metadata == {}
    assert notebook.cells[3].outputs[0].traceback == [
        "ValueError: invalid literal for int() with base 10: 'x'"
    ]
    last = notebook.cells[4]
    assert (last.id, last.execution_count) == ("c01", 3)
    assert [sorted(o.get("data", o)) for o in last.outputs] == [
        ["image/png", "text/plain"],
        ["name", "output_type", "text"],
        ["text/plain"],
    ]
    assert notebooks.main([str(path)]) == 0
    assert path.read_bytes() == first
    assert notebooks.main(["--check", str(path)]) == 0


def test_check_finds_a_stale_output(tiny, tmp_path, capsys):
    path = tmp_path / "tiny.ipynb"
    tiny.cells[1].outputs[0].text = "3\n"
    path.write_text(notebooks.text_of(tiny), "utf-8")
    before = path.read_bytes()
    assert notebooks.main(["--check", str(path)]) == 1
    assert "tiny.ipynb: STALE" in capsys.readouterr().out
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "fresh, same",
    [({"image/png": "Ymk="}, True), ({}, False), ({"text/html": "a"}, False)],
)
def test_of_pictures_only_the_presence_is_compared(tiny, fresh, same):
    def with_data(data):
        output = nbformat.v4.new_output("display_data", data=data)
        tiny.cells[1].outputs = [output]
        return notebooks.text_of(tiny)

    stored = with_data({"image/png": "YWE="})
    assert notebooks.same_but_pictures(stored, with_data(fresh)) is same


def test_new_ids_are_free(tiny):
    tiny.cells[0].id = "c01"
    tiny.cells[1].id = "0a1b2c3d"
    tiny.cells[2].id = "0a1b2c3d-0000-4000-8000-000000000000"
    notebooks.normalise(tiny)
    assert [c.id for c in tiny.cells] == ["c01", "c02", "c03", "raises"]
