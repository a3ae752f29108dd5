"""4.5: two critics that read nothing, and what accuracy says of them."""

from ..exercise import Exercise, Wrong
from ..probe import call, not_yet, recognised, same, shown, written

CASES = [(10, 90, 0, 0), (10, 90, 10, 90), (90, 10, 45, 5), (10, 90, 8, 18),
         (50, 50, 40, 10), (20, 20, 5, 10)]
FORM = ("Return three numbers: accuracy, the better dummy's accuracy, and "
        "catch rate minus false alarm rate.")


def answer(defective, clean, caught, alarms):
    """The three right numbers."""
    n = defective + clean
    return ((caught + clean - alarms) / n, max(defective, clean) / n,
            caught / defective - alarms / clean)


def missed(got, args):
    """The idea behind the usual wrong values, place by place."""
    defective, clean, caught, alarms = args
    accuracy, dummy, skill = want = answer(*args)
    n = defective + clean
    usual = [
        [(caught / n, "A clean draft without an alarm was judged right as "
          "well."),
         ((caught + clean) / n, "An alarm about a clean draft is a wrong "
          "judgement."),
         (100 * accuracy, "Give shares, not per cent.")],
        [(clean / n, "Where most drafts are defective, the better dummy is "
          "the one that always objects.")],
        [(caught / defective, "Who objects to everything catches everything: "
          "take off the false alarm rate."),
         (caught / max(1, caught + alarms), "That is the share of deserved "
          "objections (precision): it changes with the mix of the suite."),
         (max(0.0, skill), "Skill below zero is an answer: this critic "
          "prefers clean drafts."),
         (accuracy - dummy, "A gain over a dummy's accuracy is accuracy "
          "again. Skill is a difference of two rates.")]]
    for place in range(3):
        if not same(got[place], want[place]):
            return recognised(got[place], usual[place], FORM)
    return FORM


def judge(against_dummies):
    for args in CASES:
        got = call(against_dummies, *args)
        if not same(got, answer(*args)):
            three = isinstance(got, (list, tuple)) and len(got) == 3
            raise not_yet(missed(got, args) if three else FORM,
                          input=written(against_dummies, args),
                          expected=shown(answer(*args)), got=shown(got))


EXERCISE = Exercise(
    id="4.5", name="against_dummies", title="the two dummies", minutes=7,
    difficulty=1, statement="""
Two critics need no model: one accepts every draft, the other objects to all
of them. A suite has `defective` and `clean` drafts; a critic objected to
`caught` of the first and to `alarms` of the second, and accepted the rest.
Return three numbers:

1. its accuracy: the share of all drafts that it judged right;
2. the accuracy of the better one of the two dummies on this suite;
3. its skill: catch rate minus false alarm rate.

With 10 defective and 90 clean drafts and a critic that accepts all of them:
`(0.9, 0.9, 0.0)`. Accuracy calls it excellent.
""", stub='''
def against_dummies(defective, clean, caught, alarms):
    """(accuracy, accuracy of the better dummy, skill)

    against_dummies(10, 90, 0, 0) -> (0.9, 0.9, 0.0)
    """
    ...
''', hints=(
        "Which drafts does a critic judge right? Two groups, and one of them "
        "is not in the arguments but can be computed.",
        "Right are the caught ones and the clean ones without alarm. A dummy "
        "is right about all drafts of one kind.",
        "accuracy = (caught + clean - alarms) / n; dummy = max(defective, "
        "clean) / n; skill = caught / defective - alarms / clean."),
    judge=judge,
    done="Both dummies have skill 0 on every suite. Accuracy can't see it.",
    right=('''
def against_dummies(defective, clean, caught, alarms):
    n = defective + clean
    accuracy = (caught + clean - alarms) / n
    dummy = max(defective, clean) / n
    skill = caught / defective - alarms / clean
    return accuracy, dummy, skill
''', '''
def against_dummies(defective, clean, caught, alarms):
    def accuracy(hits, objections_to_clean):
        return (hits + clean - objections_to_clean) / (defective + clean)

    dummies = accuracy(0, 0), accuracy(defective, clean)
    return [accuracy(caught, alarms), max(dummies),
            caught / defective - alarms / clean]
'''), wrong=(
        Wrong("(caught + clean - alarms) / n", "caught / n",
              "A clean draft without an alarm"),
        Wrong("(caught + clean - alarms) / n", "(caught + clean) / n",
              "An alarm about a clean draft"),
        Wrong("max(defective, clean) / n", "clean / n",
              "the one that always objects"),
        Wrong("caught / defective - alarms / clean", "caught / defective",
              "catches everything"),
        Wrong("caught / defective - alarms / clean",
              "caught / (caught + alarms) if caught + alarms else 0.0",
              "deserved objections"),
        Wrong("skill = caught / defective - alarms / clean",
              "skill = max(0.0, caught / defective - alarms / clean)",
              "Skill below zero"),
        Wrong("caught / defective - alarms / clean", "accuracy - dummy",
              "accuracy again"),
        Wrong("return accuracy, dummy, skill", "return accuracy",
              "Return three numbers"),
    ))
