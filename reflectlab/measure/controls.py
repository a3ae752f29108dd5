"""What the same number of calls buys without the loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

from ..budget import Usage
from ..messages import digest, user
from ..prompts import WRITER_SYSTEM, fill
from .delta import Case, DeltaReport
from .runner import run_each
from .stats import Rate
from .voting import best_of_n


@dataclass(frozen=True)
class Control:
    """One way to spend the calls.

    Args:
        name: which way.
        passed: share of the cases that end right, by the held-out verifier
            where every case has one.
        calls: all calls made.
        tokens: None when not known.
    """

    name: str
    passed: Rate
    calls: int
    tokens: int | None = None

    def __str__(self) -> str:
        tokens = "" if self.tokens is None else f"  tokens {self.tokens}"
        return f"  {self.name:<17} {self.passed!s:<30} " \
               f"calls {self.calls}{tokens}"


class _Counted:
    """Counts the calls and tokens of a model."""

    def __init__(self, model) -> None:
        self.model, self.calls, self.usage = model, 0, Usage()

    def complete(self, *, system: str, messages: list[dict]) -> str:
        reply = self.model.complete(system=system, messages=messages)
        self.calls += 1
        self.usage += getattr(reply, "usage", None) or Usage(unknown_calls=1)
        return reply


def run_controls(make_model: Callable, cases: Iterable[Case],
                 report: DeltaReport, *, answer: Callable = digest,
                 executor: Executor | None = None) -> list[Control]:
    """The loop beside a single pass, a vote and best-of-n.

    The vote and best-of-n get as many calls a case as the loop needed on
    average, rounded; best-of-n stops at the first draft that passes.

    Args:
        make_model: ``make_model(case)`` returns the writer's model, fresh.
        cases: the cases of the report.
        report: the loop's own outcome.
        answer: what a vote compares of two drafts; by default the whole
            text, white space aside.
        executor: as for ``measure_delta``.

    Returns:
        Single pass (the loop's first drafts), self-consistency, best-of-n
        and the loop.

    Raises:
        ValueError: the report has no scored rows.
    """
    if not report.n:
        raise ValueError("the report has no scored rows to compare with")
    n = max(1, round(report.spend() / report.n))
    cases = list(cases)
    held = all(case.held_out for case in cases)
    first, final = (("held_first", "held_final") if held
                    else ("first", "final"))
    found = [Control("single pass", report.rate(first), report.n)]
    for name, play in (("self-consistency", partial(_vote, n, answer)),
                       ("best of n", partial(_best, n))):
        rows = [row for _, row in run_each(
            partial(_play, make_model, play), cases, executor=executor)]
        usage = sum((usage for _, _, usage in rows), Usage())
        found.append(Control(
            f"{name} ({n})", Rate.of(sum(ok for ok, _, _ in rows), len(rows)),
            sum(calls for _, calls, _ in rows),
            None if usage.unknown_calls else usage.tokens))
    return [*found, Control("loop", report.rate(final), report.spend(),
                            report.spend("tokens"))]


def _play(make_model: Callable, play: Callable, case: Case):
    model = _Counted(make_model(case))
    verdict = (case.held_out or case.verifier)(play(model, case))
    return verdict.ok and verdict.signal, model.calls, model.usage


def _vote(n: int, answer: Callable, model: _Counted, case: Case) -> str:
    """The first draft with the commonest answer."""
    system = fill(WRITER_SYSTEM, case.requirements)
    drafts = [case.post_process(model.complete(
        system=system, messages=[user(case.requirements)])) for _ in range(n)]
    top = Counter(answer(draft) for draft in drafts).most_common(1)[0][0]
    return next(draft for draft in drafts if answer(draft) == top)


def _best(n: int, model: _Counted, case: Case) -> str:
    return best_of_n(model, case.verifier, case.requirements, n,
                     post_process=case.post_process).output
