"""Tier ``limits``: no new files, sockets or processes (POSIX).

The kernel refuses new descriptors and processes; an audit hook refuses
what needs neither, such as deleting a file or sending a signal.
"""

import process

DENIED = ("open", "os.", "socket.", "subprocess.", "ctypes.", "shutil.",
          "fcntl.", "signal.", "pty.", "syslog.", "resource.", "mmap.",
          "_posixsubprocess", "tempfile.", "glob.", "pathlib.", "winapi")


def seal(seconds):
    """Close the process in; ImportError or OSError where it can't be."""
    import resource
    import sys
    process.seal(seconds)
    for what in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC,
                 resource.RLIMIT_FSIZE):
        resource.setrlimit(what, (0, 0))
    process.drop_root()
    sys.addaudithook(_refuse)


def _refuse(event, args, denied=DENIED, error=PermissionError):
    # Bound as defaults: a draft that changes this module changes nothing.
    if event.startswith(denied):
        raise error(1, "Operation not permitted")
