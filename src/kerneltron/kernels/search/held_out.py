"""What one Gram matrix and labels say of a kernel: its errors on unseen examples, and its alignment."""

from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron._validate import check_labels
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.threads import one_blas_thread

# Of examples whose squared length is 1 on average. The errors are then those of a support vector machine with
# C = 10, in the same order: see docs/inside/kernels.md, "Widths".
RIDGE = 0.3
SHUFFLES = 30  # of the labels, to see which alignment chance gives


class HeldOut(NamedTuple):
    """The share of examples that are taken for another class, its standard error, and the squared error.

    The last tells kernels apart that make the same mistakes. Where an eigenvalue of the Gram matrix is
    negative by more than rounding, it is infinite and the others NaN: that is not a kernel, see
    `kernels.check`.
    """

    error: float
    standard_error: float
    squared: float


def held_out(gram: Floats, codes: Anything, ridge: float = RIDGE) -> HeldOut:
    """Return the error on each example of what is learned from all others.

    What is learned is ridge regression in the features of the kernel and a constant one, on 1 for the class
    of an example and -1 for the others; the largest score wins. With G = K + 1 + ridge I and a = G^-1 y, the
    score of example i without it is y_i - a_i / (G^-1)_ii: leaving out each costs no more than fitting all.
    Takes O(n^3) for n examples: 0.1 s for 1,000 on one core.

    Parameters
    ----------
    gram
        k(x, z) of all pairs; it is brought to a mean of 1 on the diagonal.
    codes
        The class of each example, whole numbers from 0.
    ridge
        What is added to the diagonal.

    References
    ----------
    Rifkin and Lippert, Notes on regularized least squares (2007), section 3.

    Examples
    --------
    >>> import numpy as np
    >>> codes = np.array([0, 0, 0, 1, 1, 1])
    >>> held_out(np.equal.outer(codes, codes).astype(float), codes).error
    0.0
    """
    from scipy.linalg import lapack

    mean = float(np.mean(np.diag(gram)))
    G = gram.astype(np.float64) / (mean if mean > 0 else 1.0) + 1.0
    G[np.diag_indices_from(G)] += ridge
    classes = int(codes.max()) + 1
    Y = np.where(codes[:, None] == np.arange(classes), 1.0, -1.0)
    with (
        one_blas_thread()
    ):  # 300 examples on busy cores: 3 ms, and 1.6 s with threads that wait for each other
        factor, failed = lapack.dpotrf(G, lower=1, clean=0, overwrite_a=1)
        if failed:
            return HeldOut(np.nan, np.nan, np.inf)
        solved, _ = lapack.dpotrs(factor, Y, lower=1)
        diagonal = np.diag(lapack.dpotri(factor, lower=1, overwrite_c=1)[0])
    scores = Y - solved / diagonal[:, None]
    wrong = scores.argmax(axis=1) != codes
    return HeldOut(float(wrong.mean()), _standard_error(wrong), float(np.mean((Y - scores) ** 2)))


def _standard_error(wrong: Anything) -> float:
    """Return the standard error of a share, as if there were one mistake where there is none."""
    n = len(wrong)
    share = min(max(float(wrong.mean()), 1 / n), 1 - 1 / n) if n > 1 else 0.5
    return float(np.sqrt(share * (1 - share) / n))


def alignments(gram: Floats, labels: Anything, shuffles: int = SHUFFLES) -> tuple[float, float]:
    """Return the cosine of the centred Gram matrix and that of the labels, and its maximum over shuffles."""
    members = np.eye(labels.max() + 1)[labels]
    members -= members.mean(axis=0)
    centred = gram - gram.mean(axis=0)
    centred -= centred.mean(axis=1, keepdims=True)
    lengths = float(np.linalg.norm(centred) * np.linalg.norm(members.T @ members))
    largest = float(np.max(np.abs(gram)))
    if not np.linalg.norm(centred) > 1e-12 * len(gram) * largest or lengths == 0:
        return np.nan, np.nan
    generator = np.random.default_rng(0)
    shuffled = [generator.permutation(members) for _ in range(shuffles)]
    values = [float(np.sum(members * (centred @ members))) / lengths for members in [members, *shuffled]]
    return values[0], max(values[1:], default=np.nan)


def symmetric_gram(kernel: Kernel, X: Any) -> Floats:
    """Return the Gram matrix of examples, or of a pack, in double precision, made symmetric."""
    pack = kernel.pack(X)
    gram = kernel.gram(pack, pack).astype(np.float64)
    return (gram + gram.T) / 2


def class_codes(y: Any, n: int) -> Anything:
    """Return n labels as whole numbers from 0; raise where one is missing."""
    check_labels(y)
    labels = np.asarray(y)
    if labels.shape != (n,):
        raise ValueError(f"y has the shape {labels.shape}, but X has {n} examples: give one label for each.")
    if labels.dtype.kind == "f" and np.isnan(labels).any():
        row = np.flatnonzero(np.isnan(labels))[0]
        raise ValueError(f"y holds NaN in row {row}: drop the rows without a label.")
    return np.unique(labels, return_inverse=True)[1]
