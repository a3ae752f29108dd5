"""Re-execute the notebooks and store them in one normal form.

    python tools/notebooks.py [FILE ...]           re-execute in place
    python tools/notebooks.py --check [FILE ...]   change nothing; exit 1
        if a file is not what a fresh execution would store

Without this, every save would store new random ids, timings and library
versions, and a reviewer could not see what really changed. The result is
the same byte for byte when run twice on one machine. Pictures may differ
from one machine to the next, so ``--check`` only asks that they are there.
"""

import argparse
import os
import re
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
METADATA = {
    "kernelspec": {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    },
    "language_info": {
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "pygments_lexer": "ipython3",
    },
}
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
# Ids that an editor made up: a whole uuid, or its first group.
RANDOM_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){0,3}(-[0-9a-f]{12})?")


def execute(notebook, folder):
    """Run every cell in a fresh kernel whose directory is `folder`.

    Raises nbclient's CellExecutionError when a cell without the tag
    ``raises-exception`` raises, and CellTimeoutError after 60 seconds.
    """
    from nbclient import NotebookClient

    # A stray setting must not turn a re-execution into paid calls.
    os.environ.pop("REFLECTLAB_LIVE", None)
    NotebookClient(
        notebook,
        timeout=60,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        coalesce_streams=True,
        record_timing=False,
        store_widget_state=False,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
    ).execute()


def normalise(notebook):
    """Bring a notebook into normal form, in place, and return it."""
    notebook.metadata = nbformat.from_dict(METADATA)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    taken = {cell.get("id") for cell in notebook.cells}
    for cell in notebook.cells:
        tags = cell.metadata.get("tags")
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        if RANDOM_ID.fullmatch(cell.get("id", "00000000")):
            cell.id = _free_id(taken)
        for output in cell.get("outputs", ()):
            _normalise_output(output)
    return notebook


def _free_id(taken):
    number = 1
    while f"c{number:02}" in taken:
        number += 1
    taken.add(f"c{number:02}")
    return f"c{number:02}"


def _normalise_output(output):
    if output.output_type == "error":
        # The frames name this machine's folders and this Python's lines.
        output.traceback = [f"{output.ename}: {output.evalue}"]
    # A stored view without its live widget reads "model not found" in
    # JupyterLab; without the view the plain text is shown.
    output.get("data", {}).pop(WIDGET_VIEW, None)


def same_but_pictures(stored, fresh):
    """Compare two file texts; of a picture only that it is there."""
    return _without_pictures(stored) == _without_pictures(fresh)


def _without_pictures(text):
    notebook = nbformat.reads(text, as_version=4)
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            for kind in output.get("data", {}):
                if kind.startswith("image/"):
                    output.data[kind] = "a picture"
    return text_of(notebook)


def text_of(notebook):
    """What the file holds: sorted keys, one space of indent."""
    return nbformat.writes(notebook) + "\n"


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description="Re-execute notebooks and store them in normal form."
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    files = options.files or sorted((ROOT / "notebooks").glob("*.ipynb"))
    stale = []
    for path in files:
        stored = path.read_text("utf-8")
        notebook = nbformat.reads(stored, as_version=4)
        execute(notebook, path.parent)
        fresh = text_of(normalise(notebook))
        if options.check:
            same = same_but_pictures(stored, fresh)
            print(f"{path.name}: {'in normal form' if same else 'STALE'}")
            if not same:
                stale.append(path.name)
        else:
            path.write_text(fresh, "utf-8", newline="\n")
            changed = "unchanged" if fresh == stored else "written"
            print(f"{path.name}: {changed}")
    if stale:
        print("Run `make notebooks` and commit: " + ", ".join(stale))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
