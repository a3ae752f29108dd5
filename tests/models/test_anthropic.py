"""The Claude adapter, through the real SDK, against a server on loopback."""

import json
import subprocess
import sys
import threading
import traceback
import warnings

import pytest
from models.messages_server import (
    MessagesServer,
    cut,
    drip,
    error,
    message,
    raw,
    slow,
)

from reflectlab import (
    AnthropicModel,
    Budget,
    RecordedModel,
    ReflectionAgent,
    Usage,
    counted_verifier,
)
from reflectlab.messages import user
from reflectlab.models.anthropic import DEFAULT_MODEL, NO_CREDENTIALS
from reflectlab.models.base import CallFailed

KEY = "sk-ant-" "api03-" + "Secret_-1" * 9
ODD_KEY = "a-key-of-another-kind-42"
SETTINGS = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_PROFILE",
    "ANTHROPIC_CONFIG_DIR",
    "REFLECTLAB_MODEL",
)
VERIFIER = counted_verifier(max_words=3)


@pytest.fixture(autouse=True)
def no_settings(monkeypatch, tmp_path):
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))  # no profile of the SDK


def build(server, **settings):
    settings = {"api_key": KEY, "retry_delay": 0, **settings}
    return AnthropicModel(base_url=server.url, **settings)


def run(*answers, budget=None, **settings):
    """A run of the agent; returns the result and the server."""
    with MessagesServer(*answers) as server:
        agent = ReflectionAgent(
            build(server, **settings),
            critic=None,
            verifier=VERIFIER,
            budget=budget or Budget(seconds=20),
            verbose=False,
        )
        return agent.run("At most three words."), server


def ask(*answers, **settings):
    """One call; returns the reply and the server."""
    with MessagesServer(*answers) as server:
        reply = build(server, **settings).complete(
            system="Be brief.", messages=[user("Hello")]
        )
        return reply, server


# --- a call that goes well -------------------------------------------------


def test_a_reply_says_what_it_cost_and_why_it_ended():
    used = {
        "input_tokens": 3,
        "output_tokens": 7,
        "cache_read_input_tokens": 100,
        "cache_creation_input_tokens": 20,
    }
    reply, _ = ask(message("ok", model="claude-x", usage=used))
    assert reply == "ok"
    assert reply.usage == Usage(123, 7, cache_read=100, cache_write=20)
    assert (reply.stop_reason, reply.model) == ("end_turn", "claude-x")


def test_the_request_caches_the_system_prompt():
    _, server = ask(message())
    (request,) = server.requests
    assert request["path"].startswith("/v1/messages")
    assert request["body"] == {
        "model": DEFAULT_MODEL,
        "max_tokens": 2048,
        "messages": [user("Hello")],
        "system": [
            {
                "type": "text",
                "text": "Be brief.",
                "cache_control": {"type": "ephemeral"},
            }
        ],
    }


def test_only_text_blocks_are_the_reply():
    content = [
        {"type": "thinking", "thinking": "hm", "signature": ""},
        {"type": "text", "text": "one "},
        {"type": "tool_use", "id": "t", "name": "f", "input": {}},
        {"type": "text", "text": "two"},
    ]
    reply, _ = ask(message(content=content, stop="tool_use"))
    assert (reply, reply.stop_reason) == ("one two", "tool_use")


def test_tokens_are_counted_by_the_server():
    with MessagesServer(raw('{"input_tokens": 41}')) as server:
        model = build(server)
        count = model.count_tokens(system="s", messages=[user("u")])
    assert count == 41
    assert "count_tokens" in server.requests[0]["path"]


def test_limits_make_another_model_and_leave_the_first():
    with MessagesServer(message()) as server:
        model = build(server, max_tokens=100, timeout=9)
        other = model.with_limits(max_tokens=200, timeout=60)
        other.complete(system="s", messages=[user("u")])
    assert (model.max_tokens, other.max_tokens) == (100, 200)
    assert other.timeout == 9  # a limit never gets looser
    assert server.requests[0]["body"]["max_tokens"] == 200


@pytest.mark.parametrize("limit", [0, 21_334])
def test_max_tokens_out_of_range(limit):
    with pytest.raises(ValueError, match="from 1 to 21333"):
        AnthropicModel(max_tokens=limit)


def test_the_id_comes_from_the_argument_then_the_environment(monkeypatch):
    monkeypatch.setenv("REFLECTLAB_MODEL", "from-environment")
    assert AnthropicModel(api_key=KEY).model == "from-environment"
    assert AnthropicModel("given", api_key=KEY).model == "given"


def test_a_whole_run_books_tokens_and_dollars():
    result, server = run(message("this is one too many"), message("just so"))
    assert result.accepted and result.calls == len(server.requests) == 2
    assert result.usage == Usage(20, 10)
    assert result.dollars == pytest.approx((20 * 2 + 10 * 10) / 1e6)


# --- every fault ends the run as it should, after exactly so many requests --

