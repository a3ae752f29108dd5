"""The fork server's process: loads everything once, then only forks.

It holds no draft and no test. Commands come over a Unix socket, its
standard input: "start" with five descriptors forks a referee and a sealed
process and answers with their numbers; "wait" reaps two that were killed;
"hello" only waits until everything is loaded.
"""

import gc
import importlib
import os
import socket
import sys

import modules
import referee
import sealed


def preload(tier):
    """Import what drafts may import, so that a fork has it already."""
    # ctypes could undo the audit hook of the tier `limits`.
    needed = ["_strptime"] + ["ctypes"] * (tier == "seccomp")
    # logging brings threading, whose hooks slow down every fork.
    for name in sorted(modules.MODULES - {"logging"}) + needed:
        try:
            importlib.import_module(name)
        except ImportError:
            pass
    gc.collect()
    gc.freeze()  # what is here stays shared with the forks


def fork(module, descriptors):
    """A child that runs ``module`` with these as 0, 1 and 2, no others."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        # Away from the targets first, which may be among them.
        copies = [os.dup(descriptor) for descriptor in descriptors]
        for target, copy in enumerate(copies):
            os.dup2(copy, target)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        for name in ("socket", "_socket", "selectors", "select"):
            sys.modules.pop(name, None)  # as after a start of its own
        module.main()
    finally:
        os._exit(1)


def main():
    control = socket.socket(fileno=os.dup(0))
    null = os.open(os.devnull, os.O_RDWR)
    preload(sys.argv[1])
    while True:
        command, descriptors, _, _ = socket.recv_fds(control, 100, 5)
        if not command:  # the program is gone
            os._exit(0)
        answer = "done"
        what, *numbers = command.decode().split()
        if what == "start":
            pids = (fork(referee, descriptors[:3]),
                    fork(sealed, [*descriptors[3:], null]))
            answer = f"{pids[0]} {pids[1]}"
        for number in numbers:
            os.waitpid(int(number), 0)
        for descriptor in descriptors:
            os.close(descriptor)
        control.sendall(answer.encode())
