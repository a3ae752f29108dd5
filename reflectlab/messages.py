"""Message lists: who said what to whom, and what a legal list looks like.

A message is ``{"role": "user" | "assistant", "content": str}``. A history is
a list of messages as one speaker sees it: its own words are "assistant",
everybody else's are "user".
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from itertools import zip_longest

from .prompts import FOLDED_NOTE

FOLDED_LINES = 8        # how many folded rounds a compacted list names
FOLDED_CHARS = 80       # and how much of each objection it quotes

_FENCE = re.compile(
    r"^(?P<indent> {0,3})(?P<fence>`{3,}|~{3,})(?![`~])"
    r"(?P<info>(?:(?!```)[^\n])*)\n(?P<code>.*?)^ {0,3}(?P=fence)[ \t]*$",
    re.DOTALL | re.MULTILINE)
_PYTHON = re.compile(r"\s*(python3?|py)\b", re.IGNORECASE)


def user(content: str) -> dict:
    """A message from the other side."""
    return {"role": "user", "content": content}


def assistant(content: str) -> dict:
    """A message from the speaker whose history this is."""
    return {"role": "assistant", "content": content}


def size(system: str, messages: list[dict]) -> int:
    """Characters that one call sends: system prompt plus every message."""
    return len(system) + sum(len(m["content"]) for m in messages)


def problems(messages: list[dict]) -> list[str]:
    """Say what makes a message list illegal; an empty list means legal.

    Legal is what a Messages API takes from us: the user speaks first and
    last, roles alternate, no message is blank.
    """
    if not messages:
        return ["the list is empty"]
    found = []
    for i, message in enumerate(messages):
        expected = "user" if i % 2 == 0 else "assistant"
        role = message.get("role")
        if role != expected:
            found.append(f"message {i} is {role!r}, expected {expected!r}")
        if not str(message.get("content") or "").strip():
            found.append(f"message {i} is blank")
    if messages[-1].get("role") != "user":
        found.append("the last message is not the user's")
    return found


def first_difference(asked: dict, held: dict) -> tuple[tuple, str]:
    """Where two calls part.

    Args:
        asked, held: calls as models record them: ``system`` and ``messages``.

    Returns:
        A position that is larger the later they part, and a text that says
        where that is and what each holds there.
    """
    pairs = zip_longest(_parts(asked), _parts(held), fillvalue=("", ""))
    for i, ((name, new), (held_name, old)) in enumerate(pairs):
        if (name, new) != (held_name, old):
            at = (len(os.path.commonprefix([new, old]))
                  if name == held_name else 0)
            return (i, at), (f"{name or held_name}, character {at}: asked "
                             f"{new[at:at + 40]!r}, recorded "
                             f"{old[at:at + 40]!r}")
    return (0, 0), "fields other than role and content"


def _parts(call: dict) -> list[tuple[str, str]]:
    return [("the system prompt", call["system"])] + [
        (f"message {i} ({m['role']})", str(m["content"]))
        for i, m in enumerate(call["messages"], 1)]


def memory(task: str, attempt: str = "", feedback: str = "") -> list[dict]:
    """The third kind of history: task, last attempt, last feedback.

    Built anew for every call, so its length does not grow with the rounds.

    Args:
        task: the requirements, always the first message.
        attempt: the last draft; empty before there is one.
        feedback: what was said about it.
    """
    if not attempt:
        return [user(task)]
    return [user(task), assistant(attempt), user(feedback)]


def compact(history: list[dict], keep_rounds: int, *, pinned: int = 1,
            read: Callable[[str], str] = str) -> list[dict]:
    """Keep the newest rounds, fold the older ones into one line each.

    Args:
        history: a legal list. A generator's is the task followed by pairs
            (draft, feedback); a critic's is pairs (draft, critique) followed
            by the draft to review.
        keep_rounds: how many of the newest pairs stay word for word, >= 1.
        pinned: leading messages that always stay: 1 for a generator (the
            task), 0 for a critic (its requirements are in its system prompt).
        read: takes the words out of an objection, where it is JSON, say.

    Returns:
        A new legal list, bounded in length however many rounds went before.
    """
    if keep_rounds < 1:
        raise ValueError(f"keep_rounds must be at least 1, got {keep_rounds}")
    pairs = history[pinned:]
    cut = 2 * max(0, len(pairs) // 2 - keep_rounds)
    if cut == 0:
        return list(history)
    objections = [m["content"] for m in pairs[1:cut:2]]
    lines = [FOLDED_NOTE]
    if len(objections) > FOLDED_LINES:
        lines.append(f"- ({len(objections) - FOLDED_LINES} older ones)")
    lines += [f"- {gist(read(text) or text)[:FOLDED_CHARS]}"
              for text in objections[-FOLDED_LINES:]]
    note = "\n".join(lines)
    kept = history[:pinned] + pairs[cut:]
    opening = kept[0]["content"]
    both = [opening, note] if pinned else [note, opening]
    return [user("\n\n".join(both)), *kept[1:]]


def first_line(text: str) -> str:
    """The first line that is not blank; empty when there is none."""
    return next((line.strip() for line in text.splitlines()
                 if line.strip()), "")


def gist(text: str) -> str:
    """What a text objects to, in one line.

    A heading says nothing that the lines under it don't, nor does a source
    line beside the message of its error.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and (lines[0].isupper() or lines[0].endswith(":")):
        del lines[0]
    if len(lines) > 1 and lines[0].startswith("    ") and ": " in lines[1]:
        del lines[0]
    return "; ".join(line.strip().removeprefix("- ") for line in lines)


def strip_fences(text: str) -> str:
    """Take the code out of a reply that wraps it in a Markdown fence.

    Of several closed fences the first that is tagged Python wins, else the
    longest, with or without prose around it. An opening fence that was never
    closed (a truncated reply) loses its first line. A reply without a fence
    is only stripped. Line ends become plain.
    """
    text = text.lstrip("\ufeff").replace("\r\n", "\n")
    blocks = list(_FENCE.finditer(text))
    if blocks:
        python = [b for b in blocks if _PYTHON.match(b["info"])]
        best = python[0] if python else max(
            blocks, key=lambda b: len(b["code"]))
        code = re.sub(f"^ {{0,{len(best['indent'])}}}", "", best["code"],
                      flags=re.MULTILINE)
        return code.strip("\n")
    stripped = text.strip()
    if stripped.startswith(("```", "~~~")):
        return stripped.partition("\n")[2].strip("\n")
    return stripped


def digest(text: str) -> str:
    """Twelve hex digits that name a draft in a trace, white space aside."""
    folded = " ".join(text.split())
    return hashlib.sha1(folded.encode("utf-8", "surrogatepass")
                        ).hexdigest()[:12]
