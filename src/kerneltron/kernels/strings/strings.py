"""Strings of all kinds as one part of a pack: small codes of the symbols that occur in it."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from kerneltron._matrices import frozen
from kerneltron._types import Anything, Floats, Integers
from kerneltron.engine.strings.texts import Texts
from kerneltron.kernels.pack import Index, Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.ragged import Ragged, array_in, restored
from kerneltron.kernels.strings.reading import Symbols, read
from kerneltron.kernels.vocabulary import Vocabulary, united

KEY = "strings"


class Codes(NamedTuple):
    """The symbols of strings by their codes in an alphabet."""

    codes: Integers


class Strings:
    """Strings in the codes of one alphabet, four bytes a symbol; parts of it share the alphabet.

    `squares` holds k(x, x) of those kernels that were asked for it, where it is not needed for a block.
    """

    def __init__(self, symbols: Ragged[Codes], alphabet: Vocabulary, is_compact: bool = False) -> None:
        self.symbols, self.alphabet, self._is_compact = symbols, alphabet, is_compact
        self.squares: dict[Hashable, Floats] = {}

    @classmethod
    def of(cls, symbols: Ragged[Symbols]) -> Self:
        """Give the symbols that occur codes."""
        alphabet, codes = Vocabulary.of(symbols.flat.ids)
        return cls(Ragged(symbols.starts, Codes(codes)), alphabet, is_compact=True)

    def __len__(self) -> int:
        return len(self.symbols)

    def __getitem__(self, index: Index) -> Self:
        part = type(self)(self.symbols[index], self.alphabet)
        part.squares = {key: squares[index] for key, squares in self.squares.items()}
        return part

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Return the strings of all, one after the other."""
        alphabet, renumbered = united([part.alphabet for part in parts])
        symbols = [
            Ragged(part.symbols.starts, Codes(new[part.symbols.flat.codes]))
            for part, new in zip(parts, renumbered, strict=True)
        ]
        return cls(Ragged.join(symbols), alphabet, all(part._is_compact for part in parts))

    def without_rows(self) -> Self:
        """Return the same strings with an alphabet of their own symbols alone."""
        if self._is_compact:
            return self
        alphabet, codes = self.alphabet.compacted(self.symbols.flat.codes)
        return type(self)(Ragged(self.symbols.starts, Codes(codes)), alphabet, is_compact=True)

    @property
    def lengths(self) -> Integers:
        """How many symbols each string has."""
        return self.symbols.lengths

    @property
    def longest(self) -> int:
        """How many symbols the longest string has."""
        return int(self.lengths.max(initial=0))

    def texts(self) -> Texts:
        """Return the strings as the engine takes them."""
        return _texts(self.symbols)

    def tensors(self) -> Mapping[str, Anything]:
        """Return the arrays to save."""
        own = self.without_rows()
        return {**own.symbols.tensors(), "ids": own.alphabet.ids}

    @classmethod
    def restored(cls, tensors: Mapping[str, Anything]) -> Self:
        """Return the strings that `tensors` describes; raise a ValueError where they are damaged."""
        ids = array_in(tensors, "ids", np.uint64)
        strings = cls(restored(tensors, Codes, {"codes": np.int32}), Vocabulary(ids), is_compact=True)
        codes = strings.symbols.flat.codes
        if codes.size and not 0 <= codes.min() <= codes.max() < ids.size:
            raise ValueError("a symbol has no id")
        strings.alphabet.codes(ids)  # raises where an id comes twice
        return strings


def fill(pack: Pack, X: Any) -> Strings:
    """Put the strings X into the pack, once for all kernels of an expression."""
    return pack.add(KEY, lambda: Strings.of(read(X)))


def strings(pack: Pack) -> Strings:
    """Return the strings of a pack."""
    part: Any = pack.parts[KEY]
    assert isinstance(part, Strings)
    return part


def aligned(left: Strings, right: Strings) -> Ragged[Codes]:
    """Return the strings on the right in the alphabet of the left: -1 for symbols that the left has not."""
    if right.alphabet is left.alphabet:
        return right.symbols
    new = left.alphabet.codes(right.alphabet.ids)
    return Ragged(right.symbols.starts, Codes(np.take(new, right.symbols.flat.codes)))


def both_sides(pair: Pair) -> tuple[Texts, Texts]:
    """Return the strings of both sides of a block in one alphabet, as the engine takes them."""
    left, right = strings(pair.left), strings(pair.right)
    return left.texts(), _texts(aligned(left, right))


def _texts(symbols: Ragged[Codes]) -> Texts:
    return Texts(frozen(symbols.flat.codes, np.int32), frozen(symbols.starts, np.int64))
