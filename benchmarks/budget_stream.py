"""How memory and time grow while a learner with a budget follows a stream.

Run as `python -m benchmarks.budget_stream ROWS`, in a process of its own. Prints JSON.
"""

import json
import sys
from time import process_time

import numpy as np

from benchmarks.budgets import learner, stream
from benchmarks.peak import resident, settle

PIECE, STAGES = 10_000, 10
WHEN_FULL = "random"


def main(rows: int) -> None:
    """Learn from the same few pieces again and again, and look at the process ten times."""
    data = stream(STAGES * PIECE)
    machine = learner(WHEN_FULL)
    machine.partial_fit(data.X[:PIECE], data.y[:PIECE], classes=[False, True])  # compiles and loads code
    settle()
    seen, seconds = 0, 0.0
    stages: list[tuple[int, float, int]] = []
    piece = min(PIECE, rows // STAGES)
    for first in range(0, rows, piece):
        some = slice(first % len(data.X), first % len(data.X) + piece)
        start = process_time()
        machine.partial_fit(data.X[some], data.y[some])
        seconds, seen = seconds + process_time() - start, seen + piece
        if seen % (rows // STAGES) == 0:
            stages.append((seen, seconds, resident("VmHWM")))
    sizes, times, peaks = zip(*stages, strict=True)
    middles = (np.array(sizes) - rows / STAGES / 2).tolist()
    each = (np.diff(times, prepend=0.0) / np.diff(sizes, prepend=0)).tolist()
    found = {"rows": sizes, "seconds": times, "resident": peaks, "middles": middles, "each": each}
    print(json.dumps({**found, "when_full": WHEN_FULL}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
