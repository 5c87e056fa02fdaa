"""Kernels over strings, from their definitions: every feature is listed. Strings are sequences of symbols."""

from collections import Counter
from itertools import combinations, product
from math import sqrt

import numpy as np
from numba import njit


def inner_product(x, z):
    return sum(x[feature] * z[feature] for feature in x if feature in z)


def substrings(x, lengths):
    """Return how often each substring of these lengths occurs."""
    x = tuple(x)
    return Counter(x[i : i + n] for n in lengths for i in range(len(x) - n + 1))


def spectrum(x, z, k, blended=False):
    lengths = range(1, k + 1) if blended else [k]
    return inner_product(substrings(x, lengths), substrings(z, lengths))


def all_substrings(x, z, decay=1.0, max_length=None):
    lengths = range(1, min(len(x), len(z), max_length or len(x)) + 1)
    left, right = substrings(x, lengths), substrings(z, lengths)
    return sum(decay ** len(s) * left[s] * right[s] for s in left)


@njit(nogil=True)
def substrings_by_programme(x, z, decay=1.0):
    """Return the same in O(|x| |z|), for arrays: row[j] is what the common suffixes of x[:i], z[:j] weigh."""
    row, total = np.zeros(z.size + 1), 0.0
    for i in range(x.size):
        for j in range(z.size, 0, -1):
            if x[i] == z[j - 1]:
                row[j] = decay * (1.0 + row[j - 1])
                total += row[j]
            else:
                row[j] = 0.0
    return total


def placed_substrings(x, k):
    """Return sqrt(beta_d) for each position and substring of d symbols that begins there."""
    x = tuple(x)
    return {
        (i, x[i : i + d]): sqrt(2 * (k - d + 1) / (k * (k + 1)))
        for d in range(1, k + 1)
        for i in range(len(x) - d + 1)
    }


def weighted_degree(x, z, k):
    return inner_product(placed_substrings(x, k), placed_substrings(z, k))


def gapped(x, k, decay):
    """Return the sum of decay^span over the places of each subsequence of k symbols."""
    features = Counter()
    for places in combinations(range(len(x)), k):
        features[tuple(x[place] for place in places)] += decay ** (places[-1] - places[0] + 1)
    return features


def subsequences(x, z, k, decay=0.5):
    return inner_product(gapped(x, k, decay), gapped(z, k, decay))


def near_words(x, k, m, alphabet):
    """Return for each word how many pieces of x differ from it in at most m places."""
    features = Counter()
    for i in range(len(x) - k + 1):
        for word in product(alphabet, repeat=k):
            if sum(a != b for a, b in zip(word, x[i : i + k], strict=True)) <= m:
                features["".join(word)] += 1
    return features


def mismatch(x, z, k, m, alphabet="ACGT"):
    return inner_product(near_words(x, k, m, alphabet), near_words(z, k, m, alphabet))
