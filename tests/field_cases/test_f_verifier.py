"""Field cases F1, F2, F3 and F5: what a draft does to its verifier."""

import pytest

from reflectlab.paths import data_path
from reflectlab.verifiers.tests import run_tests

TASK = data_path("tasks", "parse_duration")
TESTS = (TASK / "tests.py").read_text("utf-8")
WRONG = "def parse_duration(text):\n    return 90\n"


def case(row, name, draft, status):
    return pytest.param(draft, status, id=f"{row}-{name}")


@pytest.mark.parametrize("draft, status", [
    case("F1", "sys.exit", "import sys\nsys.exit(0)", "failed"),
    case("F1", "os._exit", "import os\nos._exit(0)", "died"),
    case("F1", "prints success",
         f"{WRONG}print('all 8 checks passed')", "failed"),
    case("F2", "lone surrogate", f"{WRONG}# \ud800", "bad_source"),
    case("F2", "NUL", f"{WRONG}\0", "bad_source"),
    case("F2", "5 MB", f"{WRONG}#{'x' * 5_000_000}", "bad_source"),
    case("F3", "50 MB on stdout",
         f"{WRONG}print('x' * 50_000_000)", "output_flood"),
    case("F5", "draft 1", (TASK / "draft_1.py").read_text("utf-8"),
         "failed"),
    case("F5", "an object's address",
         "def parse_duration(t):\n    raise ValueError(object())", "failed"),
    case("F5", "a set", "def parse_duration(t):\n    return set('abcdef')",
         "failed"),
])
def test_a_verdict_and_the_same_one_again(draft, status):
    verdict = run_tests(draft, TESTS)
    assert verdict.status == status and not verdict.ok and verdict.signal
    assert verdict.report.startswith("TESTS FAILED\n")
    assert len(verdict.report) < 2100 and " 0x" not in verdict.report
    again = run_tests(draft, TESTS)
    assert (again.report, again.fingerprint) == (verdict.report,
                                                 verdict.fingerprint)
    if status == "output_flood":
        assert "cut off" in verdict.report
