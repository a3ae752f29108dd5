import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflectlab import (
    STOP,
    Budget,
    FaultyModel,
    PolicyModel,
    RecordedModel,
    ReflectionAgent,
    Reply,
    ScriptedModel,
    Stall,
    StopTokenCritic,
    Usage,
)
from reflectlab.messages import assistant, user
from reflectlab.models.base import CallFailed
from reflectlab.models.recorded import RecordingMiss

ASK = {"system": "s", "messages": [user("hello")]}


def record(path, *replies, mode="auto"):
    return RecordedModel(path, ScriptedModel(replies, strict=True), mode)


# --- what a recording keeps ------------------------------------------------

def test_a_reply_keeps_all_it_carries(tmp_path):
    told = Reply("text", usage=Usage(10, 3, 2, 1), stop_reason="max_tokens",
                 model="some-model")
    live = record(tmp_path / "r", told).complete(**ASK)
    replayed = RecordedModel(tmp_path / "r").complete(**ASK)
    for reply in (live, replayed):
        assert reply == "text"
        assert reply.usage == told.usage
        assert reply.stop_reason == "max_tokens"
        assert reply.model == "some-model"
    assert live.span is None and replayed.span[0] <= replayed.span[1]


@given(text=st.text(st.characters()))     # lone surrogates included
def test_any_text_survives(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("r") / "r"
    call = {"system": text, "messages": [user(text)]}
    assert record(path, text).complete(**call) == text
    assert RecordedModel(path).complete(**call) == text


def test_equal_calls_are_told_apart_by_their_number(tmp_path):
    recording = record(tmp_path / "r", "one", "two")
    assert [recording.complete(**ASK) for _ in range(2)] == ["one", "two"]
    again = RecordedModel(tmp_path / "r")
    assert [again.complete(**ASK) for _ in range(2)] == ["one", "two"]


def test_a_reply_is_on_the_disk_before_it_is_used(tmp_path, monkeypatch):
    forced = []
    monkeypatch.setattr(os, "fsync", lambda fd: forced.append(
        os.pread(fd, 10_000, 0)))
    record(tmp_path / "r", "precious").complete(**ASK)
    assert len(forced) == 1 and b"precious" in forced[0]


@pytest.mark.parametrize("where", ["reply", "prompt", "error"])
@pytest.mark.parametrize(
    "secret", ["sk-ant-" "api03-abcdefgh", "s3cret-token"])
def test_no_credential_reaches_the_file(tmp_path, monkeypatch, where, secret):
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "s3cret-token")
    call = {"system": "s", "messages": [
        user(f"the key is {secret}" if where == "prompt" else "hello")]}
    answer = (RuntimeError(f"401 for {secret}") if where == "error"
              else f"echo {secret}" if where == "reply" else "fine")
    recording = record(tmp_path / "r", answer)
    try:
        live = recording.complete(**call)
    except RuntimeError:
        live = None
    assert secret.encode() not in (tmp_path / "r").read_bytes()
    if live is not None:        # found again, and it says the same
        assert RecordedModel(tmp_path / "r").complete(**call) == live


def test_an_odd_secret_does_not_reach_the_file_escaped(tmp_path, monkeypatch):
    secret = 'pa"ss\\w\u00f6rd12'
    monkeypatch.setenv("ANTHROPIC_API_KEY", secret)
    record(tmp_path / "r", f"echo {secret}").complete(**ASK)
    assert json.dumps(secret)[1:-1] not in (tmp_path / "r").read_text()
    monkeypatch.setenv("ANTHROPIC_API_KEY", "stop_reason")  # and no field
    record(tmp_path / "q", "fine").complete(**ASK)
    assert RecordedModel(tmp_path / "q").complete(**ASK) == "fine"


@pytest.mark.parametrize("odd", [None, b"x", 5])
def test_what_is_no_text_is_recorded_as_a_failure(tmp_path, odd):
    for make in (lambda: record(tmp_path / "r", odd),
                 lambda: RecordedModel(tmp_path / "r")):
        with pytest.raises(Exception, match=type(odd).__name__):
            make().complete(**ASK)


@pytest.mark.parametrize("carried", [{"usage": {"input_tokens": 3}},
                                     {"stop_reason": object()}])
def test_odd_things_about_a_reply_do_not_lose_it(tmp_path, carried):
    record(tmp_path / "r", Reply("paid", **carried)).complete(**ASK)
    replayed = RecordedModel(tmp_path / "r").complete(**ASK)
    assert (replayed, replayed.usage, replayed.stop_reason) == (
        "paid", None, None)