FAULTS = {
    "overloaded": (error(529, "Overloaded"), "HTTP 529: Overloaded", 2),
    "server error": (error(500, "oops"), "HTTP 500: oops", 2),
    "unauthorized": (error(401, "bad key"), "HTTP 401: bad key", 1),
    "bad request": (error(400, "too long"), "HTTP 400: too long", 1),
    "rate limit": (error(429, "slow down"), "HTTP 429: slow down", 2),
    "cut in mid-body": (cut, "Connection error.", 2),
    "malformed": (raw('{"id": "msg_1", '), "", 2),
    "not an object": (raw("[]"), "", 2),
    "other type": (raw("<p>hello", kind="text/html"), "not a Messages API", 2),
    "empty": (message(content=[]), "model returned no text", 2),
    "blank": (message("  \n"), "model returned no text", 2),
    "refusal": (message("I", stop="refusal"), "model returned no text", 2),
    "tool use": (
        message(
            content=[{"type": "tool_use", "id": "t", "name": "f", "input": {}}]
        ),
        "model returned no text",
        2,
    ),
    "truncated": (message("a", stop="max_tokens"), "reply truncated", 2),
    "context full": (
        message("a", stop="model_context_window_exceeded"),
        "reply truncated",
        2,
    ),
    "a proxy's page": (
        raw("<h1>Bad gateway</h1>", status=502, kind="text/html"),
        "HTTP 502: ",
        2,
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_that_stays(name):
    answer, reason, attempts = FAULTS[name]
    result, server = run(answer)
    assert result.stop_reason.startswith("aborted: ")
    assert reason in result.stop_reason
    assert result.calls == len(server.requests) == attempts
    assert result.needs_human and not result.verified


@pytest.mark.parametrize(
    "name", [n for n, (_, _, attempts) in FAULTS.items() if attempts == 2]
)
def test_a_fault_that_passes(name):
    result, server = run(FAULTS[name][0], message("fine"))
    assert (result.stop_reason, result.output) == ("accepted", "fine")
    assert result.calls == len(server.requests) == 2
    assert result.retries == 1


def test_a_wait_of_an_hour_ends_with_the_deadline():
    answer = error(429, "later", retry_after="3600")
    result, server = run(answer, budget=Budget(seconds=0.3))
    assert result.stop_reason == "aborted: time budget of 0.3 s exhausted"
    assert result.calls == len(server.requests) == 1


@pytest.mark.parametrize("fault", [slow, drip])
def test_no_answer_ends_with_the_deadline(fault):
    result, server = run(fault, budget=Budget(seconds=0.5))
    assert result.stop_reason == "aborted: time budget of 0.5 s exhausted"
    assert result.calls == len(server.requests) == 1


def test_no_answer_within_the_models_own_timeout():
    result, server = run(slow, timeout=0.2, budget=Budget())
    assert result.stop_reason == "aborted: no answer within 0.2 s"
    assert result.calls == len(server.requests) == 2


def test_the_deadline_keeps_the_draft_it_has():
    result, _ = run(
        message("this is one too many"), slow, budget=Budget(seconds=1)
    )
    assert result.stop_reason == "aborted: time budget of 1 s exhausted"
    assert result.output == "this is one too many"
    assert result.usage.unknown_calls == 1


def test_a_huge_reply_ends_at_the_context_budget():
    result, server = run(message("word " * 600_000))
    assert result.stop_reason == (
        "aborted: context budget of 200000 chars exhausted"
    )
    assert result.calls == len(server.requests) == 1
    assert len(result.output) == 2_999_999


def test_nobody_listens():
    with MessagesServer() as server:
        pass
    model = build(server)
    with pytest.raises(CallFailed, match="Connection error"):
        model.complete(system="s", messages=[user("u")])


def test_the_sdk_does_not_retry_by_itself():
    with pytest.raises(CallFailed) as caught:
        ask(error(529, "Overloaded"))
    assert not caught.value.final
    with MessagesServer(error(503), message()) as server:
        with pytest.raises(CallFailed):
            build(server).complete(system="s", messages=[user("u")])
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "header, seconds", [("3600", 3600), ("-1", 0), ("soon", None)]
)
def test_how_long_the_server_asks_to_wait(header, seconds):
    with pytest.raises(CallFailed) as caught:
        ask(error(429, retry_after=header))
    assert caught.value.retry_after == seconds


def test_interruption_passes_through(monkeypatch):
    with MessagesServer(message()) as server:
        model = build(server)

        def interrupted(**_):
            raise KeyboardInterrupt

        monkeypatch.setattr(model._sdk.messages, "create", interrupted)
        with pytest.raises(KeyboardInterrupt):
            model.complete(system="s", messages=[user("u")])


# --- the key is nowhere ----------------------------------------------------


def everything_in(exc):
    """All texts of an exception and of those that hang on it."""
    seen = []
    while exc is not None:
        seen += [str(exc), repr(exc), repr(vars(exc)), repr(exc.args)]
        seen += traceback.format_exception(exc)
        exc = exc.__cause__ or exc.__context__
    return "\n".join(seen)


@pytest.mark.parametrize("key", [KEY, ODD_KEY])
@pytest.mark.parametrize("how", ["argument", "key", "token"])
def test_the_key_is_in_no_trace_recording_exception_or_repr(
    key, how, monkeypatch, tmp_path, capsys
):
    settings = {"api_key": key if how == "argument" else None}
    name = {"key": "ANTHROPIC_API_KEY", "token": "ANTHROPIC_AUTH_TOKEN"}
    if how in name:
        monkeypatch.setenv(name[how], key)
    answers = [error(401, f"{key} is not a valid key"), cut, slow]
    for answer in answers:
        with MessagesServer(answer) as server:
            model = build(server, timeout=0.3, **settings)
            recorded = RecordedModel(
                tmp_path / f"{answer.__name__}.jsonl", model, "auto"
            )
            result = ReflectionAgent(
                recorded, critic=None, verifier=VERIFIER
            ).run("Three words.")
            with pytest.raises(CallFailed) as caught:
                model.complete(system="s", messages=[user("u")])
        sent = json.dumps(server.requests[0]["headers"])
        assert key in sent
        assert result.stop_reason.startswith("aborted: ")
        texts = [
            everything_in(caught.value),
            json.dumps(result.to_dict()),
            repr(model),
            str(recorded),
            capsys.readouterr().out,
            *(p.read_text() for p in tmp_path.iterdir()),
        ]
        assert not [text for text in texts if key in text]


# --- credentials, deprecated ids, other servers ----------------------------


def test_missing_credentials_are_one_sentence_and_no_request():
    model = AnthropicModel()
    assert not model.ready
    result = ReflectionAgent(
        model, critic=None, verifier=VERIFIER, verbose=False
    ).run("Three words.")
    assert result.stop_reason == f"aborted: {NO_CREDENTIALS}"
    assert result.calls == 1


def test_a_server_of_your_own_needs_no_key(monkeypatch):
    with MessagesServer(message()) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        model = AnthropicModel("mine")
        assert model.ready
        assert model.complete(system="s", messages=[user("u")]) == "fine"


def test_a_token_is_enough(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "token-token")
    _, server = ask(message(), api_key=None)
    assert "Bearer token-token" in server.requests[0]["headers"].values()


@pytest.mark.parametrize(
    "old, new",
    [
        ("claude-opus-4-5", "claude-opus-5-5"),
        ("claude-sonnet-4-5-20250929", "claude-sonnet-5-5"),
        ("claude-mythos-preview", DEFAULT_MODEL),
    ],
)
def test_a_deprecated_id_is_warned_about_once(old, new):
    with MessagesServer(message()) as server:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = build(server, model=old)
            for _ in range(2):
                model.complete(system="s", messages=[user("u")])
    (warning,) = caught
    assert warning.category is FutureWarning
    assert old in str(warning.message) and new in str(warning.message)


def test_the_default_id_is_not_deprecated():
    from anthropic.resources.messages.messages import DEPRECATED_MODELS

    assert DEFAULT_MODEL not in DEPRECATED_MODELS


def test_a_compatible_server_with_deviations():
    """As llama.cpp answers: fewer fields, other ids, cached tokens apart."""
    bare = {
        "id": "x",
        "type": "message",
        "role": "assistant",
        "model": "smollm2",
        "content": [{"type": "text", "text": "so it is"}],
        "stop_reason": "end_turn",
        "usage": {
            "input_tokens": 4,
            "cache_read_input_tokens": 30,
            "output_tokens": 6,
        },
    }
    result, server = run(
        raw(json.dumps(bare)), extra_body={"temperature": 0.8}
    )
    assert (result.output, result.dollars) == ("so it is", None)
    assert result.usage == Usage(34, 6, cache_read=30)
    assert server.requests[0]["body"]["temperature"] == 0.8


def test_a_reply_without_usage_is_of_unknown_cost():
    reply, _ = ask(message(usage=None))
    assert (reply, reply.usage) == ("fine", None)


def test_an_error_of_another_shape():
    body = {"error": {"code": 400, "type": "exceed_context_size_error"}}
    with pytest.raises(CallFailed, match="^HTTP 400: .") as caught:
        ask(raw(json.dumps(body), status=400))
    assert caught.value.final and "None" not in str(caught.value)


def test_calls_in_parallel_share_the_connection():
    with MessagesServer(message()) as server:
        model = build(server)
        replies = []

        def work():
            for _ in range(5):
                replies.append(
                    model.complete(system="s", messages=[user("u")])
                )

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
    assert replies == ["fine"] * 20 and len(server.requests) == 20


def test_the_module_loads_no_sdk():
    code = (
        "import sys, reflectlab.models.anthropic, reflectlab.course.live;"
        "sys.exit('anthropic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
