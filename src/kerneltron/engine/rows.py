"""Rows as the loops see them: a span of positions in flat arrays, each with a column and a value.

Dense and sparse rows differ in the seven functions below; whatever is written with these serves both.
"""

import numpy as np

from kerneltron._types import Dense, Floats, Integers, Rows, Sparse, Weights
from kerneltron.engine.compiled import INLINED, REORDERED, inlined
from kerneltron.engine.dispatch import implements
from kerneltron.engine.prefetch import prefetch

AHEAD = 8  # visits between asking for a row and working on it: 2 to 16 measured alike
LINE = 64  # bytes in a cache line


def span(rows: Rows, i: int) -> tuple[int, int]:
    """Return the first position of row i and the one after its last."""
    raise NotImplementedError


def column(rows: Rows, first: int, p: int) -> np.uintp:
    """Return the column at position p of the row whose span starts at `first`."""
    raise NotImplementedError


def dot(rows: Rows, i: int, w: Floats) -> tuple[float, float]:
    """Return <w, x_i> and ||x_i||^2 without the constant feature."""
    raise NotImplementedError


def dot_four(rows: Rows, i: int, v: Floats, columns: int, c: int) -> tuple[float, float, float, float]:
    """Return <v_c, x_i> for column c and the three after it, without the constant feature."""
    raise NotImplementedError


def square(rows: Rows, i: int) -> float:
    """Return ||x_i||^2 without the constant feature."""
    raise NotImplementedError


def fetch(rows: Rows, i: int) -> None:
    """Start to load row i."""
    raise NotImplementedError


def find(rows: Rows, i: int) -> None:
    """Start to load where row i begins."""
    raise NotImplementedError


@implements(span, Dense)
def span_dense(rows: Dense, i: int) -> tuple[int, int]:
    """Return where row i stands in the flattened matrix."""
    return i * rows.width, (i + 1) * rows.width


@implements(span, Sparse)
def span_sparse(rows: Sparse, i: int) -> tuple[int, int]:
    """Return where row i stands in the arrays of the CSR form."""
    return rows.starts[i], rows.starts[i + 1]


# Columns are unsigned, so that numba does not test for an index counted from the end.
@implements(column, Dense)
def column_dense(rows: Dense, first: int, p: int) -> np.uintp:
    """Return the distance from the row's beginning."""
    return np.uintp(p - first)


@implements(column, Sparse)
def column_sparse(rows: Sparse, first: int, p: int) -> np.uintp:
    """Return the stored index."""
    return np.uintp(rows.indices[p])


# Reassociation lets a dense row be summed in vector registers, 4 times as fast at 784 columns. A sparse
# row would be gathered, which is 1.1 times slower than plain loads.
@implements(dot, Dense, **REORDERED)
def dot_dense(rows: Dense, i: int, w: Floats) -> tuple[float, float]:
    """Return <w, x_i> and ||x_i||^2 in double precision, summed in any order."""
    values = rows.values[i * rows.width : (i + 1) * rows.width]
    z = q = 0.0
    for j in range(values.size):
        x = np.float64(values[j])
        z += np.float64(w[j]) * x
        q += x * x
    return z, q


@implements(dot, Sparse)
def dot_sparse(rows: Sparse, i: int, w: Floats) -> tuple[float, float]:
    """Return <w, x_i> and ||x_i||^2 in double precision."""
    z = q = 0.0
    for p in range(rows.starts[i], rows.starts[i + 1]):
        x = np.float64(rows.values[p])
        z += np.float64(w[np.uintp(rows.indices[p])]) * x
        q += x * x
    return z, q


# Two features at a time, each with its own sums, do not wait for each other.
@implements(dot_four, Dense)
def dot_four_dense(rows: Dense, i: int, v: Floats, columns: int, c: int) -> tuple[float, float, float, float]:
    """Return the products in double precision, summed in two halves."""
    x = rows.values[i * rows.width : (i + 1) * rows.width]
    classes, one = np.uintp(columns), np.uintp(1)
    a0 = a1 = a2 = a3 = b0 = b1 = b2 = b3 = 0.0
    for j in range(0, rows.width - 1, 2):
        a = np.uintp(j) * classes + np.uintp(c)
        b = a + classes
        s, t = np.float64(x[j]), np.float64(x[j + 1])
        a0 += v[a] * s
        a1 += v[a + one] * s
        a2 += v[a + one + one] * s
        a3 += v[a + one + one + one] * s
        b0 += v[b] * t
        b1 += v[b + one] * t
        b2 += v[b + one + one] * t
        b3 += v[b + one + one + one] * t
    if rows.width % 2 == 1:
        a, s = np.uintp(rows.width - 1) * classes + np.uintp(c), np.float64(x[rows.width - 1])
        a0 += v[a] * s
        a1 += v[a + one] * s
        a2 += v[a + one + one] * s
        a3 += v[a + one + one + one] * s
    return a0 + b0, a1 + b1, a2 + b2, a3 + b3