def test_what_the_loop_sees_does_not_depend_on_who_answers(tmp_path):
    plain = agent(flaky()).run("Write.").to_dict()
    first = agent(RecordedModel(tmp_path / "r", flaky(), "record")).run(
        "Write.").to_dict()
    replay = agent(RecordedModel(tmp_path / "r")).run("Write.").to_dict()
    for run in (plain, first, replay):
        run.pop("seconds")
        for entry in run["trace"]:
            entry.pop("seconds")
    assert plain == first == replay
    assert plain["retries"] == 1


def flaky():
    return FaultyModel(writer(), [None, ConnectionError("upstream 529")])


# --- replay ----------------------------------------------------------------

def test_a_miss_names_the_first_difference(tmp_path):
    record(tmp_path / "r", "a", "b").complete(
        system="s", messages=[user("one"), assistant("x"), user("two 222")])
    with pytest.raises(RecordingMiss, match=(
            "message 3 .user., character 4: asked '333', recorded '222'")):
        RecordedModel(tmp_path / "r").complete(system="s", messages=[
            user("one"), assistant("x"), user("two 333")])


@pytest.mark.parametrize("call,named", [
    ({"system": "S", "messages": [user("hello")]}, "the system prompt"),
    ({"system": "s", "messages": [user("hello"), assistant("x")]},
     "message 2 .assistant., character 0: asked 'x', recorded ''"),
    (ASK, "holds this call 1 time"),
])
def test_every_kind_of_miss_says_what_it_is(tmp_path, call, named):
    record(tmp_path / "r", "a").complete(**ASK)
    replay = RecordedModel(tmp_path / "r")
    replay.complete(**ASK)
    with pytest.raises(RecordingMiss, match=named):
        replay.complete(**call)


def test_a_miss_is_not_retried(tmp_path, capsys):
    record(tmp_path / "r", "a").complete(**ASK)
    result = agent(RecordedModel(tmp_path / "r"), verbose=True).run("Other.")
    assert result.calls == 1
    assert "giving up" in capsys.readouterr().out
    assert "r does not" in result.stop_reason or "r holds" in \
        result.stop_reason


def test_replay_needs_no_model_and_pays_nothing(tmp_path):
    paid = writer()
    RecordedModel(tmp_path / "r", paid, "record").complete(**ASK)
    before = (tmp_path / "r").read_bytes()
    RecordedModel(tmp_path / "r", paid).complete(**ASK)
    assert len(paid.calls) == 1
    assert (tmp_path / "r").read_bytes() == before


def test_the_recorded_model_id_gives_the_replay_its_price(tmp_path):
    told = Reply("x", usage=Usage(1_000_000, 0), model="claude-sonnet-5-5")
    record(tmp_path / "r", told, told, told).complete(**ASK)
    replay = RecordedModel(tmp_path / "r")
    assert replay.model == "claude-sonnet-5-5"
    ReflectionAgent(replay, budget=Budget(dollars=1.0))     # not refused


# --- arguments and files of another kind -----------------------------------

@pytest.mark.parametrize("content", [
    b"not json at all\n", b'{"some": "json"}\n', b"[1, 2]\n", b"17\n",
    b'{"key": "k", "reply": "but no more"}\n', b"\xff\xfe\x00binary\n",
    b"SQLite format 3\x00"])
@pytest.mark.parametrize("mode", ["replay", "auto", "record"])
def test_another_kind_of_file_is_refused_untouched(tmp_path, content, mode):
    path = tmp_path / "precious.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="line 1 of precious.txt"):
        RecordedModel(path, writer(), mode)
    assert path.read_bytes() == content


def test_record_begins_a_file_and_never_goes_on_with_one(tmp_path):
    record(tmp_path / "r", "a").complete(**ASK)
    with pytest.raises(FileExistsError, match="auto"):
        RecordedModel(tmp_path / "r", writer(), "record")


@pytest.mark.parametrize("arguments,named", [
    ({"mode": "rewind", "model": object()}, "rewind"),
    ({"mode": "auto"}, "no model"), ({"mode": "record"}, "no model")])
def test_nonsense_is_refused(tmp_path, arguments, named):
    with pytest.raises(ValueError, match=named):
        RecordedModel(tmp_path / "r", **arguments)


def test_nothing_to_replay(tmp_path):
    with pytest.raises(FileNotFoundError):
        RecordedModel(tmp_path / "r")


