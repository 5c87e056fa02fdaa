"""Kernels over sparse rows beside the same rows made dense."""

from typing import Any

import scipy.sparse as sp

from benchmarks.compare import Work, faster
from benchmarks.measure import with_slow_ones
from benchmarks.settings import Settings
from benchmarks.table import Row, Target
from benchmarks.text import ROWS, Text, text
from kerneltron import Perceptron
from kerneltron.kernels import Gaussian, Kernel, Polynomial

KERNELS: tuple[Kernel, ...] = (Gaussian(1.0), Polynomial(2))


def sparse_dual(settings: Settings) -> list[Row]:
    """Set a pass over CSR rows, all topics at once, beside one over the same rows as a dense matrix."""
    data = text(ROWS // 10 if settings.quick else ROWS)
    dense = data.X.toarray()
    return [_row(kernel, data, dense, settings.repeats) for kernel in KERNELS]


def _row(kernel: Kernel, data: Text, dense: Any, repeats: int) -> Row:
    ours = f"{kernel}, {data.name}, CSR, {data.X.nnz / len(data.y):.0f} entries a row"
    theirs = f"the same, dense, {data.X.shape[1]:,} columns"
    contestant = {ours: lambda X: _learn(kernel, X, data.y)}
    slow = {theirs: lambda _: _learn(kernel, dense, data.y)}
    _learn(kernel, data.X[:300], data.y[:300])

    def anew() -> Any:  # SciPy notes on a matrix which checks it has passed
        return sp.csr_matrix((data.X.data, data.X.indices, data.X.indptr), data.X.shape, copy=False)

    timings = with_slow_ones(contestant, slow, anew, repeats)
    return faster(timings, ours, theirs, Work(len(data.y), "rows"), Target("at least", 1.0))


def _learn(kernel: Kernel, X: Any, y: Any) -> Perceptron:
    return Perceptron(kernel=kernel, representation="dual", random_state=0).fit(X, y)
