"""A simulated population: writer and critic with stated rates.

A simulation shows what rates lead to, never what a model does. It goes
through the real loop, so that the loop's arithmetic is what is tested.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from random import Random

from ..agent import ReflectionAgent
from ..budget import Budget
from ..paths import data_path
from ..prompts import STOP
from ..verifiers.verdict import Verdict
from .delta import Case

RIGHT, WRONG = "simulated answer: right", "simulated answer: wrong"


def is_right(draft: str) -> Verdict:
    """The verifier of simulated drafts: it reads their last line."""
    ok = answer(draft) == RIGHT
    return Verdict(ok, "right" if ok else "SIMULATED FAILURE: wrong",
                   status="passed" if ok else "failed", checks=1)


def answer(draft: str) -> str:
    """The last line of a simulated draft, the same for equal answers."""
    return draft.splitlines()[-1]


@dataclass
class SimulatedWriter:
    """Writes right and wrong drafts at stated rates.

    Args:
        population: the rates.
        rng: source of chance.
    """

    population: Population
    rng: Random
    drafts: int = 0

    def complete(self, *, system: str, messages: list[dict]) -> str:
        """A first draft, or a revision of the last one in the history."""
        p = self.population
        own = [m["content"] for m in messages if m["role"] == "assistant"]
        if not own:
            right_now = self.rng.random() >= p.base_rate
        elif answer(own[-1]) == RIGHT:
            right_now = self.rng.random() >= p.break_
        else:
            right_now = self.rng.random() < p.fix
        self.drafts += 1
        last = RIGHT if right_now else WRONG
        return f"simulated draft {self.drafts}\n{last}"


@dataclass
class SimulatedCritic:
    """Objects to wrong and to right drafts at stated rates."""

    population: Population
    rng: Random

    def complete(self, *, system: str, messages: list[dict]) -> str:
        """The stop token, or an objection to the latest draft."""
        draft = messages[-1]["content"]
        rate = (self.population.false_alarm if answer(draft) == RIGHT
                else self.population.catch)
        if self.rng.random() >= rate:
            return STOP
        return f"Simulated objection to {draft.splitlines()[0]}."


@dataclass(frozen=True)
class Population:
    """Stated rates, as ``expected_delta`` takes them.

    Args:
        base_rate: share of first drafts that are defective.
        catch, false_alarm: how often the critic objects to defective and to
            clean drafts.
        fix, break_: how often a revision mends a defective draft, and spoils
            a clean one.
        revisions: the most revisions of one draft.
        verified: whether the loop also has a sound verifier.
        seed: with the case and the trial it decides every draw.
    """

    base_rate: float
    catch: float
    false_alarm: float
    fix: float
    break_: float
    revisions: int = 1
    verified: bool = False
    seed: int = 0

    @classmethod
    def from_flips(cls, first: float, right_to_wrong: float,
                   wrong_to_right: float, seed: int = 0) -> Population:
        """Published flips, applied as one revision of every answer.

        Args:
            first: share of first answers that are right.
            right_to_wrong, wrong_to_right: shares of *all* answers.
            seed: see the class.
        """
        return cls(1 - first, 1.0, 1.0, wrong_to_right / (1 - first),
                   right_to_wrong / first, seed=seed)

    def cases(self, n: int) -> list[Case]:
        """n simulated tasks."""
        return [Case(f"simulated-{i:05}", f"Simulated task {i}.", is_right)
                for i in range(1, n + 1)]

    def make_model(self, case: Case) -> SimulatedWriter:
        """The writer of one case and trial. Its drafts are independent,
        which real samples of one task are not."""
        return SimulatedWriter(self, self._rng(case, "writer"))

    def make_agent(self, case: Case) -> ReflectionAgent:
        """The real loop around the simulated writer and critic."""
        return ReflectionAgent(
            self.make_model(case), verbose=False,
            critic_model=SimulatedCritic(self, self._rng(case, "critic")),
            verifier=is_right if self.verified else None,
            budget=Budget(self.revisions + 1, calls=None, chars=None))

    def _rng(self, case: Case, who: str) -> Random:
        return Random(f"{self.seed}/{case.name}/{case.trial}/{who}")


def load_published(name: str) -> list[dict]:
    """A table of published figures, ``data/published/<name>.csv``.

    Returns:
        One dict a row, numbers as numbers, each with its ``source``.
    """
    path = data_path("published", f"{name}.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return [{k: _number(v) for k, v in row.items()}
                for row in csv.DictReader(file)]


def _number(text: str):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text
