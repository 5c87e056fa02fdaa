"""Random numbers that are looked up, not drawn in order: functions of a seed, a stream, a row and a place.

A table of such numbers need not be kept: each entry is made anew where it is needed. Integers decide, and
the arithmetic of IEEE 754 (+, -, *, sqrt), rounded after each operation: the bits are the same with every
version of NumPy, of the C library and of numba. Model files rely on them: none of this may ever change.
"""

from math import sqrt

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.hash_finalizer import GOLDEN, followed_by, mixed

single = np.float32
LOW = np.uint64(0xFFFFFFFF)  # the lower half of a word
HALF = np.uint64(32)  # the number of its bits


@inlined
def key_of(seed: np.uint64, stream: int, row: int) -> np.uint64:
    """Return where the words of a row begin; streams are tables that have nothing to do with each other."""
    return followed_by(followed_by(mixed(np.uint64(seed + GOLDEN)), np.uint64(stream)), np.uint64(row))


@inlined
def word(key: np.uint64, place: int) -> np.uint64:
    """Return 64 random bits: those that SplitMix64, begun with this key, yields at this place."""
    return mixed(np.uint64(key + np.uint64(place + 1) * GOLDEN))


@inlined
def below(word: np.uint64, size: int) -> int:
    """Return a number from 0 to size - 1, from the upper half of a word; the lower half stays unused."""
    return np.int64((word >> HALF) * np.uint64(size) >> HALF)  # type: ignore[return-value]


@inlined
def logarithm(x: np.float32) -> np.float32:
    """Return log(x) for ordinary x > 0: the exponent, and the polynomial of Cephes for the rest."""
    bits = single(x).view(np.int32)
    exponent = np.int32(
        np.int32(bits - np.int32(0x3F3504F3)) >> np.int32(23)
    )  # x is from sqrt(1/2) to sqrt(2)
    t = np.int32(bits - np.int32(exponent << np.int32(23))).view(np.float32) - single(1.0)
    p = single(7.0376836292e-2)
    p = p * t - single(1.1514610310e-1)
    p = p * t + single(1.1676998740e-1)
    p = p * t - single(1.2420140846e-1)
    p = p * t + single(1.4249322787e-1)
    p = p * t - single(1.6668057665e-1)
    p = p * t + single(2.0000714765e-1)
    p = p * t - single(2.4999993993e-1)
    p = p * t + single(3.3333331174e-1)
    square, times = t * t, single(exponent)
    small = p * t * square + times * single(-2.12194440e-4) - single(0.5) * square
    return t + small + times * single(0.693359375)


@inlined
def _in_the_middle(w: np.float32) -> np.float32:
    v = w - single(2.5)
    p = single(2.81022636e-08)
    p = p * v + single(3.43273939e-07)
    p = p * v + single(-3.5233877e-06)
    p = p * v + single(-4.39150654e-06)
    p = p * v + single(0.00021858087)
    p = p * v + single(-0.00125372503)
    p = p * v + single(-0.00417768164)
    p = p * v + single(0.246640727)
    return p * v + single(1.50140941)


@inlined
def _in_the_tails(w: np.float32) -> np.float32:
    v = single(sqrt(w)) - single(3.0)
    p = single(-0.000200214257)
    p = p * v + single(0.000100950558)
    p = p * v + single(0.00134934322)
    p = p * v + single(-0.00367342844)
    p = p * v + single(0.00573950773)
    p = p * v + single(-0.0076224613)
    p = p * v + single(0.00943887047)
    p = p * v + single(1.00167406)
    return p * v + single(2.83297682)


@inlined
def normal(bits: np.uint32) -> np.float32:
    """Return the normal number of 32 random bits, a sign and a share x of the middle: sqrt(2) erfinv(x).

    M. Giles, Approximating the erfinv function, GPU Computing Gems 2 (2011): polynomials in the logarithm
    of 1 - x^2, and both halves are cheap enough to be computed side by side. The error is below 1.3e-6
    up to 5 standard deviations and 0.003 at 6.3, where 32 bits end.
    """
    size = np.uint32(bits & np.uint32(0x7FFFFFFF))
    x = (single(np.int32(size)) + single(0.5)) * single(2.0**-31)
    rest = (single(np.int32(np.uint32(np.uint32(0x7FFFFFFF) - size))) + single(0.5)) * single(2.0**-31)
    w = -logarithm(rest * (single(1.0) + x))
    z = x * single(1.41421356) * (_in_the_middle(w) if w < single(5.0) else _in_the_tails(w))
    return z if bits == size else -z


# 4.6 ns a number on one core, in vectors of 8; of this 0.7 for the words.
@inlined
def write_normals(key: np.uint64, first: int, out: Floats) -> None:
    """Write the normal numbers first, first + 1, ... of a row, `first` even: a word holds two of them."""
    pairs = out.size // 2
    for j in range(pairs):
        bits = word(key, first // 2 + j)
        out[2 * j] = normal(np.uint32(bits & LOW))
        out[2 * j + 1] = normal(np.uint32(bits >> HALF))
    if out.size > 2 * pairs:
        out[2 * pairs] = normal(np.uint32(word(key, first // 2 + pairs) & LOW))


@compiled
def normal_rows(seed: np.uint64, stream: int, row: int, first: int, end: int, out: Floats) -> None:
    """Write the normal numbers of row + i to out[i], for first <= i < end."""
    for i in range(first, end):
        write_normals(key_of(seed, stream, row + i), 0, out[i])


@compiled
def words_of(seed: np.uint64, stream: int, row: int, out: Integers) -> None:
    """Write the words of a row."""
    key = key_of(seed, stream, row)
    for place in range(out.size):
        out[place] = word(key, place)
