"""Reports as text and as HTML that needs inline styles only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

Table = Sequence[tuple[str, ...]]

_CELL = "padding:2px 12px 2px 0;text-align:left;vertical-align:top"


def calibration_text(c) -> str:
    """The critic beside the two dummies, then everything else."""
    return "\n".join([_title(c), *_columns(_rates(c)), "",
                      *_columns(_details(c))])


def calibration_html(c) -> str:
    """The same as HTML."""
    return f"<p>{escape(_title(c))}</p>" + _html(_rates(c), head=True) + \
        _html(_details(c))


def delta_text(report) -> str:
    """A delta report in numbers, a line each."""
    return "\n".join(_columns(_delta(report)))


def delta_html(report) -> str:
    """The rows (up to 20) and the numbers as HTML."""
    pre = f'<pre style="overflow-x:auto">{escape(str(report))}</pre>'
    return pre + _html(_delta(report))


def _title(c) -> str:
    cut = " (interrupted)" if c.interrupted else ""
    return (f"{c.critic[0]} on {len(c.suite)} drafts, {len(c.defective)} "
            f"defective, {len(c.clean)} clean; {c.calls} judged{cut}")


def _rates(c) -> Table:
    defective = len(c.defective) / max(1, len(c.suite))
    head = ("", "catch", "false alarm", "skill", "accuracy")
    own = ("this critic", str(c.catch), str(c.false_alarm), str(c.skill),
           str(c.accuracy))
    return [head, own,
            ("always approves", "0.00", "0.00", "0.00", f"{1-defective:.2f}"),
            ("always objects", "1.00", "1.00", "0.00", f"{defective:.2f}")]


def _details(c) -> Table:
    rows = [("miss", str(c.miss)), ("no verdict", str(c.no_verdict)),
            ("precision", "nothing was flagged" if c.precision is None
             else str(c.precision))]
    if c.agreement is not None:
        rows.append(("agrees with itself", str(c.agreement)))
    rows += [(f"catch, {name} {value}", str(rate))
             for name in ("defect", "axis", "severity", "difficulty")
             for value, rate in c.by(name).items()]
    for kind, (attacked, plain) in c.attacks().items():
        rows.append((f"attack {kind}", f"{attacked}, without it {plain}"))
    rows += [(f"no verdict x{n}", reason) for reason, n in c.reasons.items()]
    for name, drafts in (("missed", c.missed), ("false alarms",
                                                c.false_alarms)):
        rows.append((name, ", ".join(d.id for d in drafts) or "none"))
    return [*rows, *_spent(c.spend, c.per_catch, "caught")]


def _delta(r) -> Table:
    if not r.n:
        return [("cases", "none scored")]
    low, high = r.interval
    rows = [("cases", f"{len(r.tasks)}, {r.n} runs"),
            ("first draft right", str(r.rate("first"))),
            ("final draft right", str(r.rate("final")))]
    for name, rate, among in (("fixed", "fix", "wrong"),
                              ("broken", "break", "right")):
        rows.append((name, f"{r.rate(name)} of all; {r.rate(rate)} of the "
                           f"{among} first drafts"))
    rows += [("identity", f"final {r.final} = first {r.first} - broken "
                          f"{r.broken} + fixed {r.fixed}"),
             ("difference", f"{r.delta / r.n:+.3f} [{low:+.3f}, {high:+.3f}]"
                            f", McNemar p = {r.p_value:.3g}")]
    if r.rate("held_final").n:
        rows.append(("held-out tests", f"first {r.rate('held_first')}, final "
                                       f"{r.rate('held_final')}"))
    rows += _spent(r.spend, r.per_fix, "fixed")
    rows += [("stopped", f"{n} x {reason}")
             for reason, n in r.stop_reasons.items()]
    errors = [row for row in r.rows if row.error]
    if errors:
        rows.append(("not scored", f"{len(errors)}, first: "
                                   f"{errors[0].case}: {errors[0].error}"))
    if r.interrupted:
        rows.append(("interrupted", "only what was done by then"))
    return rows


def _spent(spend: Callable, per: Callable, done: str) -> Table:
    rows = []
    for what in ("calls", "tokens", "dollars"):
        total, each = spend(what), per(what)
        if total is not None:
            share = "" if each is None else f", {each:.3g} per {done}"
            rows.append((what, f"{round(total, 4)}{share}"))
    return rows


def _columns(rows: Table) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in
                      zip(row, widths, strict=True)).rstrip() for row in rows]


def _html(rows: Table, head: bool = False) -> str:
    lines = []
    for i, row in enumerate(rows):
        tag = "th" if head and i == 0 else "td"
        lines.append("<tr>" + "".join(
            f'<{tag} style="{_CELL}">{escape(cell)}</{tag}>' for cell in row)
            + "</tr>")
    return ('<table style="border-collapse:collapse">' + "".join(lines)
            + "</table>")
