"""Kernels over the fields of records."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kerneltron.kernels.composed import OfImages
from kerneltron.kernels.examples import one_column
from kerneltron.kernels.kernel import OF_NUMBERS, Kernel
from kerneltron.kernels.pack import Pack


@dataclass(frozen=True, repr=False)
class On(OfImages):
    """k(x, z) = base(x[field], z[field]): one field of records, which are dicts or rows of a table.

    So text, trees and numbers mix in one expression. Kernels on the same field share what they read of it.

    Parameters
    ----------
    field
        The name of the field: a key of dicts, a column of a data frame, or a field of a structured array.
    base
        The kernel that compares what stands there. A number is a vector of one column.

    Examples
    --------
    >>> from kerneltron.kernels import Gaussian, On, Spectrum
    >>> k = On("text", Spectrum(2)) + 0.5 * On("age", Gaussian(10.0))
    >>> k([{"text": "abab", "age": 30}, {"text": "aba", "age": 40}]).round(3)
    array([[5.5  , 3.303],
           [3.303, 2.5  ]])
    """

    field: str
    base: Kernel

    domain = "records"

    def __post_init__(self) -> None:
        if not isinstance(self.field, str):
            raise TypeError(f"field={self.field!r} is not a text, the name of a field.")
        if not isinstance(self.base, Kernel):
            raise TypeError(f"base={self.base!r} is not a kernel: write On({self.field!r}, Gaussian(2.0)).")

    @property
    def _key(self) -> Hashable:
        """Kernels on the same field share one pack inside."""
        return "on", self.field

    def _seen_inside(self, X: Any) -> Any:
        values = column(X, self.field)
        return as_rows(values) if self.base.domain in OF_NUMBERS else values

    def _fill_inner(self, inner: Pack, X: Any) -> None:
        values = column(X, self.field)
        try:
            self.base._enter(inner, as_rows(values) if self.base.domain in OF_NUMBERS else values)
        except (TypeError, ValueError) as error:
            raise type(error)(f"field {self.field!r}: {error}") from error

    def _when_normalized(self) -> Kernel:
        return On(self.field, self.base.normalized())


def column(X: Any, field: str) -> Any:
    """Return what stands in one field of all records; raise an error that names a record without it."""
    X = one_column(X)
    names = getattr(getattr(X, "dtype", None), "names", None)  # of a structured array
    if names is None and hasattr(X, "columns"):
        names = list(X.columns)
    if names is not None:
        if field not in names:
            raise ValueError(f"there is no field {field!r}; the columns are {', '.join(map(str, names))}.")
        values = X[field]
        return values if isinstance(values, np.ndarray) else values.to_numpy()
    return [_value(record, field, place) for place, record in enumerate(X)]


def _value(record: Any, field: str, place: int) -> Any:
    names = getattr(getattr(record, "dtype", None), "names", None)
    if not (isinstance(record, Mapping) or names is not None):
        raise TypeError(
            f"X[{place}] is a {type(record).__name__}, not a record: give dicts with the field {field!r}, a "
            "data frame, or a structured array."
        )
    known = list(record) if names is None else names
    if field not in known:
        raise ValueError(
            f"X[{place}] has no field {field!r}; it has {', '.join(map(repr, known)) or 'none'}."
        )
    if record[field] is None:
        raise ValueError(f"X[{place}] holds None in the field {field!r}: fill it, or drop the record.")
    return record[field]


def as_rows(values: Any) -> Any:
    """Return the values of a field as a matrix: numbers as rows of one column."""
    shapes = [np.shape(value) for value in values]
    for place, shape in enumerate(shapes):
        if shape != shapes[0]:
            here, first = _counted(shape), _counted(shapes[0])
            raise ValueError(f"X[{place}] holds {here} where X[0] holds {first}: give all the same number.")
    array = np.stack(list(values)) if shapes and shapes[0] else np.asarray(values)
    return array[:, None] if array.ndim == 1 else array


def _counted(shape: tuple[int, ...]) -> str:
    return "a number" if shape == () else f"{shape[0]} numbers" if len(shape) == 1 else f"the shape {shape}"
