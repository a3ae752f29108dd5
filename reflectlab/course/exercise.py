"""An exercise: a stub to fill in, a check, hints and a solution.

    exercise("3.2").check(parse_critique)

A check is a critic, so it is calibrated: every definition carries right
answers written differently and planted wrong ones, each with the reason it
must be given. Definitions lie in ``exercises/``, one file each.
"""

from __future__ import annotations

import dis
import html
import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import FunctionType

from . import progress
from .probe import NotYet, not_yet

NOT_ATTEMPTED, NOT_YET, CORRECT = "not attempted", "not yet", "correct"
# The bar beside a note: each is readable on white and on black.
COLOURS = {NOT_ATTEMPTED: "#888888", NOT_YET: "#d97706", CORRECT: "#2e9e5b"}
OTHER = "#3b82f6"


@dataclass(frozen=True)
class Note:
    """Something said to the learner, as text and as HTML.

    Args:
        title: the exercise it is about.
        kind: "not attempted", "not yet" or "correct" for an outcome, else
            what it is ("hint 1 of 3", "solution").
        text: the rest.
    """

    title: str
    kind: str
    text: str

    def __repr__(self) -> str:
        return f"{self.title}: {self.kind}\n{self.text}".rstrip()

    def _repr_html_(self) -> str:
        colour = COLOURS.get(self.kind, OTHER)
        return (
            f'<div style="border-left:4px solid {colour};'
            'padding:2px 0 2px 12px;margin:4px 0">'
            f"<b>{html.escape(self.title)}:</b> "
            f'<b style="color:{colour}">{html.escape(self.kind)}</b>'
            '<pre style="white-space:pre-wrap;margin:4px 0;'
            'background:transparent;color:inherit">'
            f"{html.escape(self.text)}</pre></div>")


@dataclass(frozen=True)
class Wrong:
    """A planted wrong answer: the solution with one edit.

    Args:
        old: text that stands in the solution exactly once.
        new: what replaces it.
        says: words that the check must answer to this bug and to no other
            of the same exercise.
    """

    old: str
    new: str
    says: str

    def code(self, solution: str) -> str:
        """The wrong answer; ValueError when the edit does not apply."""
        if solution.count(self.old) != 1:
            raise ValueError(f"{self.old!r} stands {solution.count(self.old)}"
                             " times in the solution, expected once")
        return solution.replace(self.old, self.new)


@dataclass
class Exercise:
    """One exercise with everything that belongs to it.

    Args:
        id: chapter and number, "3.2".
        name: the name that the stub defines and the check gets.
        title: as in the notebook.
        minutes: what it takes.
        difficulty: 1 to 3.
        statement: what to write and why, in Markdown.
        stub: the code cell to fill in, with ``...`` where the answer goes.
        hints: three, from nudge to near-answer.
        judge: called with the answer; raises ``NotYet`` when it is wrong.
        done: one sentence for who has solved it.
        right: right answers written differently, as code that replaces the
            stub; the first is the solution.
        wrong: planted wrong answers.
    """

    id: str
    name: str
    title: str
    minutes: int
    difficulty: int
    statement: str
    stub: str
    hints: tuple[str, str, str]
    judge: Callable[[object], None]
    done: str
    right: tuple[str, ...]
    wrong: tuple[Wrong, ...]
    hints_given: int = 0

    def check(self, answer: object) -> Note:
        """Say whether an answer is right, and if not, why. Never raises."""
        if self._untouched(answer):
            kind, text = NOT_ATTEMPTED, (
                f"Put your answer in place of ... in the cell that defines "
                f"{self.name}, run it, then run this check again.")
        else:
            kind, text = self._judged(answer)
        progress.record(self.id, kind, text)
        return self._note(kind, text)

    def hint(self, number: int | None = None) -> Note:
        """Give hint ``number`` (1 to 3), or the next one.

        Raises:
            ValueError: there is no hint of that number.
        """
        most = len(self.hints)
        if number is None:
            number = self.hints_given = min(self.hints_given + 1, most)
        if number not in range(1, most + 1):
            raise ValueError(f"hints run from 1 to {most}, got {number!r}")
        more = (f'More: exercise("{self.id}").hint({number + 1})'
                if number < most
                else f'The answer: exercise("{self.id}").solution()')
        return self._note(f"hint {number} of {most}",
                          f"{self.hints[number - 1]}\n{more}")

    def solution(self) -> Note:
        """Show a right answer, to compare with one's own."""
        return self._note("solution", self.right[0].strip())

    def cells(self) -> list[tuple[str, str]]:
        """The notebook cells of this exercise: (kind, source) pairs."""
        head = (f"### Exercise {self.id}: {self.title}\n\n"
                f"*{self.minutes} minutes, difficulty {self.difficulty} "
                "of 3*\n\n")
        stuck = (f'Check it. Stuck? Run `exercise("{self.id}").hint()` in a '
                 "new cell, up to three times; "
                 f'`exercise("{self.id}").solution()` shows an answer.')
        return [("markdown", head + self.statement.strip()),
                ("code", self.stub.strip()), ("markdown", stuck),
                ("code", f'exercise("{self.id}").check({self.name})')]

    def answer(self, source: str) -> object:
        """What a cell with this source defines under the answer's name."""
        scope: dict = {"__name__": "__main__"}
        exec(compile(source, f"<exercise {self.id}>", "exec"), scope)
        return scope[self.name]

    def _judged(self, answer: object) -> tuple[str, str]:
        try:
            self.judge(answer)
        except NotYet as exc:
            return NOT_YET, str(exc)
        except Exception as exc:    # an answer unlike any we thought of
            return NOT_YET, str(not_yet(
                "The check can't make sense of this answer: does it have "
                "the form that the exercise asks for?",
                got=f"{type(answer).__name__} ({type(exc).__name__})"))
        return CORRECT, self.done

    def _untouched(self, answer: object) -> bool:
        """Whether the answer is ``...`` or still the stub itself."""
        if not isinstance(answer, FunctionType):
            return answer is ...
        stub = self.answer(self.stub)
        return (isinstance(stub, FunctionType)
                and _steps(answer) == _steps(stub))

    def _note(self, kind: str, text: str) -> Note:
        return Note(f"Exercise {self.id}", kind, text)


def _steps(function: FunctionType) -> tuple:
    """What a function takes and does, its docstring aside."""
    return function.__code__.co_varnames, [
        (step.opname, step.argval) for step in dis.get_instructions(function)]


@cache
def exercises() -> dict[str, Exercise]:
    """Every exercise by id, in order; one object each a kernel."""
    from . import exercises as folder

    modules = [importlib.import_module(f"{folder.__name__}.{found.name}")
               for found in pkgutil.iter_modules(folder.__path__)]
    every = [module.EXERCISE for module in modules]
    every.sort(key=lambda each: [int(n) for n in each.id.split(".")])
    return {each.id: each for each in every}


def exercise(id: str) -> Exercise:
    """Return one exercise.

    Args:
        id: chapter and number, as in the notebook: "3.2".

    Raises:
        ValueError: there is no such exercise.
    """
    every = exercises()
    if id not in every:
        raise ValueError(f"there is no exercise {id!r}; there are "
                         + ", ".join(every))
    return every[id]
