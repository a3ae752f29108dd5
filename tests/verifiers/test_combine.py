"""all_of: cheapest first, the first failure has the word."""

import pytest

from reflectlab.verifiers.combine import all_of
from reflectlab.verifiers.verdict import Verdict


def verifier(name, ok, cost=None, asked=None):
    def verify(draft):
        if asked is not None:
            asked.append(name)
        return Verdict(ok, f"{name} says {draft}", status=name, checks=2,
                       seconds=0.5)
    if cost is not None:
        verify.cost = cost
    return verify


def test_all_pass():
    verdict = all_of(verifier("a", True), verifier("b", True))("x")
    assert verdict.ok and verdict.report == "a says x\nb says x"
    assert (verdict.checks, verdict.seconds) == (4, 1.0)


def test_cheapest_first_and_the_first_failure_ends_it():
    asked = []
    both = all_of(verifier("slow", True, 2, asked),
                  verifier("plain", False, None, asked),
                  verifier("free", True, 0, asked))
    verdict = both("x")
    assert asked == ["free", "plain"]
    assert (verdict.ok, verdict.status) == (False, "plain")
    assert verdict.report == "plain says x" and both.cost == 2


def test_a_pass_without_signal_is_none():
    asked = []

    def unchecked(draft):
        return Verdict(True, "nothing ran", status="no_checks")

    unchecked.cost = 0
    verdict = all_of(unchecked, verifier("b", True, 1, asked))("x")
    assert not verdict.ok and not verdict.signal and asked == []
    assert verdict.report == "nothing ran"


def test_nothing_to_combine_would_pass_everything():
    with pytest.raises(ValueError, match="at least one"):
        all_of()
