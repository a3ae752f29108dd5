"""run_tests: the seed's reports, real suites, limits, statuses."""

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reflectlab.paths import data_path
from reflectlab.verifiers.sandbox import tiers
from reflectlab.verifiers.tests import run_tests

sys.path.insert(0, str(Path(__file__).parent))
from suites import INSIDE, SHARING, SUITES  # noqa: E402

TASK = data_path("tasks", "parse_duration")
TESTS = (TASK / "tests.py").read_text()
DRAFTS = [(TASK / f"draft_{n}.py").read_text() for n in (1, 2, 3)]
REPORTS = ['''\
TESTS FAILED
    return int(m.group(1)) * 3600 + int(m.group(2)) * 60
AttributeError: 'NoneType' object has no attribute 'group\'''', '''\
TESTS FAILED
    raise AssertionError(f"parse_duration({bad!r}) should have raised \
ValueError")
AssertionError: parse_duration('') should have raised ValueError''',
           "all 8 checks passed"]


@pytest.mark.parametrize("n", [0, 1, 2])
def test_the_seeds_drafts(n):
    verdict = run_tests(DRAFTS[n], TESTS)
    assert verdict.report == REPORTS[n]
    assert (verdict.ok, verdict.checks) == [(False, 1), (False, 6),
                                            (True, 8)][n]
    assert verdict.signal and verdict.isolation in tiers.TIERS
    again = run_tests(DRAFTS[n], TESTS)
    assert (again.report, again.fingerprint) == (verdict.report,
                                                 verdict.fingerprint)


def test_optimised_python_keeps_the_assertions(monkeypatch):
    monkeypatch.setenv("PYTHONOPTIMIZE", "1")
    assert run_tests("def f(): return 1", "assert f() == 2").ok is False


@pytest.mark.parametrize("what, draft, right, wrong", SUITES + SHARING,
                         ids=[suite[0] for suite in SUITES + SHARING])
def test_real_suites(what, draft, right, wrong):
    verdict = run_tests(draft, right)
    assert verdict.ok and verdict.checks, verdict
    verdict = run_tests(draft, wrong)
    assert verdict.status == "failed", verdict


@pytest.mark.parametrize("what, draft, right, wrong", SHARING,
                         ids=[suite[0] for suite in SHARING])
def test_the_boundary_changes_no_outcome_of_sharing(what, draft, right,
                                                    wrong):
    exec(draft + right, {})
    with pytest.raises(AssertionError):
        exec(draft + wrong, {})


@pytest.mark.parametrize("what, draft, right, wrong", INSIDE,
                         ids=[suite[0] for suite in INSIDE])
def test_suites_that_need_the_inside(what, draft, right, wrong):
    outside = run_tests(draft, right)
    assert not outside.ok and "does not cross" in outside.report
    verdict = run_tests(draft, right, mode="inside")
    assert verdict.ok and "weaker" in verdict.report
    verdict = run_tests(draft, wrong, mode="inside")
    assert verdict.status == "failed" and verdict.checks


UNIT = """
import unittest
class Test(unittest.TestCase):
    def test(self):
        self.assertEqual(f(), 2)
"""


