"""What a run may spend, and the meter that counts it.

A ``Budget`` is a promise made before the run; a ``Meter`` belongs to one run
and is asked before *every* attempt, retries included.
"""

from __future__ import annotations

import json
import math
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, fields

from .paths import data_path


class BudgetExceeded(RuntimeError):
    """The next attempt would go beyond the budget, so it was not made."""


class ModelUnavailable(RuntimeError):
    """The model gave nothing usable in all the attempts it had."""


@dataclass(frozen=True)
class Usage:
    """Tokens of one or more calls.

    Args:
        input_tokens: all tokens read, cached ones included.
        output_tokens: tokens written.
        cache_read: the part of the input that came from a prompt cache.
        cache_write: the part of the input that was written to one.
        unknown_calls: calls that did not say what they used. With any of
            them the sums are lower bounds.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read: int = 0
    cache_write: int = 0
    unknown_calls: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(*(getattr(self, f.name) + getattr(other, f.name)
                       for f in fields(self)))

    def __sub__(self, other: Usage) -> Usage:
        return Usage(*(getattr(self, f.name) - getattr(other, f.name)
                       for f in fields(self)))

    @property
    def tokens(self) -> int:
        """Input plus output."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True)
class Price:
    """Dollars per million tokens of one model.

    Args:
        input, output, cache_read, cache_write: the four rates.
        up_to: input tokens of a call up to which they hold; None is no end.
    """

    input: float
    output: float
    cache_read: float
    cache_write: float
    up_to: int | None = None

    def dollars(self, usage: Usage) -> float | None:
        """What one call costs; None when these rates can't tell."""
        if self.up_to is not None and usage.input_tokens > self.up_to:
            return None
        plain = usage.input_tokens - usage.cache_read - usage.cache_write
        if plain < 0:       # not counted as ``Usage`` says
            return None
        return (plain * self.input + usage.output_tokens * self.output
                + usage.cache_read * self.cache_read
                + usage.cache_write * self.cache_write) / 1e6


def price_of(model: str | None) -> Price | None:
    """Look a model id up in ``data/prices.json``.

    A dated id ("...-20251001") has the price of its undated name.

    Returns:
        Its price, or None: an unknown price is unknown, never zero.
    """
    if model is None:
        return None
    table = json.loads(data_path("prices.json").read_text("utf-8"))
    row = table["models"].get(re.sub(r"-20\d{6}$", "", model))
    return Price(**row) if row else None


@dataclass(frozen=True)
class Budget:
    """Upper bounds of one run; None means not bounded.

    Args:
        rounds: drafts to evaluate, at least 1.
        calls: model calls, retries and re-asks included; 0 allows none.
        chars: characters sent, over all attempts.
        tokens: input plus output tokens, as the model reports them.
        dollars: spend; every model of the run must have a known price.
        seconds: wall time. A call that outlives it is abandoned.

    Tokens and dollars are known only after a reply, so the last call may
    overshoot these two; the next one is not made.

    Raises:
        ValueError: when a bound is negative, not a number (of calls,
            characters or tokens: a whole one), or rounds < 1.
    """

    rounds: int = 4
    calls: int | None = 12
    chars: int | None = 200_000
    tokens: int | None = None
    dollars: float | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        at_least_one("rounds", self.rounds)
        for field in fields(self):
            value = getattr(self, field.name)
            whole = field.name not in ("dollars", "seconds")
            if value is not None and not (
                    _is_number(value, whole) and value >= 0):
                raise ValueError(
                    f"a budget of {value!r} {field.name} is not a bound: give "
                    f"a {'whole ' if whole else ''}number >= 0, or None")


def at_least_one(name: str, value: int) -> None:
    """Raise ValueError unless ``value`` is a whole number >= 1."""
    if not _is_number(value, whole=True) or value < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, "
                         f"got {value!r}")


def _is_number(value: object, whole: bool) -> bool:
    """True and False are numbers to Python, and a slip in a budget."""
    return (isinstance(value, int if whole else int | float)
            and not isinstance(value, bool))


