"""Sparse rows times matrices of normal numbers: matrices that are there, or of which a part is kept."""

import numpy as np

from kerneltron._types import Floats, Integers, Sparse
from kerneltron.engine.compiled import compiled
from kerneltron.engine.random_numbers import key_of, write_normals


@compiled
def add_products_with(rows: Sparse, matrix: Floats, first: int, end: int, out: Floats) -> None:
    """Add sum_c x_ic matrix[c] to out[i - first], for first <= i < end."""
    for i in range(first, end):
        sums = out[i - first]
        for p in range(rows.starts[i], rows.starts[i + 1]):
            value, numbers = rows.values[p], matrix[np.uintp(rows.indices[p])]
            for j in range(sums.size):
                sums[j] += value * numbers[j]


@compiled
def add_products_drawn(
    rows: Sparse, seed: np.uint64, stream: int, first: int, owners: Integers, kept: Floats, out: Floats
) -> None:
    """Add sum_c x_ic g_c to the rows of out, g_c the normal numbers first, first + 1, ... of row c.

    kept[c mod |kept|] holds those of row owners[c mod |kept|]; another row takes its place.
    """
    for i in range(out.shape[0]):
        sums = out[i]
        for p in range(rows.starts[i], rows.starts[i + 1]):
            value, c = rows.values[p], rows.indices[p]
            slot = c & (owners.size - 1)  # a power of two
            numbers = kept[slot]
            if owners[slot] != c:
                write_normals(key_of(seed, stream, c), first, numbers)
                owners[slot] = c
            for j in range(sums.size):
                sums[j] += value * numbers[j]
