"""4.3: four rates, and what stays in their denominators."""

from ..exercise import Exercise, Wrong
from ..probe import call, expect, not_yet, same, shown, slip, written

YES, NO, NIL = "accept", "object", "no verdict"


def rows(bad, good):
    """Judgements: the decisions on defective, then on clean drafts."""
    return [(True, d) for d in bad] + [(False, d) for d in good]


def rates(catch, miss, false_alarm, no_verdict):
    return {"catch": catch, "miss": miss, "false_alarm": false_alarm,
            "no_verdict": no_verdict}


CASES = [
    (rows([NO, NO, NO, YES], [YES] * 5), rates(3 / 4, 1 / 4, 0.0, 0.0),
     "Catch and miss are shares of the defective drafts alone."),
    (rows([NO, NO], [YES, YES, YES, NO]), rates(1.0, 0.0, 1 / 4, 0.0),
     "A false alarm is an objection to a clean draft, as a share of the "
     "clean drafts."),
    (rows([NO, NO, YES, NIL], [YES, YES]), rates(1 / 2, 1 / 4, 0.0, 1 / 6),
     "A defect without verdict was not caught, and it was not approved "
     "either: it stays among the defective drafts."),
    (rows([NO], [NO, NIL, NIL, YES]), rates(1.0, 0.0, 1 / 4, 2 / 5),
     "A clean draft without verdict stays among the clean ones, or silence "
     "would change the false alarm rate."),
    (rows([NO, YES], []), rates(1 / 2, 1 / 2, None, 0.0),
     "Without clean drafts nothing is known about false alarms: None, "
     "not 0."),
    (rows([], [NO, YES]), rates(None, None, 1 / 2, 0.0),
     "Without defective drafts nothing is known about catch and miss."),
]


def missed(got, want):
    """The idea behind a wrong form, or a wrong fourth rate."""
    if not isinstance(got, dict) or got.keys() != want.keys():
        return ("Return a dict with these four keys and no other: "
                + ", ".join(want) + ".")
    if idea := slip(got, want):
        return idea
    if same({**got, "no_verdict": want["no_verdict"]}, want):
        return ('"no_verdict" alone is wrong: count the drafts without '
                "verdict, defective and clean, as a share of all drafts.")
    return ""


def judge(four_rates):
    for judged, want, idea in CASES:
        got = call(four_rates, judged)
        if not same(got, want):
            raise not_yet(missed(got, want) or idea,
                          input=written(four_rates, (judged,)),
                          expected=shown(want), got=shown(got))
    expect(four_rates, ([],), rates(None, None, None, None),
           "Without drafts there is no rate at all.")


EXERCISE = Exercise(
    id="4.3", name="four_rates", title="the four rates", minutes=10,
    difficulty=2, statement="""
A critic has judged drafts whose labels are known. Each judgement is a pair
`(defective, decision)`: a bool and `"accept"`, `"object"` or `"no verdict"`.
Return a dict with these four shares, from 0 to 1 and not rounded:

- `"catch"`: defective drafts objected to, of all defective ones;
- `"miss"`: defective drafts accepted, of all defective ones;
- `"false_alarm"`: clean drafts objected to, of all clean ones;
- `"no_verdict"`: drafts without verdict, of all drafts.

A rate of nothing is None. Drafts without verdict stay in every denominator:
otherwise a critic gets better by mumbling.
""", stub='''
def four_rates(judgements):
    """{"catch": ..., "miss": ..., "false_alarm": ..., "no_verdict": ...}

    [(True, "object"), (False, "accept")] -> catch 1.0, miss 0.0,
        false_alarm 0.0, no_verdict 0.0
    """
    ...
''', hints=(
        "Split the decisions into two lists by the label. Every rate is a "
        "count in a list, divided by the length of a list.",
        "A helper share(list, decision) that returns None for an empty list "
        "does all four.",
        "bad = [d for defective, d in judgements if defective]; catch is "
        'share(bad, "object"), miss share(bad, "accept").'),
    judge=judge,
    done="Four counts, two labels, nothing swept out of a denominator.",
    right=('''
def four_rates(judgements):
    def share(decisions, wanted):
        if not decisions:
            return None
        return decisions.count(wanted) / len(decisions)

    bad = [d for defective, d in judgements if defective]
    good = [d for defective, d in judgements if not defective]
    return {"catch": share(bad, "object"), "miss": share(bad, "accept"),
            "false_alarm": share(good, "object"),
            "no_verdict": share(bad + good, "no verdict")}
''', '''
from collections import Counter

def four_rates(judgements):
    n = Counter(judgements)
    bad = sum(defective for defective, _ in judgements)
    good = len(judgements) - bad
    silent = n[True, "no verdict"] + n[False, "no verdict"]
    return {
        "catch": n[True, "object"] / bad if bad else None,
        "miss": n[True, "accept"] / bad if bad else None,
        "false_alarm": n[False, "object"] / good if good else None,
        "no_verdict": silent / (bad + good) if judgements else None,
    }
'''), wrong=(
        Wrong("/ len(decisions)", "/ len(judgements)",
              "of the defective drafts alone"),
        Wrong('"false_alarm": share(good, "object")',
              '"false_alarm": (bad + good).count("object") and '
              'good.count("object") / (bad + good).count("object")',
              "as a share of the clean drafts"),
        Wrong('"miss": share(bad, "accept")',
              '"miss": bad and 1 - share(bad, "object") or 0.0',
              "A defect without verdict was not caught"),
        Wrong("judgements if not defective]",
              'judgements if not defective and d != "no verdict"]',
              "A clean draft without verdict"),
        Wrong("            return None", "            return 0.0",
              "nothing is known about false alarms"),
        Wrong("return decisions.count(wanted) / len(decisions)",
              "return 100 * decisions.count(wanted) / len(decisions)",
              "not per cent"),
        Wrong("return decisions.count(wanted) / len(decisions)",
              "return round(decisions.count(wanted) / len(decisions), 2)",
              "right but rounded"),
        Wrong('    return {"catch"', '    return {"precision": None, "catch"',
              "these four keys and no other"),
        Wrong("share(bad + good,", "share(bad,", "alone is wrong"),
        Wrong('share(bad + good, "no verdict")',
              '(bad + good).count("no verdict") or (0.0 if judgements '
              "else None)", "alone is wrong"),
        Wrong('        return decisions.count(wanted) / len(decisions)',
              '        heard = [d for d in decisions if d != "no verdict"]\n'
              '        return decisions.count(wanted) / len(heard if wanted '
              '!= "no verdict" else decisions)',
              "A defect without verdict was not caught"),
        Wrong('"catch": share(bad, "object")',
              '"catch": share(bad, "object") or 0.0',
              "nothing is known about catch"),
        Wrong('share(bad + good, "no verdict")',
              'share(bad + good, "no verdict") or 0.0',
              "there is no rate at all"),
    ))
