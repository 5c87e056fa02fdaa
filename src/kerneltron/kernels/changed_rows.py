"""What inner products of linearly changed rows share: rows are changed once, when they are made ready."""

from abc import abstractmethod
from collections.abc import Hashable, Mapping
from functools import cached_property
from hashlib import sha256
from typing import Any, ClassVar

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron.kernels import vectors
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.vectors import Vectors, matrix_of


class OfChangedRows(Kernel):
    """k(x, z) = <R^T x, R^T z>, which costs what `Linear` does once rows are changed.

    A subclass is a frozen dataclass whose one field is an array; it says which, how rows are changed, and how
    the change looks as a matrix.
    """

    domain = "vectors"
    letter: ClassVar[str]  # that names of its arrays begin with

    @property
    @abstractmethod
    def array(self) -> Anything:
        """What the change is made of: one entry, or one row, for each column of the examples."""

    def changed(self, X: Any) -> Any:
        """Return R^T x for each row x, in the precision that rows have."""
        self._check_columns(X.shape[1])
        return self._changed(X)

    @abstractmethod
    def _changed(self, X: Any) -> Any:
        """Return R^T x for each row x, which has as many columns as it must."""

    @abstractmethod
    def _matrix(self) -> Floats:
        """Return R, without columns that are 0."""

    def _fill(self, pack: Pack, X: Any) -> None:
        X = vectors.vectors(pack).X if vectors.KEY in pack.parts else matrix_of(X)
        pack.add(self, lambda: Vectors(self.changed(X)))
        pack.dtype = X.dtype

    @abstractmethod
    def _check_columns(self, columns: int) -> None:
        """Raise unless rows of this many columns can be changed."""

    @property
    def _rows(self) -> Hashable:
        return self

    def _diag(self, pack: Pack) -> Floats:
        part: Any = pack.parts[self]
        squares: Floats = part.squares()
        return squares

    def _block(self, pair: Pair) -> Floats:
        return pair.products(self)

    def _map(self, width: int) -> Any:
        from kerneltron.maps.projection import Projection

        if width != len(self.array):
            raise ValueError(
                f"rows of {width} columns do not fit {self}: it compares rows of {len(self.array)}."
            )
        return Projection(self._matrix())

    @cached_property
    def _name(self) -> str:
        return self.letter + sha256(self._content()).hexdigest()[:8]

    def _content(self) -> bytes:
        """Return the bytes that the array is named by."""
        return self.array.tobytes()

    def arrays(self) -> Mapping[str, Anything]:
        """Return the array by the name that the text gives it."""
        return {self._name: self.array}

    def __repr__(self) -> str:
        return f"{type(self).__name__}(@{self._name})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and np.array_equal(self.array, other.array)

    def __hash__(self) -> int:
        return hash((type(self), self._name))


def real_array(values: Any, name: str, verb: str) -> Floats:
    """Return a copy in double precision without -0.0, so that equal arrays have equal bytes."""
    given = np.asarray(values)
    if given.dtype.kind not in "biuf":
        raise TypeError(f"{name} {verb} {given.dtype}, not real numbers.")
    array: Floats = given.astype(np.float64) + 0.0
    return array
