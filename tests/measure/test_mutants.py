"""Mutants of the duration parser, each with its proof."""

import ast

import pytest

from reflectlab.measure.mutants import Mutant, label, mutants, regex_changes
from reflectlab.paths import data_path
from reflectlab.verifiers.tests import run_tests

TASK = data_path("tasks", "parse_duration")
REFERENCE = (TASK / "draft_3.py").read_text()
TESTS = (TASK / "tests.py").read_text()
INPUTS = ["1h", "12h", "h2m", "1h1h", "1hm", "1hs", " 1h ", "", "x", "5s"]
MUTANTS = mutants(REFERENCE)


def test_each_mutant_is_a_program_of_its_own():
    sources = [mutant.source for mutant in MUTANTS]
    assert len(set(sources)) == len(sources) > 25
    assert ast.unparse(ast.parse(REFERENCE)) not in sources


@pytest.mark.parametrize("change, counterexample", [
    (r"(?:(\d)h)?(?:(\d+)m)?(?:(\d+)s)?",
     "parse_duration('12h') raises ValueError, the reference returns 43200"),
    (r"(?:(\d*)h)?(?:(\d+)m)?(?:(\d+)s)?",
     "parse_duration('h2m') returns 120, the reference raises ValueError"),
    ("`fullmatch` becomes `match`",
     "parse_duration('1h1h') returns 3600, the reference raises ValueError"),
    ("`.strip()` dropped",
     "parse_duration(' 1h ') raises ValueError, the reference returns 3600"),
])
def test_survivors_of_the_eight_checks(change, counterexample):
    mutant, = [m for m in MUTANTS if m.change.endswith(change)]
    assert run_tests(mutant.source, TESTS).ok
    found = label(mutant, REFERENCE, "parse_duration", INPUTS)
    assert found.defective and found.counterexample == counterexample


def test_without_a_counterexample_nothing_is_claimed():
    same = Mutant(REFERENCE + "\n# the same", "a comment")
    found = label(same, REFERENCE, "parse_duration", INPUTS)
    assert not found.defective
    assert str(found) == "no difference found in 10 inputs"


def test_most_mutants_are_killed():
    killed = [m for m in MUTANTS if not run_tests(m.source, TESTS).ok]
    assert 0.6 < len(killed) / len(MUTANTS) < 0.9


def test_a_comparison_that_cannot_run_is_an_error():
    with pytest.raises(RuntimeError, match="can't compare"):
        label(Mutant("import os; os._exit(0)", "?"), REFERENCE,
              "parse_duration", INPUTS)


@pytest.mark.parametrize("source, wanted", [
    ("x = a < b", "x = a <= b"), ("x = a + 1", "x = a - 1"),
    ("x = a + 1", "x = a + 2"), ("x = a and b", "x = a or b"),
    ("x = not a", "x = a"), ("raise X", "pass"),
    ("x = y.strip()", "x = y"), ("x = all(y)", "x = any(y)"),
    ("import re\nx = re.match('a+', y)", "import re\nx = re.match('a*', y)")])
def test_operators(source, wanted):
    assert wanted in [m.source for m in mutants(source)]


@pytest.mark.parametrize("pattern, changed", [
    (r"\++", [r"\+*", r"\+"]), (r"(?:a)?", ["(?:a)"]), ("[+*?]", []),
    (r"^\d$", [r"\d$", r"^\w$", r"^\d"]), ("a(+", [])])
def test_inside_a_regular_expression(pattern, changed):
    assert list(regex_changes(pattern)) == changed
