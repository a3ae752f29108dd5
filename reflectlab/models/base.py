"""What the loop asks of a model: one method that returns text."""

from __future__ import annotations

import os
import re
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Protocol

_KEY = re.compile(r"sk-ant-[\w-]{8,}")


class Model(Protocol):
    """Anything with ``complete``.

    A model may also have ``with_limits(*, max_tokens=None, timeout=None)``,
    which returns a model with these limits; the loop uses it when present.
    """

    def complete(self, *, system: str, messages: list[dict]) -> str:
        """Answer the last message.

        Args:
            system: the role instructions of this call.
            messages: a legal list (see ``messages.problems``).

        Returns:
            The reply; a ``Reply`` when the model knows more than the text.
        """
        ...


class Reply(str):
    """A reply that is a plain string and also says what it cost.

    Args:
        text: the reply.
        usage: a ``budget.Usage``, or None when the tokens are not known.
        stop_reason: why the model stopped ("end_turn", "max_tokens",
            "refusal", ...), or None when not known.
        model: the id of the model that answered, or None.
        span: when a replayed call was made, from and to in seconds since
            1970; None for a live one, whose time the clock counts.
    """

    def __new__(cls, text: str, *, usage=None, stop_reason: str | None = None,
                model: str | None = None,
                span: tuple[float, float] | None = None) -> Reply:
        reply = super().__new__(cls, text)
        reply.usage = usage
        reply.stop_reason = stop_reason
        reply.model = model
        reply.span = span
        return reply


def model_id(*sources: object) -> str | None:
    """The first id that a model or a reply gives as its ``.model``."""
    names = (getattr(source, "model", None) for source in sources)
    return next((name for name in names if isinstance(name, str)), None)


def text_reply(reply: object) -> str:
    """The reply if it is text; the words "None" are nobody's draft.

    Raises:
        TypeError: for anything else, bytes included.
    """
    if not isinstance(reply, str):
        raise TypeError(f"the model returned {type(reply).__name__}, "
                        "not text")
    return reply


def redact(item):
    """Take credentials out of what is printed or stored.

    Removes what looks like an API key, and the values of the two variables
    that hold one.

    Args:
        item: a text, or lists, dicts and dataclasses with texts in them.

    Returns:
        The same without credentials; what holds no text stays as it is.
    """
    if isinstance(item, dict):
        return {key: redact(value) for key, value in item.items()}
    if isinstance(item, list | tuple):
        return type(item)(map(redact, item))
    if is_dataclass(item) and not isinstance(item, type):
        return replace(item, **{f.name: redact(getattr(item, f.name))
                                for f in fields(item)})
    if isinstance(item, str) and not isinstance(item, Enum):
        return _redacted(item)
    return item


def _redacted(text: str) -> str:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        secret = os.environ.get(name, "")
        if len(secret) >= 8:        # a shorter value would hit plain words
            text = text.replace(secret, "[removed]")
    return _KEY.sub("[removed]", text)


class CallFailed(RuntimeError):
    """A call that brought no reply.

    Args:
        message: what went wrong, in one sentence, without secrets.
        retry_after: seconds the server asks us to wait, or None.
        final: True when asking again can't help (bad credentials, say).
        usage: tokens the failed call used, when known.
    """

    def __init__(self, message: str, *, retry_after: float | None = None,
                 final: bool = False, usage=None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.final = final
        self.usage = usage
