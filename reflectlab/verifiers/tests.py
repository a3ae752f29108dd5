"""Run a test suite against model-written Python, and believe nothing."""

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

_HOME = str(Path(__file__).with_name("sandbox"))
_FLAGS = ["-P", "-s", "-S", "-B", "-X", "utf8", "-W", "ignore", "-c"]
# The whole environment of the children; a fixed hash seed makes the order
# of sets, and with it every report, the same on each run.
_ENVIRONMENT = {"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": "/",
                "PYTHONHASHSEED": "0"}
if "SYSTEMROOT" in os.environ:  # Windows can't start Python without it
    _ENVIRONMENT["SYSTEMROOT"] = os.environ["SYSTEMROOT"]


def run_tests(code: str, tests: str, timeout: float = 10.0, *,
              mode: str = "referee", require: str | None = None) -> Verdict:
    """Judge ``code`` by ``tests``; whatever the code does is a verdict.

    Args:
        code: the draft, not trusted.
        tests: Python that uses the draft's functions and raises when one
            is wrong; trusted.
        timeout: seconds for loading the draft and running the tests.
        mode: "referee" keeps the tests out of the draft's process, and
            only plain values cross; "inside" runs them in it, for tests
            that need the draft's classes or pass it functions, and its
            pass is weaker.
        require: lowest isolation tier to accept ("seccomp", "limits" or
            "process"); with none to offer, the verdict is
            ``isolation_unavailable`` instead of a downgrade.

    Raises:
        ValueError: for an argument of the wrong kind; never for anything
            that ``code`` holds or does.
    """
    from reflectlab.verifiers.sandbox import tiers
    if mode not in ("referee", "inside"):
        raise ValueError(f"mode={mode!r}: use 'referee' or 'inside'")
    if not 0 < timeout < 1e6:
        raise ValueError(f"timeout={timeout!r}: use seconds above 0")
    start = time.monotonic()
    tier, refusal = tiers.choose(require)
    if tier is None:
        return Verdict(False, refusal, status="isolation_unavailable",
                       fingerprint="isolation_unavailable")
    return judge(code, tests, timeout, mode, tier, start)


def judge(code, tests, timeout, mode, tier, start=None) -> Verdict:
    """As ``run_tests``, on one given tier and without its self-test."""
    start = time.monotonic() if start is None else start
    problem = _unreadable(code, "draft") or _unreadable(tests, "tests")
    if problem:
        found = problem
    else:
        job = {"code": code, "tests": tests, "timeout": timeout,
               "mode": mode, "tier": tier, "token": secrets.token_hex(8)}
        try:
            found = _run(job)
        except OSError as exc:  # no process or descriptor to be had
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


def _unreadable(text, what):
    """A result for text that can't be source code, else None."""
    if not isinstance(text, str):
        reason = f"is not text but {type(text).__name__}"
    elif len(text) > MAX_SOURCE:
        reason = f"is longer than {MAX_SOURCE:,} characters"
    elif "\0" in text:
        reason = "holds a NUL character"
    elif any("\ud800" <= c <= "\udfff" for c in text):
        reason = "holds a lone surrogate, which no file can hold"
    else:
        return None
    if what == "tests":
        return _result("verifier_error", f"VERIFIER ERROR: the tests' text "
                       f"{reason}")
    return _result("bad_source", f"TESTS FAILED\nthe draft {reason}")


def _run(job):
    """Start both processes, wait for the referee's word, end both.

    Three pipes: job and the draft's replies go into the referee's
    standard input, its requests to the draft's, its result comes back
    through its standard error.
    """
    to_referee, from_draft = os.pipe()
    to_draft, from_referee = os.pipe()
    started = []
    try:
        referee = _start("referee", to_referee, from_referee,
                         subprocess.PIPE)
        started.append(referee)
        sealed = _start("sealed", to_draft, from_draft, subprocess.DEVNULL)
        started.append(sealed)
        timer = threading.Timer(job["timeout"] + GRACE, _end, [started])
        timer.daemon = True
        timer.start()
        try:
            wire.send(from_draft, job)
            for end in (to_referee, from_draft, to_draft, from_referee):
                os.close(end)
            to_referee = None
            found = wire.receive(referee.stderr.fileno())
            if found.pop("token") != job["token"]:
                raise wire.Broken("not the referee's word")
            return found
        except (wire.Broken, KeyError):
            if timer.is_alive():
                return _result("verifier_error", "VERIFIER ERROR: the tests "
                               "ended the referee")
            return _result("timeout", "TIMEOUT: tests did not finish in "
                           f"{job['timeout']}s\nstill running: the tests "
                           "themselves")
        finally:
            timer.cancel()
    finally:
        _end(started)
        if to_referee is not None:
            for end in (to_referee, from_draft, to_draft, from_referee):
                os.close(end)
        for process in started:
            process.wait()
            if process.stderr:
                process.stderr.close()


def _start(module, stdin, stdout, stderr):
    boot = (f"import sys; sys.path.insert(0, {_HOME!r}); "
            f"import {module}; del sys.path[0]; {module}.main()")
    return subprocess.Popen([sys.executable, *_FLAGS, boot], stdin=stdin,
                            stdout=stdout, stderr=stderr, cwd=os.sep,
                            env=_ENVIRONMENT, start_new_session=True)


def _end(processes):
    """Kill the processes and all that stayed in their groups."""
    for process in processes:
        if process.returncode is not None:
            continue
        try:
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        except OSError:
            pass
