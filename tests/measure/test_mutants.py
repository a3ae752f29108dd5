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


def labelled(mutant, reference, inputs):
    return label(Mutant(mutant, "?"), reference, "f", inputs)


def test_a_call_cannot_change_the_next_ones_input():
    source = "def f(xs):\n    xs.append(0)\n    return len(xs)"
    assert not labelled(source, source, [[1]]).defective


@pytest.mark.parametrize("value", [
    "object()", "[object()]", "{object()}", "(x for x in 'ab')"])
def test_objects_are_not_compared(value):
    source = f"def f(x):\n    return {value}"
    with pytest.raises(RuntimeError, match="only plain data can be comp"):
        labelled(source, source, [1])


@pytest.mark.parametrize("value, other", [
    ("{'a': 1, 'b': [2]}", "{'b': [2], 'a': 1}"),
    ("{str(i) for i in range(9)}", "{str(i) for i in range(8, -1, -1)}"),
    ("float('nan')", "float('nan')")])
def test_equal_values_are_no_difference(value, other):
    found = labelled(f"def f(x):\n    return {value}",
                     f"def f(x):\n    return {other}", [1])
    assert not found.defective


@pytest.mark.parametrize("value, other", [
    ("1", "True"), ("[1]", "(1,)"), ("{'a': 1}", "{'a': 2}"), ("{1}", "{2}"),
    ("[1, 2]", "[1]"), ("0.0", "-0.0")])
def test_equal_looks_are_not_enough(value, other):
    found = labelled(f"def f(x):\n    return {other}",
                     f"def f(x):\n    return {value}", [1])
    assert found.counterexample == (
        f"f(1) returns {other}, the reference returns {value}")


def test_a_label_holds_no_address():
    found = labelled("def f(x):\n    return map(str, x)",
                     "def f(x):\n    return x", [[]])
    assert "returns <map object>" in found.counterexample


def test_the_reference_must_load():
    with pytest.raises(RuntimeError, match="can't compare"):
        labelled("def f(x):\n    return x", "def g(x):\n    return x", [1])


@pytest.mark.slow
def test_a_hang_is_only_a_defect_where_the_reference_ends():
    hangs = "def f(x):\n    while x:\n        pass\n    return x"
    ends = "def f(x):\n    return x"
    assert labelled(hangs, ends, [0, 1]).counterexample == (
        "f(1) still runs after 10 seconds, the reference has ended")
    with pytest.raises(RuntimeError, match="can't compare"):
        labelled(ends, hangs, [1])


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
