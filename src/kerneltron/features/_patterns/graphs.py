"""Patterns over graphs: paths C-N-O, and by marked nodes rings, C#1-C-C-#1, and branches, C#1-N, #1-O."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from kerneltron.features._patterns.labels import Abstraction, Index, Label
from kerneltron.features._patterns.syntax import QUOTED, Source, Token
from kerneltron.kernels.graphs.graphs import Graphs
from kerneltron.kernels.graphs.reading import given, read

MARKED = re.compile(rf'((?:{QUOTED.pattern}|[^"#])*)(#?)(.*)', re.DOTALL)  # the label of a node, and its mark


class Wanted(NamedTuple):
    """A node of a pattern: its label, a neighbour before it (-1 for the first), and others up to it."""

    label: Label
    beside: int
    also: tuple[int, ...]


def parse_graph(text: str) -> list[Wanted]:
    """Return the nodes of a pattern, in an order in which all but the first have a neighbour before them.

    Examples
    --------
    >>> [(wanted.beside, wanted.also) for wanted in parse_graph("C#1-N-O-#1")]
    [(-1, ()), (0, ()), (0, (1,))]
    """
    drawing = _Drawing(Source(text, "-,"))
    order = [0]
    for node in order:  # which grows on the way
        order += sorted(drawing.neighbours[node].difference(order))
    strays = set(range(len(drawing.labels))).difference(order)
    if strays:
        reason = "no path leads here from the first node: a pattern is one connected piece."
        raise drawing.source.error(drawing.columns[min(strays)], reason)
    place = {node: position for position, node in enumerate(order)}
    wanted = []
    for node in order:
        neighbours = sorted(place[other] for other in drawing.neighbours[node])
        beside = neighbours[0] if place[node] else -1
        also = tuple(p for p in neighbours if beside < p <= place[node])
        wanted.append(Wanted(drawing.labels[node], beside, also))
    return wanted


class _Drawing:
    """The nodes of a pattern as they are written, and the neighbours of each."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.labels: list[Label] = []
        self.columns: list[int] = []
        self.neighbours: list[set[int]] = []
        self._marks: dict[str, int] = {}
        self._check_order(source.tokens)
        nodes = [self._node(token) for token in source.tokens[::2]]
        for (node, other), sign in zip(pairwise(nodes), source.tokens[1::2], strict=True):
            if sign.text == "-":
                self.neighbours[node].add(other)
                self.neighbours[other].add(node)

    def _check_order(self, tokens: Sequence[Token]) -> None:
        for number, token in enumerate(tokens):
            if number % 2 and not token.is_sign:
                reason = (
                    "nodes of graphs are joined by '-', and paths are parted by ','; a pattern over "
                    "sentences has a chunk, '[NP *]', and one over trees begins with '('."
                )
                raise self.source.error(token.column, reason)
            if token.is_sign and (number % 2 == 0 or number == len(tokens) - 1):
                raise self.source.error(token.column, f"a node is missing beside {token.text!r}.")

    def _node(self, token: Token) -> int:
        """Return the number of a node, a new one or one that its mark has met before."""
        if self.source.is_gap(token):
            raise self.source.error(token.column, "'...' is for trees and chunks: '*' is any one node.")
        match = MARKED.fullmatch(token.text)
        assert match is not None  # quotes are closed
        label, sign, mark = match.groups()
        if sign and not mark:
            raise self.source.error(token.column + match.end(2) - 1, "a mark is missing behind '#': C#1.")
        if mark in self._marks:
            if label:
                reason = f"#{mark} is a node from before, with its label: write the mark alone."
                raise self.source.error(token.column, reason)
            return self._marks[mark]
        if not label:
            raise self.source.error(
                token.column, f"#{mark} has no label yet: write one before it, as *#{mark}."
            )
        if mark:
            self._marks[mark] = len(self.labels)
        self.labels.append(self.source.label(token._replace(text=label)))
        self.columns.append(token.column)
        self.neighbours.append(set())
        return len(self.labels) - 1


