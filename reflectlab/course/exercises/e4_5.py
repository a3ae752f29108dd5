"""4.5: two critics that read nothing, and what accuracy says of them."""

from ..exercise import Exercise, Wrong
from ..probe import call, not_yet, recognised, same, shown, slip, written

NAMES = ("first number, the accuracy,",
         "second number, the better dummy's accuracy,",
         "third number, the skill,")
CASES = [(10, 90, 0, 0), (10, 90, 8, 18), (10, 90, 10, 90), (90, 10, 45, 5),
         (50, 50, 40, 10), (20, 20, 5, 10),
         (30, 70, 20, 10)]
BELOW = "Skill below zero is an answer: this critic prefers clean drafts."
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
         (1 - accuracy, "That is the share judged wrong.")],
        [(clean / n, "Where most drafts are defective, the better dummy is "
          "the one that always objects."),
         (min(defective, clean) / n, "That is the worse dummy: take the one "
          "that is right more often.")],
        [(-skill, "The false alarm rate is taken off the catch rate, not the "
          "other way round." if skill > 0 else BELOW),
         (caught / defective, "Who objects to everything catches everything: "
          "take off the false alarm rate."),
         (caught / max(1, caught + alarms), "That is the share of deserved "
          "objections (precision): it changes with the mix of the suite."),
         (max(0.0, skill), BELOW),
         (accuracy - dummy, "A gain over a dummy's accuracy is accuracy "
          "again. Skill is a difference of two rates.")]]
    for place in range(3):
        if not same(got[place], want[place]):
            return recognised(
                got[place], usual[place], slip(got[place], want[place])
                or f"The {NAMES[place]} is wrong. Work it out by hand for "
                "this input.")
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
    id="4.5", name="against_dummies", title="the two dummies", minutes=8,
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
        Wrong("skill = caught / defective - alarms / clean",
              "skill = abs(caught / defective - alarms / clean)",
              "Skill below zero"),
        Wrong("alarms / clean\n", "alarms / n\n", "third number, the"),
        Wrong("max(defective, clean) / n", "0.5", "second number, the"),
        Wrong("max(defective, clean) / n", "max(caught, alarms) / n",
              "second number, the"),
        Wrong("max(defective, clean) / n", "min(defective, clean) / n",
              "the worse dummy"),
        Wrong("caught / defective - alarms / clean",
              "alarms / clean - caught / defective",
              "not the other way round"),
        Wrong("caught / defective - alarms / clean",
              "(caught - alarms) / defective", "third number, the"),
        Wrong("(caught + clean - alarms) / n",
              "(n - alarms) / n", "first number, the"),
        Wrong("return accuracy, dummy, skill",
              "return 100 * accuracy, 100 * dummy, 100 * skill",
              "not per cent"),
        Wrong("return accuracy, dummy, skill",
              "return accuracy, dummy, round(skill, 2)",
              "right but rounded"),
        Wrong("return accuracy, dummy, skill", "return accuracy",
              "Return three numbers"),
    ))
