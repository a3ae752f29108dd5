"""The referee: runs the trusted tests; the draft is elsewhere.

The tests' text runs unchanged. Where it names a function of the draft it
gets a proxy, and each call goes to the sealed process and comes back as
data. Whatever the draft does, the expectations and the verdict stay here.
"""

import ast
import builtins
import importlib
import io
import os
import re
import reprlib
import signal
import sys
import types

import process
import reports
import wire

MAX_PULLS = 100_000    # items taken from one iterator of the draft
MAX_CALL_TEXT = 300    # characters of a call as quoted in a report

# Modules a draft may import: they compute and need nothing else.
MODULES = frozenset("""
abc array ast base64 binascii bisect calendar cmath codecs collections
colorsys contextlib copy copyreg csv dataclasses datetime decimal difflib
enum fractions functools graphlib hashlib heapq hmac html inspect io
itertools json keyword locale math numbers operator pprint random re
reprlib secrets statistics string stringprep struct textwrap time timeit
tokenize traceback types typing unicodedata unittest uuid warnings weakref
zlib zoneinfo""".split())
# What these import on first use, when it would be too late.
LATER = {"datetime": ("_strptime",), "time": ("_strptime",)}

BUILTIN_ERRORS = {name: cls for name, cls in vars(builtins).items()
                  if isinstance(cls, type) and issubclass(cls, BaseException)}


BRIEF = reprlib.Repr()  # bounded, however large the value
BRIEF.maxlevel = 6
BRIEF.maxlist = BRIEF.maxtuple = BRIEF.maxset = BRIEF.maxdict = 40
BRIEF.maxstring = BRIEF.maxother = BRIEF.maxlong = MAX_CALL_TEXT


class Stop(BaseException):
    """Ends the tests; the outcome is in the ``Draft`` by then."""


class Draft:
    """The draft as the tests see it: proxies over a channel.

    Attributes:
        outcome: (status, report) once the run can't go on, else None. It
            stands even when the tests swallow the exception.
        checks: calls completed.
        call: the call that runs or ran last, as text.
    """

    def __init__(self, replies, requests, timeout):
        self.replies = replies
        self.requests = requests
        self.timeout = timeout
        self.outcome = None
        self.checks = 0
        self.call = ""
        self.result = ""
        self.busy = False
        self.errors = dict(BUILTIN_ERRORS)

    def stop(self, status, report):
        """Record the outcome, unless there is one, and end the tests."""
        self.outcome = self.outcome or (status, report)
        raise Stop

    def expired(self, *_):
        running = self.call if self.busy else "the tests themselves"
        self.stop("timeout", f"TIMEOUT: tests did not finish in "
                  f"{self.timeout}s\nstill running: {running}")

    def ask(self, do, **request):
        """One request, one reply; anything else ends the run."""
        if self.outcome:
            raise Stop
        try:
            self.busy = True
            wire.send(self.requests, {"do": do, **request})
            reply = wire.receive(self.replies)
            self.busy = False
            if type(reply) is not dict:
                raise wire.Broken("not a reply")
        except (wire.Broken, OSError):
            self.stop("died", "TESTS FAILED\nthe draft's process ended "
                      f"during: {self.call}")
        if "flood" in reply:
            self.stop("output_flood", "TESTS FAILED\nOUTPUT FLOOD: the draft "
                      "printed more than 1,000,000 bytes; its output is cut "
                      f"off\nduring: {self.call}")
        if "unsealed" in reply:
            self.stop("isolation_unavailable", str(reply["unsealed"]))
        return reply

    def load(self, code, tests, tier):
        """Load the draft; return the names that the tests may use."""
        words = set(re.findall(r"\w+(?:\.\w+)*", code))
        modules = sorted(w for w in words if w.split(".")[0] in MODULES)
        modules += [m for w in modules for m in LATER.get(w, ())]
        codecs = re.findall(r"""['"]([\w-]{3,20})['"]""", code)[:100]
        used = {node.id for node in ast.walk(tests)
                if isinstance(node, ast.Name)
                and not node.id.startswith("__")}
        self.call = "loading the draft"
        reply = self.ask("load", code=code, modules=modules,
                         codecs=codecs if "code" in code else [], tier=tier,
                         seconds=self.timeout, names=sorted(used))
        if "syntax" in reply:
            self.stop("syntax_error", reports.failure(
                "SyntaxError", "the draft is not valid Python",
                str(reply["syntax"])))
        space = {}
        try:
            if "raised" in reply:
                self.load_failed(reply["raised"])
            names = sorted(reply["names"].items(),
                           key=lambda item: len(item[1].get("exception", ())))
            for name, seen in names:
                if name not in used:
                    self.nonsense()
                if name in vars(builtins):
                    self.stop("failed", "TESTS FAILED\nthe draft redefines "
                              f"the built-in name {name}, which the tests "
                              "use; rename it")
                self.bind(space, name, seen)
        except Exception:
            self.nonsense()
        return space

    def load_failed(self, raised):
        exc, told = self.error(raised)
        status, note = "failed", ""
        if isinstance(exc, ImportError):
            status = "import_error"
            note = " (only computing modules of the standard library here)"
        self.stop(status, reports.failure(told["name"], told["text"] + note,
                                          told["line"]))

    def bind(self, space, name, seen):
        """Put one name of the draft where the tests will look for it."""
        if "function" in seen:
            space[name] = self.proxy(name, str(seen["function"]))
        elif "value" in seen:
            space[name] = wire.Unpacker().unpack(seen["value"])
        elif "exception" in seen:
            lineage = seen["exception"]
            base = self.nearest(lineage[1:])
            space[name] = self.errors[lineage[0]] = type(name, (base,), {})
        elif "module" in seen:
            if seen["module"] in MODULES:
                space[name] = importlib.import_module(seen["module"])
        else:
            self.stop("failed", f"TESTS FAILED\n{name} is a "
                      f"{seen['refused']}, which does not cross the "
                      f"boundary; what crosses: {wire.PLAIN}")

    def proxy(self, name, doc):
        def function(*args, **kwargs):
            return self.call_draft(name, args, kwargs)
        function.__name__ = function.__qualname__ = name
        function.__doc__ = doc
        return function

    def call_draft(self, name, args, kwargs):
        packer = wire.Packer()
        self.call, self.result = call_text(name, args, kwargs), ""
        try:
            packed = packer.pack((args, kwargs))
            reply = self.ask("call", name=name, arguments=packed)
        except (wire.NotCrossing, RecursionError) as exc:
            self.stop("verifier_error", "VERIFIER ERROR: the tests pass "
                      f"{exc} to {name}, which does not cross the boundary; "
                      'use mode="inside" for such tests')
        self.checks += 1
        value = self.answer(reply, packer.containers)
        self.result = reports.clean(safe_repr(value), MAX_CALL_TEXT)
        return value

    def answer(self, reply, boxes=()):
        """Carry changed arguments back, then return or raise."""
        if "refused" in reply:
            self.stop("failed", reports.clean(
                f"TESTS FAILED\n{self.call} gave {reply['refused']}, which "
                f"does not cross the boundary; what crosses: {wire.PLAIN}"))
        unpacker = wire.Unpacker(boxes, self.iterator)
        value = error = None
        try:
            if "raised" in reply:
                error, error.draft_told = self.error(reply["raised"])
            else:
                value = unpacker.unpack(reply["value"])
            for number, contents in reply.get("changed", ()):
                unpacker.refill(boxes[number], contents)
        except (Exception, RecursionError):
            self.nonsense()
        if error is None:
            return value
        raise error

    def nonsense(self):
        self.stop("died", "TESTS FAILED\nthe draft's process answered with "
                  f"nonsense during: {self.call}")

    def iterator(self, number):
        """An iterator of the draft, named as the draft's would be."""
        iterator = self.pulls(number)
        iterator.__qualname__ = self.call.partition("(")[0]
        return iterator

    def pulls(self, number):
        """Its items, one request each, bounded."""
        for _ in range(MAX_PULLS):
            reply = self.ask("next", number=number)
            if "done" in reply:
                return
            yield self.answer(reply)
        self.stop("failed", f"TESTS FAILED\n{self.call} yielded more than "
                  f"{MAX_PULLS:,} items")

    def error(self, raised):
        """The nearest exception the tests can know, and what is told."""
        cls = self.nearest(raised["lineage"])
        try:
            exc = cls(*wire.Unpacker().unpack(raised["args"]))
        except Exception:  # a class with a signature of its own
            exc = Exception(str(raised["text"]))
            exc = cls.__new__(cls, *exc.args)
        return exc, {"name": raised["lineage"][0].lstrip("."),
                     "text": str(raised["text"]),
                     "line": str(raised["line"])}

    def nearest(self, lineage):
        return next(self.errors[name] for name in lineage
                    if name in self.errors)


