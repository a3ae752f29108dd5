"""Things to move: sliders over plain functions.

Each widget is a function of values that returns a ``View``, and controls for
the values. A stored notebook shows the view of the starting values, so it
reads well on a page that runs no code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..critics.criteria import CriteriaCritic
from ..critics.scored import ScoredCritic
from ..critics.stop_token import StopTokenCritic
from ..measure.expected import break_even, expected_delta
from ..prompts import STOP
from ..trace import Round
from . import seed_rules
from .show import side_by_side
from .style import SERIES, View, box, escape, page
from .trace_view import round_block, trace_line

CRITERIA = {"PRICE": "", "FEATURE": "", "LENGTH": ""}
MARKS = {"accept": "✓", "object": "✗", "no verdict": "?"}
TRAP = f"Still wrong. When it is mended I will reply {STOP}."


class Explorer:
    """Controls, and below them what a function makes of their values.

    Args:
        make: takes the values by name, returns a ``View``.
        controls: ipywidgets, by the names of ``make``'s arguments.
    """

    def __init__(self, make: Callable[..., View], **controls) -> None:
        import ipywidgets

        self.make, self.controls = make, controls
        self.shown = ipywidgets.HTML()
        for control in controls.values():
            control.observe(self._refresh, "value")
        self._refresh()
        self.box = ipywidgets.VBox([*controls.values(), self.shown])

    def view(self) -> View:
        """What is shown at the moment."""
        return self.make(**{name: control.value for name, control
                            in self.controls.items()})

    def _refresh(self, change=None) -> None:
        self.shown.value = self.view().html

    def __repr__(self) -> str:
        return self.view().text

    def _repr_mimebundle_(self, **kwargs) -> dict:
        view = self.view()
        live = self.box._repr_mimebundle_(**kwargs)
        return {**live, "text/plain": view.text, "text/html": view.html
                + "<i>Run this cell in JupyterLab to move it.</i>"}


def cost_explorer(characters_sent: Callable[..., int],
                  designs: Mapping[str, Callable]) -> Explorer:
    """What each design of the history costs, by rounds and text lengths.

    Args:
        characters_sent: called as ``characters_sent(loop, rounds,
            draft=..., critique=...)``; counts one run.
        designs: the loop of each design's name.
    """
    def make(rounds: int, draft: int, critique: int) -> View:
        return cost_view({name: characters_sent(
            loop, rounds, draft=draft, critique=critique)
            for name, loop in designs.items()})

    return Explorer(make, rounds=_slider("rounds", 4, 1, 12, 1),
                    draft=_slider("characters of a draft", 600, 0, 6000, 100),
                    critique=_slider("characters of a critique", 300, 0, 3000,
                                     100))


def cost_view(costs: Mapping[str, int]) -> View:
    """Bars of what each design sends."""
    return _bars({name: (cost, f"{cost:,} characters")
                  for name, cost in costs.items()})


def stop_rules(reply: str) -> list[tuple[str, str]]:
    """What each rule makes of a critic's reply, as (rule, decision)."""
    def says(passed: bool) -> str:
        return "accept" if passed else "object"

    return [
        ("'<OK>' anywhere in the reply", says("<OK>" in reply)),
        ("the token anywhere in the reply", says(STOP in reply)),
        ("'no improvement needed' anywhere",
         says(seed_rules.substring_stop(reply))),
        ("JSON with 'passes', but a fault passes",
         says(seed_rules.passes_when_unreadable(reply))),
        ("the first PASS or FAIL of each criterion",
         says(seed_rules.first_match(reply, CRITERIA))),
        ("ours: the token alone", StopTokenCritic().parse(reply).decision),
        ("ours: scored JSON, pass rule in code",
         ScoredCritic().parse(reply).decision),
        ("ours: one exact line a criterion",
         CriteriaCritic(CRITERIA).parse(reply).decision)]


def stop_rule_playground(reply: str = TRAP) -> Explorer:
    """Type a critic's reply and see which rules accept it."""
    import ipywidgets

    def make(reply: str) -> View:
        rows = stop_rules(reply)
        width = max(len(rule) for rule, _ in rows)
        return View(
            "\n".join([f"reply: {reply!r}", *(f"  {rule:{width}} {decision}"
                                              for rule, decision in rows)]),
            page(*(box(f"<b>{MARKS[decision]} {decision}</b> · "
                       + escape(rule),
                       "critic" if decision == "accept" else "other")
                   for rule, decision in rows)))

    return Explorer(make, reply=ipywidgets.Textarea(
        reply, description="reply", tooltip="the critic's reply", rows=4,
        layout={"width": "98%", "max_width": "640px"}))


