"""Field cases B, D, E, F4 and G1 to G3: caps, messages, budgets, state.

Each case is a fault that users of some public loop met, reduced to a small
input. The ids are the rows of the table in the project's field cases.
"""

import json
import random
import statistics

import pytest

from reflectlab import (
    STOP,
    Budget,
    FaultyModel,
    PolicyModel,
    ReflectionAgent,
    Reply,
    ScoredCritic,
    ScriptedModel,
    Stall,
    StopTokenCritic,
    Usage,
    Verdict,
    calibrate,
    reflect_v2,
    reflect_v3,
    reflect_verified,
)
from reflectlab.measure.planted import Planted
from reflectlab.messages import problems

TASK = "Write about the unicorn."


def case(row, *values):
    return pytest.param(*values, id=row)


def cases(row, argument, *values):
    """One row of the table, one or more inputs."""
    return pytest.mark.parametrize(argument, [
        pytest.param(value, id=f"{row}-{n}" if len(values) > 1 else row)
        for n, value in enumerate(values, 1)])


def agent(model, **settings):
    return ReflectionAgent(model, **{"verbose": False} | settings)


def restless():
    """A new draft and a new objection every time."""
    return PolicyModel(lambda system, messages: (
        f"{'Problem' if system.endswith(STOP) else 'Draft'} "
        f"{len(messages)}."))


def fails(draft):
    return Verdict(False, f"FAILED on {draft[-40:]}")


# --- B. Caps and convergence -----------------------------------------------

@cases("B1", "cap", 1, 2, 3)
def test_a_cap_is_kept_and_the_last_draft_is_evaluated(cap):
    model = restless()
    result = agent(model, max_rounds=cap).run(TASK)
    asked = [c["system"].endswith(STOP) for c in model.calls]
    assert asked == [False, True] * cap
    assert result.output == result.trace[-1].draft
    assert result.needs_human
    assert result.stop_reason == "budget: rounds exhausted"


@cases("B2", "run", *[
    lambda model: agent(model, max_rounds=0).run(TASK),
    lambda model: agent(model, budget=Budget(rounds=0)).run(TASK),
    lambda model: reflect_v2(model, TASK, rounds=0),
    lambda model: reflect_v3(model, TASK, max_rounds=0),
    lambda model: reflect_verified(model, TASK, fails, max_rounds=0)])
def test_no_round_is_refused_without_a_call(run):
    model = restless()
    with pytest.raises(ValueError, match="rounds"):
        run(model)
    assert model.calls == []


@cases("B2-calls", "budget", Budget(calls=0), Budget(chars=0),
       Budget(seconds=0), Budget(tokens=0))
def test_a_budget_of_nothing_buys_nothing(budget):
    model = restless()
    result = agent(model, budget=budget).run(TASK)
    assert model.calls == [] and result.calls == 0
    assert result.stop_reason.startswith("aborted: ")
    assert "budget of 0" in result.stop_reason


@cases("B3", "drafts", "ABAB", "ABCA", "ABCDB")
def test_alternating_drafts_oscillate(drafts):
    result = agent(ScriptedModel([
        text for n, d in enumerate(drafts) for text in (d, f"Problem {n}.")]),
        max_rounds=9).run(TASK)
    assert result.stop_reason == "stalled: drafts oscillate"
    first = next(n for n, d in enumerate(drafts) if d in drafts[:n])
    assert result.rounds == first + 1


@pytest.mark.parametrize("same,stopped", [
    case("B4-alike", True, "stalled: near-duplicate draft"),
    case("B4-different", False, "budget: rounds exhausted")])
def test_near_duplicates_stall_if_they_fail_alike(same, stopped):
    drafts = [f"{'word ' * 40}{mark}" for mark in "abc"]
    result = agent(
        ScriptedModel(drafts), critic=None, max_rounds=3,
        stall=Stall(similarity=0.95),
        verifier=lambda d: Verdict(False, f"on {d[-1]}", fingerprint=(
            "same" if same else d[-1]))).run(TASK)
    assert result.stop_reason == stopped


@cases("B5", "fix", ("if x:\n    y()\n    z()", "if x:\n    y()\nz()"),
       ("for a in b:\n    c()\nd()", "for a in b:\n    c()\n    d()"))
def test_indentation_can_be_the_whole_fix(fix):
    result = agent(ScriptedModel(fix), critic=None, verifier=lambda d: (
        Verdict(d == fix[1], f"FAILED {len(d)}"))).run(TASK)
    assert result.accepted and result.output == fix[1]


def nitpicker(seed):
    """Objects to one clean draft in three, whatever it holds."""
    chance = random.Random(seed)
    return PolicyModel(lambda system, messages: (
        f"Draft {len(messages)}." if not system.endswith(STOP)
        else f"Problem {chance.random()}." if chance.random() < 1 / 3
        else STOP))


