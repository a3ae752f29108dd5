"""When a run goes nowhere: five rules, read off the trace.

The rules look at the rounds so far and at nothing else, so a stall can be
explained, and replayed, from the trace alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

STALE_ROUNDS = 3        # structured reviews that must show no progress


def comparable(text: str) -> str:
    """A draft as the stall rules see it.

    Line ends and trailing spaces are noise; indentation is kept, because in
    Python it can be the whole fix.
    """
    lines = [line.rstrip() for line in text.splitlines()]
    return "\n".join(lines).strip("\n")


def similarity(left: str, right: str) -> float:
    """How alike two texts are, from 0 to 1 (normalised indel distance)."""
    from rapidfuzz import fuzz  # 0.1 ms where difflib takes minutes

    return fuzz.ratio(comparable(left), comparable(right)) / 100


@dataclass(frozen=True)
class Stall:
    """The stall rules of a run.

    Args:
        similarity: from 0 to 1; at or above it two consecutive drafts with
            the same verdict count as near-duplicates. None (the default)
            turns that rule off: no threshold separates a cosmetic edit from
            a decisive one by text alone.
    """

    similarity: float | None = None

    def __post_init__(self) -> None:
        if self.similarity is not None and not (
                isinstance(self.similarity, int | float)
                and 0 < self.similarity <= 1):
            raise ValueError("similarity must lie in (0, 1] or be None, got "
                             f"{self.similarity!r}")

    def check(self, rounds: Sequence) -> tuple[str, dict] | None:
        """Judge the rounds so far.

        Args:
            rounds: the trace, newest last; each with ``n``, ``draft``,
                ``feedback``, ``verdict`` and ``critique``.

        Returns:
            ``(reason, numbers behind it)``, or None while the run moves.
        """
        for rule in (_repeated_draft, self._near_duplicate,
                     _repeated_feedback, _not_converging):
            found = rule(rounds)
            if found is not None:
                return found
        return None

    def _near_duplicate(self, rounds: Sequence) -> tuple[str, dict] | None:
        if self.similarity is None or len(rounds) < 3:
            return None
        last = rounds[-3:]
        if len({_fingerprint(r) for r in last}) > 1:
            return None
        alike = [similarity(a.draft, b.draft)
                 for a, b in zip(last, last[1:], strict=False)]
        if min(alike) < self.similarity:
            return None
        return "near-duplicate draft", {
            "similarity": [round(x, 4) for x in alike],
            "threshold": self.similarity}


def _repeated_draft(rounds: Sequence) -> tuple[str, dict] | None:
    newest = comparable(rounds[-1].draft)
    for earlier in reversed(rounds[:-1]):
        if comparable(earlier.draft) == newest:
            reason = ("draft repeated" if earlier is rounds[-2]
                      else "drafts oscillate")
            return reason, {"same_draft_as_round": earlier.n}
    return None


def _repeated_feedback(rounds: Sequence) -> tuple[str, dict] | None:
    newest = rounds[-1].feedback.strip()
    for earlier in reversed(rounds[:-1]):
        if earlier.feedback.strip() == newest:
            return ("feedback repeated",
                    {"same_feedback_as_round": earlier.n})
    return None


def _not_converging(rounds: Sequence) -> tuple[str, dict] | None:
    counts = [len(r.critique.issues) for r in rounds
              if r.critique is not None and r.critique.issues]
    last = counts[-STALE_ROUNDS:]
    if len(last) < STALE_ROUNDS or last != sorted(last):
        return None
    return "not converging", {"open_issues": last}


def _fingerprint(round_) -> str:
    verdict = round_.verdict
    return "" if verdict is None else verdict.fingerprint or verdict.report
