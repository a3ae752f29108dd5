"""Rates with intervals, and the few tests that a reflection loop needs.

Short on purpose: each is derived in the notebooks and checked in the tests
against scipy.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

Z95 = 1.96      # standard normal quantile behind a 95 % interval


@dataclass(frozen=True)
class Rate:
    """A share with its 95 % interval.

    Args:
        k, n: how many of how many. For a difference of two rates (skill)
            k is None and n counts both groups.
        value: the share, or the difference; None when nothing was counted.
        low, high: the interval.
    """

    k: int | None
    n: int
    value: float | None
    low: float
    high: float

    @classmethod
    def of(cls, k: int, n: int, independent: float = 1.0) -> Rate:
        """The rate k/n with its Wilson interval.

        Args:
            k, n: how many of how many.
            independent: share of the n that are independent evidence.
                Asking ten times about one draft gives ten answers about one
                draft, so a tenth: the interval must be the one draft's.
        """
        if n == 0:
            return cls(0, 0, None, 0.0, 1.0)
        return cls(k, n, k / n, *wilson(k * independent, n * independent))

    @classmethod
    def difference(cls, a: Rate, b: Rate) -> Rate:
        """a - b of two independent rates, by Newcombe's hybrid score.

        Newcombe, "Interval estimation for the difference between independent
        proportions", Statistics in Medicine 17 (1998), method 10.
        """
        if a.value is None or b.value is None:
            return cls(None, a.n + b.n, None, -1.0, 1.0)
        d = a.value - b.value
        down = math.hypot(a.value - a.low, b.high - b.value)
        up = math.hypot(a.high - a.value, b.value - b.low)
        return cls(None, a.n + b.n, d, max(-1.0, d - down), min(1.0, d + up))

    def __str__(self) -> str:
        if self.value is None:
            return "nothing counted"
        of = "" if self.k is None else f" ({self.k}/{self.n})"
        return f"{self.value:.2f} [{self.low:.2f}, {self.high:.2f}]{of}"


def wilson(k: float, n: float, z: float = Z95) -> tuple[float, float]:
    """Wilson's score interval for k of n.

    Args:
        k: successes, 0 to n.
        n: trials; 0 gives (0.0, 1.0): nothing is known.
        z: normal quantile; 1.96 for 95 %.

    Returns:
        The low and the high end, both within 0 and 1.

    Raises:
        ValueError: when k is not between 0 and n.
    """
    if not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is not a count: k must lie in 0..n")
    if n == 0:
        return 0.0, 1.0
    p = k / n
    centre = p + z * z / (2 * n)
    spread = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    # At p = 0 and p = 1 the two terms cancel, up to a rounding error.
    low = 0.0 if k == 0 else (centre - spread) / scale
    high = 1.0 if k == n else (centre + spread) / scale
    return low, high


def mcnemar_exact(fixed: int, broken: int) -> float:
    """Exact two-sided McNemar test on the flips.

    Were the loop a coin toss, each flip would be a fix as often as a break.

    Args:
        fixed: cases that went from wrong to right.
        broken: cases that went from right to wrong.

    Returns:
        The probability of a split at least as uneven; 1.0 without flips.
    """
    n = fixed + broken
    tail = sum(math.comb(n, i) for i in range(min(fixed, broken) + 1))
    return min(1.0, 2 * tail / 2 ** n)


def bootstrap(groups: Sequence[tuple[float, int]], *, draws: int = 1000,
              seed: int = 0) -> tuple[float, float]:
    """95 % percentile interval of a mean, resampling whole groups.

    Trials of one task are alike, so tasks are drawn, not trials.

    Args:
        groups: (sum, count) of each task's values.
        draws: how many resamples.
        seed: the same seed gives the same interval.

    Raises:
        ValueError: for no groups.
    """
    if not groups:
        raise ValueError("no groups: there is nothing to resample")
    rng = random.Random(seed)
    means = []
    for _ in range(draws):
        drawn = rng.choices(groups, k=len(groups))
        means.append(sum(s for s, _ in drawn) / sum(c for _, c in drawn))
    means.sort()
    cut = int(draws * 0.025)
    return means[cut], means[-1 - cut]
