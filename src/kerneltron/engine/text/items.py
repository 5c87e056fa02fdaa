"""From the words of an example to its features: word groups, crosses, hashing, and one sparse row."""

from math import copysign, log1p, sqrt
from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.engine.compiled import compiled, inlined, internal
from kerneltron.engine.text.hashing import cross, sign_of, slot

WORD, GROUP, CROSS = 0, 1, 2  # kinds of items, as `origins` tells them
SMALL = 1 << 11  # entries of `met` that usual rows need: they stay in the first-level cache
NO_SPACE = -1
LEFT_OUT = -2  # in place of a namespace: crosses have seen the item, and it is no feature itself
MOST_FEATURES = 1 << 25  # of one example, and items: far more than any has, and no more than memory holds
NO_ROOM, OVERFLOWS = -1, -2  # in place of a row's end
LOG_TWO = log1p(1.0)
LARGEST = np.float32(3.4028234663852886e38)  # the largest finite number of single precision


class Recipe(NamedTuple):
    """How features are made of words: see `stream.hashing.Hashing`, which this is the compiled form of."""

    mask: int  # slots - 1
    signed: bool
    binary: bool
    normalize: bool
    copies: int
    groups: Integers  # a row for each kind of word group: how far its further words are, then zeros
    spaces: Integers  # hashes of the namespaces that crosses name
    crosses: Integers  # one row per cross: two places in `spaces`
    only_crossed: Integers  # places in `spaces` of those whose items are no features themselves
    digest: bool  # hash the bytes of each example
    lowercase: bool
    damped: bool


class Items(NamedTuple):
    """What an example is made of before it is hashed into slots: words, groups of words, crosses.

    `origins` has one row per item if names are wanted, else none: the kind, and then for a word where its
    namespace and itself begin and end, for a group its first word and which group, for a cross both items.
    """

    keys: Integers
    values: Floats
    spaces: Integers
    origins: Integers


class RowBuffers(NamedTuple):
    """Where parsed examples go: sparse rows, and per row what else is known of it."""

    values: Floats
    indices: Integers
    starts: Integers
    importance: Floats
    labels: Integers  # where the label begins and ends
    tags: Integers
    records: Integers  # where the record begins and ends, and its line
    digests: Integers
    faults: Integers  # one row each: line, byte from 1, reason
    met: Integers  # a hash table of the slots of the present row, and at its end the stamp of that row
    seen: Integers  # for binary features: a hash table of a row's keys, and at its end the rows so far


class Slots(NamedTuple):
    """The part of a recipe that `write` looks at."""

    mask: int
    signed: bool


class FeatureBuffers(NamedTuple):
    """The row buffers that `write` writes to: only a few arrays can be handed to a function of its own."""

    values: Floats
    indices: Integers
    met: Integers


class Mark(NamedTuple):
    """How entries of `met` tell the present row: none of an earlier row is as large as its stamp."""

    stamp: np.uint64
    mask: int  # of the part of the table that is used


class Reached(NamedTuple):
    """How far a parser came: the place in the text, and what it has written so far."""

    place: int
    lines: int
    rows: int
    features: int
    items: int
    faults: int


@inlined
def space_of(recipe: Recipe, h: np.uint32) -> int:
    """Return which of the namespaces that crosses name has this hash."""
    for s in range(recipe.spaces.size):
        if np.uint32(recipe.spaces[s]) == h:
            return s
    return NO_SPACE


@inlined
def put(items: Items, at: int, key: np.uint32, value: float, space: int) -> None:
    """Write an item."""
    items.keys[at] = key
    items.values[at] = value
    items.spaces[at] = space


@inlined
def note(items: Items, at: int, kind: int, a: int, b: int, c: int, d: int) -> None:
    """Write where an item comes from, if that is wanted."""
    if items.origins.shape[0] > 0:
        origin = items.origins[at]
        origin[0], origin[1], origin[2], origin[3], origin[4] = kind, a, b, c, d


