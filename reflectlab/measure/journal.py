"""A progress file: what a killed evaluation has done stays done.

JSON Lines, one finished item a line, flushed before the next is counted. It
is not the run log: that keeps drafts and critiques for people to read, this
keeps outcomes for the harness to continue from, and has a single writer.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path


def fingerprint(parts) -> str:
    """Twelve hex digits that name a list of texts."""
    joined = json.dumps(list(parts), ensure_ascii=False)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")
                          ).hexdigest()[:12]


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
