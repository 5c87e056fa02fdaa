"""Kernels over graphs, from their definitions; a graph is a pair of edges and the labels of its nodes."""

from collections import Counter
from math import inf

import numpy as np


def neighbours(edges, labels):
    """Return the set of neighbours of each node."""
    around = [set() for _ in labels]
    for u, v in edges:
        around[u].add(v)
        around[v].add(u)
    return around


def subtrees(edges, labels, h):
    """Return the patterns of each round for each node, as nested tuples: nothing is hashed."""
    around = neighbours(edges, labels)
    rounds = [[(0, repr(label)) for label in labels]]
    for r in range(1, h + 1):
        before = rounds[-1]
        rounds.append(
            [(r, before[v], tuple(sorted(before[u] for u in around[v]))) for v in range(len(labels))]
        )
    return rounds


def weisfeiler_lehman(x, z, h):
    return inner_product(*(Counter(p for patterns in subtrees(*g, h) for p in patterns) for g in (x, z)))


def paths(edges, labels):
    """Count (label, label, distance) over the pairs of nodes; Floyd and Warshall."""
    n = len(labels)
    d = [[0 if u == v else inf for v in range(n)] for u in range(n)]
    for u, v in edges:
        if u != v:
            d[u][v] = d[v][u] = 1
    for w in range(n):
        for u in range(n):
            for v in range(n):
                d[u][v] = min(d[u][v], d[u][w] + d[w][v])
    return Counter(
        (*sorted([repr(labels[u]), repr(labels[v])]), d[u][v])
        for u in range(n)
        for v in range(u)
        if d[u][v] < inf
    )


def shortest_paths(x, z):
    return inner_product(paths(*x), paths(*z))


def product_adjacency(x, z):
    """Return the adjacency of the direct product."""
    around, others = neighbours(*x), neighbours(*z)
    nodes = [(u, v) for u, a in enumerate(x[1]) for v, b in enumerate(z[1]) if repr(a) == repr(b)]
    return np.array([[u in around[s] and v in others[t] for s, t in nodes] for u, v in nodes], float)


def random_walks(x, z, decay):
    W = product_adjacency(x, z)
    return np.linalg.solve(np.eye(len(W)) - decay * W, np.ones(len(W))).sum() if W.size else 0.0


def radius(edges, labels):
    """Return the largest eigenvalue of the adjacency."""
    around = neighbours(edges, labels)
    A = np.array([[v in around[u] for v in range(len(labels))] for u in range(len(labels))], float)
    return max(np.linalg.eigvalsh(A), default=0.0) if A.size else 0.0


def inner_product(x, z):
    return sum(count * z[feature] for feature, count in x.items())


def gram(kernel, X, Z):
    return np.array([[kernel(x, z) for z in Z] for x in X], float).reshape(len(X), len(Z))
