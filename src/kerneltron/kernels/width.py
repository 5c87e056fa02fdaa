"""A first guess at the width of a Gaussian kernel."""

from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron._validate import is_sparse
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.vectors import vectors

SAME = 1e-12  # squared distances below this, relative to the squared norms, are rounding


def propose_sigma(
    X: Any,
    y: Any = None,
    quantile: float = 0.5,
    sample: int = 1000,
    seed: int = 0,
    over: Kernel | None = None,
) -> float:
    """Return a width for Gaussian(sigma, over=over): the median distance between two examples.

    With much smaller widths an example is similar only to itself, with much larger ones all are alike. Widths
    from a quarter of it to four times as much are worth a try. Takes O(sample^2) inner products.

    Parameters
    ----------
    X
        Rows of numbers, dense or CSR, or whatever `over` compares.
    y
        With labels, only distances between examples of different labels count.
    quantile
        Which distance, from 0 to 1; 0.5 is the median, 0.1 fits labels that change over short distances.
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
    """
    if not 0 <= quantile <= 1:
        raise ValueError(f"quantile={quantile!r} must lie between 0 and 1; 0.5 is the median.")
    if sample < 2:
        raise ValueError(f"sample={sample!r} must be at least 2: a distance takes two examples.")
    kernel = Linear() if over is None else over
    pack, unit = kernel.pack(X), 1.0
    labels = None if y is None else one_each(y, len(pack))
    if len(pack) > sample:
        rows = np.sort(np.random.default_rng(seed).choice(len(pack), sample, replace=False))
        pack, labels = pack[rows], None if labels is None else labels[rows]
    if over is None:
        centred, unit = _centred(vectors(pack).X)
        pack = kernel.pack(centred)
    distances = squared_distances(kernel.gram(pack, pack))
    counts = np.triu(distances > 0, 1)
    if labels is not None:
        counts &= labels[:, None] != labels[None, :]
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
    if not is_sparse(X) and len(X):
        X = X - X.mean(axis=0)
    unit = float(abs(X).max()) if min(X.shape) else 0.0
    return (X / unit, unit) if unit > 0 else (X, 1.0)


def one_each(y: Any, n: int) -> Anything:
    """Return the labels as an array; raise unless there is one for each of n examples."""
    labels = np.asarray(y)
    if labels.shape != (n,):
        raise ValueError(f"y has the shape {labels.shape}, but X has {n} examples: give one label for each.")
    return labels
