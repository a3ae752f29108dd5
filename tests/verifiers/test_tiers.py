"""A tier is offered when its self-test passes, and never otherwise."""

import os
import platform
import sys
import time
from pathlib import Path

import pytest

from reflectlab.verifiers.sandbox import launch, tiers
from reflectlab.verifiers.tests import run_tests

DRAFT, TESTS = "def f(): return 1", "assert f() == 1"


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_the_tiers_that_ought_to_work_here_do():
    assert tiers.self_test("limits") == "" == tiers.self_test("process")
    kernel = "Seccomp:" in Path("/proc/self/status").read_text()
    if kernel and platform.machine() == "x86_64":
        assert tiers.self_test("seccomp") == ""


@pytest.fixture
def only_limits(monkeypatch):
    """A machine where the strictest tier fails its self-test."""
    monkeypatch.delenv(tiers.VARIABLE, raising=False)
    monkeypatch.setattr(tiers, "_tested", {"seccomp": "no kernel for it",
                                           "limits": "", "process": ""})


def test_the_strictest_that_works_is_taken(only_limits):
    assert tiers.choose() == ("limits", "")
    assert tiers.choose("process") == ("limits", "")


def test_require_refuses_instead_of_downgrading(only_limits):
    verdict = run_tests(DRAFT, TESTS, require="seccomp")
    assert verdict.status == "isolation_unavailable"
    assert not verdict.ok and not verdict.signal
    assert "'seccomp'" in verdict.report and "doctor" in verdict.report


@pytest.mark.parametrize("tier", tiers.TIERS)
def test_the_variable_forces_a_tier(tier, monkeypatch):
    if tiers.self_test(tier):
        pytest.skip(tiers.self_test(tier))
    monkeypatch.setenv(tiers.VARIABLE, tier)
    verdict = run_tests(DRAFT, TESTS)
    assert verdict.ok and verdict.isolation == tier
    if tier == "process":
        assert not run_tests(DRAFT, TESTS, require="limits").signal


def test_a_forced_tier_that_does_not_exist_is_named(monkeypatch):
    monkeypatch.setenv(tiers.VARIABLE, "bwrap")
    verdict = run_tests(DRAFT, TESTS)
    assert verdict.status == "isolation_unavailable"
    assert "'bwrap'" in verdict.report


@pytest.mark.parametrize("tier", ["seccomp", "limits"])
def test_a_leaking_tier_fails_its_self_test(tier, monkeypatch):
    """The probes run on a tier that seals nothing."""
    real = launch.judge

    def unsealed(code, tests, timeout, mode, _):
        return real(code, tests, timeout, mode, "process")

    monkeypatch.setattr(launch, "judge", unsealed)
    reached, problem = tiers.probe(tier)
    assert {"write", "fifo", "fork", "kill", "priority"} <= reached
    assert problem.startswith("a draft reached: ")


def test_a_tier_that_passes_everything_fails_its_self_test(monkeypatch):
    passed = launch.judge("def f(): return 1", "print('reached:', end='')\n"
                          "f()", 10.0, "referee", "process")
    monkeypatch.setattr(launch, "judge", lambda *a: passed)
    assert tiers.probe("seccomp")[1] == "a wrong draft did not fail"


@pytest.mark.parametrize("place, error", [
    (launch.os, OSError("no more descriptors")),
    (launch.python, BlockingIOError("no more processes")),
    (launch.threading, RuntimeError("can't start new thread"))])
def test_a_machine_without_means_gives_no_signal(place, error, monkeypatch):
    def refuse(*args, **kwargs):
        raise error

    name = {launch.os: "pipe", launch.python: "start",
            launch.threading: "Timer"}[place]
    monkeypatch.setattr(place, name, refuse)
    verdict = launch.judge(DRAFT, TESTS, 5.0, "referee", "process")
    assert verdict.status == "verifier_error" and not verdict.signal


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
def test_a_fork_during_a_self_test_does_not_wait_for_it(monkeypatch):
    monkeypatch.setattr(tiers, "_tested", {"process": "tried"})
    with tiers._lock:
        child = os.fork()
        if child == 0:
            os._exit(tiers.self_test("process") != "tried")
    for _ in range(100):
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            break
        time.sleep(0.05)
    else:
        os.kill(child, 9)
        os.waitpid(child, 0)
    assert found and status == 0
