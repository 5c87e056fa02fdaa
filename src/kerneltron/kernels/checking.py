"""Is a function a kernel? Its Gram matrix must be symmetric, without negative eigenvalues."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.kernels.from_function import FromFunction
from kerneltron.kernels.grammar import parse
from kerneltron.kernels.items import Items
from kerneltron.kernels.kernel import Kernel


@dataclass(frozen=True)
class Check:
    """What the Gram matrix of some examples says about a function.

    `tolerance` is what rounding may do, relative to the largest eigenvalue; `rows` of `total` examples were
    compared; `asymmetry` is the largest |k(x, z) - k(z, x)|. With infinite or NaN values in the Gram matrix
    the eigenvalues are NaN.
    """

    asymmetry: float
    smallest_eigenvalue: float
    largest_eigenvalue: float
    tolerance: float
    is_symmetric: bool
    is_kernel: bool
    rows: int
    total: int

    def __str__(self) -> str:
        if np.isnan(self.smallest_eigenvalue):
            verdict = "Not a kernel: some of its values are infinite or NaN."
        elif not self.is_symmetric:
            verdict = f"Not a kernel: k(x, z) and k(z, x) differ by up to {self.asymmetry:.3g}."
        elif not self.is_kernel:
            verdict = (
                f"Not a kernel: its Gram matrix has the negative eigenvalue {self.smallest_eigenvalue:.3g} "
                f"(the largest is {self.largest_eigenvalue:.3g})."
            )
        else:
            verdict = (
                f"No counter-example: symmetric, with eigenvalues from {self.smallest_eigenvalue:.3g} to "
                f"{self.largest_eigenvalue:.3g}. Other examples may still hold one."
            )
        return f"{verdict} Compared {self.rows} of {self.total} examples, to within {self.tolerance:.1g}."


def check(
    k: Kernel | str | Callable[[Any, Any], float], X: Any, tolerance: float | None = None, most: int = 1000
) -> Check:
    """Compare examples with each other, and look for what no kernel does.

    Takes O(n^2) comparisons and O(n^3) time of n examples, at most `most`. Finding nothing proves nothing.

    Parameters
    ----------
    k
        A kernel, its text, or a function of two examples that returns a number.
    X
        Examples: the more unlike each other, the better.
    tolerance
        How far below 0 rounding may bring an eigenvalue, relative to the largest one, and how far k(x, z) and
        k(z, x) may differ, relative to the largest value. None is the square root of the precision: 1.5e-8
        for float64.
    most
        Of more examples, this many are compared, evenly spaced.

    Examples
    --------
    >>> import math
    >>> from kerneltron.kernels import Polynomial, check
    >>> check(Polynomial(2), [[0, 1], [1, 2], [3, 1]]).is_kernel
    True
    >>> print(check(lambda x, z: -math.dist(x, z), [[0, 1], [1, 2]]))
    Not a kernel: its Gram matrix has the negative eigenvalue -1.41 (the largest is 1.41).
    Compared 2 of 2 examples, to within 1e-08.
    """
    k = parse(k) if isinstance(k, str) else k
    is_function = isinstance(k, FromFunction) or not isinstance(k, Kernel)  # whose packs would raise at once
    gram, total = (_of_function if is_function else _of_kernel)(k, X, most)
    if tolerance is None:
        tolerance = float(np.sqrt(np.finfo(gram.dtype).eps))
    gram = gram.astype(np.float64)
    with np.errstate(invalid="ignore"):
        asymmetry = float(np.max(np.abs(gram - gram.T)))
    if not np.isfinite(gram).all():
        return Check(asymmetry, np.nan, np.nan, tolerance, asymmetry == 0, False, len(gram), total)
    eigenvalues = np.linalg.eigvalsh((gram + gram.T) / 2)
    smallest, largest = float(eigenvalues[0]), float(eigenvalues[-1])
    is_symmetric = asymmetry <= tolerance * float(np.max(np.abs(gram)))
    is_kernel = is_symmetric and smallest >= -tolerance * max(largest, 0.0)
    return Check(asymmetry, smallest, largest, tolerance, is_symmetric, is_kernel, len(gram), total)


def evenly(total: int, most: int) -> Integers:
    """Return the places of at most `most` of `total` examples, evenly spaced."""
    if total == 0:
        raise ValueError("X has no examples: give at least one.")
    if most < 1:
        raise ValueError(f"most={most!r} must be at least 1.")
    return np.unique(np.linspace(0, total - 1, min(most, total)).round().astype(np.int64))


def _of_kernel(k: Any, X: Any, most: int) -> tuple[Floats, int]:
    pack = k.pack(X)
    some = pack[evenly(len(pack), most)]
    return k.gram(some, some), len(pack)


def _of_function(k: Any, X: Any, most: int) -> tuple[Floats, int]:
    f, vectorized = (k.f, k.vectorized) if isinstance(k, FromFunction) else (k, False)
    if not callable(f):
        raise TypeError(f"{k!r} is neither a kernel nor a function of two examples.")
    items = Items(X)
    some = items[evenly(len(items), most)]
    if vectorized:
        return np.asarray(f(some.items, some.items), np.float64), len(items)
    examples = list(some)
    return np.array([[float(f(x, z)) for z in examples] for x in examples]), len(items)
