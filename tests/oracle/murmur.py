"""MurmurHash3 and the hash trick, word by word, in Python's unbounded integers."""

WORD = 0xFFFFFFFF


def rotate(x, bits):
    return (x << bits | x >> (32 - bits)) & WORD


def fmix32(h):
    h = (h ^ h >> 16) * 0x85EBCA6B & WORD
    h = (h ^ h >> 13) * 0xC2B2AE35 & WORD
    return h ^ h >> 16


def murmur(key):
    """Return MurmurHash3 (x86, 32 bits, seed 0) of bytes."""
    h = 0
    for start in range(0, len(key), 4):
        word = int.from_bytes(key[start : start + 4], "little") * 0xCC9E2D51 & WORD
        h ^= rotate(word, 15) * 0x1B873593 & WORD
        if start + 4 <= len(key):
            h = (rotate(h, 13) * 5 + 0xE6546B64) & WORD
    return fmix32(h ^ len(key))


def cross(left, right):
    """Return the hash of a pair of hashes."""
    return fmix32((left * 0x9E3779B1 + right) & WORD)


def place(h, bits):
    """Return the slot and the sign of a hash."""
    number = h - 2**32 if h >= 2**31 else h
    return abs(number) % 2**bits, -1 if number < 0 else 1


def row(features, bits, signed=True, copies=1):
    """Return the hashed form of pairs (hash, value), as a dict from slot to value."""
    total = {}
    for h, value in features:
        for copy in range(copies):
            slot, sign = place(cross(h, copy) if copy else h, bits)
            total[slot] = total.get(slot, 0.0) + (sign if signed else 1) * value / copies**0.5
    return total
