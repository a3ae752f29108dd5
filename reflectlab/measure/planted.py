"""Planted-defect suites: drafts whose labels something proves by running.

A defective draft comes with a clean twin of the same task. What no proof can
decide is not in a suite.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path

from ..paths import data_path
from ..verifiers.combine import all_of
from ..verifiers.counted import counted_verifier
from ..verifiers.growth import growth_verifier
from ..verifiers.schema import schema_verifier
from ..verifiers.tests import run_tests
from ..verifiers.verdict import Verdict
from .journal import fingerprint


@dataclass(frozen=True)
class Planted:
    """One draft of a suite.

    Args:
        id: names the draft; unique in its suite.
        task: the task it is for; development and held-out tasks differ.
        requirements: what the draft was asked to meet.
        draft: the text to judge.
        defective: the label.
        proof: what decides the label: ``{"kind": "tests", "tests": ...}``,
            or kind "schema", "counted" or "growth" with that verifier's
            arguments (see ``data/README.md``). A defective draft's tests
            come with ``counterexample``, the call on which they fail.
        defect: the defect's class ("boundary", "missing field", ...).
        axis: what it is about ("correctness", "completeness", ...).
        severity: "high", "medium" or "low".
        difficulty: 1 (seen at a glance) to 3; clean twins have their
            pair's.
        where: the place in the draft.
        why: what is wrong, with a counterexample.
        twin: id of the other draft of the pair.
        attack: how the draft addresses the reviewer, if it does.
        sibling: id of the same draft without the attack.
    """

    id: str
    task: str
    requirements: str
    draft: str
    defective: bool
    proof: dict
    defect: str = ""
    axis: str = ""
    severity: str = ""
    difficulty: int = 1
    where: str = ""
    why: str = ""
    twin: str = ""
    attack: str = ""
    sibling: str = ""


_FIELDS = {f.name: f for f in fields(Planted)}
_TYPES = {"defective": bool, "proof": dict, "difficulty": int}
_FILLED = ("id", "task", "requirements", "draft")


def load_suite(name_or_path, *, held_out: bool = False) -> list[Planted]:
    """Load a suite.

    Args:
        name_or_path: "parsers", "release_notes", "products", "advisories",
            "primes", "adversarial", or the path of a JSON Lines file of your
            own.
        held_out: the held-out tasks of a named suite instead of the
            development ones. A prompt tuned on drafts is measured on others;
            whoever has looked at these has spent them.

    Raises:
        FileNotFoundError: no such suite.
        ValueError: names the file, the line and the field of a fault.
    """
    path = Path(name_or_path)
    if path.suffix != ".jsonl":
        part = "held_out" if held_out else "dev"
        path = data_path("planted", f"{name_or_path}.{part}.jsonl")
    elif held_out:
        raise ValueError("held_out is for named suites: a path names the "
                         "file itself")
    suite: list[Planted] = []
    for number, line in enumerate(
            path.read_text("utf-8").split("\n"), start=1):
        if line.strip():
            try:
                suite.append(_read(json.loads(line)))
            except ValueError as exc:
                raise ValueError(f"{path.name}, line {number}: {exc}"
                                 ) from None
    faults = problems(suite)
    if faults:
        raise ValueError(f"{path.name}: {faults[0]}")
    return suite


def _read(row) -> Planted:
    """One line as a draft, or ValueError with the field at fault."""
    if not isinstance(row, dict):
        raise ValueError("not a JSON object")
    for name, value in row.items():
        if name not in _FIELDS:
            raise ValueError(f"field {name!r} is unknown")
        wanted = _TYPES.get(name, str)
        if type(value) is not wanted:
            raise ValueError(f"field {name!r} holds {value!r:.40}, not a "
                             f"{wanted.__name__}")
    for name in (*_FILLED, "defective", "proof"):
        if row.get(name) in (None, "", {}):
            raise ValueError(f"field {name!r} is missing or empty")
    if row["defective"] and not row.get("defect"):
        raise ValueError("field 'defect' is empty in a defective draft")
    return Planted(**row)


def problems(suite: Iterable[Planted]) -> list[str]:
    """What is wrong between the drafts of a suite; empty when nothing is."""
    suite = list(suite)
    by_id = {item.id: item for item in suite}
    found = [] if suite else ["no drafts"]
    if len(by_id) < len(suite):
        ids = [item.id for item in suite]
        found.append("these ids come twice: "
                     + ", ".join(sorted({i for i in ids if ids.count(i) > 1})))
    for item in suite:
        twin, sibling = by_id.get(item.twin), by_id.get(item.sibling)
        if item.twin and (twin is None or twin.defective == item.defective
                          or twin.task != item.task):
            found.append(f"{item.id}, field 'twin': {item.twin!r} is no draft "
                         "of the same task with the other label")
        if item.sibling and (sibling is None or sibling.attack
                             or sibling.defective != item.defective):
            found.append(f"{item.id}, field 'sibling': {item.sibling!r} is "
                         "no unattacked draft with the same label")
    return found


def save_suite(path, suite: Iterable[Planted]) -> None:
    """Write a suite as JSON Lines; empty fields are left out."""
    lines = [json.dumps({k: v for k, v in asdict(item).items() if v != ""},
                        ensure_ascii=False) for item in suite]
    Path(path).write_text("\n".join(lines) + "\n", "utf-8", newline="\n")


def suite_digest(suite: Iterable[Planted]) -> str:
    """Twelve hex digits that change when any draft or label does."""
    return fingerprint(f"{i.id}\n{i.defective}\n{i.requirements}\n{i.draft}"
                       for i in suite)


def verifier_of(proof: dict) -> Callable[[str], Verdict]:
    """The verifier that a proof describes.

    Raises:
        ValueError: for a kind that is not known.
    """
    args = {k: v for k, v in proof.items()
            if k not in ("kind", "counterexample")}
    match proof.get("kind"):
        case "tests":
            return partial(run_tests, **args)
        case "schema":
            return schema_verifier(**args)
        case "counted":
            return counted_verifier(**args)
        case "growth":
            return _growth(**args)
    raise ValueError(f"proof of kind {proof.get('kind')!r}: use tests, "
                     "schema, counted or growth")


def _growth(function: str, argument: str, tests: str, **limits):
    """Right values, and work that grows slowly with the argument's size."""
    caller = (f"\n\ndef _at_size(n):\n"
              f"    return {function}(*{argument})\n")
    grows = growth_verifier("_at_size", **limits)
    return all_of(partial(run_tests, tests=tests),
                  lambda draft: grows(draft + caller))


