"""What a critic catches, what it misses, and what it objects to in vain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

from ..budget import Usage
from ..critics.base import Decision
from .planted import Planted
from .stats import Rate

ACCEPT, OBJECT, NO_VERDICT = Decision


@dataclass(frozen=True)
class Judgement:
    """What a judge said about one draft, once.

    Args:
        draft: the draft's id.
        trial: which repetition, from 0.
        decision: accept, object or no verdict.
        reason: why there is no verdict.
        score: the critic's score, when it gives one.
        high: whether it named an issue of high severity.
        usage: tokens; unknown unless the judge is a bound critic.
        dollars: None when not known.
    """

    draft: str
    trial: int
    decision: Decision
    reason: str = ""
    score: float | None = None
    high: bool = False
    usage: Usage = Usage(unknown_calls=1)
    dollars: float | None = None


@dataclass(frozen=True)
class Calibration:
    """The rates of one judge on one suite.

    No verdict stays in every denominator: a reply that can't be read neither
    catches a defect nor leaves a clean draft alone. With several trials the
    rates pool them and the intervals count drafts.

    Args:
        suite: the drafts.
        judgements: what was said of them, in the suite's order.
        critic: name and digest of the judge.
        interrupted: True when the run was cut short.
    """

    suite: list[Planted] = field(repr=False)
    judgements: list[Judgement] = field(repr=False)
    critic: tuple[str, str] = ("", "")
    interrupted: bool = False

    @cached_property
    def _said(self) -> dict[str, list[Judgement]]:
        said: dict[str, list[Judgement]] = {}
        for judgement in self.judgements:
            said.setdefault(judgement.draft, []).append(judgement)
        return said

    @property
    def independent(self) -> float:
        """Share of the judgements that are of a new draft."""
        return len(self._said) / max(1, len(self.judgements))

    def rate(self, decision: Decision, drafts: Iterable[Planted]) -> Rate:
        """How often these drafts met this decision."""
        said = [j.decision for item in drafts
                for j in self._said.get(item.id, ())]
        return Rate.of(said.count(decision), len(said), self.independent)

    @property
    def defective(self) -> list[Planted]:
        """The drafts with a planted defect."""
        return [item for item in self.suite if item.defective]

    @property
    def clean(self) -> list[Planted]:
        """The drafts without one."""
        return [item for item in self.suite if not item.defective]

    @property
    def catch(self) -> Rate:
        """Defective drafts objected to."""
        return self.rate(OBJECT, self.defective)

    @property
    def miss(self) -> Rate:
        """Defective drafts accepted: false approvals."""
        return self.rate(ACCEPT, self.defective)

    @property
    def false_alarm(self) -> Rate:
        """Clean drafts objected to."""
        return self.rate(OBJECT, self.clean)

    @property
    def no_verdict(self) -> Rate:
        """Drafts of which the judge said nothing that can be read."""
        return self.rate(NO_VERDICT, self.suite)

    @property
    def skill(self) -> Rate:
        """Catch minus false alarm (Youden's J): 0 for both dummies."""
        return Rate.difference(self.catch, self.false_alarm)

    @property
    def precision(self) -> Rate | None:
        """Share of the objections that were deserved; None without any.

        It depends on how much of the suite is clean, the other rates don't.
        """
        caught, alarms = self.catch.k, self.false_alarm.k
        if not caught + alarms:
            return None
        return Rate.of(caught, caught + alarms, self.independent)

    @property
    def accuracy(self) -> Rate:
        """Share judged right. A dummy reaches one half: see ``skill``."""
        left_alone = self.rate(ACCEPT, self.clean).k
        return Rate.of(self.catch.k + left_alone, self.calls,
                       self.independent)

    def by(self, name: str) -> dict[object, Rate]:
        """Catch rate for each value of a field: "axis", "severity", ..."""
        return {value: self.rate(OBJECT, [i for i in self.defective
                                          if getattr(i, name) == value])
                for value in sorted({getattr(i, name)
                                     for i in self.defective})}

    @property
    def by_class(self) -> dict[object, Rate]:
        """Catch rate for each class of defect."""
        return self.by("defect")

    def decision(self, draft: str) -> Decision | None:
        """What was said most often of a draft, by id; a tie is no verdict."""
        counts = Counter(j.decision for j in self._said.get(draft, ()))
        top = [d for d, n in counts.items() if n == max(counts.values())]
        if not top:
            return None
        return top[0] if len(top) == 1 else NO_VERDICT

    @property
    def missed(self) -> list[Planted]:
        """Defective drafts that were accepted."""
        return [item for item in self.defective
                if self.decision(item.id) is ACCEPT]

    @property
    def false_alarms(self) -> list[Planted]:
        """Clean drafts that were objected to."""
        return [item for item in self.clean
                if self.decision(item.id) is OBJECT]

    @property
    def reasons(self) -> dict[str, int]:
        """Why there was no verdict, and how often."""
        return dict(sorted(Counter(j.reason for j in self.judgements
                                   if j.decision is NO_VERDICT).items()))

    @property
    def agreement(self) -> Rate | None:
        """Drafts on which all trials agree; None with a single trial."""
        repeated = [{j.decision for j in said}
                    for said in self._said.values() if len(said) > 1]
        if not repeated:
            return None
        return Rate.of(sum(len(d) == 1 for d in repeated), len(repeated))

    @property
    def calls(self) -> int:
        """How often the judge was asked."""
        return len(self.judgements)

    @property
    def usage(self) -> Usage:
        """Tokens of all calls."""
        return sum((j.usage for j in self.judgements), Usage())

    @property
    def dollars(self) -> float | None:
        """Spend; None when any part of it is unknown."""
        spent = [j.dollars for j in self.judgements]
        return None if None in spent else sum(spent)

    def spend(self, what: str = "calls"):
        """Total "calls", "tokens" or "dollars"; None if unknown."""
        usage = self.usage
        return {"calls": self.calls, "dollars": self.dollars,
                "tokens": None if usage.unknown_calls else usage.tokens}[what]

    def per_catch(self, what: str = "calls") -> float | None:
        """Spend for each defect caught; None if unknown or none caught."""
        total = self.spend(what)
        caught = self.catch.k
        return None if total is None or not caught else total / caught

    def at(self, threshold: float) -> Calibration:
        """The same scores read with another threshold.

        A draft is objected to when its score lies below it, or when an issue
        of high severity was named.

        Raises:
            ValueError: no judgement has a score.
        """
        if all(j.score is None for j in self.judgements):
            raise ValueError("no judgement has a score: a threshold needs a "
                             "scored critic")
        return replace(self, judgements=[
            j if j.score is None else replace(
                j, decision=OBJECT if j.score < threshold or j.high
                else ACCEPT) for j in self.judgements])

    def threshold_curve(self, thresholds: Iterable[float] = range(1, 11)
                        ) -> list[tuple[float, Rate, Rate]]:
        """(threshold, catch, false alarm) for each threshold."""
        return [(t, self.at(t).catch, self.at(t).false_alarm)
                for t in thresholds]

    def attacks(self) -> dict[str, tuple[Rate, Rate]]:
        """Catch rate under each attack, and on the same drafts without."""
        by_id = {item.id: item for item in self.suite}
        found = {}
        for kind in sorted({i.attack for i in self.defective if i.attack}):
            hit = [i for i in self.defective if i.attack == kind]
            found[kind] = (self.rate(OBJECT, hit), self.rate(
                OBJECT, [by_id[i.sibling] for i in hit]))
        return found

    def __str__(self) -> str:
        from .views import calibration_text
        return calibration_text(self)

    def _repr_html_(self) -> str:
        from .views import calibration_html
        return calibration_html(self)
