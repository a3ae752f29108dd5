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
        self.iterators = []
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
        return {"names": {name: self.export(vars(self.module)[name])
                          for name in names if name in vars(self.module)}}

    def export(self, value):
        """How the referee shall see one name of the draft."""
        if isinstance(value, types.ModuleType):
            return {"module": value.__name__}
        if isinstance(value, type) and issubclass(value, BaseException):
            return {"exception": self.lineage(value)}
        if callable(value):
            return {"function": str(getattr(value, "__doc__", "") or "")}
        try:
            return {"value": wire.Packer().pack(value)}
        except (wire.NotCrossing, RecursionError):
            return {"refused": type(value).__name__}

    def call(self, name, arguments):
        unpacker = wire.Unpacker()
        args, kwargs = unpacker.unpack(arguments)
        before = self.written(unpacker.containers)
        function = vars(self.module)[name]
        return self.outcome(lambda: function(*args, **kwargs),
                            unpacker.containers, before)

    def next(self, number):
        """The next item of an iterator that a call returned."""
        done = object()
        iterator = self.iterators[number]
        return self.outcome(lambda: next(iterator, done), done=done)

    def outcome(self, action, boxes=(), before=(), done=None):
        """Run ``action``; reply with its value and changed arguments."""
        packer = wire.Packer(boxes, self.keep)
        reply = value = None
        try:
            value = action()
        except BaseException as exc:
            reply = self.raised(exc)
        if done is not None and value is done:
            return {"done": True}
        try:
            reply = reply or {"value": packer.pack(value)}
            changed = [n for n, now in enumerate(self.written(boxes))
                       if now != before[n]]
            reply["changed"] = [[n, packer.contents(boxes[n])]
                                for n in changed]
        except wire.NotCrossing as exc:
            return {"refused": str(exc)}
        except RecursionError:
            return {"refused": "a value nested too deeply"}
        return reply

    def written(self, boxes):
        """Every container written out apart, to see what a call changed."""
        packer = wire.Packer(boxes, id)
        return [repr(packer.contents(box)) for box in boxes]

    def keep(self, iterator):
        self.iterators.append(iterator)
        return len(self.iterators) - 1

    def raised(self, exc):
        """An exception as data: lineage, arguments, text, failing line."""
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
        # One name for what Python 3.13 calls PatternError.
        name = "re.error" if isinstance(exc, re.error) else (
            type(exc).__name__)
        return {"raised": {"lineage": self.lineage(type(exc)), "name": name,
                           "args": args, "text": text,
                           "line": reports.failing_line(exc, self.sources)}}

    def lineage(self, cls):
        """Names of ``cls`` and its bases; the draft's own carry a dot."""
        return [c.__name__ if c in GENUINE else "." + c.__name__
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
