"""5.3: what a critic is expected to change, and when that pays."""

from ..exercise import Exercise, Wrong
from ..probe import call, not_yet, recognised, same, shown, slip, written

CASES = [(0.3, 0.8, 0.2, 0.6, 0.5), (0.05, 0.8, 0.2, 0.6, 0.5),
         (0.5, 0.9, 0.1, 0.7, 0.3), (0.2, 0.6, 0.6, 0.5, 0.5),
         (0.4, 0.5, 0.0, 0.5, 0.4), (0.3, 0.0, 0.2, 0.5, 0.5),
         (0.3, 0.0, 0.0, 0.5, 0.5), (0.3, 0.8, 0.2, 0.0, 0.0)]
FORM = ("Return two numbers: the expected change, and the defect rate at "
        "which it is zero.")


def answer(defective, catch, false_alarm, fix, break_):
    """The two right numbers."""
    gain, loss = catch * fix, false_alarm * break_
    even = loss / (gain + loss) if gain + loss else None
    return defective * gain - (1 - defective) * loss, even


def missed(got, want, defective, catch, false_alarm, fix, break_):
    """The idea behind the usual wrong values."""
    if not isinstance(got, (list, tuple)) or len(got) != 2:
        return FORM
    gain, loss = catch * fix, false_alarm * break_
    if not same(got[0], want[0]):
        return recognised(got[0], [
            (gain - loss, "Weigh both effects: only the defective share of "
             "the drafts can be fixed, only the rest broken."),
            ((1 - defective) * gain - defective * loss, "The share given is "
             "that of the defective drafts, not of the right ones."),
            (defective * gain, "A revised clean draft can come out broken: "
             "take off what false alarms cost."),
            (defective * catch - (1 - defective) * false_alarm, "An "
             "objection changes nothing by itself: it takes a revision, "
             "which fixes or breaks with its own chance."),
            (-want[0], "The sign is wrong: drafts put right count as a plus, "
             "drafts spoiled as a minus."),
            (0.0, "Below zero is an answer: there the loop harms."),
        ], slip(got[0], want[0]) or "The first number, the expected change, "
            "is wrong. Follow the defective drafts and the right ones "
            "separately.")
    if want[1] is None:
        return ("Here nothing is fixed and nothing is broken at any rate: "
                "there is no break-even, None.")
    if got[1] is None and gain == 0:
        return ("This critic fixes nothing but breaks drafts: it breaks even "
                "where none is left to break, at 1.0.")
    if got[1] is None:
        return "Where drafts are fixed or broken there is a break-even."
    return recognised(got[1], [
        (gain / (gain + loss) if gain + loss else None, "That is the share "
         "of right drafts at break-even; asked is that of defective ones."),
        (loss / gain if gain else None, "That is the ratio of defective to "
         "right drafts (the odds) at break-even, not the share of all."),
    ], slip(got[1], want[1]) or "The second number, the break-even defect "
        "rate, is wrong: set the expected change to zero and solve for d.")


def judge(worth_it):
    for args in CASES:
        got, want = call(worth_it, *args), answer(*args)
        if not same(got, want):
            raise not_yet(missed(got, want, *args),
                          input=written(worth_it, args),
                          expected=shown(tuple(
                              x if x is None else round(x, 6)
                              for x in want)), got=shown(got))


EXERCISE = Exercise(
    id="5.3", name="worth_it", title="is it worth its call?", minutes=15,
    difficulty=3, statement="""
One draft, one review, at most one revision. Of the first drafts a share
`defective` is wrong. The critic objects to a share `catch` of those and to a
share `false_alarm` of the others. A revision puts a wrong draft right with the
chance `fix` and spoils a right one with the chance `break_`. Return

1. the expected change in the share of right drafts (negative: the loop harms);
2. the defect rate at which that change is zero, given the four other numbers,
   or None when nothing is fixed and nothing broken at any rate.

Don't round. With 0.3, 0.8, 0.2, 0.6, 0.5 the change is
0.3 * 0.8 * 0.6 - 0.7 * 0.2 * 0.5 = 0.074, and the rate 0.17241...: below 17
defective drafts in 100 this critic does harm.
""", stub='''
def worth_it(defective, catch, false_alarm, fix, break_):
    """(expected change, break-even defect rate); all are shares, 0 to 1.

    worth_it(0.3, 0.8, 0.2, 0.6, 0.5) -> (0.074, 0.17241...)
    """
    ...
''', hints=(
        "Follow a wrong draft: what must happen for it to come out right? "
        "Multiply. Then follow a right one.",
        "gain = catch * fix and loss = false_alarm * break_; weigh them with "
        "the shares of wrong and right drafts.",
        "d * gain - (1 - d) * loss = 0 gives d = loss / (gain + loss)."),
    judge=judge,
    done="Four measured numbers and one defect rate decide; the same critic "
         "helps a weak writer and harms a strong one.",
    right=('''
def worth_it(defective, catch, false_alarm, fix, break_):
    gain = catch * fix
    loss = false_alarm * break_
    change = defective * gain - (1 - defective) * loss
    if gain + loss == 0:
        return change, None
    return change, loss / (gain + loss)
''', '''
def worth_it(defective, catch, false_alarm, fix, break_):
    def change(share):
        return (share * catch * fix
                - (1 - share) * false_alarm * break_)

    at_none, at_all = change(0), change(1)
    if at_none == at_all:
        return change(defective), None
    return change(defective), -at_none / (at_all - at_none)
'''), wrong=(
        Wrong("defective * gain - (1 - defective) * loss", "gain - loss",
              "Weigh both effects"),
        Wrong("defective * gain - (1 - defective) * loss",
              "(1 - defective) * gain - defective * loss",
              "not of the right ones"),
        Wrong("defective * gain - (1 - defective) * loss",
              "defective * gain", "take off what false alarms cost"),
        Wrong("defective * gain - (1 - defective) * loss",
              "defective * catch - (1 - defective) * false_alarm",
              "An objection changes nothing by itself"),
        Wrong("loss / (gain + loss)", "gain / (gain + loss)",
              "the share of right drafts at break-even"),
        Wrong("loss / (gain + loss)", "loss / gain", "the odds"),
        Wrong("return change, loss / (gain + loss)",
              "return round(change, 3), round(loss / (gain + loss), 4)",
              "right but rounded"),
        Wrong("gain + loss == 0", "gain == 0", "fixes nothing but breaks"),
        Wrong("gain + loss == 0", "loss == 0",
              "Where drafts are fixed or broken"),
        Wrong("gain + loss == 0", "catch == false_alarm == 0",
              "ZeroDivisionError"),
        Wrong("defective * gain - (1 - defective) * loss",
              "(1 - defective) * loss - defective * gain",
              "The sign is wrong"),
        Wrong("defective * gain - (1 - defective) * loss",
              "max(0.0, defective * gain - (1 - defective) * loss)",
              "Below zero is an answer"),
        Wrong("defective * gain - (1 - defective) * loss",
              "defective * fix - (1 - defective) * break_",
              "The first number, the expected change"),
        Wrong("loss / (gain + loss)", "false_alarm / (catch + false_alarm)",
              "The second number, the break-even"),
        Wrong("return change, None", "return change, 0.0",
              "there is no break-even"),
        Wrong("return change, loss / (gain + loss)", "return change > 0",
              "Return two numbers"),
    ))
