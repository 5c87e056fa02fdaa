"""Locks that survive a fork of the process."""

import os
from threading import Lock
from typing import Any
from weakref import WeakSet

_locks: WeakSet[Any] = WeakSet()


def process_lock() -> Any:
    """Return a lock of one process: in a child that was forked while it was held, nobody holds it.

    Only the thread that forks goes on in the child: any other that held the lock would never release it. It
    is an ordinary lock, as `with` takes and releases those without a step in between at which Ctrl-C could
    leave them held.
    """
    lock = Lock()
    _locks.add(lock)
    return lock


def _release_all() -> None:
    for lock in _locks:
        lock._at_fork_reinit()  # as `threading` itself does


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_release_all)
