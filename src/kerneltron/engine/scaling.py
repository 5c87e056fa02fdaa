"""Counts, means and squared deviations of columns, row by row (Welford), and rows that are scaled by them."""

from math import sqrt

import numpy as np

from kerneltron._types import ColumnMoments, Entries, Floats, Integers, Scaling
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.outliers import brought_near, is_far

EPSILON = 8.9e-16  # deviations below this part of the mean are rounding: four units in the last place


@inlined
def add_entry(columns: ColumnMoments, j: int, x: float, w: float) -> None:
    """Add an entry of column j."""
    columns.weights[j] += w
    deviation = x - columns.means[j]
    columns.means[j] += deviation * (w / columns.weights[j])
    columns.squares[j] += w * deviation * (x - columns.means[j])


@inlined
def centre_and_factor(columns: ColumnMoments, j: int, total: float, scaling: Scaling) -> tuple[float, float]:
    """Return c and f, for which (x - c) f is the scaled value of an entry x of column j."""
    weight, mean, squares = columns.weights[j], columns.means[j], columns.squares[j]
    if weight <= 0.0:
        return 0.0, 1.0
    if scaling.absent_is_zero and weight < total:
        squares += mean * mean * weight * ((total - weight) / total)
        mean *= weight / total
        weight = total
    divisor = sqrt(squares / weight)
    varies, is_whole = divisor > EPSILON * abs(mean), weight == total
    if not scaling.absent_is_zero and not (scaling.centres and varies and is_whole):
        mean, divisor = 0.0, sqrt(mean * mean + squares / weight)
        varies = divisor > 0.0
    return mean if scaling.centres else 0.0, 1.0 / divisor if scaling.divides and varies else 1.0


@compiled
def add_rows(entries: Entries, columns: ColumnMoments, total: float, limits: bool, centres: bool) -> float:
    """Add rows to the moments of their columns; return the weight of all rows so far.

    The weighted form of Welford's updates: W <- W + w, m <- m + (w / W) (x - m) and
    S <- S + w (x - m before) (x - m after). With `limits` outliers count for less (see `outliers`); columns
    that all rows have are centred where `centres` says so.
    """
    starts, indices = entries.starts, entries.indices
    for i in range(starts.size - 1):
        w = entries.weights[i]
        if w <= 0.0:
            continue
        total += w
        for p in range(starts[i], starts[i + 1]):
            j = int(indices[p]) if indices.size > 0 else int(p - starts[i])
            x = np.float64(entries.values[p])
            if limits and is_far(columns, j, x, w):
                is_centred = centres and columns.weights[j] + w == total
                add_entry(columns, j, brought_near(columns, j, x, w, is_centred), w)
            else:
                add_entry(columns, j, x, w)
    return total


@compiled
def add_and_scale_rows(
    entries: Entries, columns: ColumnMoments, total: float, scaling: Scaling, scaled: Floats
) -> float:
    """Do as `add_rows`; fill `scaled` with each entry, scaled by the rows up to and including its own."""
    starts, indices = entries.starts, entries.indices
    for i in range(starts.size - 1):
        w = entries.weights[i]
        total += w
        for p in range(starts[i], starts[i + 1]):
            j = int(indices[p]) if indices.size > 0 else int(p - starts[i])
            if w > 0.0:
                add_entry(columns, j, np.float64(entries.values[p]), w)
            c, f = centre_and_factor(columns, j, total, scaling)
            scaled[p] = (entries.values[p] - c) * f
    return total


@compiled
def fill_scales(
    columns: ColumnMoments, total: float, scaling: Scaling, centres: Floats, factors: Floats
) -> None:
    """Fill `centres` and `factors` with what each column is scaled by."""
    for j in range(centres.size):
        centres[j], factors[j] = centre_and_factor(columns, j, total, scaling)


@compiled
def scale_entries(
    values: Floats, indices: Integers, centres: Floats, factors: Floats, scaled: Floats
) -> None:
    """Fill `scaled` with the entries of sparse rows, scaled."""
    for p in range(values.size):
        j = indices[p]
        scaled[p] = (values[p] - centres[j]) * factors[j]
