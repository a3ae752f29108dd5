"""Run attacks in a process that can be lost, and report what happened.

Reads a job (JSON) on standard input: ``tier``, ``forking``, ``timeout``,
``drafts`` as [name, text] pairs, ``tests``, ``good`` and ``wrong``. Writes
one JSON line a draft: verdict, harm done, and how the next verdicts came out.
"""

import ctypes
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from reflectlab.verifiers.sandbox import launch  # noqa: E402

SECRET = os.environ["REFLECTLAB_DUMMY_SECRET"]


def snapshot(folder):
    """Every path under ``folder``, with mode and content."""
    try:
        return {str(p): (p.stat().st_mode,
                         p.read_bytes() if p.is_file() else b"")
                for p in sorted(folder.rglob("*"))}
    except OSError:  # too deep, or closed to us: certainly changed
        return None


def restore(folder):
    """Make the folder that an attack may want to change."""
    subprocess.run(["rm", "-rf", folder], check=True)
    folder.mkdir()
    folder.chmod(0o777)
    (folder / "secret").write_text(SECRET)
    (folder / "secret").chmod(0o666)


def survivors():
    """Living processes that were started here and left behind."""
    living = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1]
            except OSError:
                continue
            state, parent = fields.split()[:2]
            if int(parent) == os.getpid() and state != "Z":
                living.append(int(entry.name))
    return living


def reap(servers):
    """Wait for dead orphans; kill living ones. Returns how many lived."""
    end = time.monotonic() + 1
    while set(survivors()) - set(servers) and time.monotonic() < end:
        time.sleep(0.02)
    left = set(survivors()) - set(servers)
    for pid in left:
        os.kill(pid, 9)
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
    return len(left)


def main():
    job = json.load(sys.stdin)
    # Orphans of the sealed process become children of this one.
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
    folder = Path(tempfile.mkdtemp())
    restore(folder)
    server = socket.create_server(("127.0.0.1", 0))
    port = server.getsockname()[1]
    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    datagrams.bind(("127.0.0.1", port))
    server.setblocking(False)
    datagrams.setblocking(False)

    def judge(draft, timeout):
        return launch.judge(draft, job["tests"], timeout, "referee",
                            job["tier"], job["forking"])

    judge(job["good"], 10.0)
    servers = survivors()  # the fork server stays
    for name, draft in job["drafts"]:
        if isinstance(draft, str):
            draft = draft.replace("@VICTIM@", str(folder))
            draft = draft.replace("@PORT@", str(port))
        before, descriptors = snapshot(folder), os.listdir("/proc/self/fd")
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        row = {"name": name, "harm": []}
        try:
            start = time.monotonic()
            verdict = judge(draft, job["timeout"])
            row.update(ok=verdict.ok, status=verdict.status,
                       report=verdict.report)
            if time.monotonic() - start > job["timeout"] + 8:
                row["harm"].append("late verdict")
            if SECRET in repr(verdict):
                row["harm"].append("secret leaked")
        except BaseException as exc:
            row.update(ok=None, status=type(exc).__name__, report=str(exc))
        if reap(servers):
            row["harm"].append("processes left")
        if job.get("patience"):
            time.sleep(job["patience"])
        if snapshot(folder) != before or os.path.exists(
                "/reflectlab-dropping"):
            row["harm"].append("files changed")
            restore(folder)
        for _socket, receive in ((server, server.accept),
                                  (datagrams, lambda: datagrams.recv(99))):
            try:
                receive()
                row["harm"].append("reached the network")
            except BlockingIOError:
                pass
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory
        if grown > 400_000:
            row["harm"].append(f"memory grew by {grown} kB")
        if len(os.listdir("/proc/self/fd")) != len(descriptors):
            row["harm"].append("descriptors left open")
        row["control"] = [judge(job["good"], 10.0).ok,
                          judge(job["wrong"], 10.0).ok]
        print(json.dumps(row), flush=True)
    subprocess.run(["rm", "-rf", folder], check=True)


main()