def test_an_unwritable_place_is_refused_before_anything_is_paid(tmp_path):
    with pytest.raises(OSError):
        RecordedModel(tmp_path / "no" / "folder" / "r", writer(), "auto")


# --- torn lines ------------------------------------------------------------

def test_a_line_torn_anywhere_costs_that_line_alone(tmp_path):
    path = tmp_path / "r"
    full = record(path, "one", "two", "three")
    for _ in range(3):
        full.complete(**ASK)
    data = path.read_bytes()
    start = data.index(b"\n", data.index(b"\n") + 1) + 1    # of line 3
    for cut in range(start, len(data) - 1, 7):
        path.write_bytes(data[:cut])
        resumed = record(path, "three again")
        got = [resumed.complete(**ASK) for _ in range(3)]
        assert got == ["one", "two", "three again"]
        assert [RecordedModel(path).complete(**ASK)] == ["one"]
        healed = RecordedModel(path)
        assert [healed.complete(**ASK) for _ in range(3)] == got


# --- resuming --------------------------------------------------------------

def writer():
    """Drafts by the number of its own messages; stops in round 4."""
    def policy(system, messages):
        n = sum(m["role"] == "assistant" for m in messages)
        text = f"draft {n}"
        if system.endswith(STOP):
            text = STOP if n == 3 else f"Problem {n}."
        return Reply(text, usage=Usage(10, 1), model="unlisted")
    return PolicyModel(policy)


def agent(model, **settings):
    return ReflectionAgent(model, **{"verbose": False} | settings)


class Outage(BaseException):
    """Ends a run the way a kill does: nothing catches it."""


def test_a_resumed_run_pays_only_for_the_rest(tmp_path):
    reference = agent(writer()).run("Write.")
    paid = 0
    for fatal in range(reference.calls):
        path = tmp_path / f"r{fatal}"
        inner = FaultyModel(writer(), [None] * fatal + [Outage()])
        with pytest.raises(Outage):
            agent(RecordedModel(path, inner, "auto")).run("Write.")
        second = writer()
        recording = RecordedModel(path, second, "auto")
        result = agent(recording).run("Write.")
        assert (result.output, result.stop_reason, result.calls) == (
            reference.output, reference.stop_reason, reference.calls)
        assert recording.counts == {
            k: v for k, v in {"replayed": fatal,
                              "paid": reference.calls - fatal}.items() if v}
        paid += len(second.calls)
    assert paid == sum(range(1, reference.calls + 1))


@pytest.mark.parametrize("budget", [
    Budget(calls=5), Budget(chars=3_000), Budget(tokens=25),
    Budget(rounds=2)])
def test_a_resumed_run_gets_no_second_budget(tmp_path, budget):
    limited = agent(writer(), budget=budget).run("Write.")
    assert not limited.accepted
    for fatal in range(limited.calls):
        path = tmp_path / f"r{fatal}"
        with pytest.raises(Outage):
            agent(RecordedModel(path, FaultyModel(
                writer(), [None] * fatal + [Outage()]), "auto"),
                budget=budget).run("Write.")
        rest = writer()
        result = agent(RecordedModel(path, rest, "auto"),
                       budget=budget).run("Write.")
        assert result.stop_reason == limited.stop_reason
        assert result.calls == limited.calls
        assert len(rest.calls) == limited.calls - fatal


def test_recorded_failures_count_in_the_resumed_run(tmp_path):
    faults = [ConnectionError("down"), None, ConnectionError("down"), None,
              Outage()]
    with pytest.raises(Outage):
        agent(RecordedModel(tmp_path / "r", FaultyModel(writer(), faults),
                            "auto")).run("Write.")
    result = agent(RecordedModel(tmp_path / "r", writer(), "auto"),
                   budget=Budget(calls=5)).run("Write.")
    assert (result.calls, result.retries) == (5, 2)
    assert result.stop_reason == "aborted: call budget of 5 exhausted"


def test_after_an_outage_the_same_command_goes_on(tmp_path):
    down = [ConnectionError("529")] * 2
    ended = agent(RecordedModel(tmp_path / "r", FaultyModel(
        writer(), [None, *down]), "auto")).run("Write.")
    assert ended.stop_reason == "aborted: 529"
    result = agent(RecordedModel(tmp_path / "r", writer(), "auto")).run(
        "Write.")
    assert result.accepted
    replay = agent(RecordedModel(tmp_path / "r")).run("Write.")
    assert replay.accepted and replay.calls == result.calls


