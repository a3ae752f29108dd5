"""Run a test suite against model-written Python, and believe nothing."""

from __future__ import annotations

from reflectlab.verifiers.sandbox import launch, tiers
from reflectlab.verifiers.verdict import Verdict


def run_tests(code: str, tests: str, timeout: float = 10.0, *,
              mode: str = "referee", require: str | None = None) -> Verdict:
    """Judge ``code`` by ``tests``; whatever the code does is a verdict.

    Out of the draft's process, a container is the same object in every
    call, and what one side changes in it the other sees at the next call.
    The tests don't see what the draft prints, the cause of an exception,
    attributes of functions and classes, or how far it reads an iterator:
    that is read to its end beforehand, at most 10,000 items.

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
            "process"); when this machine offers less, the verdict is
            ``isolation_unavailable`` instead of a downgrade.

    Raises:
        ValueError: for an argument of the wrong kind; never for anything
            that ``code`` holds or does.
    """
    if mode not in ("referee", "inside"):
        raise ValueError(f"mode={mode!r}: use 'referee' or 'inside'")
    if not 0 < timeout < 1e6:
        raise ValueError(f"timeout={timeout!r}: use seconds above 0")
    tier, refusal = tiers.choose(require)
    if tier is None:
        return Verdict(False, refusal, status="isolation_unavailable",
                       fingerprint="isolation_unavailable")
    return launch.judge(code, tests, timeout, mode, tier)
