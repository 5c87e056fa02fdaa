"""How much memory the dual form may use: what was asked for, or what is needed and the machine has."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from kerneltron.learning.kernel_method import KernelMethod
    from kerneltron.learning.space import Data

MEGABYTE = 2**20
USUAL = 256 * MEGABYTE  # for streams, which make one pass, and for examples that need no more
RESERVED = 64 * MEGABYTE  # beyond scores and kernel values
PART = 0.25  # of the memory that is free, at most
UNKNOWN = 2**32  # bytes that are taken to be free where the system does not say


def working_memory(method: "KernelMethod", data: "Data", columns: int) -> int:
    """Return the bytes that a model may use beyond its examples.

    That is what was asked for, as far as it is there. Without a number it is room for all kernel values of
    the examples, but at most a quarter of the memory that is free: the same on all machines that have
    enough.
    """
    if not isinstance(method.working_memory, str):
        asked = int(method.working_memory * MEGABYTE)
        return asked if asked <= USUAL else max(USUAL, min(asked, free_memory()))
    rows = 0 if data.X is None else data.X.shape[0] if hasattr(data.X, "shape") else len(data.X)
    if method.passes <= 1 or rows != data.examples:
        return USUAL
    needed = rows * (rows + 8 * columns) * np.dtype(data.dtype).itemsize
    wanted = needed + RESERVED
    return USUAL if wanted <= USUAL else int(max(USUAL, min(wanted, PART * free_memory())))


def free_memory() -> int:
    """Return the bytes of memory that are free, for this process and all others of its group.

    Examples
    --------
    >>> free_memory() > 0
    True
    """
    found = [*_available(), *_left_to_group()]
    return min(found) if found else UNKNOWN


def _available() -> list[int]:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return [1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable")]
    except (OSError, ValueError, IndexError):
        return [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")] if hasattr(os, "sysconf") else []


def _left_to_group() -> list[int]:
    group = Path("/sys/fs/cgroup")
    try:
        most, used = (int((group / name).read_text()) for name in ("memory.max", "memory.current"))
        return [max(0, most - used)]
    except (OSError, ValueError):  # there is no limit, or none that can be read
        return []
