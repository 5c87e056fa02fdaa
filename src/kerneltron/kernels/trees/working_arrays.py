"""The arrays that the loops over trees work with: they allocate nothing themselves."""

import numpy as np

from kerneltron._matrices import frozen
from kerneltron._types import Integers
from kerneltron.engine.trees.forests import Shape
from kerneltron.engine.trees.grouping import Groups, Search, group
from kerneltron.engine.trees.walking import WalkArrays
from kerneltron.kernels.trees.forest import Codes, Forest


def shape_of(forest: Forest, codes: Codes) -> Shape:
    """Return a forest as the engine takes it."""
    return Shape(forest.starts, forest.children, frozen(codes.of_nodes, np.int32))


def search_in(shape: Shape) -> Search:
    """Return arrays to look for the nodes of some trees."""
    nodes = shape.codes.size
    return Search(
        places=np.full(nodes, -1, np.int32),
        found=np.empty(nodes, np.int32),
        path=np.empty(nodes, np.int32),
        steps=np.empty(nodes, np.int64),
    )


def groups_in(shape: Shape, codes: int) -> Groups:
    """Return arrays for the nodes of some trees, sorted by this many codes."""
    nodes, edges = shape.codes.size, shape.children.size
    return Groups(
        firsts=np.zeros(codes, np.int64),
        ends=np.zeros(codes, np.int64),
        starts=np.empty(nodes + 1, np.int64),
        children=np.empty(edges, np.int32),
        codes=np.empty(edges, np.int32),
        below=np.empty(edges, np.int32),
        above=np.empty(edges, np.int32),
    )


def grouped(shape: Shape, roots: Integers, codes: int) -> tuple[Groups, Integers]:
    """Return the nodes of trees, sorted by this many codes, and the places of the roots."""
    search, groups = search_in(shape), groups_in(shape, codes)
    count, pairs = group(shape, roots, 0, roots.size, search, groups)
    sorted_nodes = groups._replace(
        starts=groups.starts[: count + 1], below=groups.below[:pairs], above=groups.above[:pairs]
    )
    return sorted_nodes, search.places[roots]


def walk_arrays(left: Shape, groups: Groups, kept: int, widest: int, width: int) -> WalkArrays:
    """Return arrays to walk through left trees.

    At most `kept` pairs of nodes are kept at a time, with `width` numbers each; no left node has more than
    `widest` children.
    """
    nodes, edges = left.codes.size, left.children.size
    finished = edges + 2  # no more nodes wait for their parents: those on a path to a root are different
    return WalkArrays(
        path=np.empty(nodes + 1, np.int32),
        steps=np.empty(nodes + 1, np.int64),
        bases=np.empty(finished, np.int64),
        offsets=np.empty(finished, np.int64),
        codes=np.empty(finished, np.int32),
        values=np.empty(kept * width),
        sums=np.zeros(groups.starts.size - 1),
        lowest=np.zeros(groups.firsts.size, np.int64),
        following=np.empty(finished, np.int64),
        tallies=np.empty(finished, np.int64),
        stamps=np.empty(widest + 2, np.int64),
        work=np.empty(max(2, width) * (widest + 2)),
    )