@internal
def add_groups(recipe: Recipe, items: Items, first: int, last: int, to: int) -> int:
    """Add the groups of the neighbouring words first .. last - 1 behind item `to`; return the end, or -1."""
    for g in range(recipe.groups.shape[0]):
        size = recipe.groups.shape[1]
        reach = 0
        for j in range(size):
            reach = max(reach, recipe.groups[g, j])
        for i in range(first, last - reach):
            if to >= items.keys.size:
                return -1
            key, value = np.uint32(items.keys[i]), items.values[i]
            for j in range(size):
                further = recipe.groups[g, j]
                if further > 0:
                    key = cross(key, np.uint32(items.keys[i + further]))
                    value *= items.values[i + further]
            put(items, to, key, value, items.spaces[i])
            note(items, to, GROUP, i, g, 0, 0)
            to += 1
    return to


@internal
def add_crosses(recipe: Recipe, items: Items, first: int, last: int) -> int:
    """Add the pairs that the crosses name behind the items first .. last - 1; return the end, or -1."""
    to = last
    for c in range(recipe.crosses.shape[0]):
        left, right = recipe.crosses[c, 0], recipe.crosses[c, 1]
        for i in range(first, last):
            if items.spaces[i] != left:
                continue
            for j in range(i + 1 if left == right else first, last):
                if items.spaces[j] != right:
                    continue
                if to >= items.keys.size:
                    return -1
                key = cross(np.uint32(items.keys[i]), np.uint32(items.keys[j]))
                put(items, to, key, items.values[i] * items.values[j], NO_SPACE)
                note(items, to, CROSS, i, j, 0, 0)
                to += 1
    for i in range(first, last):
        for space in recipe.only_crossed:
            if items.spaces[i] == space:
                items.spaces[i] = LEFT_OUT
                break
    return to


@inlined
def is_new(seen: Integers, key: np.uint32) -> bool:
    """Return whether a key has not come before in this row, and note it.

    An entry is the number of the row and then the key: those of earlier rows count as empty. The table is a
    power of two, more than twice the keys of a row.
    """
    mask = seen.size - 2
    row = np.uint64(seen[seen.size - 1]) << np.uint64(32)
    place = np.int64(key) & mask
    while seen[place] >= row:
        if seen[place] == row | np.uint64(key):
            return False
        place = (place + 1) & mask
    seen[place] = row | np.uint64(key)
    return True


@inlined
def begin_row(buffers: RowBuffers, row: int, to: int) -> None:
    """Begin an empty row at `to`."""
    buffers.starts[row] = buffers.starts[row + 1] = to
    buffers.met[buffers.met.size - 1] += np.uint64(1 << 32)


@inlined
def usual_mark(buffers: RowBuffers) -> Mark:
    """Return the mark of the present row, as long as it has no more than SMALL / 2 features."""
    return Mark(buffers.met[buffers.met.size - 1], SMALL - 1)


@internal
def larger_mark(buffers: RowBuffers, row: int) -> Mark:
    """Return a mark of the present row that uses the whole table; what the row holds is entered anew."""
    buffers.met[buffers.met.size - 1] += np.uint64(1 << 32)
    mark = Mark(buffers.met[buffers.met.size - 1], buffers.met.size - 2)
    for p in range(buffers.starts[row], buffers.starts[row + 1]):
        place = buffers.indices[p] & mark.mask
        while buffers.met[place] >= mark.stamp:
            place = (place + 1) & mark.mask
        buffers.met[place] = mark.stamp | np.uint64(p)
    return mark


@inlined
def write(
    recipe: Recipe | Slots,
    buffers: RowBuffers | FeatureBuffers,
    key: np.uint32,
    value: float,
    mark: Mark,
    to: int,
) -> int:
    """Add one hashed feature to the row; slots that meet within a row are summed. Return the row's end."""
    index = slot(key, recipe.mask)
    signed = value * sign_of(key) if recipe.signed else value
    place, end = np.uintp(index & mark.mask), np.uintp(to)  # unsigned: numba looks for no negative index
    entry = buffers.met[place]
    while entry >= mark.stamp:
        before = np.uintp(entry & np.uint64(0xFFFFFFFF))
        if buffers.indices[before] == index:
            buffers.values[before] += np.float32(signed)
            return to
        place = (place + np.uintp(1)) & np.uintp(mark.mask)
        entry = buffers.met[place]
    buffers.met[place] = mark.stamp | np.uint64(to)
    buffers.indices[end] = index
    buffers.values[end] = signed
    return to + 1


