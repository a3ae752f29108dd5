"""A gate for any test suite: is this critic shown to be good enough?"""

from __future__ import annotations

import math

from .calibration import Calibration
from .stats import Z95, Rate


def assert_calibrated(calibration: Calibration, *,
                      min_catch: float | None = None,
                      max_false_alarm: float | None = None,
                      max_no_verdict: float | None = None) -> None:
    """Fail unless the numbers *show* that a critic is good enough.

    The interval's worse end is judged, not the rate: 8 of 10 is no evidence
    for a catch rate of 0.8.

    Args:
        calibration: what was measured.
        min_catch, max_false_alarm, max_no_verdict: the bounds; one or more.

    Raises:
        AssertionError: what falls short, and how many more drafts would
            settle it.
        ValueError: no bound is given.
    """
    bounds = [("catch", calibration.catch, min_catch),
              ("false alarm", calibration.false_alarm, max_false_alarm),
              ("no verdict", calibration.no_verdict, max_no_verdict)]
    if all(bound is None for _, _, bound in bounds):
        raise ValueError("give a bound: min_catch, max_false_alarm or "
                         "max_no_verdict")
    faults = []
    if calibration.interrupted:
        faults.append("the calibration was interrupted")
    for name, rate, bound in bounds:
        at_least = name == "catch"
        if bound is None or _reached(rate.low if at_least else rate.high,
                                     bound, at_least):
            continue
        wanted = (f"low end must be at least {bound:g}" if at_least
                  else f"high end must be at most {bound:g}")
        more = more_drafts(rate, bound, at_least, calibration.independent)
        if more is not None:
            remedy = f"{more} more such drafts at this rate would settle it"
        elif rate.value == bound:
            remedy = ("no number of drafts shows a rate to be exactly that: "
                      "leave it some room")
        else:
            remedy = "the rate itself falls short, so more drafts won't help"
        faults.append(f"{name} {rate}: the {wanted}; {remedy}")
    if faults:
        raise AssertionError("not calibrated: " + ". ".join(faults))


def more_drafts(rate: Rate, bound: float, at_least: bool,
                independent: float = 1.0) -> int | None:
    """How many more drafts would bring the interval's end to a bound.

    Wilson's interval ends at b where n (p - b)^2 = z^2 b (1 - b): solved
    for n, at the rate p seen.

    Args:
        rate: what was seen.
        bound: where the low end (``at_least``) or the high end must be.
        at_least: which of the two.
        independent: share of the rate's n that are drafts, not repeated
            judgements of one.

    Returns:
        The number, or None when the rate itself is at the bound or on the
        wrong side.
    """
    p = rate.value
    if p is None or p == bound or not _reached(p, bound, at_least):
        return None
    n = Z95 ** 2 * bound * (1 - bound) / (p - bound) ** 2
    return max(1, math.ceil(n) - round(rate.n * independent))


def _reached(value: float, bound: float, at_least: bool) -> bool:
    return value >= bound if at_least else value <= bound
