"""The draft as the tests see it: proxies over a channel.

Nothing that comes through the channel is trusted. What is not an answer in
the agreed form ends the run, and no answer can be more than plain data.
"""

import ast
import builtins
import importlib
import re
import reprlib

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
zlib""".split())
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
    """The other end of the channel.

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
        return reply

    def load(self, code, tests, tier):
        """Load the draft; return the names that the tests may use."""
        words = set(re.findall(r"\w+(?:\.\w+)*", code))
        modules = sorted(w for w in words if w.split(".")[0] in MODULES
                         and "__" not in w)  # no __main__, which runs
        modules += [m for w in modules for m in LATER.get(w, ())]
        codecs = re.findall(r"""['"]([\w-]{3,20})['"]""", code)[:100]
        used = {node.id for node in ast.walk(tests)
                if isinstance(node, ast.Name)
                and not node.id.startswith("__")}
        self.call = "loading the draft"
        # No line of the draft has run when this answer comes.
        refusal = self.ask("seal", modules=modules, tier=tier,
                           codecs=codecs if "code" in code else [],
                           seconds=self.timeout)["refusal"]
        if refusal:
            self.stop("isolation_unavailable",
                      f"ISOLATION UNAVAILABLE: {refusal}")
        reply = self.ask("load", code=code, names=sorted(used))
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
        if isinstance(exc, ModuleNotFoundError):
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
            self.stop("failed", reports.clean(
                f"TESTS FAILED\n{name} is a {seen['refused']}, which does "
                f"not cross the boundary; what crosses: {wire.PLAIN}"))

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
        text = str(raised["text"])[:reports.LIMIT]
        try:
            exc = cls(*wire.Unpacker().unpack(raised["args"]))
        except Exception:  # a class with a signature of its own
            exc = Exception(text)
        if isinstance(exc, ImportError):  # ends in the path of a module
            text = re.sub(r" \([^()]*[/\\][^()]*\)$", "", text)
        return exc, {"name": str(raised["name"]), "text": text,
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
