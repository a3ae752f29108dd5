"""Calibrations over time: a file to append to, and what has drifted."""

from __future__ import annotations

import datetime
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from ..critics.base import Decision
from .calibration import Calibration
from .planted import suite_digest
from .stats import Rate, mcnemar_exact


@dataclass(frozen=True)
class Entry:
    """One calibration in a history.

    Args:
        date: ISO date.
        critic: the judge's name, with its digest in ``critic_digest``.
        suite_digest: changes with any draft or label.
        catch, false_alarm: k and n of each.
        caught: ids of the defective drafts objected to.
        alarms: ids of the clean drafts objected to.
    """

    date: str
    critic: str
    critic_digest: str
    suite_digest: str
    catch: list[int]
    false_alarm: list[int]
    caught: list[str]
    alarms: list[str]


def entry(calibration: Calibration, *, date: str = "",
          critic: str = "") -> Entry:
    """A calibration as it goes into a history.

    Args:
        calibration: what was measured.
        date: ISO date; today when empty.
        critic: a name of your own for the judge.
    """
    c = calibration
    return Entry(
        date or datetime.date.today().isoformat(),
        critic or c.critic[0], c.critic[1], suite_digest(c.suite),
        [c.catch.k or 0, c.catch.n], [c.false_alarm.k or 0, c.false_alarm.n],
        [i.id for i in c.defective if c.decision(i.id) is Decision.OBJECT],
        [i.id for i in c.false_alarms])


def record(path, calibration: Calibration, *, date: str = "",
           critic: str = "") -> Entry:
    """Append a calibration to a history (JSON Lines) and return its entry."""
    made = entry(calibration, date=date, critic=critic)
    with Path(path).open("a", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps(asdict(made), ensure_ascii=False) + "\n")
    return made


def read(path) -> list[Entry]:
    """The entries of a history, oldest first.

    Raises:
        ValueError: names the line that is no entry.
    """
    entries = []
    lines = Path(path).read_text("utf-8").split("\n")
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                entries.append(Entry(**json.loads(line)))
            except (TypeError, ValueError) as exc:
                raise ValueError(f"{path}, line {number}: not an entry of a "
                                 f"history ({exc})") from exc
    return entries


@dataclass(frozen=True)
class Drift:
    """What changed between two calibrations.

    Args:
        catch, false_alarm: after minus before, with Newcombe's interval.
        same_suite, same_critic: by digest.
        gained, lost: defects caught now only, and then only; empty for
            different suites, as the two p-values are 1.
        p_catch, p_alarm: exact McNemar tests on the drafts judged
            differently.
    """

    catch: Rate
    false_alarm: Rate
    same_suite: bool
    same_critic: bool
    gained: list[str]
    lost: list[str]
    p_catch: float
    p_alarm: float

    @property
    def drifted(self) -> bool:
        """Whether catch or false alarm changed by more than chance.

        On one suite the paired tests decide, at 0.05; on two the intervals,
        by leaving out zero.
        """
        if self.same_suite:
            return min(self.p_catch, self.p_alarm) < 0.05
        return any(not r.low <= 0 <= r.high
                   for r in (self.catch, self.false_alarm))

    def __str__(self) -> str:
        lines = [f"catch {self.catch.value:+.2f}  "
                 f"false alarm {self.false_alarm.value:+.2f}  "
                 f"{'drifted' if self.drifted else 'no drift shown'}"]
        if not self.same_suite:
            lines.append("the suite changed: drafts can't be paired")
        if not self.same_critic:
            lines.append("the critic changed")
        lines += [f"{what}: {', '.join(ids)}" for what, ids in (
            ("caught now only", self.gained), ("no longer caught", self.lost))
            if ids]
        return "\n".join(lines)


def drift(before: Entry | Calibration, after: Entry | Calibration) -> Drift:
    """Compare two calibrations, for example ``drift(*read(path)[-2:])``.

    Raises:
        ValueError: one of them judged no defective or no clean draft.
    """
    a, b = (x if isinstance(x, Entry) else entry(x) for x in (before, after))
    if not all(n for x in (a, b) for _, n in (x.catch, x.false_alarm)):
        raise ValueError("both calibrations need defective and clean drafts")
    paired = a.suite_digest == b.suite_digest
    gained = sorted(set(b.caught) - set(a.caught)) if paired else []
    lost = sorted(set(a.caught) - set(b.caught)) if paired else []
    alarms = [len(set(x) - set(y)) if paired else 0 for x, y in (
        (a.alarms, b.alarms), (b.alarms, a.alarms))]
    return Drift(
        Rate.difference(Rate.of(*b.catch), Rate.of(*a.catch)),
        Rate.difference(Rate.of(*b.false_alarm), Rate.of(*a.false_alarm)),
        paired, a.critic_digest == b.critic_digest, gained, lost,
        mcnemar_exact(len(gained), len(lost)), mcnemar_exact(*alarms))
