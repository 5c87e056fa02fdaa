"""Shortest paths between all nodes of a graph, counted by the labels of their ends and their length."""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.graphs.adjacency import Adjacency
from kerneltron.engine.hash_finalizer import followed_by
from kerneltron.engine.interning import place_of


class Paths(NamedTuple):
    """Kinds of paths: the hash of each, how many there are, and one of them, by its ends and its length.

    There is space for those of graph i from starts[i] to starts[i + 1]; found[i] says how many there are.
    """

    ids: Integers
    counts: Floats
    ends: Integers  # (kinds, 2): nodes
    lengths: Integers
    starts: Integers
    found: Integers


class PathSearch(NamedTuple):
    """What a search for paths works with: one entry per node of the largest graph, and slots.

    There are at least twice as many slots as kinds of paths that a graph can hold, and at least two: a power
    of two.
    """

    distances: Integers
    queue: Integers
    slots: Integers


@inlined
def path_id(one: np.uint64, other: np.uint64, length: int) -> np.uint64:
    """Return the hash of a path between nodes with these labels, whichever comes first."""
    low, high = min(one, other), max(one, other)
    return followed_by(followed_by(followed_by(np.uint64(0), low), high), np.uint64(length))


@inlined
def measure(graphs: Adjacency, i: int, source: int, search: PathSearch) -> None:
    """Write how far each node of graph i is from `source`, -1 where no path leads; breadth first."""
    first, size = graphs.nodes[i], graphs.nodes[i + 1] - graphs.nodes[i]
    distances, queue = search.distances, search.queue
    distances[:size] = -1
    distances[source] = 0
    queue[0] = source
    end = 1
    for head in range(size):
        if head == end:
            break
        v = queue[head]
        begin = graphs.arcs[i] + (graphs.ends[first + v - 1] if v > 0 else 0)
        for p in range(begin, graphs.arcs[i] + graphs.ends[first + v]):
            u = graphs.neighbours[p]
            if distances[u] < 0:
                distances[u] = distances[v] + 1
                queue[end] = u
                end += 1


@inlined
def count_paths(
    graphs: Adjacency, labels: Integers, i: int, search: PathSearch, slots: Integers, paths: Paths
) -> None:
    """Count the shortest paths between two different nodes of graph i."""
    first, size = graphs.nodes[i], graphs.nodes[i + 1] - graphs.nodes[i]
    start, known = paths.starts[i], 0
    table = paths.ids[start : paths.starts[i + 1]]
    for source in range(size - 1):
        measure(graphs, i, source, search)
        for target in range(source + 1, size):
            length = search.distances[target]
            if length > 0:
                id = path_id(labels[first + source], labels[first + target], length)
                place = place_of(id, slots, table)
                if slots[place] < 0:
                    slots[place] = known
                    table[known] = id
                    paths.counts[start + known] = 0.0
                    paths.ends[start + known, 0] = source
                    paths.ends[start + known, 1] = target
                    paths.lengths[start + known] = length
                    known += 1
                paths.counts[start + slots[place]] += 1.0
    paths.found[i] = known


@compiled
def count_all_paths(
    graphs: Adjacency, labels: Integers, first: int, end: int, search: PathSearch, paths: Paths
) -> None:
    """Count the shortest paths between two different nodes, in the graphs first <= i < end."""
    for i in range(first, end):
        size = 2
        while size < 2 * (paths.starts[i + 1] - paths.starts[i]):
            size *= 2
        slots = search.slots[:size]
        slots[:] = -1
        count_paths(graphs, labels, i, search, slots, paths)
