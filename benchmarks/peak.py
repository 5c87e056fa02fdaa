"""How far the memory of a process rises while a learner is fitted: `python -m benchmarks.peak FOLDER LABELS`.

It runs in a process of its own, because a process may keep what it once held. Prints JSON.
"""

import ctypes
import gc
import json
import resource
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.problem import load
from kerneltron import Perceptron


def resident(field: str) -> int:
    """Return `VmRSS` or `VmHWM` of this process in bytes; where /proc is missing, the peak for either."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def settle() -> None:
    """Give back what is free, and let VmHWM start again from what is resident then."""
    gc.collect()
    with suppress(AttributeError, OSError, TypeError):  # where there is no glibc
        ctypes.CDLL(None).malloc_trim(0)  # free pages that stayed would hide as much of the rise
    with suppress(OSError):  # not Linux, or not allowed: then the peak of the whole process has to serve
        Path("/proc/self/clear_refs").write_text("5")


def rises(X: Any, y: Any, now: Callable[[], int]) -> list[int]:
    """Return how much memory a fit takes, and how much with the vectors, which are worked out on demand."""
    learner = Perceptron(random_state=0).fit(X, y)
    fitted = now()
    assert np.isfinite(learner.coef_[0, 0])
    return [fitted, now()]


def main(folder: Path, labels: str) -> None:
    """Print the rise of the resident memory in one fit, and of what NumPy and Python allocated in another."""
    problem = load(folder)
    y = getattr(problem, labels)
    rises(problem.X[:1000], y[:1000], int)  # compiles and loads code
    settle()
    before = resident("VmRSS")
    risen = rises(problem.X, y, lambda: resident("VmHWM") - before)
    gc.collect()
    tracemalloc.start()
    allocated = rises(problem.X, y, lambda: tracemalloc.get_traced_memory()[1])
    weights = (problem.X.shape[1] + 1) * (1 if labels == "two" else 10)
    print(json.dumps({"weights": weights, "resident": risen, "allocated": allocated}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
