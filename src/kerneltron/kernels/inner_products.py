"""Inner products of sparse rows: for every column the cheapest of three ways, and all added up."""

from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers, Sparse
from kerneltron.engine.bitmaps import (
    PLANES,
    STRIP,
    WORDS,
    Bitmaps,
    add_sums,
    count_terms,
    list_terms,
    mark,
)
from kerneltron.engine.sparse_products import (
    add_products,
    count_above,
    count_columns,
    find_dense,
    mirror,
    spread,
    sum_columns,
    transpose,
)
from kerneltron.kernels.threads import in_threads

# What things cost, in pairs of entries that are multiplied one by one. Such a pair takes 1 to 2 ns on a core
# of an AMD EPYC (Zen 3); there the sum of 8 bitmaps of 256 rows takes 4 ns, reading it off 0.5 ns per row.
MATRIX = 1 / 16  # a column of a matrix product, for each pair of rows
BITMAP = 1 / 512  # a bitmap that is added, for each row in it
MARKING = 8  # to make a bitmap takes as long as to add this many
READING = 1  # to read off the sums of bitmaps, for each pair of rows
LOOKING = 2  # to see which bitmaps are worth it, for each entry
WORTH = 16  # columns that are worth a matrix product
LEVELS = 7  # bitmaps for one column at most: more are no quicker on the labels of molecules
TOGETHER = 64  # rows that are worth a thread


class Ways(NamedTuple):
    """How to multiply each column.

    Those in `frequent` by a matrix product. Of the others, counts on the right side by bitmaps as far as
    levels[c], and what is above, in rest[c] entries, one by one.
    """

    frequent: Integers
    levels: Integers
    rest: Integers


def inner_products(left: Sparse, right: Sparse, dtype: Any, counts: bool = False) -> Floats:
    """Return <x_i, z_j> for all rows of both sides, which have the same columns, as a matrix of this dtype.

    `counts` says that all values are whole numbers above 0, and no column comes twice in a row. Where `right`
    is `left` itself, only one half is computed.
    """
    if left.width != right.width:
        raise ValueError(f"rows of {left.width} and of {right.width} columns have no inner products.")
    is_square = left is right
    ways = _chosen(left, right, counts)
    block = _multiplied(left, right, ways, dtype)
    bitmaps = _marked(right, ways)
    columns = _transposed(right, ways)

    def add(first: int, end: int) -> None:
        if bitmaps is not None:
            _add_marked(left, first, end, bitmaps, is_square, block)
        add_products(left, first, end, columns, is_square, block)

    in_threads(add, len(block), TOGETHER)
    if is_square:
        in_threads(lambda first, end: mirror(block, first, end), len(block), TOGETHER)
    return block


# -- the choice --------------------------------------------------------------------------------------


def _chosen(left: Sparse, right: Sparse, counts: bool) -> Ways:
    """Return the cheapest way for each column that both sides have."""
    width, pairs = left.width, (left.starts.size - 1) * (right.starts.size - 1)
    levels, found = np.zeros(width, np.uint8), np.empty(width, np.int32)
    mine, rest = np.zeros(width, np.int32), np.zeros(width, np.int32)
    count_columns(left, mine)
    count_columns(right, rest)
    dense = found[: find_dense(mine, rest, _padded(right) * BITMAP, found)]  # the others go one by one
    cost: Floats = mine[dense].astype(np.float64) * rest[dense]
    most = pairs * MATRIX
    looking = (left.indices.size + right.indices.size) * LOOKING
    if counts and np.minimum(cost, most).sum() > pairs * READING + looking:
        best, above, least = _levels(left, right, mine, rest, dense)
        if (np.minimum(cost, most) - np.minimum(least, most)).sum() > pairs * READING:
            levels[dense], rest[dense], cost = best, above, least
    frequent = dense[cost > most]
    if frequent.size < WORTH:
        frequent = frequent[:0]
    levels[frequent] = rest[frequent] = 0
    return Ways(frequent, levels, rest)


def _levels(
    left: Sparse, right: Sparse, mine: Integers, theirs: Integers, dense: Integers
) -> tuple[Integers, Integers, Floats]:
    """Return how many bitmaps are best for each dense column, how many entries are above, and the cost."""
    places = _places(dense, mine.size)
    times, above = np.zeros(dense.size), np.zeros((LEVELS + 1, dense.size), np.int32)
    sum_columns(left, places, times)
    above[0] = theirs[dense]
    count_above(right, places, above)
    bitmap = (times + MARKING) * (_padded(right) * BITMAP)
    costs = mine[dense] * above.astype(np.float64) + np.arange(LEVELS + 1)[:, None] * bitmap
    best, every = costs.argmin(axis=0), np.arange(dense.size)
    return best, above[best, every], costs[best, every]


# -- the three ways ----------------------------------------------------------------------------------


def _multiplied(left: Sparse, right: Sparse, ways: Ways, dtype: Any) -> Floats:
    """Return the inner products in frequent columns alone."""
    if not ways.frequent.size:
        return np.zeros((left.starts.size - 1, right.starts.size - 1), dtype)
    places = _places(ways.frequent, ways.rest.size)
    wide = [np.zeros((side.starts.size - 1, ways.frequent.size), left.values.dtype) for side in (left, right)]
    spread(left, places, wide[0])
    spread(right, places, wide[1])
    block: Floats = (wide[0] @ wide[1].T).astype(dtype, copy=False)
    return block


def _marked(rows: Sparse, ways: Ways) -> Bitmaps | None:
    """Return the bitmaps of the columns that have levels, if there are any."""
    ends, strips = np.cumsum(ways.levels, dtype=np.int32), _padded(rows) // STRIP
    size = int(ends.max(initial=0))
    if not size:
        return None
    places = np.where(ways.levels > 0, ends - ways.levels, size + 1)
    bitmaps = Bitmaps(ways.levels, places, np.zeros((strips, size + 2, WORDS), np.uint64))
    mark(rows, bitmaps)
    return bitmaps


def _add_marked(left: Sparse, first: int, end: int, bitmaps: Bitmaps, is_square: bool, block: Floats) -> None:
    starts = np.empty(end - first + 1, np.int64)
    count_terms(left, first, end, bitmaps, starts)
    terms, planes = np.empty(starts[-1], np.int32), np.empty(PLANES * WORDS, np.uint64)
    list_terms(left, first, end, bitmaps, starts, terms)
    strip = first // STRIP if is_square else 0
    add_sums(bitmaps, strip, starts, terms, planes, planes.view(np.uint8), block[first:end])


def _transposed(rows: Sparse, ways: Ways) -> Sparse:
    """Return what is left of the columns, each as a row."""
    ends = np.cumsum(ways.rest, dtype=np.int64)
    starts = np.append(ends, ends[-1:] if ends.size else 0)  # `transpose` moves the ends to where rows begin
    indices, values = np.empty(starts[-1], np.int32), np.empty(starts[-1], rows.values.dtype)
    if indices.size:
        transpose(rows, ways.levels, ways.rest, starts, indices, values)
    return Sparse(values, indices, starts, rows.starts.size - 1, 0.0)


def _places(columns: Integers, width: int) -> Integers:
    """Return where each column stands in `columns`, -1 for those that are not there."""
    places = np.full(width, -1, np.int32)
    places[columns] = np.arange(columns.size)
    return places


def _padded(rows: Sparse) -> int:
    """Return how many rows the strips of bitmaps have space for."""
    return -(-(rows.starts.size - 1) // STRIP) * STRIP
