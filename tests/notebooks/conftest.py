"""A tiny notebook, as stored, for showing that each check goes red."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

import notebooks


@pytest.fixture
def tiny():
    """A cell that prints 2 and one that raises, with prose between them."""
    notebook = nbformat.v4.new_notebook(
        cells=[
            new_markdown_cell("A sum.", id="title"),
            new_code_cell(
                "print(1 + 1)",
                id="sum",
                execution_count=1,
                outputs=[new_output("stream", name="stdout", text="2\n")],
            ),
            new_markdown_cell("Of two cells,\none raises.", id="prose"),
            new_code_cell(
                "int('x')",
                id="raises",
                execution_count=2,
                metadata={"tags": ["raises-exception"]},
                outputs=[
                    new_output(
                        "error",
                        ename="ValueError",
                        evalue="invalid literal for int() with base 10: 'x'",
                        traceback=[],
                    )
                ],
            ),
        ]
    )
    return notebooks.normalise(notebook)
