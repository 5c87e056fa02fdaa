"""The part of a pack that holds trees."""

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain
from typing import Any, Self

import numpy as np

from kerneltron._types import Anything, Integers
from kerneltron.kernels.examples import one_column
from kerneltron.kernels.labels import label_id, label_ids
from kerneltron.kernels.pack import Index
from kerneltron.kernels.ragged import Ragged, array_in
from kerneltron.kernels.trees.forest import Children, Forest
from kerneltron.kernels.trees.reading import Tree, read_tree

KEY = "trees"
MOST_NODES = 2**31  # of one tree


class Trees:
    """Trees by their roots in a forest, which parts of a pack share; packs made apart can be compared."""

    def __init__(self, roots: Integers, forest: Forest, is_compact: bool = False) -> None:
        self.roots, self.forest, self._is_compact = roots, forest, is_compact

    @classmethod
    def of(cls, X: Any) -> Self:
        """Read trees."""
        nodes, roots = planted(read_trees(X))
        forest, roots = nodes.shared(roots)
        return cls(roots, forest, is_compact=True)

    def __len__(self) -> int:
        return self.roots.size

    def __getitem__(self, index: Index) -> Self:
        return type(self)(self.roots[index], self.forest)

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Return the trees of all, one after the other."""
        forest, roots = Forest.join([part.forest for part in parts], [part.roots for part in parts])
        return cls(roots, forest, all(part._is_compact for part in parts))

    def without_rows(self) -> Self:
        """Return the same trees with a forest of their own."""
        if self._is_compact:
            return self
        forest, roots = self.forest.below(self.roots)
        return type(self)(roots, forest, is_compact=True)

    @property
    def largest(self) -> int:
        """How many nodes the largest tree has."""
        return int(self.forest.sizes[self.roots].max(initial=0))

    # -- model files ---------------------------------------------------------------------------------

    def tensors(self) -> dict[str, Anything]:
        """Return the arrays to save."""
        own = self.without_rows()
        forest = own.forest
        return {
            "roots": own.roots,
            "labels": forest.labels,
            "starts": forest.starts,
            "children": forest.children,
        }

    @classmethod
    def restored(cls, tensors: Mapping[str, Anything]) -> Self:
        """Return the trees that `tensors` describes; raise a ValueError where they are damaged."""
        roots, children = array_in(tensors, "roots", np.int32), array_in(tensors, "children", np.int32)
        labels, starts = array_in(tensors, "labels", np.uint64), array_in(tensors, "starts", np.int64)
        if starts.size != labels.size + 1 or starts[0] != 0 or (np.diff(starts) < 0).any():
            raise ValueError("'starts' does not begin at 0, falls, or does not fit the labels")
        if starts[-1] != children.size:
            raise ValueError(f"there are {children.size} children, and {starts[-1]} belong to nodes")
        parents = np.repeat(np.arange(labels.size), np.diff(starts))
        if (children < 0).any() or (children >= parents).any():
            raise ValueError("a child has a number that is not below its parent's")
        if roots.size and not 0 <= roots.min() <= roots.max() < labels.size:
            raise ValueError("a root is not a node")
        trees = cls(roots, Forest(labels, Ragged(starts, Children(children))), is_compact=True)
        if trees.forest.sizes.max(initial=0) >= MOST_NODES:
            raise ValueError(f"a tree has more than {MOST_NODES} nodes")
        return trees


def read_trees(X: Any) -> list[Tree]:
    """Return all trees in X; raise an error that names an example that is not a tree."""
    if isinstance(X, str | bytes | Tree) or callable(getattr(X, "label", None)):
        raise TypeError("X is one tree, not a list of trees: give a list, such as [X].")
    if not isinstance(X, Iterable) or isinstance(X, Mapping | Set) or hasattr(X, "columns"):
        raise TypeError(
            f"X is a {type(X).__name__}, not a list of trees: give a list, an array, or a column of a table."
        )
    return [read_tree(x, f"X[{i}]") for i, x in enumerate(one_column(X))]


def planted(trees: Sequence[Tree]) -> tuple[Forest, Integers]:
    """Return a forest with all nodes of trees, one after the other, and the roots."""
    counts = np.fromiter(chain.from_iterable(tree.counts for tree in trees), np.int64)
    try:
        labels = label_ids(chain.from_iterable(tree.labels for tree in trees))
    except TypeError:
        for i, tree in enumerate(trees):
            _check_labels(tree, i)
        raise
    return Forest.of_nodes(labels, counts)


def _check_labels(tree: Tree, place: int) -> None:
    for position, label in enumerate(tree.labels):
        try:
            label_id(label)
        except TypeError as error:
            raise TypeError(f"X[{place}], node {position} in post-order: {error}") from None
