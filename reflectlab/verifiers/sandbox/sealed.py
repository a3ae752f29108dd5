"""The sealed process: it holds the draft, alone, and answers calls.

No expectation and no secret is here, so a draft that takes the process
over has gained nothing: forging an answer means giving the right one.
"""

import builtins
import importlib
import io
import os
import re
import sys
import types

import limits
import process
import reports
import seccomp
import wire

TIERS = {"process": process, "limits": limits, "seccomp": seccomp}
MAX_OUTPUT = 1_000_000  # bytes the draft may print before it is stopped
MAX_TEXT = 10_000       # characters of an exception's text

# Genuine exception classes, looked up before any draft runs.
GENUINE = {cls for cls in vars(builtins).values()
           if isinstance(cls, type) and issubclass(cls, BaseException)}


class Discard(io.RawIOBase):
    """Standard output of the draft: counted and dropped."""

    def __init__(self, flooded):
        self.room = MAX_OUTPUT
        self.flooded = flooded

    def writable(self):
        return True

    def write(self, data):
        self.room -= len(data)
        if self.room < 0:
            self.flooded()
        return len(data)


class Worker:
    """One draft and the requests about it, each a method of its name."""

    def __init__(self, requests, replies):
        self.requests = requests
        self.replies = replies
        self.shared = wire.Shared(1, runs_iterators=True)
        self.names = ()
        self.shown = {}  # what the referee has of these names
        self.module = types.ModuleType("draft")
        self.sources = {}
        sys.modules["draft"] = self.module

    def serve(self):
        while True:
            try:
                request = wire.receive(self.requests)
            except wire.Broken:
                return
            reply = getattr(self, request.pop("do"))(**request)
            reply["forgot"] = self.shared.sweep()
            try:
                wire.send(self.replies, reply)
            except wire.NotCrossing as exc:
                wire.send(self.replies, {"refused": str(exc)})

    def flooded(self):
        wire.send(self.replies, {"flood": True})
        os._exit(0)

    def seal(self, modules, codecs, tier, seconds):
        """Preload what the draft may want, then close the process in."""
        for name in modules:
            try:
                importlib.import_module(name)
            except ImportError:  # not in this Python: the draft will see
                pass
        for name in codecs:
            try:
                "".encode(name)
            except Exception:  # not the name of an encoding
                pass
        try:
            TIERS[tier].seal(seconds)
        except Exception as exc:
            return {"refusal": f"{type(exc).__name__}: {exc}"}
        return {"refusal": ""}

    def load(self, code, names):
        """Run the draft; reply with what it defines of ``names``."""
        self.sources["<draft>"] = code
        self.names = names
        try:
            body = compile(code, "<draft>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, OverflowError, RecursionError,
                MemoryError) as exc:
            number = getattr(exc, "lineno", None)
            return {"syntax": reports.source_line(code, number)}
        try:
            exec(body, self.module.__dict__)
        except BaseException as exc:
            return self.raised(exc)
        return {"names": self.rebound()}

    def rebound(self):
        """The names whose object is another than what was shown."""
        found = {}
        for name in self.names:
            value = vars(self.module).get(name, self)
            if value is not self and value is not self.shown.get(name, self):
                self.shown[name] = value
                found[name] = self.export(value)
        return found

    def export(self, value):
        """How the referee shall see one name of the draft."""
        if isinstance(value, types.ModuleType):
            return {"module": value.__name__}
        if isinstance(value, type) and issubclass(value, BaseException):
            return {"exception": self.lineage(value)}
        if callable(value):
            return {"function": str(getattr(value, "__doc__", "") or "")}
        try:
            wire.Packer(wire.Shared(1, True)).pack(value)  # it crosses
            return {"value": wire.Packer(self.shared).pack(value)}
        except (wire.NotCrossing, RecursionError):
            return {"refused": type(value).__name__}

    def call(self, name, values, changed, forgot):
        """Call a function of the draft."""
        args, options = self.told(values, changed)
        function = vars(self.module)[name]
        return self.outcome(lambda: function(*args, **dict(options)), forgot)

    def next(self, number, values, changed, forgot):
        """The next item of an iterator that a call returned."""
        self.told(values, changed)
        iterator, done = self.shared.objects[number], object()
        return self.outcome(lambda: next(iterator, done), forgot, done)

    def told(self, values, changed):
        """What a request brings; from here on both sides agree."""
        unpacker = wire.Unpacker(self.shared)
        values = unpacker.unpack(values)
        for contents in changed:
            unpacker.refill(contents)
        self.shared.agree()
        return values

    def outcome(self, action, forgot, done=None):
        """Run ``action``; reply with its value and what it changed."""
        packer = wire.Packer(self.shared)
        reply = {}
        try:
            self.shared.forget(forgot)  # may run the end of a generator
            value = action()
        except BaseException as exc:
            reply = self.raised(exc)
        try:
            if not reply:
                reply = ({"done": True} if done is not None and value is done
                         else {"value": packer.pack(value)})
            reply["changed"] = self.shared.changes()
            reply["names"] = self.rebound()
        except wire.NotCrossing as exc:
            return {"refused": str(exc)}
        except RecursionError:
            return {"refused": "a value nested too deeply"}
        return reply

    def raised(self, exc):
        """An exception as data: lineage, arguments, text, failing line."""
        if isinstance(exc, BaseExceptionGroup):
            return {"refused": "an exception group"}
        try:
            text = str(exc)[:MAX_TEXT]
            if isinstance(exc, RecursionError):  # differs between Pythons
                text = "maximum recursion depth exceeded"
        except BaseException:
            text = ""
        try:
            args = wire.Packer().pack(exc.args)
        except BaseException:
            args = None
        if args is None or len(repr(args)) > 2 * MAX_TEXT:
            args = ["tuple", text]
        attributes = {}
        for key, value in list(vars(exc).items())[:20]:
            try:
                packed = wire.Packer().pack(value)
            except BaseException:
                continue
            if len(repr(packed)) <= 2 * MAX_TEXT:
                attributes[key] = packed
        # One name for what Python 3.13 calls PatternError.
        name = "re.error" if isinstance(exc, re.error) else (
            type(exc).__name__)
        return {"raised": {"lineage": self.lineage(type(exc)), "name": name,
                           "args": args, "attributes": attributes,
                           "text": text,
                           "line": reports.failing_line(exc, self.sources)}}

    def lineage(self, cls):
        """Names of ``cls`` and its bases; of what isn't built in with
        the module."""
        return [c.__name__ if c in GENUINE else
                f"{c.__module__}:{c.__name__}"
                for c in cls.__mro__ if issubclass(c, BaseException)]

    def inside(self, tests):
        """Run the tests in the draft's own namespace (the weaker mode)."""
        self.sources["<tests>"] = tests
        output, calls = io.StringIO(), 0

        def count(frame, event, arg):
            nonlocal calls
            if event == "call" and frame.f_code.co_filename == "<draft>":
                calls += 1

        sys.stdout = output
        sys.setprofile(count)
        try:
            exec(compile(tests, "<tests>", "exec", dont_inherit=True),
                 self.module.__dict__)
            reply = {}
        except BaseException as exc:
            reply = self.raised(exc)
        finally:
            sys.setprofile(None)
        return reply | {"calls": calls,
                        "output": output.getvalue()[:MAX_TEXT]}


def main():
    """Move the channel away from the standard descriptors and serve."""
    process.fuse()
    requests, replies = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    worker = Worker(requests, replies)
    sys.stdout = sys.stderr = io.TextIOWrapper(
        Discard(worker.flooded), encoding="utf-8", errors="replace",
        write_through=True)
    try:
        worker.serve()
    finally:
        os._exit(0)  # no exit handler of the draft runs
