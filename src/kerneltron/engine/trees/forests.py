"""Forests: nodes with the children of each, which come before it. No node knows in which trees it stands."""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.compiled import compiled
from kerneltron.engine.hash_finalizer import followed_by

SEED = np.uint64(0x7472656573)  # of the hashes of nodes; it must never change
LARGEST_SIZE = 2**40  # sizes beyond this are not told apart: a damaged file may unfold to any number of nodes


class Shape(NamedTuple):
    """The children of node u are children[starts[u]:starts[u + 1]], all below u.

    Nodes are compared only with nodes of the same code; those below 0 with none.
    """

    starts: Integers
    children: Integers
    codes: Integers


@compiled
def link(counts: Integers, roots: Integers, children: Integers) -> int:
    """Write the children of nodes in post-order to `children`, and the roots to `roots`; return their number.

    `roots` has space for all nodes.
    """
    trees = edges = 0
    for u in range(counts.size):
        trees -= counts[u]
        for p in range(trees, trees + counts[u]):
            children[edges] = roots[p]
            edges += 1
        roots[trees] = u
        trees += 1
    return trees


@compiled
def hash_nodes(labels: Integers, of: Integers, starts: Integers, children: Integers, out: Integers) -> None:
    """Write a hash of its label and of what `of` holds for its children to out[u].

    With the labels again these are productions. With `out` itself they are complete subtrees.
    """
    for u in range(labels.size):
        h = followed_by(SEED, labels[u])
        for p in range(starts[u], starts[u + 1]):
            h = followed_by(h, of[np.uintp(children[p])])
        out[u] = h


@compiled
def measure(starts: Integers, children: Integers, sizes: Integers) -> None:
    """Write how many nodes the tree below u has, itself included, to sizes[u]."""
    for u in range(sizes.size):
        size = 1
        for p in range(starts[u], starts[u + 1]):
            size += sizes[np.uintp(children[p])]
        sizes[u] = min(size, LARGEST_SIZE)


@compiled
def mark(starts: Integers, children: Integers, marks: Integers) -> None:
    """Mark with 1 what stands below marked nodes."""
    for u in range(marks.size - 1, -1, -1):
        if marks[u]:
            for p in range(starts[u], starts[u + 1]):
                marks[np.uintp(children[p])] = 1
