"""Content hashes of what stands together in strings: runs of symbols, and pairs that are not far apart.

A run is hashed symbol by symbol, at every position anew. A rolling polynomial modulo 2^64 would be quicker,
but takes different substrings of Thue-Morse strings for equal.
"""

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.compiled import compiled
from kerneltron.engine.hash_finalizer import followed_by

NOTHING = np.uint64(0)  # the hash of the empty string


@compiled
def hash_runs(
    symbols: Integers, starts: Integers, shortest: int, longest: int, placed: bool, ids: Integers
) -> None:
    """Write the hash of each run of `shortest` to `longest` symbols, by where it begins, then ends.

    String i has the symbols starts[i]:starts[i + 1]. With `placed`, equal runs at different positions of a
    string have different hashes.
    """
    to = 0
    for i in range(starts.size - 1):
        for first in range(starts[i], starts[i + 1] - shortest + 1):
            h = followed_by(NOTHING, np.uint64(first - starts[i])) if placed else NOTHING
            for p in range(first, first + shortest - 1):
                h = followed_by(h, symbols[p])
            for p in range(first + shortest - 1, min(first + longest, starts[i + 1])):
                h = followed_by(h, symbols[p])
                ids[to] = h
                to += 1


@compiled
def hash_pairs(symbols: Integers, starts: Integers, window: int, ids: Integers) -> None:
    """Write the hash of each pair of symbols at most `window` places apart, in the order of `hash_runs`."""
    to = 0
    for i in range(starts.size - 1):
        for first in range(starts[i], starts[i + 1]):
            h = followed_by(NOTHING, symbols[first])
            for second in range(first + 1, min(first + window + 1, starts[i + 1])):
                ids[to] = followed_by(h, symbols[second])
                to += 1
