from dataclasses import replace

import pytest
from measure.counts import calibration

from reflectlab import Calibration, assert_calibrated, wilson
from reflectlab.measure.gate import more_drafts
from reflectlab.measure.stats import Rate


def test_the_bound_is_judged_not_the_point():
    c = calibration(80, 100, 5, 100)
    assert_calibrated(c, min_catch=0.71, max_false_alarm=0.12)
    with pytest.raises(AssertionError) as caught:
        assert_calibrated(c, min_catch=0.78, max_false_alarm=0.12)
    assert "catch 0.80 [0.71, 0.87] (80/100)" in str(caught.value)
    assert "low end must be at least 0.78" in str(caught.value)
    assert "false alarm" not in str(caught.value)


def test_every_bound_that_is_missed_is_named():
    with pytest.raises(AssertionError) as caught:
        assert_calibrated(calibration(5, 10, 5, 10, silent=3), min_catch=0.9,
                          max_false_alarm=0.1, max_no_verdict=0.05)
    for name in ("catch", "false alarm", "no verdict"):
        assert name in str(caught.value)
    assert "the rate itself falls short, so more drafts won't help" in str(
        caught.value)


@pytest.mark.parametrize("k, n, bound, at_least", [
    (8, 10, 0.7, True), (19, 20, 0.9, True), (1, 20, 0.2, False),
    (0, 3, 0.1, False), (50, 100, 0.49, True)])
def test_so_many_more_drafts_settle_it_and_one_less_does_not(
        k, n, bound, at_least):
    more = more_drafts(Rate.of(k, n), bound, at_least)
    assert more > 0

    def settled(m):
        low, high = wilson(k / n * m, m)
        return low >= bound if at_least else high <= bound
    assert settled(n + more) and not settled(n + more - 1)


def test_the_number_stands_in_the_message():
    more = more_drafts(Rate.of(8, 10), 0.7, True)
    with pytest.raises(AssertionError,
                       match=f"{more} more such drafts at this rate"):
        assert_calibrated(calibration(8, 10, 0, 10), min_catch=0.7)


def test_no_number_of_drafts_lifts_a_rate_that_is_too_low():
    assert more_drafts(Rate.of(7, 10), 0.7, True) is None
    assert more_drafts(Rate.of(3, 10), 0.2, False) is None
    assert more_drafts(Rate.of(0, 0), 0.2, True) is None


def test_drafts_are_counted_not_repeated_judgements():
    """Ten trials of ten drafts want as many more as one trial does."""
    assert more_drafts(Rate.of(80, 100, 0.1), 0.7, True, 0.1
                       ) == more_drafts(Rate.of(8, 10), 0.7, True)
    c = calibration(10, 10, 0, 10)
    c = Calibration(c.suite, [replace(j, trial=t) for j in c.judgements
                              for t in range(10)])
    with pytest.raises(AssertionError, match="25 more such drafts"):
        assert_calibrated(c, min_catch=0.9)


def test_a_bound_that_no_number_of_drafts_shows():
    for c, bounds in ((calibration(10, 10, 0, 10), {"min_catch": 1.0}),
                      (calibration(8, 10, 0, 10), {"min_catch": 0.8}),
                      (calibration(9, 10, 0, 10), {"max_false_alarm": 0.0})):
        with pytest.raises(AssertionError, match="leave it some room"):
            assert_calibrated(c, **bounds)


def test_an_interrupted_calibration_passes_no_gate():
    c = calibration(100, 100, 0, 100, interrupted=True)
    with pytest.raises(AssertionError, match="interrupted"):
        assert_calibrated(c, min_catch=0.1)


def test_a_gate_needs_a_bound():
    with pytest.raises(ValueError, match="give a bound"):
        assert_calibrated(calibration(1, 1, 0, 1))
