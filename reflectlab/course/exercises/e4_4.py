"""4.4: an interval that stays honest for small suites."""

import math

from ...measure import stats
from ..exercise import Exercise, Wrong
from ..probe import call, expect, not_yet, shown, written

COUNTS = [(8, 10), (16, 20), (40, 50), (80, 100), (160, 200)]
WALD = ("This is the textbook interval around k/n. It is symmetric, and for "
        "few drafts too narrow: Wilson's centre is pulled towards one half.")


def near(got, want, scale=1):
    """Whether both ends are right, after clipping; z may be 1.96 or so."""
    try:
        return len(got) == 2 and all(
            abs(a / scale - min(1.0, max(0.0, b))) < 1e-4
            for a, b in zip(got, want, strict=True))
    except TypeError:
        return False


def missed(got, k, n, want):
    """The idea behind the usual wrong intervals."""
    p, half = k / n, (want[1] - want[0]) / 2
    wald = 1.96 * math.sqrt(p * (1 - p) / n)
    if near(got, (p - wald, p + wald)):
        return WALD
    if near(got, (p - half, p + half)):
        return "The width is right, the centre is not: it is no longer k/n."
    if near(got, want, scale=100):
        return "Return shares from 0 to 1, not per cent."
    return ("Put the formula's three parts, centre, spread and scale, into "
            "variables of their own and print them.")


def judge(wilson):
    def fail(idea, k, n, want, got):
        digits = tuple(round(end, 4) for end in want)
        raise not_yet(idea, input=written(wilson, (k, n)),
                      expected=str(digits), got=shown(got))

    for k, n in COUNTS:
        got, want = call(wilson, k, n), stats.wilson(k, n)
        if not near(got, want):
            fail(missed(got, k, n, want), k, n, want, got)
    expect(wilson, (0, 0), (0.0, 1.0), "Nothing seen, nothing known: 0 of 0 "
           "allows everything.")
    for k, n in [(0, 10), (10, 10)]:
        got, want = call(wilson, k, n), stats.wilson(k, n)
        if not near(got, want):
            fail("None or all of ten is no certainty: the interval keeps its "
                 "width.", k, n, want, got)
        if not 0 <= got[0] <= got[1] <= 1:
            fail("A share lies between 0 and 1: clip the rounding error at "
                 "both ends.", k, n, want, got)


EXERCISE = Exercise(
    id="4.4", name="wilson", title="the Wilson interval", minutes=10,
    difficulty=2, statement="""
Eight of ten defects caught: is the catch rate 80 %? With $p = k/n$ and
$z = 1.96$, Wilson's 95 % interval is

$$\\frac{p + \\frac{z^2}{2n} \\pm z\\sqrt{\\frac{p(1-p)}{n} +
\\frac{z^2}{4n^2}}}{1 + \\frac{z^2}{n}}$$

Return `(low, high)`, both within 0 and 1; for `n = 0` nothing is known, so
`(0.0, 1.0)`. With 8 of 10 it is (0.49, 0.94) after rounding: ten drafts can't
tell a good critic from a coin.
""", stub='''
import math


def wilson(k, n, z=1.96):
    """The 95 % interval of k out of n, as (low, high).

    wilson(8, 10) -> (0.49..., 0.94...)
    """
    ...
''', hints=(
        "Handle n == 0 first. Then name the parts: centre, spread, scale.",
        "centre = p + z*z/(2*n); scale = 1 + z*z/n. The spread holds the "
        "square root, with 4*n*n under the last z*z.",
        "spread = z * math.sqrt(p*(1-p)/n + z*z/(4*n*n)); the ends are "
        "(centre - spread)/scale and (centre + spread)/scale, clipped with "
        "max(0.0, ...) and min(1.0, ...)."),
    judge=judge,
    done="Ten drafts say little; the interval says how little.",
    right=('''
import math

def wilson(k, n, z=1.96):
    if n == 0:
        return 0.0, 1.0
    p = k / n
    centre = p + z * z / (2 * n)
    spread = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low, high = (centre - spread) / scale, (centre + spread) / scale
    return max(0.0, low), min(1.0, high)
''', '''
def wilson(k, n, z=1.96):
    if not n:
        return (0, 1)
    middle = (k + z ** 2 / 2) / (n + z ** 2)
    half = z / (n + z ** 2) * (k * (n - k) / n + z ** 2 / 4) ** 0.5
    return [max(middle - half, 0), min(middle + half, 1)]
'''), wrong=(
        Wrong("low, high = (centre - spread) / scale, (centre + spread) / "
              "scale", "wald = z * math.sqrt(p * (1 - p) / n)\n"
              "    low, high = p - wald, p + wald", "textbook interval"),
        Wrong("low, high = (centre - spread) / scale, (centre + spread) / "
              "scale", "low, high = p - spread / scale, p + spread / scale",
              "the centre is not"),
        Wrong("return max(0.0, low), min(1.0, high)",
              "return 100 * max(0.0, low), 100 * min(1.0, high)",
              "not per cent"),
        Wrong("math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))",
              "(p * (1 - p) / n + z * z / (4 * n * n))",
              "Put the formula's three parts"),
        Wrong("    if n == 0:\n        return 0.0, 1.0\n", "",
              "ZeroDivisionError"),
        Wrong("return 0.0, 1.0", "return 0.0, 0.0", "Nothing seen"),
        Wrong("    p = k / n\n", "    p = k / n\n    if k in (0, n):\n"
              "        return p, p\n", "no certainty"),
        Wrong("return max(0.0, low), min(1.0, high)",
              "return low - 1e-9, high + 1e-9", "clip the rounding error"),
    ))
