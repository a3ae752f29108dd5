"""What a run leaves behind: plain data, both ways.

``to_dict`` gives JSON types only, ``from_dict`` gives the objects back, so a
trace survives the process that made it.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

from .budget import Usage
from .critics.base import Critique, Decision, Issue
from .verifiers.verdict import Verdict


@dataclass(frozen=True)
class Check:
    """What the checking layer concluded about one draft.

    Args:
        feedback: what the generator is told.
        source: "verifier", "critic", or "none" when the run ended before
            anyone had judged the draft.
        accept: True ends the run.
        passed_verifier: True when an objective check passed.
    """

    feedback: str
    source: str
    accept: bool
    passed_verifier: bool


@dataclass(frozen=True)
class Round:
    """One iteration.

    Args:
        n: number, from 1.
        draft: the text that was judged.
        feedback: what the generator was told about it.
        source: who said so: "verifier", "critic" or "none".
        accepted: whether this draft ended the run.
        seconds: wall time of the round.
        critique: the critic's reading, if one was asked.
        verdict: the verifier's verdict, if there is one.
        usage: tokens of the round's calls.
    """

    n: int
    draft: str
    feedback: str
    source: str
    accepted: bool
    seconds: float
    critique: Critique | None = None
    verdict: Verdict | None = None
    usage: Usage | None = None

    def to_dict(self) -> dict:
        """The round as JSON types."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: dict) -> Round:
        """The inverse of ``to_dict``."""
        return cls(**{**data, "critique": _critique(data.get("critique")),
                      "verdict": _build(Verdict, data.get("verdict")),
                      "usage": _build(Usage, data.get("usage"))})


@dataclass(frozen=True)
class Result:
    """How a run ended.

    Args:
        output: the draft to use: the last verified one if there is any.
        verified: whether ``output`` passed the verifier.
        stop_reason: "accepted", "stalled: ...", "budget: ..." or
            "aborted: ...".
        rounds: drafts written.
        trace: the rounds.
        stop_detail: the numbers behind the reason.
        calls, chars: attempts made and characters sent.
        usage: tokens of all attempts.
        dollars: spend, or None when any part of it is unknown.
        seconds: wall time.
        retries, reasks: attempts after a failure, and after no verdict.
    """

    output: str
    verified: bool
    stop_reason: str
    rounds: int
    trace: list[Round] = field(default_factory=list)
    stop_detail: dict = field(default_factory=dict)
    calls: int = 0
    chars: int = 0
    usage: Usage | None = None
    dollars: float | None = None
    seconds: float = 0.0
    retries: int = 0
    reasks: int = 0

    @property
    def accepted(self) -> bool:
        """True only when the run ended by its pass rule."""
        return self.stop_reason == "accepted"

    @property
    def needs_human(self) -> bool:
        """True when the run ended and nothing had accepted the draft."""
        return not self.accepted

    def to_dict(self) -> dict:
        """The result as JSON types."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: dict) -> Result:
        """The inverse of ``to_dict``."""
        return cls(**{**data,
                      "trace": [Round.from_dict(r) for r in data["trace"]],
                      "usage": _build(Usage, data.get("usage"))})


def _build(cls, data: dict | None):
    return None if data is None else cls(**data)


def _critique(data: dict | None) -> Critique | None:
    if data is None:
        return None
    return Critique(**{
        **data, "decision": Decision(data["decision"]),
        "issues": tuple(Issue(**issue) for issue in data["issues"]),
        "parts": tuple(_critique(part) for part in data["parts"])})
