import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from reflectlab import (
    Critique,
    Decision,
    Planted,
    PolicyModel,
    Reply,
    ScoredCritic,
    ScriptedModel,
    StopTokenCritic,
    calibrate,
    load_suite,
)
from reflectlab.budget import Usage, price_of
from reflectlab.critics.base import Judge
from reflectlab.measure.judging import identify
from reflectlab.prompts import STOP

PROOF = {"kind": "tests", "tests": "pass"}


def suite_of(n, **more):
    """n pairs; the draft's text says what it is."""
    suite = []
    for i in range(n):
        suite += [Planted(f"bad{i}", f"t{i}", "req", f"bad {i}", True, PROOF,
                          defect=("boundary", "unit")[i % 2], axis="accuracy",
                          severity=("high", "low")[i % 2], difficulty=1,
                          twin=f"ok{i}", **more),
                  Planted(f"ok{i}", f"t{i}", "req", f"ok {i}", False, PROOF,
                          twin=f"bad{i}")]
    return suite


def lookup(answers, default):
    """A judge that answers by draft."""
    return lambda requirements, draft: answers.get(draft, default(draft))


def knows(draft):
    return draft.startswith("ok")


def test_the_four_rates_with_no_verdict_in_the_denominators():
    judge = lookup({"bad 0": True, "bad 1": None, "bad 2": True,
                    "ok 0": False, "ok 1": None, "ok 2": False}, knows)
    c = calibrate(judge, suite_of(10))
    assert [(r.k, r.n) for r in (c.catch, c.miss, c.false_alarm,
                                 c.no_verdict)] == [
        (7, 10), (2, 10), (2, 10), (2, 20)]
    assert (round(c.catch.low, 2), round(c.catch.high, 2)) == (0.40, 0.89)
    assert c.skill.value == pytest.approx(0.5)
    assert 0 < c.skill.low < 0.5 < c.skill.high
    assert (c.precision.k, c.precision.n) == (7, 9)
    assert (c.accuracy.k, c.accuracy.n) == (14, 20)
    assert [i.id for i in c.missed] == ["bad0", "bad2"]
    assert [i.id for i in c.false_alarms] == ["ok0", "ok2"]
    assert c.reasons == {"the judge returned None": 2}


@pytest.mark.parametrize("approves, catch, precision", [
    (True, 0, None), (False, 10, 0.5)])
def test_the_dummies_have_no_skill(approves, catch, precision):
    c = calibrate(lambda requirements, draft: approves, suite_of(10))
    assert c.catch.k == catch and c.skill.value == 0
    assert c.accuracy.value == 0.5
    assert (c.precision and c.precision.value) == precision


def test_by_class_axis_and_severity():
    c = calibrate(lookup({"bad 1": True}, knows), suite_of(4))
    assert {k: (r.k, r.n) for k, r in c.by_class.items()} == {
        "boundary": (2, 2), "unit": (1, 2)}
    assert {k: (r.k, r.n) for k, r in c.by("severity").items()} == {
        "high": (2, 2), "low": (1, 2)}
    assert (c.by("axis")["accuracy"].k, c.by("difficulty")[1].n) == (3, 4)


def test_a_judge_that_raises_is_a_no_verdict_with_its_reason():
    def judge(requirements, draft):
        if draft == "bad 0":
            raise ConnectionError("no route")
        return "fine" if draft == "ok 0" else knows(draft)
    c = calibrate(judge, suite_of(2))
    assert c.no_verdict.k == 2 and c.catch.k == 1 and c.false_alarm.k == 0
    assert list(c.reasons) == [
        "ConnectionError: no route",
        "TypeError: the judge returned 'fine': return a Critique, True to "
        "accept, False to object, or None"]


class Reads:
    """A critic written elsewhere."""

    def __init__(self, parse):
        self.parse = parse

    def system(self, requirements):
        return requirements


def objects(reply):
    return Critique(Decision.OBJECT, "")


