"""One learner learns from one call at a time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import Any

from kerneltron._process_lock import process_lock

# The learners that are at work, by identity, and the threads that they work in. This is not part of a
# learner: it is not copied, cloned or pickled with it.
_at_work: dict[int, int] = {}
_lock = process_lock()


def _forget_other_threads() -> None:
    """Forget the learners at work in threads that a child of the process does not have."""
    for key in [key for key, thread in _at_work.items() if thread != get_ident()]:
        del _at_work[key]


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_forget_other_threads)


@contextmanager
def alone(learner: Any) -> Iterator[None]:
    """Refuse other calls that would change the learner for as long as this one lasts."""
    key = id(learner)
    with _lock:
        if key in _at_work:
            where = "its own callback" if _at_work[key] == get_ident() else "another thread"
            raise RuntimeError(
                f"this {type(learner).__name__} is learning already, and was called again from {where}: wait "
                "until the first call has ended, or give each thread a learner of its own (a clone)."
            )
        _at_work[key] = get_ident()
    try:
        yield
    finally:
        del _at_work[key]


@contextmanager
def at_rest(learner: Any) -> Iterator[None]:
    """Keep a learner from beginning to learn for a moment; raise if another thread has begun."""
    with _lock:
        check_at_rest(learner)
        yield


def check_at_rest(learner: Any) -> None:
    """Raise if the learner is learning in another thread: what it knows is in between."""
    if _at_work.get(id(learner), get_ident()) != get_ident():
        raise RuntimeError(
            f"this {type(learner).__name__} is learning in another thread: save or copy it when that call "
            "has ended."
        )
