"""Transcripts and results to look at.

``show`` and ``side_by_side`` return a ``View``: printed it is one line a
message, in a notebook it is coloured HTML.
"""

from __future__ import annotations

from ..messages import assistant, user
from ..trace import Result
from .style import View, body, box, chip, escape, fold, page, passage, plain


def show(what, width: int = 58) -> View:
    """Show what a call sent, a history, or how a run ended.

    Args:
        what: a recorded call (``model.calls[3]``), a message list, or a
            ``Result``.
        width: characters of each message in the text form.

    Returns:
        A ``View``. Its text has one line a message and leaves the system
        prompt out; its HTML has the system prompt and long texts folded.

    Raises:
        TypeError: when ``what`` is none of the three.
    """
    if isinstance(what, Result):
        from .trace_view import show_result

        return show_result(what)
    system, messages = parts(what)
    blocks = [_message(m, "writer" if m["role"] == "assistant" else "other")
              for m in messages]
    return View(_lines(messages, width), page(_system(system), *blocks))


def side_by_side(left, right, *, titles=("what the WRITER saw",
                                         "what the CRITIC saw"),
                 width: int = 60) -> View:
    """Show two histories beside each other, equal texts marked as equal.

    A text has the colour of who wrote it, in both histories; its role is a
    word. A text that is in both carries the same letter on both sides.

    Args:
        left: the generator's call or history.
        right: the critic's.
        titles: a heading for each side.
        width: characters of each message in the text form.
    """
    systems, sides = [], []
    for what in (left, right):
        system, messages = parts(what)
        systems.append(system)
        sides.append(messages)
    same = letters(*sides)
    texts, columns = [], []
    for i, messages in enumerate(sides):
        texts.append(f"=== {plain(titles[i])} ===\n{_lines(messages, width)}")
        blocks = [_message(m, author(sides, i, n),
                           same.get(m["content"], ""))
                  for n, m in enumerate(messages)]
        columns.append('<div style="flex: 1 1 300px; min-width: 0">'
                       f"<b>{escape(titles[i])}</b>{_system(systems[i])}"
                       + "".join(blocks) + "</div>")
    legend = (chip("writer", "writer") + chip("critic", "critic")
              + chip("neither") + "wrote it. Same letter: the same text.")
    return View("\n\n".join(texts), page(
        '<div style="display: flex; flex-wrap: wrap; gap: 12px">',
        *columns, "</div>", legend))


def parts(what) -> tuple[str, list[dict]]:
    """System prompt and messages of a call or a history."""
    if isinstance(what, dict) and "messages" in what:
        return what.get("system", ""), what["messages"]
    if isinstance(what, (list, tuple)):
        return "", list(what)
    raise TypeError("show a call such as model.calls[0], a list of messages "
                    f"or a Result, not {type(what).__name__}")


def _lines(messages: list[dict], width: int) -> str:
    return "\n".join(
        f"  {m['role']:9s} | "
        + plain(m["content"].replace("\n", " ")[:width]) for m in messages)


def _system(system: str) -> str:
    if not system:
        return ""
    return box(fold(chip("system") + f"{len(system)} characters",
                    body(system)))


def _message(message: dict, who: str, letter: str = "") -> str:
    label = chip(message["role"], who) + (chip(letter) if letter else "")
    return box(label + passage(message["content"]), who)


def letters(left: list[dict], right: list[dict]) -> dict[str, str]:
    """A letter for each text that both histories hold, in the left's order."""
    other = {m["content"] for m in right}
    both = dict.fromkeys(m["content"] for m in left if m["content"] in other)
    return {text: chr(65 + i) if i < 26 else str(i + 1)
            for i, text in enumerate(both)}


def author(sides, side: int, n: int) -> str:
    """Who wrote message ``n`` of a side: "writer", "critic" or "other".

    What is a side's own speech is so in both histories. Else the critic is
    told by the writer; and the writer by the critic, if the critic was shown
    the draft before. If not, a verifier spoke; and first comes the task.
    """
    text = sides[side][n]["content"]
    for messages, who in zip(sides, ("writer", "critic"), strict=True):
        if assistant(text) in messages:
            return who
    if side == 1:
        return "writer"
    shown = n > 0 and user(sides[0][n - 1]["content"]) in sides[1]
    return "critic" if shown else "other"
