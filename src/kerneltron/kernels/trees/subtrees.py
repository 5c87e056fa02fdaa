"""Nodes with all their descendants, counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kerneltron._types import Anything
from kerneltron.kernels.bags import Found
from kerneltron.kernels.counting import Counting
from kerneltron.kernels.parameters import positive, whole
from kerneltron.kernels.trees.forest import Forest
from kerneltron.kernels.trees.reading import Tree, read_tree, text_of
from kerneltron.kernels.trees.trees import planted, read_trees


@dataclass(frozen=True, repr=False)
class Subtrees(Counting):
    """k(x, z) = sum over complete subtrees s of decay^|s| count_s(x) count_s(z), |s| its number of nodes.

    A complete subtree is a node with all its descendants; a leaf is one, too. Time and memory are linear in
    the nodes; a value costs as much as the product of two sparse rows.

    Parameters
    ----------
    decay
        What a subtree weighs less for each node in it; 1 counts them.
    max_size
        The most nodes in a subtree, or None for all.

    References
    ----------
    Vishwanathan and Smola (2003), Fast Kernels for String and Tree Matching, section 2.

    Examples
    --------
    >>> from kerneltron.kernels import Subtrees
    >>> Subtrees()(["(S (NP John) (VP joins))", "(S (NP Mary) (VP joins))"])  # joins, (VP joins)
    array([[5., 2.],
           [2., 5.]])
    """

    decay: float = 1.0
    max_size: int | None = None

    domain = "trees"

    def __post_init__(self) -> None:
        positive("decay", self.decay)
        if self.max_size is not None:
            whole("max_size", self.max_size, 1)

    def _find(self, X: Any) -> Found:
        trees = read_trees(X)
        nodes, roots = planted(trees)
        starts, chosen = np.append(np.int64(0), roots + 1), self._chosen(nodes)
        if not chosen.all():
            starts = np.append(0, np.cumsum(chosen))[starts]
        sizes = nodes.sizes[chosen]
        weights = np.empty(0) if self.decay == 1 else float(self.decay) ** (sizes / 2)
        return Found(nodes.subtrees[chosen], starts, weights)

    def _chosen(self, nodes: Forest) -> Anything:
        """Return which nodes have a subtree that counts."""
        return nodes.sizes <= (np.inf if self.max_size is None else self.max_size)

    def _names(self, x: Any, places: Sequence[int]) -> list[str]:
        tree = read_tree(x, "x")
        nodes = planted([tree])[0]
        lasts = np.flatnonzero(self._chosen(nodes))[list(places)]
        firsts = lasts - nodes.sizes[lasts] + 1
        spans = zip(firsts.tolist(), (lasts + 1).tolist(), strict=True)
        return [text_of(Tree(tree.labels[first:end], tree.counts[first:end])) for first, end in spans]
