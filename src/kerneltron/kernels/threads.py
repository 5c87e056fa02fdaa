"""Work on the rows of a Gram block, shared between the cores: compiled code runs without the GIL."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

SHARES = 8  # of the rows per core: rows take different times


def in_threads(work: Callable[[int, int], None], rows: int, least: int = 1) -> None:
    """Call work(first, end) for parts of the rows, at least `least` at a time, in one thread per core."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    size = max(least, -(-rows // (cores * SHARES)))
    parts = [(first, min(first + size, rows)) for first in range(0, rows, size)]
    if cores == 1 or len(parts) < 2:
        work(0, rows)
        return
    with ThreadPoolExecutor(min(cores, len(parts))) as pool:
        shares = [pool.submit(work, *part) for part in parts]
        try:
            for share in shares:
                share.result()
        except BaseException:  # an error, or Ctrl-C: what has not begun is not worth waiting for
            pool.shutdown(wait=False, cancel_futures=True)
            raise
