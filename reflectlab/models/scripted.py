"""Models that answer offline. They prove control flow, nothing more.

Every fake keeps ``.calls``, a copy of each ``{"system", "messages"}`` it was
asked: an argument about design becomes an assertion about data.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence

from .base import Model, model_id

EXHAUSTED = "(script exhausted)"


class ScriptExhausted(RuntimeError):
    """A strict scripted model was asked more often than its script allows."""


class ScriptedModel:
    """Replies in a fixed order.

    Args:
        script: the replies. An exception among them is raised instead. The
            sequence is copied, so running never empties the caller's list.
        strict: when the script runs out, raise ``ScriptExhausted`` instead
            of replying ``(script exhausted)``.
    """

    def __init__(self, script: Iterable[str | BaseException], *,
                 strict: bool = False) -> None:
        self.script = list(script)
        self.strict = strict
        self.calls: list[dict] = []

    def complete(self, *, system: str, messages: list[dict]) -> str:
        """Return the next reply, or raise it if it is an exception."""
        _record(self.calls, system, messages)
        if not self.script:
            if self.strict:
                raise ScriptExhausted(
                    f"call {len(self.calls)} has no scripted reply")
            return EXHAUSTED
        reply = self.script.pop(0)
        if isinstance(reply, BaseException):
            raise reply
        return reply


class PolicyModel:
    """Replies with a function of what it was asked.

    Args:
        policy: called as ``policy(system, messages)``; returns the reply.
    """

    def __init__(self, policy: Callable[[str, list[dict]], str]) -> None:
        self.policy = policy
        self.calls: list[dict] = []

    def complete(self, *, system: str, messages: list[dict]) -> str:
        """Return ``policy(system, messages)``."""
        _record(self.calls, system, messages)
        return self.policy(system, messages)


class FaultyModel:
    """Injects faults in front of another model.

    Args:
        model: answers every call that has no fault.
        faults: one item a call: None lets the call through, an exception is
            raised, a string is returned in place of the model's reply. Calls
            beyond the last item go through.
    """

    def __init__(self, model: Model,
                 faults: Sequence[str | BaseException | None]) -> None:
        self.inner = model
        self.model = model_id(model)
        self.faults = list(faults)
        self.calls: list[dict] = []

    def complete(self, *, system: str, messages: list[dict]) -> str:
        """Raise or return the call's fault, else ask the model."""
        _record(self.calls, system, messages)
        fault = self.faults.pop(0) if self.faults else None
        if isinstance(fault, BaseException):
            raise fault
        if fault is not None:
            return fault
        return self.inner.complete(system=system, messages=messages)


def _record(calls: list[dict], system: str, messages: list[dict]) -> None:
    calls.append({"system": system, "messages": copy.deepcopy(messages)})
