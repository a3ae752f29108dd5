"""What the log has to teach: recurring complaints become instructions.

An instruction made of a critic's words can be wrong, so a person reads it
before a writer gets it, and the delta says whether it helps.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from .critics.base import Decision
from .messages import gist
from .prompts import LESSON
from .runlog import KIND, RunLog
from .trace import Round

ALIKE = 85          # rapidfuzz score from which two complaints are one
LONGEST = 200       # characters of a complaint
_LABEL = re.compile(r"^(?:[-*]\s+|\d+[.)]\s+)?(?:Problem: )?")


@dataclass(frozen=True)
class Lesson:
    """A recurring complaint and the instruction made of it.

    Args:
        instruction: a line for the writer's prompt; ``str`` gives it too.
        complaint: its most frequent wording.
        count: how often it was made.
        run_ids: the runs that it came from.
    """

    instruction: str
    complaint: str
    count: int
    run_ids: tuple[int, ...]

    def __str__(self) -> str:
        return self.instruction


def lessons(log: RunLog, *, kind: str | None = None, min_runs: int = 2,
            limit: int = 5) -> list[Lesson]:
    """Recurring complaints of finished runs, the most widespread first.

    Read them, ``log.dismiss`` the wrong ones, and hand the rest to
    ``Writer.with_lessons``. Whether they help is for the delta to say.

    Args:
        log: where to look.
        kind: only tasks of this kind (see ``RunLog.failing``).
        min_runs: different runs that must have heard a complaint.
        limit: the most instructions to return: a prompt is not a dump.
    """
    groups: list[list[tuple[int, str, str]]] = []
    for row in log.query(
            "SELECT run_id, round FROM attempts WHERE NOT passed AND run_id "
            "IN (SELECT run_id FROM runs WHERE stop_reason IS NOT NULL) AND "
            f"(? IS NULL OR {KIND} = ?) "
            "ORDER BY run_id, attempt", kind, kind):
        for text, fix in _complaints(Round.from_dict(
                json.loads(row["round"]))):
            group = next((g for g in groups if _alike(g[0][1], text)), None)
            if group is None:
                groups.append(group := [])
            group.append((row["run_id"], text, fix))
    unwanted = [r["complaint"] for r in log.query("SELECT * FROM dismissed")]
    found = [_lesson(group) for group in groups
             if not any(_alike(group[0][1], text) for text in unwanted)]
    found = [x for x in found if len(x.run_ids) >= min_runs]
    found.sort(key=lambda x: (-len(x.run_ids), -x.count))
    return found[:limit]


def _complaints(round_: Round) -> Iterator[tuple[str, str]]:
    """What a round objected to, each with its fix if the critic gave one."""
    verdict, critique = round_.verdict, round_.critique
    if verdict is not None and not verdict.ok and verdict.signal:
        yield _one_line(gist(verdict.report)), ""
    elif critique is not None and critique.decision is Decision.OBJECT:
        for issue in critique.issues:
            yield _one_line(issue.description), _one_line(issue.fix)
        if not critique.issues:
            for text in re.split(r"\n|(?=Problem: )", critique.feedback):
                if text.strip():
                    yield _one_line(text), ""


def _one_line(text: str) -> str:
    return _LABEL.sub("", " ".join(text.split()))[:LONGEST]


def _alike(one: str, other: str) -> bool:
    from rapidfuzz import fuzz

    return fuzz.token_sort_ratio(one.lower(), other.lower()) >= ALIKE


def _lesson(group: list[tuple[int, str, str]]) -> Lesson:
    wording = Counter(text for _, text, _ in group).most_common(1)[0][0]
    fixes = Counter(fix for _, _, fix in group if fix).most_common(1)
    return Lesson(fixes[0][0] if fixes else LESSON.format(complaint=wording),
                  wording, len(group),
                  tuple(dict.fromkeys(run_id for run_id, _, _ in group)))
