"""5.5: the same suite, judged again: what has changed, and by chance?"""

from math import comb

from ..exercise import Exercise, Wrong
from ..probe import call, expect, not_yet, recognised, same, shown, slip

# Decisions on the defective drafts d0, d1, ...: a accepts, o objects, - is no
# verdict.
WORDS = {"a": "accept", "o": "object", "-": "no verdict"}
CASES = [("oooooooooo", "oooooaaaaa"), ("oooooooooo", "ooooaaaaaa"),
         ("oooaaaaaaaaa", "aooooooooooa"), ("oaoa", "aooa"), ("oo-a", "---o"),
         ("-aoo", "oo-o"),
         ("oa", "oa")]


def month(letters):
    return {f"d{i}": WORDS[letter] for i, letter in enumerate(letters)}


OTHER_SUITES = [
    (month("ooo"), month("oo"), "3 drafts before, 2 of them after",
     "Another suite can't be paired with this one: raise ValueError in place "
     "of a number that means nothing."),
    (month("oo"), month("ooo"), "2 drafts before, one more after",
     "An extra draft makes it another suite, in either month: raise "
     "ValueError."),
    (month("oo"), {"d0": "object", "x": "object"},
     "d0, d1 before; d0, x after", "As many drafts are not the same drafts: "
     "compare the ids and raise ValueError."),
]


def chance(gained, lost):
    """Exact two-sided McNemar test; its tail, and the number of changes."""
    n = gained + lost
    tail = sum(comb(n, i) for i in range(min(gained, lost) + 1))
    return min(1.0, 2 * tail / 2 ** n), tail, n


def missed(got, before, after):
    """The idea behind the usual wrong values."""
    pairs = list(zip(before, after, strict=True))
    gained = sum(a != "o" and b == "o" for a, b in pairs)
    lost = sum(a == "o" and b != "o" for a, b in pairs)
    p, tail, n = chance(gained, lost)
    m = min(gained, lost)
    if not isinstance(got, (list, tuple)) or len(got) != 3:
        return "Return three values: gained, lost and p."
    if not same(got[:2], (gained, lost)):
        net = gained - lost
        return recognised(got[:2], [
            ((max(0, net), max(0, -net)), "The rate may stay the same while "
             "drafts change in both directions: compare draft by draft."),
            ((lost, gained), "gained comes first, lost second."),
        ], "A draft is caught when the decision is 'object'. No verdict is "
           "not caught, before and after.")
    if n == 0:
        return "Without a change nothing is surprising: p is 1."
    return recognised(got[2], [
        (tail / 2 ** n, "That is one side. A change in either direction "
         "would have surprised you: two-sided, twice as much."),
        (2 * (tail - comb(n, m)) / 2 ** n, "m itself belongs to the sum: "
         "range(m + 1)."),
        (2 * comb(n, m) / 2 ** n, "p is the chance of a split at least as "
         "uneven, so add up all terms from 0 to m."),
        (2 * tail / 2 ** n, "A probability is never more than 1."),
        (2 * sum(comb(len(pairs), i) for i in range(m + 1))
         / 2 ** len(pairs), "Drafts judged as before tell nothing: n counts "
         "the changed ones."),
    ], slip(got[2], p) or "p is wrong. Put n, m and the sum into variables "
        "of their own and print them.")


def judge(what_changed):
    for before, after in CASES:
        pairs = list(zip(before, after, strict=True))
        gained, lost = pairs.count(("a", "o")) + pairs.count(("-", "o")), sum(
            a == "o" != b for a, b in pairs)
        want = (gained, lost, chance(gained, lost)[0])
        label = (f"{len(before)} drafts, before {before}, after {after} "
                 "(a accept, o object, - no verdict)")
        got = call(what_changed, month(before), month(after), label=label)
        if not same(got, want):
            raise not_yet(missed(got, before, after), input=label,
                          expected=shown(want), got=shown(got))
    shuffled = dict(reversed(month("aoo").items()))
    order = ("The second dict lists the same drafts in another order: pair "
             "them by their id.")

    def outcome(before, after):
        try:
            return f"returned {shown(what_changed(before, after))}"
        except Exception as exc:
            return type(exc).__name__

    label = "the same drafts in another order"
    got = call(lambda: outcome(month("aoo"), shuffled), label=label)
    if got == "ValueError":
        raise not_yet(order, input=label,
                      expected="(0, 0, 1.0)", got=got)
    expect(what_changed, (month("aoo"), shuffled), (0, 0, 1.0), order)
    for before, after, label, idea in OTHER_SUITES:
        got = call(lambda b=before, a=after: outcome(b, a), label=label)
        if got != "ValueError":
            if got == "AssertionError":
                idea = "Refusing is right: do it with raise ValueError(...)."
            raise not_yet(idea, input=label, expected="ValueError", got=got)


