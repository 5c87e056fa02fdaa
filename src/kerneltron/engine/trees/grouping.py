"""The right side of a comparison: what stands in its trees, each complete subtree once, sorted by code."""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.compiled import compiled
from kerneltron.engine.trees.forests import Shape


class Groups(NamedTuple):
    """Nodes by places: those with code c have the places firsts[c] to ends[c], the last one not included.

    The children of the node at place p are entries starts[p]:starts[p + 1] of `children`, their places, and
    of `codes`. A child that is never compared has the place -1; of the others, `below` and `above` list the
    places of child and parent, and no node as a child before it was listed with all of its own children.
    """

    firsts: Integers
    ends: Integers
    starts: Integers
    children: Integers
    codes: Integers
    below: Integers
    above: Integers


class Search(NamedTuple):
    """What a search for the nodes of some trees works with: one entry per node of the forest."""

    places: Integers  # -1 for all nodes, before and after
    found: Integers
    path: Integers
    steps: Integers


@compiled
def group(
    shape: Shape, roots: Integers, first: int, end: int, search: Search, groups: Groups
) -> tuple[int, int]:
    """Sort the nodes of the trees roots[first:end] by code; return how many there are, and how many pairs.

    search.places then says where each of them stands. `groups.firsts` and `groups.ends` hold zeros before.
    """
    count = 0
    for i in range(first, end):
        count = reach(shape, roots[i], count, search)
    place(shape, count, search, groups)
    for k in range(count):
        u = search.found[k]
        groups.starts[search.places[u] + 1] = shape.starts[u + 1] - shape.starts[u]
    groups.starts[0] = pairs = 0
    for p in range(count):
        groups.starts[p + 1] += groups.starts[p]
    for k in range(count):
        u = search.found[k]
        q = groups.starts[search.places[u]]
        for e in range(shape.starts[u], shape.starts[u + 1]):
            child = np.uintp(shape.children[e])
            groups.children[q] = search.places[child]
            groups.codes[q] = shape.codes[child]
            q += 1
            if shape.codes[child] >= 0:
                groups.below[pairs], groups.above[pairs] = search.places[child], search.places[u]
                pairs += 1
    return count, pairs


@compiled
def reach(shape: Shape, root: int, count: int, search: Search) -> int:
    """Add the new nodes below a root to found[count:], children first; return how many are found then."""
    if shape.codes[root] < 0 or search.places[root] >= 0:
        return count
    depth = 0
    search.path[0], search.steps[0], search.places[root] = root, shape.starts[root], 0
    while depth >= 0:
        u = search.path[depth]
        p = search.steps[depth]
        if p < shape.starts[u + 1]:
            search.steps[depth] = p + 1
            child = shape.children[p]
            if shape.codes[child] >= 0 and search.places[child] < 0:
                depth += 1
                search.path[depth], search.steps[depth] = child, shape.starts[child]
                search.places[child] = 0
        else:
            search.found[count] = u
            count += 1
            depth -= 1
    return count


@compiled
def place(shape: Shape, count: int, search: Search, groups: Groups) -> None:
    """Give the nodes found their places: those with one code side by side."""
    for k in range(count):
        groups.ends[shape.codes[search.found[k]]] -= 1  # numbers below 0 count nodes without a place
    last = 0
    for k in range(count):
        u = search.found[k]
        code = shape.codes[u]
        if groups.ends[code] < 0:
            groups.firsts[code] = last
            last -= groups.ends[code]
            groups.ends[code] = groups.firsts[code]
        search.places[u] = groups.ends[code]
        groups.ends[code] += 1


@compiled
def clear(shape: Shape, count: int, search: Search, groups: Groups) -> None:
    """Forget the nodes found, and leave everything as it was before."""
    for k in range(count):
        u = search.found[k]
        search.places[u] = -1
        groups.firsts[shape.codes[u]] = 0
        groups.ends[shape.codes[u]] = 0
