"""A bound on the memory and the time of one case: what a stranger's file claims must cost neither."""

import resource
import signal
import threading
from contextlib import contextmanager

MEGABYTES = 2048  # beyond what the process has: numba's compiler needs some
SECONDS = 60  # a loop that is met for the first time is compiled


@contextmanager
def bounded(megabytes=MEGABYTES, seconds=SECONDS):
    """Let a MemoryError or a TimeoutError stand for what takes too much."""
    with open("/proc/self/statm") as file:
        size = int(file.read().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    is_main = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGALRM, _too_long) if is_main else None
    resource.setrlimit(resource.RLIMIT_AS, (size + megabytes * 2**20, before[1]))
    try:
        if is_main:
            signal.alarm(seconds)
        yield
    finally:
        if is_main:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, handler)
        resource.setrlimit(resource.RLIMIT_AS, before)


def _too_long(*_):
    raise TimeoutError("the case takes too long")
