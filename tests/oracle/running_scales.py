"""Rows scaled by the rows up to and including each, worked out anew for every row."""

import numpy as np


def scaled(X, centres=True):
    """Return the rows of a dense matrix, scaled one after the other."""
    X = np.asarray(X, np.float64)
    found, lengths = np.zeros_like(X), 0.0
    for n in range(1, len(X) + 1):
        z = np.array([_entry(X[:n, j], centres) for j in range(X.shape[1])])
        lengths += z @ z
        found[n - 1] = z / np.sqrt(lengths / n) if lengths > 0 else z
    return found


def _entry(column, centres):
    """Return the last entry of a column, scaled."""
    there = column[column != 0]
    if not there.size:
        return 0.0
    if centres and 2 * there.size >= column.size:
        mean = column.mean()
        deviation = np.sqrt(((column - mean) ** 2).sum() / there.size)
        return (column[-1] - mean) / deviation if deviation > 1e-12 * abs(mean) else 0.0
    return column[-1] / np.sqrt((there**2).mean())
