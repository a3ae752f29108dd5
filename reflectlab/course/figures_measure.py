"""Figures of what was measured: critics, deltas, drift, mutants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..measure.expected import break_even, expected_delta
from ..measure.history import drift
from ..measure.stats import Rate
from .figures import MARKERS, Figure, draw, line_chart
from .style import GREY, INK, SERIES


def calibrations(measured: Mapping) -> Figure:
    """Critics by catch and false alarm, beside the two dummies.

    Args:
        measured: a ``Calibration`` for each critic's name.
    """
    best = max(measured, key=lambda name: measured[name].skill.value)

    def paint(axes):
        axes.plot([0, 1], [0, 1], ":", color=GREY)
        axes.annotate("no skill", (0.5, 0.44), color=GREY)
        for text, at, side in (("  always approves", 0, "left"),
                               ("always objects  ", 1, "right")):
            axes.plot(at, at, "X", color=INK, markersize=9, clip_on=False)
            axes.annotate(text, (at, at), ha=side, va="center")
        for i, (name, c) in enumerate(measured.items()):
            _point(axes, c.false_alarm, c.catch, i, name)
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.04, 1.04))
        axes.legend(loc="center right")

    return draw(
        paint, "Scatter chart",
        f"{best}: catch minus false alarm is "
        f"{str(measured[best].skill)}; both dummies have 0",
        [f"{name}: catch {c.catch}, false alarm {c.false_alarm}"
         for name, c in measured.items()],
        "false alarm rate, 95 % interval", "catch rate, 95 % interval",
        height=4.2)


def thresholds(curve: Sequence[tuple[float, Rate, Rate]]) -> Figure:
    """Catch and false alarm of a scored critic at each threshold.

    Args:
        curve: from ``Calibration.threshold_curve()``.
    """
    best = max(curve, key=lambda row: row[1].value - row[2].value)[0]
    at, catch, alarm = zip(*curve, strict=True)
    return line_chart(
        "Catch and false alarm rise together; they are furthest apart at "
        f"threshold {best:g}", at, {"catch": catch, "false alarm": alarm},
        "score that a draft needs to pass", "share of drafts, 95 % interval",
        finish=lambda axes: axes.axvline(best, color=INK, linestyle=":"))


def break_even_line(catch: float, false_alarm: float, fix: float,
                    break_: float) -> Figure:
    """Net gain of a loop against the defect rate of its first drafts.

    Args:
        catch, false_alarm, fix, break_: see ``expected_delta``.
    """
    even = break_even(catch, false_alarm, fix, break_)
    rates = range(0, 101, 20)
    net = [100 * expected_delta(r / 100, catch, false_alarm, fix, break_).delta
           for r in rates]

    def finish(axes):
        axes.axhline(0, color=INK, linewidth=1)
        if even is not None:
            axes.plot(100 * even, 0, MARKERS[1], color=SERIES[1], zorder=3)
            axes.annotate("  break-even", (100 * even, 0), va="top",
                          color=SERIES[1])

    return line_chart(
        "This loop changes nothing" if even is None else
        f"This loop pays above a defect rate of {100 * even:.1f} %",
        rates, {"net gain": net}, "first drafts that are defective, %",
        "fixed minus broken, of 100 drafts", form="+.1f", finish=finish)


def spend(controls: Sequence) -> Figure:
    """What the loop gains beside other ways to spend the calls.

    Args:
        controls: from ``run_controls``.
    """
    best, loop = max(controls, key=lambda c: c.passed.value), controls[-1]

    def paint(axes):
        for i, c in enumerate(controls):
            _point(axes, Rate(None, 0, c.calls, c.calls, c.calls), c.passed,
                   i, c.name)
        axes.set(xlim=(0, 1.05 * max(c.calls for c in controls)),
                 ylim=(0, 1.02))
        axes.legend(loc="lower right")

    return draw(
        paint, "Scatter chart",
        f"{best.name} ends right in {best.passed.k} of {best.passed.n} cases"
        f", the loop in {loop.passed.k} of {loop.passed.n}",
        [f"{c.name}: {c.passed}, {c.calls} calls" for c in controls],
        "calls made, all cases", "cases ending right, 95 % interval")


def drift_lines(entries: Sequence) -> Figure:
    """Catch and false alarm of one critic over time.

    Args:
        entries: of a history (``measure.history.read``), oldest first.
    """
    change = drift(entries[0], entries[-1])
    return line_chart(
        f"Catch changed by {change.catch.value:+.2f}, false alarm by "
        f"{change.false_alarm.value:+.2f}: "
        + ("drifted" if change.drifted else "no drift shown"),
        [e.date for e in entries],
        {"catch": [Rate.of(*e.catch) for e in entries],
         "false alarm": [Rate.of(*e.false_alarm) for e in entries]},
        "date of the calibration", "share of drafts, 95 % interval",
        finish=lambda axes: axes.set_ylim(-0.02, 1.02))


def survivors(failed: Mapping[str, int]) -> Figure:
    """Which mutants of a right solution the checks let through.

    Args:
        failed: for each mutant, how many checks it failed.
    """
    alive = [name for name, n in failed.items() if not n]

    def paint(axes):
        axes.barh(list(failed), list(failed.values()), color=SERIES[0])
        for name in alive:
            axes.annotate(" survives", (0, name), va="center",
                          color=SERIES[1], fontweight="bold")
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.invert_yaxis()

    return draw(
        paint, "Bar chart",
        f"{len(alive)} of {len(failed)} mutants pass every check",
        [f"{name}: {n or 'survives'}" for name, n in failed.items()],
        "checks that fail", "mutant", height=1.5 + 0.3 * len(failed))


def _point(axes, x: Rate, y: Rate, i: int, label: str) -> None:
    """A point with its intervals."""
    axes.errorbar(x.value, y.value, [[y.value - y.low], [y.high - y.value]],
                  [[x.value - x.low], [x.high - x.value]], capsize=3,
                  marker=MARKERS[i], color=SERIES[i], linestyle="none",
                  markersize=8, label=label)
