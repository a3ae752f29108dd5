import json
import multiprocessing
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import pytest

from reflectlab import (
    STOP,
    Budget,
    Critique,
    Decision,
    Issue,
    PolicyModel,
    ReflectionAgent,
    Reply,
    Result,
    Round,
    RunLog,
    ScriptedModel,
    Usage,
    Verdict,
)


def agent(model, **settings):
    return ReflectionAgent(model, **{"verbose": False} | settings)


class Priced(ScriptedModel):
    model = "claude-sonnet-5-5"

    def complete(self, **call):
        return Reply(super().complete(**call), usage=Usage(100, 10))


@pytest.fixture
def log(tmp_path):
    return RunLog(tmp_path / "log.db")


def test_a_run_comes_back_as_it_was(log):
    result = agent(Priced(["one", "Problem: short.", "two", STOP]), log=log,
                   budget=Budget(dollars=1)).run("Write.", task_id="note/1")
    assert log.result(1) == result
    assert log.trace(1) == result.trace
    run, = log.query("SELECT * FROM runs")
    assert run["dollars"] == pytest.approx(4 * (100 * 2 + 10 * 10) / 1e6)
    assert (run["task_id"], run["stop_reason"], run["accepted"],
            run["input_tokens"], run["output_tokens"], run["calls"]) == (
        "note/1", "accepted", 1, 400, 40, 4)


def test_the_attempts_table_holds_what_one_asks_of_it(log):
    agent(ScriptedModel(["one", "Problem: short.", "two", STOP]), log=log,
          verifier=lambda draft: Verdict(draft != "zero", "fine")).run(
        "Write.", task_id="note/1")
    agent(ScriptedModel(["one"]), critic=None, log=log, max_rounds=1,
          verifier=lambda draft: Verdict(False, "no")).run("Write.")
    rows = log.query("SELECT task_id, attempt, passed, critique_text, source"
                     " FROM attempts ORDER BY run_id, attempt")
    assert [tuple(row.values()) for row in rows] == [
        ("note/1", 1, 0, "Problem: short.", "critic"),
        ("note/1", 2, 1, STOP, "critic"),
        (None, 1, 0, "no", "verifier")]


def test_unknown_tokens_and_dollars_are_null_not_zero(log):
    agent(ScriptedModel(["one", STOP]), log=log).run("Write.")
    run, = log.query("SELECT input_tokens, output_tokens, dollars FROM runs")
    assert set(run.values()) == {None}
    attempt, = log.query("SELECT input_tokens FROM attempts")
    assert attempt["input_tokens"] is None


def test_a_killed_run_keeps_its_attempts(log):
    class Kill(BaseException):
        pass

    def policy(system, messages):
        if len(messages) > 3:
            raise Kill
        return f"text {len(messages)}"

    with pytest.raises(Kill):
        agent(PolicyModel(policy), log=log).run("Write.")
    assert [r.draft for r in log.trace(1)] == ["text 1", "text 3"]
    assert log.result(1) is None
    assert log.query("SELECT stop_reason FROM runs") == [
        {"stop_reason": None}]


def test_texts_that_utf8_cannot_hold_are_logged(log):
    result = agent(ScriptedModel(["\ud800 draft", "Problem: \udfff."]),
                   log=log, max_rounds=1).run("Write \ud800.")
    assert result.stop_reason == "budget: rounds exhausted"
    assert log.trace(1) == result.trace     # JSON escapes hold them


def test_no_credential_reaches_the_log(log, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "s3cret-token")
    said = "sk-ant-" "api03-abcdefgh s3cret-token"
    agent(ScriptedModel([f"draft {said}", f"Problem: {said}",
                         RuntimeError(said), RuntimeError(said)]),
          log=log).run(f"Write {said}.")
    assert log.result(1).stop_reason == "aborted: [removed] [removed]"
    data = log.path.read_bytes()
    assert b"sk-ant" not in data and b"s3cret" not in data
    assert b"[removed]" in data


def test_a_log_that_fails_does_not_fail_the_run(log, capsys):
    log.path.unlink()
    log.path.write_bytes(b"overwritten by somebody else")
    result = agent(ScriptedModel(["one", STOP]), log=log).run("Write.")
    assert result.accepted
    assert "the run goes on" in capsys.readouterr().out
    assert log.path.read_bytes() == b"overwritten by somebody else"


# --- the file --------------------------------------------------------------

def other_database(path):
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE bookmarks (url TEXT)")


