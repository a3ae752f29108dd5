"""The look of every view: colours, escaping, and a view that is also text.

Text keeps the colour of the page and lies on a thin tint, so that it reads
in a light and in a dark theme; labels bring their own background. The four
hues stay apart for colour-blind readers, and no meaning hangs on them alone.
"""

from __future__ import annotations

import html
from dataclasses import dataclass

# Figures: ink and grey on a card, and the colours of the series.
INK, GREY, CARD = "#1c1c1c", "#5a5a5a", "#fcfcf9"
# Who speaks: (background of a label that is written in white, tint).
SPEAKERS = {
    "writer": ("#0072b2", "rgba(0, 114, 178, 0.14)"),
    "critic": ("#b34a00", "rgba(213, 94, 0, 0.16)"),
    "verifier": ("#7a3b78", "rgba(204, 121, 167, 0.20)"),
    "other": ("#5a5a5a", "rgba(128, 128, 128, 0.14)"),
}
SERIES = [*(colour for colour, _ in SPEAKERS.values()), "#00704f"]
LONG, PREVIEW = 400, 90     # characters: folded from, shown of a folded text
# Outputs are sanitised in a notebook that isn't trusted: no classes, no
# style sheet, only properties that survive this.
_CHIP = ("display: inline-block; padding: 0 6px; border-radius: 4px; "
         "font-size: 12px; line-height: 18px; font-weight: 600; "
         "margin-right: 6px; color: #ffffff; background-color: ")
_BOX = ("margin: 3px 0; padding: 5px 8px; border-radius: 4px; "
        "line-height: 1.45; overflow-wrap: anywhere; "
        "border-left: 4px solid {}; background-color: {}")
_PRE = ("margin: 4px 0 0; padding: 0; border: none; font-size: 13px; "
        "white-space: pre-wrap; overflow-wrap: anywhere; "
        "word-break: normal; "
        "background-color: transparent")


@dataclass(frozen=True)
class View:
    """Something to look at: text where it is printed, HTML in a notebook."""

    text: str
    html: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.html


def plain(text: str) -> str:
    """Text with what steers a terminal or reorders letters made visible.

    Drafts are written by a model, so they may hold anything.
    """
    return "".join(c if c.isprintable() or c == "\n"
                   else c.encode("unicode_escape").decode() for c in text)


def escape(text: str) -> str:
    """Text for an HTML page: nothing in it acts as markup."""
    return html.escape(plain(text))


def chip(text: str, who: str = "other") -> str:
    """A label, white on the speaker's colour."""
    return (f'<b style="{_CHIP}{SPEAKERS[who][0]}">{escape(text)}</b> ')


def box(content: str, who: str = "other") -> str:
    """A block of HTML on the speaker's tint."""
    colour, tint = SPEAKERS[who]
    return f'<div style="{_BOX.format(colour, tint)}">{content}</div>'


def fold(summary: str, content: str) -> str:
    """HTML content that opens on a click or the Enter key."""
    return (f'<details><summary style="cursor: pointer">{summary}</summary>'
            f'<div style="margin-top: 4px">{content}</div></details>')


def body(text: str) -> str:
    """A text as HTML; what has several lines keeps them, and its indents."""
    return lines(escape(text)) or "<i>(empty)</i>"


def lines(content: str) -> str:
    """HTML whose line ends and indents count, when it has any."""
    if "\n" in content:
        return f'<pre style="{_PRE}">{content}</pre>'
    return content


def passage(text: str) -> str:
    """A text as HTML, folded when it is long."""
    if len(text) <= LONG:
        return body(text)
    start = escape(text[:PREVIEW].replace("\n", " "))
    return fold(f"{start} … <i>({len(text)} characters)</i>", body(text))


def page(*blocks: str) -> str:
    """Blocks one below the other, in the page's own text colour."""
    return ('<div style="max-width: 900px; font-size: 14px">'
            + "".join(blocks) + "</div>")
