"""The generator's prompts: what the writer of a draft is told to be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .prompts import (
    LESSONS_NOTE,
    SLOT,
    WRITER_SYSTEM,
    fill,
    require_slot,
)


@dataclass(frozen=True)
class Writer:
    """The generator's prompts.

    Args:
        first: system prompt of the first draft, with a ``{requirements}``
            slot.
        revise: system prompt of every later draft; the same by default.

    Raises:
        ValueError: when a prompt has no slot.
    """

    first: str = WRITER_SYSTEM
    revise: str | None = None

    def __post_init__(self) -> None:
        require_slot(self.first, "Writer.first")
        require_slot(self.revise or self.first, "Writer.revise")

    def system(self, requirements: str, *, revising: bool) -> str:
        """The system prompt of the next draft."""
        template = self.revise if revising and self.revise else self.first
        return fill(template, requirements)

    def with_lessons(self, lessons: Iterable) -> Writer:
        """A writer that is also told what earlier runs were objected to.

        Args:
            lessons: standing instructions: what ``lessons(log)`` mined, or
                strings of your own. Read them before you hand them over:
                they came from critics, and end up in a system prompt.

        Returns:
            A new writer, or this one when there are no lessons.
        """
        lines = [f"- {lesson}".replace(SLOT, "") for lesson in lessons]
        if not lines:
            return self
        note = "\n\n" + "\n".join([LESSONS_NOTE, *lines])
        return Writer(self.first + note,
                      self.revise and self.revise + note)
