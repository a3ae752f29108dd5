"""scipy is the oracle: what the learner derives must agree with it."""

import csv
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from reflectlab.measure.stats import (
    Rate,
    bootstrap,
    mcnemar_exact,
    wilson,
)
from reflectlab.paths import data_path

counts = st.integers(1, 400).flatmap(
    lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts)
def test_wilson_agrees_with_scipy(count):
    k, n = count
    z95 = scipy_stats.norm.ppf(0.975)
    low, high = wilson(k, n, z95)
    oracle = scipy_stats.binomtest(k, n).proportion_ci(method="wilson")
    assert low == pytest.approx(oracle.low, abs=1e-12)
    assert high == pytest.approx(oracle.high, abs=1e-12)
    assert 0 <= low <= k / n <= high <= 1


@pytest.mark.parametrize("n, low, high", [
    (10, 0.49, 0.94), (20, 0.58, 0.92), (50, 0.67, 0.89), (100, 0.71, 0.87),
    (200, 0.74, 0.85)])
def test_eighty_per_cent_observed(n, low, high):
    assert tuple(round(x, 2) for x in wilson(8 * n // 10, n)) == (low, high)


def test_docstring_examples_miss_20_of_164_bugs():
    low, high = wilson(20, 164)
    assert (round(100 * low, 1), round(100 * high, 1)) == (8.0, 18.1)


def test_wilson_knows_nothing_from_nothing_and_refuses_nonsense():
    assert wilson(0, 0) == (0.0, 1.0)
    with pytest.raises(ValueError, match="11 of 10"):
        wilson(11, 10)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_binomial_test_on_the_flips(fixed, broken):
    expected = 1.0
    if fixed + broken:
        expected = scipy_stats.binomtest(fixed, fixed + broken).pvalue
    assert mcnemar_exact(fixed, broken) == pytest.approx(expected)


def test_how_many_one_way_flips_show_something():
    assert mcnemar_exact(5, 0) == 0.0625
    assert round(mcnemar_exact(6, 0), 3) == 0.031
    assert mcnemar_exact(0, 3) == 0.25      # all that three cases can give


def test_newcombes_own_example():
    # Newcombe 1998, table II, method 10, comparison (a): 56/70 - 48/80.
    d = Rate.difference(Rate.of(56, 70), Rate.of(48, 80))
    assert (round(d.value, 4), round(d.low, 4), round(d.high, 4)) == (
        0.2, 0.0524, 0.3339)
    assert (d.k, d.n) == (None, 150)


def test_a_difference_with_nothing_counted_is_unknown():
    d = Rate.difference(Rate.of(3, 4), Rate.of(0, 0))
    assert (d.value, d.low, d.high) == (None, -1.0, 1.0)
    assert str(d) == "nothing counted"


def test_repeated_answers_do_not_narrow_the_interval():
    once, ten_times = Rate.of(8, 10), Rate.of(80, 100, 0.1)
    assert (ten_times.k, ten_times.n) == (80, 100)
    assert ten_times.low == pytest.approx(once.low)
    assert Rate.of(80, 100).low > once.low
    assert str(once) == "0.80 [0.49, 0.94] (8/10)"


def test_bootstrap_agrees_with_scipys():
    rng = random.Random(3)
    values = [rng.choice((-1, 0, 0, 0, 1, 1)) for _ in range(150)]
    low, high = bootstrap([(v, 1) for v in values], draws=4000)
    oracle = scipy_stats.bootstrap(
        (values,), lambda x, axis: x.mean(axis=axis), method="percentile",
        n_resamples=4000, rng=1).confidence_interval
    assert low == pytest.approx(oracle.low, abs=0.015)
    assert high == pytest.approx(oracle.high, abs=0.015)


def test_bootstrap_draws_tasks_not_trials():
    """Ten equal trials of one task are as good as one."""
    tasks = [1, 0, 0, 1, 0, -1, 1, 0]
    once = bootstrap([(t, 1) for t in tasks])
    assert bootstrap([(10 * t, 10) for t in tasks]) == once
    spread = bootstrap([(t, 1) for t in tasks for _ in range(10)])
    assert spread[1] - spread[0] < 0.5 * (once[1] - once[0])
    with pytest.raises(ValueError, match="no groups"):
        bootstrap([])


def published(name):
    with data_path("published", f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_published_flips_obey_the_identity():
    rows = published("flips")
    assert len(rows) == 5
    for row in rows:
        first, broken, fixed, final = (float(row[x]) for x in (
            "first", "right_to_wrong", "wrong_to_right", "final"))
        assert final == pytest.approx(first - broken + fixed), row


def test_the_identity_exposes_swapped_columns():
    gpt4 = next(r for r in published("flips") if r["model"] == "GPT-4")
    first, fixed, broken, final = (float(gpt4[x]) for x in (
        "first", "right_to_wrong", "wrong_to_right", "final"))
    assert not math.isclose(final, first - broken + fixed)


def test_published_flips_are_those_of_the_accuracy_table():
    table = {(r["model"], r["dataset"]): r
             for r in published("self_correction")}
    for row in published("flips"):
        accuracies = table[row["model"], row["dataset"]]
        assert (row["first"], row["final"]) == (accuracies["standard"],
                                                accuracies["round_2"])


def test_published_counts_give_the_published_percentages():
    counted = [r for r in published("judges") if r["k"]]
    assert len(counted) >= 8
    for row in counted:
        share = 100 * int(row["k"]) / int(row["n"])
        assert float(row["percent"]) == pytest.approx(share, abs=0.05), row


@pytest.mark.parametrize("path", sorted(
    p.name for p in data_path("published").iterdir()))
def test_every_published_row_has_its_source(path):
    rows = published(path.removesuffix(".csv"))
    assert rows and all(row["source"].strip() and None not in row
                        for row in rows)
