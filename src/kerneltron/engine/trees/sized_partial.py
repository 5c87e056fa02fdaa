"""What two nodes with the same label are worth, by the sizes of the fragments that they share."""

from typing import NamedTuple

from kerneltron.engine.compiled import inlined
from kerneltron.engine.dispatch import implements
from kerneltron.engine.trees.grouping import Groups
from kerneltron.engine.trees.partial import Partial, forget, note
from kerneltron.engine.trees.walking import Siblings, WalkArrays, evaluate, width


class SizedPartial(NamedTuple):
    """The rule `every` for fragments of at most `size` nodes: one number per size."""

    every: Partial
    size: int


@implements(width, SizedPartial)
def width_of_sized_partial(rule: SizedPartial) -> int:
    """Return how many sizes there are, with one number for each."""
    return rule.size


@implements(evaluate, SizedPartial)
def evaluate_sized_partial(
    rule: SizedPartial, siblings: Siblings, first: int, end: int, groups: Groups, arrays: WalkArrays, top: int
) -> None:
    """Sum over the common subsequences of children; fragments of s nodes count at s - 1."""
    many = siblings.end - siblings.first
    note(siblings, arrays)
    for p in range(first, end):
        few = groups.starts[p + 1] - groups.starts[p]
        out = top + (p - first) * rule.size
        for s in range(rule.size):
            arrays.values[out + s] = 0.0
        if many > 0 and few > 0:
            add_sequences(rule, siblings, p, groups, arrays, out)
            arrays.values[out] = rule.every.alone
        else:
            arrays.values[out] = rule.every.leaf if many == few else rule.every.mixed
    forget(siblings, arrays)


@inlined
def add_sequences(
    rule: SizedPartial, siblings: Siblings, p: int, groups: Groups, arrays: WalkArrays, out: int
) -> None:
    """Add the common subsequences of children with s nodes below them to values[out + s].

    As `sequences`, with polynomials for numbers: t^s belongs to s nodes, and stands at s - 1.
    """
    sizes, many, waiting = rule.size - 1, siblings.end - siblings.first, 1.0
    before, running = many * sizes, (many + 1) * sizes  # where they stand in arrays.work, after D
    for k in range(before):
        arrays.work[k] = 0.0
    for q in range(groups.starts[p], groups.starts[p + 1]):
        i = arrays.lowest[groups.codes[q]]
        if i == 0:
            waiting *= rule.every.gap
            continue
        for s in range(sizes):
            arrays.work[before + s] = arrays.work[running + s] = 0.0
        for k in range(many):
            for s in range(sizes):
                arrays.work[running + s] *= rule.every.gap
            if k + siblings.first + 1 == i:
                add_endings(rule, arrays.offsets[i - 1] + groups.children[q] * rule.size, before, arrays, out)
                i = arrays.following[i - 1]
            for s in range(sizes):
                old = waiting * arrays.work[k * sizes + s]
                arrays.work[k * sizes + s] = rule.every.gap * old + arrays.work[running + s]
                arrays.work[before + s] = old
        waiting = 1.0


@inlined
def add_endings(rule: SizedPartial, pair: int, before: int, arrays: WalkArrays, out: int) -> None:
    """Add the subsequences that end with a pair of children, whose values stand at `pair`."""
    sizes = rule.size - 1
    for s in range(sizes):
        value = arrays.values[pair + s]
        for t in range(s):
            value += arrays.values[pair + t] * arrays.work[before + s - 1 - t]
        arrays.values[out + s + 1] += rule.every.decay * value
        arrays.work[before + sizes + s] += value
