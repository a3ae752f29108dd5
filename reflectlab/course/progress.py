"""What is solved in this kernel. Nothing is stored, nothing leaves it."""

from __future__ import annotations

import html
from dataclasses import dataclass

OUTCOMES: dict[str, tuple[str, str]] = {}   # by id: last outcome and text
SOLVED: set[str] = set()                    # what is solved stays solved


def record(id: str, kind: str, text: str) -> None:
    """Note the outcome of a check."""
    OUTCOMES[id] = kind, text
    if kind == "correct":
        SOLVED.add(id)


@dataclass(frozen=True)
class Progress:
    """Where the learner stands, as text and as HTML."""

    lines: tuple[str, ...]

    def __repr__(self) -> str:
        return "\n".join(self.lines)

    def _repr_html_(self) -> str:
        return "<div>" + "<br>".join(map(html.escape, self.lines)) + "</div>"


def progress(chapter: int) -> Progress:
    """Say what is solved of a notebook's exercises, and what comes next.

    Args:
        chapter: number of the notebook, 1 to 5.

    Returns:
        Lines for the reader, for the notebook's last cell.

    Raises:
        ValueError: the chapter has no exercises.
    """
    from .exercise import exercises

    every = list(exercises().values())
    here = [each for each in every if each.id.startswith(f"{chapter}.")]
    if not here:
        raise ValueError(f"chapter {chapter!r} has no exercises")
    left = [each for each in here if each.id not in SOLVED]
    lines = [f"Exercises of notebook {chapter}: {len(here) - len(left)} of "
             f"{len(here)} solved in this kernel."]
    lines += [f"{each.id} {each.title}: "
              + (f"{each.minutes} minutes" if each in left else "solved")
              for each in here]
    if left:
        minutes = sum(each.minutes for each in left)
        lines.append(f"About {minutes} minutes are left. Next: {left[0].id}.")
    elif any(each.id.startswith(f"{chapter + 1}.") for each in every):
        lines.append(f"All solved. Next: notebook {chapter + 1}.")
    else:
        lines.append("All solved.")
    return Progress(tuple(lines))
