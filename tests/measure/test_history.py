from dataclasses import replace

import pytest
from measure.counts import calibration

from reflectlab import drift
from reflectlab.measure.history import entry, read, record


def test_a_history_is_appended_to_and_read_back(tmp_path):
    path = tmp_path / "history.jsonl"
    first = record(path, calibration(8, 10, 1, 10), date="2031-01-31",
                   critic="v1")
    second = record(path, calibration(9, 10, 1, 10))
    assert read(path) == [first, second]
    assert (first.date, first.critic) == ("2031-01-31", "v1")
    assert first.catch == [8, 10] and len(first.caught) == 8
    assert second.date > "2020"
    assert len(path.read_text().splitlines()) == 2


def test_a_line_that_is_no_entry_is_named(tmp_path):
    path = tmp_path / "history.jsonl"
    record(path, calibration(8, 10, 1, 10))
    for line in ("torn {", '{"date": "2031-01-31"}', "[1]"):
        path.write_text(path.read_text().split("\n")[0] + "\n" + line)
        with pytest.raises(ValueError, match="line 2: not an entry"):
            read(path)


def test_on_one_suite_the_flips_decide():
    before = calibration(20, 30, 2, 30)
    worse = drift(before, calibration(14, 30, 2, 30))
    assert worse.same_suite and worse.drifted
    assert worse.lost == [f"d{i}" for i in range(14, 20)]
    assert worse.gained == [] and round(worse.p_catch, 3) == 0.031
    assert not drift(before, calibration(15, 30, 2, 30)).drifted
    noisy = drift(before, calibration(20, 30, 8, 30))
    assert noisy.drifted and noisy.p_catch == 1.0
    assert "no longer caught: d14, d15" in str(worse)
    assert "false alarm +0.20" in str(noisy)


def test_no_change_is_no_drift():
    same = drift(calibration(20, 30, 2, 30), calibration(20, 30, 2, 30))
    assert not same.drifted and same.same_critic
    assert str(same) == "catch +0.00  false alarm +0.00  no drift shown"


def test_on_another_suite_the_intervals_decide():
    before = calibration(20, 30, 2, 30)
    other = drift(before, calibration(20, 31, 2, 31))
    assert not other.same_suite and not other.drifted
    assert (other.p_catch, other.gained, other.lost) == (1.0, [], [])
    assert "the suite changed" in str(other)
    assert drift(before, calibration(5, 31, 2, 31)).drifted


def test_another_critic_is_said_so():
    before = entry(calibration(20, 30, 2, 30))
    after = replace(before, critic_digest="other")
    assert "the critic changed" in str(drift(before, after))


def test_a_calibration_without_clean_drafts_has_no_drift():
    with pytest.raises(ValueError, match="defective and clean"):
        drift(calibration(3, 9, 0, 0), calibration(3, 9, 0, 0))
