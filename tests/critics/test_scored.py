import json

import pytest

from reflectlab import Decision, ScoredCritic

HIGH = {"dimension": "clarity", "severity": "high",
        "description": "The second sentence has no\nsubject.",
        "fix": "Say who exports."}
LOW = {"dimension": "tone", "severity": "low",
       "description": "Stiff opening", "fix": "Drop 'hereby'."}


def reply(score, issues=(), passes=False, **more):
    return json.dumps({"overall_score": score, "issues": list(issues),
                       "passes": passes, **more})


@pytest.mark.parametrize("score, issues, accepted", [
    (7, [], True), (10, [LOW], True), (7.5, [], True),
    (6, [], False), (9, [HIGH], False), (1, [LOW, HIGH], False)])
def test_acceptance_is_computed(score, issues, accepted):
    critique = ScoredCritic().parse(reply(score, issues, passes=accepted))
    assert critique.decision is (
        Decision.ACCEPT if accepted else Decision.OBJECT)
    assert critique.score == score
    assert len(critique.issues) == len(issues)


@pytest.mark.parametrize("score, issues, stated", [
    (2, [HIGH], True), (6, [], True), (9, [HIGH], True), (8, [], False)])
def test_a_stated_verdict_that_contradicts_decides_nothing(
        score, issues, stated):
    critique = ScoredCritic().parse(reply(score, issues, passes=stated))
    assert critique.decision is Decision.NO_VERDICT
    assert critique.reason.startswith("contradicts itself")
    assert critique.feedback == ""


def test_the_threshold_moves_the_pass_rule_and_the_prompt():
    strict = ScoredCritic(threshold=9)
    assert strict.parse(reply(8)).decision is Decision.OBJECT
    assert strict.parse(reply(9, passes=True)).decision is Decision.ACCEPT
    assert "at least 9" in strict.system("x")
    assert "{threshold}" not in strict.system("x")


@pytest.mark.parametrize("threshold", [0, 10.5, -1, float("nan"), "7",
                                       None])
def test_a_threshold_off_the_scale_is_refused(threshold):
    with pytest.raises(ValueError, match="1 to 10"):
        ScoredCritic(threshold)


def test_feedback_is_one_line_an_issue_all_to_be_addressed():
    feedback = ScoredCritic().parse(reply(4, [HIGH, LOW])).feedback
    first, *lines = feedback.splitlines()
    assert "every one" in first
    assert lines == [
        "- [HIGH] clarity: The second sentence has no subject, "
        "Fix: Say who exports.",
        "- [LOW] tone: Stiff opening, Fix: Drop 'hereby'."]


def test_an_objection_without_issue_says_what_is_known():
    feedback = ScoredCritic().parse(reply(4)).feedback
    assert "4 of 10" in feedback and "named no issue" in feedback


@pytest.mark.parametrize("wrap", [
    "{}", "\n {}\n", "```json\n{}\n```", "```\n{}\n```", "```JSON\n{}```"])
def test_a_fence_around_the_object_is_read(wrap):
    text = wrap.replace("{}", reply(8, passes=True))
    assert ScoredCritic().parse(text).decision is Decision.ACCEPT


@pytest.mark.parametrize("wrap", [
    "Here it is:\n{}\nDone.",
    "My grading:\n\n```json\n{}\n```\nHope this helps",
    "The draft orders me to reply {}. I will not; no price: I object.",
    "A pass would be:\n```json\n{}\n```\nThis draft fails: no price.",
    "not {}", "[{}]", "{}\nI object."])
def test_words_around_the_object_can_object_and_never_accept(wrap):
    passing = ScoredCritic().parse(wrap.replace("{}", reply(8, passes=True)))
    assert passing.decision is Decision.NO_VERDICT
    assert "words around it" in passing.reason
    objecting = ScoredCritic().parse(wrap.replace("{}", reply(4, [HIGH])))
    assert objecting.decision is Decision.OBJECT


@pytest.mark.parametrize("text, reason", [
    ("", "empty reply"),
    ("  \n", "empty reply"),
    ("[]", "no JSON object"),
    ("Looks good to me, passes.", "no JSON object"),
    (reply(8, passes=True)[:-1], "cut off"),
    (reply(8, passes=True)[:-1] + ",}", "not valid JSON"),
    (reply(8, passes=True) * 2, "not valid JSON"),
    ('{"passes": false, ' + reply(8, passes=True)[1:], "given twice"),
    (reply(8, passes="true"), "'passes' (bool_type)"),
    (reply(8, passes=1), "'passes'"),
    (reply("8", passes=True), "'overall_score'"),
    (reply(True, passes=True), "'overall_score'"),
    (reply(11, passes=True), "'overall_score'"),
    (reply(0), "'overall_score'"),
    (reply(float("nan")), "'overall_score'"),
    (reply(float("inf"), passes=True), "'overall_score'"),
    (reply(8, passes=True).replace("8", "9" * 9000), "'overall_score'"),
    ('{"overall_score": 8, "issues": []}', "'passes' (missing)"),
    ('{"overall_score": 8, "passes": true}', "'issues' (missing)"),
    ('{"issues": [], "passes": true}', "'overall_score' (missing)"),
    (reply(8, passes=True, note="x"), "'note' (extra_forbidden)"),
    (reply(8, [LOW | {"severity": "minor"}], True), "severity"),
    (reply(8, [LOW | {"dimension": "price"}], True), "dimension"),
    (reply(8, [LOW | {"fix": " "}], True), "fix"),
    (reply(8, ["stiff"], True), "issues.0"),
    ('{"a":' * 100_000 + "}", "nested too deeply"),
    ('{"a":' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply")])
def test_what_cannot_be_read_is_no_verdict_with_its_own_reason(text, reason):
    critique = ScoredCritic().parse(text)
    assert critique.decision is Decision.NO_VERDICT
    assert reason in critique.reason
    assert critique.feedback == "" and critique.raw == text


def test_the_prompt_asks_for_every_part_that_the_parser_needs():
    system = ScoredCritic().system("Write 150 words on {threshold} rules.")
    for part in ["Write 150 words on {threshold} rules.", "overall_score",
                 "issues", "dimension", "severity", "description", "fix",
                 "passes", "factual_accuracy", "completeness", "tone",
                 "clarity", "high", "medium", "low"]:
        assert part in system


def test_a_prompt_without_slot_is_refused():
    with pytest.raises(ValueError, match="requirements"):
        ScoredCritic(prompt="Review this and tell me how to improve it.")
