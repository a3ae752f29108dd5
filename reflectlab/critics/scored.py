"""A critic that grades: a score, issues with a fix each, and a verdict.

The verdict in the reply is not taken on trust. It is computed here from the
score and the severities, and a reply that says otherwise contradicts itself.
"""

from __future__ import annotations

import json
from functools import cache

from ..prompts import (
    FIX_ALL,
    NO_ISSUE_NAMED,
    SCORED_CRITIC_SYSTEM,
    fill,
    require_slot,
)
from .base import Critic, Critique, Decision, Issue, no_verdict

# What may stand around a lone object: nothing, or a Markdown fence.
FENCES = (("", ""), ("```", "```"), ("```json", "```"))


class ScoredCritic(Critic):
    """Accepts a score at or above the threshold without a high issue.

    Args:
        threshold: the lowest passing score, 1 to 10.
        prompt: system prompt with a ``{requirements}`` slot and, where it
            states the pass rule, a ``{threshold}`` slot.

    Raises:
        ValueError: for a threshold off the scale or a prompt without slot.
    """

    def __init__(self, threshold: float = 7,
                 prompt: str = SCORED_CRITIC_SYSTEM) -> None:
        if not (isinstance(threshold, int | float)
                and 1 <= threshold <= 10):
            raise ValueError(f"threshold must be 1 to 10, got {threshold!r}")
        self.threshold = threshold
        self.prompt = require_slot(prompt, "the critic's prompt")

    def system(self, requirements: str) -> str:
        """The prompt with the pass rule and the requirements."""
        prompt = self.prompt.replace("{threshold}", f"{self.threshold:g}")
        return fill(prompt, requirements)

    def parse(self, reply: str) -> Critique:
        """Read one JSON critique; anything else is no verdict.

        Never raises. Every way of being unreadable has its own reason. An
        objection may be wrapped in prose; around a pass it might be the
        objection itself, to a draft that asks for the very reply quoted.
        """
        raw = str(reply)
        try:
            text, alone = _json_object(raw)
            graded = _validated(_read(text))
        except RecursionError:
            return no_verdict("JSON nested too deeply", raw)
        except ValueError as exc:
            return no_verdict(str(exc), raw)
        score = graded.overall_score
        issues = tuple(Issue(i.dimension, i.severity, i.description, i.fix)
                       for i in graded.issues)
        high = any(issue.severity == "high" for issue in issues)
        passes = score >= self.threshold and not high
        if graded.passes != passes:
            return no_verdict(
                f"contradicts itself: passes is {str(graded.passes).lower()} "
                f"with score {score:g} and {'a' if high else 'no'} "
                "high-severity issue", raw)
        reason = f"score {score:g} of 10"
        if passes and not alone:
            return no_verdict("a passing grade with words around it", raw)
        if passes:
            return Critique(Decision.ACCEPT, "", issues, reason, score, raw)
        feedback = render_issues(issues) or NO_ISSUE_NAMED.format(
            score=f"{score:g}", threshold=f"{self.threshold:g}")
        return Critique(Decision.OBJECT, feedback, issues, reason, score, raw)


def render_issues(issues) -> str:
    """Turn issues into instructions for the reviser, one line each."""
    if not issues:
        return ""
    lines = [f"- {issue_line(issue)}" for issue in issues]
    return "\n".join([FIX_ALL, *lines])


def issue_line(issue: Issue) -> str:
    """One issue on one line."""
    severity = f"[{issue.severity.upper()}] "
    fix = f", Fix: {issue.fix}" if issue.fix else ""
    text = issue.description.strip().rstrip(".")
    return " ".join(f"{severity}{issue.dimension}: {text}{fix}".split())


def _json_object(text: str) -> tuple[str, bool]:
    """Find the JSON object in a reply, and say if nothing else is there.

    From the first opening brace to the last closing one: two objects, or
    braces in the prose, can't be read, and so don't decide anything. A fence
    is not something else.
    """
    if not text.strip():
        raise ValueError("empty reply")
    start, end = text.find("{"), text.rfind("}")
    if start < 0:
        raise ValueError("no JSON object in the reply")
    if end < start:
        raise ValueError("the JSON object is cut off")
    around = text[:start].strip().lower(), text[end + 1:].strip()
    return text[start:end + 1], around in FENCES


def _read(text: str):
    try:
        # Numbers become floats, so an endless integer is only infinity.
        return json.loads(text, parse_int=float,
                          object_pairs_hook=_without_duplicates)
    except json.JSONDecodeError:
        raise ValueError("not valid JSON") from None


def _without_duplicates(pairs: list[tuple]) -> dict:
    """Refuse what JSON lets through: one key with two values."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a JSON key is given twice")
    return found


def _validated(data):
    from pydantic import ValidationError
    try:
        return _form().model_validate(data)
    except ValidationError as exc:
        first = exc.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"not in the form asked for: {ascii(where)} "
                         f"({first['type']})") from None


@cache
def _form():
    """The form of a critique, strict: no conversion, nothing left over."""
    from typing import Annotated, Literal

    from pydantic import BaseModel, ConfigDict, Field

    text = Annotated[str, Field(pattern=r"\S")]

    class Form(BaseModel):
        model_config = ConfigDict(strict=True, extra="forbid")

    class Complaint(Form):
        dimension: Literal["factual_accuracy", "completeness", "tone",
                           "clarity"]
        severity: Literal["high", "medium", "low"]
        description: text
        fix: text

    class Graded(Form):
        overall_score: float = Field(ge=1, le=10, allow_inf_nan=False)
        issues: list[Complaint]
        passes: bool

    return Graded
