"""3.5: two speakers who orbit each other."""

from ..exercise import Exercise, Wrong
from ..probe import expect

REPEATED, OSCILLATE = "draft repeated", "drafts oscillate"
CASES = [
    (["A", "B", "C"], None, "Three different drafts: the run still moves."),
    (["A"], None, "One draft can't repeat anything."),
    (["A", "B", "A"], OSCILLATE, "The newest draft is back at an earlier "
     "one: the pair is going round in a circle."),
    (["A", "B", "B"], REPEATED, "Equal to the draft just before it: that is "
     "a repetition, with another remedy than a circle."),
    (["A", "B", "C", "A"], OSCILLATE,
     "A circle can be longer than two: compare with every earlier draft."),
    (["X", "A", "B", "A"], OSCILLATE,
     "The circle need not begin with the first draft."),
    (["A", "B", "A", "C"], None,
     "Judge the newest draft only: this one is new."),
    (["B", "A", "B", "B"], REPEATED,
     "Both are true here; what happened last decides: a repetition."),
    (["if a:\n    b()\nc()", "x", "if a:\n    b()\n    c()"], None,
     "Indentation is no noise: this is another program."),
    (["A  \nB", "x", "A\r\nB\n"], OSCILLATE,
     "Line ends and spaces at the end of a line are noise."),
    (["A", "A\n\n\n"], REPEATED, "Empty lines at the very end are noise."),
    (["A\n\nB", "A\nB"], None, "An empty line inside a draft counts: only "
     "those at the very end are noise."),
    (["\nA", "A"], None, "An empty line at the beginning counts: only those "
     "at the very end are noise."),
    (["    return 1", "return 1"], None, "The first line has an indentation "
     "too: strip() would take it."),
    (["a  b", "a b"], None, "Spaces inside a line count."),
    ([], None, "Without drafts there is no stall."),
]


def judge(stalled):
    for drafts, want, idea in CASES:
        expect(stalled, (drafts,), want, idea)


EXERCISE = Exercise(
    id="3.5", name="stalled", title="detect oscillation", minutes=8,
    difficulty=2, statement="""
A generator that mends complaint A brings back B, and mends B by bringing back
A. The cap ends this; a stall rule ends it sooner. Write `stalled`, called
after every round with all drafts so far. It judges the newest one:

- `"draft repeated"` when it equals the draft just before it,
- else `"drafts oscillate"` when it equals any earlier draft,
- else None.

As in 1.4, line ends, spaces at the end of lines and empty lines at the very
end do not count, and indentation does.
`stalled(["A", "B", "A"])` is `"drafts oscillate"`.
""", stub='''
def stalled(drafts):
    """Return "draft repeated", "drafts oscillate" or None.

    stalled(["A", "B", "A"]) -> "drafts oscillate"
    """
    ...
''', hints=(
        "Clean all drafts first, as in 1.4. Which one is the newest, and "
        "with which ones do you compare it first?",
        "newest = clean[-1]; the draft before it is clean[-2]; all the "
        "earlier ones are clean[:-1].",
        "Test `clean[-2:-1] == [newest]` before `newest in clean[:-1]`: a "
        "slice does not fail on a short list."),
    judge=judge,
    done="Two stall rules, and the reasons are those of the agent.",
    right=('''
def stalled(drafts):
    clean = []
    for draft in drafts:
        lines = [line.rstrip() for line in draft.splitlines()]
        clean.append("\\n".join(lines).rstrip())
    *earlier, newest = clean or [None]
    if earlier and newest == earlier[-1]:
        return "draft repeated"
    if newest in earlier:
        return "drafts oscillate"
    return None
''', '''
def stalled(drafts):
    def clean(text):
        return "\\n".join(map(str.rstrip, text.splitlines())).rstrip("\\n")

    for back in range(2, len(drafts) + 1):
        if clean(drafts[-back]) == clean(drafts[-1]):
            return "draft repeated" if back == 2 else "drafts oscillate"
'''), wrong=(
        Wrong("if newest in earlier:", "if newest in earlier[-2:]:",
                "A circle can be longer than two"),
        Wrong("if newest in earlier:", "if False:",
                "back at an earlier one"),
        Wrong("    if earlier and newest == earlier[-1]:\n"
                '        return "draft repeated"\n', "",
                "with another remedy"),
        Wrong("if newest in earlier:", "if len(set(clean)) < len(clean):",
                "Judge the newest draft only"),
        Wrong("if earlier and newest == earlier[-1]:",
                "if earlier.count(newest) == 1 and newest == earlier[-1]:",
                "what happened last decides"),
        Wrong("line.rstrip() for", "line.strip() for",
                "Indentation is no noise"),
        Wrong("[line.rstrip() for line in draft.splitlines()]", "[draft]",
                "Line ends and spaces"),
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
        Wrong("if newest in earlier:", "if newest in earlier[:1]:",
                "need not begin with the first draft"),
        Wrong("clean or [None]", "clean", "ValueError"),
        Wrong("    return None", '    return "moving"', "still moves"),
    ))
