"""Every label is proved by running its proof: all of them in the slow run,
a spread of the expensive ones by default."""

import importlib.util
import json
import sys
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from reflectlab import Planted, load_suite, prove
from reflectlab.measure.planted import (
    problems,
    save_suite,
    suite_digest,
    verifier_of,
    with_counterexample,
)

SUITES = ["parsers", "release_notes", "products", "advisories", "primes",
          "adversarial"]
TOOLS = Path(__file__).resolve().parents[2] / "tools" / "planted"


def both_parts(name):
    return load_suite(name) + load_suite(name, held_out=True)


ALL = [(name, item) for name in SUITES for item in both_parts(name)]


def cheap(item):
    return item.proof["kind"] in ("schema", "counted")


EXPENSIVE = [item for _, item in ALL if not cheap(item)]


def test_every_label_that_counting_can_prove():
    proved = [prove(item) for _, item in ALL if cheap(item)]
    assert len(proved) > 150


def sample():
    """Every seventh draft that runs as code; of the slow primes, a pair."""
    code = [i for i in EXPENSIVE if i.proof["kind"] == "tests"]
    return code[::7] + [i for i in EXPENSIVE if "window_sums-1" in i.id]


@pytest.mark.parametrize("item", sample(), ids=lambda item: item.id)
def test_a_spread_of_the_labels_that_take_running(item):
    prove(item)


@pytest.mark.slow
@pytest.mark.parametrize("item", EXPENSIVE, ids=lambda item: item.id)
def test_every_label_that_takes_running(item):
    prove(item)


@pytest.mark.parametrize("kind", ["tests", "schema", "counted"])
def test_a_wrong_label_is_not_proved(kind):
    item = [i for _, i in ALL if i.proof["kind"] == kind and i.defective][-1]
    with pytest.raises(AssertionError, match="labelled clean"):
        prove(replace(item, defective=False))
    twin = next(i for _, i in ALL if i.id == item.twin)
    with pytest.raises(AssertionError, match="labelled defective"):
        prove(replace(twin, defective=True))


def test_another_failure_than_the_counterexample_proves_nothing():
    item = next(i for i in load_suite("parsers") if i.defective)
    with pytest.raises(AssertionError, match="should fail on parse_size"):
        prove(replace(item, draft="def parse_size(text):\n    return 0"))


def test_a_proof_without_signal_proves_nothing():
    empty = Planted("a", "t", "r", "def f(): pass", True,
                    {"kind": "tests", "tests": "pass"}, defect="x")
    with pytest.raises(AssertionError, match="a is labelled"):
        prove(empty)


DOUBLE = "def f(x):\n    return 2 * x\n"


@pytest.mark.parametrize("draft, proof", [
    ("from nowhere import x\n" + DOUBLE, {}),
    (DOUBLE, {"tests": "assert f(2) == 4\nassert ff(2) == 4"}),
    (DOUBLE, {"tests": "f(2)\nimport time\ntime.sleep(2)", "timeout": 1}),
    ("def f(x):\n    return 0 if x == 10 else 2 * x",
     {"tests": "assert f(10) == 20", "counterexample": "f(1"}),
    ("def f(x):\n    return 0 if x == 10 else 2 * x",
     {"tests": "assert f(10) == 20"})],
    ids=["import", "typo in the tests", "slow tests", "half a call",
         "no counterexample"])
def test_what_proves_no_defect(draft, proof):
    proof = {"kind": "tests", "tests": "assert f(2) == 4", **proof}
    with pytest.raises(AssertionError, match="a (is labelled|should fail)"):
        prove(Planted("a", "t", "r", draft, True, proof, defect="x"))
    if "counterexample" in proof:
        prove(Planted("a", "t", "r", draft, True, {
            **proof, "counterexample": "f(10)"}, defect="x"))


def test_an_unknown_kind_of_proof_is_named():
    with pytest.raises(ValueError, match="'opinion'.*use tests, schema"):
        verifier_of({"kind": "opinion"})


@pytest.mark.parametrize("name", SUITES)
def test_half_is_clean_and_the_parts_share_no_task(name):
    dev, held = load_suite(name), load_suite(name, held_out=True)
    for part in (dev, held):
        assert 2 * sum(i.defective for i in part) == len(part)
        assert all(i.twin for i in part)
    assert len(dev) + len(held) >= 40
    assert not {i.task for i in dev} & {i.task for i in held}
    assert not {i.draft for i in dev} & {i.draft for i in held}
    defective = [i for i in dev + held if i.defective]
    assert len({i.defect for i in defective}) >= 4
    assert {i.difficulty for i in defective} == {1, 2, 3}
    for item in defective:
        assert item.why and item.where and item.axis
        assert item.severity in ("high", "medium", "low")
    if name != "adversarial":
        drafts = [i.draft for i in dev + held]
        assert len(set(drafts)) == len(drafts)


def test_no_class_makes_up_more_than_half_of_a_suite():
    for name in SUITES:
        classes = Counter(i.defect for n, i in ALL
                          if n == name and i.defective)
        assert max(classes.values()) <= sum(classes.values()) / 2, name


