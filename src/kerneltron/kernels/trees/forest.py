"""Complete subtrees, each once, however often it stands in the trees of a pack."""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from kerneltron._matrices import frozen
from kerneltron._types import Integers
from kerneltron.engine.trees.forests import hash_nodes, link, mark, measure
from kerneltron.kernels.ragged import Ragged
from kerneltron.kernels.vocabulary import Vocabulary


class Children(NamedTuple):
    """The children of nodes, by the numbers of the nodes."""

    nodes: Integers


class Codes(NamedTuple):
    """One code per node, -1 for those that have none, and what the codes stand for."""

    of_nodes: Integers
    vocabulary: Vocabulary


class Forest:
    """Nodes with their labels, by 64-bit ids, and their children, which have smaller numbers.

    It is a directed acyclic graph. Parts of a pack share it, and what it finds out about itself.
    """

    def __init__(self, labels: Integers, children: Ragged[Children]) -> None:
        self.labels = frozen(labels, np.uint64)
        self.starts = frozen(children.starts, np.int64)
        self.children = frozen(children.flat.nodes, np.int32)

    def __len__(self) -> int:
        return int(self.labels.size)

    @classmethod
    def of_nodes(cls, labels: Integers, counts: Integers) -> tuple[Self, Integers]:
        """Return a node for each of trees in post-order, with this many children each, and the roots."""
        starts = np.concatenate([[0], np.cumsum(counts)])
        children, roots = np.empty(starts[-1], np.int32), np.empty(counts.size, np.int32)
        trees = link(counts, roots, children)
        return cls(labels, Ragged(starts, Children(children))), roots[:trees].copy()

    @cached_property
    def sizes(self) -> Integers:
        """How many nodes each subtree has, when it is written out."""
        sizes = np.empty(len(self), np.int64)
        measure(self.starts, self.children, sizes)
        return sizes

    @cached_property
    def subtrees(self) -> Integers:
        """A content hash of each complete subtree."""
        hashes = np.empty(len(self), np.uint64)
        hash_nodes(self.labels, hashes, self.starts, self.children, hashes)
        return hashes

    @cached_property
    def by_label(self) -> Codes:
        """One code per label."""
        vocabulary, codes = Vocabulary.of(self.labels)
        return Codes(codes, vocabulary)

    @cached_property
    def by_production(self) -> Codes:
        """One code per label together with the labels of the children; leaves have none."""
        hashes = np.empty(len(self), np.uint64)
        hash_nodes(self.labels, self.labels, self.starts, self.children, hashes)
        is_inner = np.diff(self.starts) > 0
        vocabulary, inner = Vocabulary.of(hashes[is_inner])
        codes = np.full(len(self), -1, np.int32)
        codes[is_inner] = inner
        return Codes(codes, vocabulary)

    @cached_property
    def widest(self) -> int:
        """The most children of a node."""
        return int(np.diff(self.starts).max(initial=0))

    def below(self, roots: Integers) -> tuple[Self, Integers]:
        """Return a forest of what stands below some roots, and their new numbers."""
        marks = np.zeros(len(self), np.uint8)
        marks[roots] = 1
        mark(self.starts, self.children, marks)
        return self._with(np.flatnonzero(marks), np.cumsum(marks, dtype=np.int32) - 1, roots)

    def shared(self, roots: Integers) -> tuple[Self, Integers]:
        """Return a forest in which no subtree stands twice, and the new numbers of some nodes."""
        codes = Vocabulary.of(self.subtrees)[1]
        is_first = np.diff(np.maximum.accumulate(codes), prepend=-1) > 0
        return self._with(np.flatnonzero(is_first), codes, roots)

    def _with(self, nodes: Integers, renumbered: Integers, roots: Integers) -> tuple[Self, Integers]:
        """Return some of the nodes, in their order, under new numbers."""
        children = Ragged(self.starts, Children(renumbered[self.children]))[nodes]
        return type(self)(self.labels[nodes], children), renumbered[roots]

    @classmethod
    def join(cls, forests: Sequence[Self], roots: Sequence[Integers]) -> tuple[Self, Integers]:
        """Return a forest of all, and the numbers of the roots of each, one after the other."""
        if all(forest is forests[0] for forest in forests):
            return forests[0], np.concatenate(roots)
        before = np.cumsum([0, *map(len, forests)], dtype=np.int32)
        pairs = list(zip(forests, before, strict=False))
        children = Ragged.join(
            [Ragged(forest.starts, Children(forest.children + first)) for forest, first in pairs]
        )
        every = cls(np.concatenate([forest.labels for forest in forests]), children)
        return every.shared(np.concatenate([own + first for own, first in zip(roots, before, strict=False)]))
