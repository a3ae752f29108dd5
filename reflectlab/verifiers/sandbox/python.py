"""Start a clean Python on one of the modules beside this file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_HERE = str(Path(__file__).parent)
_FLAGS = ["-P", "-s", "-S", "-B", "-X", "utf8", "-W", "ignore", "-c"]
# The whole environment of the children. -I would ignore the hash seed; a
# fixed one makes the order of sets, and so every report, repeatable.
_ENVIRONMENT = {"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": "/",
                "PYTHONHASHSEED": "0"}
if "SYSTEMROOT" in os.environ:  # Windows can't start Python without it
    _ENVIRONMENT["SYSTEMROOT"] = os.environ["SYSTEMROOT"]


def start(module, stdin, stdout, stderr, *arguments) -> subprocess.Popen:
    """Run ``module.main()`` in a session of its own."""
    boot = (f"import sys; sys.path.insert(0, {_HERE!r}); "
            f"import {module}; del sys.path[0]; {module}.main()")
    return subprocess.Popen([sys.executable, *_FLAGS, boot, *arguments],
                            stdin=stdin, stdout=stdout, stderr=stderr,
                            cwd=os.sep, env=_ENVIRONMENT,
                            start_new_session=True)