@cases("B6", "seed", 1, 2)
def test_what_a_random_objection_costs_is_reported(seed):
    twins = [Planted(f"clean {n}", "t", TASK, f"Draft {n}.", False,
                     {"kind": "counted"}) for n in range(300)]
    rates = calibrate(StopTokenCritic().bind(nitpicker(seed)), twins)
    assert rates.false_alarm.n == 300
    assert rates.false_alarm.low < 1 / 3 < rates.false_alarm.high
    model = nitpicker(seed)
    runs = [agent(model, budget=Budget(rounds=20, calls=None)).run(TASK)
            for _ in range(300)]
    rounds = statistics.mean(run.rounds for run in runs)
    assert rounds == pytest.approx(1 / (1 - 1 / 3), abs=0.15)


@cases("B7", "faults", ["", ""], [OSError("x"), ""], [OSError("x")] * 2,
       [Reply("cut", stop_reason="max_tokens")] * 2)
def test_attempts_that_run_out_complete_nothing(faults):
    result = agent(ScriptedModel(faults)).run(TASK)
    assert not result.accepted and result.needs_human
    assert result.stop_reason.startswith("aborted: ")
    result = agent(ScriptedModel(["draft", *faults, *faults])).run(TASK)
    assert not result.accepted and result.output == "draft"


# --- D. Messages -----------------------------------------------------------

NOTHING = ["", "  \n\t", Reply("", stop_reason="refusal"),
           Reply("I can't help.", stop_reason="refusal")]


@cases("D1", "nothing", *NOTHING)
@pytest.mark.parametrize("at", [0, 1, 2, 3])
def test_nothing_enters_a_history(nothing, at, capsys):
    script = ["one", "Problem 1.", "two", "Problem 2.", "three", "Problem 3."]
    script.insert(at, nothing)
    for run in (lambda m: agent(m).run(TASK), lambda m: reflect_v3(m, TASK),
                lambda m: reflect_v2(m, TASK),
                lambda m: reflect_verified(m, TASK, fails)):
        if nothing.strip() and run.__code__.co_names[0] != "agent":
            continue        # v2 to v4 take a worded refusal for a text
        model = ScriptedModel(script)
        run(model)
        for call in model.calls:
            assert problems(call["messages"]) == []
            assert str(nothing) not in [m["content"]
                                        for m in call["messages"]]


D2 = {
    "v2": lambda m, keep: reflect_v2(m, TASK, rounds=4),
    "v3": lambda m, keep: reflect_v3(m, TASK),
    "v4": lambda m, keep: reflect_verified(m, TASK, fails),
    "v5": lambda m, keep: agent(m, keep_rounds=keep).run(TASK),
    "v5-verified": lambda m, keep: agent(
        m, keep_rounds=keep, critic=None, verifier=fails).run(TASK),
    "v5-panel": lambda m, keep: agent(m, keep_rounds=keep, critic=[
        StopTokenCritic(), ScoredCritic()]).run(TASK),
}


@pytest.mark.parametrize("keep", [None, 1, 2])
@pytest.mark.parametrize("name", [case(f"D2-{n}", n) for n in D2])
def test_every_call_is_legal_and_instructed_once(name, keep, capsys):
    model = PolicyModel(lambda system, messages: (
        f"Text {len(model.calls)}."))
    D2[name](model, keep)
    assert len(model.calls) >= 4
    for call in model.calls:
        assert problems(call["messages"]) == []
        for message in call["messages"]:
            assert call["system"] not in message["content"]
        system_holds_the_task = TASK in call["system"]
        first_is_the_task = call["messages"][0]["content"].startswith(TASK)
        assert system_holds_the_task or first_is_the_task
        if name.startswith("v5"):
            assert call["system"].count(TASK) == 1


@cases("D3", "keep", None, 1)
def test_nobody_speaks_in_anothers_voice(keep):
    """Words of the check never reach the critic; roles stay apart."""
    drafts = iter(["draft a", "draft b", "draft c", "draft d"])
    model = PolicyModel(lambda system, messages: (
        f"Problem with {messages[-1]['content'][-7:]}."
        if system.endswith(STOP) else next(drafts)))
    agent(model, keep_rounds=keep, verifier=lambda d: (
        fails(d) if d == "draft b" else Verdict(True, "all passed"))).run(
        TASK)
    for call in model.calls:
        critic = call["system"].endswith(STOP)
        for message in call["messages"]:
            text, own = message["content"], message["role"] == "assistant"
            if critic:
                assert "FAILED" not in text and "draft b" not in text
                assert text.startswith("Problem") is own or "\n" in text
            else:
                assert text.startswith("draft ") is own


@cases("D4", "keep", 1)
def test_large_drafts_stay_bounded(keep):
    drafts = iter(chr(97 + n) * 40_000 for n in range(4))
    model = PolicyModel(lambda system, messages: (
        f"Problem {len(model.calls)}." if system.endswith(STOP)
        else next(drafts)))
    agent(model, keep_rounds=keep, budget=Budget(chars=None)).run(TASK)
    writer = [c for c in model.calls if not c["system"].endswith(STOP)]
    fourth = json.dumps(writer[3])
    assert 40_000 < len(fourth) < 40_000 + 3_000
    assert TASK in writer[3]["system"]
    critic = [c for c in model.calls if c["system"].endswith(STOP)]
    assert len(json.dumps(critic[3])) < 2 * 40_000 + 3_000


