"""Words of a report: the failing line, escaped text, nothing random."""

import re
import reprlib

LIMIT = 2000      # characters of a report that the draft can influence
LINE_LIMIT = 200  # characters of one quoted source line
CALL_LIMIT = 300  # characters of a call or value

BRIEF = reprlib.Repr()  # bounded, however large the value
BRIEF.maxlevel = 6
BRIEF.maxlist = BRIEF.maxtuple = BRIEF.maxset = BRIEF.maxdict = 40
BRIEF.maxstring = BRIEF.maxother = BRIEF.maxlong = CALL_LIMIT


def clean(text, limit=LIMIT):
    """Escape what could fool a terminal or a reader, cut, no addresses."""
    text = re.sub(r" at 0x[0-9a-fA-F]{4,}", "", text[:10 * limit])
    text = "".join(c if c.isprintable() or c == "\n" else
                   c.encode("unicode_escape", "surrogatepass").decode()
                   for c in text[:limit + 1])
    if len(text) > limit:
        text = text[:limit] + " [cut]"
    return text


def failing_line(exc, sources):
    """The deepest source line of ``exc`` that is in ``sources``.

    Args:
        sources: file name in the traceback -> its text.
    """
    line, step = "", exc.__traceback__
    while step is not None:
        text = sources.get(step.tb_frame.f_code.co_filename)
        if text is not None:
            line = source_line(text, step.tb_lineno)
        step = step.tb_next
    return line


def source_line(text, number):
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if number is None or not 0 < number <= len(lines):
        return ""
    return lines[number - 1].strip()[:LINE_LIMIT]


def failure(name, message, line=""):
    """``TESTS FAILED`` and the last lines of a traceback."""
    last = f"{name}: {message}" if message else name
    return clean("\n".join(["TESTS FAILED"] + [f"    {line}"] * bool(line)
                           + [last]))


def call_text(name, args, kwargs):
    parts = [safe_repr(a) for a in args]
    parts += [f"{key}={safe_repr(a)}" for key, a in kwargs.items()]
    return clean(f"{name}({', '.join(parts)})", CALL_LIMIT)


def value_text(value):
    return clean(safe_repr(value), CALL_LIMIT)


def safe_repr(value):
    """Like repr, bounded and without failing."""
    if hasattr(type(value), "__next__"):
        return "<iterator>"
    try:
        return BRIEF.repr(value)
    except Exception:
        return f"<{type(value).__name__}>"