def newer_version(path):
    RunLog(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")


def damaged_page(path):
    log = RunLog(path)
    for n in range(20):
        log.begin(f"requirements {n} " * 500)
    data = bytearray(path.read_bytes())
    data[5000:40_000] = b"\xee" * 35_000
    path.write_bytes(data)


def cut_short(path):
    damaged_page(path)
    path.write_bytes(path.read_bytes()[:4096 * 2 + 100])


@pytest.mark.parametrize("make,named", [
    (lambda path: path.write_text("dear diary\n" * 100), "no run log"),
    (lambda path: path.write_bytes(b"\0" * 5000), "no run log"),
    (other_database, "not a run log"), (newer_version, "version 99"),
    (damaged_page, "damaged"), (cut_short, "damaged")])
def test_another_or_a_damaged_file_is_refused_untouched(tmp_path, make,
                                                        named):
    path = tmp_path / "file.db"
    make(path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=named) as caught:
        RunLog(path)
    assert "file.db" in str(caught.value)
    assert "name another file" in str(caught.value)
    assert path.read_bytes() == before


def test_a_missing_folder_is_named_as_such(tmp_path):
    with pytest.raises(OSError, match="folder"):
        RunLog(tmp_path / "no" / "log.db")


def test_opening_again_adds_to_the_log(log):
    log.begin("one")
    again = RunLog(log.path)
    assert again.begin("two") == 2
    assert len(log.query("SELECT * FROM runs")) == 2
    mode, = log.query("PRAGMA journal_mode")
    assert mode == {"journal_mode": "wal"}


def test_query_only_reads(log):
    with pytest.raises(sqlite3.OperationalError):
        log.query("DELETE FROM runs")


# --- several writers -------------------------------------------------------

def write_runs(path, name, start=None):
    if start is not None:
        start.wait(20)
    for n in range(8):
        log = RunLog(path)
        agent(ScriptedModel([f"draft of {name}", "Problem: no.",
                             f"better of {name}", STOP]), log=log).run(
            f"Write {n}.", task_id=f"{name}/{n}")
    return name


def test_several_processes_write_one_log(tmp_path):
    spawn = multiprocessing.get_context("spawn")
    start = spawn.Barrier(3)        # so that all three make the file at once
    path = tmp_path / "log.db"
    writers = [spawn.Process(target=write_runs, args=(path, name, start))
               for name in "abc"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert [w.exitcode for w in writers] == [0, 0, 0]
    check_all(RunLog(path), "abc")


def test_several_threads_write_one_log(tmp_path):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda name: write_runs(tmp_path / "log.db", name),
                      "abcd"))
    check_all(RunLog(tmp_path / "log.db"), "abcd")


def check_all(log, names):
    runs = log.query("SELECT * FROM runs")
    assert len(runs) == 8 * len(names)
    for run in runs:
        name = run["task_id"].split("/")[0]
        assert [r.draft for r in log.trace(run["run_id"])] == [
            f"draft of {name}", f"better of {name}"]
        assert log.result(run["run_id"]).output == f"better of {name}"


# --- which kinds of task fail ----------------------------------------------

def ended(log, task_id, accepted, rounds=1):
    run_id = log.begin("Write.", task_id)
    log.end(run_id, Result("x", False, "accepted" if accepted
                           else "budget: rounds exhausted", rounds))


def test_the_kinds_that_consistently_fail(log):
    for n in range(4):
        ended(log, f"parser/{n}", accepted=n == 0, rounds=2 + n % 2)
        ended(log, f"note/{n}", accepted=True)
        ended(log, "slogan", accepted=False)
        log.begin("Write.", "killed")
        log.begin("Write.", "parser/killed")
        ended(log, None, accepted=False)
    ended(log, "rare", accepted=False)
    assert log.failing() == [
        {"kind": "slogan", "runs": 4, "accepted": 0, "rounds": 1.0},
        {"kind": "parser", "runs": 4, "accepted": 1, "rounds": 2.5}]
    assert [row["kind"] for row in log.failing(min_runs=1, at_most=0)] == [
        "rare", "slogan"]
    assert len(log.failing(at_most=1)) == 3


def test_a_round_is_stored_whole(log):
    critique = Critique(Decision.OBJECT, "Fix.", (
        Issue("tone", "low", "too loud", "lower it"),), "why", 4.0, "raw")
    stored = Round(1, "d", "f", "critic", False, 0.5, replace(
        critique, parts=(critique,)), Verdict(True, "ok", checks=3),
        Usage(1, 2, 3, 4, 5))
    log.add(log.begin("Write."), stored)
    assert log.trace(1) == [stored]
    raw, = log.query("SELECT round FROM attempts")
    assert json.loads(raw["round"])["critique"]["parts"][0]["score"] == 4.0
