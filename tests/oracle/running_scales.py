"""Rows scaled by the rows up to and including each, with scales worked out of the whole columns when due."""

import numpy as np

DUE = {first * 2**power for first in (1, 2, 3, 4, 5, 6, 7) for power in range(40)}


def scaled(X, centres=True):
    """Return the rows of a dense matrix, scaled one after the other."""
    X = np.asarray(X, np.float64)
    found, lengths = np.zeros_like(X), 0.0
    centre, divisor = np.zeros(X.shape[1]), np.full(X.shape[1], np.inf)
    for n in range(1, len(X) + 1):
        for j in range(X.shape[1]):
            column = X[:n, j]
            has_come = column[-1] != 0 and np.count_nonzero(column) in DUE
            if has_come or (n in DUE and centre[j] != 0):
                centre[j], divisor[j] = _scale(column, centres)
        z = (X[n - 1] - centre) / divisor
        lengths += z @ z
        found[n - 1] = z / np.sqrt(lengths / n) if lengths > 0 else z
    return found


def _scale(column, centres):
    """Return what is subtracted from a column and what it is divided by: infinity where it says nothing."""
    there = column[column != 0]
    if centres and 2 * there.size >= column.size:
        mean = column.mean()
        deviation = np.sqrt(((column - mean) ** 2).sum() / there.size)
        return mean, deviation if deviation > 1e-12 * abs(mean) else np.inf
    return 0.0, np.sqrt((there**2).mean())
