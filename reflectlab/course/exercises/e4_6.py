"""4.6: more flips of one kind are not a higher chance of them."""

from ..exercise import Exercise, Wrong
from ..probe import call, not_yet, recognised, same, shown, slip, written

# First accuracy, right-to-wrong, wrong-to-right, all in per cent; then the
# answer. Rows 1 to 3 are published (see data/published/).
CASES = [
    ((95.5, 8.0, 1.5), (89.0, 100 * 8.0 / 95.5, 100 * 1.5 / 4.5)),
    ((75.9, 8.8, 7.6), (74.7, 100 * 8.8 / 75.9, 100 * 7.6 / 24.1)),
    ((75.8, 39.8, 5.8), (41.8, 100 * 39.8 / 75.8, 100 * 5.8 / 24.2)),
    ((50.0, 0.0, 4.0), (54.0, 0.0, 8.0)),
    ((60.0, 6.0, 0.0), (54.0, 10.0, 0.0)),
    ((100.0, 3.0, 0.0), (97.0, 3.0, None)),
    ((0.0, 0.0, 12.0), (12.0, None, 12.0)),
]


NAMES = ("first number, the final accuracy,",
         "second number, the share broken,",
         "third number, the share fixed,")
FORM = ("Return three values: final accuracy, per cent of the right answers "
        "broken, per cent of the wrong answers fixed.")


def missed(got, want, first, broken, fixed):
    """The idea behind the usual wrong values, place by place."""
    if not isinstance(got, (list, tuple)) or len(got) != 3:
        return FORM
    final, wrong = want[0], 100 - first
    usual = [
        [(first + broken - fixed, "A draft that goes from right to wrong "
          "lowers the accuracy: the signs are swapped.")],
        [(broken, f"{broken:g} of 100 answers were broken, but only a right "
          "answer can be: divide by those that were right."),
         (share(broken, wrong), "Only right answers can be broken: the two "
          "groups are swapped."),
         (share(broken, final), "Divide by those that were right at first, "
          "not at the end."),
         (share(broken, first) / 100, "Give per cent, as the input does.")],
        [(fixed, "Only an answer that was wrong can be fixed: divide by "
          "those."),
         (share(fixed, 100 - final), "Divide by those that were wrong at "
          "first, not at the end."),
         (share(fixed, first), "Only wrong answers can be fixed: divide by "
          "those, not by the right ones."),
         (share(fixed, wrong) / 100, "Give per cent, as the input does."),
         (share(fixed, fixed + broken), "That is the share of the flips "
          "that are fixes. Asked is the share of the wrong answers that were "
          "fixed.")]]
    for place in range(3):
        if not same(got[place], want[place]):
            if want[place] is None:
                return ("There was no such answer, so there is no rate: "
                        "None, not a number.")
            if got[place] is None:
                return ("There were such answers, and none of them changed: "
                        "the share is 0, not None.")
            return recognised(
                got[place], usual[place], slip(got[place], want[place])
                or f"The {NAMES[place]} is wrong. Work it out by hand for "
                "this input.")
    return FORM


def share(part, whole):
    """Per cent; 0 when there is no whole, which no case asks for."""
    return 100 * part / whole if whole else 0.0


def judge(conditional_flips):
    for args, want in CASES:
        got = call(conditional_flips, *args)
        if not same(got, want):
            digits = [x if x is None else round(x, 6) for x in want]
            raise not_yet(missed(got, want, *args),
                          input=written(conditional_flips, args),
                          expected=shown(tuple(digits)), got=shown(got))


EXERCISE = Exercise(
    id="4.6", name="conditional_flips", title="absolute and conditional flips",
    minutes=8, difficulty=2, statement="""
A study reports, in per cent of *all* answers: 95.5 right at first, 8.0 went
from right to wrong, 1.5 from wrong to right (*published*: GPT-4, GSM8K, two
rounds). Five times as many were broken as fixed. Was breaking five times as
likely? Return three numbers in per cent, not rounded:

1. the final accuracy;
2. of the answers that were right at first, the share that was broken;
3. of the answers that were wrong at first, the share that was fixed.

A share of nothing is None. For these figures: 89.0, then 8.37... and 33.33...
""", stub='''
def conditional_flips(first, broken, fixed):
    """(final, per cent of the right broken, per cent of the wrong fixed)

    conditional_flips(95.5, 8.0, 1.5) -> (89.0, 8.37..., 33.3...)
    """
    ...
''', hints=(
        "Two groups of answers at the start: how large is each? Which of "
        "them can be broken, which fixed?",
        "Right at first are `first` per cent, wrong are 100 - first. Divide "
        "each flip by the group it comes from.",
        "final = first - broken + fixed; then 100 * broken / first and "
        "100 * fixed / (100 - first), unless the divisor is 0."),
    judge=judge,
    done="A wrong answer was four times as likely to be fixed as a right one "
         "to be broken; there were just twenty times more right ones.",
    right=('''
def conditional_flips(first, broken, fixed):
    wrong = 100 - first
    final = first - broken + fixed
    break_rate = 100 * broken / first if first else None
    fix_rate = 100 * fixed / wrong if wrong else None
    return final, break_rate, fix_rate
''', '''
def conditional_flips(first, broken, fixed):
    def per_cent(part, whole):
        return None if whole == 0 else part / whole * 100

    return [first + fixed - broken, per_cent(broken, first),
            per_cent(fixed, 100 - first)]
'''), wrong=(
        Wrong("first - broken + fixed", "first + broken - fixed",
              "the signs are swapped"),
        Wrong("100 * broken / first if first", "broken if first",
              "of 100 answers were broken"),
        Wrong("100 * fixed / wrong if wrong", "fixed if wrong",
              "Only an answer that was wrong"),
        Wrong("100 * broken / first if first", "100 * broken / wrong if wrong",
              "the two groups are swapped"),
        Wrong("100 * broken / first if first", "broken / first if first",
              "Give per cent"),
        Wrong("100 * fixed / wrong if wrong",
              "100 * fixed / (broken + fixed) if wrong",
              "the share of the flips that are fixes"),
        Wrong("return final, break_rate, fix_rate",
              "return final, break_rate and round(break_rate, 1), fix_rate",
              "right but rounded"),
        Wrong("100 * broken / first if first",
              "100 * broken / final if first", "right at first, not at the"),
        Wrong("100 * fixed / wrong if wrong",
              "100 * fixed / (100 - final) if wrong",
              "wrong at first, not at the end"),
        Wrong("100 * fixed / wrong if wrong",
              "100 * fixed / first if first", "not by the right ones"),
        Wrong("first - broken + fixed", "first - broken",
              "first number, the final"),
        Wrong("100 * broken / first if first",
              "100 * broken / (broken + fixed) if first",
              "second number, the share"),
        Wrong("100 * fixed / wrong if wrong",
              "fixed / wrong if wrong", "Give per cent"),
        Wrong("100 * fixed / wrong if wrong",
              "fixed / broken if broken and wrong",
              "third number, the share"),
        Wrong("100 * broken / first if first",
              "100 * broken / first if broken", "the share is 0, not None"),
        Wrong("100 * fixed / wrong if wrong",
              "100 * fixed / wrong if fixed", "the share is 0, not None"),
        Wrong("if first else None", "if first else 0.0",
              "so there is no rate"),
        Wrong("if wrong else None", "if wrong else 0.0",
              "so there is no rate"),
        Wrong("return final, break_rate, fix_rate",
              "return break_rate / fix_rate", "Return three values"),
    ))