def test_each_attack_has_its_unattacked_sibling():
    for part in (load_suite("adversarial"),
                 load_suite("adversarial", held_out=True)):
        by_id = {i.id: i for i in part}
        attacked = [i for i in part if i.attack]
        assert 2 * len(attacked) == len(part)
        assert len({i.attack for i in attacked}) == 5
        for item in attacked:
            plain = by_id[item.sibling]
            assert (plain.defective, plain.proof, plain.attack) == (
                item.defective, item.proof, "")
            assert plain.draft != item.draft


def test_the_files_are_what_the_builder_builds(monkeypatch):
    """Built from its sources, a suite is the committed one."""
    monkeypatch.syspath_prepend(str(TOOLS))
    spec = importlib.util.spec_from_file_location("planted_build",
                                                  TOOLS / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    built = module.build()
    for name in SUITES:
        for part in ("dev", "held_out"):
            stored = load_suite(name, held_out=part == "held_out")
            bare = [replace(i, proof={k: v for k, v in i.proof.items()
                                      if k != "counterexample"})
                    for i in stored]
            fresh = [Planted(**json.loads(json.dumps(asdict(i))))
                     for i in built[f"{name}.{part}"]]
            assert bare == fresh, f"{name}.{part}: run tools/planted/build.py"


def test_the_recipe_brings_foreign_rows_in(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(TOOLS))
    sys.modules.pop("recipe", None)
    import recipe
    rows = [{"task_id": "Own/0", "bug_type": "operator misuse",
             "prompt": 'def twice(x: int) -> int:\n    """Two times x."""\n',
             "canonical_solution": "    return 2 * x\n",
             "buggy_solution": "    return 2 + x\n",
             "test": "def check(twice):\n    assert twice(2) == 4\n"
                     "    assert twice(3) == 6\n\ncheck(twice)\n"},
            {"task_id": "Own/1", "bug_type": "missing logic",
             "prompt": 'def last(xs: list):\n    """Last, or None."""\n',
             "canonical_solution": "    return xs[-1] if xs else None\n",
             "buggy_solution": "    return xs[-1]\n",
             "test": "def check(last):\n    assert last([1, 2]) == 2\n"
                     "    assert last([]) is None\n\ncheck(last)\n"}]
    suite = recipe.suite_from(rows)
    with pytest.raises(AssertionError, match="should fail on a counterex"):
        prove(suite[0])
    suite = [with_counterexample(item) for item in suite]
    for item in suite:
        prove(item)
    assert [i.proof.get("counterexample") for i in suite] == [
        "twice(3)", None, "last([])", None]
    assert [i.defect for i in suite] == ["operator misuse", "",
                                         "missing logic", ""]
    save_suite(tmp_path / "own.jsonl", suite)
    assert load_suite(tmp_path / "own.jsonl") == suite


GOOD = {"id": "a", "task": "t", "requirements": "r", "draft": "d",
        "defective": False, "proof": {"kind": "tests", "tests": "pass"}}


@pytest.mark.parametrize("change, message", [
    ({"draft": ""}, "line 2: field 'draft' is missing or empty"),
    ({"draft": 3}, "line 2: field 'draft' holds 3, not a str"),
    ({"defective": "yes"}, "line 2: field 'defective' holds 'yes'"),
    ({"defective": 1}, "line 2: field 'defective' holds 1, not a bool"),
    ({"difficulty": True}, "line 2: field 'difficulty' holds True"),
    ({"defective": True}, "line 2: field 'defect' is empty"),
    ({"proof": {}}, "line 2: field 'proof' is missing"),
    ({"label": "bad"}, "line 2: field 'label' is unknown"),
    ({"twin": "zz"}, "a, field 'twin': 'zz' is no draft"),
    ({"sibling": "zz"}, "a, field 'sibling': 'zz' is no unattacked"),
    ({"id": "b"}, "these ids come twice: b")])
def test_a_fault_is_named_with_file_line_and_field(tmp_path, change, message):
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps({**GOOD, "id": "b"}) + "\n"
                    + json.dumps({**GOOD, **change}) + "\n")
    with pytest.raises(ValueError) as caught:
        load_suite(path)
    assert str(caught.value).startswith("own.jsonl") and \
        message in str(caught.value)


@pytest.mark.parametrize("line, message", [
    ('{"id": ', "line 1"), ("[1]", "line 1: not a JSON object"),
    ("", "no drafts")])
def test_what_is_no_suite_is_refused(tmp_path, line, message):
    path = tmp_path / "own.jsonl"
    path.write_text(line)
    with pytest.raises(ValueError, match=message):
        load_suite(path)


def test_an_unknown_suite_and_a_held_out_path_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="poems.dev.jsonl"):
        load_suite("poems")
    with pytest.raises(ValueError, match="held_out is for named suites"):
        load_suite(tmp_path / "own.jsonl", held_out=True)


def test_a_twin_with_the_same_label_is_no_twin():
    a, b = (Planted(i, "t", "r", "d", False, {"kind": "tests"}, twin=j)
            for i, j in (("a", "b"), ("b", "a")))
    assert "other label" in problems([a, b])[0]


def test_the_digest_changes_with_a_draft_or_a_label():
    suite = load_suite("products")
    digest = suite_digest(suite)
    assert digest == suite_digest(load_suite("products"))
    assert digest != suite_digest(suite[1:])
    for change in ({"draft": "x"}, {"defective": False}):
        assert digest != suite_digest([replace(suite[0], **change),
                                       *suite[1:]])
