"""What n-grams and pairs of words share: features that are spans of a shortest to a longest length."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from kerneltron.features._counted import Counted, Group, examples_of
from kerneltron.features._words import words
from kerneltron.kernels.bags import Found
from kerneltron.kernels.ragged import Ragged
from kerneltron.kernels.strings.reading import Symbols, read
from kerneltron.kernels.strings.runs import spans


class Spans(Counted):
    """A transformer whose features follow from runs of `shortest` to `longest` words."""

    lowercase: bool

    @abstractmethod
    def _lengths(self) -> tuple[int, int]:
        """Return how many words the shortest and the longest run have."""

    @abstractmethod
    def _find(self, symbols: Ragged[Symbols], shortest: int, longest: int) -> Found:
        """Return a feature for each run, in order of where it begins, then ends."""

    @abstractmethod
    def _name(self, run: Sequence[str]) -> str:
        """Return the name of the feature that a run of words is."""

    def _groups(self, X: Any) -> list[Group]:
        examples = examples_of(X)
        symbols = read([self._tokens(x, f"X[{place}]") for place, x in enumerate(examples)])
        found = self._find(symbols, *self._limits(symbols.lengths.max(initial=0)))
        return [Group(found, examples, self._names, np.ones(len(examples)))]

    def _limits(self, words: int) -> tuple[int, int]:
        """Return the lengths of runs among this many words: larger ones need not fit into 64 bits."""
        shortest, longest = self._lengths()
        return min(shortest, int(words) + 1), min(longest, int(words) + 1)

    def _tokens(self, x: Any, called: str) -> Sequence[Any]:
        if isinstance(x, str):
            return words(x, self.lowercase)
        if isinstance(x, np.ndarray) and x.ndim == 1:
            return list(x.tolist())
        if not isinstance(x, list | tuple):
            raise TypeError(f"{called} is {repr(x)[:60]}: an example is a text, or a list of tokens.")
        return x

    def _names(self, x: Any, places: Sequence[int]) -> list[str]:
        tokens = self._tokens(x, "x")
        where = spans(len(tokens), *self._limits(len(tokens)), places)
        return [self._name([_written(token) for token in tokens[first:end]]) for first, end in where]


def _written(token: Any) -> str:
    return token.decode("latin-1") if isinstance(token, bytes) else str(token)
