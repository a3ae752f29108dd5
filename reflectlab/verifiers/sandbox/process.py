"""Tier ``process``: a process of its own with a bounded appetite.

Works anywhere Python does. It keeps the verdict honest, but a draft can
still read files, open sockets and signal the user's other processes.
"""

MEMORY = 1 << 30  # bytes of address space
FUSE = 30.0       # seconds a process lives without, or beyond, its job


def fuse(seconds=0.0):
    """End by itself after ``seconds`` and a half minute (POSIX).

    Nothing else ends it once the program that started it is killed: the
    referee and the sealed process hold each other's channel open.
    """
    import signal
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds + FUSE)


def seal(seconds):
    """Limit CPU seconds, memory and core files, where the system can.

    Args:
        seconds: the verdict's timeout.
    """
    fuse(seconds)
    try:
        import resource
    except ImportError:  # not POSIX
        return
    cpu = int(seconds) + 4  # after the time the referee gets
    for what, limit in ((resource.RLIMIT_CPU, cpu),
                        (resource.RLIMIT_AS, MEMORY),
                        (resource.RLIMIT_CORE, 0)):
        try:
            resource.setrlimit(what, (limit, limit))
        except (ValueError, OSError):  # already lower, or not supported
            pass


def drop_root():
    """Become the user nobody, so that limits bind and signals don't."""
    import os
    if os.geteuid() == 0:
        try:
            os.setgroups([])
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
        except OSError:  # a container without that right: stay
            pass
