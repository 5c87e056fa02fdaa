"""How the time of a fit grows with the number of rows."""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.measure import take_turns
from benchmarks.settings import Settings
from benchmarks.table import Row
from kerneltron import Perceptron
from kerneltron.kernels import Gaussian

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
COLUMNS = 10
MARGIN = 0.5  # no row is nearer to the border between the classes, so few are remembered

Rows = tuple[Any, Any]


def growth(settings: Settings) -> list[Row]:
    """Time a pass of the Gaussian perceptron over more and more rows, and fit a power of n."""
    sizes = [size // 10 if settings.quick else size for size in SIZES]
    data = generated(sizes[-1])
    support: dict[int, int] = {}

    def fit(size: int) -> Callable[[Rows], None]:
        def run(data: Rows) -> None:
            learner = Perceptron(kernel=Gaussian(2.0), representation="dual", shuffle=False)
            support[size] = int(learner.fit(data[0][:size], data[1][:size]).support_.size)

        return run

    fit(sizes[0])(data)
    timings = take_turns({f"{size:,}": fit(size) for size in sizes}, lambda: data, settings.repeats)
    seconds = [timings.best(f"{size:,}") for size in sizes]
    raw = {"seconds": timings.seconds, "support": support}

    def row(k: int) -> Row:
        shown = f"{seconds[k]:.3f} s", f"{support[sizes[k]]:,} remembered"
        figure = 1e6 * seconds[k] / sizes[k]
        return Row(f"Gaussian kernel, a pass, {sizes[k]:,} rows", "", *shown, figure, "µs a row", raw)

    time, memory = power(sizes, seconds), power(sizes, list(support.values()))
    shown = f"time as n^{time:.2f}", f"remembered rows as n^{memory:.2f}"
    title = f"growth from {sizes[0]:,} to {sizes[-1]:,} rows"
    return [*map(row, range(len(sizes))), Row(title, "", *shown, time, "is the power of n", raw)]


def generated(count: int) -> Rows:
    """Draw rows of few columns, positive where the first two have the same sign."""
    random = np.random.default_rng(0)
    X = random.standard_normal((count, COLUMNS), np.float32)
    X[:, :2] += MARGIN * np.sign(X[:, :2])
    return X, X[:, 0] * X[:, 1] > 0


def power(sizes: list[int], amounts: list[Any]) -> float:
    """Return the slope of the line through the logarithms, by least squares."""
    return float(np.polyfit(np.log(sizes), np.log(amounts), 1)[0])
