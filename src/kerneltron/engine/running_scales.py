"""Rows whose columns are brought to one scale by the rows so far, as they are visited.

Column j has been different from 0 in W of n rows, with the mean m and the squared deviations S there. Where
that is at least half of them, the column is *centred*: x becomes (x - M) / s with the mean M of all rows and

    s^2 = (squared deviations of all rows from M) / W.

Else it is only divided, by the root of the mean square of what is not 0. So a column of numbers is
standardised, a word that is 1 where it occurs stays 1, and a rare entry is not made a large one. Rows are
then divided by the root of their mean squared length so far: their squared length is 1 on average.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from kerneltron._types import Dense, Floats, Integers, Sparse
from kerneltron.engine.compiled import compiled, inlined

ROUNDING = 1e-14  # deviations below this part of the mean are rounding
LARGEST = 1e307  # squares beyond it are a failure, which an infinite sum of lengths tells of
GROWTH = 1.01  # the scales of dense columns are worked out again when there are this many times as many rows
ROWS, LENGTHS, DUE, CENTRED = 0, 1, 2, 3  # places in `Scales.numbers`


class Scales(NamedTuple):
    """What is known of the columns, of double precision; entries of 0 do not count.

    `numbers` are the rows so far, the sum of their squared lengths, the rows at which scales are due to be
    worked out again, and how many columns are listed as centred.
    """

    counts: Floats
    means: Floats
    squares: Floats  # deviations from `means`
    centres: Floats  # in use: a value x becomes (x - centre) * factor
    factors: Floats
    listed: Integers  # centred columns, where rows are sparse
    places: Integers  # of each column in that list, -1 where it is not in it
    seen: Integers  # for each of the list, the last visit whose row had it
    numbers: Floats


@inlined
def count(scales: Scales, j: int, x: float) -> None:
    """Count an entry of column j (Welford)."""
    scales.counts[j] += 1.0
    deviation = x - scales.means[j]
    scales.means[j] += deviation / scales.counts[j]
    scales.squares[j] += deviation * (x - scales.means[j])
    if not scales.squares[j] < LARGEST:
        scales.numbers[LENGTHS] = np.inf


@inlined
def work_out(scales: Scales, j: int, rows: float, centres: bool) -> None:
    """Work out the centre and the factor of column j: factor 0 for a column that says nothing."""
    counted, mean, squares = scales.counts[j], scales.means[j], scales.squares[j]
    scales.centres[j] = scales.factors[j] = 0.0
    if counted <= 0.0:
        return
    if centres and 2.0 * counted >= rows:
        of_all = mean * (counted / rows)
        divisor = sqrt((squares + mean * mean * counted * ((rows - counted) / rows)) / counted)
        scales.centres[j] = of_all
        if divisor > ROUNDING * abs(of_all):
            scales.factors[j] = 1.0 / divisor
    else:
        divisor = sqrt(mean * mean + squares / counted)
        if divisor > 0.0:  # the squares of numbers below 1e-162 are 0
            scales.factors[j] = 1.0 / divisor


@inlined
def length_unit(scales: Scales) -> float:
    """Return what rows are multiplied by, once their columns are scaled."""
    if scales.numbers[LENGTHS] <= 0.0:
        return 1.0
    return sqrt(scales.numbers[ROWS] / scales.numbers[LENGTHS])


@compiled
def work_out_all(scales: Scales, centres: bool) -> None:
    """Work out all columns, and when that is due again."""
    numbers = scales.numbers
    for j in range(scales.counts.size):
        work_out(scales, j, numbers[ROWS], centres)
    numbers[DUE] = max(numbers[ROWS] + 1.0, GROWTH * numbers[ROWS])


@compiled
def scale_dense(
    rows: Dense, order: Integers, scales: Scales, counts: bool, centres: bool, scaled: Floats
) -> None:
    """Fill `scaled` with the rows in their order; where it `counts`, each by the rows up to itself."""
    width, numbers = rows.width, scales.numbers
    real = scaled.dtype.type
    for k in range(order.size):
        x = rows.values[order[k] * width : (order[k] + 1) * width]
        to = scaled[k * width : (k + 1) * width]
        if counts:
            numbers[ROWS] += 1.0
            for j in range(width):
                if x[j] != 0.0:
                    count(scales, j, np.float64(x[j]))
            if numbers[ROWS] >= numbers[DUE]:
                for j in range(width):
                    work_out(scales, j, numbers[ROWS], centres)
                numbers[DUE] = max(numbers[ROWS] + 1.0, GROWTH * numbers[ROWS])
            length = 0.0
            for j in range(width):
                z = (np.float64(x[j]) - scales.centres[j]) * scales.factors[j]
                length += z * z
            numbers[LENGTHS] += length
        unit = length_unit(scales)
        for j in range(width):
            to[j] = real((np.float64(x[j]) - scales.centres[j]) * (scales.factors[j] * unit))


@inlined
def list_or_drop(scales: Scales, j: int) -> None:
    """Keep the list of centred columns as the centre of column j wants it."""
    place, last = scales.places[j], np.int64(scales.numbers[CENTRED])
    if scales.centres[j] != 0.0 and place < 0:
        scales.listed[last], scales.places[j], scales.seen[last] = j, last, -1
        scales.numbers[CENTRED] = last + 1
    elif scales.centres[j] == 0.0 and place >= 0:
        moved = scales.listed[last - 1]
        scales.listed[place], scales.seen[place] = moved, scales.seen[last - 1]
        scales.places[moved] = place
        scales.places[j] = -1
        scales.numbers[CENTRED] = last - 1


@compiled
def scale_sparse(
    rows: Sparse, order: Integers, scales: Scales, counts: bool, centres: bool, scaled: Sparse
) -> None:
    """Do as `scale_dense`; rows get entries for the centred columns that they do not have.

    `scaled` has room for the entries of each row and twice as many as rows have at most: a column is centred
    if half of the rows have it.
    """
    numbers, real = scales.numbers, scaled.values.dtype.type
    end = 0
    scales.seen[:] = -1
    for k in range(order.size):
        scaled.starts[k] = end
        first = end
        if counts:
            numbers[ROWS] += 1.0
        length = 0.0
        for p in range(rows.starts[order[k]], rows.starts[order[k] + 1]):
            x, j = np.float64(rows.values[p]), int(rows.indices[p])
            if x == 0.0:
                continue
            if counts:
                count(scales, j, x)
                work_out(scales, j, numbers[ROWS], centres)
                list_or_drop(scales, j)
            if scales.places[j] >= 0:
                scales.seen[scales.places[j]] = k
            z = (x - scales.centres[j]) * scales.factors[j]
            length += z * z
            scaled.values[end], scaled.indices[end] = real(z), j
            end += 1
        place = 0
        while place < np.int64(numbers[CENTRED]):
            j = int(scales.listed[place])
            if scales.seen[place] == k:
                place += 1
                continue
            if counts:
                work_out(scales, j, numbers[ROWS], centres)
                list_or_drop(scales, j)
                if scales.places[j] != place:  # another column has taken its place, or none
                    continue
            z = -scales.centres[j] * scales.factors[j]
            length += z * z
            scaled.values[end], scaled.indices[end] = real(z), j
            end += 1
            place += 1
        if counts:
            numbers[LENGTHS] += length
        unit = length_unit(scales)
        for p in range(first, end):
            scaled.values[p] = real(np.float64(scaled.values[p]) * unit)
    scaled.starts[order.size] = end
