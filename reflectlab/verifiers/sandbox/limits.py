"""Tier ``limits``: no new files, sockets or processes (POSIX).

The kernel refuses new descriptors and processes; an audit hook refuses
what needs neither, such as deleting a file or sending a signal. Functions
that Python does not audit are taken out of their modules. A draft that
builds such a module anew from within the import system gets them back: it
can make an empty pipe or device file in a folder open to all, and change
the priority and processors of the user's processes. ``seccomp`` has no such
gap.
"""

import process

DENIED = ("open", "os.", "socket.", "subprocess.", "ctypes.", "shutil.",
          "fcntl.", "signal.", "pty.", "syslog.", "resource.", "mmap.",
          "_posixsubprocess", "tempfile.", "glob.", "pathlib.", "winapi")
# Unaudited functions that reach beyond the process; where there are any.
UNAUDITED = ("mkfifo", "mknod", "setpriority", "nice", "sched_setaffinity",
             "sched_setparam", "sched_setscheduler", "readlink", "setitimer",
             "alarm")


def seal(seconds):
    """Close the process in; ImportError or OSError where it can't be."""
    import os
    import resource
    import signal
    import sys
    process.seal(seconds)
    for what in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC,
                 resource.RLIMIT_FSIZE):
        resource.setrlimit(what, (0, 0))
    process.drop_root()
    for module in (os, sys.modules["posix"], signal, sys.modules["_signal"]):
        for name in UNAUDITED:
            vars(module).pop(name, None)
    sys.addaudithook(_refuse)


def _refuse(event, args, denied=DENIED, error=PermissionError):
    # Bound as defaults: a draft that changes this module changes nothing.
    if event.startswith(denied):
        raise error(1, "Operation not permitted")
