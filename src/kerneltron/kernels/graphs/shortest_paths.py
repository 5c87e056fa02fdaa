"""The shortest-path kernel."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.graphs.paths import Paths, PathSearch, count_all_paths
from kerneltron.kernels.bags import Found
from kerneltron.kernels.graphs.counting import CountingInGraphs
from kerneltron.kernels.graphs.graphs import Graphs
from kerneltron.kernels.graphs.names import node_names
from kerneltron.kernels.graphs.reading import given, read
from kerneltron.kernels.ragged import starts_of
from kerneltron.kernels.threads import in_threads
from kerneltron.kernels.vocabulary import Vocabulary

TOGETHER = 8  # graphs that are worth a thread


@dataclass(frozen=True, repr=False)
class ShortestPaths(CountingInGraphs):
    """k(x, z) = sum over kinds of paths p of count_p(x) count_p(z): the labels of both ends, and the length.

    Every pair of different nodes that are connected counts once, by the length of the shortest paths
    between them. Reading a graph of n nodes and m edges takes O(n (n + m)) time, and memory for each kind of
    path that it holds; a value costs O(kinds of paths).

    References
    ----------
    Borgwardt and Kriegel (2005), Shortest-path kernels on graphs, ICDM, section 4.

    Examples
    --------
    >>> from kerneltron.kernels import ShortestPaths
    >>> ethanol = [(0, 1), (1, 2)], ["C", "C", "O"]
    >>> ether = [(0, 1), (1, 2)], ["C", "O", "C"]
    >>> ShortestPaths()([ethanol, ether])  # C-1-C, C-1-O and C-2-O; C-1-O twice and C-2-C
    array([[3., 2.],
           [2., 5.]])
    """

    def _search(self, graphs: Graphs) -> Found:
        paths = _paths(graphs)
        lengths = paths.found
        starts = starts_of(lengths)
        kept = np.arange(starts[-1]) + np.repeat(paths.starts[:-1] - starts[:-1], lengths)
        return Found(paths.ids[kept], starts, paths.counts[kept])

    def _names(self, x: Any, places: Sequence[int]) -> list[str]:
        nodes, paths = node_names(given(x)), _paths(read([x]))
        names = []
        for place in places:
            one, other = sorted(nodes[end] for end in paths.ends[place])
            names.append(f"{one}-{paths.lengths[place]}-{other}")
        return names


def _paths(graphs: Graphs) -> Paths:
    """Return the kinds of paths in each graph."""
    starts = starts_of(_most_kinds(graphs))
    total = int(starts[-1])
    paths = Paths(
        np.empty(total, np.uint64),
        np.empty(total),
        np.empty((total, 2), np.int32),
        np.empty(total, np.int32),
        starts,
        np.zeros(len(graphs), np.int64),
    )

    def work(first: int, end: int) -> None:
        nodes = int(graphs.nodes.lengths[first:end].max(initial=0))
        most = int(np.diff(starts[first : end + 1]).max(initial=1))
        slots = 1 << (2 * most - 1).bit_length()
        search = PathSearch(np.empty(nodes, np.int32), np.empty(nodes, np.int32), np.empty(slots, np.int32))
        count_all_paths(graphs.adjacency, graphs.labels, first, end, search, paths)

    in_threads(work, len(graphs), TOGETHER)
    return paths


def _most_kinds(graphs: Graphs) -> Integers:
    """Return how many kinds of paths there can be in each graph: pairs of nodes, or of labels by length."""
    sizes = graphs.nodes.lengths
    vocabulary, codes = Vocabulary.of(graphs.labels)
    owners = np.repeat(np.arange(len(graphs)), sizes)
    own = np.unique(owners * max(len(vocabulary), 1) + codes) // max(len(vocabulary), 1)
    labels = np.bincount(own, minlength=len(graphs))
    most: Integers = np.minimum(sizes * (sizes - 1) // 2, labels * (labels + 1) // 2 * (sizes - 1))
    return most.clip(0)
