"""The memory that a fit needs beyond its input."""

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.measure import run_python
from benchmarks.problem import save, sparse_problem
from benchmarks.settings import Settings
from benchmarks.table import Row, Target

PROCESSES = 3
# glibc keeps freed memory unless it came from mmap, and which arrays do depends on what was freed before.
# With a fixed threshold, what is freed leaves the process, and the figure is steady.
STEADY = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536", "MALLOC_ARENA_MAX": "1"}


def memory(settings: Settings) -> list[Row]:
    """Count the bytes a weight of the default learner: v of four, u of eight, and the average of four."""
    with TemporaryDirectory() as folder:
        save(sparse_problem(settings.rows), Path(folder))
        return [*_rows("Perceptron", folder, "two"), *_rows("Perceptron, ten classes", folder, "ten")]


def _rows(title: str, folder: str, labels: str) -> list[Row]:
    found = [run_python("-m", "benchmarks.peak", folder, labels, **STEADY) for _ in range(PROCESSES)]
    weights = found[0]["weights"]

    def row(what: str, when: int, target: Target | None) -> Row:
        # Linux counts pages in batches, up to a quarter of a megabyte too few; tracemalloc sees NumPy's and
        # Python's memory alone. So the larger counts, and its second decimal says nothing about the weights.
        resident, allocated = (median(run[name][when] for run in found) for name in ("resident", "allocated"))
        shown = f"{resident / 1e6:.2f} MB resident", f"{allocated / 1e6:.2f} MB allocated"
        figure = round(max(resident, allocated) / weights, 1)
        raw = {"processes": found}
        return Row(f"memory of {what}", f"{weights:,} weights", *shown, figure, "bytes a weight", raw, target)

    return [row(f"{title}, fit", 0, Target("at most", 16.0)), row(f"{title}, fit and coef_", 1, None)]
