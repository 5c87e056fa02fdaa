"""What was published about hashed features: the mean, the variance, and three bounds.

phi(x) has m slots, and feature i is added to slot h(i) with the sign xi(i). As printed, the bounds do not
hold everywhere: examples of 10^4 equal entries break theorem 3 with m = 16 slots, and with it both
corollaries. So they are here to be drawn beside measurements; mean and variance are the ones to rely on.

Weinberger, Dasgupta, Langford, Smola and Attenberg, Feature hashing for large scale multitask learning
(2009), lemma 2, theorem 3, corollaries 4 and 5.
"""

from math import exp, log, sqrt
from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats


class Tail(NamedTuple):
    """An error, and the chance with which it is exceeded at most, as printed."""

    error: float
    probability: float


def hashed_variance(x: Floats, z: Floats, slots: int) -> float:
    """Return the variance of <phi(x), phi(z)>, whose mean is <x, z>.

    (1 / m) (sum over i != j of (x_i^2 z_j^2 + x_i z_i x_j z_j)).

    Parameters
    ----------
    x, z
        Two examples: one value per feature, for the same features.
    slots
        Number of slots m, at least 1.

    Examples
    --------
    Two features of weight 1 meet in one of two slots half of the time, and then add 2 or -2 to the norm.

    >>> x = np.array([1.0, 1.0])
    >>> hashed_variance(x, x, slots=2)
    2.0
    """
    total = (x @ x) * (z @ z) + (x @ z) ** 2 - 2 * np.square(x) @ np.square(z)
    return float(total / slots)


def relative_deviation(x: Floats, slots: int) -> float:
    """Return sigma_xx: the standard deviation of |phi(x)|^2 / |x|^2.

    Examples
    --------
    >>> relative_deviation(np.array([2.0, 2.0]), slots=1)
    1.0
    """
    return sqrt(hashed_variance(x, x, slots)) / _squared_norm(x)


def peak(x: Floats) -> float:
    """Return eta = |x|_inf / |x|_2: 1 for a single feature, 1 / sqrt(d) for d equal ones.

    Examples
    --------
    >>> peak(np.ones(100))
    0.1
    """
    return float(np.abs(x).max() / sqrt(_squared_norm(x)))


def norm_tail(x: Floats, slots: int, epsilon: float) -> Tail:
    """Return theorem 3, for the relative error of a squared norm.

    Pr{ | |phi(x)|^2 - |x|^2 | / |x|^2 >= sqrt(2) sigma_xx + epsilon } <= exp(-sqrt(epsilon) / (4 eta)).

    Parameters
    ----------
    x
        One value per feature, not all 0.
    slots
        Number of slots m, at least 1.
    epsilon
        What the error may be beyond sqrt(2) sigma_xx, from 0 to 1.

    Examples
    --------
    Over many hash functions, this error is exceeded with a frequency of 0.077, not 0.00037.

    >>> error, probability = norm_tail(np.ones(10_000), slots=16, epsilon=0.1)
    >>> f"{error:.3f} {probability:.5f}"
    '0.600 0.00037'
    """
    error = sqrt(2) * relative_deviation(x, slots) + epsilon
    return Tail(error, _decay(epsilon, peak(x)))


def product_tail(x: Floats, z: Floats, slots: int, epsilon: float) -> Tail:
    """Return corollary 4, for the error of an inner product.

    Pr{ |<phi(x), phi(z)> - <x, z>| > (sqrt(2) sigma + epsilon) Delta / 2 } < 3 exp(-sqrt(epsilon) / (4 eta)),
    with the largest sigma and the smallest eta of x, z and x - z, and Delta = |x|^2 + |z|^2 + |x - z|^2. The
    smallest eta is as printed: to follow from theorem 3 for each of the three, it must be the largest. The
    probability may come out above 1, and then says nothing.

    Parameters
    ----------
    x, z
        Two different examples: one value per feature, not all 0.
    slots
        Number of slots m, at least 1.
    epsilon
        What the error may be beyond sqrt(2) sigma, from 0 to 1 and in units of Delta / 2.

    Examples
    --------
    >>> x, z = np.array([3.0, 0.0]), np.array([0.0, 4.0])
    >>> error, probability = product_tail(x, z, slots=2**20, epsilon=0.25)
    >>> f"{error:.2f} {probability:.2f}"
    '6.28 2.57'
    """
    vectors = (x, z, x - z)
    sigma = max(relative_deviation(each, slots) for each in vectors)
    total = sum(_squared_norm(each) for each in vectors)
    probability = 3 * _decay(epsilon, min(map(peak, vectors)))
    return Tail((sqrt(2) * sigma + epsilon) * total / 2, probability)


def distances_tail(points: int, eta: float, slots: int, delta: float) -> Tail:
    """Return corollary 5, for the largest relative error of all squared distances among n points.

    If |x_i - x_j|_inf <= eta |x_i - x_j|_2 for all pairs, then with probability 1 - delta no error is above
    sqrt(2 / m) + 64 eta^2 log^2(n / (2 delta)). The first term is as printed: sqrt(2) sigma_xx of theorem 3
    can come close to 2 / sqrt(m).

    Parameters
    ----------
    points
        Number of points n, at least 2.
    eta
        Largest |x_i - x_j|_inf / |x_i - x_j|_2 of all pairs, above 0 and at most 1.
    slots
        Number of slots m, at least 1.
    delta
        Probability, between 0 and 1, that some pair has a larger error.

    Examples
    --------
    >>> error, _ = distances_tail(points=100, eta=0.01, slots=2**10, delta=0.05)
    >>> f"{error:.3f}"
    '0.350'
    """
    if not 0 < delta < 1:
        raise ValueError(f"delta={delta!r} is not a probability between 0 and 1.")
    return Tail(sqrt(2 / slots) + 64 * eta**2 * log(points / (2 * delta)) ** 2, delta)


def _decay(epsilon: float, eta: float) -> float:
    return exp(-sqrt(epsilon) / (4 * eta))


def _squared_norm(x: Floats) -> float:
    square = float(x @ x)
    if square == 0:
        raise ValueError("A vector of zeros, or the difference of two equal vectors, has no relative error.")
    return square
