import pytest

from reflectlab import (
    Critique,
    Decision,
    FaultyModel,
    Issue,
    PolicyModel,
    Reply,
    ScriptedModel,
    ScriptExhausted,
    Usage,
)
from reflectlab.messages import user
from reflectlab.models.base import redact


def ask(model, text="hello"):
    return model.complete(system="s", messages=[user(text)])


def test_a_script_is_copied_and_its_exceptions_are_raised():
    script = ["a", OSError("down"), "b"]
    model = ScriptedModel(script)
    assert ask(model) == "a"
    with pytest.raises(OSError, match="down"):
        ask(model)
    assert ask(model) == "b"
    assert len(script) == 3


def test_an_exhausted_script_says_so_or_raises():
    assert ask(ScriptedModel([])) == "(script exhausted)"
    with pytest.raises(ScriptExhausted, match="call 1"):
        ask(ScriptedModel([], strict=True))


@pytest.mark.parametrize("model", [
    ScriptedModel(["a", "b"]), PolicyModel(lambda system, messages: "a"),
    FaultyModel(ScriptedModel(["a", "b"]), ["x"])])
def test_calls_are_copies_of_what_was_asked(model):
    messages = [user("one")]
    model.complete(system="s", messages=messages)
    messages[0]["content"] = "changed"
    messages.append(user("two"))
    assert model.calls == [{"system": "s", "messages": [user("one")]}]


def test_a_policy_sees_the_call():
    model = PolicyModel(lambda system, messages: system + messages[-1][
        "content"])
    assert ask(model, "!") == "s!"


def test_faults_come_first_and_then_the_model():
    inner = ScriptedModel(["a", "b"])
    model = FaultyModel(inner, [None, OSError("x"), "instead"])
    assert ask(model) == "a"
    with pytest.raises(OSError):
        ask(model)
    assert [ask(model), ask(model)] == ["instead", "b"]
    assert (len(model.calls), len(inner.calls)) == (4, 2)
    inner.model = "some-id"
    assert FaultyModel(inner, []).model == "some-id"
    assert model.model is None      # an id or nothing, never a model


def test_a_reply_is_a_string_that_knows_more():
    reply = Reply("text", usage=Usage(1, 2), stop_reason="end_turn",
                  model="m")
    assert reply == "text" and isinstance(reply, str)
    assert (reply.usage.tokens, reply.stop_reason, reply.model) == (
        3, "end_turn", "m")
    assert Reply("text").usage is None
    assert type(reply.strip()) is str


def test_credentials_are_redacted_and_plain_words_are_not(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "topsecret-1")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "a")
    assert redact("key topsecret-1, sk-ant-" "api03-Ab_c-123456!") == (
        "key [removed], [removed]!")
    assert redact("a risk-ant and sk-ant-" "x") == "a risk-ant and sk-ant-" "x"
    key = "sk-ant-" "api03-abcdefgh"
    assert redact({key: [key, (key, 3)]}) == {
        key: ["[removed]", ("[removed]", 3)]}
    critique = Critique(Decision.OBJECT, key, (Issue("a", "b", key, "c"),))
    assert redact(critique) == Critique(
        Decision.OBJECT, "[removed]", (Issue("a", "b", "[removed]", "c"),))
    assert redact(critique).decision is Decision.OBJECT
