"""Scaling by the book: all rows so far, in memory, in double precision."""

import numpy as np


def scaled(rows, weights, absent, centres, divides=True):
    """Return c and f of each column for rows of numbers, None where a row does not hold a column."""
    columns = range(len(rows[0])) if rows else []
    return [_of_column([row[j] for row in rows], weights, absent, centres, divides) for j in columns]


def _of_column(entries, weights, absent, centres, divides):
    counted = [(x, w) for x, w in zip(entries, weights, strict=True) if w > 0]
    if absent == "zero":
        counted = [(0.0 if x is None else x, w) for x, w in counted]
        if all(x is None for x in entries):
            return 0.0, 1.0
    there = [(x, w) for x, w in counted if x is not None]
    if not there:
        return 0.0, 1.0
    x, w = np.array(there, np.longdouble).T
    mean = (w * x).sum() / w.sum()
    deviation = np.sqrt((w * (x - mean) ** 2).sum() / w.sum())
    is_constant = (x == x[0]).all()
    if absent == "missing" and (not centres or len(there) < len(counted) or is_constant):
        length = np.sqrt((w * x**2).sum() / w.sum())
        return 0.0, 1.0 / length if divides and length > 0 else 1.0
    return mean if centres else 0.0, 1.0 / deviation if divides and not is_constant else 1.0
