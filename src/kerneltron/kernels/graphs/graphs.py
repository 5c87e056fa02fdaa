"""Graphs with labelled nodes, as the engine sees them."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from kerneltron._matrices import frozen
from kerneltron._types import Anything, Integers
from kerneltron.engine.graphs.adjacency import Adjacency, Edges, connect
from kerneltron.kernels.pack import Index
from kerneltron.kernels.ragged import Ragged, array_in, restored, starts_of

KEY = "graphs"
ALIKE = 0x2545F4914F6CDD1D  # the id of every node that has no label


class Nodes(NamedTuple):
    """The id of each node's label, and where its neighbours end, counted from the first of its graph."""

    labels: Integers
    ends: Integers


class Arcs(NamedTuple):
    """The neighbours of all nodes, by their numbers within the graph."""

    neighbours: Integers


class Graphs:
    """Undirected graphs: the nodes of each, and the neighbours of each node, none twice."""

    def __init__(self, nodes: Ragged[Nodes], arcs: Ragged[Arcs]) -> None:
        self.nodes, self.arcs = nodes, arcs

    @classmethod
    def of(cls, sizes: Any, labels: Integers, edges: Edges) -> Self:
        """Connect the nodes of graphs of these sizes; the ends of all edges are nodes."""
        nodes, most = starts_of(sizes), max(sizes, default=0)
        arcs, ends = np.empty_like(nodes), np.empty(labels.size, np.int32)
        neighbours = np.empty(2 * len(edges.pairs), np.int32)
        total = connect(edges, Adjacency(nodes, arcs, ends, neighbours), np.full(most, -1, np.int64))
        return cls(Ragged(nodes, Nodes(labels, ends)), Ragged(arcs, Arcs(neighbours[:total].copy())))

    def __len__(self) -> int:
        return len(self.nodes)

    def __getitem__(self, index: Index) -> Self:
        return type(self)(self.nodes[index], self.arcs[index])

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Return the graphs of all, one after the other."""
        return cls(Ragged.join([part.nodes for part in parts]), Ragged.join([part.arcs for part in parts]))

    @cached_property
    def adjacency(self) -> Adjacency:
        """Who is whose neighbour."""
        return Adjacency(
            frozen(self.nodes.starts, np.int64),
            frozen(self.arcs.starts, np.int64),
            frozen(self.nodes.flat.ends, np.int32),
            frozen(self.arcs.flat.neighbours, np.int32),
        )

    @cached_property
    def labels(self) -> Integers:
        """The id of each node's label."""
        return frozen(self.nodes.flat.labels, np.uint64)  # type: ignore[no-any-return]

    # -- model files ---------------------------------------------------------------------------------

    def tensors(self) -> dict[str, Anything]:
        """Return the arrays to save."""
        nodes, arcs = self.nodes.tensors(), self.arcs.tensors()
        return {"nodes": nodes.pop("starts"), "arcs": arcs.pop("starts"), **nodes, **arcs}

    @classmethod
    def restored(cls, tensors: Mapping[str, Anything]) -> Self:
        """Return the graphs that `tensors` describes; raise a ValueError where they are damaged."""
        sides = [{**tensors, "starts": array_in(tensors, name, np.int64)} for name in ("nodes", "arcs")]
        nodes = restored(sides[0], Nodes, {"labels": np.uint64, "ends": np.int32})
        arcs = restored(sides[1], Arcs, {"neighbours": np.int32})
        if len(nodes) != len(arcs):
            raise ValueError(f"there are nodes of {len(nodes)} graphs and arcs of {len(arcs)}")
        _check_ends(nodes, arcs)
        _check_arcs(nodes, arcs)
        return cls(nodes, arcs)


def _check_ends(nodes: Ragged[Nodes], arcs: Ragged[Arcs]) -> None:
    """Raise unless in every graph the ends never fall, from 0 to the number of its arcs."""
    there = nodes.lengths > 0
    ends = nodes.flat.ends[nodes.starts[1:][there] - 1]
    if (_degrees(nodes) < 0).any() or (ends != arcs.lengths[there]).any() or arcs.lengths[~there].any():
        raise ValueError("'ends' does not fit the arcs of a graph")


def _check_arcs(nodes: Ragged[Nodes], arcs: Ragged[Arcs]) -> None:
    """Raise unless every arc ends at a node of its graph, no arc comes twice and each goes both ways."""
    neighbours, total = arcs.flat.neighbours.astype(np.int64), int(nodes.starts[-1])
    if ((neighbours < 0) | (neighbours >= np.repeat(nodes.lengths, arcs.lengths))).any():
        raise ValueError("a neighbour is not a node of its graph")
    tails = np.repeat(np.arange(total), _degrees(nodes))
    heads = neighbours + np.repeat(nodes.starts[:-1], arcs.lengths)
    forth, back = np.sort(tails * total + heads), np.sort(heads * total + tails)
    if (np.diff(forth) == 0).any() or (forth != back).any():
        raise ValueError("an edge comes twice, or goes one way only")


def _degrees(nodes: Ragged[Nodes]) -> Integers:
    """Return how many neighbours each node has."""
    degrees = nodes.flat.ends.astype(np.int64)
    later = np.ones(degrees.size, bool)
    later[nodes.starts[:-1][nodes.lengths > 0]] = False  # the neighbours of a first node begin at 0
    degrees[later] -= nodes.flat.ends[np.flatnonzero(later) - 1]
    return degrees
