"""5.1: what to deliver when a run has ended, however it ended."""

from ...trace import Round
from ...verifiers.verdict import Verdict
from ..exercise import Exercise, Wrong
from ..probe import expect

PASS = Verdict(True, "all 8 checks passed", status="passed", checks=8)
FAIL = Verdict(False, "TESTS FAILED", status="failed", checks=3)
EMPTY = Verdict(True, "no checks ran", status="no_checks")


def run(*verdicts, accepted=False):
    """Rounds with the drafts "draft 1", "draft 2", ..."""
    return [Round(n, f"draft {n}", "", "critic" if n < len(verdicts)
                  else "none", accepted and n == len(verdicts), 0.0,
                  verdict=verdict) for n, verdict in enumerate(verdicts, 1)]


CASES = [
    ("fail, pass, accepted", run(FAIL, PASS, accepted=True),
     ("draft 2", True), "The simple case: the last draft "
     "passed. Return its text, and True."),
    ("pass, fail, fail", run(PASS, FAIL, FAIL), ("draft 1", True),
     "A later draft that failed must not be delivered in place of one that "
     "passed."),
    ("pass, pass, fail", run(PASS, PASS, FAIL), ("draft 2", True),
     "Of several that passed, the newest also answers the later critique."),
    ("fail, pass; the run ended before the critic answered",
     run(FAIL, PASS), ("draft 2", True),
     "The verifier passed it, so it counts, whether a critic accepted it or "
     "the budget ran out first."),
    ("fail, fail", run(FAIL, FAIL), ("draft 2", False),
     "When none passed, deliver the last draft, and say that it is not "
     "verified."),
    ("pass, then ok=True with status 'no_checks'", run(PASS, EMPTY),
     ("draft 1", True), "A verdict without signal is no evidence: look at "
     "verdict.signal as well as verdict.ok."),
    ("fail, then cut off before the verifier", run(FAIL, None),
     ("draft 2", False), "None passed, so it is the last draft, judged or "
     "not."),
    ("pass, then cut off before the verifier", run(PASS, None),
     ("draft 1", True), "A draft that nobody judged does not replace one that "
     "passed."),
    ("no verifier at all; the critic accepted", run(None, accepted=True),
     ("draft 1", False), "Without a verifier nothing is verified, whatever "
     "the critic said."),
    ("no draft at all", [], ("", False),
     "A run can end before its first draft: deliver an empty text."),
]


def judge(deliver):
    for label, rounds, want, idea in CASES:
        expect(deliver, (rounds,), want, idea, label)


EXERCISE = Exercise(
    id="5.1", name="deliver", title="best-draft memory", minutes=7,
    difficulty=2, statement="""
A run has ended: accepted, stalled, out of budget, or cut off in the middle of
a review. Write `deliver`: from its rounds choose the draft to hand over, and
say whether it is verified. The newest draft that the verifier passed wins,
even when the critic never saw it. When none passed it is the last draft, not
verified. A run without rounds delivers `("", False)`.

Each round has a `draft` and a `verdict`. The verdict is None when no verifier
ran; else it counts only if `verdict.ok` and `verdict.signal` both hold.
""", stub='''
def deliver(rounds):
    """(draft to hand over, whether it is verified)

    Drafts 1 and 2, of which the first passed -> (draft 1, True)
    """
    ...
''', hints=(
        "Go through the rounds in order and remember one thing.",
        "Start with best = None, and replace it whenever a verdict with "
        "signal is ok. What is left to do after the loop?",
        "v = r.verdict; if v is not None and v.ok and v.signal: best = "
        "r.draft. Then three cases: best, last draft, no rounds."),
    judge=judge,
    done="However a run ends, it never hands over a known regression.",
    right=('''
def deliver(rounds):
    best = None
    for r in rounds:
        v = r.verdict
        if v is not None and v.ok and v.signal:
            best = r.draft
    if best is not None:
        return best, True
    if rounds:
        return rounds[-1].draft, False
    return "", False
''', '''
def deliver(rounds):
    passed = [r.draft for r in rounds
              if r.verdict and r.verdict.ok and r.verdict.signal]
    every = [""] + [r.draft for r in rounds]
    return (passed or every)[-1], bool(passed)
'''), wrong=(
        Wrong("        return best, True", "        return rounds[-1].draft, "
              "True", "A later draft that failed"),
        Wrong("            best = r.draft", "            best = best or "
              "r.draft", "the newest also answers"),
        Wrong("v.ok and v.signal", "v.ok and v.signal and (r.accepted or r "
              "is not rounds[-1])", "the budget ran out first"),
        Wrong("v.ok and v.signal", "v.ok", "no evidence"),
        Wrong("return rounds[-1].draft, False", 'return "", False',
              "When none passed"),
        Wrong("best = r.draft", "best = r", "Return its text, and True"),
        Wrong("v is not None and v.ok", "v.ok", "AttributeError"),
        Wrong("return rounds[-1].draft, False", "return [r for r in rounds "
              "if r.verdict or r is rounds[0]][-1].draft, False",
              "it is the last draft, judged or not"),
        Wrong("v is not None and v.ok and v.signal", "(v is None and best) "
              "or (v and v.ok and v.signal)",
              "does not replace one that passed"),
        Wrong("v is not None and v.ok and v.signal", "r.accepted or "
              "(v is not None and v.ok and v.signal)",
              "whatever the critic said"),
        Wrong("return rounds[-1].draft, False",
              "return rounds[-1].draft, rounds[-1].verdict is None",
              "it is the last draft, judged or not"),
        Wrong('    if rounds:\n        return rounds[-1].draft, False\n'
              '    return "", False', "    return rounds[-1].draft, False",
              "IndexError"),
    ))
