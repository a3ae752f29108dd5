"""The real-model study: replayed to the letter, and able to go wrong."""

import json
import re

import pytest

from reflectlab import Decision, ScriptedModel, Verdict
from reflectlab.__main__ import main
from reflectlab.measure import study
from reflectlab.measure.study import ARMS, FORMS, PassesCritic, Resample, Study
from reflectlab.models.recorded import RecordingMiss
from reflectlab.models.weights import GGUF_SHA256
from reflectlab.paths import data_path

FOLDER = data_path("recordings", "study")


@pytest.fixture(scope="module")
def found():
    it = Study()
    return (
        {form: it.calibration(form) for form in FORMS},
        {arm: it.delta(arm) for arm in ARMS},
    )


def recorded():
    """Every line of every recording."""
    return [
        json.loads(line)
        for path in FOLDER.glob("*.jsonl")
        for line in path.read_text("utf-8").splitlines()
    ]


def test_every_draft_and_every_case_is_replayed(found):
    calibrations, deltas = found
    for calibration in calibrations.values():
        assert calibration.calls == 32
        assert not [r for r in calibration.reasons if "RecordingMiss" in r]
    for report in deltas.values():
        assert report.n == len(report.rows) == len(Study().about["subjects"])


def test_the_arms_are_comparable(found):
    _, deltas = found
    for report in deltas.values():
        assert all(1 <= row.calls <= 4 for row in report.rows)
    # The first draft is the same, unless it was cut off: an agent asks again.
    cut_off = {
        line["messages"][0]["content"]
        for line in recorded()
        if len(line["messages"]) == 1
        and line["n"] == 0
        and line["stop_reason"] == "max_tokens"
    }
    drawn = {row.case: row.first for row in deltas["best of n"].rows}
    for case, row in zip(Study().cases(), deltas["model as critic"].rows):
        assert row.first == drawn[row.case] or case.requirements in cut_off


def test_a_verifier_never_lets_a_right_draft_go(found):
    _, deltas = found
    assert deltas["best of n"].broken == 0
    assert deltas["checker's report"].broken == 0


def test_the_recordings_are_small_whole_and_of_one_real_model():
    files = list(FOLDER.iterdir())
    assert sum(path.stat().st_size for path in files) < 3_000_000
    assert Study().about["gguf_sha256"] == GGUF_SHA256
    assert {line["model"] for line in recorded()} == {
        "smollm2-135m-instruct-q4_1"
    }
    assert not [line for line in recorded() if "error" in line]


def test_the_forms_are_held_by_the_grammar():
    for name, form in [
        ("json", r'\{"passes": (true|false)\}'),
        ("pass_or_fail", "REQUIREMENTS: (PASS|FAIL)"),
    ]:
        lines = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
        replies = [json.loads(line)["reply"] for line in lines]
        assert len(replies) == 32
        assert all(re.fullmatch(form, reply) for reply in replies)


def test_another_prompt_is_not_replayed(monkeypatch):
    monkeypatch.setattr(
        study, "PASSES_CRITIC_SYSTEM", "Other words: {requirements}"
    )
    reasons = Study().calibration("json").reasons
    assert sum(reasons.values()) == 32
    assert all(RecordingMiss.__name__ in reason for reason in reasons)


def test_the_command_replays_it(capsys, found):
    assert main(["local", "study"]) == 0
    said = capsys.readouterr().out
    for name in (*FORMS, *ARMS):
        assert f"\n{name} " in "\n" + said
    assert str(found[0]["json"].catch) in said
    report = found[1]["model as critic"]
    assert f"{report.delta / report.n:+.2f}" in said


@pytest.mark.parametrize(
    "reply, decision",
    [
        ('{"passes": true}', Decision.ACCEPT),
        ('{"passes": false}', Decision.OBJECT),
        ('{"passes": "true"}', Decision.NO_VERDICT),
        ('{"passes": 1}', Decision.NO_VERDICT),
        ("[true]", Decision.NO_VERDICT),
        ("{}", Decision.NO_VERDICT),
        ("yes", Decision.NO_VERDICT),
        ("", Decision.NO_VERDICT),
    ],
)
def test_the_flag_is_read_strictly(reply, decision):
    assert PassesCritic().parse(reply).decision is decision


def test_resampling_keeps_the_last_or_the_first_that_passes():
    def verifier(draft):
        return Verdict(draft == "b", "", checks=1)

    script = ["a", "b", "c"]
    last = Resample(ScriptedModel(script, strict=True), 3).run("task")
    best = Resample(ScriptedModel(script, strict=True), 3, verifier)
    best = best.run("task")
    assert (last.output, last.verified, last.calls) == ("c", False, 3)
    assert (best.output, best.verified, best.calls) == ("b", True, 2)
    assert [r.draft for r in best.trace] == ["a", "b"]
    none = Resample(ScriptedModel(["x", "y"]), 2, verifier).run("task")
    assert (none.output, none.verified) == ("y", False)
    assert none.stop_reason == "budget: rounds exhausted"
