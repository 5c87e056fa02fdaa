"""Inner products of sparse rows, after Gustavson: row by row, into a dense row of results."""

import numpy as np

from kerneltron._types import Floats, Integers, Sparse
from kerneltron.engine.compiled import compiled


# On 512 x 1024 rows of newsgroup-like text, 2^17 columns and 120 entries a row, this takes 8 ms together with
# the transposition of the right side; SciPy's sparse result made dense takes 25, densified rows take 170.
@compiled
def add_products(left: Sparse, first: int, end: int, columns: Sparse, out: Floats) -> None:
    """Add <x_i, z_j> to out[i, j], for first <= i < end; entry p of `columns` belongs to row indices[p]."""
    for i in range(first, end):
        row = out[i]
        for p in range(left.starts[i], left.starts[i + 1]):
            value, k = left.values[p], left.indices[p]
            for q in range(columns.starts[k], columns.starts[k + 1]):
                row[np.uintp(columns.indices[q])] += value * columns.values[q]


@compiled
def count_columns(rows: Sparse, counts: Integers) -> None:
    """Add to counts[c] how many entries stand in column c."""
    for p in range(rows.starts[0], rows.starts[rows.starts.size - 1]):
        counts[np.uintp(rows.indices[p])] += 1


@compiled
def transpose(rows: Sparse, ends: Integers, places: Integers, columns: Integers, values: Floats) -> None:
    """Write the entries of each column side by side, and of column c in front of ends[c], which moves there.

    Columns with a place of their own, places[c] >= 0, are left out.
    """
    for i in range(rows.starts.size - 2, -1, -1):
        for p in range(rows.starts[i], rows.starts[i + 1]):
            c = np.uintp(rows.indices[p])
            if places[c] < 0:
                ends[c] -= 1
                columns[ends[c]] = i
                values[ends[c]] = rows.values[p]


@compiled
def spread(rows: Sparse, places: Integers, out: Floats) -> None:
    """Write what row i holds in columns that have a place to out[i, places[c]]."""
    for i in range(out.shape[0]):
        for p in range(rows.starts[i], rows.starts[i + 1]):
            place = places[np.uintp(rows.indices[p])]
            if place >= 0:
                out[i, place] = rows.values[p]