EXERCISE = Exercise(
    id="5.5", name="what_changed", title="drift", minutes=12, difficulty=2,
    statement="""
A month later the same critic judges the same suite. `before` and `after` map
the id of each defective draft to `"accept"`, `"object"` or `"no verdict"`; a
draft is caught when the decision is `"object"`. Return `(gained, lost, p)`:
how many drafts are caught now only, how many were caught then only, and the
exact McNemar p. With n = gained + lost and m the smaller of the two,

$$p = \\min\\Big(1,\\ 2 \\sum_{i=0}^{m} \\binom{n}{i} \\Big/ 2^n\\Big)$$

Five one-way changes give 0.0625, six give 0.03125: a drop of five drafts can
still be chance. Raise ValueError when the two do not hold the same drafts.
""", stub='''
from math import comb


def what_changed(before, after):
    """(gained, lost, p)

    what_changed({"a": "object"}, {"a": "accept"}) -> (0, 1, 1.0)
    """
    ...
''', hints=(
        "Compare draft by draft, by id. Which two kinds of change are there?",
        "The sets of caught ids then and now: gained = now - then, lost = "
        "then - now. Their sizes are all that p needs.",
        "tail = sum(comb(n, i) for i in range(min(gained, lost) + 1)); "
        "p = min(1.0, 2 * tail / 2 ** n)."),
    judge=judge,
    done="A history of calibrations can now say what is drift and what noise.",
    right=('''
from math import comb

def what_changed(before, after):
    if before.keys() != after.keys():
        raise ValueError("different drafts can't be paired")
    then = {i for i, decision in before.items() if decision == "object"}
    now = {i for i, decision in after.items() if decision == "object"}
    gained, lost = len(now - then), len(then - now)
    n = gained + lost
    tail = sum(comb(n, i) for i in range(min(gained, lost) + 1))
    return gained, lost, min(1.0, 2 * tail / 2 ** n)
''', '''
from reflectlab.measure.stats import mcnemar_exact

def what_changed(before, after):
    if set(before) != set(after):
        raise ValueError("not the same suite")
    pairs = [(before[i] == "object", after[i] == "object") for i in before]
    gained = pairs.count((False, True))
    lost = pairs.count((True, False))
    return gained, lost, mcnemar_exact(gained, lost)
'''), wrong=(
        Wrong("2 * tail / 2 ** n", "tail / 2 ** n", "That is one side"),
        Wrong("n = gained + lost", "n = len(before)",
              "Drafts judged as before tell nothing"),
        Wrong("for i in range(min(gained, lost) + 1)",
              "for i in [min(gained, lost)]", "at least as uneven"),
        Wrong("min(1.0, 2 * tail / 2 ** n)", "2 * tail / 2 ** n",
              "never more than 1"),
        Wrong('after.items() if decision == "object"',
              'after.items() if decision != "accept"',
              "No verdict is not caught"),
        Wrong("before.keys() != after.keys()", "len(before) > len(after)",
              "An extra draft makes it another suite"),
        Wrong("before.keys() != after.keys()", "set(before) - set(after)",
              "An extra draft makes it another suite"),
        Wrong("before.keys() != after.keys()", "len(before) != len(after)",
              "As many drafts are not the same"),
        Wrong("    if before.keys() != after.keys():\n        raise "
              'ValueError("different drafts can\'t be paired")\n',
              "    assert before.keys() == after.keys()\n",
              "do it with raise ValueError"),
        Wrong("    if before.keys() != after.keys():\n        raise "
              'ValueError("different drafts can\'t be paired")\n',
              "    [after[i] for i in before]\n",
              "Another suite can't be paired"),
        Wrong("before.keys() != after.keys()", "list(before) != list(after)",
              "pair them by their id"),
        Wrong('then = {i for i, decision in before.items() if decision == '
              '"object"}', 'then = {i for i, decision in before.items() if '
              'decision != "accept"}', "No verdict is not caught"),
        Wrong("range(min(gained, lost) + 1)", "range(min(gained, lost))",
              "m itself belongs to the sum"),
        Wrong("n = gained + lost", "n = gained + lost\n    if n == 0:\n"
              "        return 0, 0, 0.0", "nothing is surprising"),
        Wrong("min(1.0, 2 * tail / 2 ** n)",
              "round(min(1.0, 2 * tail / 2 ** n), 3)", "right but rounded"),
        Wrong("after.items()", "zip(before, after.values())",
              "pair them by their id"),
        Wrong("    if before.keys() != after.keys():\n        raise "
              'ValueError("different drafts can\'t be paired")\n', "",
              "Another suite can't be paired"),
        Wrong("gained, lost = len(now - then), len(then - now)",
              "net = len(now) - len(then)\n"
              "    gained, lost = max(0, net), max(0, -net)",
              "compare draft by draft"),
        Wrong("gained, lost = len(now - then), len(then - now)",
              "lost, gained = len(now - then), len(then - now)",
              "gained comes first"),
    ))
