"""Patterns from their definitions: every way to match is tried, by recursion.

A pattern over trees is a pair (label, row), the row a list of patterns and "..." or None; a tree is a pair
(label, children). A pattern over sentences is a list of chunks ("[", label, row), words and "..."; a sentence
is a list of words and pairs (label, words). A pattern over graphs is a pair (edges, labels), as a graph is.
"""

import re
from itertools import permutations

GAP = "..."


def fits(wanted, label):
    """Return whether a label is one of several, with stars for anything."""
    return any(
        re.fullmatch(".*".join(map(re.escape, one.split("*"))), label, re.DOTALL) for one in wanted.split("|")
    )


def row_fits(row, nodes, one_fits):
    """Return whether nodes are what a row asks for, one by one, with any number of them for a gap."""
    if not row:
        return not nodes
    if row[0] == GAP:
        return any(row_fits(row[1:], nodes[skipped:], one_fits) for skipped in range(len(nodes) + 1))
    return bool(nodes) and one_fits(row[0], nodes[0]) and row_fits(row[1:], nodes[1:], one_fits)


# -- trees -----------------------------------------------------------------------------------------------


def is_at(pattern, tree):
    (wanted, row), (label, children) = pattern, tree
    return fits(wanted, label) and (row is None or row_fits(row, children, is_at))


def count_in_tree(pattern, tree):
    """Return at how many nodes a pattern is found."""
    return is_at(pattern, tree) + sum(count_in_tree(pattern, child) for child in tree[1])


# -- sentences -------------------------------------------------------------------------------------------


def element_fits(wanted, element):
    if isinstance(wanted, str) or isinstance(element, str):
        return isinstance(wanted, str) and isinstance(element, str) and fits(wanted, element)
    _, label, row = wanted
    return fits(label, element[0]) and (row is None or row_fits(row, list(element[1]), fits))


def count_in_sentence(row, sentence):
    """Return at how many places a pattern begins."""
    return sum(row_fits([*row, GAP], sentence[place:], element_fits) for place in range(len(sentence)))


# -- graphs ----------------------------------------------------------------------------------------------


def count_in_graph(pattern, graph):
    """Return how many different sets of edges (or nodes, of a single one) a pattern can be laid on."""
    (wanted_edges, wanted), (edges, labels) = pattern, graph
    there = {frozenset(edge) for edge in edges}
    places = set()
    for nodes in permutations(range(len(labels)), len(wanted)):
        covered = {frozenset((nodes[a], nodes[b])) for a, b in wanted_edges}
        if covered <= there and all(map(fits, wanted, [labels[node] for node in nodes])):
            places.add(frozenset(covered or nodes))
    return len(places)
