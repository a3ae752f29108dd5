"""Several critiques of one draft, merged into one."""

from __future__ import annotations

from collections.abc import Sequence

from ..prompts import FIX_ALL, PANEL_NO_VERDICT
from .base import Critique, Decision, Issue
from .scored import issue_line

ARTICLES = {"a", "an", "the"}
MAX_LINES = 50      # a longer objection in prose stays in one piece
RANK = {"low": 1, "medium": 2, "high": 3}


def merge(critiques: Sequence[Critique]) -> Critique:
    """Merge the critiques of a panel.

    Accepts only if all members do. One objection makes it an objection; a
    member without verdict beside it is named in the feedback. Without an
    objection a missing verdict leaves the whole panel without one.

    What two members say in the same words, but for case, punctuation and
    articles, becomes one finding under both their axes, with the higher
    severity. Texts that are only alike stay apart: "increase it" and
    "decrease it" are. One member's own findings are never merged: a critic
    that lists two problems means two.

    Args:
        critiques: one of each member, in the panel's order.

    Returns:
        The merged critique. ``parts`` holds the members' own, ``score`` the
        lowest score if every member gave one.

    Raises:
        ValueError: without critiques, since nobody would have accepted.
    """
    if not critiques:
        raise ValueError("merge needs at least one critique, got none")
    parts = tuple(critiques)
    decisions = [part.decision for part in parts]
    scores = [part.score for part in parts if part.score is not None]
    silent = {n: part.reason for n, part in enumerate(parts, 1)
              if part.decision is Decision.NO_VERDICT}
    findings = _merged_findings(parts)
    feedback = ""
    reason = "; ".join(f"reviewer {n}: {why}" for n, why in silent.items())
    if Decision.OBJECT in decisions:
        decision = Decision.OBJECT
        feedback = "\n".join([
            FIX_ALL, *(f"- {_shown(finding)}" for finding in findings),
            *(PANEL_NO_VERDICT.format(n=n, reason=why)
              for n, why in silent.items())])
    elif all(decision is Decision.ACCEPT for decision in decisions):
        decision, reason = Decision.ACCEPT, "every reviewer accepts"
    else:
        decision = Decision.NO_VERDICT
    return Critique(
        decision, feedback,
        tuple(finding for finding in findings if finding.severity),
        reason,
        score=min(scores) if len(scores) == len(parts) else None,
        raw="\n\n".join(part.raw for part in parts), parts=parts)


def _merged_findings(parts: Sequence[Critique]) -> list[Issue]:
    merged: list[Issue] = []
    for n, part in enumerate(parts, 1):
        others = len(merged)
        for finding in _findings(n, part):
            twin = next((i for i in range(others)
                         if _wording(merged[i]) == _wording(finding)), None)
            if twin is None:
                merged.append(finding)
            else:
                merged[twin] = _joined(merged[twin], finding)
    return merged


def _findings(n: int, part: Critique) -> list[Issue]:
    """A member's findings; prose gets the member's number for its axis."""
    if part.decision is Decision.NO_VERDICT:
        return []
    if part.issues or part.decision is Decision.ACCEPT:
        return list(part.issues)
    lines = [line.strip(" \t-*") for line in part.feedback.splitlines()]
    lines = [line for line in lines if line]
    if "```" in part.feedback or len(lines) > MAX_LINES:
        lines = [part.feedback]
    return [Issue(f"reviewer {n}", "", line, "") for line in lines]


def _shown(finding: Issue) -> str:
    """One line; prose stays as it came, since it may hold code."""
    if finding.severity:
        return issue_line(finding)
    return f"{finding.dimension}: {finding.description}"


def _wording(finding: Issue) -> list[str]:
    """The words that count, in their order; operators and signs are some."""
    text = finding.description.lower().replace("n't", " not")
    words = (word.strip(".,;:!?\"'`") for word in text.split())
    return [word for word in words if word and word not in ARTICLES]


def _joined(one: Issue, other: Issue) -> Issue:
    axes = one.dimension.split(" + ")
    if other.dimension not in axes:
        axes.append(other.dimension)
    fixes = [one.fix, other.fix] if other.fix != one.fix else [one.fix]
    return Issue(" + ".join(axes),
                 max(one.severity, other.severity,
                     key=lambda severity: RANK.get(severity, 0)),
                 one.description, "; ".join(fix for fix in fixes if fix))
