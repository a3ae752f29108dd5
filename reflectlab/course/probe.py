"""Call a learner's code and compare what comes, whatever it does.

A check looks at behaviour only: values on inputs, and what a recording model
was asked. Everything here turns into ``NotYet``, a message for the learner;
nothing of the learner's ends the check.
"""

from __future__ import annotations

import contextlib
import copy
import io
import math
import re
import signal
import textwrap
import threading
from collections.abc import Iterator

SECONDS = 10.0          # a call that takes longer counts as endless
SHOWN = 300             # characters of a value that a message shows
PRINTED = 400           # and of what the learner's code printed


class NotYet(Exception):
    """Why an answer is not right yet, as text for the learner."""


class _TimeUp(BaseException):
    """Not an Exception, so that ``except Exception`` lets it through."""


class _Printed(io.StringIO):
    """Takes any amount of printing and keeps its beginning."""

    def write(self, text: str) -> int:
        if self.tell() < PRINTED:
            super().write(text[:PRINTED])
        return len(text)


def not_yet(idea: str, **facts: object) -> NotYet:
    """Build the message: the facts, one a line, then the idea missed.

    Args:
        idea: what the answer has not understood, in a sentence or two.
        facts: ``input=``, ``expected=``, ``got=`` and the like, as text.
    """
    lines = [f"{name + ':':10}{text}" for name, text in facts.items() if text]
    lines += textwrap.wrap(idea, 77, break_on_hyphens=False)
    return NotYet("\n".join(lines))


def shown(value: object) -> str:
    """A value as the messages show it: short, and without addresses."""
    try:
        text = repr(value)
    except Exception:               # a repr of the learner's own
        text = f"an object of type {type(value).__name__}"
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", text)
    return text if len(text) <= SHOWN else text[:SHOWN - 4] + " ..."


def call(function, *args, label: str = ""):
    """Call the learner's function on copies of the arguments.

    Args:
        function: the answer.
        args: the input. Models go in as they are, everything else is copied,
            so that code that changes its input does not spoil the next case.
        label: what a message calls this input; the call itself by default.

    Returns:
        What the function returned.

    Raises:
        NotYet: it raised, ended Python, never ended, or is no function.
    """
    return _call(function, args, label)[0]


def expect(function, args: tuple, want: object, idea: str,
           label: str = "") -> None:
    """Call the learner's function and compare.

    Args:
        function: the answer.
        args: the input.
        want: the right value. A list matches a tuple, floats match within
            1e-6; True and False match only themselves.
        idea: what an answer that differs here has not understood.
        label: what a message calls this input.

    Raises:
        NotYet: the value differs, or there is none.
    """
    got, printed = _call(function, args, label)
    if not same(got, want):
        raise not_yet(idea, input=label or written(function, args),
                      expected=shown(want), got=shown(got), printed=printed)


def same(got: object, want: object) -> bool:
    """Whether a learner's value is the wanted one. Never raises."""
    try:
        if isinstance(want, bool) or want is None:
            return got is want
        if isinstance(want, float):
            return not isinstance(got, bool) and math.isclose(
                got, want, rel_tol=1e-6, abs_tol=1e-6)
        if isinstance(want, (list, tuple)):
            return (isinstance(got, (list, tuple)) and len(got) == len(want)
                    and all(map(same, got, want)))
        if isinstance(want, dict):
            return (isinstance(got, dict) and got.keys() == want.keys()
                    and all(same(got[key], want[key]) for key in want))
        return not isinstance(got, bool) and bool(got == want)
    except Exception:               # a comparison of the learner's own
        return False


def recognised(got: object, usual: list[tuple[object, str]],
               otherwise: str) -> str:
    """Say what was missed, when the wrong value is a well-known one.

    Args:
        got: the learner's value, already known to be wrong.
        usual: (value, idea) pairs, the first match wins.
        otherwise: the idea for any other value.
    """
    return next((idea for value, idea in usual if same(got, value)),
                otherwise)


def slip(got: object, want: object) -> str:
    """Name a fault of form: the right values, rounded or as per cent.

    Args:
        got: the learner's value, already known to be wrong.
        want: the right one: a float, or a sequence or dict of floats.

    Returns:
        What to do about it; empty when the fault is another one.
    """
    # Two digits or more of a share, none or more of a larger number.
    if any(same(got, _each(want, lambda x, n=n: round(
            x, n if abs(x) <= 1 else n - 2))) for n in range(2, 8)):
        return "This is right but rounded: return the number as it comes."
    if same(got, _each(want, lambda x: 100 * x)):
        return "Give shares from 0 to 1, not per cent."
    return ""


def _each(value, change):
    """The same structure with every float in it changed."""
    if isinstance(value, dict):
        return {key: _each(x, change) for key, x in value.items()}
    if isinstance(value, (list, tuple)):
        return [_each(x, change) for x in value]
    return change(value) if isinstance(value, float) else value


def written(function, args: tuple) -> str:
    """The call as one would write it."""
    name = getattr(function, "__name__", "answer")
    return f"{name}({', '.join(map(shown, args))})"


def _call(function, args: tuple, label: str) -> tuple[object, str]:
    if not callable(function):
        raise not_yet("The check needs a function that it can call.",
                      got=shown(function))
    label = label or written(function, args)
    printed = _Printed()
    try:
        with (contextlib.redirect_stdout(printed),
              contextlib.redirect_stderr(printed), _limit(SECONDS)):
            value = function(*map(_copied, args))
    except NotYet:
        raise
    except (_TimeUp, KeyboardInterrupt):
        raise not_yet("Your code did not come to an end, so it was "
                      "interrupted. Which loop never reaches its exit?",
                      input=label, printed=_text(printed)) from None
    except SystemExit:
        raise not_yet("Your code ended Python with sys.exit(). Return a "
                      "value instead.", input=label,
                      printed=_text(printed)) from None
    except BaseException as exc:
        raise not_yet("Your code raised this exception.", input=label,
                      got=f"{type(exc).__name__}: {_message(exc)}",
                      where=_line(exc, function),
                      printed=_text(printed)) from None
    return value, _text(printed)


def _copied(value: object) -> object:
    plain = isinstance(value, (list, tuple, dict, set))
    return copy.deepcopy(value) if plain else value


def _text(printed: io.StringIO) -> str:
    return printed.getvalue()[:PRINTED].strip()


def _message(exc: BaseException) -> str:
    try:
        text = " ".join(str(exc).split())
    except Exception:               # a message of the learner's own
        return "(no message)"
    return re.sub(r" at 0x[0-9a-fA-F]+", "", text)[:SHOWN]


def _line(exc: BaseException, function) -> str:
    """Which line of the learner's function it was, counted from its def."""
    code = getattr(function, "__code__", None)
    frame, line = exc.__traceback__, ""
    while frame is not None:
        if frame.tb_frame.f_code is code:
            number = frame.tb_lineno - code.co_firstlineno + 1
            line = f"line {number} of {code.co_name}"
        frame = frame.tb_next
    return line


@contextlib.contextmanager
def _limit(seconds: float) -> Iterator[None]:
    """Interrupt what takes too long.

    Only the main thread of a Unix process has an alarm. Elsewhere an endless
    loop goes on until the kernel is interrupted; that ends in the same
    message.
    """
    if (not hasattr(signal, "setitimer")
            or threading.current_thread() is not threading.main_thread()):
        yield
        return

    def ring(*_):
        raise _TimeUp

    handler = signal.signal(signal.SIGALRM, ring)
    # It rings again, in case a bare `except:` of the learner's took it.
    timer = signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler)
