"""Rows whose columns are brought to one scale by the rows so far, as they are visited.

Column j has been different from 0 in W of n rows, with the mean m and the squared deviations S there. Where
that is at least half of them, the column is *centred*: x becomes (x - M) / s with the mean M of all rows and

    s^2 = (squared deviations of all rows from M) / W.

Else it is only divided, by the root of the mean square of what is not 0. So a column of numbers is
standardised, a word that is 1 where it occurs stays 1, and a rare entry is not made a large one. Rows are
then divided by the root of their mean squared length so far: their squared length is 1 on average. Entries
far from all others of their column are limited (see `outliers`).

Counts grow with every row. What is worked out of them, a root and three quotients, is so when W has one of
the values 1, 2, ..., 7, 8, 10, 12, 14, 16, 20, ..., and for centred columns also when n has: for dense and
for sparse rows alike.
"""

from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import ColumnMoments, Dense, Floats, Integers, Scaling, Sparse
from kerneltron.engine.compiled import compiled, inlined, internal
from kerneltron.engine.outliers import LARGE, brought_near, is_far, limited
from kerneltron.engine.scaling import add_entry, centre_and_factor, is_number

LARGEST = 1e307  # squares beyond it are a failure, which an infinite sum of lengths tells of
STEPS = 8  # twice as many values at which scales are worked out as there are from one power of 2 to the next
ROWS, LENGTHS, CENTRED = 0, 1, 2  # places in `Scales.numbers`


class Scales(NamedTuple):
    """What is known of the columns, of double precision; entries of 0 do not count.

    `numbers` are the rows so far, the sum of their squared lengths, and how many columns are listed as
    centred.
    """

    moments: ColumnMoments
    centres: Floats  # in use: a value x becomes (x - centre) * factor
    factors: Floats
    listed: Integers  # centred columns, where rows are sparse
    places: Integers  # of each column in that list, -1 where it is not in it
    seen: Integers  # for each of the list, the last visit whose row had it
    numbers: Floats


@inlined
def is_due(count: float) -> bool:
    """Return whether scales are worked out at this count: where no more than its first three bits are 1."""
    n = np.int64(count)
    return bool(n < STEPS * (n & -n))


@inlined
def count(scales: Scales, j: Any, x: float) -> None:
    """Count an entry of column j."""
    add_entry(scales.moments, j, x, 1.0)
    if not scales.moments.squares[j] < LARGEST:
        scales.numbers[LENGTHS] = np.inf


@internal
def count_far(scales: Scales, j: Any, x: float, scaling: Scaling) -> None:
    """Count an entry of column j that is far from the others, as if it were nearer."""
    is_centred = is_number(scales.moments.weights[j] + 1.0, scales.numbers[ROWS], scaling)
    count(scales, j, brought_near(scales.moments, j, x, 1.0, is_centred))


@inlined
def work_out(scales: Scales, j: Any, scaling: Scaling) -> None:
    """Work out the scale of column j."""
    scales.centres[j], scales.factors[j] = centre_and_factor(scales.moments, j, scales.numbers[ROWS], scaling)


@inlined
def length_unit(scales: Scales) -> float:
    """Return what rows are multiplied by, once their columns are scaled."""
    if scales.numbers[LENGTHS] <= 0.0:
        return 1.0
    return sqrt(scales.numbers[ROWS] / scales.numbers[LENGTHS])


@compiled
def work_out_all(scales: Scales, scaling: Scaling) -> None:
    """Work out all columns."""
    for j in range(scales.centres.size):
        work_out(scales, j, scaling)


@inlined
def work_out_if_due(scales: Scales, j: Any, is_row_due: bool, scaling: Scaling) -> None:
    """Work out the scale of column j, whose entry was counted, if it is due; so are all in some rows."""
    n = scales.moments.weights[j]
    if is_row_due if n == scales.numbers[ROWS] else is_due(n):
        work_out(scales, j, scaling)


@internal
def count_far_entries(x: Floats, scales: Scales, is_row_due: bool, scaling: Scaling) -> None:
    """Count the entries of a row, of which some are far from the others of their column."""
    for j in range(np.uintp(x.size)):
        if x[j] != 0.0:
            if is_far(scales.moments, j, np.float64(x[j]), 1.0):
                count_far(scales, j, np.float64(x[j]), scaling)
            else:
                count(scales, j, np.float64(x[j]))
            work_out_if_due(scales, j, is_row_due, scaling)


@inlined
def count_dense_row(x: Floats, scales: Scales, scaling: Scaling) -> bool:
    """Count a row, work out what is due, and return whether entries of it have to be limited."""
    width, numbers = x.size, scales.numbers
    numbers[ROWS] += 1.0
    is_row_due, has_far = is_due(numbers[ROWS]), False
    for j in range(np.uintp(width)):
        has_far |= is_far(scales.moments, j, np.float64(x[j]), 1.0)
    if has_far:  # with this among it, the loop below would take twice as long
        count_far_entries(x, scales, is_row_due, scaling)
    else:
        for j in range(np.uintp(width)):
            if x[j] != 0.0:
                count(scales, j, np.float64(x[j]))
                work_out_if_due(scales, j, is_row_due, scaling)
    if is_row_due:
        for j in range(np.uintp(width)):
            if scales.centres[j] != 0.0:
                work_out(scales, j, scaling)
    length, largest = 0.0, 0.0
    for j in range(np.uintp(width)):
        z = (np.float64(x[j]) - scales.centres[j]) * scales.factors[j]
        length += z * z
        largest = max(largest, abs(z))
    if largest > LARGE:
        length = 0.0
        for j in range(np.uintp(width)):
            z = (np.float64(x[j]) - scales.centres[j]) * scales.factors[j]
            length += limited(z, scales.moments.weights[j]) ** 2
    numbers[LENGTHS] += length
    return largest > LARGE


