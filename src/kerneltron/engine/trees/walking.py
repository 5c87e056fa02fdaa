"""Sums over all pairs of nodes with the same code, of what a rule says of the pair.

The left trees are walked in post-order, one by one. The right ones are seen at once, each complete subtree a
single time: wherever it stands, its values are the same. On 1,000 questions of TREC that leaves 5.4 pairs of
nodes with equal labels of 12.2, in trees of relations, and 0.3 of 12.2 in trees of words.

What a left node is worth with each right node of its code is one segment of a stack, and those of its
children lie on top when it is its turn. So the value of two children is found by one addition, without
hashing, and only the segments of siblings on the way to the root are kept.
"""

from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.trees.forests import Shape
from kerneltron.engine.trees.grouping import Groups, Search, clear, group


class WalkArrays(NamedTuple):
    """What a walk works with, in one thread."""

    path: Integers  # of the walk: the nodes from the root to the current one
    steps: Integers  # the next child of each
    # For each finished node whose parent is not finished yet:
    bases: Integers  # where its segment begins
    offsets: Integers  # how far the segment is from the places of the right nodes
    codes: Integers  # its code, or -1 where the segment is empty
    values: Floats  # the segments
    sums: Floats  # over the left nodes, for each place; zeros before and after
    # What a rule notes of siblings:
    lowest: Integers  # for each code; zeros before and after
    following: Integers  # for each finished node
    tallies: Integers  # for each finished node
    stamps: Integers  # for each sibling, by its number
    work: Floats  # for each sibling, by its number


class Siblings(NamedTuple):
    """The children of the current left node: entries first:end of the arrays for finished nodes."""

    first: int
    end: int


def evaluate(
    rule: Any, siblings: Siblings, first: int, end: int, groups: Groups, arrays: WalkArrays, top: int
) -> None:
    """Write what the left node is worth with the right nodes at places first:end to arrays.values[top:].

    Each of them gets as many numbers as `width` says.
    """
    raise NotImplementedError


def width(rule: Any) -> int:
    """Return how many numbers a rule keeps of a pair; their sum is what the pair is worth."""
    raise NotImplementedError


@compiled
def find_peaks(left: Shape, groups: Groups, peaks: Integers) -> None:
    """Write the most pairs that are kept at a time while the tree below u is walked to peaks[u]."""
    for u in range(peaks.size):
        peaks[u] = peak_of(left, u, groups, peaks)


@inlined
def peak_of(left: Shape, u: int, groups: Groups, peaks: Integers) -> int:
    """Return the most pairs that are kept at a time, from the same of the children."""
    kept = peak = 0
    for p in range(left.starts[u], left.starts[u + 1]):
        child = left.children[p]
        peak = max(peak, kept + peaks[child])
        kept += length(left.codes[child], groups)
    return max(peak, kept + length(left.codes[u], groups))


@inlined
def length(code: int, groups: Groups) -> int:
    """Return how many right nodes have this code."""
    return groups.ends[code] - groups.firsts[code] if code >= 0 else 0


@compiled
def walk(rule: Any, left: Shape, root: int, groups: Groups, arrays: WalkArrays) -> None:
    """Add what each right node is worth, with all nodes of a left tree, to arrays.sums."""
    wide = width(rule)
    depth = done = top = 0
    arrays.path[0], arrays.steps[0] = root, left.starts[root]
    while depth >= 0:
        u = arrays.path[depth]
        p = arrays.steps[depth]
        if p < left.starts[u + 1]:
            arrays.steps[depth] = p + 1
            depth += 1
            child = left.children[p]
            arrays.path[depth], arrays.steps[depth] = child, left.starts[child]
            continue
        depth -= 1
        siblings = Siblings(done - (left.starts[u + 1] - left.starts[u]), done)
        base = arrays.bases[siblings.first] if siblings.first < done else top
        code = left.codes[u]
        many = length(code, groups)
        first = groups.firsts[code] if many else 0
        if many:
            evaluate(rule, siblings, first, first + many, groups, arrays, top)
            keep(arrays, top, base, first, many, wide)
        done = siblings.first
        arrays.bases[done], arrays.offsets[done] = base, base - first * wide
        arrays.codes[done] = code if many else -1
        top = base + many * wide
        done += 1


@inlined
def keep(arrays: WalkArrays, top: int, base: int, first: int, many: int, wide: int) -> None:
    """Add a segment to the sums, and move it down to where those of the children began."""
    if wide == 1:
        for k in range(many):
            value = arrays.values[np.uintp(top + k)]
            arrays.sums[np.uintp(first + k)] += value
            arrays.values[np.uintp(base + k)] = value
        return
    for k in range(many):
        total = 0.0
        for s in range(wide):
            value = arrays.values[np.uintp(top + k * wide + s)]
            total += value
            arrays.values[np.uintp(base + k * wide + s)] = value
        arrays.sums[np.uintp(first + k)] += total


# A list of pairs, without an inner loop over children, is twice as quick: branches are foreseen.
@inlined
def total(groups: Groups, pairs: int, sums: Floats) -> None:
    """Add to the sum of each right node those of all nodes below it."""
    for k in range(pairs):
        sums[np.uintp(groups.above[k])] += sums[np.uintp(groups.below[k])]


@compiled
def compare(
    rule: Any,
    left: Shape,
    roots: Integers,
    groups: Groups,
    others: Integers,
    arrays: WalkArrays,
    column: int,
    out: Floats,
) -> None:
    """Write the sum over all pairs of nodes of left tree i and right tree j to out[i, column + j].

    `roots` are those of the left trees, `others` the places of the right ones, -1 where a root has none.
    """
    for i in range(roots.size):
        walk(rule, left, roots[i], groups, arrays)
        total(groups, groups.above.size, arrays.sums)
        for j in range(others.size):
            out[i, column + j] = arrays.sums[others[j]] if others[j] >= 0 else 0.0
        arrays.sums[:] = 0.0


@compiled
def compare_own(
    rule: Any,
    shape: Shape,
    roots: Integers,
    search: Search,
    groups: Groups,
    peaks: Integers,
    arrays: WalkArrays,
    out: Floats,
) -> int:
    """Write the sum over all pairs of nodes of tree i to out[i]; return how many trees were done.

    Where arrays.values is too small for the next one, peaks[roots[i]] says how many pairs it keeps.
    """
    for i in range(roots.size):
        count, pairs = group(shape, roots, i, i + 1, search, groups)
        for k in range(count):
            peaks[search.found[k]] = peak_of(shape, search.found[k], groups, peaks)
        fits = peaks[roots[i]] * width(rule) <= arrays.values.size
        if fits and count > 0:
            walk(rule, shape, roots[i], groups, arrays)
            total(groups, pairs, arrays.sums)
            out[i] = arrays.sums[search.places[roots[i]]]
            for p in range(count):
                arrays.sums[p] = 0.0
        elif fits:
            out[i] = 0.0
        clear(shape, count, search, groups)
        if not fits:
            return i
    return roots.size
