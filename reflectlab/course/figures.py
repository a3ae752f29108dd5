"""Figures of what the loops did, and of what was published.

Each function takes data and returns a ``Figure``: a picture with a finding
as its title, and below it the plotted numbers as text. Pictures differ a
little from one machine to the next; the text does not, so the text is what
the notebooks' tests compare.
"""

from __future__ import annotations

import base64
import io
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..measure.stats import Rate
from .style import CARD, GREY, INK, SERIES

MARKERS = "osD^v"
DASHES = ["-", "--", "-.", ":", (0, (1, 1))]
# A light card of its own, so that it reads on a light and on a dark page;
# few inches wide, so that the letters are not too small on a phone.
STYLE = {
    "figure.facecolor": CARD, "axes.facecolor": CARD, "savefig.dpi": 180,
    "text.color": INK, "axes.labelcolor": INK, "xtick.color": INK,
    "ytick.color": INK, "axes.edgecolor": GREY, "font.size": 10.5,
    "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.color": "#dddddd", "axes.axisbelow": True,
    "legend.frameon": False, "lines.linewidth": 2, "hatch.linewidth": 1.5,
    "font.family": "DejaVu Sans",
}


@dataclass(frozen=True)
class Figure:
    """A picture and what it shows, in words.

    Args:
        title: the finding.
        numbers: the plotted numbers, a line each series.
        alt: what somebody who can't see the picture is told.
        png: the picture.
    """

    title: str
    numbers: str
    alt: str
    png: bytes = field(repr=False)

    def __repr__(self) -> str:
        return f"{self.title}\n{self.numbers}"

    def _ipython_display_(self) -> None:
        from IPython.display import display

        display({"image/png": base64.b64encode(self.png).decode(),
                 "text/plain": self.alt}, raw=True,
                metadata={"image/png": {"alt": self.alt, "width": 640}})
        print(self)     # the same in words, where no picture is seen


