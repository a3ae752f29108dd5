"""Does the loop help? First draft against final draft, over many cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field, replace
from functools import partial

from ..trace import Result
from ..verifiers.verdict import Verdict
from .journal import Journal, fingerprint
from .runner import run_each
from .stats import Rate, bootstrap, mcnemar_exact

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


@dataclass(frozen=True)
class Row:
    """What became of one trial of one case.

    Args:
        case, trial: which one.
        first, final: whether the first and the returned draft are right.
        rounds, stop_reason: how the run ended.
        calls, chars: attempts made, characters sent.
        tokens, dollars: None when not known.
        held_first, held_final: the same by the held-out verifier.
        error: why the case could not be scored; it then counts nowhere.
    """

    case: str
    trial: int
    first: bool = False
    final: bool = False
    rounds: int = 0
    stop_reason: str = ""
    calls: int = 0
    chars: int = 0
    tokens: int | None = None
    dollars: float | None = None
    held_first: bool | None = None
    held_final: bool | None = None
    error: str = ""

    def __str__(self) -> str:
        if self.error:
            return f"  {self.case:<10} not scored: {self.error}"
        return (f"  {self.case:<10} first_draft_passes={self.first!s:<5} "
                f"final_passes={self.final!s:<5} rounds={self.rounds}  "
                f"{self.stop_reason}")


@dataclass(frozen=True)
class DeltaReport:
    """First against final drafts. Counts are over the scored rows.

    The identity final = first - broken + fixed always holds.

    Args:
        rows: one for each trial of each case, in order.
        interrupted: True when the run was cut short; the rows are complete.
    """

    rows: list[Row] = field(repr=False)
    interrupted: bool = False

    @property
    def scored(self) -> list[Row]:
        """The rows that count."""
        return [r for r in self.rows if not r.error]

    @property
    def n(self) -> int:
        """How many rows count."""
        return len(self.scored)

    @property
    def tasks(self) -> dict[str, list[Row]]:
        """The rows that count, by case."""
        found: dict[str, list[Row]] = {}
        for row in self.scored:
            found.setdefault(row.case, []).append(row)
        return found

    @property
    def first(self) -> int:
        """First drafts that are right."""
        return sum(r.first for r in self.scored)

    @property
    def final(self) -> int:
        """Returned drafts that are right."""
        return sum(r.final for r in self.scored)

    @property
    def delta(self) -> int:
        """final - first."""
        return self.final - self.first

    @property
    def fixed(self) -> int:
        """Wrong at first, right in the end."""
        return sum(r.final and not r.first for r in self.scored)

    @property
    def broken(self) -> int:
        """Right at first, wrong in the end."""
        return sum(r.first and not r.final for r in self.scored)

    def rate(self, which: str) -> Rate:
        """A share with its interval, which counts tasks, not trials.

        Args:
            which: "first", "final", "fixed" and "broken" are shares of all
                rows; "fix" is fixed among the wrong first drafts, "break"
                broken among the right ones; "held_first" and "held_final"
                are by the held-out verifier, over the rows that have one.
        """
        if which.startswith("held_"):
            marks = [getattr(r, which) for r in self.scored]
            marks = [mark for mark in marks if mark is not None]
            k, n = sum(marks), len(marks)
        elif which == "fix":
            k, n = self.fixed, self.n - self.first
        elif which == "break":
            k, n = self.broken, self.first
        else:
            k, n = getattr(self, which), self.n
        return Rate.of(k, n, len(self.tasks) / max(1, self.n))

    @property
    def p_value(self) -> float:
        """Exact McNemar test on the flips.

        With several trials a task counts once, by which flip it shows more
        often: trials of one task are no independent evidence.
        """
        nets = [sum(r.final - r.first for r in rows)
                for rows in self.tasks.values()]
        return mcnemar_exact(sum(x > 0 for x in nets),
                             sum(x < 0 for x in nets))

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the difference of the two pass rates."""
        return bootstrap([(sum(r.final - r.first for r in rows), len(rows))
                          for rows in self.tasks.values()])

    @property
    def stop_reasons(self) -> dict[str, int]:
        """How often each stop reason came, the commonest first."""
        found = Counter(r.stop_reason for r in self.scored)
        return dict(sorted(found.items(), key=lambda x: (-x[1], x[0])))

    def spend(self, what: str = "calls"):
        """Total "calls", "chars", "tokens" or "dollars"; None if unknown."""
        values = [getattr(r, what) for r in self.scored]
        return None if None in values else sum(values)

    def per_fix(self, what: str = "calls") -> float | None:
        """Spend for each fixed case; None if unknown or nothing fixed."""
        total = self.spend(what)
        return None if total is None or not self.fixed else total / self.fixed

    def __str__(self) -> str:
        lines = [str(row) for row in self.rows] if len(self.rows) <= 20 else []
        lines.append(f"  first-draft pass rate {self.first}/{self.n}   "
                     f"final pass rate {self.final}/{self.n}   "
                     f"delta {self.delta:+d}")
        return "\n".join(lines)

    def summary(self) -> str:
        """Everything in words and numbers, a line each."""
        from .views import delta_text
        return delta_text(self)

    def _repr_html_(self) -> str:
        from .views import delta_html
        return delta_html(self)


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
            The report is the same with all of them.
        progress: show a bar.
        log: path of a progress file (JSON Lines). Called again with it, an
            evaluation that was killed goes on where it stopped.

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
        log, fingerprint(f"{c.name}\n{c.requirements}" for c in cases))
    done = journal.done if journal else {}
    found = {key: Row(**done[key]) for key in map(_key, items) if key in done}
    todo = [item for item in items if _key(item) not in found]
    interrupted = False
    try:
        for i, row in run_each(partial(_run_case, make_agent), todo,
                               executor=executor, progress=progress,
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


def _run_case(make_agent: Callable, case: Case) -> Row:
    """One run, scored. An exception becomes the row's error."""
    try:
        agent = make_agent(case)
        result = agent.run(case.requirements, task_id=case.name,
                           post_process=case.post_process)
        if result.stop_reason.startswith("aborted: interrupted"):
            raise KeyboardInterrupt     # the run kept it to itself
        return _score(case, result)
    except Exception as exc:
        return Row(case.name, case.trial, error=f"{type(exc).__name__}: {exc}")


def _score(case: Case, result: Result) -> Row:
    first = result.trace[0].draft if result.trace else ""
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
