"""A real model with no key and no account: small, offline, on this machine.

SmolLM2-135M-Instruct, served by llama.cpp in a child process that speaks the
Messages API, so the Claude adapter talks to it as to any other server. It is
there to be measured, not to be useful.
"""

from __future__ import annotations

import atexit
import copy
import importlib.util
import json
import os
import subprocess
import sys
import threading
import time

from .anthropic import AnthropicModel
from .base import CallFailed, Reply
from .weights import weights_path

MODEL = "smollm2-135m-instruct-q4_1"

NO_SERVER = (
    "the local model needs xllamacpp: `make local` installs it. Where it has "
    "no wheel for this machine, run another server and name it in "
    "ANTHROPIC_BASE_URL (README, ways to run)")
NO_WEIGHTS = ("the local model's weights are not here: fetch them once with "
              "`python -m reflectlab local setup` (93 MB)")


class LocalModel:
    """The local model behind the one-method interface.

    The server starts with the first call and ends with this process.

    Args:
        max_tokens: most tokens of a reply.
        timeout: seconds one call may take.
        temperature: 0 is greedy: the same call gets the same reply. Above
            it, every call draws anew.
        grammar: a GBNF grammar that every reply must match.
        threads: processor threads; default one less than there are.

    Raises:
        OSError: weights or server are missing; says how to get them.
    """

    model = MODEL

    def __init__(self, *, max_tokens: int = 256, timeout: float = 120.0,
                 temperature: float = 0.0, grammar: str = "",
                 threads: int | None = None) -> None:
        if importlib.util.find_spec("xllamacpp") is None:
            raise OSError(NO_SERVER)
        weights = weights_path()
        if not weights.exists():
            raise OSError(NO_WEIGHTS)
        self.max_tokens, self.timeout = max_tokens, timeout
        self._server = _Server(
            {"weights": str(weights), "grammar": grammar,
             "threads": threads or max(1, (os.cpu_count() or 2) - 1),
             "greedy": temperature == 0},
            {"temperature": temperature})

    def with_limits(self, *, max_tokens: int | None = None,
                    timeout: float | None = None) -> LocalModel:
        """The same model with other limits; the server is shared."""
        other = copy.copy(self)
        other.max_tokens = max_tokens or self.max_tokens
        other.timeout = min(timeout or self.timeout, self.timeout)
        return other

    def complete(self, *, system: str, messages: list[dict]) -> Reply:
        """Ask once; raises CallFailed, as the Claude adapter does."""
        return self._server.running().with_limits(
            max_tokens=self.max_tokens, timeout=self.timeout,
        ).complete(system=system, messages=messages)

    def close(self) -> None:
        """Stop the server; another call starts a new one."""
        self._server.stop()


class _Server:
    """A child process that serves the model, started on demand."""

    def __init__(self, settings: dict, body: dict) -> None:
        self._settings, self._body = settings, body
        self._child: subprocess.Popen | None = None
        self._adapter: AnthropicModel | None = None
        self._lock = threading.Lock()

    def running(self) -> AnthropicModel:
        """The adapter for a server that runs; a dead one is replaced."""
        with self._lock:
            if self._child is None or self._child.poll() is not None:
                self._start()
            return self._adapter

    def _start(self) -> None:
        self.stop()
        self._child = subprocess.Popen(
            [sys.executable, "-m", __name__, json.dumps(self._settings)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        atexit.register(self.stop)
        address = self._child.stdout.readline().strip()
        if not address.startswith("http"):
            self.stop()
            raise CallFailed("the local model's server did not start: "
                             + (address or "it ended at once"), final=True)
        self._adapter = AnthropicModel(
            MODEL, base_url=address, api_key="none", extra_body=self._body)

    def stop(self) -> None:
        """End the child; safe to call twice."""
        atexit.unregister(self.stop)
        if self._adapter is not None:
            self._adapter.close()
            self._adapter = None
        if self._child is not None:
            self._child.kill()
            self._child.communicate()
            self._child = None


def _serve(settings: dict) -> None:
    """What the child does: serve until the parent is gone."""
    parent = os.getppid()
    try:
        import xllamacpp
    except ImportError as exc:          # on Linux it needs libgomp
        print(f"xllamacpp can't be loaded ({exc})", flush=True)
        return
    params = xllamacpp.CommonParams()
    params.model.path = settings["weights"]
    params.model_alias = {MODEL}
    params.n_ctx = 4096      # tokens of prompt and reply together
    params.cpuparams.n_threads = settings["threads"]
    params.cpuparams_batch.n_threads = settings["threads"]
    params.cache_ram_mib = 0
    if settings["greedy"]:      # must not depend on what was asked before
        params.cache_prompt = False
    if settings["grammar"]:
        params.sampling.grammar = xllamacpp.CommonGrammar(
            xllamacpp.common_grammar_type.COMMON_GRAMMAR_TYPE_USER,
            settings["grammar"])
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    # The pipe closes when the parent dies; a fork of it may hold it open.
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)),
                     daemon=True).start()
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


if __name__ == "__main__":
    _serve(json.loads(sys.argv[1]))
