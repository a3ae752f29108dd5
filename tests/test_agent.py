import itertools
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflectlab import (
    STOP,
    Budget,
    Critique,
    Decision,
    FaultyModel,
    FeedbackCritic,
    PolicyModel,
    ReflectionAgent,
    Reply,
    ScoredCritic,
    ScriptedModel,
    Stall,
    StopTokenCritic,
    Verdict,
    Writer,
    strip_fences,
)
from reflectlab.calling import as_draft
from reflectlab.messages import problems
from reflectlab.prompts import FOLDED_NOTE

TASK = "Write about the unicorn."
CUT = Reply("half of it", stop_reason="max_tokens")
REFUSED = Reply("I can't.", stop_reason="refusal")


def agent(model, **settings):
    return ReflectionAgent(model, **{"verbose": False} | settings)


def script(*replies, strict=True):
    return ScriptedModel(replies, strict=strict)


def passes(*good):
    return lambda draft: (Verdict(True, "all passed") if draft in good
                          else Verdict(False, f"FAILED on {draft}"))


# --- construction ----------------------------------------------------------

@pytest.mark.parametrize("settings,named", [
    ({"critic": None}, "nothing can accept"),
    ({"critic": []}, "nothing can accept"),
    ({"max_rounds": 0}, "rounds"), ({"keep_rounds": 0}, "keep_rounds"),
    ({"keep_rounds": True}, "keep_rounds"),
    ({"keep_rounds": "1"}, "keep_rounds"),
    ({"max_rounds": True}, "rounds"), ({"max_calls": 1.5}, "calls"),
    ({"max_calls": "3"}, "calls"),
    ({"stall": None}, "stall"), ({"critic": "abc"}, "critic"),
    ({"critic": (c for c in [StopTokenCritic()])}, "critic"),
    ({"critic": StopTokenCritic}, "critic"), ({"writer": None}, "writer="),
    ({"critic": [None]}, "critic"), ({"explainer": "x"}, "explainer"),
    ({"verifier": "tests"}, "verifier"), ({"critic_model": 5}, "critic_model"),
    ({"budget": 5}, "budget"), ({"executor": 2}, "executor"),
    ({"budget": Budget(dollars=1)}, "price"),
    ({"writer": str}, None)])
def test_nonsense_is_refused_before_a_call(settings, named):
    model = script()
    if named is None:
        with pytest.raises(ValueError, match="slot"):
            Writer(first="no slot here")
        with pytest.raises(ValueError, match="Writer.revise"):
            Writer(revise="no slot here")
        return
    with pytest.raises(ValueError, match=named):
        ReflectionAgent(model, **settings)
    assert model.calls == []


@pytest.mark.parametrize("task", ["", " \n\t", None, 5, ["Write."]])
def test_a_blank_task_is_refused(task):
    with pytest.raises(ValueError, match="blank"):
        agent(script()).run(task)


# --- who is asked, in which order ------------------------------------------

def test_no_critic_is_paid_for_a_draft_that_fails_the_check():
    model = script("a", "b", STOP)
    result = agent(model, verifier=passes("b")).run(TASK)
    assert [r.source for r in result.trace] == ["verifier", "critic"]
    assert result.accepted and result.verified and len(model.calls) == 3
    # and the failed draft never enters the critic's history
    assert model.calls[2]["messages"] == [{"role": "user", "content": "b"}]


def test_without_a_critic_a_passing_verifier_accepts():
    result = agent(script("a", "b"), critic=None,
                   verifier=passes("b")).run(TASK)
    assert result.accepted and result.trace[-1].source == "verifier"


def test_a_verdict_without_signal_accepts_nothing_and_asks_no_critic():
    model = script("a", "b")
    result = agent(model, max_rounds=2, verifier=lambda d: Verdict(
        True, f"no checks ran on {d}", status="no_checks")).run(TASK)
    assert not result.accepted and not result.verified
    assert [r.source for r in result.trace] == ["verifier"] * 2


@pytest.mark.parametrize("error", [OSError("gone"), SystemExit(0),
                                   AssertionError()])
def test_a_verifier_that_raises_is_an_observation(error):
    def verifier(draft):
        raise error

    result = agent(script("a", "b"), verifier=verifier).run(TASK)
    assert result.trace[0].feedback.startswith(
        f"VERIFIER ERROR: {type(error).__name__}")
    assert result.stop_reason == "stalled: feedback repeated"


