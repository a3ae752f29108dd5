"""The referee: runs the trusted tests; the draft is elsewhere.

The tests' text runs unchanged. Where it names a function of the draft it
gets a proxy, and each call goes to the sealed process and comes back as
data. Whatever the draft does, the expectations and the verdict stay here.
"""

import ast
import io
import os
import re
import signal
import sys
import types

import process
import reports
import wire
from proxies import Draft, Stop


class Output(io.StringIO):
    """What the tests print: kept up to a bound."""

    def write(self, text):
        return super().write(text) if self.tell() < 100_000 else len(text)


def judge(draft, code, tests, tier, mode):
    """Run the tests; return (status, report, failing line of the tests)."""
    try:
        tree = ast.parse(tests)
        body = compile(tests, "<tests>", "exec", dont_inherit=True)
    except Exception:
        return ("verifier_error", "VERIFIER ERROR: the tests are not valid "
                "Python", "")
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    sys.argv = ["tests"]
    output, errors = sys.stdout, sys.stderr = Output(), Output()
    line = ""
    unsuccessful = watch_unittest() if "unittest" in tests else []
    try:
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, draft.expired)
            signal.setitimer(signal.ITIMER_REAL, draft.timeout)
        draft.load(code, tree, tier, vars(main))
        if mode == "inside":
            return run_inside(draft, tests)
        exec(body, vars(main))
        if unsuccessful:  # unittest.main(exit=False) hides it
            draft.stop("failed", ended_early(errors, "a test failed"))
    except Stop:
        pass
    except BaseException as exc:
        line = reports.failing_line(exc, {"<tests>": tests})
        ended = isinstance(exc, SystemExit) and not hasattr(exc, "draft_told")
        if ended and exc.code:  # as unittest.main() does
            draft.outcome = draft.outcome or ("failed", ended_early(
                errors, f"the tests exited with {exc.code}"))
        elif not ended:
            draft.outcome = draft.outcome or explain(exc, line, draft)
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
    if draft.outcome:
        return (*draft.outcome, line)
    if not draft.checks:
        return ("no_checks", "NO CHECKS: the tests ended without calling "
                "the draft", "")
    report = reports.clean(output.getvalue().strip())
    return "passed", report or f"tests passed, calls: {draft.checks}", ""


def watch_unittest():
    """A list that gets an item when a run of unittest does not succeed."""
    import unittest
    real, found = unittest.TestResult.wasSuccessful, []

    def watched(result):
        if not real(result):
            found.append(result)
        return real(result)

    unittest.TestResult.wasSuccessful = watched
    return found


def ended_early(errors, otherwise):
    """The report when unittest has swallowed the exceptions."""
    found = re.findall(r"^\w*Error\b.*", errors.getvalue(), re.M)[:3]
    return reports.clean("\n".join(["TESTS FAILED",
                                    *(found or [otherwise])]))


def explain(exc, line, draft):
    """Status and report of an exception that left the tests."""
    told = getattr(exc, "draft_told", None)
    if told:
        return "failed", reports.failure(told["name"], told["text"],
                                         told["line"] or line)
    try:
        message = str(exc)
    except Exception:
        message = ""
    if isinstance(exc, ImportError) or isinstance(exc, NameError) and (
            exc.name in draft.bound or exc.name not in draft.used):
        return "verifier_error", reports.clean(
            f"VERIFIER ERROR: the tests do not work\n    {line}\n"
            f"{type(exc).__name__}: {message}")
    report = reports.failure(type(exc).__name__, message, line)
    if isinstance(exc, AssertionError) and not message and draft.result:
        report += f"\nlast call: {draft.call} returned {draft.result}"
    elif isinstance(exc, NameError):
        report += "\nneither the draft nor the tests define it"
    return "failed", report


def run_inside(draft, tests):
    """The weaker mode: tests and draft share the sealed process."""
    draft.call = "the tests, inside the draft's process"
    reply = draft.ask("inside", tests=tests)
    try:
        draft.checks = int(reply["calls"])
        if "raised" in reply:
            _, told = draft.errors.rebuild(reply["raised"])
            return ("failed", reports.failure(told["name"], told["text"],
                                              told["line"]), told["line"])
        output = reports.clean(str(reply["output"]).strip())
    except Exception:
        draft.nonsense()
    if not draft.checks:
        return ("no_checks", "NO CHECKS: the tests ended without calling "
                "the draft", "")
    return ("passed", f"{output or 'tests passed'}\n(weaker: these tests ran "
            "inside the draft's process)", "")


def main():
    """Read the job, judge, write the result where only the parent reads."""
    process.fuse()
    replies, requests, results = os.dup(0), os.dup(1), os.dup(2)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    job = wire.receive(replies)
    draft = Draft(replies, requests, job["timeout"])
    process.seal(job["timeout"])
    try:
        status, report, line = judge(draft, job["code"], job["tests"],
                                     job["tier"], job["mode"])
    except Stop:  # the time was up just as the tests ended
        (status, report), line = draft.outcome, ""
    fingerprint = status
    if status == "failed":
        fingerprint += f": {line} / {draft.call}"
    wire.send(results, {
        "token": job["token"], "status": status, "report": report,
        "checks": draft.checks, "fingerprint": reports.clean(fingerprint),
        "hung_call": draft.call if status == "timeout" and draft.busy else "",
    })
    os._exit(0)
