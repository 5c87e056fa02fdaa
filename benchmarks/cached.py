"""Ten passes of online learners where most examples move, in CPU seconds, beside their first pass.

Every pass compares the same examples anew. Where kernel values are kept, later passes cost little.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.budgets import turns
from benchmarks.compare import longer
from benchmarks.digits import digits
from benchmarks.settings import Settings
from benchmarks.table import Row
from kerneltron import PassiveAggressive, Perceptron
from kerneltron.datasets.letters import CLASSES, letters
from kerneltron.kernels import Gaussian

ROWS, PASSES, WRONG = 15_000, 10, 0.2  # and the share of labels that are drawn anew
WIDE = 784
LEARNERS = {"PassiveAggressive": PassiveAggressive, "Perceptron": Perceptron}


def cached(settings: Settings) -> list[Row]:
    """Set ten passes beside one, on narrow rows, wide rows, and pictures."""
    with import_module("threadpoolctl").threadpool_limits(1):  # scikit-learn brings it
        return [row for problem in problems(settings) for row in ten_passes(*problem, settings)]


def problems(settings: Settings) -> Iterator[tuple[str, Any, Any, float]]:
    """Yield names, rows, labels, and widths of kernels."""
    rows = settings.at_most(ROWS)
    for columns, sigma in ((16, 2.0), (WIDE, 30.0)):
        data = letters(rows, 1, columns)
        yield f"letters, {rows:,} x {columns}", data.X, with_wrong(data.y, CLASSES), sigma
    pictures = digits(60_000).head(rows)
    yield f"{pictures.name}, {rows:,} rows", pictures.X, with_wrong(pictures.y, 10), 5.0


def with_wrong(y: Any, classes: int) -> Any:
    """Return labels of which some are drawn anew."""
    random = np.random.default_rng(0)
    return np.where(random.random(len(y)) < WRONG, random.integers(classes, size=len(y)), y)


def ten_passes(name: str, X: Any, y: Any, sigma: float, settings: Settings) -> list[Row]:
    """Return a row for each learner."""
    found = []
    for learner, make in LEARNERS.items():

        def fit(passes: int, make: Any = make) -> Any:
            return make(kernel=Gaussian(sigma), passes=passes, random_state=0).fit(X, y)

        make(kernel=Gaussian(sigma)).fit(X[:500], y[:500])  # so that no turn compiles or loads anything
        ours, first = f"{learner}, {PASSES} passes, {name}, {WRONG:.0%} of labels at random", "one pass"
        contestants = {ours: lambda _, fit=fit: fit(PASSES), first: lambda _, fit=fit: fit(1)}
        found.append(longer(turns(contestants, None, 1), ours, first))
    return found
