"""A progress file: what a killed evaluation has done stays done.

JSON Lines, one finished item a line, flushed before the next is counted. It
is not the run log: that keeps drafts and critiques for people to read, this
keeps outcomes for the harness to continue from, and has a single writer.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from types import CellType


def fingerprint(parts) -> str:
    """Twelve hex digits that name a list of texts."""
    joined = json.dumps(list(parts), ensure_ascii=False)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")
                          ).hexdigest()[:12]


def described(thing, depth: int = 6) -> str:
    """A text that is the same in every process: no address, no set order.

    A function is its name and what its closure holds, a partial its
    arguments too, any other object its repr.

    Args:
        thing: a setting, a function, or a collection of these.
        depth: how far to follow; a function may hold itself.
    """
    if depth == 0:
        return ""
    cells = getattr(thing, "__closure__", None)
    if isinstance(thing, partial):
        parts: Iterable = [thing.func, thing.args, thing.keywords]
    elif isinstance(thing, dict):
        parts = thing.items()
    elif isinstance(thing, (list, tuple, set, frozenset)):
        parts = thing
    elif cells:
        parts = [thing.__qualname__, *(cell.cell_contents for cell in cells
                                       if cell != CellType())]
    else:
        return re.sub(r" at 0x\w+", "", repr(thing))
    texts = [described(part, depth - 1) for part in parts]
    if isinstance(thing, (set, frozenset)):
        texts.sort()
    return f"{type(thing).__name__}({', '.join(texts)})"


class Journal:
    """Finished items by key.

    Args:
        path: the file; created when missing. One file belongs to one
            configuration: delete it when the agent changes.
        about: fingerprint of what is evaluated.

    Raises:
        ValueError: the file is no journal, or of another evaluation.
    """

    def __init__(self, path, about: str) -> None:
        self.path = Path(path)
        self.done: dict[str, dict] = {}
        head = {"journal": 1, "about": about}
        text = self.path.read_text("utf-8") if self.path.exists() else ""
        whole, _, torn = text.rpartition("\n")
        if torn:        # killed while writing: that item is done again
            self.path.write_text(whole + "\n" if whole else "", "utf-8")
        if not whole:
            self._append(head)
            return
        for number, line in enumerate(whole.split("\n"), 1):
            try:
                item = json.loads(line)
                if number == 1:
                    same = item == head
                else:
                    self.done[item["key"]] = item["value"]
            except (ValueError, KeyError, TypeError) as exc:
                raise ValueError(f"{self.path}, line {number}: not a line of "
                                 f"a progress file ({exc})") from exc
            if not same:
                raise ValueError(
                    f"{self.path} belongs to another evaluation: give "
                    "another file, or delete this one to start again")

    def add(self, key: str, value: dict) -> None:
        """Remember a finished item, on disk first."""
        self._append({"key": key, "value": value})
        self.done[key] = value

    def _append(self, item: dict) -> None:
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(item) + "\n")
