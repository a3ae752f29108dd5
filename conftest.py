"""What holds for every test, those in the notebooks included."""

import os


def pytest_configure(config):
    # Each of these would change what a notebook does or how it draws, and a
    # setting left over in somebody's shell must never cost money.
    for name in ("MPLBACKEND", "PYTHONWARNINGS"):
        os.environ.pop(name, None)
    if config.option.markexpr != "live":
        os.environ.pop("REFLECTLAB_LIVE", None)