@pytest.mark.parametrize("draft, tests, status, report", [
    ("def f(:", "f()", "syntax_error", "SyntaxError: the draft is not valid"),
    ("import numpy", "f()", "import_error", "No module named 'numpy'"),
    ("import socket", "f()", "import_error", "No module named 'socket'"),
    ("def f(): return 1", "pass", "no_checks", "without calling the draft"),
    ("def f(): return 1", "", "no_checks", "without calling the draft"),
    ("def f(): return 1", "def g(:", "verifier_error", "not valid Python"),
    ("def f(): return 1", "\0", "verifier_error", "NUL"),
    ("def f(): return 1", "import os; os._exit(0)", "verifier_error",
     "without a verdict"),
    ("def f(x): return 1", "f(print)", "verifier_error", 'mode="inside"'),
    ("def f(x): return 1", "import itertools\nf(itertools.count())",
     "verifier_error", "more than 10000 items"),
    ("def g(): return 1", "f()", "failed", "name 'f' is not defined"),
    ("def f(): return 1", "import pytest\nf()", "verifier_error",
     "No module named 'pytest'"),
    ("import numpy\ndef f(): return 1", "f()", "import_error", "numpy"),
    ("def f(): return 1", "def t():\n f(x)\n x = 1\nt()", "verifier_error",
     "UnboundLocalError"),
    ("def f(): return 1", "for n in []: pass\nf(n)", "verifier_error",
     "the tests do not work"),
    ("def f(x): raise StopIteration", "for got, want in zip(map(f, [1, 2]), "
     "[2, 4]):\n assert got == want", "failed", "f(1) raised StopIteration"),
    ("def f(x): raise StopIteration", "assert all(map(f, [1, 2]))", "failed",
     "f(1) raised StopIteration"),
    ("import unittest\ndef f(): raise unittest.SkipTest('x')", UNIT +
     "unittest.main()", "failed", "TESTS FAILED"),
    ("def f(): return 1", UNIT + "unittest.main(argv=[''], exit=False)",
     "failed", "AssertionError: 1 != 2"),
    ("def f(): raise ExceptionGroup('x', [ValueError(1)])",
     "try: f()\nexcept Exception: pass", "failed", "an exception group"),
    ("raise ExceptionGroup('x', [ValueError(1)])", "f()", "failed",
     "an exception group"),
    ("def f(x): return x", "f([(f(n) for n in [1])])", "verifier_error",
     "an iterator that calls the draft"),
    ("def f(x): return x", "f(f(n) for n in [1])\nassert f(2) == 3",
     "failed", "f(2) returned 2"),
    ("def len(x): return 3", "assert len('x') == 3", "failed", "redefines"),
    ("def f(): return object()", "f()", "failed", "does not cross"),
    ("def f(): return print", "f()", "failed", "does not cross"),
    ("def f(x): x.append(f)", "f([])", "failed", "does not cross"),
    ("class C: pass\nc = C()", "c.x", "failed", "does not cross"),
    ("\ud800", "f()", "bad_source", "surrogate"),
    ("#" * 5_000_000, "f()", "bad_source", "1,000,000"),
    ("def f(): exit(0)", "f()", "failed", "name 'exit' is not defined"),
    ("def f(x): return f(x)", "f(1)", "failed",
     "RecursionError: maximum recursion depth exceeded"),
    ("def f(x): return 2 * x", "for n in [1]: assert f(n) == 3", "failed",
     "last call: f(1) returned 2"),
    ("def f(): yield 1", "assert f() == 1, f()", "failed",
     "AssertionError: <generator object f>"),
    ("def f(): print('x' * 50_000_000)", "f()", "output_flood", "cut off"),
    ("def f(): raise SystemExit(0)", "f()", "failed", "SystemExit: 0"),
    ("def f(): return 1", "import sys\nf()\nsys.exit(1)", "failed",
     "TESTS FAILED"),
])
def test_statuses(draft, tests, status, report):
    verdict = run_tests(draft, tests)
    assert not verdict.ok
    assert verdict.status == status, verdict
    assert report in verdict.report
    assert verdict.report.strip() and len(verdict.report) < 2100
    assert run_tests(draft, tests).report == verdict.report


@pytest.mark.parametrize("draft, tests, hung", [
    ("def f(n):\n while n: pass", "f(0)\nf(1)", "f(1)"),
    ("while True: pass", "f()", "loading the draft"),
    ("def f(n): return n", "while True: f(0)", None),
    ("def f(n): return n", "sum(iter(int, 1))", ""),
    ("def f(n):\n while n: pass", "try: f(1)\nexcept BaseException: pass",
     "f(1)"),
])
def test_endless_loops_end(draft, tests, hung):
    verdict = run_tests(draft, tests, timeout=0.7)
    assert verdict.status == "timeout" and verdict.signal
    assert verdict.report.startswith(
        "TIMEOUT: tests did not finish in 0.7s\nstill running: ")
    if hung is not None:
        assert verdict.hung_call == hung