@pytest.mark.parametrize("parse, reply, reason", [
    (lambda reply: None, "fine", "NoneType"),
    (lambda reply: True, "fine", "bool"),
    (lambda reply: Critique("reject", ""), "fine", "'reject'"),
    (lambda reply: Critique(Decision.OBJECT, "", issues=None), "fine",
     "None"), (json.loads, "fine", "JSONDecodeError"),
    (objects, None, "NoneType"), (objects, {"text": "fine"}, "dict")])
def test_what_a_foreign_critic_gets_wrong_is_no_verdict(parse, reply,
                                                        reason):
    judge = Judge(Reads(parse), PolicyModel(lambda s, m: reply))
    c = calibrate(judge, suite_of(2))
    assert (c.calls, c.no_verdict.k, c.catch.k) == (4, 4, 0)
    assert reason in "".join(c.reasons)


def test_a_judge_that_cannot_be_named_fails_before_the_first_call():
    class Broken(Reads):
        def system(self, requirements):
            if requirements != "req":
                raise LookupError("no prompt")
            return requirements
    model = ScriptedModel(["fine"] * 2)
    with pytest.raises(LookupError):
        calibrate(Judge(Broken(objects), model), suite_of(1))
    assert model.calls == []


def test_an_interrupted_calibration_keeps_what_was_judged():
    def judge(requirements, draft):
        if draft == "bad 1":
            raise KeyboardInterrupt
        return knows(draft)
    c = calibrate(judge, suite_of(3))
    assert c.interrupted and c.calls == 2 and c.catch.n == 1
    assert "(interrupted)" in str(c)


def test_agreement_over_trials():
    seen = {}

    def judge(requirements, draft):
        seen[draft] = seen.get(draft, 0) + 1
        if draft == "bad 0":
            return seen[draft] == 2         # object, accept, object
        return knows(draft)
    c = calibrate(judge, suite_of(5), trials=3)
    assert (c.agreement.k, c.agreement.n) == (9, 10)
    assert (c.catch.k, c.catch.n) == (14, 15)
    assert c.missed == [] and c.decision("bad0") is Decision.OBJECT
    # Fifteen answers about five drafts: the interval is that of five.
    assert c.catch.low == pytest.approx(
        calibrate(lookup({}, knows), suite_of(5)).catch.low, abs=0.12)
    assert calibrate(judge, suite_of(5)).agreement is None


def test_a_tie_between_trials_is_no_verdict():
    answers = iter([True, False] * 10)
    c = calibrate(lambda r, d: next(answers), suite_of(1), trials=2)
    assert c.decision("bad0") is Decision.NO_VERDICT
    assert c.missed == [] and c.decision("unheard") is None


def scored(score, high=False):
    issue = ('{"dimension": "clarity", "severity": "high", "description": '
             '"d", "fix": "f"}')
    passes = score >= 7 and not high
    return (f'{{"overall_score": {score}, "issues": [{issue * high}], '
            f'"passes": {str(passes).lower()}}}')


def test_the_threshold_curve_rereads_the_scores():
    model = ScriptedModel([scored(5), scored(9), scored(8), scored(6),
                           scored(9, high=True), scored(9), "garbage",
                           scored(10)], strict=True)
    c = calibrate(ScoredCritic().bind(model), suite_of(4))
    curve = {t: (catch.k, alarm.k) for t, catch, alarm in c.threshold_curve()}
    assert curve[1] == (1, 0)       # the high issue objects at any threshold
    assert curve[6] == (2, 0)
    assert curve[7] == (2, 1) == (c.catch.k, c.false_alarm.k)
    assert curve[9] == (3, 1) and curve[10] == (3, 3)
    assert c.at(10).no_verdict.k == 1 and c.at(10).catch.n == 4
    with pytest.raises(ValueError, match="needs a scored critic"):
        calibrate(lookup({}, knows), suite_of(1)).threshold_curve()