@implements(dot_four, Sparse, **INLINED)
def dot_four_sparse(
    rows: Sparse, i: int, v: Floats, columns: int, c: int
) -> tuple[float, float, float, float]:
    """Return the products in double precision."""
    classes, one = np.uintp(columns), np.uintp(1)
    z0 = z1 = z2 = z3 = 0.0
    for p in range(rows.starts[i], rows.starts[i + 1]):
        base = np.uintp(rows.indices[p]) * classes + np.uintp(c)
        x = np.float64(rows.values[p])
        z0 += v[base] * x
        z1 += v[base + one] * x
        z2 += v[base + one + one] * x
        z3 += v[base + one + one + one] * x
    return z0, z1, z2, z3


@implements(square, Dense, **REORDERED)
def square_dense(rows: Dense, i: int) -> float:
    """Return ||x_i||^2 in double precision, summed in any order."""
    x = rows.values[i * rows.width : (i + 1) * rows.width]
    q = 0.0
    for j in range(x.size):
        q += np.float64(x[j]) * np.float64(x[j])
    return q


@implements(square, Sparse)
def square_sparse(rows: Sparse, i: int) -> float:
    """Return ||x_i||^2 in double precision."""
    q = 0.0
    for p in range(rows.starts[i], rows.starts[i + 1]):
        q += np.float64(rows.values[p]) * np.float64(rows.values[p])
    return q


@implements(find, Dense)
def find_dense(rows: Dense, i: int) -> None:
    """Do nothing: where a dense row begins is known."""


@implements(find, Sparse)
def find_sparse(rows: Sparse, i: int) -> None:
    """Ask for the row's place in `starts`."""
    prefetch(rows.starts, i)


@implements(fetch, Dense)
def fetch_dense(rows: Dense, i: int) -> None:
    """Ask for the beginning: a dense row is in sequence, which wakes the hardware's own prefetcher."""
    prefetch(rows.values, i * rows.width)