# --- E. Budget and accounting ----------------------------------------------

@cases("E1", "calls", 1, 2, 3)
def test_every_attempt_is_checked_before_it_is_made(calls):
    model = ScriptedModel([OSError("down")] * 9)
    result = agent(model, max_calls=calls).run(TASK)
    assert len(model.calls) == result.calls == min(calls, 2)


@cases("E2", "budget", Budget(calls=1), Budget(tokens=10))
def test_a_budget_stop_keeps_what_was_verified(budget):
    model = ScriptedModel([Reply("good", usage=Usage(10, 1)), STOP])
    result = agent(model, budget=budget,
                   verifier=lambda d: Verdict(True, "all passed")).run(TASK)
    assert result.verified and result.output == "good"
    assert "budget" in result.stop_reason and not result.accepted
    assert len(model.calls) == 1


@cases("E3", "fault", None)
def test_retries_and_reasks_are_two_counters(fault):
    """Three calls a critique at most: never two times two."""
    cut = Reply("cut", stop_reason="max_tokens")
    model = ScriptedModel(["draft", OSError("x"), cut, OSError("x"), STOP])
    result = agent(model).run(TASK)
    assert result.stop_reason == "aborted: x"
    assert (result.calls, result.retries, result.reasks) == (4, 1, 1)


@cases("E4", "failing", True, False)
def test_the_tokens_of_every_attempt_are_summed(failing):
    error = OSError("down")
    error.usage = Usage(5, 0)
    model = FaultyModel(ScriptedModel([
        Reply(text, usage=Usage(10, 1)) for text in ("a", STOP)]),
        [error] if failing else [])
    result = agent(model).run(TASK)
    assert result.usage == Usage(25 if failing else 20, 2)
    assert result.dollars is None       # no price is no price, not 0


@cases("E4-price", "settings", {"model": ScriptedModel([])},
       {"model": ScriptedModel([]), "critic_model": ScriptedModel([])})
def test_a_dollar_budget_wants_a_known_price(settings):
    with pytest.raises(ValueError, match="known price"):
        ReflectionAgent(**settings, budget=Budget(dollars=1))


@cases("E5", "budget", Budget(calls=3), Budget(chars=2_500))
def test_a_budget_stop_keeps_trace_and_draft(budget):
    result = agent(restless(), budget=budget).run(TASK)
    assert "budget" in result.stop_reason
    assert len(result.trace) == result.rounds >= 1
    assert result.output == result.trace[-1].draft == (
        f"Draft {2 * result.rounds - 1}.")


@cases("E6", "verified", True, False)
def test_the_same_answer_twice_is_a_stall(verified):
    model = PolicyModel(lambda system, messages: (
        f"Problem {len(messages)}." if system.endswith(STOP) else "same"))
    result = agent(model, verifier=fails if verified else None).run(TASK)
    assert result.stop_reason == "stalled: draft repeated"
    assert result.rounds == 2


# --- F4. The verifier itself -----------------------------------------------

def raising(error):
    def verifier(draft):
        raise error
    return verifier


@cases("F4", "verifier", raising(OSError("gone")), raising(SystemExit(0)),
       raising(RecursionError()), lambda d: Verdict(False, ""),
       lambda d: Verdict(False, " \n"))
def test_a_broken_verifier_is_an_observation(verifier):
    model = ScriptedModel(["one", "two"])
    result = agent(model, verifier=verifier).run(TASK)
    assert result.rounds == 2 and not result.verified
    assert all(r.feedback.strip() for r in result.trace)
    assert problems(model.calls[1]["messages"]) == []


# --- G. State --------------------------------------------------------------

@cases("G1", "budget", Budget(rounds=2, calls=4), Budget(2, chars=2_000))
def test_a_second_run_starts_afresh(budget):
    model = restless()
    shared = agent(model, budget=budget)
    first = shared.run(TASK)
    calls, model.calls = model.calls, []
    second = shared.run(TASK)
    assert model.calls == calls
    assert second.trace[0].draft == first.trace[0].draft
    assert (second.calls, second.chars, second.stop_reason) == (
        first.calls, first.chars, first.stop_reason)


@cases("G2", "script", ["one", STOP], [OSError("x"), "one", STOP])
def test_running_does_not_empty_the_callers_script(script):
    before = list(script)
    for _ in range(2):
        assert agent(ScriptedModel(script)).run(TASK).accepted
    assert script == before


@cases("G3", "cap", 1, 2, 3)
def test_a_pass_in_the_last_round_is_a_pass(cap):
    script = [t for n in range(cap - 1) for t in (f"d{n}", f"Problem {n}.")]
    result = agent(ScriptedModel([*script, "good", STOP]),
                   max_rounds=cap).run(TASK)
    assert result.accepted and result.rounds == cap
    assert result.stop_reason == "accepted"
