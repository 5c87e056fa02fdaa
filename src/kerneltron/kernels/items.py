"""Examples as they were given, for kernels that hand them to a function."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, Self

import numpy as np

from kerneltron._matrices import stacked
from kerneltron._validate import as_csr, is_sparse
from kerneltron.kernels.pack import Index

KEY = "items"


class Items:
    """Examples as they were given: a list, an array, a CSR matrix or a data frame."""

    def __init__(self, items: Any) -> None:
        self.items = as_csr(items) if is_sparse(items) else items

    def __len__(self) -> int:
        return int(self.items.shape[0]) if hasattr(self.items, "shape") else len(self.items)

    def __getitem__(self, index: Index) -> Self:
        if hasattr(self.items, "iloc"):
            return type(self)(self.items.iloc[index])
        if hasattr(self.items, "shape") or isinstance(index, slice):
            return type(self)(self.items[index])
        return type(self)([self.items[place] for place in index])

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Return the examples of all, one after the other."""
        given = [part.items for part in parts]
        if any(map(is_sparse, given)) or all(isinstance(items, np.ndarray) for items in given):
            return cls(stacked(given))
        if all(hasattr(items, "shape") for items in given):
            library = import_module(type(given[0]).__module__.partition(".")[0])  # pandas, polars
            return cls(library.concat(given))
        return cls([item for part in parts for item in part])

    def __iter__(self) -> Iterator[Any]:
        """Yield the examples, rows of matrices as vectors."""
        if is_sparse(self.items):
            return (self.items[[place]].toarray()[0] for place in range(len(self)))
        places = getattr(self.items, "iloc", self.items)
        return (places[place] for place in range(len(self)))
