"""One model call of a run: charged, bounded, retried once.

Every call of the agent goes through ``_complete``, so the budget, the
deadline, the retry and the bookkeeping exist in one place.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from .budget import BudgetExceeded, Meter, ModelUnavailable
from .critics.base import Critique
from .messages import size
from .models.base import Model, model_id, redact, text_reply
from .trace import Round
from .verifiers.verdict import Verdict

TRUNCATED = ("max_tokens", "model_context_window_exceeded")
MAX_PAUSE = 60.0        # seconds; a server may ask for weeks


class Truncated(ModelUnavailable):
    """A draft that was cut off at the model's output limit."""


@dataclass
class RunState:
    """What belongs to one run, and dies with it."""

    requirements: str
    post_process: Callable[[str], str]
    meter: Meter
    history: list[dict]                     # the generator's
    reviews: list[list[dict]]               # one history for each critic
    trace: list[Round] = field(default_factory=list)
    draft: str = ""
    best: str | None = None                 # last draft the verifier passed
    rounds: int = 0
    verdict: Verdict | None = None          # of the current round
    critique: Critique | None = None


class Caller:
    """The part of the agent that talks to models."""

    verbose: bool

    def _complete(self, run: RunState, system: str, messages: list[dict],
                  model: Model, *, attempts: int = 2, counter: str = "",
                  post_process=None) -> tuple[str, int]:
        """One reply and the attempts left over. Every attempt is charged.

        ``counter`` names what the first attempt counts as beyond a call.
        With ``post_process`` the reply must be a draft: a blank, refused or
        truncated one counts as a failed attempt, and a truncated one is
        asked for again with a larger limit.
        """
        problem = ""
        for left in reversed(range(attempts)):
            run.meter.charge(size(system, messages), counter)
            counter = "retries"
            try:
                reply = self._ask(run, model, system, messages)
                if post_process is None:
                    return reply, left
                return as_draft(reply, post_process), left
            except BudgetExceeded:
                raise
            except Exception as exc:    # a model may raise anything
                name = type(exc).__name__
                problem = redact(str(exc)) or name
                again = left and not getattr(exc, "final", False)
                self._say(f"    model call failed ({name}: {problem}); "
                          f"{'retrying' if again else 'giving up'}")
                if not again:
                    break
                if isinstance(exc, Truncated):
                    model = with_larger_limit(model)
                self._pause(run, model, exc)
        raise ModelUnavailable(problem)

    def _ask(self, run: RunState, model: Model, system: str,
             messages: list[dict]) -> str:
        """One attempt, bounded by the seconds left; what it used is booked.

        An exception may carry a ``usage`` too: a failed call can cost.
        """
        remaining = run.meter.remaining()
        if remaining < float("inf") and hasattr(model, "with_limits"):
            model = model.with_limits(timeout=remaining)
        outcome: object = None
        try:
            outcome = run.meter.within(lambda: model.complete(
                system=system, messages=messages))
            return text_reply(outcome)
        except Exception as exc:
            outcome = exc
            raise
        finally:
            run.meter.book(getattr(outcome, "usage", None),
                           model_id(outcome, model),
                           getattr(outcome, "span", None))

    def _pause(self, run: RunState, model: Model, exc: Exception) -> None:
        """Wait before a retry: as long as the model asks, 0 offline."""
        delay = getattr(model, "retry_delay", 0)
        try:
            seconds = float(getattr(exc, "retry_after", None) or delay)
        except (TypeError, ValueError):     # an HTTP date, say
            seconds = delay
        time.sleep(max(0.0, min(seconds, MAX_PAUSE, run.meter.remaining())))

    def _say(self, line: str) -> None:
        if self.verbose:
            print(line)


def as_draft(reply: str, post_process: Callable[[str], str]) -> str:
    """Turn a reply into a draft, or raise: no text, half of one, no str."""
    stopped = getattr(reply, "stop_reason", None)
    if stopped in TRUNCATED:
        raise Truncated(f"reply truncated ({stopped})")
    if stopped == "refusal" or not reply.strip():
        raise ModelUnavailable("model returned no text")
    draft = post_process(reply)
    if not isinstance(draft, str | None):
        raise TypeError(f"post_process returned {type(draft).__name__}, "
                        "not text")
    if not (draft or "").strip():
        raise ModelUnavailable("model returned no text")
    return str(draft)


def with_larger_limit(model: Model) -> Model:
    """The model with twice the output tokens, where it has such a limit."""
    limit = getattr(model, "max_tokens", None)
    if limit is None or not hasattr(model, "with_limits"):
        return model
    return model.with_limits(max_tokens=2 * limit)
