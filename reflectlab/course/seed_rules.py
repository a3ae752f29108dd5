"""Faulty rules of public loops, small, to be watched failing in notebooks.

Nothing in the package uses them. Each is written anew after the rule that its
docstring names, and is wrong in the same way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable

from ..messages import assistant, user


def passes_when_unreadable(reply: str) -> bool:
    """Seed 001: what cannot be parsed has passed, "to avoid infinite loops".

    The cap already does that; this rule only turns faults into approvals.
    """
    try:
        data = json.loads(reply)
        for issue in data.get("issues", []):
            if set(issue) != {"dimension", "severity", "description", "fix"}:
                raise TypeError("not an issue")
        return bool(data.get("passes", False))
    except (json.JSONDecodeError, TypeError):
        return True


def first_match(reply: str, names: Iterable[str]) -> bool:
    """After seed 002: the first word behind each name is its mark.

    An echo of the format line, ``PRICE: PASS or FAIL``, passes.
    """
    marks = {m[1].upper(): m[2].upper() for m in re.finditer(
        r"(\w+):\s*(PASS|FAIL)", reply, re.IGNORECASE)}
    return all(marks.get(name) == "PASS" for name in names)


class UncheckedBudget:
    """Seed 003: a budget check that nothing calls, and a lost report.

    The explanation also takes the place of the validator's precise message.

    Args:
        model: writes and explains.
        max_dollars: the limit that is never looked at.
    """

    PER_CALL = 0.01

    def __init__(self, model, max_dollars: float = 0.02) -> None:
        self.model = model
        self.max_dollars = max_dollars
        self.spent = 0.0

    def _check_budget(self) -> None:
        if self.spent + self.PER_CALL > self.max_dollars:
            raise RuntimeError(f"limit of ${self.max_dollars} reached")

    def _call(self, text: str) -> str:
        self.spent += self.PER_CALL     # _check_budget belongs before this
        return self.model.complete(system="", messages=[user(text)])

    def run(self, task: str, verifier: Callable, rounds: int = 4) -> str:
        """Loop; the explanation of the last failure is bought in vain."""
        told = ""
        for _ in range(rounds):
            draft = self._call(task + told)
            verdict = verifier(draft)
            if verdict.ok:
                break
            told = "\n" + verdict.report
            told = "\n" + self._call(draft)     # and the report is gone
        return draft


def substring_stop(feedback: str) -> bool:
    """Seed 004: the stop phrase anywhere in the feedback ends the run."""
    return "no improvement needed" in feedback.lower()


class KeepFirst(list):
    """The public course's queue: at most ``size`` items, the first is fixed.

    When it is full the second item goes. In a history [system, task, ...]
    that is the task.
    """

    def __init__(self, items: Iterable, size: int = 3) -> None:
        super().__init__(items)
        self.size = size

    def append(self, item) -> None:
        """Add an item, dropping the oldest one behind the first."""
        if len(self) == self.size:
            del self[1]
        super().append(item)


def course_loop(model, task: str, *, system: str, critic_system: str,
                rounds: int = 2) -> tuple[str, list[tuple]]:
    """The public course's loop: blind critic, lost task, substring stop.

    Returns:
        The draft, and for each round the texts of both queues after it.
    """
    gen = KeepFirst([system, user(task)])
    reflect = KeepFirst([critic_system])
    seen = []
    for _ in range(rounds):
        draft = model.complete(system=gen[0], messages=gen[1:])
        gen.append(assistant(draft))
        reflect.append(user(draft))
        critique = model.complete(system=reflect[0], messages=reflect[1:])
        if "<OK>" in critique:
            break
        reflect.append(assistant(critique))
        gen.append(user(critique))
        seen.append(([gen[0], *(m["content"] for m in gen[1:])],
                     [reflect[0], *(m["content"] for m in reflect[1:])]))
    return draft, seen