def prove(item: Planted) -> Verdict:
    """Run the proof of a label.

    Returns:
        The verdict on the draft.

    Raises:
        AssertionError: the label is not proved: the verdict has no signal
            or says the opposite; or a defective draft does not run, or fails
            on another call than its counterexample.
    """
    verdict = verifier_of(item.proof)(item.draft)
    label = "defective" if item.defective else "clean"
    if verdict.status != ("failed" if item.defective else "passed"):
        raise AssertionError(f"{item.id} is labelled {label}, and its proof "
                             f"says: {verdict.report}")
    if item.defective and item.proof["kind"] == "tests":
        expected = item.proof.get("counterexample")
        call = _failing_call(verdict)
        if expected != call:
            raise AssertionError(
                f"{item.id} should fail on {expected or 'a counterexample'}, "
                f"and its proof fails on {call or 'no call'}: "
                f"{verdict.report}")
    return verdict


def with_counterexample(item: Planted) -> Planted:
    """The draft with the call on which its tests fail added to its proof.

    For a suite of your own: look at the call before you keep it.
    """
    if not item.defective or item.proof["kind"] != "tests":
        return item
    call = _failing_call(verifier_of(item.proof)(item.draft))
    return replace(item, proof={**item.proof, "counterexample": call})


def _failing_call(verdict: Verdict) -> str:
    return verdict.fingerprint.rpartition(" / ")[2]
