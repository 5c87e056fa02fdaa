"""Edges that come more than once in a graph: kernels over graphs count them once, and that is said."""

import warnings

import numpy as np

from kerneltron._types import Anything, Integers
from kerneltron.engine.graphs.adjacency import Edges
from kerneltron.kernels.graphs.graphs import Graphs

INSTEAD_OF_LABELS = "To have such differences compared, put a node with the label of the edge in its middle"


def warn_of_parallel(edges: Edges, graphs: Graphs) -> None:
    """Warn if an edge comes twice in a graph; one that comes once in each direction is a single edge.

    Parameters
    ----------
    edges
        As they were given.
    graphs
        What was made of them, without repetitions.
    """
    suspect = _may_repeat(edges, graphs)
    if not suspect.any():
        return
    places = np.repeat(np.arange(len(suspect)), np.diff(edges.starts))
    pairs = edges.pairs[suspect[places]]
    firsts, total = graphs.nodes.starts[places[suspect[places]]], int(graphs.nodes.starts[-1])
    is_loop = pairs[:, 0] == pairs[:, 1]
    keys = np.sort(((firsts + pairs[:, 0]) * total + firsts + pairs[:, 1])[~is_loop])
    repeated = keys[1:][keys[1:] == keys[:-1]]
    if repeated.size:
        tail, head = divmod(int(repeated[0]), total)
        place = int(np.searchsorted(graphs.nodes.starts, tail, side="right")) - 1
        first = int(graphs.nodes.starts[place])
        warnings.warn(
            f"X[{place}] has the edge ({tail - first}, {head - first}), by the places of its nodes, more "
            f"than once: kernels over graphs count parallel edges as one, in all of X. {INSTEAD_OF_LABELS}.",
            stacklevel=3,
        )


def _may_repeat(edges: Edges, graphs: Graphs) -> Anything:
    """Return in which graphs an edge may come twice, in a fraction of the time of a sort.

    Not where there are half as many edges as arcs: all come once. Nor where there are as many, and all come
    once in each direction: then f(a, b) = -f(b, a) adds up to 0.
    """
    given, arcs = np.diff(edges.starts), graphs.arcs.lengths
    suspect: Anything = 2 * given != arcs
    if (suspect & (given == arcs)).any():
        suspect &= (given != arcs) | (_sums(edges) != 0)
    return suspect


def _sums(edges: Edges) -> Integers:
    """Return the sum over the edges (a, b) of each graph of (a + 1) (b + 1) (b - a), modulo 2^64."""
    a, b = edges.pairs[:, 0], edges.pairs[:, 1]
    total = np.zeros(len(a) + 1, np.int64)
    np.cumsum((a + 1) * (b + 1) * (b - a), out=total[1:])
    return np.diff(total[edges.starts])
