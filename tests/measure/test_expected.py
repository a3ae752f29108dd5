import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from measure.counts import calibration

from reflectlab import (
    Population,
    Rate,
    break_even,
    claim,
    corrected_rate,
    expected_delta,
    measure_delta,
)

shares = st.floats(0, 1)


@given(shares, shares, shares, shares, shares)
def test_breaking_mirrors_fixing(base, catch, alarm, fix, break_):
    e = expected_delta(base, catch, alarm, fix, break_)
    swapped = expected_delta(1 - base, alarm, catch, break_, fix)
    assert e.fixed <= min(base, catch, fix)
    assert (swapped.fixed, swapped.broken) == pytest.approx(
        (e.broken, e.fixed))
    assert e.delta == e.fixed - e.broken


def test_the_closed_form_agrees_with_the_real_loop():
    rates = (0.4, 0.7, 0.3, 0.5, 0.2)
    e = expected_delta(*rates)
    p = Population(*rates, seed=4)
    r = measure_delta(p.make_agent, p.cases(800))
    for seen, expected in ((r.rate("fixed"), e.fixed),
                           (r.rate("broken"), e.broken)):
        assert seen.low <= expected <= seen.high
    assert r.interval[0] <= e.delta <= r.interval[1]


@given(*[st.floats(0.05, 1)] * 4)
@settings(max_examples=50)
def test_at_break_even_nothing_is_gained(catch, alarm, fix, break_):
    even = break_even(catch, alarm, fix, break_)
    assert expected_delta(even, catch, alarm, fix, break_
                          ).delta == pytest.approx(0, abs=1e-12)
    assert break_even(0, 0, fix, break_) is None


def test_five_times_as_many_is_not_five_times_as_likely():
    """GPT-4 on GSM8K: 8.0 broken and 1.5 fixed of 100 answers."""
    e = expected_delta(0.045, 1, 1, 1.5 / 4.5, 8.0 / 95.5)
    assert (e.fixed, e.broken) == (pytest.approx(0.015), pytest.approx(0.08))
    assert 1.5 / 4.5 > 3.9 * (8.0 / 95.5)


@pytest.mark.parametrize("rates", [(1.1, 0, 0, 0, 0), (0, -0.1, 0, 0, 0)])
def test_a_share_lies_between_0_and_1(rates):
    with pytest.raises(ValueError, match="share from 0 to 1"):
        expected_delta(*rates)


def test_the_claim_in_a_sentence():
    c = calibration(80, 100, 20, 100)
    assert claim(c, 0.3, 0.5, 0.2) == (
        "At your defect rate of 30 % this critic breaks 2.8 and fixes 12.0 "
        "per 100 drafts, net +9.2 [+6.6, +11.1]; it pays above a defect rate "
        "of 9.1 %.")
    assert "never changes a draft" in claim(calibration(0, 9, 0, 9), .3, 1, 1)
    with pytest.raises(ValueError, match="needs defective and clean"):
        claim(calibration(3, 9, 0, 0), 0.3, 1, 1)


def test_judgy_corrects_to_the_same_rate():
    import judgy
    c = calibration(85, 100, 10, 120)
    ours = corrected_rate(Rate.of(240, 800), c)
    # judgy counts passes, we count defects.
    labels = [0] * 100 + [1] * 120
    passes = [0] * 85 + [1] * 15 + [0] * 10 + [1] * 110
    theirs, low, high = judgy.estimate_success_rate(
        labels, passes, [0] * 240 + [1] * 560, bootstrap_iterations=2000)
    assert ours.value == pytest.approx(1 - theirs)
    # Ours also counts the chance in the 800, so it is the wider one.
    assert ours.low < 1 - high + 0.02 and ours.high > 1 - low - 0.02
    assert ours.high - ours.low > 0.9 * (high - low)


def test_the_corrected_interval_covers_the_true_rate():
    rng = random.Random(5)

    def draws(n, p):
        return sum(rng.random() < p for _ in range(n))
    true, catch, alarm, covered = 0.25, 0.8, 0.15, 0
    for _ in range(200):
        c = calibration(draws(60, catch), 60, draws(60, alarm), 60)
        flagged = draws(150, true * catch + (1 - true) * alarm)
        r = corrected_rate(Rate.of(flagged, 150), c)
        covered += r.low <= true <= r.high
    assert 180 <= covered <= 199


def test_without_skill_nothing_is_corrected():
    for c in (calibration(50, 100, 50, 100), calibration(0, 9, 0, 9),
              calibration(6, 10, 4, 10)):     # above zero, but not shown
        with pytest.raises(ValueError, match="not shown to be above zero"):
            corrected_rate(Rate.of(10, 100), c)
    with pytest.raises(ValueError, match="counts nothing"):
        corrected_rate(Rate.of(0, 0), calibration(90, 100, 5, 100))


@given(st.integers(1, 60), st.integers(1, 60), st.integers(0, 2),
       st.integers(0, 60))
@settings(max_examples=50)
def test_a_corrected_rate_lies_in_its_own_interval(bad, clean, alarms, seen):
    c = calibration(bad, bad, min(alarms, clean), clean)
    assume(c.skill.low > 0)
    r = corrected_rate(Rate.of(seen, 60), c)
    assert 0 <= r.low <= r.value <= r.high <= 1


def test_an_interval_from_one_defective_draft_holds_its_rate():
    r = corrected_rate(Rate.of(44, 83), calibration(1, 1, 1, 52))
    assert r.low <= r.value < 0.53 < r.high


def test_a_corrected_rate_stays_within_0_and_1():
    c = calibration(90, 100, 20, 100)
    for k in (0, 100):
        r = corrected_rate(Rate.of(k, 100), c)
        assert r.value in (0.0, 1.0) and 0 <= r.low <= r.high <= 1
