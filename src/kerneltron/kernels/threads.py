"""Work on parts of a Gram block, shared between the cores: compiled code and products need no GIL."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from threading import Lock, local
from typing import Any, TypeVar

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
SHARES = 8  # of the rows per core: rows take different times
Given = TypeVar("Given")
Found = TypeVar("Found")
_here = local()


def in_threads(work: Callable[[int, int], None], rows: int, least: int = 1) -> None:
    """Call work(first, end) for parts of the rows, at least `least` at a time, in one thread per core."""
    size = max(least, -(-rows // (CORES * SHARES)))
    parts = [(first, min(first + size, rows)) for first in range(0, rows, size)]
    if len(parts) < 2:
        work(0, rows)
        return
    for _ in side_by_side(lambda part: work(*part), parts):
        pass


def side_by_side(work: Callable[[Given], Found], parts: Iterable[Given]) -> Iterator[Found]:
    """Yield work(part) for each part, in their order, while one thread per core works on the next ones.

    Inside of such work, further work is done one part after the other: threads that wait for each other could
    wait forever.
    """
    if CORES == 1 or getattr(_here, "is_worker", False):
        yield from map(work, parts)
        return
    pool = _pool(os.getpid())
    shares: deque[Future[Found]] = deque()
    try:
        for part in parts:
            shares.append(pool.submit(work, part))
            if len(shares) > 2 * CORES:  # so that what waits to be fetched takes little memory
                yield shares.popleft().result()
        while shares:
            yield shares.popleft().result()
    finally:  # after an error, or Ctrl-C: what has not begun is not worth waiting for
        for share in shares:
            share.cancel()
        wait(shares)


@cache
def _pool(process: int) -> ThreadPoolExecutor:
    """Return the threads of a process; a child of it has none of them."""
    return ThreadPoolExecutor(CORES, initializer=lambda: setattr(_here, "is_worker", True))


_alone = Lock()
_insiders: list[object] = []
_limits: list[Any] = []


@cache
def _blas() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let each matrix product inside use one thread; calls may overlap, in threads.

    BLAS shares every product, and its threads wait for each other without sleep: ten passes over 15,000 rows
    of 16 numbers took 3.5 s of CPU with one thread, 8 with two on two idle cores, and 48 where others used
    these cores, too. `side_by_side` shares what is worth it.
    """
    me = object()
    with _alone:
        if not _insiders:
            _limits.append(_blas().limit(limits=1))
        _insiders.append(me)
    try:
        yield
    finally:
        with _alone:
            _insiders.remove(me)
            if not _insiders:
                _limits.pop().restore_original_limits()
