"""5.2: where a scored critic should draw its line."""

from ..exercise import Exercise, Wrong
from ..probe import expect


def rows(bad, good):
    """Pairs (score, defective); None is a reply that gave no verdict."""
    return [(s, True) for s in bad] + [(s, False) for s in good]


CASES = [
    (rows([3], [4]), 4, "Only threshold 4 parts these two: an objection is a "
     "score below it, and a score equal to it is accepted."),
    (rows([3, 4], [8, 9]), 5,
     "Every threshold from 5 to 8 separates these drafts; on a tie take the "
     "lowest."),
    (rows([3, 5], [6, 9]), 6, "A draft that scores the threshold itself is "
     "accepted: object below it, not at it."),
    (rows([3, 6], [5, 7, 8, 8, 9, 9, 9, 9]), 7,
     "Try all ten thresholds, and compare two rates, not two counts, and not "
     "accuracy: there are four clean drafts to each defective one."),
    (rows([2, 9], [8, 8, 9, 9]), 3,
     "Catching the last defect would raise an alarm about every clean draft: "
     "take off the false alarms."),
    (rows([3, 8, 8, 8], [7, 7, None, None, None, None]), 9,
     "A clean draft without verdict stays among the clean drafts: here it "
     "lowers the false alarm rate at every threshold."),
    (rows([3, 3, 6, None, None, None], [5, 9, 9, 9]), 4,
     "A defective draft without verdict stays among the defective ones: it "
     "was not caught."),
    (rows([3, 3, 3, 6], [5, 9, 9, 9, 9]), 7,
     "One more of four catches for one alarm in five: that pays."),
    (rows([3, 3, 3, 6], [5, 9, 9]), 4,
     "One more of four catches for one alarm in three: that does not pay."),
    (rows([9, 9], [10, 10]), 10, "10 is a threshold too."),
    (rows([10, 10], [10, None, None]), 1,
     "None of the thresholds 1 to 10 objects to any of these, so it is a "
     "tie: the lowest. (11 would object to all.)"),
]


def judge(best_threshold):
    for judged, want, idea in CASES:
        expect(best_threshold, (judged,), want, idea)


EXERCISE = Exercise(
    id="5.2", name="best_threshold", title="the threshold of a scored critic",
    minutes=14, difficulty=2, statement="""
A scored critic objects to a draft when the score lies below a threshold. Which
one? You have judgements of drafts with known labels: pairs
`(score, defective)`, the score a whole number from 1 to 10, or None when the
reply gave no verdict. Write `best_threshold`: of the thresholds 1 to 10 the
one with the most skill (catch rate minus false alarm rate), on a tie the
lowest.
Drafts without verdict are neither caught nor an alarm, and stay in the
denominators. There is at least one draft of each kind.

`best_threshold([(3, True), (8, False)])` is 4.
""", stub='''
def best_threshold(judgements):
    """The threshold from 1 to 10 with the most skill.

    best_threshold([(3, True), (8, False)]) -> 4
    """
    ...
''', hints=(
        "Write the skill of one threshold as a function first, then try all "
        "ten.",
        "Split the scores by label. At threshold t, the catch rate is the "
        "share of defective drafts with a score that is not None and < t.",
        "max(range(1, 11), key=skill) takes the first, and so the lowest, "
        "of equals."),
    judge=judge,
    done="The line is drawn by data. Measure the chosen threshold on other "
         "drafts: on these it is flattered.",
    right=('''
def best_threshold(judgements):
    bad = [score for score, defective in judgements if defective]
    good = [score for score, defective in judgements if not defective]

    def flagged(scores, t):
        hits = [s for s in scores if s is not None and s < t]
        return len(hits) / len(scores)

    def skill(t):
        return flagged(bad, t) - flagged(good, t)

    return max(range(1, 11), key=skill)
''', '''
from fractions import Fraction

def best_threshold(judgements):
    n_bad = sum(defective for _, defective in judgements)
    best, most = 1, Fraction(-1)
    for t in range(1, 11):
        skill = Fraction(0)
        for score, defective in judgements:
            if score is not None and score < t:
                skill += (Fraction(1, n_bad) if defective
                          else Fraction(-1, len(judgements) - n_bad))
        if skill > most:
            best, most = t, skill
    return best
'''), wrong=(
        Wrong("range(1, 11), key", "range(10, 0, -1), key",
              "on a tie take the lowest"),
        Wrong("and s < t]", "and (s < t or s == t == 5)]",
              "accepted: object below it"),
        Wrong("return len(hits) / len(scores)", "return len(hits)",
              "compare two rates"),
        Wrong("flagged(bad, t) - flagged(good, t)", "flagged(bad, t)",
              "take off the false alarms"),
        Wrong("return len(hits) / len(scores)",
              "return len(hits) / sum(s is not None for s in scores)",
              "stays among the clean drafts"),
        Wrong("and s < t]", "and s <= t]", "Only threshold 4 parts"),
        Wrong("flagged(bad, t) - flagged(good, t)",
              "flagged(good, t) - flagged(bad, t)", "Only threshold 4 parts"),
        Wrong("    def flagged", "    bad = [s for s in bad if s is not "
              "None] or bad\n\n    def flagged",
              "A defective draft without verdict"),
        Wrong("range(1, 11), key", "range(1, 10), key",
              "10 is a threshold too"),
        Wrong("flagged(bad, t) - flagged(good, t)",
              "flagged(bad, t) * len(bad) + (1 - flagged(good, t)) "
              "* len(good)", "compare two rates"),
        Wrong("range(1, 11), key", "[s or 1 for s, _ in judgements], key",
              "on a tie take the lowest"),
        Wrong("return max(range(1, 11), key=skill)", "t = 1\n    while t < 10 "
              "and skill(t + 1) >= skill(t):\n        t += 1\n"
              "    return min(range(1, t + 1), key=lambda u: (-skill(u), u))",
              "compare two rates"),
        Wrong("range(1, 11), key", "range(2, 11), key",
              "so it is a tie"),
        Wrong("if s is not None and s < t", "if s < t", "TypeError"),
    ))