class GraphMatcher:
    """Counts the places of a graph where each pattern is found: sets of nodes and of the edges between them.

    A node of the graph stands for one node of the pattern. There may be more edges than the pattern asks for.
    """

    def __init__(self, patterns: Sequence[Sequence[Wanted]], means: Abstraction) -> None:
        self._patterns, self._means = patterns, means
        self._nodes = [(number, p) for number, pattern in enumerate(patterns) for p in range(len(pattern))]
        self._index = Index(wanted.label for pattern in patterns for wanted in pattern)
        self._fitting: dict[Any, list[int]] = {}

    def counts(self, X: Sequence[Any]) -> Iterator[Counter[int]]:
        """Yield how often each pattern, by its number, is found in each graph."""
        graphs = read(X)
        for place, x in enumerate(X):
            labels, adjacent = given(x, place).labels, _adjacent(graphs[place : place + 1])
            if labels is None:
                known = [self._fits_unlabelled(place) for _ in adjacent]
            else:
                known = [self._fits(label) for label in labels]
            fits = zip(*known, strict=True) if known else ((),) * len(self._patterns)
            yield Counter(
                {
                    number: _count(pattern, own, adjacent)
                    for number, (pattern, own) in enumerate(zip(self._patterns, fits, strict=True))
                }
            )

    def _fits(self, label: Any) -> list[int]:
        """Return for each pattern, as bits, which of its nodes a label fits."""
        if label not in self._fitting:
            self._fitting[label] = [0 for _ in self._patterns]
            for node in self._index.fitting(self._means.label(label)):
                number, position = self._nodes[node]
                self._fitting[label][number] |= 1 << position
        return self._fitting[label]

    def _fits_unlabelled(self, place: int) -> list[int]:
        for number, pattern in enumerate(self._patterns):
            if not all(wanted.label.takes_all for wanted in pattern):
                raise ValueError(f"X[{place}] has no node labels, and patterns[{number}] asks for some.")
        return [-1 for _ in self._patterns]  # all bits


def _adjacent(graph: Graphs) -> list[set[int]]:
    """Return the neighbours of each node of one graph."""
    neighbours = graph.arcs.flat.neighbours.tolist()
    return [set(neighbours[begin:end]) for begin, end in pairwise([0, *graph.nodes.flat.ends.tolist()])]


def _count(pattern: Sequence[Wanted], fits: Sequence[int], adjacent: Sequence[set[int]]) -> int:
    """Return at how many places a pattern is found; bit p of fits[v] says that p may be v.

    The nodes of the pattern are put on the graph one after the other, each beside a neighbour.
    """
    places = set()
    chosen: list[int] = []
    choices: list[Iterator[int]] = [iter(range(len(fits)))]  # for each node of the pattern so far
    while choices:
        position = len(choices) - 1
        del chosen[position:]
        node = next(choices[-1], None)
        if node is None:
            choices.pop()
        elif fits[node] >> position & 1 and node not in chosen:
            chosen.append(node)
            if pattern[position].also and not _is_joined(pattern[position], chosen, adjacent[node]):
                continue
            if position + 1 < len(pattern):
                choices.append(iter(adjacent[chosen[pattern[position + 1].beside]]))
            else:
                places.add(_place(pattern, chosen))
    return len(places)


def _is_joined(wanted: Wanted, chosen: Sequence[int], neighbours: set[int]) -> bool:
    return all(chosen[other] in neighbours for other in wanted.also)


def _place(pattern: Sequence[Wanted], chosen: Sequence[int]) -> frozenset[Any]:
    """Return the edges that a pattern covers, or its only node."""
    edges = (
        (min(node, chosen[other]), max(node, chosen[other]))
        for node, wanted in zip(chosen, pattern, strict=True)
        for other in (wanted.beside, *wanted.also)
        if other >= 0
    )
    return frozenset(edges) or frozenset(chosen)
