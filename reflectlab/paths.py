"""Where the package's data lie: tasks, suites, recordings, figures."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def data_path(*parts):
    """Return the path of a file or folder under ``data/``.

    A wheel holds the data inside the package; in a checkout they lie beside
    it, where people look for them. Raises FileNotFoundError when there is no
    such file, and names it.
    """
    folder = PACKAGE / "data"
    if not folder.is_dir():
        folder = PACKAGE.parent / "data"
    path = folder.joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(
            f"no {'/'.join(parts) or 'data'} in {folder}: "
            "is the checkout complete?"
        )
    return path
