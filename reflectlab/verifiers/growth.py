"""Measure how the work of a function grows, instead of asking for a view."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from .tests import run_tests
from .verdict import Verdict

SIZES = (500, 1000, 2000, 4000)

# Appended to the draft, so that it runs in the sealed process. Lines are
# counted in a traced run; time is the mean of many runs without trace.
_METER = '''

def _growth_meter(function, sizes):
    import sys
    from time import process_time
    count = 0

    def in_draft(frame, event, arg):
        nonlocal count
        count += event == "line"
        return in_draft

    def trace(frame, event, arg):
        if frame.f_code.co_filename == "<draft>":
            return in_draft

    rows = []
    for n in sizes:
        count = 0
        sys.settrace(trace)
        try:
            globals()[function](n)
        finally:
            sys.settrace(None)
        runs, start, spent = 0, process_time(), 0.0
        while spent < 0.1:  # far above the tick of a coarse clock
            globals()[function](n)
            runs, spent = runs + 1, process_time() - start
        rows.append((n, count, spent / runs))
    return rows
'''


def growth_verifier(function: str = "find_primes", *,
                    sizes: Sequence[int] = SIZES, max_exponent: float = 1.2,
                    band: float = 0.3, timeout: float = 20.0
                    ) -> Callable[[str], Verdict]:
    """A verifier that passes ``function(n)`` when its work is about n**k,
    k at most ``max_exponent``.

    Two measures must agree on k: lines executed, which is the same on every
    run, and CPU time. Where they don't, as when the work hides in one call
    to C code (a slice assignment, ``sum``), there is no signal. The draft's
    process measures itself, so this is for honest drafts; and it says
    nothing on whether the values are right: combine it with tests.

    Args:
        function: a name in the draft; takes one int.
        sizes: growing values of n.
        max_exponent: the limit for k.
        band: how far the two exponents may differ.
        timeout: seconds for all runs together.
    """
    tests = (f"for row in _growth_meter({function!r}, {list(sizes)!r}):\n"
             "    print(*row)\n")

    def verify(draft: str) -> Verdict:
        verdict = run_tests(draft + _METER, tests, timeout)
        if not verdict.ok:
            return verdict
        rows = [[float(x) for x in line.split()]
                for line in verdict.report.splitlines()]
        lines = slope([(n, count) for n, count, _ in rows])
        seconds = slope([(n, time) for n, _, time in rows])
        if abs(lines - seconds) > band:
            return replace(
                verdict, ok=False, status="no_checks",
                fingerprint="no_checks", report=f"NO SIGNAL: {function}(n) "
                "hides its work from the line count, or the machine is too "
                "busy to time it")
        said = f"{function}(n) takes about n^{lines:.1f} steps"
        if lines > max_exponent:
            return replace(
                verdict, ok=False, status="failed", fingerprint="failed: "
                f"growth {lines:.1f}", report=f"GROWTH: {said}; at most "
                f"n^{max_exponent} is wanted")
        return replace(verdict, report=said)

    verify.cost = 2
    return verify


def slope(points):
    """The exponent k of the power law through (n, work) points."""
    xs = [math.log(n) for n, _ in points]
    ys = [math.log(max(work, 1e-9)) for _, work in points]
    x0, y0 = sum(xs) / len(xs), sum(ys) / len(ys)
    return (sum((x - x0) * (y - y0) for x, y in zip(xs, ys, strict=True))
            / sum((x - x0) ** 2 for x in xs))
