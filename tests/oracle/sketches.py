"""Count sketches and their products, one entry at a time, from the definitions."""

import numpy as np


def mixed(h):
    """The finaliser of SplitMix64, in whole numbers without bounds."""
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    h = (h ^ (h >> 27)) * 0x94D049BB133111EB % 2**64
    return h ^ (h >> 31)


GOLDEN = 0x9E3779B97F4A7C15


def word(seed, stream, row, place):
    key = mixed((seed + GOLDEN) % 2**64)
    for number in (stream, row):
        key = mixed((key + GOLDEN) * 3 % 2**64 ^ number)
    return mixed((key + (place + 1) * GOLDEN) % 2**64)


def count_sketch(x, seed, stream, m):
    """Return the sums of +-x_c over the columns c of each slot."""
    sketch = np.zeros(m)
    for column, value in enumerate(x):
        bits = word(seed, stream, column, 0)
        sketch[(bits >> 32) * m >> 32] += value if bits & 1 else -value
    return sketch


def convolution(left, right):
    """Return sum over i + j = k (mod m) of left_i right_j, for each k."""
    m = len(left)
    out = np.zeros(m)
    for i in range(m):
        for j in range(m):
            out[(i + j) % m] += left[i] * right[j]
    return out


def tensor_sketch(x, degree, c, seed, m):
    """Return the sketch of all products of `degree` entries of (x, sqrt(c))."""
    u = [*x, np.sqrt(c)] if c else x
    product = count_sketch(u, seed, 1024, m)
    for factor in range(1, degree):
        product = convolution(product, count_sketch(u, seed, 1024 + factor, m))
    return product
