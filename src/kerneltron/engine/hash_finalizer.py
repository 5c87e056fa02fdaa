"""64-bit hashes of content: numbers that stand for labels, substrings and subtrees wherever they are met.

Model files keep them, and packs that were made apart are compared by them: none of this may ever change.
"""

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.compiled import compiled, inlined

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@inlined
def mixed(h: np.uint64) -> np.uint64:
    """Let every bit depend on every other: the finaliser of SplitMix64, a bijection."""
    h = np.uint64((h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9))
    h = np.uint64((h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB))
    return np.uint64(h ^ (h >> np.uint64(31)))


@compiled
def mix_all(hashes: Integers) -> None:
    """Mix each of these 64-bit numbers, in place."""
    for i in range(hashes.size):
        hashes[i] = mixed(hashes[i])


@inlined
def followed_by(h: np.uint64, other: np.uint64) -> np.uint64:
    """Return the hash of a sequence with hash h and one more element; their order matters."""
    return mixed(np.uint64(np.uint64(h + GOLDEN) * np.uint64(3) ^ other))
