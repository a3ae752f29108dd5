"""Figures: a finding as title, every plotted number below, alt text."""

import re
import struct
import sys
import textwrap

import pytest

from reflectlab import Rate
from reflectlab.course import figures, figures_measure
from reflectlab.measure.calibration import Calibration, Judgement
from reflectlab.measure.controls import Control
from reflectlab.measure.expected import expected_delta
from reflectlab.measure.history import Entry
from reflectlab.measure.planted import Planted
from reflectlab.measure.simulated import load_published


def calibration(caught, defective, alarms, clean):
    """A calibration with these counts."""
    marks = ([("object", True)] * caught
             + [("accept", True)] * (defective - caught)
             + [("object", False)] * alarms
             + [("accept", False)] * (clean - alarms))
    suite = [Planted(f"d{i}", "task", "Do it.", "A draft.", bad, {})
             for i, (_, bad) in enumerate(marks)]
    return Calibration(suite, [Judgement(f"d{i}", 0, said)
                               for i, (said, _) in enumerate(marks)])


def entry(date, catch, alarm):
    return Entry(date, "mine", "digest", date, catch, alarm, [], [])


CURVE = [(6, Rate.of(10, 40), Rate.of(1, 40)),
         (7, Rate.of(30, 40), Rate.of(6, 40)),
         (8, Rate.of(38, 40), Rate.of(30, 40))]
CONTROLS = [Control("single pass", Rate.of(14, 20), 20),
            Control("best of n (3)", Rate.of(19, 20), 30),
            Control("loop", Rate.of(16, 20), 55)]
# The figure, its finding, and numbers that must stand below it.
CASES = {
    "wasted": (lambda: figures.wasted_calls([100, 200, 300, 400], [2, 3]),
               "2 of 4 calls changed nothing, and they sent 70% of the "
               "characters", ["100, 200, 300, 400", "calls 2, 3"]),
    "cost": (lambda: figures.cost_curves(
        [1, 2, 4], {"v1": [1000, 3000, 10500], "memory": [900, 1800, 3600]}),
             "From 2 to 4 rounds the cost grows by a factor of: v1 3.5, "
             "memory 2.0",
             ["2: v1 3,000, memory 1,800", "4: v1 10,500, memory 3,600"]),
    "accuracy": (lambda: figures.accuracy_by_round(
        load_published("self_correction")),
        "After two rounds of self-correction none of 10 results is better "
        "than the first answer",
        ["GPT-3.5 CommonSenseQA: 75.8, 38.1, 41.8",
         "GPT-4 GSM8K: 95.5, 91.5, 89.0"]),
    "flips": (lambda: figures.flips(load_published("flips")),
              "5 of 5 broke more right answers than they mended wrong ones",
              ["GPT-4 GSM8K: right to wrong 8.0, wrong to right 1.5"]),
    "calibrations": (lambda: figures_measure.calibrations(
        {"mine": calibration(32, 40, 4, 40),
         "lax": calibration(8, 40, 2, 40)}),
        "mine: catch minus false alarm is 0.70 [0.50, 0.81]; both dummies "
        "have 0",
        ["mine: catch 0.80 [0.65, 0.90] (32/40), false alarm 0.10",
         "lax: catch 0.20"]),
    "thresholds": (lambda: figures_measure.thresholds(CURVE),
                   "Catch and false alarm rise together; they are furthest "
                   "apart at threshold 7", ["8: catch 0.95", "(30/40)"]),
    "break-even": (lambda: figures_measure.break_even_line(.6, .2, .5, .3),
                   "This loop pays above a defect rate of 16.7 %",
                   ["0: net gain -6.0", "100: net gain +30.0"]),
    "nothing": (lambda: figures_measure.break_even_line(0, 0, .5, .3),
                "This loop changes nothing", ["20: net gain +0.0"]),
    "spend": (lambda: figures_measure.spend(CONTROLS),
              "best of n (3) ends right in 19 of 20 cases, the loop in 16 "
              "of 20", ["loop: 0.80", "55 calls", "30 calls"]),
    "drift": (lambda: figures_measure.drift_lines([
        entry("2026-01-05", [36, 40], [3, 40]),
        entry("2026-02-05", [20, 40], [3, 40])]),
        "Catch changed by -0.40, false alarm by +0.00: drifted",
        ["2026-01-05: catch 0.90", "(20/40)"]),
    "survivors": (lambda: figures_measure.survivors(
        {"no strip": 0, "hours only": 6, "no error": 2}),
        "1 of 3 mutants pass every check",
        ["no strip: survives", "hours only: 6"]),
    "growth": (lambda: figures.prime_growth(
        {"trial": {100: 1000, 400: 8000}, "sieve": {100: 500, 400: 2100}}),
        "For 4 times the numbers: trial about 8 times the work, sieve about "
        "4 times the work", ["trial, factor from 100 to 400: 8"]),
}


@pytest.mark.parametrize("name", CASES)
def test_title_numbers_and_alternative_text(name):
    make, title, numbers = CASES[name]
    figure = make()
    assert figure.title == title
    for text in numbers:
        assert text in figure.numbers
    assert title in figure.alt
    assert re.match(r"(Bar|Line|Scatter) chart\. ", figure.alt)
    assert re.search(r"Across: .+\. Up: .+\. The numbers", figure.alt)
    assert repr(figure) == f"{title}\n{figure.numbers}"


def test_a_picture_is_the_same_twice():
    assert CASES["cost"][0]().png == CASES["cost"][0]().png


def test_in_a_notebook_the_picture_has_alt_and_the_numbers_follow(
        capsys, monkeypatch):
    from IPython import display

    shown = []
    monkeypatch.setattr(display, "display",
                        lambda *args, **more: shown.append((args, more)))
    figure = CASES["wasted"][0]()
    figure._ipython_display_()
    ((data,), more), = shown
    assert set(data) == {"image/png", "text/plain"} and more["raw"]
    assert data["text/plain"] == figure.alt
    assert more["metadata"]["image/png"]["alt"] == figure.alt
    assert data["image/png"].startswith("iVBORw0KGgo")
    assert capsys.readouterr().out == repr(figure) + "\n"


def test_a_picture_is_sharp_and_not_a_poster():
    width, height = struct.unpack(">II", CASES["flips"][0]().png[16:24])
    assert 1000 <= width <= 1200 and 400 <= height <= 900


def test_the_break_even_numbers_are_expected_deltas():
    figure = figures_measure.break_even_line(.7, .3, .4, .2)
    for line in figure.numbers.split("\n"):
        rate, net = re.fullmatch(r"(\d+): net gain (\S+)", line).groups()
        want = expected_delta(int(rate) / 100, .7, .3, .4, .2).delta
        assert float(net) == pytest.approx(100 * want, abs=0.05)


def test_an_improvement_would_be_counted():
    rows = load_published("self_correction")
    rows[0] = rows[0] | {"round_2": rows[0]["standard"] + 1}
    figure = figures.accuracy_by_round(rows)
    assert "1 of 10 results is better" in figure.title


def two_lines(n):
    for _ in range(n):
        textwrap.dedent("x")     # its own lines don't count


def test_lines_are_counted_in_the_function_alone():
    counts = figures.lines_executed(two_lines, [1, 10])
    assert counts[10] - counts[1] == 9 * 2


def test_counting_leaves_no_trace_behind():
    def broken(n):
        raise ValueError(n)

    before = sys.gettrace()
    with pytest.raises(ValueError):
        figures.lines_executed(broken, [1])
    assert sys.gettrace() is before
