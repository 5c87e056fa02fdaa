"""What two nodes with the same production are worth: fragments that keep all children of a node, or none."""

from typing import NamedTuple

import numpy as np

from kerneltron.engine.compiled import inlined
from kerneltron.engine.dispatch import implements
from kerneltron.engine.trees.grouping import Groups
from kerneltron.engine.trees.walking import Siblings, WalkArrays, evaluate, width


class Subset(NamedTuple):
    """C(n1, n2) = decay * product over the children of 1 + C(c1, c2)."""

    decay: float


class SizedSubset(NamedTuple):
    """The same for fragments of at most `size` productions: one number per size."""

    decay: float
    size: int


@implements(width, Subset)
def width_of_subset(rule: Subset) -> int:
    """Return 1: fragments of all sizes count together."""
    return 1


@implements(width, SizedSubset)
def width_of_sized_subset(rule: SizedSubset) -> int:
    """Return how many sizes there are, with one number for each."""
    return rule.size


@inlined
def match(i: int, q: int, groups: Groups, arrays: WalkArrays) -> bool:
    """Return whether the left child i and the right child q have the same production."""
    return bool(arrays.codes[i] >= 0 and arrays.codes[i] == groups.codes[q])


# Equal productions have equally many children, unless two hashes collide: then nothing is shared.
@implements(evaluate, Subset)
def evaluate_subset(
    rule: Subset, siblings: Siblings, first: int, end: int, groups: Groups, arrays: WalkArrays, top: int
) -> None:
    """Multiply what the children are worth."""
    many = siblings.end - siblings.first
    for p in range(first, end):
        value = rule.decay if groups.starts[p + 1] - groups.starts[p] == many else 0.0
        if value:
            q = groups.starts[p]
            for i in range(siblings.first, siblings.end):
                if match(i, q, groups, arrays):
                    value *= 1.0 + arrays.values[np.uintp(arrays.offsets[i] + groups.children[q])]
                q += 1
        arrays.values[np.uintp(top + p - first)] = value


@implements(evaluate, SizedSubset)
def evaluate_sized_subset(
    rule: SizedSubset, siblings: Siblings, first: int, end: int, groups: Groups, arrays: WalkArrays, top: int
) -> None:
    """Multiply polynomials: the coefficient of t^s, at s - 1, belongs to the fragments of s productions."""
    size, many = rule.size, siblings.end - siblings.first
    for p in range(first, end):
        product = top + (p - first) * size
        for s in range(size):
            arrays.values[product + s] = 0.0
        if groups.starts[p + 1] - groups.starts[p] != many:
            continue
        arrays.values[product] = rule.decay
        q = groups.starts[p]
        for i in range(siblings.first, siblings.end):
            if match(i, q, groups, arrays):
                factor = arrays.offsets[i] + groups.children[q] * size
                for s in range(size - 1, 0, -1):
                    value = arrays.values[product + s]
                    for t in range(s):
                        value += arrays.values[factor + s - 1 - t] * arrays.values[product + t]
                    arrays.values[product + s] = value
            q += 1
