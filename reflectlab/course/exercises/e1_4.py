"""1.4: a loop that repeats itself has ended, whatever its counter says."""

from ..exercise import Exercise, Wrong
from ..probe import expect

LONG = "You can now export any report as CSV from the Reports toolbar, so "
CASES = [
    (["A", "B", "B"], 3, "Round 3 is the first that repeats its "
     "predecessor: count rounds from 1."),
    (["A", "B", "C"], None,
     "A run that never repeats has not converged: None."),
    ([], None, "No drafts: None."),
    (["A"], None, "One draft repeats nothing: None."),
    (["A", "A", "B", "B"], 2, "Report the first repetition, not the last."),
    (["A", "B", "A"], None,
     "A text that comes back later went round in a circle; convergence "
     "means no change from one round to the next."),
    (["A\nB", "A  \r\nB\n"], 2,
     "Line ends and spaces at the end of a line are noise."),
    (["A", "A\n\n\n"], 2, "Empty lines at the very end are noise."),
    (["if a:\n    b()\nc()", "if a:\n    b()\n    c()"], None,
     "Indentation is no noise: in Python it can be the whole fix."),
    ([LONG + "that it opens in a spreadsheet.", LONG + "finance can use it."],
     None, "Compare whole drafts, not their beginnings."),
    (["A\n\nB", "A\nB"], None, "An empty line inside a draft counts: only "
     "those at the very end are noise."),
    (["\nA", "A"], None, "An empty line at the beginning counts: only those "
     "at the very end are noise."),
    (["    return 1", "return 1"], None, "The first line has an indentation "
     "too: strip() would take it."),
    (["a  b", "a b"], None, "Spaces inside a line count."),
    (["Use CSV.", "Use CSV. Now."], None,
     "Compare whole drafts: the first is only the beginning of the second."),
    (["Use csv.", "Use CSV."], None, "Upper and lower case differ."),
]


def judge(converged):
    for drafts, want, idea in CASES:
        expect(converged, (drafts,), want, idea)


EXERCISE = Exercise(
    id="1.4", name="converged", title="detect convergence", minutes=12,
    difficulty=2, statement="""
A loop with a fixed number of rounds keeps paying after nothing changes.
Write `converged`: the number of the first round (from 1) whose draft says the
same as the draft just before it, or None when no round does.

Two drafts say the same when they differ only in their line ends, in spaces at
the end of lines, or in empty lines at the very end. Indentation counts.

`converged(["A", "B", "B", "B"])` is 3.
""", stub='''
def converged(drafts):
    """The first round, from 1, that changed nothing; None without one.

    converged(["A", "B", "B", "B"]) -> 3
    """
    ...
''', hints=(
        "First a helper that gives a draft without its noise, then a loop "
        "over neighbours.",
        "splitlines() and rstrip() on every line take the noise away and "
        "leave the indentation.",
        "Drafts i - 1 and i (from 0) being equal means round i + 1."),
    judge=judge,
    done="You have the first stall rule of the agent in notebook 5.",
    right=('''
def converged(drafts):
    clean = []
    for draft in drafts:
        lines = [line.rstrip() for line in draft.splitlines()]
        clean.append("\\n".join(lines).rstrip())
    for i in range(1, len(clean)):
        if clean[i] == clean[i - 1]:
            return i + 1
    return None
''', '''
import re

def converged(drafts):
    def plain(text):
        text = text.replace("\\r\\n", "\\n")
        return re.sub(r"[ \\t]+$", "", text, flags=re.M).rstrip("\\n")

    for n, (a, b) in enumerate(zip(drafts, drafts[1:]), 2):
        if plain(a) == plain(b):
            return n
'''), wrong=(
        Wrong("return i + 1", "return i", "count rounds from 1"),
        Wrong("return None", "return False", "has not converged: None"),
        Wrong("            return i + 1\n    return None",
                "            found = i + 1\n    return "
                "locals().get('found')", "Report the first repetition"),
        Wrong("== clean[i - 1]", "in clean[:i]", "went round in a circle"),
        Wrong("line.rstrip() for", "line.strip() for",
                "Indentation is no noise"),
        Wrong('.join(lines).rstrip())', '.join(lines).rstrip()[:58])',
                "not their beginnings"),
        Wrong("line.rstrip() for line in draft.splitlines()",
                "line for line in draft.splitlines()",
                "spaces at the end of a line are noise"),
        Wrong("[line.rstrip() for line in draft.splitlines()]",
                "[line.rstrip() for line in draft.splitlines() if line]",
                "An empty line inside"),
        Wrong('.join(lines).rstrip())', '.join(lines).rstrip()'
                '.lstrip("\\n"))', "An empty line at the beginning"),
        Wrong("in draft.splitlines()", "in (draft.strip() if draft[:1] == "
                "' ' else draft).splitlines()",
                "The first line has an indentation"),
        Wrong("line.rstrip() for", "line.rstrip().replace('  ', ' ') for",
                "Spaces inside a line"),
        Wrong("if clean[i] == clean[i - 1]:",
                "if clean[i].startswith(clean[i - 1]):",
                "only the beginning of the second"),
        Wrong('.join(lines).rstrip())', '.join(lines).rstrip().lower())',
                "Upper and lower case differ"),
    ))
