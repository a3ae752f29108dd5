"""Tier ``seccomp``: the kernel lets the process compute and nothing else.

A seccomp filter (Linux, x86-64) with an allow-list of system calls: every
other call fails with EPERM, whatever code makes it. No privilege needed.
"""

import process

ALLOWED = {
    "read": 0, "write": 1, "lseek": 8, "mmap": 9, "mprotect": 10,
    "munmap": 11, "brk": 12, "rt_sigreturn": 15, "sched_yield": 24,
    "mremap": 25, "madvise": 28, "nanosleep": 35, "getpid": 39, "exit": 60,
    "gettimeofday": 96, "getrusage": 98, "times": 100, "getuid": 102,
    "getgid": 104, "geteuid": 107, "getegid": 108, "sigaltstack": 131,
    "gettid": 186, "time": 201, "futex": 202, "restart_syscall": 219,
    "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230,
    "exit_group": 231, "getrandom": 318, "rseq": 334,
}
X86_64 = 0xC000003E
LOAD, EQUALS, RETURN = 0x20, 0x15, 0x06  # BPF instructions
ALLOW, EPERM, KILL = 0x7FFF0000, 0x00050001, 0x80000000


def program():
    """The filter as BPF: (code, jump if true, jump if false, operand)."""
    steps = [(LOAD, 0, 0, 4),            # the architecture
             (EQUALS, 1, 0, X86_64), (RETURN, 0, 0, KILL),
             (LOAD, 0, 0, 0)]            # the number of the system call
    for number in ALLOWED.values():
        steps += [(EQUALS, 0, 1, number), (RETURN, 0, 0, ALLOW)]
    return steps + [(RETURN, 0, 0, EPERM)]


def seal(seconds):
    """Install the filter; OSError where the kernel or machine differs."""
    import ctypes
    import os
    import struct
    import sys
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        raise OSError("seccomp needs Linux on x86-64")
    process.seal(seconds)
    process.drop_root()
    steps = program()
    code = b"".join(struct.pack("HBBI", *step) for step in steps)
    buffer = ctypes.create_string_buffer(code, len(code))
    filter_ = struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    no_new_privileges, set_filter = (38, 1, 0, 0, 0), (22, 2, filter_)
    for call in (no_new_privileges, set_filter):
        if libc.prctl(*call) != 0:
            raise OSError(ctypes.get_errno(), "seccomp refused")