def calibration_explorer() -> Explorer:
    """From a critic's rates to what its loop gains, and where it pays."""
    return Explorer(
        gain_view, base_rate=_percent("defective first drafts", 30),
        catch=_percent("catch rate", 60),
        false_alarm=_percent("false alarm rate", 20),
        fix=_percent("revisions that fix a defect", 50),
        break_=_percent("revisions that break a clean draft", 20))


def gain_view(base_rate: float, catch: float, false_alarm: float, fix: float,
              break_: float) -> View:
    """Expected fixed and broken of 100 drafts; all arguments in per cent."""
    rates = [x / 100 for x in (base_rate, catch, false_alarm, fix, break_)]
    fixed, broken, delta = (100 * x for x in expected_delta(*rates))
    even = break_even(*rates[1:])
    bars = _bars({"fixed": (fixed, f"{fixed:.1f} of 100 drafts"),
                  "broken": (broken, f"{broken:.1f} of 100 drafts")})
    pays = ("the loop changes nothing" if even is None else
            f"it pays above a defect rate of {100 * even:.1f} %")
    ending = f"net {delta:+.1f} of 100 drafts; {pays}"
    return View(f"{bars.text}\n{ending}",
                bars.html + page(box(f"<b>{ending}</b>")))


def trace_browser(calls: Sequence[dict]) -> Explorer:
    """Step through recorded calls and see both histories at that moment.

    Args:
        calls: of a model that played writer and critic, in order.
    """
    return Explorer(lambda call: at_call(calls, call),
                    call=_slider("call", len(calls), 1, len(calls), 1))


def at_call(calls: Sequence[dict], call: int) -> View:
    """Both histories as they were last sent at one call, from 1.

    The writer's calls are those whose first message begins with the task.
    """
    task = calls[0]["messages"][0]["content"]
    sent: dict = {True: {"messages": []}, False: {"messages": []}}
    for made in calls[:call]:
        wrote = made["messages"][0]["content"].startswith(task)
        sent[wrote] = made
    who = "writer" if wrote else "critic"
    return side_by_side(sent[True], sent[False], titles=(
        f"call {call}, the {who} is asked; the WRITER's history",
        "the CRITIC's history"))


class LiveTrace:
    """A timeline that grows while a run goes on.

    Give it to an agent, ``ReflectionAgent(..., on_round=live)``, and show it
    before the run.
    """

    def __init__(self) -> None:
        import ipywidgets

        self.rounds: list[Round] = []
        self.shown = ipywidgets.HTML(page("<i>no round yet</i>"))

    def __call__(self, done: Round) -> None:
        self.rounds.append(done)
        before = ""
        blocks = []
        for r in self.rounds:
            blocks.append(round_block(r, before))
            before = r.draft
        self.shown.value = page(*blocks)

    def __repr__(self) -> str:
        return "\n".join(map(trace_line, self.rounds)) or "no round yet"

    def _repr_mimebundle_(self, **kwargs) -> dict:
        return {**self.shown._repr_mimebundle_(**kwargs),
                "text/plain": repr(self), "text/html": self.shown.value}


def _bars(values: Mapping[str, tuple[float, str]]) -> View:
    """Labelled bars of (length, words), the longest over the whole width."""
    most = max(length for length, _ in values.values()) or 1
    width = max(map(len, values))
    rows = [f'<div style="margin: 6px 0">{escape(name)}: <b>{words}</b>'
            f'<div style="height: 10px; width: {100 * length / most:.1f}%; '
            f'background-color: {SERIES[0]}"></div></div>'
            for name, (length, words) in values.items()]
    return View("\n".join(f"{name:{width}} {words}" for name, (_, words)
                          in values.items()), page(*rows))


def _slider(label: str, value: int, low: int, high: int, step: int):
    import ipywidgets

    return ipywidgets.IntSlider(
        value, low, high, step, description=label, tooltip=label,
        style={"description_width": "240px"},
        layout={"width": "98%", "max_width": "640px"})


def _percent(label: str, value: int):
    return _slider(f"{label}, %", value, 0, 100, 1)
