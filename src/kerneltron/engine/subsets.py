"""Sums over sets of columns, of the products of what two rows hold there.

The right side comes with its columns as rows: what one entry of a left row changes then stands side by
side. `products` and `sums` hold what is known of one left row and all right rows.
"""

import numpy as np

from kerneltron._types import Floats, Rows, Sparse
from kerneltron.engine.compiled import compiled
from kerneltron.engine.rows import span


@compiled
def all_of_dense(left: Floats, columns: Floats, products: Floats, out: Floats) -> None:
    """Write the product over the columns c of 1 + x_ic z_jc to out[i, j]."""
    for i in range(out.shape[0]):
        products[:] = 1.0
        for c in range(columns.shape[0]):
            value = left[i, c]
            if value != 0.0:
                for j in range(products.size):
                    products[j] *= 1.0 + value * columns[c, j]
        for j in range(products.size):
            out[i, j] = products[j]


@compiled
def all_of_sparse(left: Sparse, columns: Sparse, products: Floats, out: Floats) -> None:
    """Write the product over the columns c of 1 + x_ic z_jc to out[i, j]; no entry occurs twice."""
    for i in range(out.shape[0]):
        products[:] = 1.0
        for p in range(left.starts[i], left.starts[i + 1]):
            value, c = left.values[p], left.indices[p]
            for q in range(columns.starts[c], columns.starts[c + 1]):
                products[np.uintp(columns.indices[q])] *= 1.0 + value * columns.values[q]
        for j in range(products.size):
            out[i, j] = products[j]


# sums[s, j] is the sum over the sets of s of the columns seen so far. A new column joins the sets of s - 1.
@compiled
def sized_of_dense(left: Floats, columns: Floats, exact: bool, sums: Floats, out: Floats) -> None:
    """Write the sum over the sets of at most (or exactly) sums.shape[0] - 1 columns to out[i, j]."""
    for i in range(out.shape[0]):
        sums[:] = 0.0
        sums[0] = 1.0
        for c in range(columns.shape[0]):
            value = left[i, c]
            if value != 0.0:
                column = columns[c]
                for size in range(sums.shape[0] - 1, 0, -1):
                    larger, smaller = sums[size], sums[size - 1]  # views of their own: so the loop uses SIMD
                    for j in range(column.size):
                        larger[j] += value * column[j] * smaller[j]
        for j in range(sums.shape[1]):
            out[i, j] = sums[-1, j] if exact else sums[:, j].sum()


# Here what is known of one right row stands together: entries reach single right rows.
@compiled
def sized_of_sparse(left: Sparse, columns: Sparse, exact: bool, sums: Floats, out: Floats) -> None:
    """Write the sum over the sets of at most (or exactly) sums.shape[1] - 1 columns to out[i, j]."""
    for i in range(out.shape[0]):
        sums[:] = 0.0
        sums[:, 0] = 1.0
        for p in range(left.starts[i], left.starts[i + 1]):
            value, c = left.values[p], left.indices[p]
            for q in range(columns.starts[c], columns.starts[c + 1]):
                j, factor = columns.indices[q], value * columns.values[q]
                for size in range(sums.shape[1] - 1, 0, -1):
                    sums[j, size] += factor * sums[j, size - 1]
        for j in range(sums.shape[0]):
            out[i, j] = sums[j, -1] if exact else sums[j].sum()


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
def sized_of_own(rows: Rows, exact: bool, sums: Floats, out: Floats) -> None:
    """Write what `sized_of_sparse` does for row i with itself to out[i]; sets have sums.size - 1 columns."""
    for i in range(out.size):
        sums[:] = 0.0
        sums[0] = 1.0
        first, end = span(rows, i)
        for p in range(first, end):
            square = np.float64(rows.values[p]) * np.float64(rows.values[p])
            if square != 0.0:
                for size in range(sums.size - 1, 0, -1):
                    sums[size] += square * sums[size - 1]
        out[i] = sums[-1] if exact else sums.sum()
