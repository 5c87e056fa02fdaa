"""What n-grams and conjunctions share: features that are spans of words, of so many and of no more."""

from abc import abstractmethod
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from kerneltron._types import Integers
from kerneltron.features._counted import Counted, Group, examples_of
from kerneltron.features._words import words
from kerneltron.kernels.bags import Found
from kerneltron.kernels.labels import label_id
from kerneltron.kernels.ragged import starts_of


class Spans(Counted):
    """A transformer whose features follow from runs of `shortest` to `longest` words."""

    lowercase: bool

    @abstractmethod
    def _lengths(self) -> tuple[int, int]:
        """Return how many words the shortest and the longest run have."""

    @abstractmethod
    def _hash(self, ids: Integers, starts: Integers, limits: tuple[int, int], out: Integers) -> int:
        """Write a hash for each run, in order of where it begins, then ends; return how many there are."""

    @abstractmethod
    def _name(self, run: Sequence[str]) -> str:
        """Return the name of the feature that a run of words is."""

    def _groups(self, X: Any) -> list[Group]:
        examples = examples_of(X)
        tokens = [self._tokens(x, f"X[{place}]") for place, x in enumerate(examples)]
        lengths = np.array([len(own) for own in tokens], np.int64)
        shortest, longest = limits = self._limits(lengths.max(initial=0))
        starts = starts_of(_runs_up_to(longest, lengths) - _runs_up_to(shortest - 1, lengths))
        hashes = np.empty(starts[-1], np.uint64)
        self._hash(_ids(tokens), starts_of(lengths), limits, hashes)
        return [Group(Found(hashes, starts), examples, self._names, np.ones(len(examples)))]

    def _limits(self, words: int) -> tuple[int, int]:
        """Return the lengths of runs among so many words: larger ones need not fit into 64 bits."""
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
        shortest, longest = self._limits(len(tokens))
        room = len(tokens) - np.arange(len(tokens))  # from each word to the end
        starts = starts_of(np.maximum(np.minimum(longest, room) - shortest + 1, 0))
        first = np.searchsorted(starts, places, "right") - 1
        end = first + shortest + np.asarray(places) - starts[first]
        return [
            self._name([_written(token) for token in tokens[i:j]])
            for i, j in zip(first.tolist(), end.tolist(), strict=True)
        ]


def _runs_up_to(longest: int, lengths: Integers) -> Integers:
    """Return how many runs of at most `longest` words there are in examples of these lengths."""
    most = np.minimum(longest, lengths)
    return np.asarray(most * lengths - most * (most - 1) // 2)


class _Ids(dict[Any, int]):
    """Ids of the tokens that were met."""

    def __missing__(self, token: Any) -> int:
        self[token] = found = label_id(token)
        return found


def _ids(tokens: Sequence[Sequence[Any]]) -> Integers:
    """Return the ids of all tokens; raise an error that says where one is none."""
    try:
        # Without a call for each token: a third of the time of all that NGrams does.
        return np.fromiter(map(_Ids().__getitem__, chain.from_iterable(tokens)), np.uint64)
    except TypeError:
        for place, own in enumerate(tokens):
            for position, token in enumerate(own):
                try:
                    label_id(token)
                except TypeError as error:
                    raise TypeError(f"X[{place}][{position}]: {error}") from None
        raise


def _written(token: Any) -> str:
    return token.decode("latin-1") if isinstance(token, bytes) else str(token)