def test_the_best_verified_draft_survives_what_comes_after():
    result = agent(script("good", "Problem: dull.", "bad", "worse"),
                   verifier=passes("good"), max_rounds=3).run(TASK)
    assert (result.output, result.verified) == ("good", True)
    assert result.stop_reason == (
        "budget: rounds exhausted (returned last verified draft)")
    assert result.needs_human


def test_the_later_of_two_verified_drafts_is_the_best():
    result = agent(script("good", "Problem: dull.", "better",
                          "Problem: short.", "bad"),
                   verifier=passes("good", "better"), max_rounds=3).run(TASK)
    assert result.output == "better"


def graded(score, *texts):
    return json.dumps({"overall_score": score, "passes": False, "issues": [
        {"dimension": "tone", "severity": "high", "description": text,
         "fix": "mend it"} for text in texts]})


def test_without_a_verifier_the_best_scored_draft_is_returned():
    result = agent(script("a", graded(6, "p", "p2"), "b", graded(6, "q"),
                          "c", graded(2, "r")),
                   critic=ScoredCritic(), max_rounds=3).run(TASK)
    assert result.output == "b" and not result.verified
    assert result.stop_reason == "budget: rounds exhausted"
    assert result.stop_detail == {"returned_round": 2, "critic_score": 6}


def test_the_explainer_adds_to_the_report_and_never_replaces_it():
    model = script("a", "because of x", "b", STOP)
    result = agent(model, verifier=passes("b"),
                   explainer=FeedbackCritic()).run(TASK)
    assert result.trace[0].feedback == "FAILED on a\n\nbecause of x"
    assert result.accepted
    # it is shown the draft and the report, in no other history
    assert "FAILED on a" in model.calls[1]["messages"][0]["content"]
    assert len(model.calls[1]["messages"]) == 1


@pytest.mark.parametrize("reply", [OSError("down"), CUT, REFUSED, " "])
def test_a_failing_explainer_leaves_the_report(reply):
    again = [reply] if isinstance(reply, Exception) else []
    result = agent(script("a", reply, *again, "b", STOP),
                   verifier=passes("b"), explainer=FeedbackCritic()).run(TASK)
    assert result.trace[0].feedback == "FAILED on a" and result.accepted


def test_no_explanation_is_bought_after_the_last_draft():
    model = script("a")
    agent(model, verifier=passes(), explainer=FeedbackCritic(),
          max_rounds=1).run(TASK)
    assert len(model.calls) == 1


def test_a_critic_model_answers_for_critics_and_explainer_alone():
    writes, judges = script("a", "b"), script("why", STOP)
    result = agent(writes, critic_model=judges, verifier=passes("b"),
                   explainer=FeedbackCritic()).run(TASK)
    assert result.accepted
    assert (len(writes.calls), len(judges.calls)) == (2, 2)


# --- attempts, re-asks, failures -------------------------------------------

@pytest.mark.parametrize("bad", ["", " \n", REFUSED, CUT, "```\n```",
                                 OSError("x")])
def test_what_is_not_a_draft_counts_as_a_failed_attempt(bad):
    result = agent(script(bad, "fine", STOP)).run(
        TASK, post_process=strip_fences)
    assert result.accepted and result.output == "fine"
    assert (result.calls, result.retries, result.reasks) == (3, 1, 0)


@pytest.mark.parametrize("bad,reason", [
    ("", "model returned no text"), (REFUSED, "model returned no text"),
    (CUT, "reply truncated (max_tokens)"), (OSError("down"), "down"),
    (OSError(), "OSError")])
def test_after_two_attempts_the_run_ends_with_what_it_has(bad, reason):
    result = agent(script("a", "Problem.", bad, bad)).run(TASK)
    assert result.stop_reason == f"aborted: {reason}"
    assert (result.output, result.rounds, result.calls) == ("a", 1, 4)


@pytest.mark.parametrize("first,asked,retries,reasks", [
    ([CUT], 2, 0, 1), ([""], 2, 0, 1),
    ([OSError("x")], 2, 1, 0), ([OSError("x"), CUT], 3, 1, 1),
    ([CUT, OSError("x")], 3, 1, 1)])
def test_at_most_three_calls_a_critique(first, asked, retries, reasks):
    model = script("a", *first, STOP)
    result = agent(model).run(TASK)
    assert result.accepted and len(model.calls) == 1 + asked
    assert (result.retries, result.reasks) == (retries, reasks)
    assert result.calls == 2 + retries + reasks
    for call in model.calls[2:]:
        assert call == model.calls[1]               # identical messages


