"""Logarithms of how many there are, where the numbers themselves would have millions of digits."""

from collections.abc import Iterable
from math import exp, inf, log, log1p, pi

import numpy as np

FEW = 10_000  # factors that are multiplied one by one


def log_comb(n: int, k: int) -> float:
    """Return the logarithm of n over k, with at least 8 digits; -inf where there is no such subset.

    Differences of log-gamma would lose all digits for large n: few factors are multiplied, and for many
    Stirling's series is accurate.

    Examples
    --------
    >>> round(log_comb(10, 3), 6), round(log_comb(10**300, 2), 3)
    (4.787492, 1380.858)
    """
    k = min(k, n - k)
    if k < 0:
        return -inf
    if k <= FEW:
        below = np.arange(k, dtype=np.float64)
        return float(np.log(float(n) - below).sum() - np.log(below + 1).sum())
    part = k / n
    return k * -log(part) - (n - k) * log1p(-part) - 0.5 * (log(2 * pi * k) + log1p(-part))


def log_sum(logs: Iterable[float]) -> float:
    """Return the logarithm of a sum from those of its terms.

    Examples
    --------
    >>> round(exp(log_sum([log(2), log(3), 0])), 6), log_sum([])
    (6.0, -inf)
    """
    terms = list(logs)
    largest = max(terms, default=-inf)
    if largest == -inf:
        return -inf
    return largest + log(sum(exp(term - largest) for term in terms))
