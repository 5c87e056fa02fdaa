"""Sums over sets of columns, of the products of what two rows hold there.

The right side comes with its columns as rows: what one entry of a left row changes then stands side by
side. `room` holds what is known of one left row and all right rows.
"""

import numpy as np

from kerneltron._types import Floats, Rows, Sparse
from kerneltron.engine.compiled import compiled
from kerneltron.engine.rows import span


@compiled
def all_of_dense(left: Floats, columns: Floats, room: Floats, out: Floats) -> None:
    """Write the product over the columns c of 1 + x_ic z_jc to out[i, j]."""
    for i in range(out.shape[0]):
        room[:] = 1.0
        for c in range(columns.shape[0]):
            value = left[i, c]
            if value != 0.0:
                for j in range(room.size):
                    room[j] *= 1.0 + value * columns[c, j]
        for j in range(room.size):
            out[i, j] = room[j]


@compiled
def all_of_sparse(left: Sparse, columns: Sparse, room: Floats, out: Floats) -> None:
    """Write the product over the columns c of 1 + x_ic z_jc to out[i, j]; no entry occurs twice."""
    for i in range(out.shape[0]):
        room[:] = 1.0
        for p in range(left.starts[i], left.starts[i + 1]):
            value, c = left.values[p], left.indices[p]
            for q in range(columns.starts[c], columns.starts[c + 1]):
                room[np.uintp(columns.indices[q])] *= 1.0 + value * columns.values[q]
        for j in range(room.size):
            out[i, j] = room[j]


# room[s, j] is the sum over the sets of s of the columns seen so far. A new column joins the sets of s - 1.
@compiled
def sized_of_dense(left: Floats, columns: Floats, exact: bool, room: Floats, out: Floats) -> None:
    """Write the sum over the sets of at most (or exactly) room.shape[0] - 1 columns to out[i, j]."""
    for i in range(out.shape[0]):
        room[:] = 0.0
        room[0] = 1.0
        for c in range(columns.shape[0]):
            value = left[i, c]
            if value != 0.0:
                column = columns[c]
                for size in range(room.shape[0] - 1, 0, -1):
                    larger, smaller = room[size], room[size - 1]  # views of their own: so the loop uses SIMD
                    for j in range(column.size):
                        larger[j] += value * column[j] * smaller[j]
        for j in range(room.shape[1]):
            out[i, j] = room[-1, j] if exact else room[:, j].sum()


# Here what is known of one right row stands together: entries reach single right rows.
@compiled
def sized_of_sparse(left: Sparse, columns: Sparse, exact: bool, room: Floats, out: Floats) -> None:
    """Write the sum over the sets of at most (or exactly) room.shape[1] - 1 columns to out[i, j]."""
    for i in range(out.shape[0]):
        room[:] = 0.0
        room[:, 0] = 1.0
        for p in range(left.starts[i], left.starts[i + 1]):
            value, c = left.values[p], left.indices[p]
            for q in range(columns.starts[c], columns.starts[c + 1]):
                j, factor = columns.indices[q], value * columns.values[q]
                for size in range(room.shape[1] - 1, 0, -1):
                    room[j, size] += factor * room[j, size - 1]
        for j in range(room.shape[0]):
            out[i, j] = room[j, -1] if exact else room[j].sum()


@compiled
def all_of_own(rows: Rows, out: Floats) -> None:
    """Write the product of 1 + x_ic^2 to out[i]."""
    for i in range(out.size):
        first, end = span(rows, i)
        product = 1.0
        for p in range(first, end):
            product *= 1.0 + np.float64(rows.values[p]) * np.float64(rows.values[p])
        out[i] = product


@compiled
def sized_of_own(rows: Rows, exact: bool, room: Floats, out: Floats) -> None:
    """Write what `sized_of_sparse` does for row i with itself to out[i]; sets have room.size - 1 columns."""
    for i in range(out.size):
        room[:] = 0.0
        room[0] = 1.0
        first, end = span(rows, i)
        for p in range(first, end):
            square = np.float64(rows.values[p]) * np.float64(rows.values[p])
            if square != 0.0:
                for size in range(room.size - 1, 0, -1):
                    room[size] += square * room[size - 1]
        out[i] = room[-1] if exact else room.sum()
