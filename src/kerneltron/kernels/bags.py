"""Examples as bags of features: which 64-bit content hashes occur in each, and with which weight."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from kerneltron._matrices import frozen
from kerneltron._types import Anything, Floats, Integers, Sparse
from kerneltron.engine.interning import tally
from kerneltron.kernels.coded import Coded
from kerneltron.kernels.inner_products import inner_products
from kerneltron.kernels.pack import Index
from kerneltron.kernels.ragged import Ragged
from kerneltron.kernels.vocabulary import Vocabulary

SINGLE = 2**24  # whole numbers up to this are exact in single precision


class Found(NamedTuple):
    """Features as they were found: those of example i are ids[starts[i]:starts[i + 1]], some more than once.

    `weights` says how much each counts; where it is empty, each counts 1.
    """

    ids: Integers
    starts: Integers
    weights: Floats = np.empty(0)


class Entries(NamedTuple):
    """Features by their codes in a vocabulary, none twice in an example, and their values."""

    codes: Integers
    values: Floats


class Bags(Coded):
    """Bags of features: entries are features with their values, and no code comes twice in an example."""

    entries: Ragged[Entries]

    @classmethod
    def of(cls, found: Found) -> Self:
        """Sum up what was found."""
        vocabulary, codes = Vocabulary.of(found.ids)
        return cls(tallied(codes, found, len(vocabulary)), vocabulary, is_compact=True)

    def __getitem__(self, index: Index) -> Self:
        part = super().__getitem__(index)
        part.squares, part.are_counts = self.squares[index], self.are_counts  # or each part asks again
        return part

    @cached_property
    def squares(self) -> Floats:
        """The squared norm of each bag."""
        squares, there = np.zeros(len(self)), self.entries.lengths > 0
        own = np.square(self.entries.flat.values)
        squares[there] = np.add.reduceat(own, self.entries.starts[:-1][there]) if own.size else 0.0
        return squares

    @cached_property
    def are_counts(self) -> bool:
        """Whether all values are whole numbers above 0."""
        values = self.entries.flat.values
        return bool(values.min(initial=1.0) >= 1 and (values == np.rint(values)).all())

    def products(self, other: Self, dtype: Any) -> Floats:
        """Return the inner products with all bags of `other`; counts are exact."""
        counts = self.are_counts and other.are_counts
        largest = max(self.squares.max(initial=0.0), other.squares.max(initial=0.0))
        precision = np.float32 if counts and largest < SINGLE else dtype
        width = len(self.vocabulary)
        left = sparse(self.entries, width, precision)
        right = left if other is self else sparse(other.in_codes_of(self.vocabulary), width, precision)
        return inner_products(left, right, dtype, counts)

    def in_codes_of(self, vocabulary: Vocabulary) -> Ragged[Entries]:
        """Return the entries in the codes of another vocabulary, without features that it does not have."""
        if vocabulary is self.vocabulary:
            return self.entries
        new = vocabulary.codes(self.vocabulary.ids)[self.entries.flat.codes]
        there = new >= 0
        starts = np.concatenate([[0], np.cumsum(there)])[self.entries.starts]
        return Ragged(starts, Entries(new[there], self.entries.flat.values[there]))

    @classmethod
    def restored(cls, tensors: Mapping[str, Anything]) -> Self:
        """Return the bags that `tensors` describes; raise a ValueError where they are damaged."""
        bags = cls._restored(tensors, Entries, {"codes": np.int32, "values": np.float64})
        (codes, values), ids = bags.entries.flat, bags.vocabulary.ids
        if not np.isfinite(values).all():
            raise ValueError("a value is infinite or NaN")
        if tallied(codes.copy(), Found(ids, bags.entries.starts), ids.size).flat.codes.size < codes.size:
            raise ValueError("a feature comes twice in an example")
        return bags


def tallied(codes: Integers, found: Found, size: int) -> Ragged[Entries]:
    """Sum up the features with one code in each example; `codes` below `size` is written to."""
    values, starts = np.empty(codes.size), np.empty_like(found.starts)
    at = np.full(size, -1, np.int64)
    end = tally(codes, found.weights, found.starts, at, values, starts)
    return Ragged(starts, Entries(codes[:end].copy(), values[:end].copy()))


def sparse(entries: Ragged[Entries], width: int, dtype: Any) -> Sparse:
    """View bags whose codes are below `width` as rows of numbers of this dtype."""
    codes, values = entries.flat
    return Sparse(
        frozen(values, dtype), frozen(codes, np.int32), frozen(entries.starts, np.int64), width, 0.0
    )