def call_text(name, args, kwargs):
    parts = [safe_repr(a) for a in args]
    parts += [f"{key}={safe_repr(a)}" for key, a in kwargs.items()]
    return reports.clean(f"{name}({', '.join(parts)})", MAX_CALL_TEXT)


def safe_repr(value):
    """Like repr, bounded and without failing."""
    if hasattr(type(value), "__next__"):
        return "<iterator>"
    try:
        return BRIEF.repr(value)
    except Exception:
        return f"<{type(value).__name__}>"


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
    output, errors = sys.stdout, sys.stderr = Output(), Output()
    line = ""
    try:
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, draft.expired)
            signal.setitimer(signal.ITIMER_REAL, draft.timeout)
        vars(main).update(draft.load(code, tree, tier))
        if mode == "inside":
            return run_inside(draft, tests)
        exec(body, vars(main))
    except Stop:
        pass
    except BaseException as exc:
        line = reports.failing_line(exc, {"<tests>": tests})
        ended = isinstance(exc, SystemExit) and not hasattr(exc, "draft_told")
        if ended and exc.code:  # as unittest.main() does
            found = re.findall(r"^\w*Error\b.*", errors.getvalue(), re.M)
            report = reports.clean("\n".join(["TESTS FAILED", *found[:3]]))
            draft.outcome = draft.outcome or ("failed", report)
        elif not ended:
            draft.outcome = draft.outcome or ("failed",
                                              explain(exc, line, draft))
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


def explain(exc, line, draft):
    """The report of an exception that left the tests."""
    told = getattr(exc, "draft_told", None)
    if told:
        return reports.failure(told["name"], told["text"],
                               told["line"] or line)
    try:
        message = str(exc)
    except Exception:
        message = ""
    report = reports.failure(type(exc).__name__, message, line)
    if isinstance(exc, AssertionError) and not message and draft.result:
        report += f"\nlast call: {draft.call} returned {draft.result}"
    return report


def run_inside(draft, tests):
    """The weaker mode: tests and draft share the sealed process."""
    draft.call = "the tests, inside the draft's process"
    reply = draft.ask("inside", tests=tests)
    try:
        draft.checks = int(reply["calls"])
        if "raised" in reply:
            _, told = draft.error(reply["raised"])
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
