"""Kernels over the fields of records."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from math import isfinite
from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron.kernels.composed import OfImages
from kerneltron.kernels.examples import one_column
from kerneltron.kernels.field_values import as_rows, filled, missing_in, with_days
from kerneltron.kernels.kernel import OF_NUMBERS, Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.parameters import is_number

MISSING = "missing"  # what packs of fields call the numbers that are 1 where a value is missing, else 0


@dataclass(frozen=True, repr=False)
class On(OfImages):
    """k(x, z) = base(x[field], z[field]): one field of records, which are dicts or rows of a table.

    So text, trees and numbers mix in one expression. Kernels on the same field share what they read of it.

    A missing value is None, NaN, NaT or NA. With `missing` it counts as that value, and as one more feature
    that all missing values have in common: k(x, z) = base(x', z') + m(x) m(z), where x' is the value or, if
    it is missing, `missing`, and m(x) is 1 if it is missing, else 0. Without `missing` it is an error.

    Parameters
    ----------
    field
        The name of the field: a key of dicts, a column of a data frame, or a field of a structured array.
    base
        The kernel that compares what stands there. A number is a vector of one column, and so is a date:
        days since 1970-01-01, in UTC if it has a time zone. Spans of time are days, too.
    missing
        What takes the place of missing values: a number for kernels over numbers, such as the median, and a
        text, mostly "", for others.

    Examples
    --------
    >>> from kerneltron.kernels import Gaussian, On, Spectrum
    >>> k = On("text", Spectrum(2)) + 0.5 * On("age", Gaussian(10.0))
    >>> k([{"text": "abab", "age": 30}, {"text": "aba", "age": 40}]).round(3)
    array([[5.5  , 3.303],
           [3.303, 2.5  ]])
    >>> On("age", Gaussian(10.0), missing=40)([{"age": 40}, {"age": 30}, {"age": None}]).round(3)
    array([[1.   , 0.607, 1.   ],
           [0.607, 1.   , 0.607],
           [1.   , 0.607, 2.   ]])
    """

    field: str
    base: Kernel
    missing: float | str | None = None

    domain = "records"

    def __post_init__(self) -> None:
        if not isinstance(self.field, str):
            raise TypeError(f"field={self.field!r} is not a text, the name of a field.")
        if not isinstance(self.base, Kernel):
            raise TypeError(f"base={self.base!r} is not a kernel: write On({self.field!r}, Gaussian(2.0)).")
        if self.missing is None:
            return
        if self._is_of_numbers and not (is_number(self.missing) and isfinite(float(self.missing))):
            raise ValueError(f"missing={self.missing!r} is not a finite number, which {self.base} compares.")
        if not self._is_of_numbers and not isinstance(self.missing, str):
            raise ValueError(f"missing={self.missing!r} is not a text: {self.base} does not compare numbers.")

    @property
    def _is_of_numbers(self) -> bool:
        return self.base.domain in OF_NUMBERS

    @property
    def _key(self) -> Hashable:
        """Kernels on the same field share one pack inside."""
        return ("on", self.field) if self.missing is None else ("on", self.field, repr(self.missing))

    def _seen_inside(self, X: Any) -> Any:
        return self.read(X)[0]

    def read(self, X: Any) -> tuple[Any, Anything]:
        """Return what the base compares, one value per record, and which of these were missing."""
        values = column(X, self.field)
        with self._named_in_errors():
            values = with_days(values) if self._is_of_numbers else values
        flags = missing_in(values)
        if flags.any() and self.missing is None:
            place, fill = int(flags.argmax()), "0.0" if self._is_of_numbers else "''"
            raise ValueError(
                f"X[{place}] holds {values[place]} in the field {self.field!r}, and the kernel does not say "
                "what a missing value counts as: fill it, drop the record, or write "
                f"On({self.field!r}, k, missing={fill}). kernel='auto' does so for fields with missing "
                "values in fit."
            )
        values = filled(values, flags, self.missing)
        with self._named_in_errors():
            return as_rows(values) if self._is_of_numbers else values, flags

    def _fill(self, pack: Pack, X: Any) -> None:
        values, flags = self.read(X)
        super()._fill(pack, values)
        if self.missing is not None:
            inner: Any = pack.parts[self._key]
            inner.numbers[MISSING] = flags.astype(np.float64)

    def _fill_inner(self, inner: Pack, X: Any) -> None:
        """Put what the base needs into the pack inside; X are the values of the field."""
        with self._named_in_errors():
            self.base._enter(inner, X)

    @contextmanager
    def _named_in_errors(self) -> Iterator[None]:
        try:
            yield
        except (TypeError, ValueError) as error:
            raise type(error)(f"field {self.field!r}: {error}") from error

    def _diag(self, pack: Pack) -> Floats:
        diagonal = super()._diag(pack)
        if self.missing is None:
            return diagonal
        inner: Any = pack.parts[self._key]
        flags: Floats = inner.numbers[MISSING]
        return diagonal + flags

    def _block(self, pair: Pair) -> Floats:
        block = super()._block(pair)
        if self.missing is not None:
            left, right = pair.inside(self._key).numbers(MISSING)
            block += left * right
        return block

    def _when_normalized(self) -> Kernel | None:
        return On(self.field, self.base.normalized()) if self.missing is None else None


def column(X: Any, field: str) -> Any:
    """Return what stands in one field of all records; raise an error that names a record without it."""
    X = one_column(X)
    names = field_names(X)
    if names is not None:
        if field not in names:
            raise ValueError(
                f"there is no field {field!r}; the columns are {', '.join(map(str, names))}"
                f"{closest(field, names)}"
            )
        values = X[field]
        if getattr(values, "ndim", 1) != 1 and names.count(field) > 1:
            raise ValueError(
                f"X has {names.count(field)} columns of the name of the field {field!r}: rename them."
            )
        return values if isinstance(values, np.ndarray) else values.to_numpy()
    return [_value(record, field, place) for place, record in enumerate(X)]


def field_names(X: Any) -> list[Any] | None:
    """Return the names of the columns of a table, data frame or structured array; None of other records."""
    names = getattr(getattr(X, "dtype", None), "names", None)
    names = getattr(X, "columns", None) if names is None else names
    return None if names is None else list(names)


def closest(field: str, names: Iterable[Any]) -> str:
    """Return the end of a sentence: a question after the name that was meant, where one is near."""
    folded = {name.lower(): name for name in names if isinstance(name, str)}
    close = get_close_matches(field.lower(), folded, n=1)
    return f": did you mean {folded[close[0]]!r}?" if close else "."


def _value(record: Any, field: str, place: int) -> Any:
    names = getattr(getattr(record, "dtype", None), "names", None)
    if not (isinstance(record, Mapping) or names is not None):
        raise TypeError(
            f"X[{place}] is a {type(record).__name__}, not a record: give dicts with the field {field!r}, a "
            "data frame, or a structured array."
        )
    known = record if names is None else names
    if field not in known:
        listed = ", ".join(map(repr, known)) or "none"
        raise ValueError(f"X[{place}] has no field {field!r}; it has {listed}{closest(field, known)}")
    return record[field]
