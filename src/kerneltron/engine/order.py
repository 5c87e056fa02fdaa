"""The order in which a pass visits its examples, computed on the way and never stored.

A permutation is a keyed bijection of the numbers below a power of two: multiply by an odd number, fold the
upper bits into the lower ones, several times over; results that are too large go through it again. So a
pass over any number of rows needs no memory for its order and can start anywhere.
"""

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.hash_finalizer import GOLDEN, mixed

BLOCK = 512
ROUNDS = 4
MINIMUM_BITS = 12  # a wider domain than a handful of rows needs mixes them better


@inlined
def key_of(seed: int, number: int) -> np.uint64:
    """Return a key for one permutation out of the many that belong to `seed`."""
    return mixed(mixed(np.uint64(seed) + GOLDEN) + np.uint64(number))


@inlined
def bits_for(size: int) -> np.uint64:
    """Return how many bits the numbers of a permutation of range(size) are mixed in."""
    bits = np.uint64(MINIMUM_BITS)
    while (np.uint64(1) << bits) < np.uint64(size):
        bits += np.uint64(1)
    return bits


@inlined
def place(position: int | np.int64, size: int, bits: np.uint64, key: np.uint64) -> np.int64:
    """Return what stands at `position` in the permutation of range(size) that `key` names."""
    mask, half = (np.uint64(1) << bits) - np.uint64(1), (bits + np.uint64(1)) // np.uint64(2)
    x = np.uint64(position)
    while True:
        for r in range(ROUNDS):
            k = mixed(key + np.uint64(r))
            x = ((x ^ (k >> np.uint64(32))) * (k | np.uint64(1))) & mask
            x ^= x >> half
        if x < np.uint64(size):
            return np.int64(x)


@inlined
def shuffle(numbers: Integers, first: int, length: int, key: np.uint64) -> None:
    """Permute numbers[first:first + length] in place (Fisher and Yates)."""
    for i in range(length - 1, 0, -1):
        j = np.int64(mixed(key + np.uint64(i)) % np.uint64(i + 1))
        numbers[first + i], numbers[first + j] = numbers[first + j], numbers[first + i]


@compiled
def fill_order(out: Integers, first: int, size: int, number: int, seed: int) -> int:
    """Write the visits of blocks first, first + 1, ... of pass `number` into `out`; return how many.

    The first pass (number 0) is a permutation of all rows, which are then kept in blocks in that order;
    later passes permute the blocks, and the rows inside each. Only whole blocks are written.
    """
    blocks = (size + BLOCK - 1) // BLOCK
    whole, between = key_of(seed, 0), key_of(seed, 2 * number)
    row_bits, block_bits = bits_for(size), bits_for(blocks)
    filled = 0
    for b in range(first, blocks):
        block = np.int64(b) if number == 0 else place(b, blocks, block_bits, between)
        length = min(BLOCK, size - int(block) * BLOCK)
        if filled + length > out.size:
            break
        for i in range(length):
            out[filled + i] = place(block * BLOCK + i, size, row_bits, whole)
        if number > 0:
            shuffle(out, filled, length, mixed(key_of(seed, 2 * number + 1) + np.uint64(block)))
        filled += length
    return filled


@compiled
def last_drawn(seed: int, seen: int, count: int) -> int:
    """Return which of the next `count` ticks a reservoir of one keeps, or -1 for none of them.

    Tick t replaces what is kept with probability 1/t, so every tick so far is kept with the same
    probability; the draw depends on the tick alone, not on how a stream is cut into calls.
    """
    key = key_of(seed, 1)
    for k in range(count - 1, -1, -1):
        t = seen + k + 1
        if mixed(key + np.uint64(t)) % np.uint64(t) == np.uint64(0):
            return k
    return -1
