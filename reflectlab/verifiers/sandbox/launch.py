"""Start the referee and the sealed process, and end them whatever happens."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from reflectlab.verifiers.sandbox import wire
from reflectlab.verifiers.verdict import Verdict

MAX_SOURCE = 1_000_000  # characters
GRACE = 3.0             # seconds a referee gets beyond the timeout

_HERE = str(Path(__file__).parent)
_FLAGS = ["-P", "-s", "-S", "-B", "-X", "utf8", "-W", "ignore", "-c"]
# The whole environment of the children. -I would ignore the hash seed; a
# fixed one makes the order of sets, and so every report, repeatable.
_ENVIRONMENT = {"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": "/",
                "PYTHONHASHSEED": "0"}
if "SYSTEMROOT" in os.environ:  # Windows can't start Python without it
    _ENVIRONMENT["SYSTEMROOT"] = os.environ["SYSTEMROOT"]


def judge(code, tests, timeout, mode, tier) -> Verdict:
    """As ``run_tests``, but on the given tier and without its self-test."""
    start = time.monotonic()
    found = _unreadable(code, tests)
    if not found:
        job = {"code": code, "tests": tests, "timeout": timeout,
               "mode": mode, "tier": tier, "token": secrets.token_hex(8)}
        try:
            found = _run(job)
        except (OSError, RuntimeError) as exc:  # no process, no thread
            found = _result("verifier_error",
                            f"VERIFIER ERROR: {type(exc).__name__}")
    return Verdict(found["status"] == "passed", found["report"],
                   status=found["status"], checks=found["checks"],
                   seconds=time.monotonic() - start, isolation=tier,
                   fingerprint=found["fingerprint"],
                   hung_call=found["hung_call"])


def _result(status, report):
    return {"status": status, "report": report, "checks": 0,
            "fingerprint": status, "hung_call": ""}


def _unreadable(code, tests):
    """A result when one of the texts can't be source code, else None."""
    for text, status, start in (
            (tests, "verifier_error", "VERIFIER ERROR: the tests' text"),
            (code, "bad_source", "TESTS FAILED\nthe draft")):
        if not isinstance(text, str):
            reason = f"is not text but {type(text).__name__}"
        elif len(text) > MAX_SOURCE:
            reason = f"is longer than {MAX_SOURCE:,} characters"
        elif "\0" in text:
            reason = "holds a NUL character"
        elif any("\ud800" <= c <= "\udfff" for c in text):
            reason = "holds a lone surrogate, which no file can hold"
        else:
            continue
        return _result(status, f"{start} {reason}")
    return None


def _run(job):
    """Start both processes, wait for the referee's word, end both.

    Two pipes and a third: the job, then the draft's replies, go into the
    referee's standard input; its requests go to the draft's; its result
    comes back through its standard error.
    """
    to_referee, from_draft = os.pipe()
    to_draft, from_referee = os.pipe()
    open_ends = [to_referee, to_draft, from_referee, from_draft]
    started = []
    expired = threading.Event()

    def end():
        expired.set()
        _kill(started)

    timer = threading.Timer(job["timeout"] + GRACE, end)
    timer.daemon = True
    try:
        started.append(_start("referee", to_referee, from_referee,
                              subprocess.PIPE))
        started.append(_start("sealed", to_draft, from_draft,
                              subprocess.DEVNULL))
        timer.start()
        while open_ends[1:]:
            os.close(open_ends.pop(0))
        wire.send(from_draft, job)
        os.close(open_ends.pop())
        found = wire.receive(started[0].stderr.fileno())
        if found.pop("token") == job["token"]:
            return found
    except (wire.Broken, BrokenPipeError):
        pass
    finally:
        timer.cancel()
        if timer.ident:  # started
            timer.join()
        _kill(started)
        for descriptor in open_ends:
            os.close(descriptor)
        for process in started:
            process.wait()
            if process.stderr:
                process.stderr.close()
    if expired.is_set():
        return _result("timeout", "TIMEOUT: tests did not finish in "
                       f"{job['timeout']}s\nstill running: the tests "
                       "themselves")
    return _result("verifier_error", "VERIFIER ERROR: the referee ended "
                   "without a verdict")


def _start(module, stdin, stdout, stderr):
    boot = (f"import sys; sys.path.insert(0, {_HERE!r}); "
            f"import {module}; del sys.path[0]; {module}.main()")
    return subprocess.Popen([sys.executable, *_FLAGS, boot], stdin=stdin,
                            stdout=stdout, stderr=stderr, cwd=os.sep,
                            env=_ENVIRONMENT, start_new_session=True)


def _kill(processes):
    """Kill the processes and all that stayed in their groups.

    Called before they are waited for, so their numbers are still theirs.
    """
    for process in processes:
        try:
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        except OSError:
            pass
