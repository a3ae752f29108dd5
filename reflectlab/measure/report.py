"""The report of a delta run: what a loop fixed, what it broke, its price."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from .stats import Rate, bootstrap, mcnemar_exact


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
        error: why the case could not be scored; it then counts nowhere. A
            run that brought no draft at all is such a case.
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