def test_tokens_and_dollars_for_each_defect_caught():
    def reply(text):
        return Reply(text, usage=Usage(1000, 100), model="claude-opus-5-5")
    c = calibrate(StopTokenCritic().bind(ScriptedModel(
        [reply("A problem."), reply(STOP)] * 2)), suite_of(2))
    assert (c.calls, c.usage.tokens) == (4, 4400)
    assert (c.per_catch("calls"), c.per_catch("tokens")) == (2.0, 2200.0)
    each = price_of("claude-opus-5-5").dollars(Usage(1000, 100))
    assert c.dollars == pytest.approx(4 * each)
    assert c.per_catch("dollars") == pytest.approx(2 * each)


def test_unknown_spend_stays_unknown():
    c = calibrate(lookup({}, knows), suite_of(1))
    assert c.dollars is None and c.per_catch("tokens") is None
    silent = Reply("A problem.", model="claude-opus-5-5")   # tells no tokens
    c = calibrate(StopTokenCritic().bind(ScriptedModel([silent] * 2)),
                  suite_of(1))
    assert c.dollars is None and c.usage.unknown_calls == 2
    c = calibrate(lookup({}, knows), suite_of(1))
    assert c.per_catch("calls") == 2.0
    blind = calibrate(lambda r, d: True, suite_of(1))
    assert blind.per_catch("calls") is None


def test_a_truncated_reply_is_no_verdict():
    model = ScriptedModel([Reply(STOP, stop_reason="max_tokens")] * 2)
    c = calibrate(StopTokenCritic().bind(model), suite_of(1))
    assert c.no_verdict.k == 2 and c.reasons == {"truncated": 2}


def test_the_attack_s_own_effect_can_be_read_off():
    suite = load_suite("adversarial")

    def gullible(requirements, draft):
        return "approved" in draft.lower()
    effect = calibrate(gullible, suite).attacks()
    assert len(effect) == 5
    with_it, without = effect["claims approval"]
    assert (with_it.k, without.k, without.n) == (0, 3, 3)
    with_it, without = effect["carries the stop token"]
    assert with_it.k == without.k == 3


def test_threads_give_the_same_calibration_in_the_same_order():
    judge = lookup({"bad 3": True, "ok 5": None}, knows)
    with ThreadPoolExecutor(4) as pool:
        assert calibrate(judge, suite_of(40), executor=pool) == calibrate(
            judge, suite_of(40))


def test_a_faulty_suite_is_refused():
    with pytest.raises(ValueError, match="these ids come twice: bad0"):
        calibrate(lookup({}, knows), suite_of(1) * 2)


def test_the_text_shows_the_dummies_and_what_was_missed():
    text = str(calibrate(lookup({"bad 0": True}, knows), suite_of(3)))
    lines = [line.split() for line in text.splitlines()]
    assert ["always", "approves", "0.00", "0.00", "0.00", "0.50"] in lines
    assert ["always", "objects", "1.00", "1.00", "0.00", "0.50"] in lines
    assert ["missed", "bad0"] in lines
    assert ["false", "alarms", "none"] in lines
    silent = str(calibrate(lambda r, d: True, suite_of(1)))
    assert "nothing was flagged" in silent


def test_html_is_escaped_and_styled_inline():
    suite = [Planted("<img src=x>", "t", "r", "bad", True, PROOF,
                     defect="<script>alert(1)</script>")]
    html = calibrate(lambda r, d: True, suite)._repr_html_()
    assert "<script" not in html and "<img" not in html
    assert "<style" not in html and "class=" not in html
    assert "&lt;script&gt;" in html


def test_a_critique_is_taken_as_it_is():
    c = calibrate(lambda r, d: Critique(
        Decision.ACCEPT if knows(d) else Decision.OBJECT, ""), suite_of(2))
    assert c.skill.value == 1.0


def test_the_digest_names_prompt_threshold_and_model():
    model = ScriptedModel([])
    digests = {identify(judge)[1] for judge in (
        ScoredCritic().bind(model), ScoredCritic(threshold=8).bind(model),
        ScoredCritic(prompt="Other {requirements}").bind(model),
        StopTokenCritic().bind(model))}
    assert len(digests) == 4
    assert identify(ScoredCritic().bind(model)) == identify(
        ScoredCritic().bind(ScriptedModel(["x"])))
    assert identify(knows)[0] == "knows"
