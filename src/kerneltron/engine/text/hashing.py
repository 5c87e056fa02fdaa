"""MurmurHash3 (x86, 32 bits) of names, crosses of hashes, and the slot and sign that a hash stands for.

The slots are those of scikit-learn's FeatureHasher, and every saved model relies on them: none of this may
ever change.
"""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Bytes, Integers
from kerneltron.engine.compiled import compiled, inlined, internal
from kerneltron.engine.text.memory import SLACK, first_bytes, load64

WORD = np.uint64(0xFFFFFFFF)
GOLDEN = np.uint32(0x9E3779B1)


class Prefix(NamedTuple):
    """MurmurHash3 after some bytes: the state of their whole words, and the `size % 4` bytes left over."""

    state: np.uint32
    rest: np.uint64
    size: int


@inlined
def rotate(x: np.uint32, bits: int) -> np.uint32:
    """Rotate 32 bits to the left."""
    return np.uint32((x << np.uint32(bits)) | (x >> np.uint32(32 - bits)))


@inlined
def scramble(word: np.uint32) -> np.uint32:
    """Mix the bits of one word; 0 stays 0."""
    return np.uint32(rotate(np.uint32(word * np.uint32(0xCC9E2D51)), 15) * np.uint32(0x1B873593))


@inlined
def absorb(state: np.uint32, word: np.uint32) -> np.uint32:
    """Take four bytes into the state."""
    return np.uint32(rotate(np.uint32(state ^ scramble(word)), 13) * np.uint32(5) + np.uint32(0xE6546B64))


@inlined
def fmix32(h: np.uint32) -> np.uint32:
    """Let every bit depend on every other: the finaliser of MurmurHash3."""
    h = np.uint32((h ^ (h >> np.uint32(16))) * np.uint32(0x85EBCA6B))
    h = np.uint32((h ^ (h >> np.uint32(13))) * np.uint32(0xC2B2AE35))
    return np.uint32(h ^ (h >> np.uint32(16)))


@inlined
def chosen(condition: bool, yes: np.uint32, no: np.uint32) -> np.uint32:
    """Return one of two words without a branch."""
    mask = np.uint32(0) - np.uint32(condition)
    return np.uint32(no ^ ((no ^ yes) & mask))


@inlined
def hash_short(prefix: Prefix, word: np.uint64, size: int) -> np.uint32:
    """Hash the prefix and then `size` < 8 bytes, which `word` holds, with zeros behind them.

    Without a branch, which would be mispredicted at every other word of a text.
    """
    held = np.uint64(prefix.size & 3)
    low = prefix.rest | (word << (held * np.uint64(8)))
    high = (word >> np.uint64(8)) >> (np.uint64(56) - held * np.uint64(8))  # what `low` has no room for
    count = held + np.uint64(size)
    once = absorb(prefix.state, np.uint32(low))
    twice = absorb(once, np.uint32(low >> np.uint64(32)))
    has_one, has_two = bool(count >= 4), bool(count >= 8)  # whole words
    state = chosen(has_two, twice, chosen(has_one, once, prefix.state))
    tail = chosen(has_one, np.uint32(low >> np.uint64(32)), np.uint32(low))
    tail = chosen(has_two, np.uint32(high), tail)
    return fmix32(np.uint32(state ^ scramble(tail) ^ np.uint32(prefix.size + size)))


@internal
def extend(prefix: Prefix, text: Bytes, start: int, stop: int) -> Prefix:
    """Return the prefix with text[start:stop] behind it; the text needs SLACK."""
    held = np.uint64(8 * (prefix.size & 3))
    state, rest = prefix.state, prefix.rest
    p = start
    while stop - p >= 4:
        rest |= (load64(text, p) & WORD) << held
        state = absorb(state, np.uint32(rest))
        rest >>= np.uint64(32)
        p += 4
    rest |= first_bytes(load64(text, p), stop - p) << held
    if (prefix.size & 3) + stop - p >= 4:
        state = absorb(state, np.uint32(rest))
        rest >>= np.uint64(32)
    return Prefix(state, rest, prefix.size + stop - start)


@inlined
def append(prefix: Prefix, byte: int) -> Prefix:
    """Return the prefix with one byte behind it."""
    held = prefix.size & 3
    rest = prefix.rest | (np.uint64(byte) << np.uint64(8 * held))
    if held == 3:
        return Prefix(absorb(prefix.state, np.uint32(rest)), np.uint64(0), prefix.size + 1)
    return Prefix(prefix.state, rest, prefix.size + 1)


@inlined
def finish(prefix: Prefix) -> np.uint32:
    """Return the hash of the bytes of a prefix."""
    return fmix32(np.uint32(prefix.state ^ scramble(np.uint32(prefix.rest)) ^ np.uint32(prefix.size)))


@inlined
def nothing() -> Prefix:
    """Return the prefix without bytes, seed 0."""
    return Prefix(np.uint32(0), np.uint64(0), 0)


@inlined
def hash_bytes(prefix: Prefix, text: Bytes, start: int, stop: int) -> np.uint32:
    """Return the hash of the prefix and then text[start:stop]; the text needs SLACK."""
    return finish(extend(prefix, text, start, stop))


@inlined
def cross(left: np.uint32, right: np.uint32) -> np.uint32:
    """Return the hash of a pair: no name is built."""
    return fmix32(np.uint32(left * GOLDEN + right))


@inlined
def sign_of(h: np.uint32) -> int:
    """Return the sign of a hash, taken as a signed number: 1 or -1, without a branch."""
    return 1 - 2 * int(np.int64(h) >> 31)


@inlined
def slot(h: np.uint32, mask: int) -> int:
    """Return abs(h) mod (mask + 1), h taken as a signed number and its absolute value in 64 bits."""
    return int(abs(np.int64(np.int32(h))) & mask)


@compiled
def murmur(text: Bytes, starts: Integers, hashes: Integers) -> None:
    """Fill hashes[i] with the hash of text[starts[i]:starts[i + 1]]."""
    for i in range(hashes.size):
        hashes[i] = hash_bytes(nothing(), text, starts[i], starts[i + 1])


@compiled
def copy_keys(keys: Integers, hashes: Integers) -> None:
    """Fill hashes[i, j] with the hash of copy j of the feature keys[i]; copy 0 is the feature itself."""
    for i in range(hashes.shape[0]):
        hashes[i, 0] = keys[i]
        for copy in range(1, hashes.shape[1]):
            hashes[i, copy] = cross(np.uint32(keys[i]), np.uint32(copy))


def hash_texts(texts: list[bytes]) -> Integers:
    """Return the hash of each text, as 32 bits without a sign."""
    ends = np.cumsum([0, *map(len, texts)])
    hashes = np.empty(len(texts), np.uint32)
    murmur(np.frombuffer(b"".join(texts) + bytes(SLACK), np.uint8), ends, hashes)
    return hashes
