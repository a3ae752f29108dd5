import pytest

from reflectlab import (
    STOP,
    PolicyModel,
    ScriptedModel,
    Verdict,
    is_stop,
    reflect_v1,
    reflect_v2,
    reflect_v3,
    reflect_verified,
)
from reflectlab.messages import problems

TASK = "Write about the unicorn."


def numbered():
    return PolicyModel(lambda system, messages: (
        f"text {len(messages)} {'critic' if TASK in system else 'writer'}"))


@pytest.mark.parametrize("rounds", [0, -1, 1.5])
@pytest.mark.parametrize("loop", [
    lambda model, n: reflect_v1(model, TASK, rounds=n),
    lambda model, n: reflect_v2(model, TASK, rounds=n),
    lambda model, n: reflect_v3(model, TASK, max_rounds=n),
    lambda model, n: reflect_verified(model, TASK, None, max_rounds=n)])
def test_less_than_one_round_is_refused_without_a_call(loop, rounds):
    model = numbered()
    with pytest.raises(ValueError, match="rounds"):
        loop(model, rounds)
    assert model.calls == []


def test_v1_is_one_voice_in_one_history():
    model = numbered()
    draft, messages = reflect_v1(model, TASK, rounds=3)
    assert len(model.calls) == 6
    assert len({call["system"] for call in model.calls}) == 1
    assert draft == "text 9 writer"
    # the critic finds its own earlier words in the assistant's mouth
    assert model.calls[3]["messages"][3]["content"] == "text 3 writer"
    assert model.calls[3]["messages"][3]["role"] == "assistant"


def test_v2_histories_mirror_each_other():
    model = numbered()
    reflect_v2(model, TASK, rounds=4)
    writer, critic = model.calls[-2]["messages"], model.calls[-1]["messages"]
    assert [m["content"] for m in critic[:-1]] == [
        m["content"] for m in writer[1:]]
    for mine, theirs in zip(writer[1:], critic, strict=False):
        assert {mine["role"], theirs["role"]} == {"user", "assistant"}
    for call in model.calls:
        assert problems(call["messages"]) == []
    assert all(TASK in call["system"] for call in model.calls[1::2])
    assert all(call["messages"][0]["content"] == TASK
               for call in model.calls[::2])


@pytest.mark.parametrize("script", [
    ["", "x"], ["one", " \n", "x"], ["one", "no", "", "x"],
    ["one", "no", "two", ""]])
def test_a_blank_reply_ends_v2_and_v3_and_enters_no_history(script, capsys):
    kept = [text for text in script[::2] if text.strip() and text != "x"]
    for loop in (reflect_v2, reflect_v3):
        model = ScriptedModel(script)
        assert loop(model, TASK) == (kept[-1] if kept else "")
        for call in model.calls:
            assert problems(call["messages"]) == []
        assert len(model.calls) == 1 + next(
            n for n, text in enumerate(script) if not text.strip())
    assert "empty reply" in capsys.readouterr().out


def test_v3_stops_at_the_bare_token_alone(capsys):
    assert reflect_v3(ScriptedModel(["a", f"\n{STOP} \n"]), TASK) == "a"
    assert "1 round(s), critic satisfied" in capsys.readouterr().out
    reflect_v3(ScriptedModel(["a", f"not yet {STOP}"] * 2), TASK,
               max_rounds=2)
    assert "2 round(s), budget exhausted" in capsys.readouterr().out


@pytest.mark.parametrize("text", [
    f"{STOP}.", f"I will say {STOP}", STOP.lower(), f"{STOP} {STOP}", ""])
def test_what_only_mentions_the_token_does_not_stop(text):
    assert not is_stop(text)


def test_the_verified_loop_feeds_reports_and_stops_at_a_pass(capsys):
    reports = iter([Verdict(False, "first\nmore"), Verdict(False, ""),
                    Verdict(True, "fine")])
    model = ScriptedModel(["```\na\n```", "b", "c"], strict=True)
    draft, ok, rounds = reflect_verified(model, TASK, lambda d: next(reports))
    assert (draft, ok, rounds) == ("c", True, 3)
    for call in model.calls:
        assert problems(call["messages"]) == []
    assert model.calls[1]["messages"][1:] == [
        {"role": "assistant", "content": "a"},
        {"role": "user", "content": "first\nmore"}]
    assert capsys.readouterr().out.startswith("[1] verifier: first\n")


def test_a_pass_without_signal_is_none_to_the_verified_loop():
    hollow = Verdict(True, "no checks ran", status="no_checks")
    assert reflect_verified(ScriptedModel(["a", "b"]), TASK,
                            lambda d: hollow, max_rounds=2) == ("b", False, 2)


def test_the_verified_loop_ends_unverified():
    fails = Verdict(False, "no")
    assert reflect_verified(ScriptedModel(["a", "b"]), TASK,
                            lambda d: fails, max_rounds=2) == ("b", False, 2)
    assert reflect_verified(ScriptedModel(["a", "```\n```"]), TASK,
                            lambda d: fails) == ("a", False, 2)
