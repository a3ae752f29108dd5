"""Write the exact version of everything the project needs, in two places.

    make pins

constraints.txt is for pip and the Makefile; the same list stands in
pyproject.toml for those who call uv themselves. Only names and versions are
stored: a lock file would store where they were downloaded from. Versions
already in constraints.txt are kept while they fit pyproject.toml.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^constraint-dependencies = \[\n.*?^\]\n", re.M | re.S)


def one_pin_each(compiled):
    """Map each name to one version out of `uv pip compile`'s lines.

    Where a package needs different versions for different Pythons, the
    oldest is taken: all of them can install it.
    """
    pins = {}
    for line in compiled.splitlines():
        name, version = line.partition(";")[0].strip().split("==")
        pins[name] = min(version, pins.get(name, version), key=_numbers)
    return pins


def _numbers(version):
    return [int(part) for part in re.findall(r"\d+", version)]


def main(uv):
    constraints = ROOT / "constraints.txt"
    subprocess.run(
        [uv, "pip", "compile", "--quiet", "--universal", "--all-extras"]
        + ["--no-header", "--no-annotate", "--no-emit-index-url"]
        + ["--no-emit-find-links", "--python-version=3.11"]
        + [f"--output-file={constraints}", "pyproject.toml", "-"],
        cwd=ROOT,
        input="uv",  # the Makefile installs it where there is none
        text=True,
        check=True,
    )
    pins = one_pin_each(constraints.read_text())
    lines = [f"{name}=={pins[name]}" for name in sorted(pins)]
    constraints.write_text("\n".join(lines) + "\n", newline="\n")
    block = "".join(f'    "{line}",\n' for line in lines)
    pyproject = ROOT / "pyproject.toml"
    text, found = BLOCK.subn(
        f"constraint-dependencies = [\n{block}]\n", pyproject.read_text()
    )
    if found != 1:
        sys.exit("pyproject.toml: no `constraint-dependencies` to replace")
    pyproject.write_text(text, newline="\n")


if __name__ == "__main__":
    main(sys.argv[1])