@compiled
def scale_dense(
    rows: Dense, order: Integers, scales: Scales, counts: bool, limits: bool, scaling: Scaling, scaled: Floats
) -> None:
    """Fill `scaled` with the rows in their order; where it `counts`, each by the rows up to itself.

    Rows to be learned from, as those that count, have `limits`.
    """
    width = rows.width
    real = scaled.dtype.type
    for k in range(order.size):
        x = rows.values[order[k] * width : (order[k] + 1) * width]
        to = scaled[k * width : (k + 1) * width]
        is_limited = count_dense_row(x, scales, scaling) if counts else limits
        unit = length_unit(scales)
        for j in range(np.uintp(width)):
            to[j] = real((np.float64(x[j]) - scales.centres[j]) * (scales.factors[j] * unit))
        if is_limited:
            for j in range(np.uintp(width)):
                z = (np.float64(x[j]) - scales.centres[j]) * scales.factors[j]
                if not -LARGE <= z <= LARGE:
                    to[j] = real(limited(z, scales.moments.weights[j]) * unit)


@inlined
def work_out_listed(scales: Scales, j: Any, scaling: Scaling) -> None:
    """Work out the scale of column j, and keep the list of centred columns."""
    centre, scales.factors[j] = centre_and_factor(scales.moments, j, scales.numbers[ROWS], scaling)
    last = np.int64(scales.numbers[CENTRED])
    if centre == 0.0 and last == 0:
        return  # as of words: centres and places, which lie elsewhere, are not looked at
    scales.centres[j], place = centre, scales.places[j]
    if centre != 0.0 and place < 0:
        scales.listed[last], scales.places[j], scales.seen[last] = j, last, -1
        scales.numbers[CENTRED] = last + 1
    elif centre == 0.0 and place >= 0:
        moved = scales.listed[last - 1]
        scales.listed[place], scales.seen[place] = moved, scales.seen[last - 1]
        scales.places[moved] = place
        scales.places[j] = -1
        scales.numbers[CENTRED] = last - 1


@inlined
def count_row(rows: Sparse, i: int, scales: Scales, scaling: Scaling) -> None:
    """Count a row, and work out what is due."""
    numbers = scales.numbers
    numbers[ROWS] += 1.0
    for p in range(np.uintp(rows.starts[i]), np.uintp(rows.starts[i + 1])):
        x, j = np.float64(rows.values[p]), np.uintp(rows.indices[p])
        if x != 0.0:
            if is_far(scales.moments, j, x, 1.0):
                count_far(scales, j, x, scaling)
            else:
                count(scales, j, x)
    # After all entries are counted, as their columns are in the cache then.
    for p in range(np.uintp(rows.starts[i]), np.uintp(rows.starts[i + 1])):
        j = np.uintp(rows.indices[p])
        if rows.values[p] != 0.0 and is_due(scales.moments.weights[j]):
            work_out_listed(scales, j, scaling)
    if is_due(numbers[ROWS]):
        for place in range(
            np.int64(numbers[CENTRED]) - 1, -1, -1
        ):  # the last takes the place of a dropped one
            work_out_listed(scales, np.uintp(scales.listed[place]), scaling)


@compiled
def scale_sparse(
    rows: Sparse,
    order: Integers,
    scales: Scales,
    counts: bool,
    limits: bool,
    scaling: Scaling,
    scaled: Sparse,
) -> None:
    """Do as `scale_dense`; rows get entries for the centred columns that they do not have.

    `scaled` has room for the entries of each row and all columns that may be centred.
    """
    numbers, real = scales.numbers, scaled.values.dtype.type
    end, one = np.uintp(0), np.uintp(1)
    scales.seen[:] = -1
    for k in range(order.size):
        scaled.starts[k] = end
        first = end
        if counts:
            count_row(rows, order[k], scales, scaling)
        length, centred = 0.0, np.int64(numbers[CENTRED])
        for p in range(np.uintp(rows.starts[order[k]]), np.uintp(rows.starts[order[k] + 1])):
            x, j = np.float64(rows.values[p]), np.uintp(rows.indices[p])
            if x == 0.0:
                continue
            if centred > 0 and scales.centres[j] != 0.0:
                scales.seen[scales.places[j]] = k
                x -= scales.centres[j]
            z = x * scales.factors[j]
            if limits:
                z = limited(z, scales.moments.weights[j])
            length += z * z
            scaled.values[end], scaled.indices[end] = real(z), rows.indices[p]
            end += one
        for place in range(centred):
            if scales.seen[place] != k:
                j = np.uintp(scales.listed[place])
                z = -scales.centres[j] * scales.factors[j]
                if limits:
                    z = limited(z, scales.moments.weights[j])
                length += z * z
                scaled.values[end], scaled.indices[end] = real(z), scales.listed[place]
                end += one
        if counts:
            numbers[LENGTHS] += length
        unit = length_unit(scales)
        for p in range(first, end):
            scaled.values[p] = real(np.float64(scaled.values[p]) * unit)
    scaled.starts[order.size] = end