@given(st.lists(st.sampled_from(["", CUT, OSError("x")]), min_size=3,
                max_size=3))
def test_no_mixture_of_faults_costs_a_fourth_call(faults):
    model = ScriptedModel(["a", *faults, STOP, STOP, "b", STOP])
    result = agent(model, max_rounds=1).run(TASK)
    assert len(model.calls) <= 4
    assert not result.accepted
    assert result.calls == 2 + result.retries + result.reasks


def test_a_final_error_is_not_retried(capsys):
    error = OSError("bad credentials")
    error.final = True
    result = agent(script(error), verbose=True).run(TASK)
    assert (result.calls, result.stop_reason) == (1, "aborted: bad "
                                                  "credentials")
    assert "giving up" in capsys.readouterr().out


@pytest.mark.parametrize("reply,reason", [
    ("", "empty reply"), (CUT, "truncated"), (REFUSED, "refused")])
def test_an_unreadable_critique_is_said_to_be_one(reply, reason):
    model = script("a", reply, reply, "b", STOP)
    result = agent(model).run(TASK)
    assert f"gave no verdict ({reason})" in result.trace[0].feedback
    assert result.trace[0].critique.decision is Decision.NO_VERDICT
    # the draft whose review stayed without verdict leaves the history
    assert model.calls[-1]["messages"] == [{"role": "user", "content": "b"}]


def test_a_truncated_critique_is_asked_with_a_larger_limit():
    class Limited(ScriptedModel):
        max_tokens = 10

        def with_limits(self, *, max_tokens=None, timeout=None):
            asked.append(max_tokens)
            return self

    asked = []
    assert agent(Limited(["a", CUT, STOP])).run(TASK).accepted
    assert agent(Limited(["a", "", STOP])).run(TASK).accepted
    assert asked == [20]


class Mute(StopTokenCritic):
    """Breaks the rule that an objection says something."""

    def parse(self, reply):
        return Critique(Decision.OBJECT, " ")


def test_a_critic_without_words_enters_no_blank_message():
    model = ScriptedModel(["a", "", "b", "", "c", ""])
    agent(model, critic=Mute(), max_rounds=3).run(TASK)
    for call in model.calls:
        assert problems(call["messages"]) == []


# --- whatever the parts do, a verified draft comes back --------------------

GOOD = Verdict(True, "all passed")


class Odd(StopTokenCritic):
    """Answers ``parse`` or ``system`` with whatever it is given."""

    def __init__(self, parse=None, system=None):
        super().__init__()
        self.given = parse, system

    def system(self, requirements):
        return called(self.given[1]) or super().system(requirements)

    def parse(self, reply):
        return called(self.given[0])


def called(thing):
    return thing() if callable(thing) else thing


def fails():
    raise ZeroDivisionError("odd")


@pytest.mark.parametrize("panel", [False, True])
@pytest.mark.parametrize("critic", [
    Odd(fails), Odd(None), Odd(True), Odd("accept"),
    Odd(lambda: Critique("reject", "no price")), Odd(GOOD),
    Odd(lambda: Critique(Decision.OBJECT, None)), Odd(system=fails),
    Odd(system=5)])
def test_an_odd_critic_neither_accepts_nor_loses_the_draft(critic, panel):
    model = PolicyModel(lambda system, messages: (
        STOP if system.endswith(STOP) else "good"))
    result = agent(model, verifier=lambda draft: GOOD, max_rounds=1,
                   critic=[critic, StopTokenCritic()] if panel else critic
                   ).run(TASK)
    assert (result.output, result.verified) == ("good", True)
    assert not result.accepted and result.needs_human


@pytest.mark.parametrize("reply", [None, b"NO_FURTHER_OBJECTIONS", 5, ["a"]])
def test_a_reply_that_is_no_text_is_a_failed_attempt(reply):
    result = agent(script("good", reply, reply),
                   verifier=lambda draft: GOOD).run(TASK)
    assert (result.output, result.verified) == ("good", True)
    assert result.stop_reason == (
        f"aborted: the model returned {type(reply).__name__}, not text")
    assert agent(script(reply, "good", STOP)).run(TASK).output == "good"


@pytest.mark.parametrize("verdict", [
    None, True, (True, "ok"), "ok", lambda: Verdict(True, None),
    lambda: Verdict("yes", "ok"), lambda: Verdict(None, "ok")])
