"""3.3: the orchestrator computes the verdict; the reply proposes one."""

from ..exercise import Exercise, Wrong
from ..probe import expect


def critique(score, severities, passes):
    """A parsed critique, in the form of exercise 3.2."""
    issues = [{"dimension": "clarity", "severity": s, "description": "Vague.",
               "fix": "Name it."} for s in severities]
    return {"overall_score": score, "issues": issues, "passes": passes}


ACCEPT, OBJECT, NOTHING = "accept", "object", "no verdict"
CASES = [
    (critique(9, [], True), ACCEPT, "A high score without an issue passes."),
    (critique(4, ["high"], False), OBJECT,
     "A low score with a high issue is an objection."),
    (critique(7, [], True), ACCEPT, "The bar is reached at 7 itself."),
    (critique(6.9, [], False), OBJECT, "Below 7 is below the bar."),
    (critique(8, ["low", "medium"], True), ACCEPT,
     "Small issues alone do not block a draft that scores well."),
    (critique(9, ["low", "high"], False), OBJECT,
     "One high issue blocks a draft, whatever it scores and wherever in the "
     "list it stands."),
    (critique(9, ["high", "low"], False), OBJECT,
     "A high issue blocks when it comes first as well: look at all of them."),
    (critique(8, ["low", "low", "medium"], True), ACCEPT,
     "However many small issues there are, the rule is score and severity."),
    (None, NOTHING, "What could not be read decides nothing."),
    (critique(2, ["high"], True), NOTHING,
     'The reply says that it passes and reports that it does not: its '
     '"passes" is a claim, not the rule.'),
    (critique(9, ["high"], True), NOTHING,
     "It passes a draft in which it found a high issue: a contradiction, "
     "whatever the score."),
    (critique(4, [], True), NOTHING,
     "It passes a draft that it scores below the bar: a contradiction "
     "without any issue too."),
    (critique(9, [], False), NOTHING,
     "It withholds a pass that its own score gives. Who contradicts himself "
     "has no verdict, in this direction too."),
]


def judge(decide):
    for found, want, idea in CASES:
        expect(decide, (found,), want, idea)


EXERCISE = Exercise(
    id="3.3", name="decide", title="the pass rule", minutes=7, difficulty=2,
    statement="""
The model proposes, the orchestrator disposes. Write `decide`, which turns a
critique (what `parse_critique` of 3.2 returned, None included) into
`"accept"`, `"object"` or `"no verdict"`:

- a draft passes when the score is at least 7 and no issue has the severity
  `"high"`;
- when the reply's own `"passes"` says otherwise than this rule, it contradicts
  itself: no verdict. The same for None.

A critique with score 8, no issues and `"passes": True` is an `"accept"`.
""", stub='''
def decide(critique):
    """Return "accept", "object" or "no verdict".

    critique: None, or a dict with "overall_score", "issues" (each a dict
        with a "severity") and "passes"
    """
    ...
''', hints=(
        "Compute your own verdict first, from the score and the severities, "
        "as if the reply had no 'passes'.",
        "Then compare it with critique['passes']. When they differ, neither "
        "of them counts.",
        "passes = score >= 7 and all(issue['severity'] != 'high' for issue "
        "in issues); handle None before that."),
    judge=judge,
    done="The verdict is computed here; a reply can only agree with it.",
    right=('''
def decide(critique):
    if critique is None:
        return "no verdict"
    high = any(i["severity"] == "high" for i in critique["issues"])
    passes = critique["overall_score"] >= 7 and not high
    if passes != critique["passes"]:
        return "no verdict"
    return "accept" if passes else "object"
''', '''
def decide(critique):
    if not critique:
        return "no verdict"
    severities = [issue["severity"] for issue in critique["issues"]]
    if critique["overall_score"] < 7 or "high" in severities:
        return "no verdict" if critique["passes"] else "object"
    return "accept" if critique["passes"] else "no verdict"
'''), wrong=(
        Wrong("passes = critique[\"overall_score\"] >= 7 and not high",
                'passes = critique["passes"]', "is a claim, not the rule"),
        Wrong(">= 7", "> 7", "The bar is reached at 7 itself"),
        Wrong(">= 7 and not high", ">= 7",
                "One high issue blocks"),
        Wrong('i["severity"] == "high" for', 'i["severity"] for',
                "Small issues alone"),
        Wrong('    if critique is None:\n        return "no verdict"',
                '    if critique is None:\n        return "accept"',
                "What could not be read"),
        Wrong('if passes != critique["passes"]:',
                'if critique["passes"] and not passes:',
                "withholds a pass"),
        Wrong('if passes != critique["passes"]:', 'if critique["passes"] and '
                'critique["overall_score"] >= 7:\n        return "accept"\n'
                '    if passes != critique["passes"]:',
                "found a high issue"),
        Wrong('if passes != critique["passes"]:', 'if critique["passes"] and '
                'not critique["issues"]:\n        return "accept"\n'
                '    if passes != critique["passes"]:',
                "that it scores below the bar"),
        Wrong('return "accept" if passes else "object"',
                'return "accept" if passes else ("object" if high else '
                '"no verdict")', "Below 7 is below the bar"),
        Wrong('for i in critique["issues"])', 'for i in '
                'critique["issues"][-1:])', "look at all of them"),
        Wrong(">= 7 and not high", '>= 7 and not high and '
                'len(critique["issues"]) < 3', "However many small issues"),
        Wrong(">= 7", ">= 6.5", "Below 7 is below the bar"),
    ))