def test_the_largest_texts_are_judged():
    draft = "def f(): return 1\n#" + "\x01" * 999_970
    tests = "assert f() == 1\n#" + "\U0001f600" * 900_000
    assert run_tests(draft, tests).ok


@pytest.mark.parametrize("tier", tiers.TIERS)
def test_future_annotations_on_every_tier(tier, monkeypatch):
    if tiers.self_test(tier):
        pytest.skip(tiers.self_test(tier))
    monkeypatch.setenv(tiers.VARIABLE, tier)
    draft = "from __future__ import annotations\ndef f(x: int) -> Any: ..."
    for mode in ("referee", "inside"):
        assert run_tests(draft, "assert f(1) is None", mode=mode).ok


def test_containers_that_come_and_go_cost_nothing_later():
    draft = "def f(rows): return [len(row) for row in rows]"
    tests = ("for n in range(3000):\n"
             "    assert f([[n]] * 40) == [1] * 40")
    assert run_tests(draft, tests, timeout=10).ok


def test_slow_but_legal_passes():
    draft = "import time\ndef f(): time.sleep(1.5); return 1"
    assert run_tests(draft, "assert f() == 1").ok


def test_a_swallowed_death_is_still_a_failure():
    tests = ("try: f()\nexcept BaseException: pass\n"
             "try: f()\nexcept BaseException: pass\nprint('fine')")
    verdict = run_tests("import os\ndef f(): os._exit(0)", tests)
    assert verdict.status == "died" and "f()" in verdict.report


def test_arguments_that_make_no_sense_are_the_callers_error():
    for options in ({"mode": "outside"}, {"timeout": 0},
                    {"timeout": float("nan")}, {"require": "magic"}):
        with pytest.raises(ValueError, match=next(iter(options))):
            run_tests("", "", **options)


def test_the_tests_see_no_name_they_do_not_use():
    draft = "cases = [1]\n__name__ = 'x'\ndef f(): return 1"
    tests = "f()\nassert 'cases' not in globals() and __name__ == '__main__'"
    assert run_tests(draft, tests).ok


def test_many_threads_each_get_their_own_answer():
    def one(n):
        return run_tests(f"def f(): return {n}", "print('got', f())").report

    before = threading.active_count()
    with ThreadPoolExecutor(12) as pool:
        assert list(pool.map(one, range(48))) == [f"got {n}"
                                                  for n in range(48)]
    assert threading.active_count() <= before


def mutated():
    """Right and wrong code, cut and with characters exchanged."""
    alphabet = "()[]{}:=+-*'\"\\\n\t #@\x00\ud800éx0"
    base = st.sampled_from(DRAFTS)
    cut = st.tuples(base, st.integers(0, 300)).map(lambda p: p[0][:p[1]])
    swap = st.tuples(base, st.integers(0, 300), st.sampled_from(alphabet)
                     ).map(lambda p: p[0][:p[1]] + p[2] + p[0][p[1] + 1:])
    return st.one_of(cut, swap, st.text(max_size=80),
                     st.text(alphabet=alphabet, max_size=80))


def holds(draft, tests):
    start = time.monotonic()
    verdict = run_tests(draft, tests, timeout=2.0)
    assert time.monotonic() - start < 2.0 + 8
    assert verdict.report.strip() and verdict.status
    assert verdict.ok == (verdict.status == "passed")
    assert not verdict.ok or verdict.checks


@settings(max_examples=25)
@given(mutated())
def test_any_text_as_candidate(draft):
    holds(draft, TESTS)


@settings(max_examples=15)
@given(mutated())
def test_any_text_as_tests(tests):
    holds(DRAFTS[2], tests)


@pytest.mark.slow
@settings(max_examples=250)
@given(mutated(), st.one_of(st.just(TESTS), mutated()))
def test_any_text_as_either(draft, tests):
    holds(draft, tests)
