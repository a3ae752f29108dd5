"""The README's picture: two mirrored histories, from a real run.

    python -m reflectlab.course.readme_picture FILE.svg

Text in, text out: the same picture byte for byte on every machine.
"""

from __future__ import annotations

import sys
import textwrap
from html import escape
from pathlib import Path

from ..loops import reflect_v2
from ..models.scripted import ScriptedModel
from ..tasks import load_task
from .show import author, letters, parts
from .style import CARD, GREY, INK, SPEAKERS

WIDTH, COLUMN, LINE = 860, 406, 19
WRAP = 52               # characters of a line that surely fit in a column
TITLES = ("What the WRITER sees on its second call",
          "What the CRITIC sees on its second call")


def picture() -> str:
    """The picture as SVG."""
    task = load_task("release_note")
    model = ScriptedModel(task.scripts["v2"], strict=True)
    reflect_v2(model, task.spec)
    sides = [parts(call)[1] for call in model.calls[2:4]]
    same = letters(*sides)
    shapes, bottom = [], 0
    for i, messages in enumerate(sides):
        x, y = 16 + i * (COLUMN + 16), 56
        shapes.append(_text(x, 36, TITLES[i], 'font-weight="bold"'))
        for n, message in enumerate(messages):
            text = message["content"]
            box, height = _message(x, y, message["role"], text,
                                   author(sides, i, n),
                                   same.get(text, ""))
            shapes.append(box)
            y += height + 8
        bottom = max(bottom, y)
    shapes.append(_legend(bottom + 18))
    height = bottom + 38
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
            f'height="{height}" viewBox="0 0 {WIDTH} {height}" '
            'font-family="Helvetica, Arial, sans-serif" font-size="14">\n'
            "<title>Two mirrored histories: the same texts, opposite roles"
            "</title>\n"
            f'<rect width="{WIDTH}" height="{height}" rx="8" fill="{CARD}"/>'
            "\n" + "\n".join(shapes) + "\n</svg>\n")


def _message(x: int, y: int, role: str, text: str, who: str,
             letter: str) -> tuple[str, int]:
    """One message as SVG, and its height."""
    colour = SPEAKERS[who][0]
    rows = textwrap.wrap(text, WRAP)
    height = 34 + LINE * len(rows)
    shapes = [f'<rect x="{x}" y="{y}" width="{COLUMN}" height="{height}" '
              f'rx="4" fill="{colour}" fill-opacity="0.13"/>',
              f'<rect x="{x}" y="{y}" width="5" height="{height}" '
              f'fill="{colour}"/>', _chip(x + 14, y + 7, role, colour)]
    if letter:
        shapes.append(_chip(x + 34 + 8 * len(role), y + 7, letter, GREY))
    shapes += [_text(x + 14, y + 42 + LINE * i, row)
               for i, row in enumerate(rows)]
    return "\n".join(shapes), height


def _legend(y: int) -> str:
    return "\n".join([
        _chip(16, y - 13, "writer", SPEAKERS["writer"][0]),
        _chip(84, y - 13, "critic", SPEAKERS["critic"][0]),
        _text(154, y, "wrote it.  Same letter: the same text, in the "
                      "opposite role.")])


def _chip(x: int, y: int, text: str, colour: str) -> str:
    width = 14 + 8 * len(text)
    return (f'<rect x="{x}" y="{y}" width="{width}" height="18" rx="4" '
            f'fill="{colour}"/>'
            f'<text x="{x + width / 2:g}" y="{y + 13}" fill="#ffffff" '
            'font-size="12" font-weight="bold" text-anchor="middle">'
            f"{escape(text)}</text>")


def _text(x: int, y: int, text: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" fill="{INK}" {more}>{escape(text)}</text>'


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(picture(), "utf-8", newline="\n")
