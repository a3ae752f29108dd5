"""What `import reflectlab` costs: python benchmarks/imports.py

Processor time of fresh interpreters, taken in turns, so that a busy machine
slows all of them alike. The bar: under 60 ms beyond the interpreter.
"""

import os
import subprocess
import sys
from statistics import median

TURNS = 25
CODE = {
    "python": "pass",
    "reflectlab": "import reflectlab",
    "the agent": "from reflectlab import ReflectionAgent, run_tests",
    "all names": "import reflectlab as r\nfor n in r.__all__: getattr(r, n)",
    "jsonschema": "import jsonschema",
}


def cpu(code):
    """Milliseconds of processor time of one interpreter."""
    child = subprocess.Popen([sys.executable, "-c", code])
    _, _, used = os.wait4(child.pid, 0)
    child.returncode = 0
    return 1000 * (used.ru_utime + used.ru_stime)


def main():
    found = {name: [] for name in CODE}
    for turn in range(TURNS + 1):
        for name, code in CODE.items():
            spent = cpu(code)
            if turn:                    # the first one reads the disk
                found[name].append(spent)
    base = median(found["python"])
    for name, spent in found.items():
        middle = median(spent)
        print(f"{name:11} {middle:7.1f} ms  {middle / base:5.2f} x python  "
              f"{middle - base:+7.1f} ms")
    beyond = median(found["reflectlab"]) - base
    print(f"{'kept  ' if beyond < 60 else 'MISSED'} import reflectlab: "
          f"{beyond:.1f} ms beyond the interpreter, bar 60")


if __name__ == "__main__":
    main()
