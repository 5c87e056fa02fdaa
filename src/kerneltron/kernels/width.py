"""The width of a Gaussian kernel: a first guess from distances, and a better one from labels."""

from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron._validate import is_sparse, rows_of
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.held_out import class_codes
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.trying import chosen_rows, widest_of_best, widths_tried
from kerneltron.kernels.vectors import vectors

FAR, LARGEST = 1e5, 1e100  # times the usual distance from the centre: where rows are far, and the farthest
SAME = 1e-12  # squared distances below this, relative to the squared norms, are rounding


def propose_sigma(
    X: Any,
    y: Any = None,
    quantile: float = 0.5,
    sample: int = 1000,
    seed: int = 0,
    over: Kernel | None = None,
) -> float:
    """Return a width for Gaussian(sigma, over=over), from distances and, with labels, from held-out errors.

    With much smaller widths an example is similar only to itself, with much larger ones all are alike.
    Without labels it is the median distance between two examples. With labels, widths from that down to an
    eighth of it, each half of the one before, and narrower ones as long as these do better, are tried on
    held-out examples; it is the widest whose error is within one standard error of the smallest.

    Takes O(sample^2) inner products and, with labels, O(sample^3) for each width: half a second for 1,000
    examples on one core. The result depends on the seed, not on the speed of the machine.

    Parameters
    ----------
    X
        Rows of numbers, dense or CSR, or whatever `over` compares.
    y
        One label for each, of two classes or more, or None.
    quantile
        Which distance is the widest that is tried, from 0 to 1; 0.5 is the median.
    sample
        How many examples to look at, at most.
    seed
        Which examples are drawn, where there are more, follows from it.
    over
        The kernel whose feature space holds the distances; None is the space of the rows.

    Returns
    -------
    The width. Examples without a difference count for nothing; if none differ, any width gives the same
    kernel, and 1.0 is returned.

    Examples
    --------
    >>> from kerneltron.kernels import propose_sigma
    >>> round(propose_sigma([[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]]), 6)
    5.0
    >>> rows = [[column / 50] for column in range(200)]
    >>> stripes = [int(2 * x) % 2 for x, in rows]
    >>> round(propose_sigma(rows), 3), round(propose_sigma(rows, stripes), 3)
    (1.18, 0.295)
    """
    if not 0 <= quantile <= 1:
        raise ValueError(f"quantile={quantile!r} must lie between 0 and 1; 0.5 is the median.")
    if sample < 2:
        raise ValueError(f"sample={sample!r} must be at least 2: a distance takes two examples.")
    kernel = Linear() if over is None else over
    pack = kernel.pack(X)
    codes = None if y is None else class_codes(y, len(pack))
    chosen = chosen_rows(len(pack), sample, seed)
    pack = pack[chosen] if len(chosen) < len(pack) else pack
    widest = median_distance(pack, over, quantile)
    if codes is None:
        return widest
    if not codes.any():
        raise ValueError(
            "y holds one class only, which says nothing about the width: leave y out for the median distance."
        )
    rows = vectors(pack).X if over is None else rows_of(X, chosen)
    labels = np.unique(codes[chosen], return_inverse=True)[1]
    found = widths_tried(lambda factor: Gaussian(factor * widest, over), rows, labels)
    return float(widest_of_best(found).factor * widest)


def median_distance(X: Any, over: Kernel | None = None, quantile: float = 0.5) -> float:
    """Return the median, or another quantile, of the distances of examples that differ; 1.0 if none do."""
    kernel, unit = Linear() if over is None else over, 1.0
    pack = kernel.pack(X)
    if kernel._rows is not None:
        part: Any = pack.parts[kernel._rows]
        centred, unit = _centred(part.X)
        kernel, pack = Linear(), Linear().pack(centred)
    distances = squared_distances(kernel.gram(pack, pack))
    counts = np.triu(distances > 0, 1)
    return float(unit * np.sqrt(np.quantile(distances[counts], quantile))) if counts.any() else 1.0


def squared_distances(gram: Floats) -> Floats:
    """Return k(x, x) + k(z, z) - 2 k(x, z) for all pairs of a Gram matrix, 0 where only rounding is left."""
    gram = gram.astype(np.float64)
    norms = np.diag(gram)
    sums = norms[:, None] + norms[None, :]
    distances = sums - gram - gram.T
    distances[distances <= SAME * sums] = 0.0
    return distances


def _centred(X: Any) -> tuple[Any, float]:
    """Return rows in double precision whose distances lose no digits, and the unit they are measured in."""
    X = X.astype(np.float64)
    if is_sparse(X) or not min(X.shape):
        unit = float(abs(X).max()) if min(X.shape) else 0.0
        return (X / unit, unit) if unit > 0 else (X, 1.0)
    about_mean, about_median = X - X.mean(axis=0), X - np.median(X, axis=0)
    unit, usual = float(np.abs(about_mean).max()), float(np.median(np.abs(about_median).max(axis=1)))
    if unit > FAR * usual > 0:  # a few rows are so far away that beside them all others would be the same
        return np.clip(about_median / usual, -LARGEST, LARGEST), usual
    return (about_mean / unit, unit) if unit > 0 else (X, 1.0)
