"""From keys and values to slots: the hash trick without any cleverness."""

from itertools import combinations
from math import sqrt

import numpy as np

from tests.oracle.murmur import cross, murmur, place


def hash_of(text):
    return murmur(text.encode("utf-8", "surrogateescape"))


def groups(keys, hashing):
    """Return hashes and values of the words in a row and of their groups."""
    found = [(hash_of(key), value) for key, value in keys]
    for size in range(2, hashing.ngrams + 1):
        for further in combinations(range(1, size + hashing.skips), size - 1):
            for i in range(len(keys) - further[-1]):
                h, product = found[i]
                for step in further:
                    h, product = cross(h, found[i + step][0]), product * found[i + step][1]
                found.append((h, product))
    return found


def features(spaces, hashing):
    """Return the row of an example as a dictionary from slot to value.

    Each space is its name, its keys with their values, and whether neighbours make groups.
    """
    items = []
    for space, keys, runs in spaces:
        hashed = groups(keys, hashing) if runs else [(hash_of(key), value) for key, value in keys]
        items += [(space, h, value) for h, value in hashed]
    count = len(items)
    for pair in hashing.cross:
        left, right = (part.strip() for part in pair.split("*"))
        for i in range(count):
            for j in range(i + 1 if left == right else 0, count):
                if items[i][0] == left and items[j][0] == right:
                    items.append(("", cross(items[i][1], items[j][1]), items[i][2] * items[j][2]))
    row, seen = {}, set()
    for space, h, counted in items:
        if space in hashing.only_crossed:
            continue
        if hashing.binary and h in seen:
            continue
        seen.add(h)
        value = 1.0 if hashing.binary else counted
        for copy in range(hashing.copies):
            slot, sign = place(cross(h, copy) if copy else h, hashing.bits)
            factor = sign if hashing.signed else 1
            row[slot] = row.get(slot, 0.0) + factor * value / sqrt(hashing.copies)
    if hashing.damped:
        row = {slot: np.sign(value) * np.log1p(abs(value)) for slot, value in row.items()}
    if hashing.normalize:
        length = sqrt(sum(np.float64(value) ** 2 for value in row.values()))
        row = {slot: value / length for slot, value in row.items()} if length > 0 else row
    return row
