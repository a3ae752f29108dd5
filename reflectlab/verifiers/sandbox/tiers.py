"""Which isolation this machine offers, found out by trying it."""

from __future__ import annotations

import os
import threading

from reflectlab.verifiers.sandbox import launch

TIERS = ("seccomp", "limits", "process")  # the strictest first
VARIABLE = "REFLECTLAB_ISOLATION"

# What a draft must not reach; each attempt returns when it succeeded.
PROBES = ("environment", "proc", "socket", "write", "fifo", "fork", "kill",
          "priority")
_PROBE = f"PROBES = {PROBES}" + '''
import os

def double(n):
    return 2 * n

def environment():
    if len(os.environ) <= 6:
        raise PermissionError

def proc():
    os.listdir("/proc/self/fd")

def socket():
    import _socket
    _socket.socket().close()

def write():
    os.mkdir(f"/tmp/reflectlab-probe-{os.getpid()}")
    os.rmdir(f"/tmp/reflectlab-probe-{os.getpid()}")

def fifo():
    os.mkfifo(f"/tmp/reflectlab-fifo-{os.getpid()}")
    os.unlink(f"/tmp/reflectlab-fifo-{os.getpid()}")

def fork():
    if os.fork() == 0:
        os._exit(0)

def kill():
    os.kill(os.getppid(), 0)

def priority():
    os.setpriority(os.PRIO_PROCESS, os.getpid(), 1)

def reached():
    found = []
    for name in PROBES:
        try:
            globals()[name]()
            found.append(name)
        except Exception:
            pass
    return found
'''
_TESTS = "assert double(4) == 8\nprint('reached:', *reached())"
_WRONG = "def double(n): return n\ndef reached(): return []"

_lock = threading.Lock()
_tested: dict[str, str] = {}


def _unlock():
    """In a forked child: the thread that held the lock is not here."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlock)


def probe(tier: str) -> tuple[set[str], str]:
    """What a draft reaches on ``tier``, and what is wrong with the tier."""
    good = launch.judge(_PROBE, _TESTS, 10.0, "referee", tier)
    if not good.ok:
        return set(), good.report.splitlines()[-1]
    reached = set(good.report.removeprefix("reached:").split())
    wrong = launch.judge(_WRONG, _TESTS, 10.0, "referee", tier)
    if wrong.status != "failed":
        return reached, "a wrong draft did not fail"
    if reached and tier != "process":
        return reached, f"a draft reached: {', '.join(sorted(reached))}"
    return reached, ""


def self_test(tier: str) -> str:
    """Empty when the tier works here, else the reason; tried once."""
    with _lock:
        if tier not in _tested:
            _tested[tier] = probe(tier)[1]
        return _tested[tier]


def choose(require: str | None = None) -> tuple[str | None, str]:
    """The strictest tier that works, or None and the report that says why.

    Raises:
        ValueError: ``require`` names no tier.
    """
    if require is not None and require not in TIERS:
        raise ValueError(f"require={require!r}: use one of {TIERS}")
    forced = os.environ.get(VARIABLE, "")
    if forced and forced not in TIERS:
        return None, (f"ISOLATION UNAVAILABLE: {VARIABLE}={forced!r} names "
                      f"no tier; use one of {', '.join(TIERS)}")
    allowed = TIERS[:TIERS.index(require) + 1] if require else TIERS
    for tier in TIERS:
        if tier in allowed and forced in ("", tier):
            if not self_test(tier):
                return tier, ""
    asked = f" of at least {require!r}" if require else ""
    return None, (f"ISOLATION UNAVAILABLE: no working tier{asked}; "
                  "python -m reflectlab doctor says why")
