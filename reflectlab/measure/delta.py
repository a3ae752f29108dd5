"""Does the loop help? First draft against final draft, over many cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, replace
from functools import partial

from ..trace import Result
from ..verifiers.verdict import Verdict
from .journal import Journal, described, fingerprint
from .report import DeltaReport, Row
from .runner import run_each

Verifier = Callable[[str], Verdict]


@dataclass(frozen=True)
class Case:
    """One task to run the agent on.

    Args:
        name: names the case; unique.
        requirements: what the agent is asked.
        verifier: decides whether a draft is right. The agent may use the
            same one, or none.
        held_out: a second verifier that the agent never sees.
        post_process: turns a reply into a draft.
        trial: which repetition this is, from 0; ``measure_delta`` sets it.
    """

    name: str
    requirements: str
    verifier: Verifier
    held_out: Verifier | None = None
    post_process: Callable[[str], str] = str.strip
    trial: int = 0


def measure_delta(make_agent: Callable, cases: Iterable[Case], *,
                  trials: int = 1, executor: Executor | None = None,
                  progress: bool = False, log=None) -> DeltaReport:
    """Run an agent on every case; score its first and its final draft.

    Args:
        make_agent: called as ``make_agent(case)`` for every trial; returns
            a fresh ``ReflectionAgent``.
        cases: the cases, with names that differ.
        trials: repetitions of each case.
        executor: any ``concurrent.futures.Executor``; None runs serially.
            The report is the same with all of them. An agent's panel needs
            another one.
        progress: show a bar.
        log: path of a progress file (JSON Lines). Called again with it, an
            evaluation that was killed goes on where it stopped, if the cases
            and the settings of their verifiers are the same.

    Returns:
        The report. Interrupted from the keyboard, it holds what was done.

    Raises:
        ValueError: for no cases, equal names, or a log of other cases.
    """
    cases = list(cases)
    if not cases or len({c.name for c in cases}) < len(cases):
        raise ValueError("cases need at least one case, and names that "
                         f"differ; got {[c.name for c in cases][:5]}")
    items = [replace(c, trial=t) for c in cases for t in range(trials)]
    journal = None if log is None else Journal(
        log, fingerprint(described([c.name, c.requirements, c.verifier,
                                    c.held_out, c.post_process])
                         for c in cases))
    done = journal.done if journal else {}
    found = {key: Row(**done[key]) for key in map(_key, items) if key in done}
    todo = [item for item in items if _key(item) not in found]
    interrupted = False
    try:
        for i, row in run_each(partial(_run_case, make_agent, id(executor)),
                               todo, executor=executor, progress=progress,
                               label="cases"):
            found[_key(todo[i])] = row
            if journal and not row.error:   # an error is tried again
                journal.add(_key(todo[i]), asdict(row))
    except KeyboardInterrupt:
        interrupted = True
    return DeltaReport([found[k] for k in map(_key, items) if k in found],
                       interrupted)


def _key(case: Case) -> str:
    return f"{case.name} #{case.trial}"


def _run_case(make_agent: Callable, pool: int, case: Case) -> Row:
    """One run, scored. An exception becomes the row's error.

    ``pool`` is the id of the evaluation's executor, which itself could not
    travel to a worker process.
    """
    try:
        agent = make_agent(case)
        own = getattr(agent, "executor", None)
        if own is not None and id(own) == pool:
            raise ValueError("the agent's panel would wait for the workers "
                             "that wait for it: give it another executor "
                             "than the evaluation's")
        result = agent.run(case.requirements, task_id=case.name,
                           post_process=case.post_process)
        if result.stop_reason.startswith("aborted: interrupted"):
            raise KeyboardInterrupt     # the run kept it to itself
        if not result.trace:            # an outage is no wrong draft
            return Row(case.name, case.trial, error=result.stop_reason)
        return _score(case, result)
    except Exception as exc:
        return Row(case.name, case.trial, error=f"{type(exc).__name__}: {exc}")


def _score(case: Case, result: Result) -> Row:
    first = result.trace[0].draft
    marks = {}
    for name, verifier in (("", case.verifier), ("held_", case.held_out)):
        if verifier is None:
            continue
        marks[name + "first"] = _passes(verifier, first)
        marks[name + "final"] = (
            marks[name + "first"] if result.output == first
            else _passes(verifier, result.output))
    usage = result.usage
    known = usage is not None and not usage.unknown_calls
    return Row(case.name, case.trial, rounds=result.rounds,
               stop_reason=result.stop_reason, calls=result.calls,
               chars=result.chars, tokens=usage.tokens if known else None,
               dollars=result.dollars, **marks)


def _passes(verifier: Verifier, draft: str) -> bool:
    if not draft.strip():
        return False
    verdict = verifier(draft)
    if not verdict.signal:
        raise RuntimeError(f"the verifier gave no signal: {verdict.report}")
    return verdict.ok
