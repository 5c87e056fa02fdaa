"""Rows scaled by the rows up to and including each, with scales worked out of the whole columns when due."""

import numpy as np

DUE = {first * 2**power for first in (1, 2, 3, 4, 5, 6, 7) for power in range(40)}


def scaled(X, centres=True):
    """Return the rows of a dense matrix, scaled one after the other."""
    X = np.asarray(X, np.float64)
    found, lengths = np.zeros_like(X), 0.0
    centre, divisor = np.zeros(X.shape[1]), np.full(X.shape[1], np.inf)
    columns = [[] for _ in X.T]  # what was not 0, as it counts
    for n, x in enumerate(X, 1):
        for j, column in enumerate(columns):
            if x[j] != 0:
                columns[j] = with_entry(column, x[j], centres and 2 * (len(column) + 1) >= n)
            if (x[j] != 0 and len(columns[j]) in DUE) or (n in DUE and centre[j] != 0):
                centre[j], divisor[j] = scale(np.array(columns[j]), n, centres)
        most = np.array([largest(len(column)) for column in columns])
        z = np.clip((x - centre) / divisor, -most, most)
        lengths += z @ z
        found[n - 1] = z / np.sqrt(lengths / n) if lengths > 0 else z
    return found


def counted(X, centres=True):
    """Return what was not 0 in each column of a dense matrix, as it counts."""
    columns = [[] for _ in X.T]
    for n, x in enumerate(X, 1):
        for j in np.flatnonzero(x):
            columns[j] = with_entry(columns[j], x[j], centres and 2 * (len(columns[j]) + 1) >= n)
    return columns


def largest(counted):
    """Return the largest scaled entry that is learned from, of a column with this many entries."""
    return max(5.0, np.sqrt(counted) / 4)


def with_entry(column, x, is_centred):
    """Return the entries of a column with one more, each as it counts: none outweighs all others."""
    if len(column) < 2:
        return [*column, x]
    if len(column) == 2:
        low, middle, high = sorted([*column, x])
        column, x = ([middle, high], low) if middle - low > high - middle else ([low, middle], high)
    mean, spread = np.mean(column), np.var(column)
    if not is_centred or np.sqrt(spread) <= 1e-14 * abs(mean):
        spread = np.mean(np.square(column))
    most = np.sqrt(spread * len(column)) * max(1, 25 / len(column))
    return [*column, np.clip(x, mean - most, mean + most) if most > 0 else x]


def scale(entries, n, centres):
    """Return what is subtracted from a column and what it is divided by: infinity where it says nothing."""
    if centres and 2 * entries.size >= n:
        mean = entries.sum() / n
        squares = ((entries - mean) ** 2).sum() + (n - entries.size) * mean**2
        deviation = np.sqrt(squares / entries.size)
        return mean, deviation if deviation > 1e-12 * abs(mean) else np.inf
    return 0.0, np.sqrt((entries**2).mean())
