"""Trial division and the sieve are told apart by measuring."""

import json

import pytest

from reflectlab.paths import data_path
from reflectlab.verifiers.growth import growth_verifier, slope

SYSTEM = json.loads(data_path("systems", "primes.json").read_text())
TRIAL, SIEVE, ODD_SIEVE = ["\n".join(draft) for draft in SYSTEM["writer"]]
verify = growth_verifier()


@pytest.mark.parametrize("draft", [SIEVE, ODD_SIEVE])
def test_the_sieves_pass(draft):
    verdict = verify(draft)
    assert verdict.ok and verdict.signal, verdict


def test_trial_division_fails_with_its_exponent():
    verdict = verify(TRIAL)
    assert verdict.status == "failed" and verdict.signal
    assert verdict.report == ("GROWTH: find_primes(n) takes about n^1.8 "
                              "steps; at most n^1.2 is wanted")


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(12))
def test_on_every_run(turn):
    assert [verify(draft).ok for draft in (TRIAL, SIEVE)] == [False, True]


def test_work_hidden_in_c_gives_no_signal():
    hidden = growth_verifier("f", sizes=(20_000, 40_000, 80_000))
    verdict = hidden("def f(n):\n    return sum(range(n))")
    assert not verdict.ok and not verdict.signal
    assert "hides its work" in verdict.report


@pytest.mark.parametrize("draft, status", [
    ("def other(n): pass", "failed"), ("def find_primes(n): 1 / 0", "failed"),
    ("def find_primes(n", "syntax_error"),
    ("import os\nos._exit(0)", "died")])
def test_what_cannot_run_fails(draft, status):
    assert verify(draft).status == status


def test_an_endless_draft_ends():
    verdict = growth_verifier(timeout=1.0)("def find_primes(n):\n while 1: 1")
    assert verdict.status == "timeout"


def test_slope_of_a_power_law():
    assert slope([(n, 3 * n ** 1.5) for n in (1, 10, 100)]) == (
        pytest.approx(1.5))