class Meter:
    """Counts what one run spends. Safe to share between threads.

    Args:
        budget: the bounds.

    Attributes:
        calls, chars: attempts made, and characters they sent.
        retries, reasks: attempts after a transport failure, and after a
            reply that gave no verdict. Two counters: they never multiply.
        usage: tokens of all attempts so far.
        dollars: spend so far; None once any part of it is unknown.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.started = time.monotonic()
        self.calls = 0
        self.chars = 0
        self.retries = 0
        self.reasks = 0
        self.usage = Usage()
        self.dollars: float | None = 0.0
        self._replayed_to = 0.0
        self._lock = threading.Lock()

    @property
    def seconds(self) -> float:
        """Wall time since the run began."""
        return time.monotonic() - self.started

    def remaining(self) -> float:
        """Seconds left; infinite without a time budget."""
        if self.budget.seconds is None:
            return math.inf
        return self.budget.seconds - self.seconds

    def charge(self, chars: int, counter: str = "") -> None:
        """Book one attempt before it is made.

        Args:
            chars: characters that the attempt sends.
            counter: "retries" or "reasks" when it is one of these.

        Raises:
            BudgetExceeded: nothing was booked and no call may be made.
        """
        b = self.budget
        with self._lock:
            if b.calls is not None and self.calls >= b.calls:
                raise BudgetExceeded(f"call budget of {b.calls} exhausted")
            if b.chars is not None and self.chars + chars > b.chars:
                raise BudgetExceeded(
                    f"context budget of {b.chars} chars exhausted")
            if self.remaining() <= 0:
                raise BudgetExceeded(
                    f"time budget of {b.seconds:g} s exhausted")
            self._check_tokens(b)
            self.calls += 1
            self.chars += chars
            if counter:
                setattr(self, counter, getattr(self, counter) + 1)

    def _check_tokens(self, b: Budget) -> None:
        if b.tokens is not None:
            if self.usage.unknown_calls:
                raise BudgetExceeded(f"token budget of {b.tokens} can't be "
                                     "kept: a call did not report its usage")
            if self.usage.tokens >= b.tokens:
                raise BudgetExceeded(f"token budget of {b.tokens} exhausted")
        if b.dollars is not None:
            if self.dollars is None:
                raise BudgetExceeded(f"dollar budget of ${b.dollars:g} can't "
                                     "be kept: a call did not report its cost")
            if self.dollars >= b.dollars:
                raise BudgetExceeded(
                    f"dollar budget of ${b.dollars:g} exhausted")

    def book(self, usage: Usage | None, model: str | None,
             span: tuple[float, float] | None = None) -> None:
        """Add what an attempt used, failed ones too.

        Args:
            usage: its tokens; anything but a ``Usage`` says nothing.
            model: id of the model that answered, for the price.
            span: when it was made, if it is replayed: it counts like the
                paid one, its time included, calls in parallel once.
        """
        if not isinstance(usage, Usage):
            usage = None
        price = price_of(model) if usage is not None else None
        cost = None
        if price is not None and not usage.unknown_calls:
            cost = price.dollars(usage)
        with self._lock:
            if isinstance(span, tuple):
                begin, end = max(span[0], self._replayed_to), span[1]
                self.started -= max(0.0, end - begin)
                self._replayed_to = max(end, self._replayed_to)
            self.usage += usage or Usage(unknown_calls=1)
            if cost is None or self.dollars is None:
                self.dollars = None
            else:
                self.dollars += cost

    def within(self, call: Callable[[], str]) -> str:
        """Make a call, and abandon it when the run's time is up.

        An abandoned call goes on in a daemon thread: it can't be stopped
        from here, only left behind. Its tokens stay unknown.

        Raises:
            BudgetExceeded: the time budget ran out first.
        """
        remaining = self.remaining()
        if math.isinf(remaining):
            return call()
        outcome: list = []

        def work() -> None:
            try:
                outcome.append((call(), None))
            except BaseException as exc:    # handed over to the caller
                outcome.append((None, exc))

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join(max(0.0, remaining))
        if not outcome:
            raise BudgetExceeded(
                f"time budget of {self.budget.seconds:g} s exhausted")
        reply, error = outcome[0]
        if error is not None:
            raise error
        return reply
