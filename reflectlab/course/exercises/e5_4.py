"""5.4: a test that fails unless a critic is shown to be good enough."""

from ...measure.planted import Planted
from ..exercise import Exercise, Wrong
from ..probe import call, not_yet, shown

# Name; of the defective and of the clean drafts: how many there are, how many
# are objected to, how many get no verdict; whether the gate opens; the idea.
CASES = [
    ("90 of 100 caught, 2 of 100 false alarms", (100, 90, 0), (100, 2, 0),
     True, "This critic is shown to be good: both intervals are inside the "
     "bounds."),
    ("accepts all 200 drafts", (100, 0, 0), (100, 0, 0), False,
     "A dummy that accepts everything must not pass."),
    ("objects to all 200 drafts", (100, 100, 0), (100, 100, 0), False,
     "A dummy that objects to everything catches all: bound the false alarms "
     "too."),
    ("9 of 10 caught, no false alarm in 100", (10, 9, 0), (100, 0, 0), False,
     "Ten defects show little: assert on the bound of the interval, not on "
     "the rate."),
    ("90 of 100 caught, 8 of 100 false alarms", (100, 90, 0), (100, 8, 0),
     False, "For false alarms the high end of the interval is the one to "
     "bound."),
    ("830 of 1000 caught, 70 of 1000 false alarms", (1000, 830, 0),
     (1000, 70, 0), True, "A thousand drafts of each kind make the interval "
     "narrow: its ends are inside the bounds, and no more is asked."),
    ("45 of 100 caught, 55 without verdict", (100, 45, 55), (100, 0, 0),
     False, "No verdict is no catch: a critic that mumbles must not pass."),
]


def suite_of(bad, good):
    """A suite, and a judge that gives exactly these counts."""
    items, says = [], {}
    for defective, (n, objected, silent) in ((True, bad), (False, good)):
        for i in range(n):
            name = f"{'defective' if defective else 'clean'} {i}"
            says[name] = (False if i < objected
                          else None if i < objected + silent else True)
            items.append(Planted(
                name, "task", "requirements", name, defective,
                {"kind": "tests", "tests": "pass"},
                defect="planted" if defective else ""))
    return (lambda requirements, draft: says[draft]), items


def judge(test_critic):
    def opens(critic, suite):
        try:
            value = test_critic(critic, suite)
        except AssertionError:
            return False
        except Exception as exc:
            raise not_yet("A test says no by assert; any other exception "
                          "says that the test itself is broken.", input=label,
                          got=shown(exc)) from None
        if value is not None:
            raise not_yet("A test says no by raising AssertionError; what it "
                          "returns is thrown away.",
                          got=f"it returned {value!r}")
        return True

    for label, bad, good, want, idea in CASES:
        critic, suite = suite_of(bad, good)
        got = call(lambda c=critic, s=suite: opens(c, s), label=label)
        if got != want:
            words = {True: "the test passes", False: "the test fails"}
            raise not_yet(idea, input=label, expected=words[want],
                          got=words[got])


EXERCISE = Exercise(
    id="5.4", name="test_critic", title="the CI gate", minutes=8,
    difficulty=2, statement="""
Prompts and models change, so a calibrated critic belongs in CI. Write
`test_critic`, a pytest test with two fixtures: `judge`, called as
`judge(requirements, draft)`, and `suite`, a list of planted drafts. It
calibrates the judge and fails, by `assert`, unless the numbers *show* (by the
worse end of the 95 % interval)

- a catch rate of at least 0.8, and
- a false alarm rate of at most 0.1.

`calibrate(judge, suite)` gives `.catch` and `.false_alarm`, each with
`.value`, `.low` and `.high`. Put the function into a `test_critic.py`, the two
fixtures into a `conftest.py` beside it, and take both to work.
""", stub='''
from reflectlab import calibrate


def test_critic(judge, suite):
    """Fails unless the critic is shown to be good enough."""
    ...
''', hints=(
        "A rate of 9/10 is no evidence for 0.8. Which end of which interval "
        "is the cautious one?",
        "The low end of catch must be high enough, the high end of the false "
        "alarm rate low enough.",
        "assert c.catch.low >= 0.8 and c.false_alarm.high <= 0.1; or use "
        "assert_calibrated, which also says how many drafts are missing."),
    judge=judge,
    done="Save it as test_critic.py: a worse prompt now turns the build red.",
    right=('''
from reflectlab import calibrate

def test_critic(judge, suite):
    c = calibrate(judge, suite)
    assert c.catch.low >= 0.8, c.catch
    assert c.false_alarm.high <= 0.1, c.false_alarm
''', '''
from reflectlab import assert_calibrated, calibrate

def test_critic(judge, suite):
    assert_calibrated(calibrate(judge, suite),
                      min_catch=0.8, max_false_alarm=0.1)
''', '''
from reflectlab.measure.stats import wilson

def test_critic(judge, suite):
    objected = {True: [], False: []}
    for item in suite:
        said = judge(item.requirements, item.draft)
        objected[item.defective].append(said is False)
    bad, good = objected[True], objected[False]
    assert wilson(sum(bad), len(bad))[0] >= 0.8
    assert wilson(sum(good), len(good))[1] <= 0.1
'''), wrong=(
        Wrong("    assert c.false_alarm.high <= 0.1, c.false_alarm\n", "",
              "bound the false alarms too"),
        Wrong("c.catch.low >= 0.8", "c.catch.value >= 0.8",
              "not on the rate"),
        Wrong("c.false_alarm.high <= 0.1", "c.false_alarm.value <= 0.1",
              "is the one to bound"),
        Wrong("c.catch.low >= 0.8", "c.miss.high <= 0.2",
              "No verdict is no catch"),
        Wrong("c.catch.low >= 0.8", "c.catch.low >= 0.85",
              "This critic is shown to be good"),
        Wrong("c.catch.low >= 0.8", "c.catch.low >= 0.82",
              "and no more is asked"),
        Wrong("    assert c.catch.low >= 0.8, c.catch\n    assert "
              "c.false_alarm.high <= 0.1, c.false_alarm\n",
              "    shown = (c.catch.low >= 0.8, c.false_alarm.high <= 0.1)\n"
              "    assert shown\n", "A dummy that accepts everything"),
        Wrong("    assert c.catch.low >= 0.8, c.catch\n    assert "
              "c.false_alarm.high <= 0.1, c.false_alarm\n",
              "    assert c.catch.low >= 0.8 or c.false_alarm.high <= 0.1\n",
              "A dummy that accepts everything"),
        Wrong("    assert c.catch.low >= 0.8, c.catch\n    assert "
              "c.false_alarm.high <= 0.1, c.false_alarm\n",
              "    assert c.catch.k >= 80 and c.false_alarm.k <= 2\n",
              "and no more is asked"),
        Wrong("assert c.catch.low >= 0.8, c.catch",
              "if c.catch.low < 0.8:\n        return False",
              "what it returns is thrown away"),
        Wrong("assert c.catch.low >= 0.8, c.catch", "if c.catch.low < 0.8:\n"
              "        raise ValueError(c.catch)", "A test says no by assert"),
        Wrong("c.catch.low >= 0.8", "c.catch >= 0.8",
              "A test says no by assert"),
        Wrong("assert c.catch.low >= 0.8, c.catch",
              "print(c.catch.low >= 0.8)",
              "A dummy that accepts everything"),
    ))
