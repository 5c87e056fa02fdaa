"""Moments of columns, row by row (Welford), what columns are scaled by, and rows that are scaled by them.

There is one formula, `centre_and_factor`. A column of *numbers* (`is_number`) is centred and divided by its
deviation. Any other is divided by the root of the mean square of its entries: so a word that counts 1 where
it occurs stays 1, and a rare entry is not made a large one. Entries far from all others of their column count
for less, see `outliers`.
"""

from math import sqrt

import numpy as np

from kerneltron._types import ColumnMoments, Entries, Floats, Integers, Scaling
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.outliers import ROUNDING, brought_near, is_far


@inlined
def add_entry(columns: ColumnMoments, j: int, x: float, w: float) -> None:
    """Add an entry of column j."""
    columns.weights[j] += w
    deviation = x - columns.means[j]
    columns.means[j] += deviation * (w / columns.weights[j])
    columns.squares[j] += w * deviation * (x - columns.means[j])


@inlined
def is_number(counted: float, rows: float, scaling: Scaling) -> bool:
    """Return whether a column that `counted` of all rows hold is one of numbers.

    Where absent entries are 0, at least half of the rows must have another value there; where they are
    unknown, all rows must hold the column: centring would make up the value of the others.
    """
    if scaling.is_standard:
        return True
    if scaling.absent_is_zero:
        return bool(scaling.centres & (2.0 * counted >= rows))
    return bool(scaling.centres & (counted == rows))


@inlined
def centre_and_factor(columns: ColumnMoments, j: int, rows: float, scaling: Scaling) -> tuple[float, float]:
    """Return c and f, for which (x - c) f is the scaled value of an entry x of column j.

    With the weight W, the mean m and the squared deviations S of the entries, in n rows, a column of numbers
    has the centre M = m W / n, and 1 / f^2 = (S + W (m - M)^2 + (n - W) M^2) / W, the squared deviations of
    all rows from M; a standard one has n in the place of W there. Any other has 1 / f^2 = m^2 + S / W.
    A column that says nothing, without entries or constant, has f = 0 if its absent entries are 0, where the
    constant feature does the same. Else f = 1; where absent entries are unknown, a constant is a word.
    """
    counted, mean, squares = columns.weights[j], columns.means[j], columns.squares[j]
    idle = 0.0 if scaling.absent_is_zero and not scaling.is_standard else 1.0
    if counted <= 0.0:
        return 0.0, idle
    centre, least, divisor, deviates = 0.0, 0.0, 0.0, is_number(counted, rows, scaling)
    if deviates:
        centre = mean * (counted / rows)
        squares_of_all = squares + mean * mean * counted * ((rows - counted) / rows)
        divisor = sqrt(squares_of_all / (rows if scaling.is_standard else counted))
        least = ROUNDING * abs(centre)
        deviates = scaling.absent_is_zero or divisor > least
    if not deviates:
        centre, least, divisor = 0.0, 0.0, sqrt(mean * mean + squares / counted)
    factor = 1.0 / divisor if divisor > least else idle  # squares of numbers below 1e-162 are 0
    return centre if scaling.centres else 0.0, factor if scaling.divides else 1.0


@compiled
def add_rows(entries: Entries, columns: ColumnMoments, total: float, scaling: Scaling) -> float:
    """Add rows to the moments of their columns; return the weight of all rows so far.

    The weighted form of Welford's updates: W <- W + w, m <- m + (w / W) (x - m) and
    S <- S + w (x - m before) (x - m after). Outliers count for less, see `outliers`.
    """
    starts = entries.starts
    for i in range(starts.size - 1):
        w = entries.weights[i]
        if w <= 0.0:
            continue
        total += w
        for p in range(starts[i], starts[i + 1]):
            add_entry_of_row(entries, i, p, columns, total, scaling)
    return total


@inlined
def column_of(entries: Entries, i: int, p: int) -> int:
    """Return the column of entry p, which is in row i."""
    return int(entries.indices[p]) if entries.indices.size > 0 else int(p - entries.starts[i])


@inlined
def add_entry_of_row(
    entries: Entries, i: int, p: int, columns: ColumnMoments, total: float, scaling: Scaling
) -> None:
    """Add entry p, which is in row i, as far as it counts; one of 0 is absent where that means the same."""
    j, w = column_of(entries, i, p), entries.weights[i]
    x: float = np.float64(entries.values[p])
    if x == 0.0 and scaling.absent_is_zero and not scaling.is_standard:
        return
    if scaling.is_robust and is_far(columns, j, x, w):
        x = brought_near(columns, j, x, w, is_number(columns.weights[j] + w, total, scaling))
    add_entry(columns, j, x, w)


@compiled
def add_and_scale_rows(
    entries: Entries, columns: ColumnMoments, total: float, scaling: Scaling, scaled: Floats
) -> float:
    """Do as `add_rows`; fill `scaled` with each entry, scaled by the rows up to and including its own."""
    starts = entries.starts
    for i in range(starts.size - 1):
        w = entries.weights[i]
        total += w
        for p in range(starts[i], starts[i + 1]):
            if w > 0.0:
                add_entry_of_row(entries, i, p, columns, total, scaling)
            c, f = centre_and_factor(columns, column_of(entries, i, p), total, scaling)
            scaled[p] = (entries.values[p] - c) * f
    return total


@compiled
def scale_entries(
    values: Floats, indices: Integers, centres: Floats, factors: Floats, scaled: Floats
) -> None:
    """Fill `scaled` with the entries of sparse rows, scaled."""
    for p in range(values.size):
        j = indices[p]
        scaled[p] = (values[p] - centres[j]) * factors[j]
