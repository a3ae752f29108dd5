"""Claude, or any server that speaks the Messages API, as a ``Model``.

The SDK's own retries are switched off: the agent's budget counts attempts,
so there is one retry policy, and it is the agent's.
"""

from __future__ import annotations

import copy
import os
import re
import warnings
from collections.abc import Callable

from ..budget import Usage, price_of
from .base import CallFailed, Reply

DEFAULT_MODEL = "claude-sonnet-5-5"
MODEL_VARIABLE = "REFLECTLAB_MODEL"
BASE_VARIABLE = "ANTHROPIC_BASE_URL"
MAX_TOKENS = 2048
LARGEST_MAX_TOKENS = 21_333     # beyond it the SDK insists on streaming

NO_CREDENTIALS = (
    "no credentials for Claude: set ANTHROPIC_API_KEY, or pass base_url= (or "
    "set ANTHROPIC_BASE_URL) for a server of your own")


class AnthropicModel:
    """One Claude model behind the one-method interface.

    Args:
        model: model id; default from ``REFLECTLAB_MODEL``, else
            ``DEFAULT_MODEL``.
        max_tokens: most tokens of a reply, 1 to 21,333.
        timeout: seconds one call may take.
        base_url: another server that speaks the Messages API.
        api_key: default from the environment; never shown or stored.
        retry_delay: seconds the agent waits before it retries.
        extra_body: further request fields, for servers that take them.

    ``.ready`` is False when a call would fail for want of credentials.

    Raises:
        ValueError: when ``max_tokens`` is out of range.

    Warns:
        FutureWarning: for an id that is being retired, naming another.
    """

    def __init__(self, model: str | None = None, *,
                 max_tokens: int = MAX_TOKENS, timeout: float = 120.0,
                 base_url: str | None = None, api_key: str | None = None,
                 retry_delay: float = 1.0,
                 extra_body: dict | None = None) -> None:
        if not 1 <= max_tokens <= LARGEST_MAX_TOKENS:
            raise ValueError(f"max_tokens must be from 1 to "
                             f"{LARGEST_MAX_TOKENS}, got {max_tokens}")
        import anthropic  # over a second: only when a model is built

        self.model = model or os.environ.get(MODEL_VARIABLE) or DEFAULT_MODEL
        self.max_tokens = max_tokens
        self.timeout = timeout
        self.retry_delay = retry_delay
        self._extra_body = extra_body
        self._errors = anthropic
        sdk = anthropic.Anthropic(api_key=api_key, base_url=base_url,
                                  max_retries=0)
        self.ready = bool(sdk.api_key or sdk.auth_token or sdk.credentials)
        if not self.ready and (base_url or os.environ.get(BASE_VARIABLE)):
            sdk = sdk.with_options(api_key="none")  # it wants one, a local
            self.ready = True                       # server does not
        self._sdk = sdk
        _warn_if_deprecated(self.model)

    def __repr__(self) -> str:
        return (f"AnthropicModel({self.model!r}, "
                f"max_tokens={self.max_tokens})")

    def with_limits(self, *, max_tokens: int | None = None,
                    timeout: float | None = None) -> AnthropicModel:
        """The same model with other limits; the connection is shared."""
        other = copy.copy(self)
        if max_tokens is not None:
            other.max_tokens = min(max_tokens, LARGEST_MAX_TOKENS)
        if timeout is not None:
            other.timeout = min(timeout, self.timeout)
        return other

    def complete(self, *, system: str, messages: list[dict]) -> Reply:
        """Ask once.

        Returns:
            The reply with its usage, stop reason and model id. Its text is
            empty when the model returned none.

        Raises:
            CallFailed: whatever went wrong, in one sentence without the key.
        """
        return self._asked(lambda: _read(self._sdk.messages.create(
            model=self.model, max_tokens=self.max_tokens,
            system=_cached(system), messages=messages,
            timeout=self.timeout, extra_body=self._extra_body)))

    def count_tokens(self, *, system: str, messages: list[dict]) -> int:
        """Input tokens of a call, counted by the server, free of charge."""
        return self._asked(lambda: self._sdk.messages.count_tokens(
            model=self.model, system=_cached(system), messages=messages,
            timeout=self.timeout).input_tokens)

    def close(self) -> None:
        """Close the connection, which all models with other limits share."""
        self._sdk.close()

    def _asked(self, call: Callable):
        """What the call returns; what it raises, as ours.

        Raised outside of the except clause, or the SDK's exception, which
        holds the request's headers, would hang on ours as its context.
        """
        if not self.ready:
            raise CallFailed(NO_CREDENTIALS, final=True)
        try:
            return call()
        except Exception as exc:
            failure = self._failure(exc)
        raise failure

    def _failure(self, exc: Exception) -> CallFailed:
        """Turn any error of a call into ours."""
        sdk = self._errors
        text, wait, final = str(exc), None, False
        if isinstance(exc, sdk.APITimeoutError):
            text = f"no answer within {self.timeout:.3g} s"
        elif isinstance(exc, sdk.APIStatusError):
            # 408, 409, 429 and 5xx may pass; the others will not
            final = (exc.status_code < 500
                     and exc.status_code not in (408, 409, 429))
            text = f"HTTP {exc.status_code}: {_server_message(exc)}"
            wait = _retry_after(exc.response.headers.get("retry-after"))
        for secret in (self._sdk.api_key, self._sdk.auth_token):
            if secret and len(secret) >= 8:
                text = text.replace(secret, "[removed]")
        return CallFailed(text[:500], retry_after=wait, final=final)


def _cached(system: str) -> list[dict]:
    """The system prompt holds the requirements: the part worth caching."""
    return [{"type": "text", "text": system,
             "cache_control": {"type": "ephemeral"}}]


def _read(answer) -> Reply:
    if not hasattr(answer, "content"):      # a proxy's HTML page, say
        raise CallFailed("the server's answer is not a Messages API reply")
    text = "".join(block.text for block in answer.content or []
                   if block.type == "text")
    return Reply(text, usage=_usage(answer.usage),
                 stop_reason=answer.stop_reason, model=answer.model)


def _usage(used) -> Usage | None:
    if used is None or used.input_tokens is None:
        return None
    read = used.cache_read_input_tokens or 0
    write = used.cache_creation_input_tokens or 0
    return Usage(used.input_tokens + read + write, used.output_tokens or 0,
                 cache_read=read, cache_write=write)


def _server_message(exc) -> str:
    body = exc.body
    if isinstance(body, dict) and isinstance(body.get("error"), dict):
        return str(body["error"].get("message") or exc.message)
    return exc.message


def _retry_after(header: str | None) -> float | None:
    """Seconds the server asks for; the agent bounds them. No dates."""
    try:
        return max(0.0, float(header))
    except (TypeError, ValueError):
        return None


def _warn_if_deprecated(model: str) -> None:
    from anthropic.resources.messages.messages import DEPRECATED_MODELS

    if model in DEPRECATED_MODELS:
        newer = f"claude-{model.split('-')[1]}-5-5"
        warnings.warn(
            f"{model} reaches its end of life on {DEPRECATED_MODELS[model]}: "
            f"use {newer if price_of(newer) else DEFAULT_MODEL}",
            FutureWarning, stacklevel=3)
        # The SDK would say it again with every call.
        warnings.filterwarnings("ignore", re.escape(f"The model '{model}'"),
                                DeprecationWarning)
