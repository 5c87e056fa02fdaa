"""Numbers that became too large, or lost their digits: said instead of learned from."""

from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Floats, Weights
from kerneltron.engine.coefficients import find_largest

SCALE = "scale the rows (StandardScaler, Normalizer, kernel.normalized())"

LARGEST = {np.dtype(each): float(np.finfo(each).max) for each in (np.float32, np.float64)}
SURE = 1e-30  # a sum in single precision that is larger has lost nothing to numbers that became 0


def overflow(dtype: Any) -> ValueError:
    """Return the error for weights or scores that became infinite while learning."""
    return ValueError(
        f"a weight or a score grew beyond what {np.dtype(dtype)} can hold: {SCALE}, or lower the learning "
        "rate."
    )


def without_digits() -> str:
    """Return the warning for coefficients that are so large beside the vector that it is mere rounding."""
    return (
        "the vector has become a small difference of large multiples of examples, and has lost its digits: "
        "so it is with ROMMA where no vector separates the data. Give delta, make fewer passes, or use "
        "PassiveAggressive; where the kernel has few features, representation='primal' keeps the digits."
    )


def fits(weights: Weights) -> bool:
    """Return whether no weight is infinite: no entry is longer than its vector, if the norm is kept."""
    largest = LARGEST[weights.v.dtype]
    if weights.norm.size == 1:  # NumPy takes ten times as long
        norm = float(weights.norm[0])
        if norm >= 0.0 and sqrt(norm) < largest * min(float(weights.scale[0]), 1.0):
            return True
    with np.errstate(over="ignore", invalid="ignore"):
        if (np.sqrt(weights.norm) < largest * np.minimum(weights.scale, 1.0)).all():
            return True
    return bool(np.isfinite(weights.v).all())


def scored(X: Any, w: Floats, constant: Floats) -> Floats:
    """Return X w + constant, in the precision of X and w; in double where that cannot hold a score."""
    with np.errstate(over="ignore", invalid="ignore"):
        scores = np.asarray(X @ w + constant)
    if scores.dtype == np.float64:
        return finite(scores)
    doubtful = np.flatnonzero(~_is_single(scores, SURE).all(axis=1))
    if doubtful.size:
        exact = X[doubtful].astype(np.float64) @ w.astype(np.float64) + constant.astype(np.float64)
        if not (_is_single(exact) | (exact == 0)).all():
            scores = scores.astype(np.float64)
        scores[doubtful] = exact
    return finite(scores)


class Factor(NamedTuple):
    """Coefficients in the precision of Gram blocks; divided by `unit`, where that would not hold them."""

    coefficients: Floats
    unit: Floats | None

    def of(self, gram: Floats) -> Floats:
        """Return the product of a Gram block with the coefficients."""
        found = gram @ self.coefficients
        return found if self.unit is None else np.asarray(found * self.unit)


def factor_of(coefficients: Floats, dtype: Any) -> Factor:
    """Return coefficients as the factor of Gram blocks of a precision, which need not hold them."""
    largest = np.zeros(coefficients.shape[1:])
    rows = coefficients.reshape(len(coefficients), largest.size)
    if find_largest(rows, largest.reshape(-1), SURE):
        return Factor(coefficients.astype(dtype, copy=False), None)
    unit = np.where((largest == 0) | ((largest > SURE) & (largest < 1 / SURE)), 1.0, largest)
    return Factor((coefficients / unit).astype(dtype), unit)


def product(gram: Floats, coefficients: Floats) -> Floats:
    """Return the product, in the precision of a Gram block, of coefficients that it need not hold."""
    return factor_of(coefficients, gram.dtype).of(gram)


def _is_single(numbers: Floats, smallest: float = float(np.finfo(np.float32).tiny)) -> Any:
    """Return which numbers single precision holds, all digits of them."""
    sizes = np.abs(numbers)
    return (sizes >= smallest) & (sizes <= np.finfo(np.float32).max)


def finite(scores: Floats) -> Floats:
    """Return scores that are finite; else raise."""
    if np.isfinite(scores).all():
        return scores
    more = ", or give rows of float64" if scores.dtype == np.float32 else ""
    raise ValueError(
        f"a score is beyond what {scores.dtype} can hold, so nothing can be told from it: the rows are too "
        f"large for the weights. Learn again, and {SCALE}{more}."
    )
