"""The draft as the tests see it: proxies over a channel.

Nothing that comes through the channel is trusted. What is not an answer in
the agreed form ends the run, and no answer can be more than plain data.
"""

import ast
import builtins
import importlib
from _thread import RLock  # threading would slow down every fork

import errors
import modules
import reports
import wire

MAX_PULLS = 100_000    # items taken from one iterator of the draft
INSIDE = 'use mode="inside" for such tests'


class Stop(BaseException):
    """Ends the tests; the outcome is in the ``Draft`` by then."""


class DraftFunction:
    """A function or class of the draft: it can be called, no more."""

    def __init__(self, draft, name, doc):
        self.__name__ = self.__qualname__ = name
        self.__doc__ = doc
        self.__draft = draft

    def __call__(self, *args, **kwargs):
        return self.__draft.call_draft(self.__name__, args, kwargs)

    def __getattr__(self, name):
        if name.startswith("__"):  # as a library asks, to see what it is
            raise AttributeError(name)
        self.__draft.not_crossing(f"{self.__name__}.{name}")

    def __getitem__(self, key):
        self.__draft.not_crossing(f"an item of {self.__name__}")

    def __instancecheck__(self, value):
        self.__draft.not_crossing(f"the class {self.__name__}")

    def __mro_entries__(self, bases):
        self.__draft.not_crossing(f"the class {self.__name__}")


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
        self.errors = errors.Errors()
        self.shared = wire.Shared()
        self.packing = False
        self.lock = RLock()  # tests may call from threads
        self.space = {}     # the tests' global names
        self.used = set()   # names that occur in the tests
        self.bound = set()  # those which the tests bind themselves

    def stop(self, status, report):
        """Record the outcome, unless there is one, and end the tests."""
        self.outcome = self.outcome or (status, report)
        raise Stop

    def not_crossing(self, what):
        """The tests need more than the boundary lets through."""
        self.stop("verifier_error", f"VERIFIER ERROR: the tests use {what}, "
                  f"which does not cross the boundary; {INSIDE}")

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

    def load(self, code, tests, tier, space):
        """Load the draft and put the names that the tests use in space."""
        self.space = space
        for node in ast.walk(tests):
            if isinstance(node, ast.Name) and not node.id.startswith("__"):
                self.used.add(node.id)
                if isinstance(node.ctx, ast.Store):
                    self.bound.add(node.id)
            elif isinstance(node, ast.arg):
                self.bound.add(node.arg)
        self.call = "loading the draft"
        # No line of the draft has run when this answer comes.
        refusal = self.ask("seal", modules=modules.needed(code), tier=tier,
                           codecs=modules.codecs(code),
                           seconds=self.timeout)["refusal"]
        if refusal:
            self.stop("isolation_unavailable",
                      f"ISOLATION UNAVAILABLE: {refusal}")
        reply = self.ask("load", code=code, names=sorted(self.used))
        if "syntax" in reply:
            self.stop("syntax_error", reports.failure(
                "SyntaxError", "the draft is not valid Python",
                str(reply["syntax"])))
        if "refused" in reply:
            self.answer(reply)
        try:
            if "raised" in reply:
                self.load_failed(reply["raised"])
            self.receive(reply)
        except Exception:
            self.nonsense()

    def load_failed(self, raised):
        exc, told = self.errors.rebuild(raised)
        status, note = "failed", ""
        if isinstance(exc, ImportError):
            status = "import_error"
        if isinstance(exc, ModuleNotFoundError):
            note = " (only computing modules of the standard library here)"
        self.stop(status, reports.failure(told["name"], told["text"] + note,
                                          told["line"]))

    def receive(self, reply):
        """Take over what the draft changed; from here on both agree."""
        unpacker = wire.Unpacker(self.shared, self.iterator)
        value = unpacker.unpack(reply.get("value"))
        for contents in reply.get("changed", ()):
            unpacker.refill(contents)
        names = sorted(reply.get("names", {}).items(),
                       key=lambda item: len(item[1].get("exception", ())))
        for name, seen in names:
            if name not in self.used:
                self.nonsense()
            self.bind(name, seen, unpacker)
        self.shared.forget(reply["forgot"])
        self.shared.agree()
        return value

    def bind(self, name, seen, unpacker):
        """Put one name of the draft where the tests will look for it."""
        if "value" in seen:
            value = unpacker.unpack(seen["value"])
        elif "function" in seen:
            value = DraftFunction(self, name, str(seen["function"]))
        elif "exception" in seen:
            value = self.errors.define(name, seen["exception"])
        elif "module" in seen:
            if seen["module"] not in modules.MODULES:
                return
            value = importlib.import_module(seen["module"])
        elif name in self.bound:  # the tests mean one of their own
            return
        else:
            self.stop("failed", reports.clean(
                f"TESTS FAILED\n{name} is a {seen['refused']}, which does "
                f"not cross the boundary; what crosses: {wire.PLAIN}; "
                f"{INSIDE}"))
        if name in vars(builtins) and name not in self.bound:
            self.stop("failed", "TESTS FAILED\nthe draft redefines the "
                      f"built-in name {name}, which the tests use; rename "
                      "it")
        if name not in self.bound or name not in self.space:
            self.space[name] = value

    def call_draft(self, name, args, kwargs):
        with self.lock:
            # A generator of the tests may itself call the draft.
            try:
                args = tuple(map(self.drained, args))
                kwargs = {key: self.drained(a) for key, a in kwargs.items()}
            except wire.NotCrossing as exc:
                self.not_crossing(exc)
            self.call, self.result = reports.call_text(name, args, kwargs), ""
            reply = self.request("call", (args, tuple(kwargs.items())),
                                 name=name)
            self.checks += 1
            try:
                value = self.answer(reply)
            except StopIteration:
                self.stop("failed", f"TESTS FAILED\n{self.call} raised "
                          "StopIteration, which ends the loop around it "
                          "unseen; raise something else")
            self.result = reports.value_text(value)
            return value

    def drained(self, value):
        """An iterator of the tests, read to its end; all else as it is."""
        if wire.is_iterator(value) and id(value) not in self.shared.numbers:
            return iter(wire.items(value))
        return value

    def request(self, do, values=None, **rest):
        """Ask, and tell what the tests changed since the last time."""
        try:
            if self.packing:
                raise wire.NotCrossing("an iterator that calls the draft, "
                                       "within a container")
            self.packing = True
            forgot = self.shared.sweep()
            values = wire.Packer(self.shared).pack(values)
            changed = self.shared.changes()
            self.packing = False
            return self.ask(do, values=values, changed=changed,
                            forgot=forgot, **rest)
        except (wire.NotCrossing, RecursionError) as exc:
            self.not_crossing(exc)

    def answer(self, reply):
        """Carry changes back, then return or raise."""
        if "refused" in reply:
            self.stop("failed", reports.clean(
                f"TESTS FAILED\n{self.call} gave {reply['refused']}, which "
                f"does not cross the boundary; what crosses: {wire.PLAIN}; "
                f"{INSIDE}"))
        error = None
        try:
            if "raised" in reply:
                error, error.draft_told = self.errors.rebuild(
                    reply["raised"])
            value = self.receive(reply)
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
            with self.lock:
                reply = self.request("next", number=number)
                value = self.answer(reply)
            if "done" in reply:
                return
            yield value
        self.stop("failed", f"TESTS FAILED\n{self.call} yielded more than "
                  f"{MAX_PULLS:,} items")
