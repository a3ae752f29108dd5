"""Ask a fork server for processes, instead of starting Python each time.

One server a tier, started when first needed. It sees the end of its socket
when the program ends, however that happens, and ends too.
"""

from __future__ import annotations

import atexit
import os
import socket
import subprocess
import threading

from reflectlab.verifiers.sandbox import python

PATIENCE = 20.0  # seconds for an answer, before the server is given up


class Desync(Exception):
    """The server did not answer as it should; it has been ended."""


class ForkServer:
    """A running template process and the socket to it."""

    def __init__(self, tier: str):
        self.lock = threading.Lock()
        self.socket, theirs = socket.socketpair()
        with theirs:
            self.process = python.start("template", theirs, subprocess.DEVNULL,
                                        subprocess.DEVNULL, tier)
        self.socket.settimeout(PATIENCE)
        self.ask("hello")

    def ask(self, command: str, descriptors=()) -> str:
        """One command, one answer; from any thread.

        An interrupt between the two would leave an answer for the next to
        read: whatever happens here, the server ends with it.
        """
        with self.lock:
            try:
                socket.send_fds(self.socket, [command.encode()], descriptors)
                return self._answer()
            except OSError as exc:
                self.end()
                raise Desync from exc
            except BaseException:
                self.end()
                raise

    def _answer(self):
        answer = self.socket.recv(100)
        if not answer:
            raise ConnectionError("the server has ended")
        return answer.decode()

    def end(self):
        self.socket.close()
        self.process.kill()
        self.process.wait()


class Forked:
    """A process of the server, as much of one as ``launch`` needs."""

    def __init__(self, server, pid):
        self.server = server
        self.pid = pid

    def wait(self):
        try:
            self.server.ask(f"wait {self.pid}")
        except Desync:  # then the system reaps it
            pass


_servers: dict[str, ForkServer] = {}
_lock = threading.Lock()


def start(tier: str, descriptors: list[int]) -> list[Forked]:
    """A referee and a sealed process on five descriptors.

    Raises:
        Desync: twice in a row, so something is wrong with this machine.
    """
    for last in (False, True):
        server = None
        try:
            with _lock:
                if tier not in _servers:
                    _servers[tier] = ForkServer(tier)
                server = _servers[tier]
            pids = server.ask("start", descriptors).split()
            return [Forked(server, int(pid)) for pid in pids]
        except (Desync, OSError) as exc:
            with _lock:
                if server and _servers.get(tier) is server:
                    del _servers[tier]
            if last:
                raise Desync from exc
    raise AssertionError


def end_all() -> None:
    """End every server; the next verdict starts a new one."""
    with _lock:
        while _servers:
            _servers.popitem()[1].end()


def _forget():
    """In a forked child: the servers are the parent's, not ours."""
    global _lock
    _lock = threading.Lock()
    for server in _servers.values():
        server.socket.close()
        server.process.returncode = 0  # not ours to wait for
    _servers.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
    atexit.register(end_all)
