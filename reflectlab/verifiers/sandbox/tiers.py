"""Which isolation tier this machine offers (first stub)."""


def choose(require=None):
    return "seccomp", ""
