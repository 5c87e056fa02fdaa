"""The Weisfeiler-Lehman subtree kernel."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from kerneltron.engine.graphs.refinement import refine
from kerneltron.kernels.bags import Found
from kerneltron.kernels.graphs.counting import CountingInGraphs
from kerneltron.kernels.graphs.graphs import Graphs
from kerneltron.kernels.graphs.names import node_names, shortened
from kerneltron.kernels.graphs.reading import given, read
from kerneltron.kernels.parameters import whole
from kerneltron.kernels.threads import in_threads

TOGETHER = 256  # graphs that are worth a thread
MOST_ROUNDS = 1000  # what a node is known by stands in memory for each round


@dataclass(frozen=True, repr=False)
class WeisfeilerLehman(CountingInGraphs):
    """k(x, z) = sum over patterns p of count_p(x) count_p(z): nodes and what is around them, up to h steps.

    In round 0 a node is known by its label; in each further round by what it was known by before, and by the
    multiset of what its neighbours were known by. All rounds count. Reading n nodes and m edges takes
    O(h (n + m)) time and O(h n) memory, a value at most O(h n) time: the Gram matrix of the 4,110 molecules
    of NCI1 takes 0.2 s on two cores.

    Parameters
    ----------
    h
        The number of rounds, at most 1,000: 0 counts labels of nodes alone, 1 nodes with their neighbours.

    References
    ----------
    Shervashidze et al. (2011), Weisfeiler-Lehman graph kernels, JMLR 12, section 3.2.

    Examples
    --------
    >>> from kerneltron.kernels import WeisfeilerLehman
    >>> ethanol = [(0, 1), (1, 2)], ["C", "C", "O"]
    >>> methanol = [(0, 1)], ["C", "O"]
    >>> WeisfeilerLehman(h=1)([ethanol, methanol])  # C and C, O and O, O(C) and O(C) are in common
    array([[8., 4.],
           [4., 4.]])
    """

    h: int = 5

    def __post_init__(self) -> None:
        whole("h", self.h, 0, MOST_ROUNDS)

    def _search(self, graphs: Graphs) -> Found:
        rounds = int(self.h)
        ids = np.empty((rounds + 1) * graphs.labels.size, np.uint64)
        in_threads(
            lambda first, end: refine(graphs.adjacency, graphs.labels, rounds, first, end, ids),
            len(graphs),
            TOGETHER,
        )
        return Found(ids, (rounds + 1) * graphs.nodes.starts)

    def _names(self, x: Any, places: Sequence[int]) -> list[str]:
        graph, graphs = given(x), read([x])
        around = _neighbours(graphs)
        own = node_names(graph)
        rounds = [own]
        for ids in self._search(graphs).ids.reshape(-1, max(graph.size, 1))[1:].tolist():
            before = rounds[-1]
            patterns = [",".join(sorted(before[u] for u in others)) for others in around]
            names = [
                f"{own[v]}({inside})" if inside else f"{before[v]}()" for v, inside in enumerate(patterns)
            ]
            rounds.append([shortened(name, id) for name, id in zip(names, ids, strict=True)])
        every = [name for names in rounds for name in names]
        return [every[place] for place in places]


def _neighbours(graphs: Graphs) -> list[list[int]]:
    """Return the neighbours of each node of the only graph."""
    ends = [0, *graphs.nodes.flat.ends.tolist()]
    neighbours = graphs.arcs.flat.neighbours.tolist()
    return [neighbours[begin:end] for begin, end in pairwise(ends)]
