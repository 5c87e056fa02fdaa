"""Work on parts of a Gram block, shared between the cores: compiled code and products need no GIL."""

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from threading import get_ident, local
from typing import Any, NamedTuple, TypeVar
from weakref import ref

from kerneltron._process_lock import process_lock

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


# -- BLAS ----------------------------------------------------------------------------------------------

WITH_BLAS = ("scipy.linalg._fblas", "scipy.linalg.cython_blas", "scipy.linalg.cython_lapack")


class Library(NamedTuple):
    """A library of matrix products: what returns and sets its number of threads."""

    get: Callable[[], int]
    set: Callable[[int], object]
    is_per_thread: bool  # whether each thread that calls it has a setting of its own
    let_go: Callable[[], object] | None  # else no other thread could set a number by threadpoolctl later


Limits = list[tuple[Library, int]]  # libraries that got one thread, and how many each had before


class Entered(NamedTuple):
    """What a thread has set whose products have one thread each, and for which call; that may be gone."""

    call: Callable[[], object]
    limits: Limits


_lock = process_lock()
_inside: dict[int, Entered] = {}  # by thread
_left: Limits = []  # what threads that are not inside any more have set, for the last one to restore


def _libraries() -> list[Library]:
    """Return the libraries that are there: SciPy brings its own with it, when that is first needed."""
    return _libraries_with(tuple(module in sys.modules for module in WITH_BLAS))


@cache
def _libraries_with(loaded: tuple[bool, ...]) -> list[Library]:
    from threadpoolctl import ThreadpoolController

    return [_library(found) for found in ThreadpoolController().select(user_api="blas").lib_controllers]


def _library(found: Any) -> Library:
    """Return a library that threadpoolctl has found.

    OpenBLAS with its own threads is called directly: threadpoolctl looks its functions up for each call,
    which took 7 of 11 microseconds around a product of one row.
    """
    is_per_thread = found.internal_api == "openblas" and found.threading_layer == "openmp"
    if found.internal_api == "openblas" and not is_per_thread and hasattr(found, "_get_symbol"):
        get, put = (found._get_symbol(f"openblas_{verb}_num_threads") for verb in ("get", "set"))
        if get is not None and put is not None:
            return Library(get, put, is_per_thread, None)
    let_go = getattr(found, "clear_controlling_thread", None)
    return Library(found.get_num_threads, found.set_num_threads, is_per_thread, let_go)


def one_blas_thread() -> "OneBlasThread":
    """Let each matrix product inside use one thread; calls may overlap, in threads.

    BLAS shares every product, and its threads wait for each other without sleep: ten passes over 15,000 rows
    of 16 numbers took 3.5 s of CPU with one thread, 8 with two on two idle cores, and 48 where others used
    these cores, too. `side_by_side` shares what is worth it.

    In most libraries the number of threads is one setting for the whole process: products of all other
    threads have one thread, too, as long as this lasts. So it stands around matrix products, and not around
    compiled loops. When the last call ends, each library has as many threads as before, unless somebody else
    has set another number meanwhile.
    """
    return OneBlasThread()


class OneBlasThread:
    """See `one_blas_thread`. Not a generator, which would take a microsecond longer."""

    __slots__ = ("__weakref__", "_thread")

    def __enter__(self) -> None:
        self._thread: int | None = None  # whose limits this call is to restore
        me = get_ident()
        entered = _inside.get(me)
        if entered is not None and entered.call() is not None:
            return
        with _lock:
            if entered is not None:  # Ctrl-C came while the call before was left
                _leave(me)
            self._thread = me
            limits = [(library, n) for library in _libraries() if (n := library.get()) > 1]
            _inside[me] = Entered(ref(self), limits)
            for library, _ in limits:
                library.set(1)

    def __exit__(self, *error: object) -> None:
        if self._thread is not None:
            with _lock:
                _leave(self._thread)


def _leave(thread: int) -> None:
    """Restore what a thread has set: at once where that concerns no other thread, else after the last one."""
    mine = _inside.pop(thread).limits
    _restore([limit for limit in mine if limit[0].is_per_thread])
    _left.extend(limit for limit in mine if not limit[0].is_per_thread)
    if not _inside:
        _restore(_left)
        _left.clear()
    for library in _libraries():
        if library.let_go is not None:
            library.let_go()


def _restore(limits: Limits) -> None:
    for library, before in limits:
        if library.get() == 1:
            library.set(before)


def _forget_other_threads() -> None:
    """Let a child of the process restore what threads have set that it does not have."""
    for thread in [thread for thread in _inside if thread != get_ident()]:
        _leave(thread)


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_forget_other_threads)
