"""The most memory that a process has had."""

import sys
from pathlib import Path

STATUS = Path("/proc/self/status")


def most_megabytes() -> float:
    """Return the most memory that this process has had, in megabytes.

    Linux hands `ru_maxrss` down from the process that started this one; its own peak is VmHWM.
    """
    if STATUS.is_file():
        line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 2**10
    from resource import RUSAGE_SELF, getrusage

    unit = 2**20 if sys.platform == "darwin" else 2**10
    return getrusage(RUSAGE_SELF).ru_maxrss / unit