def test_what_is_no_verdict_passes_nothing(verdict):
    result = agent(script("a", "b"), critic=None, max_rounds=1,
                   verifier=lambda draft: called(verdict)).run(TASK)
    assert not result.accepted and not result.verified
    assert result.trace[0].feedback.startswith("VERIFIER ERROR: TypeError: ")


class Breaks:
    """A log that raises ``error`` in one of its methods."""

    def __init__(self, method, error):
        self.method, self.error = method, error

    def __getattr__(self, name):
        def method(*args):
            if name == self.method:
                raise self.error
        return method


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
@pytest.mark.parametrize("method", ["begin", "add", "end"])
def test_a_log_that_ends_python_does_not_lose_the_draft(method, error):
    result = agent(script("good", STOP), log=Breaks(method, error),
                   verifier=lambda draft: GOOD).run(TASK)
    stopped = isinstance(error, KeyboardInterrupt) and method != "end"
    assert result.stop_reason == (
        "aborted: interrupted" if stopped else "accepted")
    assert result.output == ("" if stopped and method == "begin" else "good")


@pytest.mark.parametrize("error", [SystemExit(3), ZeroDivisionError("odd")])
def test_a_part_that_breaks_the_loop_ends_it_with_the_draft(error):
    class Broken:
        def check(self, rounds):
            raise error

    result = agent(script("good", "Problem."), stall=Broken(),
                   verifier=lambda draft: GOOD).run(TASK)
    assert (result.output, result.verified) == ("good", True)
    assert result.stop_reason == f"aborted: {type(error).__name__}: {error}"


def test_an_executor_that_is_shut_down_does_not_lose_the_draft():
    with ThreadPoolExecutor(1) as pool:
        pass
    result = agent(script("good"), critic=[StopTokenCritic()] * 2,
                   executor=pool, verifier=lambda draft: GOOD).run(TASK)
    assert result.output == "good" and result.verified
    assert result.stop_reason.startswith("aborted: RuntimeError")


@pytest.mark.parametrize("made,reason", [
    (None, "model returned no text"), (b"x", "post_process returned bytes"),
    (5, "post_process returned int")])
def test_what_post_process_makes_must_be_text(made, reason):
    result = agent(script("a", "b")).run(TASK, post_process=lambda r: made)
    assert result.stop_reason.startswith(f"aborted: {reason}")
    assert result.output == "" and result.rounds == 0


def test_a_truncated_draft_is_asked_for_with_a_larger_limit():
    class Limited(ScriptedModel):
        max_tokens = 10

        def with_limits(self, *, max_tokens=None, timeout=None):
            asked.append(max_tokens)
            return self

    asked = []
    assert agent(Limited([CUT, "whole", STOP])).run(TASK).output == "whole"
    assert agent(Limited(["", "whole", STOP])).run(TASK).output == "whole"
    assert asked == [20]


KEY = "sk-ant-" "api03-abcdefgh"


def test_no_key_gets_from_a_part_into_trace_prompts_or_print(capsys):
    def breaks(draft):
        raise RuntimeError(f"401 for {KEY}")

    def reads(draft):
        return Verdict(False, f"config: {KEY}", fingerprint=KEY)

    for settings in ({"critic": None, "verifier": breaks},
                     {"critic": None, "verifier": reads}, {},
                     {"critic": Odd(fails_with_key)},
                     {"critic": Odd(system=fails_with_key)}):
        model = PolicyModel(lambda system, messages: (
            f"Leaks {KEY}." if system.endswith(STOP) else f"{len(messages)}"))
        result = agent(model, verbose=True, max_rounds=3,
                       on_round=breaks, **settings).run(TASK)
        assert KEY not in str(result.to_dict())
        for call in model.calls:
            if not call["system"].endswith(STOP):
                assert KEY not in str(call)
    assert KEY not in capsys.readouterr().out


def fails_with_key():
    raise ValueError(f"bad key {KEY}")


# --- every call of every run is legal --------------------------------------

replies = st.sampled_from([
    "draft one", "draft two", "Problem: x.", "Problem: y.", STOP, "", " ",
    CUT, REFUSED, OSError("down"), graded(4, "y"), graded(4, "z"),
    '{"overall_score": 9, "issues": [], "passes": true}'])
critics = st.sampled_from([
    StopTokenCritic(), ScoredCritic(), None,
    [StopTokenCritic(), ScoredCritic()]])


@given(script=st.lists(replies, max_size=14), critic=critics,
       keep=st.none() | st.integers(1, 3), explain=st.booleans(),
       good=st.sets(st.sampled_from(["draft one", STOP])),
       check=st.booleans(), calls=st.integers(0, 12))
