"""Undirected graphs as lists of neighbours, one graph after the other in flat arrays."""

from typing import NamedTuple

from kerneltron._types import Integers
from kerneltron.engine.compiled import compiled


class Adjacency(NamedTuple):
    """The nodes of graph i are nodes[i]:nodes[i + 1], its neighbours stand in arcs[i]:arcs[i + 1].

    Within a graph, nodes are numbered from 0, and the neighbours of node v end at ends[v], where those of
    the next node begin. An edge is two arcs; a loop at a node is one.
    """

    nodes: Integers
    arcs: Integers
    ends: Integers
    neighbours: Integers


class Edges(NamedTuple):
    """The edges of graph i are pairs[starts[i]:starts[i + 1]], each the numbers of two of its nodes."""

    starts: Integers
    pairs: Integers


@compiled
def first_stray(edges: Edges, nodes: Integers) -> int:
    """Return the first edge whose end is not a node of its graph, or how many edges there are."""
    for i in range(nodes.size - 1):
        size = nodes[i + 1] - nodes[i]
        for e in range(edges.starts[i], edges.starts[i + 1]):
            if not (0 <= edges.pairs[e, 0] < size and 0 <= edges.pairs[e, 1] < size):
                return int(e)
    return int(edges.starts[nodes.size - 1])


@compiled
def connect(edges: Edges, graphs: Adjacency, seen: Integers) -> int:
    """Fill in the arcs of all graphs, whose nodes are known; return how many arcs there are.

    Edges come in any order, either way round, and count once however often they are given. There is space
    for two arcs per edge. `seen` is -1 for each node of the largest graph.
    """
    total = 0
    for i in range(graphs.nodes.size - 1):
        first, size = graphs.nodes[i], graphs.nodes[i + 1] - graphs.nodes[i]
        ends, base = graphs.ends[first : first + size], 2 * edges.starts[i]
        ends[:] = 0
        for e in range(edges.starts[i], edges.starts[i + 1]):
            ends[edges.pairs[e, 0]] += 1
            ends[edges.pairs[e, 1]] += 1
        begin = 0
        for v in range(size):
            degree = ends[v]
            ends[v] = begin
            begin += degree
        for e in range(edges.starts[i], edges.starts[i + 1]):
            u, v = edges.pairs[e, 0], edges.pairs[e, 1]
            graphs.neighbours[base + ends[u]] = v
            ends[u] += 1
            graphs.neighbours[base + ends[v]] = u
            ends[v] += 1
        # What is kept moves forward in the same array, never beyond what is still to be read.
        graphs.arcs[i] = total
        begin = 0
        for v in range(size):
            for p in range(base + begin, base + ends[v]):
                u = graphs.neighbours[p]
                if seen[u] != first + v:
                    seen[u] = first + v
                    graphs.neighbours[total] = u
                    total += 1
            begin = ends[v]
            ends[v] = total - graphs.arcs[i]
    graphs.arcs[graphs.nodes.size - 1] = total
    return total
