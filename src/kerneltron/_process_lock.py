"""A lock that survives a fork of the process."""

from os import getpid
from threading import Lock


class ProcessLock:
    """A lock of one process: a child that was forked while it was held has one that nobody holds.

    Only the thread that forks goes on in the child: any other that held the lock would never release it.
    """

    __slots__ = ("_lock", "_process")

    def __init__(self) -> None:
        self._lock, self._process = Lock(), getpid()

    def __enter__(self) -> None:
        if self._process != getpid():
            self._lock, self._process = Lock(), getpid()
        self._lock.acquire()

    def __exit__(self, *error: object) -> None:
        self._lock.release()
