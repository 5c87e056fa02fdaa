"""Examples of different lengths whose entries are codes: small numbers for 64-bit content hashes."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from kerneltron._types import Anything
from kerneltron.kernels.pack import Index
from kerneltron.kernels.ragged import Ragged, array_in, restored
from kerneltron.kernels.vocabulary import Vocabulary, united


class Coded:
    """Entries with `codes` in one vocabulary. Parts of a pack share it; what is kept has one of its own."""

    def __init__(self, entries: Ragged[Any], vocabulary: Vocabulary, is_compact: bool = False) -> None:
        self.entries, self.vocabulary, self._is_compact = entries, vocabulary, is_compact

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, index: Index) -> Self:
        """Return some of the examples, in the same codes."""
        return type(self)(self.entries[index], self.vocabulary)

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Return the examples of all, one after the other."""
        vocabulary, renumbered = united([part.vocabulary for part in parts])
        pairs = zip(parts, renumbered, strict=True)
        entries = [with_codes(part.entries, new[part.entries.flat.codes]) for part, new in pairs]
        return cls(Ragged.join(entries), vocabulary, all(part._is_compact for part in parts))

    def without_rows(self) -> Self:
        """Return the same examples with a vocabulary of what occurs in them alone."""
        if self._is_compact:
            return self
        vocabulary, codes = self.vocabulary.compacted(self.entries.flat.codes)
        return type(self)(with_codes(self.entries, codes), vocabulary, is_compact=True)

    # -- model files ---------------------------------------------------------------------------------

    def tensors(self) -> Mapping[str, Anything]:
        """Return the arrays to save."""
        own = self.without_rows()
        return {**own.entries.tensors(), "ids": own.vocabulary.ids}

    @classmethod
    def _restored(cls, tensors: Mapping[str, Anything], flat_type: Any, dtypes: Mapping[str, Any]) -> Self:
        """Return what saved arrays describe; raise a ValueError where codes and ids do not fit."""
        ids = array_in(tensors, "ids", np.uint64)
        coded = cls(restored(tensors, flat_type, dtypes), Vocabulary(ids), is_compact=True)
        codes = coded.entries.flat.codes
        if codes.size and not 0 <= codes.min() <= codes.max() < ids.size:
            raise ValueError("an entry has no id")
        coded.vocabulary.codes(ids)  # raises where an id comes twice
        return coded


def with_codes(entries: Ragged[Any], codes: Any) -> Ragged[Any]:
    """Return the entries with other codes; each example has as many as before."""
    return Ragged(entries.starts, entries.flat._replace(codes=codes))
