"""The five attacks get past the naive verifier and not past ours."""

import pytest

from reflectlab.course.attacks import ATTACKS, DUMMY_KEY, seed_verdict
from reflectlab.paths import data_path
from reflectlab.verifiers.tests import run_tests

TASK = data_path("tasks", "parse_duration")
TESTS = (TASK / "tests.py").read_text()


@pytest.mark.parametrize("name", ATTACKS)
def test_attack(name):
    fooled = seed_verdict(ATTACKS[name], TESTS)
    assert fooled.ok or DUMMY_KEY in fooled.report
    ours = run_tests(ATTACKS[name], TESTS)
    assert not ours.ok and ours.signal and DUMMY_KEY not in ours.report
    assert seed_verdict(ATTACKS[name], TESTS) == fooled
    assert run_tests(ATTACKS[name], TESTS).report == ours.report


def test_the_naive_verifier_judges_honest_drafts():
    wrong = seed_verdict((TASK / "draft_1.py").read_text(), TESTS)
    assert not wrong.ok and wrong.report.splitlines() == [
        "TESTS FAILED",
        "    return int(m.group(1)) * 3600 + int(m.group(2)) * 60",
        "AttributeError: 'NoneType' object has no attribute 'group'"]
    right = seed_verdict((TASK / "draft_3.py").read_text(), TESTS)
    assert right.ok and right.report == "all 8 checks passed"


def test_a_lost_process_is_a_verdict():
    draft = "import os, time\nos.kill(os.getppid(), 9)\ntime.sleep(9)"
    assert "was lost" in seed_verdict(draft, TESTS).report
    verdict = seed_verdict("while True: pass", TESTS, timeout=0.5)
    assert not verdict.ok and "TIMEOUT" in verdict.report