def test_whatever_happens_every_call_is_legal(script, critic, keep, explain,
                                              good, check, calls):
    model = ScriptedModel(script)
    result = agent(
        model, critic=critic, keep_rounds=keep,
        verifier=passes(*good) if check or critic is None else None,
        explainer=FeedbackCritic() if explain else None,
        budget=Budget(rounds=5, calls=calls)).run(TASK)
    assert len(model.calls) == result.calls <= calls
    for call in model.calls:
        assert problems(call["messages"]) == []
        assert call["system"].count(TASK) == 1
        assert not any(call["system"] in m["content"]
                       for m in call["messages"])
    if result.accepted:
        assert result.trace[-1].accepted
    if result.verified:
        assert result.output in good
    assert result.rounds == len(result.trace) <= 5
    assert result.calls == sum(1 for _ in model.calls)


def test_both_sides_fold_the_same_objections():
    model = PolicyModel(lambda system, messages: (
        f"Problem {len(model.calls)}." if system.endswith(STOP)
        else f"draft {len(model.calls)}"))
    agent(model, keep_rounds=1).run(TASK)
    writer, critic = model.calls[-2:]
    assert writer["messages"][0]["content"] == (
        f"{TASK}\n\n{FOLDED_NOTE}\n- Problem 2.\n- Problem 4.")
    assert critic["messages"][0]["content"] == (
        f"{FOLDED_NOTE}\n- Problem 2.\n- Problem 4.\n\ndraft 5")
    assert [m["content"] for m in critic["messages"][1:]] == [
        "Problem 6.", "draft 7"]


def test_folded_notes_hold_what_was_objected_to():
    def policy(system, messages):
        n = len(model.calls)
        if "grades drafts" not in system:
            return f"draft {n}"
        return graded(4, f"sentence {n} is stiff").replace(", ", ",\n")

    model = PolicyModel(policy)
    agent(model, critic=ScoredCritic(), keep_rounds=1, max_rounds=3).run(TASK)
    for call in model.calls[-2:]:
        note = call["messages"][0]["content"]
        assert f"{FOLDED_NOTE}\n- [HIGH] tone: sentence 2 is stiff" in note


@pytest.mark.parametrize("keep,low,high", [
    (None, 3.5, 4.0), (1, 1.9, 2.3), (2, 1.9, 2.3)])
def test_twice_the_rounds_cost_four_times_or_with_compaction_twice(keep, low,
                                                                   high):
    def chars(rounds):
        drafts = itertools.count()
        model = PolicyModel(lambda system, messages: f"{next(drafts):600}")
        return agent(model, keep_rounds=keep, budget=Budget(
            rounds, None, None)).run(TASK).chars

    assert low < chars(32) / chars(16) < high


# --- the end of a run ------------------------------------------------------

@pytest.mark.parametrize("when", ["draft", "verifier", "critic"])
def test_an_interruption_returns_the_best_draft(when):
    def interrupt(*_):
        raise KeyboardInterrupt

    calls = itertools.count(1)

    def verifier(draft):
        if when == "verifier" and draft == "c":
            interrupt()
        return Verdict(draft == "a", f"report on {draft}")

    def policy(system, messages):
        n = next(calls)
        if (when, n) in (("draft", 4), ("critic", 2)):
            interrupt()
        return ["a", "Problem.", "b", "c"][n - 1]

    result = agent(PolicyModel(policy), verifier=verifier).run(TASK)
    assert result.output == "a" and result.verified
    assert result.stop_reason.startswith("aborted: interrupted")
    assert result.rounds == len(result.trace) == {
        "draft": 2, "verifier": 3, "critic": 1}[when]
    assert result.trace[-1].source in ("none", "verifier")


def test_a_budget_stop_in_the_review_keeps_the_round():
    result = agent(script("a"), max_calls=1, verifier=passes("a")).run(TASK)
    last, = result.trace
    assert (last.draft, last.source, last.accepted) == ("a", "none", False)
    assert last.verdict.ok and result.verified and not result.accepted


def test_a_secret_in_an_error_is_not_printed_or_kept(capsys):
    result = agent(script(*[OSError("401: sk-ant-" "api03-abcdefgh")] * 2),
                   verbose=True).run(TASK)
    assert "sk-ant" not in capsys.readouterr().out + result.stop_reason
    assert result.stop_reason == "aborted: 401: [removed]"


