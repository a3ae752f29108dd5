"""Several verifiers as one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .verdict import Verdict


def all_of(*verifiers: Callable[[str], Verdict]) -> Callable[[str], Verdict]:
    """A verifier that passes what every one of ``verifiers`` passes.

    The cheapest goes first and the first that doesn't pass has the word;
    a pass without signal is none.
    A verifier says what it costs with an attribute ``cost`` (0 counts text,
    1 runs code once, 2 runs it many times); without one it counts as 1.

    Raises:
        ValueError: without any verifier, which would pass everything.
    """
    if not verifiers:
        raise ValueError("all_of() needs at least one verifier")
    ordered = sorted(verifiers, key=lambda v: getattr(v, "cost", 1))

    def verify(draft: str) -> Verdict:
        checks, seconds, reports = 0, 0.0, []
        for verifier in ordered:
            verdict = verifier(draft)
            checks += verdict.checks
            seconds += verdict.seconds
            reports.append(verdict.report)
            if not (verdict.ok and verdict.signal):
                return replace(verdict, ok=False, checks=checks,
                               seconds=seconds)
        return replace(verdict, report="\n".join(reports), checks=checks,
                       seconds=seconds)

    verify.cost = max(getattr(v, "cost", 1) for v in ordered)
    return verify
