"""A run as a timeline: who judged each draft, what changed, why it ended."""

from __future__ import annotations

import difflib
import re

from ..messages import digest, first_line
from ..trace import Result, Round
from .style import View, box, chip, escape, lines, page, passage, plain

MOST_WORDS = 1500       # a diff is quadratic in the words: no longer than this
_DEL = "text-decoration: line-through; background-color: rgba(213,94,0,0.28)"
_INS = ("text-decoration: underline; font-weight: 600; "
        "background-color: rgba(0,114,178,0.28)")


def show_result(result: Result) -> View:
    """Show how a run went, round by round.

    Seconds are left out: what is stored in a notebook must not change from
    one run to the next.
    """
    text = [trace_line(r) for r in result.trace]
    text.append(f"-> verified={result.verified} "
                 f"reason={result.stop_reason!r} rounds={result.rounds}")
    blocks, before = [], ""
    returned = _returned(result)
    for r in result.trace:
        blocks.append(round_block(r, before, r.n == returned))
        before = r.draft
    return View("\n".join(text), page(*blocks, _ending(result)))


def trace_line(r: Round) -> str:
    """One round in one line, as the agent prints it."""
    return plain(f"[{r.n}] draft {digest(r.draft)} -> {r.source}: "
                 f"{first_line(r.feedback)[:60]}")


def word_diff(before: str, after: str) -> str:
    """HTML of ``after``: new words underlined, lost ones struck through."""
    old, new = _words(before), _words(after)
    if len(old) + len(new) > MOST_WORDS:
        return passage(after)
    parts = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for what, a, b, c, d in matcher.get_opcodes():
        lost, came = "".join(old[a:b]), "".join(new[c:d])
        if what == "equal":
            parts.append(escape(came))
            continue
        if lost:
            parts.append(f'<del style="{_DEL}">{escape(lost)}</del>')
        if came:
            parts.append(f'<ins style="{_INS}">{escape(came)}</ins>')
    return lines("".join(parts))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+|\s+|[^\w\s]", text)


def _returned(result: Result) -> int | None:
    """Number of the round whose draft is the result."""
    return next((r.n for r in reversed(result.trace)
                 if r.draft == result.output), None)


def round_block(r: Round, before: str, returned: bool = False) -> str:
    """One round as HTML.

    Args:
        before: the draft of the round before; empty for the first.
        returned: whether this round's draft is the result.
    """
    who = r.source if r.source in ("verifier", "critic") else "other"
    head = chip(f"round {r.n}") + chip(r.source, who) + _outcome(r)
    if returned:
        head += " · <b>this draft is returned</b>"
    if before == r.draft:
        draft = "<i>the same draft as before</i>"
    elif before:
        draft = word_diff(before, r.draft)
    else:
        draft = passage(r.draft)
    said = "" if r.accepted else "<br>" + chip("feedback", who) + passage(
        r.feedback)
    return box(f"{head}<br>{chip('draft', 'writer')}{draft}{said}", who)


def _outcome(r: Round) -> str:
    """What the checks of one round came to, and what they cost."""
    parts = []
    if r.verdict is not None:
        parts.append("verifier: " + ("passed" if r.verdict.ok else
                                     r.verdict.status or "failed"))
    if r.critique is not None:
        parts.append(f"critic: {r.critique.decision}")
    if r.usage is not None and r.usage.tokens:
        least = "at least " if r.usage.unknown_calls else ""
        parts.append(f"{least}{r.usage.input_tokens} tokens in, "
                     f"{r.usage.output_tokens} out")
    return escape(" · ".join(parts))


def _ending(result: Result) -> str:
    parts = ["verified" if result.verified else "not verified"]
    if result.needs_human:
        parts.append("a person should look at it")
    parts += [f"rounds {result.rounds}", f"calls {result.calls}",
              f"characters sent {result.chars}"]
    parts += [f"{key} {value}" for key, value in result.stop_detail.items()]
    return box(f"{chip('end')}<b>{escape(result.stop_reason)}</b> · "
               + escape(" · ".join(parts)))