def test_a_recorded_outage_replays_as_an_outage(tmp_path, capsys):
    agent(RecordedModel(tmp_path / "r", FaultyModel(
        writer(), [ConnectionError("529")] * 2), "record"),
        verbose=True).run("Write.")
    first = capsys.readouterr().out
    result = agent(RecordedModel(tmp_path / "r"), verbose=True).run("Write.")
    assert capsys.readouterr().out == first
    assert "ConnectionError: 529" in first
    assert result.stop_reason == "aborted: 529"


def test_the_seconds_of_a_resumed_run_are_not_refilled(tmp_path):
    path = tmp_path / "r"
    agent(RecordedModel(path, writer(), "record")).run("Write.")
    slow = [json.loads(line) for line in path.read_text().splitlines()]
    for n, line in enumerate(slow):         # as if each had taken a minute
        line["span"] = [100.0 * n, 100.0 * n + 60]
    path.write_text("".join(json.dumps(line) + "\n" for line in slow))
    result = agent(RecordedModel(path), budget=Budget(seconds=150)).run(
        "Write.")
    assert result.stop_reason == "aborted: time budget of 150 s exhausted"
    assert result.calls == 3 and 180 <= result.seconds < 240


def test_calls_made_in_parallel_are_counted_once_on_replay(tmp_path):
    path = tmp_path / "r"
    panel = [StopTokenCritic("FINE"), StopTokenCritic("GOOD")]
    model = PolicyModel(lambda system, messages: (
        system[-4:] if system[-4:] in ("FINE", "GOOD") else "draft"))
    agent(RecordedModel(path, model, "record"), critic=panel).run("Write.")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        line["span"] = ([0.0, 10.0] if line["reply"] == "draft"
                        else [10.0, 70.0])
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with ThreadPoolExecutor(2) as pool:
        result = agent(RecordedModel(path), critic=panel, executor=pool,
                       budget=Budget(seconds=100)).run("Write.")
    assert result.accepted and 70 <= result.seconds < 80


# --- threads and processes -------------------------------------------------

def test_a_panel_of_threads_shares_one_recording(tmp_path):
    critics = [StopTokenCritic(f"OK{i}") for i in range(8)]
    together = threading.Barrier(8)

    def policy(system, messages):
        if not system.endswith(tuple(f"OK{i}" for i in range(8))):
            return f"draft {len(messages)}"
        together.wait(5)        # all eight really are in flight at once
        return (system.splitlines()[-1] if len(messages) > 3
                else f"Problem of {system[-3:]} in {len(messages)}")

    with ThreadPoolExecutor(8) as pool:
        settings = {"critic": critics, "executor": pool, "budget": Budget(
            rounds=4, calls=None)}
        result = agent(RecordedModel(tmp_path / "r", PolicyModel(policy),
                                     "auto"), **settings).run("Write.")
        replayed = agent(RecordedModel(tmp_path / "r"), **settings).run(
            "Write.")
    assert result.accepted and result.calls == 3 * 9
    assert [r.feedback for r in replayed.trace] == [
        r.feedback for r in result.trace]
    assert len((tmp_path / "r").read_text().splitlines()) == 27


def test_equal_calls_in_threads_each_get_their_own_reply(tmp_path):
    numbers = iter(range(100))
    model = PolicyModel(lambda system, messages: str(next(numbers)))
    with ThreadPoolExecutor(8) as pool:
        recording = RecordedModel(tmp_path / "r", model, "auto")
        first = list(pool.map(lambda _: recording.complete(**ASK),
                              range(100)))
        replay = RecordedModel(tmp_path / "r")
        again = list(pool.map(lambda _: replay.complete(**ASK), range(100)))
    assert len(set(first)) == 100 and set(first) == set(again)


APPEND = """
    import sys
    from reflectlab import PolicyModel, RecordedModel
    model = RecordedModel(sys.argv[1], PolicyModel(
        lambda system, messages: system + "x" * 20_000), "auto")
    for n in range(40):
        model.complete(system=f"{sys.argv[2]} {n}", messages=[
            {"role": "user", "content": "y" * 5_000}])
"""


def python(code, *arguments, **settings):
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(code),
                             *map(str, arguments)], **settings,
                            cwd=Path(__file__).parents[2])


def test_two_processes_append_to_one_recording(tmp_path):
    both = [python(APPEND, tmp_path / "r", name) for name in "ab"]
    assert [p.wait(60) for p in both] == [0, 0]
    replay = RecordedModel(tmp_path / "r")
    for name in "ab":
        for n in range(40):
            reply = replay.complete(system=f"{name} {n}", messages=[
                user("y" * 5_000)])
            assert reply.startswith(f"{name} {n}x")


