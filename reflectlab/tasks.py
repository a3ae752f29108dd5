"""The course's tasks, read from ``data/tasks/``."""

from __future__ import annotations

import json
from dataclasses import dataclass

from .paths import data_path


@dataclass(frozen=True)
class Task:
    """One task with what goes with it.

    Args:
        spec: the requirements, as the user states them.
        tests: a test suite, as Python text; empty for prose tasks.
        drafts: scripted drafts, in order.
        scripts: other scripted replies, by name.
    """

    spec: str
    tests: str
    drafts: tuple[str, ...]
    scripts: dict


def load_task(name: str) -> Task:
    """Load ``data/tasks/<name>/``.

    Args:
        name: "release_note" or "parse_duration".

    Raises:
        FileNotFoundError: when there is no such task.
    """
    folder = data_path("tasks", name)
    texts = {p.name: p.read_text("utf-8").rstrip("\n")
             for p in sorted(folder.iterdir()) if p.is_file()}
    return Task(
        texts["spec.txt"], texts.get("tests.py", ""),
        tuple(t for n, t in texts.items() if n.startswith("draft_")),
        {k: v for n, t in texts.items() if n.endswith(".json")
         for k, v in json.loads(t).items()})
