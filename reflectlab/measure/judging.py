"""Ask a judge about every draft of a suite."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from functools import partial

from ..budget import Usage, price_of
from ..critics.base import Critique, Decision, Judge, no_verdict
from ..models.base import model_id
from .calibration import Calibration, Judgement
from .journal import described, fingerprint
from .planted import Planted, problems
from .runner import run_each


def calibrate(judge: Callable, suite: Iterable[Planted], *, trials: int = 1,
              executor: Executor | None = None,
              progress: bool = False) -> Calibration:
    """Measure what a judge catches and what it objects to in vain.

    Args:
        judge: ``judge(requirements, draft)``, for example a critic's
            ``bind(model)``. It returns a ``Critique``; or True to accept,
            False to object, None for no verdict. What it raises is a
            judgement without verdict, with the reason.
        suite: the drafts: ``load_suite``, or your own.
        trials: how often each draft is judged.
        executor: any ``concurrent.futures.Executor``; None runs serially.
        progress: show a bar.

    Returns:
        The calibration. Interrupted from the keyboard, it holds what was
        judged by then.

    Raises:
        ValueError: for a suite with faults.
    """
    suite = list(suite)
    faults = problems(suite)
    if faults:
        raise ValueError(f"the suite has a fault: {faults[0]}")
    items = [(item, trial) for item in suite for trial in range(trials)]
    found: dict[int, Judgement] = {}
    interrupted, name = False, identify(judge)  # it may raise: before a call
    try:
        for i, judgement in run_each(partial(_judge_one, judge), items,
                                     executor=executor, progress=progress,
                                     label="drafts"):
            found[i] = judgement
    except KeyboardInterrupt:
        interrupted = True
    return Calibration(suite, [found[i] for i in sorted(found)],
                       name, interrupted)


def _judge_one(judge: Callable, work: tuple[Planted, int]) -> Judgement:
    item, trial = work
    usage, dollars = Usage(unknown_calls=1), None
    try:
        if isinstance(judge, Judge):
            said, reply = judge.ask(item.requirements, item.draft)
            usage = getattr(reply, "usage", None) or usage
            price = price_of(model_id(reply, judge.model))
            if price and not usage.unknown_calls:
                dollars = price.dollars(usage)
        else:
            said = _read(judge(item.requirements, item.draft))
    except Exception as exc:        # a judge may raise anything
        said = no_verdict(f"{type(exc).__name__}: {exc}")
    silent = said.decision is Decision.NO_VERDICT
    return Judgement(item.id, trial, said.decision,
                     said.reason if silent else "", said.score,
                     any(i.severity == "high" for i in said.issues),
                     usage, dollars)


def _read(said) -> Critique:
    if isinstance(said, Critique):
        return said
    if said is None:
        return no_verdict("the judge returned None")
    if isinstance(said, bool):
        return Critique(Decision.ACCEPT if said else Decision.OBJECT, "")
    raise TypeError(f"the judge returned {said!r:.40}: return a Critique, "
                    "True to accept, False to object, or None")


def identify(judge: Callable) -> tuple[str, str]:
    """A name, and a digest that changes with a critic's prompt or model.

    Of a plain function only the name is known.
    """
    if not isinstance(judge, Judge):
        name = getattr(judge, "__qualname__", type(judge).__qualname__)
        return name, fingerprint([name])
    critic, name = judge.critic, type(judge.critic).__qualname__
    model = model_id(judge.model) or type(judge.model).__qualname__
    return name, fingerprint([name, described(getattr(critic, "__dict__", "")),
                              model, critic.system("{requirements}")])
