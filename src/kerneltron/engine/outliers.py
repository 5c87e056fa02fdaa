"""Entries far from all others of their column: how much they count for its scale, and what is learned from.

One entry must not outweigh all others. Where a column has had entries of the weight W, with the mean m and
the squared deviations S, a further entry x of the weight w counts at most as far from the mean as

    w (x - m)^2 <= S max(1, (25 w / W)^2),

as much as all entries before it, or more while these are few. In standard deviations, whose square is S / W,
that is sqrt(W) or 25 / sqrt(W), which is never less than 5. Where the column is not centred, or was constant,
S is the sum of its squares. So an outlier multiplies the variance by 2 at the most once there are 25 entries,
whatever its size; where such values come again and again, the scale follows them exponentially.
Of the first three entries, the one that is far from the others counts as if it had been the last: it does not
matter where an outlier stands. Of data without outliers nothing is limited, but for some of the first entries
of a column by chance.

A scaled entry that is learned from is at most max(5, sqrt(W) / 4) in size. No value that 16 of W entries
have is larger, so that what comes again is learned from as it is. Predictions are not limited: they are
linear in the rows as they are.
"""

from math import sqrt
from typing import Any

import numpy as np

from kerneltron._types import ColumnMoments, Floats, Integers
from kerneltron.engine.compiled import compiled, inlined, internal

ROUNDING = 1e-14  # deviations below this part of the mean are rounding
LARGE = 5.0  # size of a scaled entry that is always learned from as it is
# Entries after which a further one counts no more than all of them: up to LARGE standard deviations it always
# counts as it is. One outlier in 500 rows costs a point more than it costs a batch learner in 37 of 5,600
# cases; with 64 entries it was 61.
KNOWN = LARGE * LARGE
AGAIN = 16.0  # entries with the same value, after which it is learned from as it is


@inlined
def is_far(columns: ColumnMoments, j: Any, x: float, w: float) -> bool:
    """Return whether to look up what an entry x of column j counts as: any other counts as it is."""
    before = columns.weights[j]
    deviation = x - columns.means[j]
    far = w * deviation * deviation * before > columns.squares[j] * max(before, KNOWN * w)
    return bool(far | (before == 2.0 * w))


@internal
def brought_near(columns: ColumnMoments, j: Any, x: float, w: float, is_centred: bool) -> float:
    """Return what an entry counts as that `is_far`. One of the first two may be exchanged for it."""
    before = columns.weights[j]
    if before < 2.0 * w:
        return x  # of two entries none is nearer to the others
    if before == 2.0 * w:
        x = put_far_one_last(columns, j, x, w, is_centred)
    mean: float = columns.means[j]
    deviation = x - mean
    most = most_squared(before, mean, columns.squares[j], w, is_centred)
    # Numbers whose squares are none stay as they are: to count them is a failure.
    if not most < deviation * deviation < np.inf or most <= 0.0:
        return x
    return mean + sqrt(most) if deviation > 0.0 else mean - sqrt(most)


@inlined
def most_squared(before: float, mean: float, squares: float, w: float, is_centred: bool) -> float:
    """Return the squared deviation from the mean with which a further entry counts at most."""
    if not is_centred or not squares > ROUNDING * ROUNDING * mean * mean * before:
        squares += mean * mean * before
    return squares * max(1.0 / w, KNOWN * KNOWN * w / (before * before))


@inlined
def put_far_one_last(columns: ColumnMoments, j: Any, x: float, w: float, is_centred: bool) -> float:
    """Return the one of the first three entries that counts last, with x in its place among the moments.

    Moments of two entries tell what these were: m - d and m + d with d^2 = S / W.
    """
    mean: float = columns.means[j]
    half = sqrt(columns.squares[j] / columns.weights[j])
    if abs(x - mean) >= 3.0 * half:
        return x  # it is the one that is far
    far, near = (mean - half, mean + half) if x > mean else (mean + half, mean - half)
    middle, squares = 0.5 * (near + x), 0.5 * w * (near - x) * (near - x)
    most = most_squared(2.0 * w, middle, squares, w, is_centred)
    if most <= 0.0 or not (far - middle) * (far - middle) > most:
        return x  # as it is in most columns, whose moments stay exact
    columns.means[j], columns.squares[j] = middle, squares
    return far


@inlined
def limited(z: float, counted: float) -> float:
    """Return a scaled entry, as it is learned from, of a column with entries of this weight."""
    if -LARGE <= z <= LARGE:
        return z
    most = max(LARGE, sqrt(counted / AGAIN))
    return min(max(z, -most), most)


@compiled
def limit_entries(scaled: Floats, indices: Integers, weights: Floats) -> None:
    """Limit the scaled entries of sparse rows, for columns of these weights."""
    for p in range(scaled.size):
        scaled[p] = limited(scaled[p], weights[indices[p]])
