"""Strings of all kinds as one part of a pack: small codes of the symbols that occur in it."""

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from kerneltron._matrices import frozen
from kerneltron._types import Anything, Floats, Integers
from kerneltron.engine.strings.encoded import EncodedStrings
from kerneltron.kernels.coded import Coded, with_codes
from kerneltron.kernels.pack import Index, Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.ragged import Ragged
from kerneltron.kernels.strings.reading import Symbols, read
from kerneltron.kernels.vocabulary import Vocabulary

KEY = "strings"


class Codes(NamedTuple):
    """The symbols of strings by their codes in an alphabet."""

    codes: Integers


class Strings(Coded):
    """Strings: entries are symbols, four bytes each, and the vocabulary is their alphabet.

    `squares` holds k(x, x) of those kernels that were asked for it, where it is not needed for a block.
    """

    entries: Ragged[Codes]

    def __init__(self, entries: Ragged[Codes], vocabulary: Vocabulary, is_compact: bool = False) -> None:
        super().__init__(entries, vocabulary, is_compact)
        self.squares: dict[Hashable, Floats] = {}

    @classmethod
    def of(cls, symbols: Ragged[Symbols]) -> Self:
        """Give the symbols that occur codes."""
        alphabet, codes = Vocabulary.of(symbols.flat.ids)
        return cls(Ragged(symbols.starts, Codes(codes)), alphabet, is_compact=True)

    def __getitem__(self, index: Index) -> Self:
        part = super().__getitem__(index)
        part.squares = {key: squares[index] for key, squares in self.squares.items()}
        return part

    @property
    def lengths(self) -> Integers:
        """How many symbols each string has."""
        return self.entries.lengths

    @property
    def longest(self) -> int:
        """How many symbols the longest string has."""
        return int(self.lengths.max(initial=0))

    def encoded(self) -> EncodedStrings:
        """Return the strings as the engine takes them."""
        return _encoded(self.entries)

    @classmethod
    def restored(cls, tensors: Mapping[str, Anything]) -> Self:
        """Return the strings that `tensors` describes; raise a ValueError where they are damaged."""
        return cls._restored(tensors, Codes, {"codes": np.int32})


def fill(pack: Pack, X: Any) -> Strings:
    """Put the strings X into the pack, once for all kernels of an expression."""
    return pack.add(KEY, lambda: Strings.of(read(X)))


def strings(pack: Pack) -> Strings:
    """Return the strings of a pack."""
    part: Any = pack.parts[KEY]
    assert isinstance(part, Strings)
    return part


def aligned(left: Strings, right: Strings) -> Ragged[Codes]:
    """Return the strings on the right in the alphabet of the left: -1 for symbols that are not there."""
    if right.vocabulary is left.vocabulary:
        return right.entries
    new = left.vocabulary.codes(right.vocabulary.ids)
    return with_codes(right.entries, np.take(new, right.entries.flat.codes))


def both_sides(pair: Pair) -> tuple[EncodedStrings, EncodedStrings]:
    """Return the strings of both sides of a block in one alphabet, as the engine takes them."""
    left, right = strings(pair.left), strings(pair.right)
    return left.encoded(), _encoded(aligned(left, right))


def _encoded(symbols: Ragged[Codes]) -> EncodedStrings:
    return EncodedStrings(frozen(symbols.flat.codes, np.int32), frozen(symbols.starts, np.int64))
