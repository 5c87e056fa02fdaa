"""Patterns over trees: (S (NP *) ... (VP (VB join)))."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from kerneltron.features._patterns.automaton import NODE, WORD, Automaton, Sought, bits_of
from kerneltron.features._patterns.labels import Abstraction
from kerneltron.features._patterns.syntax import Source, Token
from kerneltron.kernels.trees.reading import Tree, read_tree


def parse_tree(text: str) -> Sought:
    """Return the node at the top of a pattern.

    Examples
    --------
    >>> parse_tree("(NP ... *)").row
    [None, Sought(label=Label(alternatives=(('', ''),)), kind='node', row=None)]
    """
    source = Source(text, "()")
    path: list[
        tuple[Token, Any, list[Any]]
    ] = []  # open brackets: where, the label, and what is inside so far
    tops: list[Any] = []
    tokens = iter(source.tokens)
    for token in tokens:
        inside = path[-1][2] if path else tops
        if tops:
            raise source.error(token.column, "the pattern is over, and more follows: give one pattern each.")
        if token.text == "(" and token.is_sign:
            label = next(tokens, None)
            if label is None or label.is_sign or source.is_gap(label):
                raise source.error(token.column, "a bracket begins with a label, which may be '*'.")
            path.append((token, source.label(label), []))
        elif token.text == ")" and token.is_sign:
            if not path:
                raise source.error(token.column, "')' closes no bracket.")
            _, wanted, row = path.pop()
            (path[-1][2] if path else tops).append(Sought(wanted, NODE, row or None))
        else:
            inside.append(None if source.is_gap(token) else Sought(source.label(token), NODE))
    if path:
        raise source.error(path[-1][0].column, "this bracket is not closed.")
    return tops[0]  # type: ignore[no-any-return]


class TreeMatcher:
    """Counts at how many nodes of a tree each pattern is found: in how many ways does not matter."""

    def __init__(self, tops: Sequence[Sought], means: Abstraction) -> None:
        self._automaton = Automaton(tops, [], means)
        self._tops = (1 << len(tops)) - 1

    def counts(self, X: Sequence[Any]) -> Iterator[Counter[int]]:
        """Yield how often each pattern, by its number, is found in each tree."""
        for place, x in enumerate(X):
            yield Counter(self._hits(read_tree(x, f"X[{place}]")))

    def _hits(self, tree: Tree) -> list[int]:
        """Return the numbers of the patterns that are found, as often as they are."""
        automaton, begins = self._automaton, self._automaton.begins
        found: list[int] = []  # at nodes whose parent is still to come
        numbers: list[int] = []
        for label, count in zip(tree.labels, tree.counts, strict=True):
            if count:
                reached = automaton.read(found[-count:], begins)
                del found[-count:]
                found.append(automaton.found(label, NODE, reached))
            else:
                found.append(automaton.found(label, WORD, begins))
            if found[-1] & self._tops:
                numbers += [bit.bit_length() - 1 for bit in bits_of(found[-1] & self._tops)]
        return numbers
