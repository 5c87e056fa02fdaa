"""Which examples become landmarks: by the means of clusters, or by how little others explain them."""

from typing import Any

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron._validate import is_sparse, read_matrix, rows_of
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack

PER_LANDMARK = 20  # examples that are looked at for each landmark
ROUNDS = 5  # of Lloyd's algorithm: most of the gain is in the first
WIDEST = 2**14  # columns that the means of clusters may have, which are dense
BLOCK = 1024  # examples that are compared at a time


def some_of(kernel: Kernel, X: Any, places: Integers) -> Pack:
    """Return some examples, ready to be compared; no others are looked at."""
    if kernel.domain == "similarities":  # the place of a row is what it is
        return kernel.pack(X)[places]
    return kernel.pack(rows_of(X, places))


def by_k_means(kernel: Kernel, X: Any, size: int, rng: np.random.Generator) -> Floats:
    """Return the centres that Lloyd's algorithm finds in a sample of the rows X, from some of them on.

    A cluster that becomes empty begins anew at a row.
    """
    if kernel.domain != "vectors":
        raise ValueError(
            f"method='kmeans' takes means of examples, which only vectors have, and {kernel} compares "
            f"{kernel.domain}: use `method='uniform'` or `method='leverage'`."
        )
    if X.shape[1] > WIDEST:
        raise ValueError(
            f"method='kmeans' takes means of rows, which are dense, and rows have {X.shape[1]:,} columns, "
            f"more than {WIDEST:,}: use `method='uniform'` or `method='leverage'`."
        )
    count = min(X.shape[0], PER_LANDMARK * size)
    sample = read_matrix(X[np.sort(rng.choice(X.shape[0], count, replace=False))])
    sample = sample.toarray() if is_sparse(sample) else sample
    centres = sample[rng.choice(count, size, replace=False)].copy()
    for _ in range(ROUNDS):
        nearest = _nearest(sample, centres)
        members = np.bincount(nearest, minlength=size)
        centres = _sums(sample, nearest, size)
        centres /= np.maximum(members, 1)[:, None].astype(sample.dtype)
        empty = np.flatnonzero(members == 0)
        centres[empty] = sample[rng.choice(count, empty.size, replace=False)]
    return np.asarray(centres)


def _nearest(rows: Floats, centres: Floats) -> Integers:
    squares = np.square(centres).sum(axis=1) / 2
    parts = [
        np.argmax(rows[first : first + BLOCK] @ centres.T - squares, axis=1)
        for first in range(0, len(rows), BLOCK)
    ]
    return np.concatenate(parts)


def _sums(rows: Floats, nearest: Integers, size: int) -> Floats:
    """Return the sum of the rows of each cluster."""
    order = np.argsort(nearest, kind="stable")
    members = np.bincount(nearest, minlength=size)
    there = np.flatnonzero(members)
    starts = (np.cumsum(members) - members)[there]
    sums = np.zeros((size, rows.shape[1]), rows.dtype)
    sums[there] = np.add.reduceat(rows[order], starts, axis=0)
    return sums


def by_leverage(kernel: Kernel, X: Any, size: int, ridge: float | None, rng: np.random.Generator) -> Pack:
    """Return examples drawn without replacement by their ridge leverage scores, in a sample of X.

    Of the n examples of the sample, s are drawn at random, and with these the scores are estimated:
    l_i = (k(x_i, x_i) - k_iS (K_SS + ridge s/n I)^-1 k_Si) / ridge, at most 1.
    """
    total = X.shape[0] if hasattr(X, "shape") else len(X)
    count = min(total, PER_LANDMARK * size)
    pack = some_of(kernel, X, np.sort(rng.choice(total, count, replace=False)))
    drawn = np.sort(rng.choice(count, size, replace=False))
    scores = leverage_scores(kernel, pack, drawn, ridge)
    chosen = rng.choice(count, size, replace=False, p=scores / scores.sum())
    return pack[np.sort(chosen)]


def leverage_scores(kernel: Kernel, pack: Pack, drawn: Integers, ridge: float | None = None) -> Floats:
    """Return estimates of the ridge leverage scores of all examples, from some that were drawn."""
    diagonal = kernel.diag(pack)
    some = pack[drawn]
    chosen = float(diagonal.sum()) / drawn.size if ridge is None else float(ridge)
    inner = np.asarray(kernel.gram(some, some), np.float64)
    inner[np.diag_indices(drawn.size)] += max(chosen * drawn.size / len(pack), 1e-10 * inner.max())
    factor = np.linalg.inv(np.linalg.cholesky(inner))
    explained = np.concatenate(
        [
            np.square(kernel.gram(pack[first : first + BLOCK], some) @ factor.T).sum(axis=1)
            for first in range(0, len(pack), BLOCK)
        ]
    )
    least = np.finfo(np.float64).tiny
    return np.asarray(np.clip((diagonal - explained) / max(chosen, least), 1e-12, 1.0))
