"""``python -m reflectlab doctor``: what works on this machine."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
import tempfile
from pathlib import Path

from ..verifiers.sandbox import tiers


def doctor() -> int:
    """Print what was tried here and how it came out, with each fix.

    Returns:
        0 when the course can run, else 1.
    """
    rows = [*_python(), *_packages(), _kernel(), _writing(), *_isolation()]
    width = max(len(name) for name, *_ in rows)
    for name, ok, found, fix in rows:
        print(f"{'ok  ' if ok else 'FAIL'} {name:{width}}  {found}")
        if not ok:
            print(f"     {'':{width}}  fix: {fix}")
    failed = sum(not ok for _, ok, _, _ in rows)
    print(f"{failed} of {len(rows)} failed" if failed else
          f"all {len(rows)} are fine")
    return 1 if failed else 0


def _python():
    version = platform.python_version()
    yield ("Python", sys.version_info >= (3, 11), f"{version} on "
           f"{platform.system()} {platform.machine()}",
           "install Python 3.11 or newer and set the course up with it")


def _packages():
    """Every declared requirement, as installed."""
    from packaging.requirements import Requirement
    try:
        declared = importlib.metadata.requires("reflectlab") or []
    except importlib.metadata.PackageNotFoundError:
        yield ("reflectlab", False, "not installed", "pip install -e .")
        return
    for text in declared:
        requirement = Requirement(text)
        if requirement.marker and not requirement.marker.evaluate():
            continue
        name = requirement.name
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            version = ""
        fits = bool(version) and requirement.specifier.contains(
            version, prereleases=True)
        yield (name, fits, version or "not installed",
               f"pip install '{name}{requirement.specifier}'")


def _kernel():
    """The notebooks' kernel must be the Python that has the packages."""
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
    fix = "python -m ipykernel install --sys-prefix --name python3"
    try:
        command = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except NoSuchKernel:
        return "kernel", False, "there is no kernel python3", fix
    # A bare name is replaced by the Python that runs Jupyter.
    same = os.sep not in command or Path(command).parent == Path(
        sys.executable).parent
    found = "this Python" if same else f"another Python: {command}"
    return "kernel python3", same, found, fix


def _writing():
    folder = Path.cwd()
    try:
        with tempfile.TemporaryFile(dir=folder):
            return "write access", True, str(folder), ""
    except OSError as exc:
        return ("write access", False, f"{folder}: {exc.strerror}",
                "start the course in a folder of your own")


def _isolation():
    """Each tier as measured here; the course needs one that works."""
    for tier in tiers.TIERS:
        reached, problem = tiers.probe(tier)
        found = ", ".join(p for p in tiers.PROBES if p in reached)
        found = found or "nothing of " + ", ".join(tiers.PROBES)
        yield (f"isolation {tier}", True, f"not here: {problem}" if problem
               else f"works; a draft reaches {found}", "")
    chosen, refusal = tiers.choose()
    yield ("isolation in use", chosen is not None, chosen or refusal,
           f"unset {tiers.VARIABLE}, or set it to a tier that works")
