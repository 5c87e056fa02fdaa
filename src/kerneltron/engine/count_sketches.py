"""Count sketches: each column adds its value, with a random sign, to one slot of each of some groups."""

import numpy as np

from kerneltron._types import Floats, Sparse
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.random_numbers import below, key_of, word

TILE = 16  # rows of a dense matrix that share the hashes of a column


@inlined
def place(key: np.uint64, group: int, groups: int, slots: int) -> int:
    """Return the slot of a column in a group, s, where its sign is +1, and -1 - s where it is -1.

    Group g has the slots from g slots // groups to below (g + 1) slots // groups.
    """
    bits = word(key, group)
    start = group * slots // groups
    slot = start + below(bits, (group + 1) * slots // groups - start)
    return slot if bits & np.uint64(1) else -1 - slot


@inlined
def add(place: int, value: float, out: Floats) -> None:
    """Add a value with its sign to its slot."""
    if place >= 0:
        out[np.uintp(place)] += value
    else:
        out[np.uintp(-1 - place)] -= value


@compiled
def place_of(seed: np.uint64, stream: int, column: int, slots: int) -> int:
    """Return the slot of a column where there is one group, with its sign as in `place`."""
    return place(key_of(seed, stream, column), 0, 1, slots)


@compiled
def sketch_sparse(
    rows: Sparse, seed: np.uint64, stream: int, groups: int, scales: Floats, first: int, end: int, out: Floats
) -> None:
    """Add the sketch of scales[i] x_i to out[i], for first <= i < end."""
    slots = out.shape[1]
    for i in range(first, end):
        sums = out[i]
        for p in range(rows.starts[i], rows.starts[i + 1]):
            key, value = key_of(seed, stream, rows.indices[p]), rows.values[p] * scales[i]
            for group in range(groups):
                add(place(key, group, groups, slots), value, sums)


@compiled
def sketch_dense(
    X: Floats, seed: np.uint64, stream: int, groups: int, scales: Floats, first: int, end: int, out: Floats
) -> None:
    """Add the sketch of scales[i] x_i to out[i], for first <= i < end: the bits are those of sparse rows."""
    slots = out.shape[1]
    for low in range(first, end, TILE):
        for column in range(X.shape[1]):
            key = key_of(seed, stream, column)
            for group in range(groups):
                at = place(key, group, groups, slots)
                for i in range(low, min(low + TILE, end)):
                    add(at, X[i, column] * scales[i], out[i])
