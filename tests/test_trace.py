import json

from hypothesis import given
from hypothesis import strategies as st

from reflectlab import (
    STOP,
    Critique,
    Decision,
    Issue,
    ReflectionAgent,
    Result,
    Round,
    ScoredCritic,
    ScriptedModel,
    StopTokenCritic,
    Usage,
    Verdict,
)

texts = st.text(st.characters(), max_size=20)      # lone surrogates too
numbers = st.integers(0, 10**9)
seconds = st.floats(0, 1e6)
issues = st.builds(Issue, texts, texts, texts, texts)
critiques = st.recursive(
    st.builds(Critique, st.sampled_from(Decision), texts,
              st.lists(issues, max_size=3).map(tuple), texts,
              st.none() | st.floats(0, 10), texts),
    lambda inner: st.builds(
        Critique, st.sampled_from(Decision), texts,
        parts=st.lists(inner, max_size=3).map(tuple)), max_leaves=4)
verdicts = st.builds(Verdict, st.booleans(), texts, texts, numbers, seconds,
                     texts, texts, texts)
usages = st.builds(Usage, numbers, numbers, numbers, numbers, numbers)
rounds = st.builds(Round, numbers, texts, texts, texts, st.booleans(),
                   seconds, st.none() | critiques, st.none() | verdicts,
                   st.none() | usages)
results = st.builds(
    Result, texts, st.booleans(), texts, numbers,
    st.lists(rounds, max_size=3),
    st.dictionaries(texts, st.lists(numbers | st.floats(0, 1), max_size=3)),
    numbers, numbers, st.none() | usages, st.none() | seconds, seconds,
    numbers, numbers)


def through_json(data):
    return json.loads(json.dumps(data))


@given(rounds)
def test_a_round_survives_json(entry):
    assert Round.from_dict(through_json(entry.to_dict())) == entry


@given(results)
def test_a_result_survives_json(result):
    assert Result.from_dict(through_json(result.to_dict())) == result


@given(results)
def test_a_result_survives_without_json(result):
    assert Result.from_dict(result.to_dict()) == result


def test_a_real_run_survives_with_its_types():
    objection = json.dumps({"overall_score": 4, "passes": False, "issues": [
        {"dimension": "tone", "severity": "high", "description": "loud",
         "fix": "lower"}]})
    result = ReflectionAgent(
        ScriptedModel(["a", objection, "Problem: a.", "b", "?", "?", STOP]),
        critic=[ScoredCritic(), StopTokenCritic()], max_rounds=2,
        verifier=lambda draft: Verdict(True, "ok"), verbose=False,
    ).run("Write.")
    again = Result.from_dict(through_json(result.to_dict()))
    assert again == result
    merged = again.trace[0].critique
    assert merged.decision is Decision.OBJECT
    assert isinstance(merged.parts[0].issues[0], Issue)
    assert type(again.trace[0].draft) is str


def test_accepted_and_needs_human_follow_from_the_reason():
    for reason, accepted in (("accepted", True), ("aborted: x", False),
                             ("stalled: draft repeated", False),
                             ("accepted (returned last verified draft)",
                              False)):
        result = Result("x", True, reason, 1)
        assert (result.accepted, result.needs_human) == (accepted,
                                                         not accepted)