def draw(paint: Callable, kind: str, title: str, numbers: Sequence[str],
         xlabel: str, ylabel: str, *, panels: int = 1,
         height: float = 3.4) -> Figure:
    """Make one figure in the course's style.

    Args:
        paint: called with the axes (a list of them for several panels).
        kind: "Bar chart", "Line chart", ..., for the alternative text.
        title: the finding, in a sentence.
        numbers: the plotted numbers as text, in lines.
        xlabel, ylabel: what the axes show, with units.
        panels: how many axes stand side by side, with one scale.
        height: inches, of a width of 6.
    """
    import matplotlib
    from matplotlib.figure import Figure as Canvas
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    with matplotlib.rc_context(STYLE):
        canvas = Canvas(figsize=(6, height), layout=ConstrainedLayoutEngine(
            w_pad=0.1, h_pad=0.1))
        axes = canvas.subplots(1, panels, sharey=True, squeeze=False)[0]
        canvas.suptitle(textwrap.fill(title, 64), x=0.02, ha="left",
                        fontsize=11, fontweight="bold")
        axes[0].set_ylabel(ylabel)
        axes[panels // 2].set_xlabel(xlabel)
        paint(axes[0] if panels == 1 else list(axes))
        file = io.BytesIO()
        canvas.savefig(file, format="png", metadata={"Software": None})
    alt = (f"{kind}. {title}. Across: {xlabel}. Up: {ylabel}. "
           "The numbers stand below.")
    return Figure(title, "\n".join(numbers), alt, file.getvalue())


def line_chart(title: str, x: Sequence, series: Mapping[str, Sequence],
               xlabel: str, ylabel: str, *, form: str = "",
               finish: Callable = lambda axes: None) -> Figure:
    """Lines over one x, told apart by colour, dash and marker.

    Args:
        series: for each name its numbers, or its ``Rate`` objects, which
            get a band for their interval.
        form: format of the numbers below, such as ``",.0f"``.
        finish: called with the axes at the end.
    """
    def paint(axes):
        for i, (name, values) in enumerate(series.items()):
            look = {"color": SERIES[i], "label": name, "marker": MARKERS[i],
                    "linestyle": DASHES[i]}
            if isinstance(values[0], Rate):
                axes.fill_between(x, [r.low for r in values],
                                  [r.high for r in values], alpha=0.15,
                                  color=SERIES[i], linewidth=0)
                values = [r.value for r in values]
            axes.plot(x, values, **look)
        axes.set_xticks(x)
        axes.legend()
        finish(axes)

    numbers = [f"{at}: " + ", ".join(
        f"{name} {values[i]:{form}}" if form else f"{name} {values[i]}"
        for name, values in series.items()) for i, at in enumerate(x)]
    return draw(paint, "Line chart", title, numbers, xlabel, ylabel)


def wasted_calls(sent: Sequence[int], wasted: Sequence[int]) -> Figure:
    """Which paid calls changed nothing.

    Args:
        sent: characters that each call sent.
        wasted: numbers of the calls, from 0, that brought nothing new.
    """
    share = sum(sent[i] for i in wasted) / sum(sent)
    useful = [i for i in range(len(sent)) if i not in wasted]

    def paint(axes):
        axes.bar(useful, [sent[i] for i in useful], color=SERIES[0],
                 label="brought something new")
        axes.bar(wasted, [sent[i] for i in wasted], color="#ffffff",
                 edgecolor=SERIES[1], hatch="///", label="changed nothing")
        axes.set_xticks(range(len(sent)))
        axes.legend(loc="upper left")

    return draw(
        paint, "Bar chart",
        f"{len(wasted)} of {len(sent)} calls changed nothing, and they sent "
        f"{share:.0%} of the characters",
        ["sent: " + ", ".join(map(str, sent)),
         "changed nothing: calls " + ", ".join(map(str, wasted))],
        "call", "characters sent")


def cost_curves(rounds: Sequence[int],
                costs: Mapping[str, Sequence[int]]) -> Figure:
    """What each design of the history costs.

    Args:
        rounds: rounds of the runs, growing.
        costs: characters sent in all calls of a run, for each design.
    """
    growth = ", ".join(f"{name} {c[-1] / c[-2]:.1f}"
                       for name, c in costs.items())
    return line_chart(
        f"From {rounds[-2]} to {rounds[-1]} rounds the cost grows by a "
        f"factor of: {growth}", rounds, costs, "rounds",
        "characters sent, all calls", form=",",
        finish=lambda axes: axes.yaxis.set_major_formatter("{x:,.0f}"))


def accuracy_by_round(rows: Sequence[Mapping]) -> Figure:
    """Published accuracies before and after self-correction.

    Args:
        rows: of ``load_published("self_correction")``.
    """
    datasets = list(dict.fromkeys(r["dataset"] for r in rows))
    models = list(dict.fromkeys(r["model"] for r in rows))
    rising = sum(r["round_2"] > r["standard"] for r in rows)

    def paint(panels):
        for axes, dataset in zip(panels, datasets, strict=True):
            axes.set_title(dataset, fontsize=10.5)
            for r in rows:
                if r["dataset"] == dataset:
                    i = models.index(r["model"])
                    axes.plot(["first", "1", "2"], _three(r), DASHES[i],
                              marker=MARKERS[i], color=SERIES[i],
                              label=r["model"])
            axes.margins(x=0.15)
        panels[0].set_ylim(0, 100)
        found = {label: handle for axes in panels for handle, label
                 in zip(*axes.get_legend_handles_labels(), strict=True)}
        panels[0].figure.legend(found.values(), found, ncols=4,
                                loc="outside lower left")

    return draw(
        paint, "Line chart",
        f"After two rounds of self-correction {rising or 'none'} of "
        f"{len(rows)} results {'is' if rising < 2 else 'are'} better than "
        "the first answer",
        [f"{r['model']} {r['dataset']}: "
         + ", ".join(f"{x:.1f}" for x in _three(r)) for r in rows],
        "rounds of self-correction", "right answers, %",
        panels=len(datasets), height=4.0)


def _three(row: Mapping) -> list[float]:
    return [row["standard"], row["round_1"], row["round_2"]]


def flips(rows: Sequence[Mapping]) -> Figure:
    """Answers that self-correction broke, against those it mended.

    Args:
        rows: of ``load_published("flips")``.
    """
    names = [f"{r['model']}\n{r['dataset']}" for r in rows]
    worse = sum(r["right_to_wrong"] > r["wrong_to_right"] for r in rows)

    def paint(axes):
        for column, label, sign, hatch, colour in (
                ("right_to_wrong", "right to wrong", -1, None, SERIES[1]),
                ("wrong_to_right", "wrong to right", 1, "//", SERIES[0])):
            bars = axes.barh(names, [sign * r[column] for r in rows],
                             color=colour, hatch=hatch, edgecolor=CARD,
                             label=label)
            axes.bar_label(bars, [f"{r[column]:.1f}" for r in rows],
                           padding=3)
        axes.axvline(0, color=INK, linewidth=1)
        axes.xaxis.set_major_formatter(lambda x, _: f"{abs(x):g}")
        axes.invert_yaxis()
        axes.margins(x=0.12)
        axes.figure.legend(loc="outside lower left", ncols=2)

    return draw(
        paint, "Bar chart",
        f"{worse} of {len(rows)} broke more right answers than they mended "
        "wrong ones",
        [f"{r['model']} {r['dataset']}: right to wrong "
         f"{r['right_to_wrong']:.1f}, wrong to right "
         f"{r['wrong_to_right']:.1f}" for r in rows],
        "all answers, % (after two rounds)", "model and data set", height=4.2)


def lines_executed(function: Callable, sizes: Sequence[int]
                   ) -> dict[int, int]:
    """Count the lines that ``function(n)`` executes, for each n.

    Only lines of the file or cell that defines the function count.
    """
    file, counts = function.__code__.co_filename, dict.fromkeys(sizes, 0)

    def trace(frame, event, arg):
        if frame.f_code.co_filename != file:
            return None
        counts[n] += event == "line"
        return trace

    before = sys.gettrace()
    for n in sizes:
        sys.settrace(trace)
        try:
            function(n)
        finally:
            sys.settrace(before)
    return counts


def prime_growth(counts: Mapping[str, Mapping[int, int]]) -> Figure:
    """How the work of functions grows with their input.

    Args:
        counts: of ``lines_executed``, for each function. They differ
            a little between versions of Python, so the text below gives the
            growth only, rounded.
    """
    sizes = list(next(iter(counts.values())))

    def finish(axes):
        axes.set(xscale="log", yscale="log")
        axes.set_xticks(sizes, map(str, sizes))
        axes.set_xticks([], minor=True)

    figure = line_chart(
        f"For {sizes[-1] // sizes[0]} times the numbers: " + ", ".join(
            f"{name} about {c[sizes[-1]] / c[sizes[0]]:.0f} times the work"
            for name, c in counts.items()), sizes,
        {name: [c[n] for n in sizes] for name, c in counts.items()},
        "primes up to (logarithmic)", "lines executed (logarithmic)",
        finish=finish)
    return replace(figure, numbers="\n".join(
        f"{name}, factor from {sizes[0]} to {sizes[-1]}: "
        f"{c[sizes[-1]] / c[sizes[0]]:.0f}" for name, c in counts.items()))