# --- hooks -----------------------------------------------------------------

def test_each_round_is_announced_as_it_ends():
    seen = []
    model = script("a", "Problem.", "b", STOP)
    result = agent(model, on_round=lambda r: seen.append(
        (r, len(model.calls)))).run(TASK)
    assert [r for r, _ in seen] == result.trace
    assert [n for _, n in seen] == [2, 4]


def test_a_failing_hook_does_not_fail_the_run(capsys):
    class Log:
        def begin(self, requirements, task_id):
            raise OSError("disk full")

        add = end = begin

    def on_round(round_):
        raise ValueError("view is gone")

    result = agent(script("a", STOP), log=Log(), on_round=on_round).run(TASK)
    assert result.accepted
    out = capsys.readouterr().out
    assert "log failed" in out and "on_round failed (ValueError" in out


def test_the_log_hears_everything_in_order():
    class Log:
        heard = []

        def begin(self, requirements, task_id):
            self.heard.append((requirements, task_id))
            return 7

        def add(self, run_id, round_):
            self.heard.append((run_id, round_))

        def end(self, run_id, result):
            self.heard.append((run_id, result))

    result = agent(script("a", STOP), log=Log()).run(TASK, task_id="t")
    assert Log.heard == [(TASK, "t"), (7, result.trace[0]), (7, result)]


# --- panels ----------------------------------------------------------------

def panel_model(**says):
    """Answers as writer, or by the token its system prompt ends with."""
    def policy(system, messages):
        for token, reply in says.items():
            if system.endswith(token):
                if isinstance(reply, Exception):
                    raise reply
                return reply
        return f"draft {len(messages)}"
    return PolicyModel(policy)


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("says,accepted,feedback", [
    ({"FINE": "FINE", "GOOD": "GOOD"}, True, ""),
    ({"FINE": "FINE", "GOOD": "Too long."}, False, "Too long."),
    ({"FINE": "FINE", "GOOD": OSError("down")}, False, "model unavailable"),
    ({"FINE": "", "GOOD": "Too long."}, False, "Too long."),
])
def test_a_panel_accepts_only_if_all_do(parallel, says, accepted, feedback):
    critics = [StopTokenCritic("FINE"), StopTokenCritic("GOOD")]
    with ThreadPoolExecutor(2) as pool:
        result = agent(panel_model(**says), critic=critics, max_rounds=1,
                       executor=pool if parallel else None).run(TASK)
    assert result.accepted is accepted
    assert feedback in result.trace[0].feedback


def test_each_member_of_a_panel_has_a_history_of_its_own():
    critics = [StopTokenCritic("FINE"), StopTokenCritic("GOOD")]
    model = panel_model(FINE="Too long.", GOOD="GOOD")
    agent(model, critic=critics, max_rounds=2).run(TASK)
    for token, said in (("FINE", "Too long."), ("GOOD", "GOOD")):
        last = [c for c in model.calls if c["system"].endswith(token)][-1]
        assert last["messages"][1]["content"] == said
        assert len(last["messages"]) == 3


# --- more than one run -----------------------------------------------------

def test_one_agent_runs_in_threads_without_sharing_a_run():
    def policy(system, messages):
        return STOP if system.endswith(STOP) else messages[0]["content"]

    shared = agent(PolicyModel(policy), max_calls=2)
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(shared.run, [f"Task {n}" for n in range(40)]))
    assert [r.output for r in results] == [f"Task {n}" for n in range(40)]
    assert all(r.accepted and r.calls == 2 for r in results)


def test_names_that_notebooks_import_stay_here():
    from reflectlab import agent as module
    for name in ("_complete", "_check", "_stalled", "_finish"):
        assert callable(getattr(module.ReflectionAgent, name))
    assert module.Writer is Writer and module._digest("x")


@pytest.mark.parametrize("reply", ["x", Reply(" x ")])
def test_a_draft_is_a_plain_string(reply):
    assert type(as_draft(reply, str.strip)) is str


def test_similar_drafts_stall_only_when_asked_to():
    drafts = [f"{'x' * 99}{n}" for n in range(3)]
    model = FaultyModel(script(*drafts), [])
    result = agent(model, critic=None, stall=Stall(similarity=0.95),
                   verifier=lambda d: Verdict(False, f"on {d[-1]}",
                                              fingerprint="same")).run(TASK)
    assert result.stop_reason == "stalled: near-duplicate draft"
    assert result.stop_detail["threshold"] == 0.95