@inlined
def write_plainly(
    recipe: Recipe, items: Items, first: int, last: int, buffers: RowBuffers, mark: Mark, to: int
) -> int:
    """Hash items into a row, each once and with its value: the usual case in a loop of its own."""
    for i in range(first, last):
        to = write(recipe, buffers, np.uint32(items.keys[i]), items.values[i], mark, to)
    return to


@internal
def write_specially(
    recipe: Recipe, items: Items, first: int, last: int, buffers: RowBuffers, mark: Mark, to: int
) -> int:
    """Hash items into a row as binary features, or several times each, or not all of them."""
    buffers.seen[buffers.seen.size - 1] += np.uint64(1)
    scale = 1.0 / sqrt(recipe.copies)
    for i in range(first, last):
        if items.spaces[i] == LEFT_OUT:
            continue
        key, value = np.uint32(items.keys[i]), items.values[i] * scale
        if recipe.binary:
            if not is_new(buffers.seen, key):
                continue
            value = scale
        to = write(recipe, buffers, key, value, mark, to)
        for copy in range(1, recipe.copies):
            to = write(recipe, buffers, cross(key, np.uint32(copy)), value, mark, to)
    return to


@inlined
def overflows(values: Floats, first: int, last: int) -> bool:
    """Return whether some value is not finite: without a branch, so that vectors do it."""
    found = False
    for p in range(first, last):
        found |= not (abs(values[p]) <= LARGEST)
    return found


@inlined
def write_row(recipe: Recipe, items: Items, first: int, last: int, buffers: RowBuffers, row: int) -> int:
    """Hash the items first .. last - 1 into the row, behind what it holds; return its end.

    Or NO_ROOM, or OVERFLOWS: values that are finite each may not be when slots sum them up, or groups and
    crosses multiply them. What it holds so far lies between buffers.starts[row] and buffers.starts[row + 1].
    """
    row_start, to = buffers.starts[row], buffers.starts[row + 1]
    most = to + (last - first) * recipe.copies
    if most > buffers.indices.size or 2 * (most - row_start) >= buffers.met.size:
        return NO_ROOM
    mark = usual_mark(buffers)
    if 2 * (most - row_start) > SMALL:
        mark = larger_mark(buffers, row)
    if recipe.binary or recipe.copies > 1 or recipe.only_crossed.size > 0:
        to = write_specially(recipe, items, first, last, buffers, mark, to)
    else:
        to = write_plainly(recipe, items, first, last, buffers, mark, to)
    if overflows(buffers.values, row_start, to):
        return OVERFLOWS
    if recipe.damped:
        damp(buffers, row_start, to)
    if recipe.normalize:
        normalize(buffers, row_start, to)
    return to


@inlined
def is_direct(recipe: Recipe, items: Items) -> bool:
    """Return whether words are features as they are: then a parser may `write` them itself, and no items.

    A word less to remember and to look up again: a fifth of the time that VW text takes.
    """
    made_of_items = recipe.groups.shape[0] + recipe.crosses.shape[0] + items.origins.shape[0]
    return made_of_items == 0 and recipe.copies == 1 and not recipe.binary


@compiled
def damp(buffers: RowBuffers, first: int, last: int) -> None:
    """Make sign(x) log(1 + |x|) of each value x of a row."""
    for p in range(first, last):
        value = np.float64(buffers.values[p])
        if abs(value) == 1.0:  # most words come once: without a logarithm
            buffers.values[p] = copysign(LOG_TWO, value)
        else:
            buffers.values[p] = copysign(log1p(abs(value)), value)


@compiled
def normalize(buffers: RowBuffers, first: int, last: int) -> None:
    """Bring a row to length 1; one of zeros stays."""
    total = 0.0
    for p in range(first, last):
        total += np.float64(buffers.values[p]) ** 2
    if total > 0.0:
        for p in range(first, last):
            buffers.values[p] = buffers.values[p] / sqrt(total)
