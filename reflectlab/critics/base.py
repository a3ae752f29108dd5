"""What a critic is: a prompt and a parser, and nothing else.

A critic calls no model, so it is pure: it can be fuzzed, replayed and
calibrated. The loop (or ``bind``) does the asking.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from numbers import Real
from typing import Any, Protocol

from ..messages import user


class Decision(StrEnum):
    """The three things that a critique can come to."""

    ACCEPT = "accept"
    OBJECT = "object"
    NO_VERDICT = "no verdict"


@dataclass(frozen=True)
class Issue:
    """One complaint about a draft.

    Args:
        dimension: the axis it is about ("clarity", "price", ...).
        severity: "high", "medium" or "low".
        description: what is wrong.
        fix: what would mend it.
    """

    dimension: str
    severity: str
    description: str
    fix: str

    def __post_init__(self) -> None:
        _require_texts(self, "dimension", "severity", "description", "fix")


@dataclass(frozen=True)
class Critique:
    """What came of one review.

    Args:
        decision: accept, object or no verdict.
        feedback: text for the generator.
        issues: the complaints, when the critic is structured.
        reason: why there is no verdict, or why it is an objection.
        score: the critic's score on its own scale, when it gives one.
        raw: the reply as it came.
        parts: the single critiques behind a panel's merged one.

    Raises:
        TypeError: for a value of another type: a decision that isn't a
            ``Decision`` (the string "accept", say) decides nothing.
    """

    decision: Decision
    feedback: str
    issues: tuple[Issue, ...] = ()
    reason: str = ""
    score: float | None = None
    raw: str = ""
    parts: tuple[Critique, ...] = ()

    def __post_init__(self) -> None:
        _require_texts(self, "feedback", "reason", "raw")
        if not isinstance(self.decision, Decision):
            raise TypeError("Critique.decision must be a Decision, got "
                            f"{self.decision!r}")
        if self.score is not None and not isinstance(self.score, Real):
            raise TypeError("Critique.score must be a number or None, got "
                            f"{self.score!r}")
        if not (isinstance(self.issues, tuple | list)
                and all(isinstance(issue, Issue) for issue in self.issues)):
            raise TypeError("Critique.issues must hold Issue objects, got "
                            f"{self.issues!r}")


def _require_texts(record, *names: str) -> None:
    for name in names:
        value = getattr(record, name)
        if not isinstance(value, str):
            raise TypeError(f"{type(record).__name__}.{name} must be text, "
                            f"got {value!r}")


class CriticLike(Protocol):
    """What the loop needs of a critic."""

    def system(self, requirements: str) -> str:
        """The critic's system prompt, with the requirements in it."""
        ...

    def parse(self, reply: str) -> Critique:
        """Read one reply. Never raises."""
        ...


class Critic:
    """Base of our critics: adds ``bind``."""

    def system(self, requirements: str) -> str:
        """The critic's system prompt, with the requirements in it."""
        raise NotImplementedError

    def parse(self, reply: str) -> Critique:
        """Read one reply. Never raises."""
        raise NotImplementedError

    def bind(self, model) -> Judge:
        """Pair this critic with a model, for calibration.

        Args:
            model: anything with ``complete``.

        Returns:
            ``judge(requirements, draft) -> Critique``.
        """
        return Judge(self, model)


@dataclass(frozen=True)
class Judge:
    """A critic with a model: ``judge(requirements, draft) -> Critique``.

    One call, no memory, no re-ask: what is calibrated is a single reading.
    Plain data, so that it can be sent to another process.

    Args:
        critic: writes the prompt and reads the reply.
        model: anything with ``complete``.
    """

    critic: CriticLike
    model: Any

    def ask(self, requirements: str, draft: str) -> tuple[Critique, str]:
        """The critique, and the reply as it came, with its usage."""
        reply = self.model.complete(system=self.critic.system(requirements),
                                    messages=[user(draft)])
        return read_reply(self.critic, reply), reply

    def __call__(self, requirements: str, draft: str) -> Critique:
        """The critique alone."""
        return self.ask(requirements, draft)[0]


def read_reply(critic: CriticLike, reply: str) -> Critique:
    """Parse a reply, unless it was cut off or refused. Never raises.

    A truncated reply is neither a pass nor a fail, whatever its text says;
    nor is one that breaks the critic's parser, which may be anybody's.
    """
    if not isinstance(reply, str):
        return no_verdict(f"the model returned {type(reply).__name__}, "
                          "not text")
    stopped = getattr(reply, "stop_reason", None)
    if stopped in ("max_tokens", "model_context_window_exceeded"):
        return no_verdict("truncated", reply)
    if stopped == "refusal":
        return no_verdict("refused", reply)
    try:
        critique = critic.parse(reply)
    except Exception as exc:
        return no_verdict(f"parse failed, {type(exc).__name__}: {exc}", reply)
    if not isinstance(critique, Critique):
        return no_verdict(f"parse returned {type(critique).__name__}, not a "
                          "Critique", reply)
    return critique


def no_verdict(reason: str, raw: str = "") -> Critique:
    """A critique that decides nothing, with the reason why."""
    return Critique(Decision.NO_VERDICT, "", reason=reason, raw=str(raw))
