"""The course as a timetable: sections, exercises, and agendas from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..paths import PACKAGE
from .exercise import exercises

SECTION = re.compile(
    r"^#{2,3} (.+?) · \*(core|deep dive), (\d+) minutes\*$", re.M)
EXERCISE = re.compile(r"^### Exercise (\d+\.\d+): (.+)$", re.M)
WEEK, RESERVE = 90, 5       # minutes of a weekly session, kept free of them


@dataclass(frozen=True)
class Part:
    """A section or an exercise of a notebook.

    Args:
        id: "1/build-v1" (notebook and cell) or, of an exercise, "1.1".
        chapter: number of the notebook.
        title: as the reader sees it.
        kind: "core", "deep dive" or "exercise".
        minutes: what it takes.
    """

    id: str
    chapter: int
    title: str
    kind: str
    minutes: int


def notebooks() -> dict:
    """The five notebooks as they are committed, by number.

    Raises:
        FileNotFoundError: there are none, as in an installed wheel.
    """
    import nbformat

    folder = PACKAGE.parent / "notebooks"
    files = sorted(folder.glob("0*.ipynb"))
    if not files:
        raise FileNotFoundError(
            f"no notebooks in {folder}: the wheel does not hold them, so run "
            "this in a checkout, installed with `make lab`")
    return {int(path.name[:2]): (path.name, nbformat.read(path, as_version=4))
            for path in files}


def parts(chapter: int, notebook) -> Iterator[Part]:
    """The sections and exercises of a notebook, in its order.

    Args:
        chapter: its number.
        notebook: the parsed file.
    """
    every = exercises()
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for title, kind, minutes in SECTION.findall(cell.source):
                yield Part(f"{chapter}/{cell.id}", chapter, title, kind,
                           int(minutes))
            for id, title in EXERCISE.findall(cell.source):
                yield Part(id, chapter, f"Exercise {id}: {title}",
                           "exercise", every[id].minutes)


def clock(minutes: int) -> str:
    """Minutes as hours and minutes, "1:05"."""
    return f"{minutes // 60}:{minutes % 60:02}"


def total(chosen: Iterable[Part]) -> int:
    """Minutes of some parts together."""
    return sum(part.minutes for part in chosen)


def agenda(name: str, minutes: int, chosen: list[Part], pause: int) -> str:
    """One session as Markdown: what begins when, and what time is left.

    Args:
        name: heading.
        minutes: length of the session.
        chosen: what is done, in order.
        pause: minutes of break, taken in the middle.

    Raises:
        ValueError: the parts and the break don't fit.
    """
    need = total(chosen) + pause
    if need > minutes:
        raise ValueError(f"agenda {name!r} needs {need} minutes of {minutes}")
    lines = [f"## {name}", "", "| at | notebook | what | minutes |",
             "|---|---|---|---|"]
    at, rested = 0, not pause
    for part in chosen:
        if not rested and at >= minutes // 2:
            lines.append(f"| {clock(at)} | | *break* | {pause} |")
            at, rested = at + pause, True
        lines.append(f"| {clock(at)} | {part.chapter} | {part.title} | "
                     f"{part.minutes} |")
        at += part.minutes
    lines.append(f"| {clock(at)} | | *questions, and what took longer* | "
                 f"{minutes - need} |")
    return "\n".join(lines)


def week(chapter: int, every: list[Part]) -> str:
    """A weekly session: all core sections, then the exercises that fit.

    Args:
        chapter: number of the notebook.
        every: all its parts.
    """
    core = [part for part in every if part.kind == "core"]
    here, left = list(core), WEEK - RESERVE - total(core)
    rest: list[Part] = []
    for part in every:
        if part.kind == "exercise":
            fits = part.minutes <= left
            left -= part.minutes if fits else 0
            (here if fits else rest).append(part)
    here.sort(key=every.index)
    deep = [part for part in every if part.kind == "deep dive"]
    home = [f"{what}, {total(some)} minutes: "
            + "; ".join(part.title for part in some) + "."
            for what, some in (("Exercises", rest), ("To read", deep))
            if some]
    return "\n\n".join([agenda(f"Week {chapter}", WEEK, here, 0),
                        "**At home.** " + " ".join(home)])


def agendas(sessions: list[dict], books: dict) -> str:
    """All agendas as one Markdown text.

    Args:
        sessions: "name", "minutes", "break", "why" and the ids of "parts".
        books: what ``notebooks`` returned.

    Raises:
        ValueError: a session names a part that no notebook has.
    """
    every = {n: list(parts(n, book)) for n, (_, book) in books.items()}
    known = {part.id: part for some in every.values() for part in some}
    text = ["# Agendas", "Generated from the minutes in the notebooks' "
            "headings and in the exercises."]
    for session in sessions:
        strange = [id for id in session["parts"] if id not in known]
        if strange:
            raise ValueError(f"agenda {session['name']!r}: no notebook has "
                             f"the part {strange[0]!r}")
        chosen = [known[id] for id in session["parts"]]
        text += [agenda(session["name"], session["minutes"], chosen,
                        session["break"]), session["why"]]
    text += [f"# Five weeks, {WEEK} minutes each",
             *(week(n, some) for n, some in every.items())]
    return "\n\n".join(text) + "\n"
