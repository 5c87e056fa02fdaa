"""`partial_fit` with one row at a time beside chunks of rows: what a call costs, whatever it learns from.

All run in one thread, and CPU seconds are compared: a product of one row is too small to gain from threads.
"""

import gc
from collections.abc import Callable
from importlib import import_module
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from benchmarks.budgets import COLUMNS, stream
from benchmarks.compare import longer
from benchmarks.measure import Timings
from benchmarks.one_call import one_call
from benchmarks.problem import sparse_problem
from benchmarks.settings import Settings
from benchmarks.table import Row, Target
from kerneltron import LogisticRegression, PassiveAggressive, Perceptron

CHUNK = 100  # rows that are learned from at a time, beside one
KERNEL_ROWS, ROWS = 20_000, 5000
TARGET = Target("at most", 5.0)  # of learners with a kernel; in primal form a row takes next to nothing


class Case(NamedTuple):
    """A learner, and rows to learn from."""

    title: str
    make: Callable[..., Any]
    parameters: dict[str, Any]
    X: Any
    y: Any
    target: Target | None = None


def row_by_row(settings: Settings) -> list[Row]:
    """Set one row at a time beside chunks, per example, and single calls beside their aims and peers."""
    with import_module("threadpoolctl").threadpool_limits(1):  # scikit-learn brings it
        rows = [_beside_chunks(case, settings.repeats) for case in _cases(settings)]
    return [*one_call(settings), *rows]


def _cases(settings: Settings) -> list[Case]:
    rows = KERNEL_ROWS // 10 if settings.quick else KERNEL_ROWS
    data = stream(rows)
    X, two = data.X.astype(np.float64), data.y
    ten = (X[:, :4] > 0) @ (1, 2, 4, 8) % 10
    gaussian, polynomial = {"kernel": "Gaussian(3)"}, {"kernel": "Polynomial(3)", "representation": "dual"}
    few, sparse = slice(ROWS), sparse_problem(settings.rows).head(ROWS)
    dense = f"{COLUMNS} columns"
    return [
        Case("Perceptron, Gaussian kernel, 2 classes", Perceptron, gaussian, X, two, TARGET),
        Case("Perceptron, Gaussian kernel, 10 classes", Perceptron, gaussian, X, ten, TARGET),
        Case("PassiveAggressive, cubic kernel, 10 classes", PassiveAggressive, polynomial, X, ten, TARGET),
        Case("Perceptron, budget=200", Perceptron, {**gaussian, "budget": 200}, X[few], two[few]),
        Case(f"Perceptron, {dense}", Perceptron, {}, X[few], two[few]),
        Case(f"LogisticRegression, {dense}", LogisticRegression, {}, X[few], two[few]),
        Case("Perceptron, CSR rows", Perceptron, {}, sparse.X, sparse.two),
    ]


def _beside_chunks(case: Case, repeats: int) -> Row:
    """Measure both by turns; kernels, which take long, have few."""
    count = case.X.shape[0]
    ours, theirs = f"{case.title}, {count:,} rows one by one", f"in chunks of {CHUNK}"
    seconds: dict[str, list[float]] = {ours: [], theirs: []}
    _learn(case, 1, min(count, 3 * CHUNK))  # compiles and loads code
    for _ in range(repeats if case.target is None else 1):
        for name, size in ((ours, 1), (theirs, CHUNK)):
            gc.collect()
            start = process_time()
            _learn(case, size, count)
            seconds[name].append(process_time() - start)
    return longer(Timings(seconds), ours, theirs, case.target)


def _learn(case: Case, size: int, count: int) -> None:
    learner, classes = case.make(random_state=0, **case.parameters), np.unique(case.y)
    for first in range(0, count, size):
        some = slice(first, min(first + size, count))
        learner.partial_fit(case.X[some], case.y[some], classes=classes if first == 0 else None)
