"""Words that stand together: runs of neighbours, and pairs that are not far apart."""

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.compiled import compiled
from kerneltron.engine.mixing import followed_by

NOTHING = np.uint64(0)  # the hash of no words


@compiled
def hash_runs(words: Integers, starts: Integers, shortest: int, longest: int, ids: Integers) -> int:
    """Write the hash of each run of `shortest` to `longest` words, in order of where it begins, then ends.

    Example i has the words starts[i]:starts[i + 1]. Return how many runs there are.
    """
    to = 0
    for i in range(starts.size - 1):
        for first in range(starts[i], starts[i + 1]):
            h = NOTHING
            for last in range(first, min(first + longest, starts[i + 1])):
                h = followed_by(h, words[last])
                if last - first + 1 >= shortest:
                    ids[to] = h
                    to += 1
    return to


@compiled
def hash_pairs(words: Integers, starts: Integers, window: int, ids: Integers) -> int:
    """Write the hash of each pair of words at most `window` places apart, in the order of `hash_runs`."""
    to = 0
    for i in range(starts.size - 1):
        for first in range(starts[i], starts[i + 1]):
            h = followed_by(NOTHING, words[first])
            for second in range(first + 1, min(first + window + 1, starts[i + 1])):
                ids[to] = followed_by(h, words[second])
                to += 1
    return to
