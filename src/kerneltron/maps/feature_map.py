"""What every feature map is."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from math import inf, log
from typing import Any, ClassVar

import numpy as np

from kerneltron._types import Floats
from kerneltron._validate import is_sparse, read_matrix

MOST_ENTRIES = 2**31  # of a mapped matrix that is written out
READABLE = 10**21  # numbers from here on are shown by their digits


class FeatureMap(ABC):
    """phi with <phi(x), phi(z)> = k(x, z), for rows x of `inputs` columns; None stands for any number.

    A feature has a name made of plain numbers, such as (0, 0, 3) for the product of x0, x0 and x3.
    """

    inputs: int | None
    is_of_products: ClassVar[bool] = False  # its last digits depend on how many rows are mapped at a time
    source: Any = None  # the kernel and the width that it was made for: what a model file says of a map

    @property
    def kernel(self) -> Any:
        """The kernel that it was made for."""
        return self.source[0]

    @property
    @abstractmethod
    def width(self) -> int:
        """The number of features, exactly; they are not listed for it. It may have millions of digits."""

    @property
    def log_width(self) -> float:
        """The logarithm of the number of features, close enough to compare it, at once for any number."""
        return log(self.width) if self.width else -inf

    @abstractmethod
    def features(self) -> Iterator[Any]:
        """Yield the names of the features, in the order of the columns."""

    @abstractmethod
    def check(self, feature: Any) -> None:
        """Raise a ValueError unless there is a feature of this name."""

    @abstractmethod
    def _fill(self, X: Any, out: Floats) -> None:
        """Write the features of the dense rows X to `out`."""

    @abstractmethod
    def _column(self, X: Any, feature: Any) -> Floats:
        """Return one feature of the dense or CSR rows X."""

    @abstractmethod
    def _squares(self, X: Any) -> Floats:
        """Return ||phi(x)||^2 of the dense or CSR rows X, in double precision."""

    def __call__(self, X: Any) -> Floats:
        """Return phi(x) for each row of X: a dense matrix, float32 where X is."""
        X = self._read(X)
        if self.log_width + log(max(X.shape[0], 1)) > log(MOST_ENTRIES):
            raise ValueError(
                f"{X.shape[0]} rows of {shown(self)} features each do not fit into memory. Use the kernel "
                "itself, or compute single features with column(X, feature)."
            )
        out = np.empty((X.shape[0], self.width), X.dtype)
        self._fill(X.toarray() if is_sparse(X) and self.inputs is not None else X, out)
        return out

    def read(self, X: Any) -> Any:
        """Return rows as `mapped` takes them: as they are."""
        return X

    def mapped(self, X: Any) -> Floats:
        """Return phi(x) for rows that `read` returned."""
        return self(X)

    def folded(self, vectors: Floats) -> tuple["FeatureMap", Floats]:
        """Return a map f and vectors v with f(x) v = phi(x) `vectors`: phi and these themselves."""
        return self, vectors

    def column(self, X: Any, feature: Any) -> Floats:
        """Return the value of one feature for each row of X, without the others."""
        X = self._read(X)
        self.check(feature)
        return self._column(X, feature)

    def _read(self, X: Any) -> Any:
        X = read_matrix(X)
        if self.inputs not in (None, X.shape[1]):
            raise ValueError(f"X has {X.shape[1]} columns, but this feature map is for {self.inputs}.")
        return X


def shown(phi: FeatureMap) -> str:
    """Return the number of features for a message, exactly as long as it can be read."""
    return shown_count(phi.log_width, phi.width if phi.log_width < log(READABLE) else None)


def shown_count(log_count: float, count: int | None) -> str:
    """Return a number for a message from its logarithm, and from itself where it is known.

    Examples
    --------
    >>> shown_count(0.0, 12_000), shown_count(2600.0, None)
    ('12,000', 'about 10^1129')
    """
    return f"{count:,}" if count is not None and count < READABLE else f"about 10^{log_count / log(10):.0f}"


def is_index(value: Any, size: int) -> bool:
    """Return whether `value` is one of 0, 1, ..., size - 1, and not True or False."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and bool(0 <= value < size)


def columns_of(X: Any, columns: list[int]) -> Floats:
    """Return some columns of a dense or CSR matrix as a dense one."""
    some = X[:, columns]
    return some.toarray() if is_sparse(some) else some  # type: ignore[no-any-return]