# --- killed ----------------------------------------------------------------

RUN = """
    import random, sys, time
    from reflectlab import (STOP, Budget, PolicyModel, RecordedModel,
                            ReflectionAgent, Stall)
    recording, ledger, pace = sys.argv[1], sys.argv[2], float(sys.argv[3])

    def policy(system, messages):
        with open(ledger, "a") as paid:     # what the provider would bill
            paid.write("x")
        time.sleep(pace)
        n = sum(m["role"] == "assistant" for m in messages)
        if system.endswith(STOP):
            return STOP if n == 14 else f"Problem {n}: " + "p" * 3_000
        return f"draft {n} " + "d" * 9_000

    result = ReflectionAgent(
        RecordedModel(recording, PolicyModel(policy), "auto"),
        budget=Budget(rounds=20, calls=None, chars=None), verbose=False,
    ).run("Write.")
    print(result.output[:8], result.stop_reason, result.calls, result.chars)
"""


@pytest.mark.parametrize("point", [
    pytest.param(n, marks=() if n < 5 else pytest.mark.slow)
    for n in range(50)])
def test_a_killed_run_loses_nothing_and_pays_once(tmp_path, point):
    recording, ledger = tmp_path / "r", tmp_path / "ledger"
    ledger.touch()
    fatal = 1 + (point * 7) % 29            # of 30 calls
    run = python(RUN, recording, ledger, 0.004, stdout=subprocess.PIPE)
    while len(ledger.read_bytes()) < fatal and run.poll() is None:
        time.sleep(0.0005)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    billed = len(ledger.read_bytes())
    kept = recording.read_bytes().count(b'"reply"')
    assert kept >= billed - 1               # at most the one in flight
    before = recording.read_bytes()
    again = python(RUN, recording, ledger, 0, stdout=subprocess.PIPE,
                   text=True)
    output, _ = again.communicate(timeout=60)
    whole = python(RUN, tmp_path / "other", tmp_path / "free", 0,
                   stdout=subprocess.PIPE, text=True)
    assert output == whole.communicate(timeout=60)[0]
    assert output.startswith("draft 14 accepted 30")
    assert len(ledger.read_bytes()) <= 30 + 1
    assert recording.read_bytes().startswith(before)    # appended only


class Limited(PolicyModel):
    """Cuts its critique off unless it may say more than 8 tokens."""

    def __init__(self, max_tokens=8):
        self.max_tokens = max_tokens
        super().__init__(lambda system, messages: (
            "draft" if not system.endswith(STOP) else STOP
            if self.max_tokens > 8
            else Reply("half a crit", stop_reason="max_tokens")))

    def with_limits(self, *, max_tokens=None, timeout=None):
        return Limited(max_tokens or self.max_tokens)


def test_limits_reach_the_model_and_the_recording_is_shared(tmp_path):
    for make in (Limited, lambda: RecordedModel(tmp_path / "r", Limited(),
                                                "auto"),
                 lambda: RecordedModel(tmp_path / "r")):
        result = agent(make(), budget=Budget(seconds=60)).run("Write.")
        assert result.accepted and result.reasks == 1


def test_a_failure_keeps_all_it_carries(tmp_path):
    failed = CallFailed("bad credentials", final=True, usage=Usage(5, 0))
    for make in (lambda: ScriptedModel([failed]),
                 lambda: record(tmp_path / "r", failed, mode="record"),
                 lambda: RecordedModel(tmp_path / "r")):
        result = agent(make()).run("Write.")
        assert result.calls == 1 and result.usage == Usage(5, 0)
    lines = (tmp_path / "r").read_text()
    line = json.loads(lines) | {"span": [10.0, 99.0]}
    (tmp_path / "r").write_text(json.dumps(line) + "\n")
    assert agent(RecordedModel(tmp_path / "r")).run("Write.").seconds >= 89


def test_stalls_replay_as_stalls(tmp_path):
    model = ScriptedModel(["same", "no", "same", "still no"], strict=True)
    first = agent(RecordedModel(tmp_path / "r", model, "record"),
                  stall=Stall()).run("Write.")
    assert first.stop_reason == "stalled: draft repeated"
    assert agent(RecordedModel(tmp_path / "r")).run(
        "Write.").stop_reason == first.stop_reason
