"""The fork server: restarted when lost, gone with the program, no leaks."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from reflectlab.verifiers.sandbox import launch, python, server, tiers

ROOT = Path(__file__).resolve().parents[2]
DRAFT, TESTS = "def f(): return 1", "print(f() == 1)"
TIER = tiers.choose()[0]

pytestmark = pytest.mark.skipif(TIER == "process" or sys.platform != "linux",
                                reason="no sealed tier, or no /proc")


def judge(draft=DRAFT, tests=TESTS, timeout=10.0):
    return launch.judge(draft, tests, timeout, "referee", TIER)


def children(pid):
    listed = [(task / "children").read_text().split()
              for task in Path(f"/proc/{pid}/task").iterdir()]
    return [int(child) for child in sum(listed, [])]


def gone(pid):
    """True once the process is no more, or only waits to be reaped."""
    for _ in range(200):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1]
        except OSError:
            return True
        if state.split()[0] == "Z":
            return True
        time.sleep(0.05)
    return False


def test_forked_and_started_give_the_same_verdict():
    for draft in (DRAFT, "def f(): return {}['x']", "def f(", "import socket",
                  "import os\ndef f(): os._exit(0)", "import numpy"):
        forked = judge(draft)
        started = launch.judge(draft, TESTS, 10.0, "referee", TIER, False)
        assert (forked.report, forked.status) == (started.report,
                                                  started.status)


def test_a_verdict_starts_no_python_of_its_own(monkeypatch):
    judge()
    monkeypatch.setattr(python, "start", None)
    assert judge().ok


def test_a_lost_server_is_replaced():
    judge()
    first = server._servers[TIER].process
    first.kill()
    assert judge().ok
    assert server._servers[TIER].process.pid != first.pid
    assert first.poll() is not None


def test_a_server_out_of_step_is_replaced(monkeypatch):
    judge()
    first = server._servers[TIER]
    monkeypatch.setattr(server, "PATIENCE", 0.2)
    os.kill(first.process.pid, 19)  # it stops and answers no more
    first.socket.settimeout(0.2)
    monkeypatch.undo()
    assert judge().ok
    assert first.process.poll() is not None


def test_without_a_server_it_still_works(monkeypatch):
    def refuse(*args):
        raise server.Desync

    monkeypatch.setattr(server, "start", refuse)
    assert judge().ok


def test_threads_and_lost_servers_together():
    def one(n):
        if n % 16 == 8:
            server._servers[TIER].process.kill()
        verdict = judge(f"def f(): return {n}", "print(f())")
        # A verdict that loses its server may be without signal, not wrong.
        return verdict.report == str(n) or not verdict.signal

    judge()
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(one, range(48)))
    assert judge().ok


def test_no_descriptor_and_no_process_is_left():
    judge()
    before = sorted(os.listdir("/proc/self/fd"))
    for draft in (DRAFT, "import os\nos._exit(0)", "while True: pass"):
        judge(draft, timeout=0.3)
    assert sorted(os.listdir("/proc/self/fd")) == before
    assert children(server._servers[TIER].process.pid) == []


def test_the_draft_holds_no_descriptor_but_its_own():
    draft = textwrap.dedent("""
        import os
        def f():
            found = []
            for fd in range(300):
                try:
                    os.lseek(fd, 0, os.SEEK_CUR)
                    found.append(fd)  # the null device
                except OSError as exc:
                    if exc.errno != 9:
                        found.append(fd)
            return found
        """)
    assert judge(draft, "print(f())").report == "[0, 1, 2, 3, 4, 5]"


@pytest.mark.parametrize("answer", [1, 2])
def test_after_an_interrupt_the_next_verdict_is_its_own(answer, monkeypatch):
    """The answer to an interrupted request is never read as another's."""
    judge()
    first = server._servers[TIER].process
    real, answers = server.ForkServer._answer, []

    def interrupted(self):
        answers.append(1)
        if len(answers) == answer:
            raise KeyboardInterrupt
        return real(self)

    monkeypatch.setattr(server.ForkServer, "_answer", interrupted)
    with pytest.raises(KeyboardInterrupt):
        judge()
    assert first.poll() is not None
    for _ in range(3):
        assert judge().ok
        assert judge("def f(): return 2", "assert f() == 1").status == (
            "failed")


@pytest.mark.parametrize("module", ["referee", "sealed"])
def test_a_child_without_a_job_ends_by_itself(module):
    """Its channel may never end: the other child holds it open."""
    here = Path(python.__file__).parent
    code = (f"import sys; sys.path.insert(0, {str(here)!r})\n"
            f"import process, {module}\nprocess.FUSE = 0.3\n"
            f"{module}.main()")
    with subprocess.Popen([sys.executable, "-c", code],
                          stdin=subprocess.PIPE) as child:
        try:
            assert child.wait(timeout=10) == -signal.SIGALRM
        finally:
            child.kill()


PROGRAM = """
import sys, time
from reflectlab.verifiers.sandbox import launch
launch.judge("def f(): return 1", "f()", 10.0, "referee", sys.argv[1])
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("end", ["returns", "killed"])
def test_the_server_ends_with_the_program(end):
    with subprocess.Popen(
            [sys.executable, "-W", "error", "-c", PROGRAM, TIER], cwd=ROOT,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE) as program:
        assert program.stdout.readline() == b"ready\n"
        server_pid, = children(program.pid)
        if end == "killed":
            program.kill()
        _, errors = program.communicate(timeout=20)
        assert errors == b""
        assert gone(server_pid)


def test_a_forked_program_starts_a_server_of_its_own():
    judge()
    ours = server._servers[TIER].process.pid
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            ok = judge().ok and server._servers[TIER].process.pid != ours
            server.end_all()
            os.write(write, b"y" if ok else b"n")
        finally:
            os._exit(0)
    os.close(write)
    assert os.read(read, 1) == b"y"
    os.close(read)
    os.waitpid(child, 0)
    assert judge().ok and server._servers[TIER].process.pid == ours
