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
from suites import INSIDE, SUITES  # noqa: E402

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


@pytest.mark.parametrize("what, draft, right, wrong", SUITES,
                         ids=[suite[0] for suite in SUITES])
def test_real_suites(what, draft, right, wrong):
    verdict = run_tests(draft, right)
    assert verdict.ok and verdict.checks, verdict
    verdict = run_tests(draft, wrong)
    assert verdict.status == "failed", verdict


@pytest.mark.parametrize("what, draft, right, wrong", INSIDE,
                         ids=[suite[0] for suite in INSIDE])
def test_suites_that_need_the_inside(what, draft, right, wrong):
    outside = run_tests(draft, right)
    assert not outside.ok and "does not cross" in outside.report
    verdict = run_tests(draft, right, mode="inside")
    assert verdict.ok and "weaker" in verdict.report
    verdict = run_tests(draft, wrong, mode="inside")
    assert verdict.status == "failed" and verdict.checks


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
