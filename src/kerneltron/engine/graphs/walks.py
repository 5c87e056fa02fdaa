"""Walks that two graphs have in common, of all lengths: the geometric series of their product's adjacency.

The product has a node (u, v) for each node u of the left and v of the right graph that have the same label,
and an edge where both graphs have one. Its adjacency W is never built. Numbers for its nodes form a matrix P,
one row per u and one column per v, 0 where labels differ; there W P is A P B, A and B the adjacencies.
"""

from typing import NamedTuple

from kerneltron._types import Floats, Integers
from kerneltron.engine.as_matrix import as_matrix
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.graphs.adjacency import Adjacency

# With r = 1 - (I - decay W) x, what is still missing of the value is r (I - decay W)^-1 r <= r r / s, s the
# smallest eigenvalue. W has no negative entries, so s has an eigenvector without any, and the value is at
# least 1 / s: the relative error is at most r r.
CLOSE = 1e-13
STEPS = 100_000  # never needed, unless a damaged model file holds something that is not a graph


class Labelled(NamedTuple):
    """Graphs, and the id of each node's label."""

    graphs: Adjacency
    labels: Integers


@inlined
def match(left: Labelled, i: int, right: Labelled, j: int, same: Floats) -> float:
    """Write where the labels of two nodes are the same, 1 or 0; return how many such pairs there are."""
    total = 0.0
    for u in range(same.shape[0]):
        label = left.labels[left.graphs.nodes[i] + u]
        row = same[u]
        for v in range(same.shape[1]):
            row[v] = 1.0 if right.labels[right.graphs.nodes[j] + v] == label else 0.0
            total += row[v]
    return total


@inlined
def product(x: Floats, y: Floats) -> float:
    """Return <x, y>, in four sums: one would wait for each addition."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    whole = x.size // 4 * 4
    for p in range(0, whole, 4):
        a += x[p] * y[p]
        b += x[p + 1] * y[p + 1]
        c += x[p + 2] * y[p + 2]
        d += x[p + 3] * y[p + 3]
    for p in range(whole, x.size):
        a += x[p] * y[p]
    return (a + b) + (c + d)


# Rows are added as a whole, in vector registers. To turn the matrix twice is quicker than to gather what the
# neighbours of each column hold, in short loops of different lengths: 28 against 49 microseconds for two
# molecules of NCI1.
@inlined
def step(graphs: Adjacency, i: int, P: Floats, sums: Floats, turned: Floats) -> None:
    """Write the transpose of A P, A the adjacency of graph i; `sums` has space for a row of P."""
    begin = graphs.arcs[i]
    for u in range(P.shape[0]):
        end = graphs.arcs[i] + graphs.ends[graphs.nodes[i] + u]
        sums[:] = 0.0
        for p in range(begin, end):
            row = P[graphs.neighbours[p]]
            for v in range(sums.size):
                sums[v] += row[v]
        for v in range(sums.size):
            turned[v, u] = sums[v]
        begin = end


@inlined
def common_walks(left: Labelled, i: int, right: Labelled, j: int, decay: float, vectors: Floats) -> float:
    """Return the sum over all walks that both have in common of decay^length, by conjugate gradients.

    The solution itself is not needed: each step adds alpha r r to its sum.
    """
    rows = left.graphs.nodes[i + 1] - left.graphs.nodes[i]
    columns = right.graphs.nodes[j + 1] - right.graphs.nodes[j]
    size = rows * columns
    same, rest, direction, image = vectors[0, :size], vectors[1, :size], vectors[2, :size], vectors[3, :size]
    turned, sums = as_matrix(vectors[4, :size], columns, rows), vectors[5, :size]
    squares = match(left, i, right, j, as_matrix(same, rows, columns))
    for p in range(size):
        rest[p] = direction[p] = same[p]
    value = 0.0
    for _ in range(STEPS):
        if not squares > CLOSE:
            break
        step(left.graphs, i, as_matrix(direction, rows, columns), sums[:columns], turned)
        step(right.graphs, j, turned, sums[:rows], as_matrix(image, rows, columns))
        for p in range(size):
            image[p] = direction[p] - decay * same[p] * image[p]
        alpha, before = squares / product(direction, image), squares
        value += alpha * squares
        for p in range(size):
            rest[p] -= alpha * image[p]
        squares = product(rest, rest)
        beta = squares / before
        for p in range(size):
            direction[p] = rest[p] + beta * direction[p]
    return value


@compiled
def compare_walks(
    left: Labelled, first: int, end: int, right: Labelled, decay: float, vectors: Floats, out: Floats
) -> None:
    """Write what graph i, first <= i < end, and each graph j on the right have in common to out[i, j].

    `vectors` has six rows, each as long as the largest product of two graphs.
    """
    for i in range(first, end):
        for j in range(out.shape[1]):
            out[i, j] = common_walks(left, i, right, j, decay, vectors)


@compiled
def own_walks(own: Labelled, first: int, end: int, decay: float, vectors: Floats, out: Floats) -> None:
    """Write what graph i, first <= i < end, has in common with itself to out[i]."""
    for i in range(first, end):
        out[i] = common_walks(own, i, own, i, decay, vectors)
