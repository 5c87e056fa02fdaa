"""Content hashes of the substrings of a given length, or of all lengths up to one.

Each is hashed symbol by symbol, at every position anew. A rolling polynomial modulo 2^64 would be quicker,
but takes different substrings of Thue-Morse strings for equal.
"""

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.compiled import compiled
from kerneltron.engine.mixing import followed_by

NOTHING = np.uint64(0)  # the hash of the empty string


@compiled
def hash_substrings(symbols: Integers, starts: Integers, k: int, ids: Integers) -> None:
    """Write the hashes of the substrings of length k of each string to `ids`, from left to right."""
    end = 0
    for i in range(starts.size - 1):
        for first in range(starts[i], starts[i + 1] - k + 1):
            h = NOTHING
            for p in range(first, first + k):
                h = followed_by(h, symbols[p])
            ids[end] = h
            end += 1


@compiled
def hash_beginnings(symbols: Integers, starts: Integers, k: int, placed: bool, ids: Integers) -> None:
    """Write the hashes of the substrings of lengths 1 to k that begin at each position of each string.

    Those that begin at one position come together, the shortest first. With `placed`, equal substrings at
    different positions of a string have different hashes.
    """
    end = 0
    for i in range(starts.size - 1):
        for first in range(starts[i], starts[i + 1]):
            h = followed_by(NOTHING, np.uint64(first - starts[i])) if placed else NOTHING
            for p in range(first, min(first + k, starts[i + 1])):
                h = followed_by(h, symbols[p])
                ids[end] = h
                end += 1
