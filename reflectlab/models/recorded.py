"""Recordings: a model's replies on disk, paid once and replayed for ever.

One JSON line a call, forced to the disk before the reply is used.
"""

from __future__ import annotations

import copy
import hashlib
import json
import os
import threading
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..budget import Usage
from ..messages import first_difference
from .base import Model, Reply, model_id, redact, text_reply

MODES = ("replay", "record", "auto")
START = b'{"key": "'           # of every line


class RecordingMiss(LookupError):
    """A call that the recording does not hold."""
    final = True        # asking again can't help


class RecordedError(RuntimeError):
    """A failed call, replayed; its class has the name of the original's."""


class RecordedModel:
    """Replays a recording, makes one, or completes one.

    A call is found by the digest of its system prompt and messages, and by
    its number among equal calls. Threads and processes may share one file; a
    line torn by a kill is ignored. Failed attempts are kept and replayed
    too, so a resumed run has spent what the first one had; only a call that
    never got a reply is asked again in "auto": there the first run ended.

    Args:
        path: the file, JSON Lines. It is only ever appended to.
        model: answers what is not replayed; not needed for "replay".
        mode: "replay" pays for nothing, "record" for every call and wants a
            new file, "auto" for what the file doesn't hold.

    ``.calls`` holds a copy of each ``{"system", "messages"}`` asked, and
    ``.counts`` how many of them were "replayed" and "paid".

    Raises:
        ValueError: an unknown mode, no model, or a file of another kind.
        OSError: nothing to replay, or nowhere to record.
    """

    def __init__(self, path, model: Model | None = None,
                 mode: str = "replay") -> None:
        if mode not in MODES or (mode != "replay" and model is None):
            raise ValueError(f"mode {mode!r}: give one of {MODES}, and a "
                             "model; only 'replay' needs no model")
        self.path, self.mode = Path(path), mode
        self.inner: Any = model
        if mode != "replay":
            self.path.open("ab").close()    # refused now, not once paid for
        self._recorded = _read(self.path, resume=mode == "auto")
        if mode == "record" and self.path.stat().st_size:
            raise FileExistsError(f"{self.path.name} is not empty: use mode "
                                  "'auto' to go on, or name a new file")
        self.model = model_id(model) or next(
            (line["model"] for lines in self._recorded.values()
             for line in lines if line["model"]), None)
        self.max_tokens = getattr(model, "max_tokens", None)
        self.retry_delay = getattr(model, "retry_delay", 0)
        self.calls: list[dict] = []
        self.counts: Counter = Counter()
        self._asked: Counter = Counter()
        self._lock = threading.Lock()

    def with_limits(self, *, max_tokens: int | None = None,
                    timeout: float | None = None) -> RecordedModel:
        """The same recording, in front of a model with these limits."""
        limited = copy.copy(self)
        if hasattr(self.inner, "with_limits"):
            limited.inner = self.inner.with_limits(
                max_tokens=max_tokens, timeout=timeout)
        return limited

    def complete(self, *, system: str, messages: list[dict]) -> str:
        """The recorded reply, or the model's, recorded before it is used."""
        call = {"system": system, "messages": copy.deepcopy(messages)}
        text = json.dumps([system, messages], sort_keys=True)
        key = hashlib.sha256(text.encode("ascii")).hexdigest()[:32]
        with self._lock:
            n, found = self._asked[key], self._recorded.get(key, [])
            replayed = n < len(found)
            if not replayed and self.mode == "replay":
                raise RecordingMiss(self._miss(call, len(found)))
            self._asked[key] += 1
            self.calls.append(call)
            self.counts["replayed" if replayed else "paid"] += 1
        if not replayed:
            return _reply(self._pay({"key": key, "n": n, **call}, messages))
        return _reply(found[n], tuple(found[n]["span"]))

    def _pay(self, line: dict, messages: list[dict]) -> dict:
        """Ask the model; returns the line as written, or raises its error."""
        began, started = time.time(), time.monotonic()
        outcome: object
        try:
            outcome = text_reply(self.inner.complete(
                system=line["system"], messages=messages))
            line["reply"] = str(outcome)
        except Exception as exc:    # a failed call counts, so it is kept
            outcome = exc
            line |= {"error": type(exc).__name__, "message": str(exc),
                     "final": bool(getattr(exc, "final", False))}
        usage = getattr(outcome, "usage", None)
        stopped = getattr(outcome, "stop_reason", None)
        line |= {"usage": asdict(usage) if isinstance(usage, Usage) else None,
                 "model": model_id(outcome, self.inner),
                 "stop_reason": stopped if isinstance(stopped, str) else None,
                 "span": [began, began + time.monotonic() - started]}
        text = json.dumps(redact(line))
        self._append(text.encode("ascii") + b"\n")
        if isinstance(outcome, Exception):
            raise outcome
        return json.loads(text)

    def _append(self, data: bytes) -> None:
        """One write of one line, forced to the disk."""
        with self._lock, self.path.open("ab+", buffering=0) as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":       # a line torn by a kill
                    data = b"\n" + data
            file.write(data)
            os.fsync(file.fileno())

    def _miss(self, call: dict, held: int) -> str:
        what = f"{self.path.name} holds this call {held} time(s), no more"
        if not held and self._recorded:
            what += "; the nearest one differs in " + max(
                first_difference(call, lines[0])
                for lines in self._recorded.values())[1]
        return what + ". Record it with mode 'auto'."


def _read(path: Path, *, resume: bool) -> dict[str, list[dict]]:
    """The lines of a recording by key, each list in the order asked."""
    recorded: dict[str, list[dict]] = {}
    for number, raw in enumerate(path.read_bytes().splitlines(), 1):
        try:
            line = json.loads(raw)
        except ValueError:
            if START.startswith(raw[:len(START)]):
                continue            # blank, or torn by a kill
            line = None
        if not isinstance(line, dict) or not {"key", "n", "span"} <= set(line):
            raise ValueError(f"line {number} of {path.name} is not a recorded"
                             " call: is this another kind of file?")
        lines = recorded.setdefault(line["key"], [])
        if all("error" in earlier for earlier in lines[line["n"]:]):
            del lines[line["n"]:]   # a call given up, and resumed from here
        lines.append(line)
    for lines in recorded.values():
        while resume and lines and "error" in lines[-1]:
            lines.pop()
    return recorded


def _reply(line: dict, span: tuple[float, float] | None = None) -> Reply:
    """The reply of a line, or its error, raised."""
    usage = Usage(**line["usage"]) if line["usage"] else None
    if "reply" in line:
        return Reply(line["reply"], usage=usage, span=span,
                     model=line["model"], stop_reason=line["stop_reason"])
    error = type(line["error"], (RecordedError,), {})(line["message"])
    error.usage, error.span, error.final = usage, span, line["final"]
    raise error
