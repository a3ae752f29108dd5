"""4.4: an interval that stays honest for small suites."""

import math

from ...measure import stats
from ..exercise import Exercise, Wrong
from ..probe import call, expect, not_yet, same, shown, slip, written

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
    if not isinstance(got, (list, tuple)) or len(got) != 2:
        return "Return two numbers, the low end and the high end."
    if near(got, want[::-1]):
        return "The low end comes first, then the high end."
    scale = 1 + 1.96 ** 2 / n
    centre = scale * (want[0] + want[1]) / 2
    if (same(got, [end * scale for end in want])
            or near(got, [end * scale for end in want])
            or same(got, (centre - half, centre + half))):
        return ("Divide both ends by the scale, 1 + z*z/n: it stands under "
                "the whole fraction.")
    if near(got, want, scale=100):
        return "Give shares from 0 to 1, not per cent."
    return slip(got, want) or (
        "Put the formula's three parts, centre, spread and scale, into "
        "variables of their own and print them.")


def judge(wilson):
    def fail(idea, k, n, want, got):
        digits = tuple(round(end, 6) for end in want)
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
    got, want = call(wilson, 8, 10, 1.0), stats.wilson(8, 10, 1.0)
    if not near(got, want):
        raise not_yet("z is an argument, and 1.96 only its default: use it "
                      "wherever the formula has a z.",
                      input=written(wilson, (8, 10, 1.0)),
                      expected=shown(want), got=shown(got))


EXERCISE = Exercise(
    id="4.4", name="wilson", title="the Wilson interval", minutes=12,
    difficulty=2, statement="""
Eight of ten defects caught: is the catch rate 80 %? With $p = k/n$ and
$z = 1.96$, Wilson's 95 % interval is

$$\\frac{p + \\frac{z^2}{2n} \\pm z\\sqrt{\\frac{p(1-p)}{n} +
\\frac{z^2}{4n^2}}}{1 + \\frac{z^2}{n}}$$

The shorter textbook interval $p \\pm z\\sqrt{p(1-p)/n}$ won't do: for few
drafts it is too narrow, and at 10 of 10 it has no width at all.

Return `(low, high)`, both within 0 and 1 and not rounded; for `n = 0` nothing
is known, so `(0.0, 1.0)`. With 8 of 10 it is (0.4901..., 0.9433...): ten
drafts can't tell a good critic from a coin.
""", stub='''
import math


def wilson(k, n, z=1.96):
    """The 95 % interval of k out of n, as (low, high).

    wilson(8, 10) -> (0.4901..., 0.9433...)
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
        Wrong("return max(0.0, low), min(1.0, high)",
              "return round(max(0.0, low), 2), round(min(1.0, high), 2)",
              "right but rounded"),
        Wrong("return max(0.0, low), min(1.0, high)",
              "return min(1.0, high), max(0.0, low)",
              "The low end comes first"),
        Wrong("scale = 1 + z * z / n", "scale = 1", "Divide both ends"),
        Wrong("return max(0.0, low), min(1.0, high)",
              "return low * scale, high * scale", "Divide both ends"),
        Wrong("low, high = (centre - spread) / scale, (centre + spread) / "
              "scale", "low = centre - spread / scale\n"
              "    return low, centre + spread / scale", "Divide both ends"),
        Wrong("return max(0.0, low), min(1.0, high)", "return low",
              "Return two numbers"),
        Wrong("    p = k / n\n", "    p = k / n\n    z = 1.96\n",
              "z is an argument"),
        Wrong("scale = 1 + z * z / n", "scale = 1 + 3.8416 / n",
              "z is an argument"),
        Wrong("return 0.0, 1.0", "return 0.0, 0.0", "Nothing seen"),
        Wrong("    p = k / n\n", "    p = k / n\n    if k in (0, n):\n"
              "        return p, p\n", "no certainty"),
        Wrong("return max(0.0, low), min(1.0, high)",
              "return low - 1e-9, high + 1e-9", "clip the rounding error"),
    ))
