"""Start the referee and the sealed process, and end them whatever happens."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import threading
import time

from reflectlab.verifiers.sandbox import python, server, wire
from reflectlab.verifiers.verdict import Verdict

MAX_SOURCE = 1_000_000  # characters
GRACE = 3.0             # seconds a referee gets beyond the timeout


def judge(code, tests, timeout, mode, tier, forking=None) -> Verdict:
    """As ``run_tests``, but on the given tier and without its self-test.

    Args:
        forking: use the fork server; by default wherever there can be one
            and the draft can't signal it.
    """
    if forking is None:
        forking = tier != "process" and hasattr(socket, "send_fds")
    start = time.monotonic()
    found = _unreadable(code, tests)
    if not found:
        job = {"code": code, "tests": tests, "timeout": timeout,
               "mode": mode, "tier": tier, "token": secrets.token_hex(8)}
        try:
            found = _run(job, forking)
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


def _run(job, forking):
    """Start both processes, wait for the referee's word, end both.

    The job, and then the draft's replies, go into the referee's standard
    input; its requests go to the draft's; its result comes back through
    its standard error.
    """
    to_referee, from_draft = os.pipe()
    to_draft, from_referee = os.pipe()
    results, from_judge = os.pipe()
    # The order in which the two processes take them, ours at the end.
    ends = [to_referee, from_referee, from_judge, to_draft, from_draft,
            results]
    started = []
    expired = threading.Event()

    def end():
        expired.set()
        _kill(started)

    timer = threading.Timer(job["timeout"] + GRACE, end)
    timer.daemon = True
    try:
        started += _start(job["tier"], ends[:5], forking)
        timer.start()
        while len(ends) > 2:
            os.close(ends.pop(0))
        wire.send(from_draft, job)
        os.close(ends.pop(0))
        found = wire.receive(results)
        if found.pop("token") == job["token"]:
            return found
    except (wire.Broken, BrokenPipeError):
        pass
    finally:
        timer.cancel()
        if timer.ident:  # it was started
            timer.join()
        _kill(started)
        for descriptor in ends:
            os.close(descriptor)
        for process in started:
            process.wait()
    if expired.is_set():
        return _result("timeout", "TIMEOUT: tests did not finish in "
                       f"{job['timeout']}s\nstill running: the tests "
                       "themselves")
    return _result("verifier_error", "VERIFIER ERROR: the referee ended "
                   "without a verdict")


def _start(tier, ends, forking):
    """The referee and the sealed process, forked or started."""
    if forking:
        try:
            return server.start(tier, ends)
        except server.Desync:  # slower, but it works
            pass
    started = [python.start("referee", *ends[:3])]
    try:
        started.append(python.start("sealed", *ends[3:], subprocess.DEVNULL))
    except OSError:
        _kill(started)
        started[0].wait()
        raise
    return started


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