@implements(fetch, Sparse)
def fetch_sparse(rows: Sparse, i: int) -> None:
    """Ask for all lines of the row's values and indices."""
    first, last = rows.starts[i], rows.starts[i + 1]
    for p in range(first, last, LINE // rows.values.itemsize):
        prefetch(rows.values, p)
    for p in range(first, last, LINE // rows.indices.itemsize):
        prefetch(rows.indices, p)


@inlined
def fetch_weights(rows: Rows, i: int, weights: Weights) -> None:
    """Start to load what several classes know of the features of row i.

    The weights of one class fit the second-level cache and do not gain by it; those of ten, with their
    averages, do not fit, and a pass takes 2.4 s with this and 3.7 s without.
    """
    classes = np.uintp(weights.scale.size)
    first, last = span(rows, i)
    for p in range(first, last):
        base = column(rows, first, p) * classes
        prefetch(weights.v, base)
        prefetch(weights.v, base + classes - np.uintp(1))
        if weights.u.size > 0:
            prefetch(weights.u, base)
            prefetch(weights.u, base + classes - np.uintp(1))
        if weights.kept.size > 0:
            prefetch(weights.kept, base)
            prefetch(weights.kept, base + classes - np.uintp(1))


@inlined
def look_ahead(rows: Rows, order: Integers, k: int, weights: Weights) -> None:
    """At visit k, start to load what visit k + AHEAD needs, and where visit k + 2 AHEAD begins.

    Where a row begins is a cache miss of its own: to ask for it first is worth a fifth of a pass.
    """
    last = order.size - 1
    find(rows, order[min(k + 2 * AHEAD, last)])
    fetch(rows, order[min(k + AHEAD, last)])
    if weights.scale.size > 1:
        fetch_weights(rows, order[min(k + 1, last)], weights)


@inlined
def score_four(rows: Rows, i: int, v: Floats, z: Floats, c: int) -> None:
    """Fill z[c:c + 4]: sums in registers, 1.8 times as fast for ten classes as sums in memory."""
    z[c], z[c + 1], z[c + 2], z[c + 3] = dot_four(rows, i, v, z.size, c)


@inlined
def score_one(rows: Rows, i: int, v: Floats, z: Floats, c: int) -> None:
    """Fill z[c]."""
    classes = np.uintp(z.size)
    total = 0.0
    first, last = span(rows, i)
    for p in range(first, last):
        total += v[column(rows, first, p) * classes + np.uintp(c)] * np.float64(rows.values[p])
    z[c] = total


@inlined
def weights_there(rows: Rows, i: int, weights: Weights, c: int) -> float:
    """Return the sum of the squares of those weights in v_c that belong to features of row i."""
    columns, total = np.uintp(weights.scale.size), 0.0
    first, last = span(rows, i)
    for p in range(first, last):
        v = np.float64(weights.v[column(rows, first, p) * columns + np.uintp(c)])
        total += v * v
    constant = np.float64(weights.v[np.uintp(weights.v.size) - columns + np.uintp(c)])
    return total + constant * constant


@inlined
def score(rows: Rows, i: int, v: Floats, z: Floats) -> float:
    """Fill z with <v_c, x_i> of every class c, the constant feature included, and return ||x_i||^2."""
    classes = z.size
    if classes == 1:
        z[0], q = dot(rows, i, v)
    else:
        q = square(rows, i)
        if classes < 4:
            for c in range(classes):
                score_one(rows, i, v, z, c)
        else:
            for c in range(0, classes, 4):  # the last four may overlap those before: cheaper than one by one
                score_four(rows, i, v, z, min(c, classes - 4))
    for c in range(classes):
        z[c] += v[v.size - classes + c] * rows.bias
    return q + rows.bias * rows.bias


@inlined
def change(weights: Weights, position: np.uintp, by: float, mass: float) -> None:
    """Add `by` to v[position] and keep the sum of the past right; `mass` is the column's before the example.

    u takes what changed, not what was meant to: v may be of single precision and u is of double, and so
    the average is that of the vectors that v really was.
    """
    old = np.float64(weights.v[position])
    weights.v[position] = old + by
    if weights.u.size > 0:
        weights.u[position] += mass * (np.float64(weights.v[position]) - old)


@inlined
def add(rows: Rows, i: int, weights: Weights, c: int, g: float, mass: float) -> None:
    """Add g x_i to v_c."""
    classes = weights.scale.size
    first, last = span(rows, i)
    if classes == 1:
        for p in range(first, last):
            change(weights, column(rows, first, p), g * rows.values[p], mass)
    else:
        for p in range(first, last):
            position = column(rows, first, p) * np.uintp(classes) + np.uintp(c)
            change(weights, position, g * rows.values[p], mass)
    change(weights, np.uintp(weights.v.size - classes + c), g * rows.bias, mass)


@inlined
def add_four(rows: Rows, i: int, weights: Weights, c: int, g: Floats) -> None:
    """Add g[c] x_i to v_c, and likewise for the next three columns, in one walk over the row.

    What four columns know is read before any of it is written: as v and u might overlap for all that
    the compiler knows, each write would hold up the reads after it.
    """
    v, u, columns, one = weights.v, weights.u, np.uintp(weights.scale.size), np.uintp(1)
    real = v.dtype.type
    g0, g1, g2, g3 = g[c], g[c + 1], g[c + 2], g[c + 3]
    m0, m1, m2, m3 = weights.mass[c], weights.mass[c + 1], weights.mass[c + 2], weights.mass[c + 3]
    first, last = span(rows, i)
    for p in range(first, last + 1):  # the last one is the constant feature
        feature = column(rows, first, p) if p < last else np.uintp(v.size) // columns - one
        x = np.float64(rows.values[p]) if p < last else rows.bias
        a = feature * columns + np.uintp(c)
        b, d, e = a + one, a + one + one, a + one + one + one
        old0, old1, old2, old3 = np.float64(v[a]), np.float64(v[b]), np.float64(v[d]), np.float64(v[e])
        new0, new1 = real(old0 + g0 * x), real(old1 + g1 * x)
        new2, new3 = real(old2 + g2 * x), real(old3 + g3 * x)
        v[a], v[b], v[d], v[e] = new0, new1, new2, new3
        if u.size > 0:
            u0, u1 = u[a] + m0 * (np.float64(new0) - old0), u[b] + m1 * (np.float64(new1) - old1)
            u2, u3 = u[d] + m2 * (np.float64(new2) - old2), u[e] + m3 * (np.float64(new3) - old3)
            u[a], u[b], u[d], u[e] = u0, u1, u2, u3


@inlined
def add_several(rows: Rows, i: int, weights: Weights, g: Floats) -> None:
    """Add g[c] x_i to v_c for every column; weights.mass is that before this example."""
    c = 0
    while c < g.size:
        if c + 4 <= g.size and (g[c] != 0.0) + (g[c + 1] != 0.0) + (g[c + 2] != 0.0) + (g[c + 3] != 0.0) > 1:
            add_four(rows, i, weights, c, g)
            c += 4
        else:
            if g[c] != 0.0:
                add(rows, i, weights, c, g[c], weights.mass[c])
            c += 1
