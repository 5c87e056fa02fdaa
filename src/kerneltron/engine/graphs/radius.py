"""The spectral radius of graphs: how fast the number of their walks grows with the length."""

import numpy as np

from kerneltron._types import Floats
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.graphs.adjacency import Adjacency

TINY = 1e-200  # what is left of a part of the graph with fewer walks than others
SHARP = 1e-9  # relative distance of both bounds


# For any positive x, the largest (A x)_v / x_v is at least the radius (Collatz and Wielandt), and x A x / x x
# at most. A + I in place of A keeps bipartite graphs from swinging to and fro.
@inlined
def radius(graphs: Adjacency, i: int, enough: float, rounds: int, x: Floats, y: Floats) -> float:
    """Return an upper bound of the radius of graph i: one below `enough`, or the best after some rounds."""
    first, size = graphs.nodes[i], graphs.nodes[i + 1] - graphs.nodes[i]
    bound = np.inf if size else 0.0
    x[:size] = 1.0
    for _ in range(rounds):
        largest, high, product, squares = 0.0, 0.0, 0.0, 0.0
        begin = graphs.arcs[i]
        for v in range(size):
            end = graphs.arcs[i] + graphs.ends[first + v]
            total = 0.0
            for p in range(begin, end):
                total += x[graphs.neighbours[p]]
            begin = end
            largest = max(largest, total / x[v])
            product += total * x[v]
            squares += x[v] * x[v]
            y[v] = total + x[v]
            high = max(high, y[v])
        bound = min(bound, largest)
        if bound < enough or product >= (1.0 - SHARP) * bound * squares:
            break
        for v in range(size):
            x[v] = max(y[v] / high, TINY)
    return bound


@compiled
def radii(
    graphs: Adjacency, first: int, end: int, enough: float, rounds: int, x: Floats, y: Floats, out: Floats
) -> None:
    """Write an upper bound of the radius of graph i, first <= i < end, to out[i]; see `radius`.

    `x` and `y` have space for the nodes of the largest graph.
    """
    for i in range(first, end):
        out[i] = radius(graphs, i, enough, rounds, x, y)
