"""Labels of nodes that say more with every round: colour refinement after Weisfeiler and Lehman."""

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.compiled import compiled
from kerneltron.engine.graphs.adjacency import Adjacency
from kerneltron.engine.hash_finalizer import mixed

NEIGHBOUR = np.uint64(0xD6E8FEB86659FD93)  # after this only one label among 2^64 is 0
OWN = np.uint64(0xA0761D6478BD642F)


# The sum of mixed labels does not depend on their order: nothing need be sorted. Labels of different rounds
# do not meet: each is the hash of a tree that is one level deeper.
@compiled
def refine(graphs: Adjacency, labels: Integers, rounds: int, first: int, end: int, ids: Integers) -> None:
    """Write the labels of all rounds, 0 to `rounds`, of the graphs first <= i < end.

    Those of graph i begin at ids[(rounds + 1) nodes[i]]: the given labels of its nodes, then round by round.
    A new label stands for the old one and the multiset of the neighbours' old ones.
    """
    for i in range(first, end):
        size = graphs.nodes[i + 1] - graphs.nodes[i]
        at = graphs.nodes[i] * (rounds + 1)
        for v in range(size):
            ids[at + v] = labels[graphs.nodes[i] + v]
        for _ in range(rounds):
            begin = graphs.arcs[i]
            for v in range(size):
                stop = graphs.arcs[i] + graphs.ends[graphs.nodes[i] + v]
                around = np.uint64(0)
                for p in range(begin, stop):
                    around += mixed(ids[at + graphs.neighbours[p]] ^ NEIGHBOUR)
                ids[at + size + v] = mixed(mixed(ids[at + v] ^ OWN) + around)
                begin = stop
            at += size
