"""Kernels over sets of columns, from their definitions: every feature is listed and computed."""

from itertools import combinations, combinations_with_replacement, product
from math import factorial, prod, sqrt


def dot(x, z):
    return sum(a * b for a, b in zip(x, z, strict=True))


def all_subsets(x, z):
    return prod(1 + a * b for a, b in zip(x, z, strict=True))


def anova(x, z, sizes):
    """Return the sum over the sets of columns of these sizes."""
    columns = range(len(x))
    return sum(prod(x[i] * z[i] for i in chosen) for size in sizes for chosen in combinations(columns, size))


def conjunctions(d, truths=(True, False), size=None):
    """List the conjunctions of at most `size` literals over d columns: what each column must be, or None."""
    every = product((None, *truths), repeat=d)
    return [wanted for wanted in every if size is None or d - wanted.count(None) <= size]


def satisfies(x, conjunction):
    return all(wanted is None or bool(value) == wanted for value, wanted in zip(x, conjunction, strict=True))


def count_common(x, z, truths=(True, False), size=None):
    """Return how many conjunctions both rows satisfy."""
    every = conjunctions(len(x), truths, size)
    return sum(satisfies(x, conjunction) and satisfies(z, conjunction) for conjunction in every)


def monomials(x, degree, c):
    """Return by their columns all products of at most `degree` of them, weighted; with c = 0 of no fewer."""
    features = {}
    for count in range(degree + 1):
        for columns in combinations_with_replacement(range(len(x)), count):
            repeats = prod(factorial(columns.count(column)) for column in set(columns))
            orders = factorial(degree) / (repeats * factorial(degree - count))
            if c > 0 or count == degree:
                weight = sqrt(orders * c ** (degree - count))
                features[columns] = weight * prod(x[column] for column in columns)
    return features
