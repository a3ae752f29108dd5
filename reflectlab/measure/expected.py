"""What measured rates imply, before anything more is run."""

from __future__ import annotations

import math
from typing import NamedTuple

from .calibration import Calibration
from .stats import Z95, Rate


class Expected(NamedTuple):
    """Shares of all drafts: fixed, broken, and delta = fixed - broken."""

    fixed: float
    broken: float
    delta: float


def expected_delta(base_rate: float, catch: float, false_alarm: float,
                   fix: float, break_: float) -> Expected:
    """What one revision on a critic's objections gains, in closed form.

    Args:
        base_rate: share of first drafts that are *defective*, 0 to 1.
        catch: share of defective drafts that the critic objects to.
        false_alarm: share of clean drafts that it objects to.
        fix: share of revised defective drafts that come out right.
        break_: share of revised clean drafts that come out wrong.

    Raises:
        ValueError: for a share outside 0..1.
    """
    shares = (base_rate, catch, false_alarm, fix, break_)
    if not all(0 <= share <= 1 for share in shares):
        raise ValueError(f"every rate is a share from 0 to 1; got {shares}")
    fixed = base_rate * catch * fix
    broken = (1 - base_rate) * false_alarm * break_
    return Expected(fixed, broken, fixed - broken)


def break_even(catch: float, false_alarm: float, fix: float,
               break_: float) -> float | None:
    """The defect rate above which one revision pays.

    Returns:
        The rate at which as many drafts are broken as fixed; None for a
        critic whose loop changes nothing at any rate.
    """
    gain, loss = catch * fix, false_alarm * break_
    return loss / (gain + loss) if gain + loss else None


def claim(calibration: Calibration, base_rate: float, fix: float,
          break_: float) -> str:
    """The decision in one sentence.

    Args:
        calibration: of the critic.
        base_rate: share of your first drafts that are defective.
        fix, break_: see ``expected_delta``. They are the writer's own: a
            delta report has them as ``report.rate("fix")`` and
            ``report.rate("break")`` when its critic objected to every draft.

    Returns:
        The sentence. Its bounds take catch and false alarm at the ends of
        their intervals; fix and break are taken as given.
    """
    catch, alarm = calibration.catch, calibration.false_alarm
    if catch.value is None or alarm.value is None:
        raise ValueError("the calibration needs defective and clean drafts")
    at = expected_delta(base_rate, catch.value, alarm.value, fix, break_)
    worst = expected_delta(base_rate, catch.low, alarm.high, fix, break_)
    best = expected_delta(base_rate, catch.high, alarm.low, fix, break_)
    even = break_even(catch.value, alarm.value, fix, break_)
    pays = ("it never changes a draft" if even is None else
            f"it pays above a defect rate of {100 * even:.1f} %")
    return (f"At your defect rate of {100 * base_rate:g} % this critic breaks "
            f"{100 * at.broken:.1f} and fixes {100 * at.fixed:.1f} per 100 "
            f"drafts, net {100 * at.delta:+.1f} "
            f"[{100 * worst.delta:+.1f}, {100 * best.delta:+.1f}]; {pays}.")


def corrected_rate(observed: Rate, calibration: Calibration) -> Rate:
    """The true defect rate behind a critic's objections.

    Rogan and Gladen, American Journal of Epidemiology 107 (1978), with the
    interval of Lang and Reiczigel, Preventive Veterinary Medicine 113
    (2014), which counts the uncertainty of all three rates.

    Args:
        observed: objections among unlabelled drafts, ``Rate.of(k, n)``.
        calibration: of the same critic, on drafts of the same kind.

    Returns:
        The rate, clipped to 0..1, with k None. Few drafts can put the rate
        outside that interval, which is then widened to hold it.

    Raises:
        ValueError: no skill above zero is shown: then objections say nothing
            about defects.
    """
    skill = calibration.skill
    if skill.value is None or skill.low <= 0:
        raise ValueError(f"skill {skill} is not shown to be above zero, so "
                         "no rate can be corrected with this critic: improve "
                         "it, or calibrate it on more drafts")
    if observed.value is None:
        raise ValueError("the observed rate counts nothing")
    catch, alarm, n, z = (calibration.catch, calibration.false_alarm,
                          observed.n, Z95)
    n1 = catch.n * calibration.independent + 2
    n0 = alarm.n * calibration.independent + 2
    p = (n * observed.value + z * z / 2) / (n + z * z)
    se = (catch.value * (n1 - 2) + 1) / n1
    sp = ((1 - alarm.value) * (n0 - 2) + 1) / n0
    middle = (p + sp - 1) / (se + sp - 1)
    v1, v0 = se * (1 - se) / n1, sp * (1 - sp) / n0
    shift = 2 * z * z * (middle * v1 - (1 - middle) * v0)
    spread = z / (se + sp - 1) * math.sqrt(
        p * (1 - p) / (n + z * z) + middle ** 2 * v1 + (1 - middle) ** 2 * v0)
    value, low, high = (min(1.0, max(0.0, x)) for x in (
        (observed.value - alarm.value) / skill.value,
        middle + shift - spread, middle + shift + spread))
    return Rate(None, n, value, min(low, value), max(high, value))
