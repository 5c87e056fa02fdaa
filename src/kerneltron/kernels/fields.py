"""The fields of records that a kernel is looked for: what stands in each, and what is left out, and why."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Anything
from kerneltron._validate import check_finite
from kerneltron.kernels.domains import NUMBERS, domain_of
from kerneltron.kernels.examples import one_column
from kerneltron.kernels.field_values import as_rows, filled, missing_in, with_days
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.on import On, column, field_names

CONSTANT = "the same in all records"
EMPTY = "missing in all records"
DIGITS = 6  # of the median that missing numbers count as
TAKEN = "kernels compare numbers, dates, text, trees and graphs"
INSTEAD = "turn it into one of these, drop the field, or give a kernel such as On('field', k)"


class Field(NamedTuple):
    """One field: its name, its domain, what missing values count as, and in how many records it is missing.

    `missing` is None where no value is missing; a kernel found for such a field raises an error for missing
    values that come later.
    """

    name: str
    domain: str
    missing: float | str | None = None
    absent: int = 0

    def on(self, kernel: Kernel) -> On:
        """Return the kernel that compares this field."""
        return On(self.name, kernel, missing=self.missing)

    def values(self, X: Any) -> Any:
        """Return what stands in the field, with missing values filled."""
        values = column(X, self.name)
        return values if self.missing is None else filled(values, missing_in(values), self.missing)

    def described(self, *more: str) -> str:
        """Return the name and, in brackets, the domain and what else there is to say."""
        kind = "numbers" if self.domain == "vectors" else self.domain
        missing = (f"{self.absent} missing",) if self.absent else ()
        return f"{self.name} ({', '.join((kind, *missing, *more))})"


class Fields(NamedTuple):
    """The fields to be compared; those left out, with the reason; errors for those that cannot be read."""

    used: list[Field]
    left_out: dict[str, str]
    errors: list[Exception]

    def sentence(self, kernel: Kernel) -> str:
        """Return which fields a kernel that was found for records compares, and why not the others."""
        in_it = set(_names_in(kernel))
        others = [each.described("no fewer errors with it") for each in self.used if each.name not in in_it]
        others += [f"{name} ({reason})" for name, reason in self.left_out.items()]
        compared = ", ".join(each.described() for each in self.used if each.name in in_it)
        return f"Fields compared: {compared}." + (f" Left out: {', '.join(others)}." if others else "")


def fields_of(X: Any) -> Fields:
    """Return what stands in the fields of records.

    Fields that do not differ between records are left out, unless none does.

    Examples
    --------
    >>> found = fields_of([{"text": "a", "age": 3, "when": None}, {"text": "b", "age": None, "when": None}])
    >>> [field.described() for field in found.used], found.left_out
    (['text (strings)', 'age (numbers, 1 missing)'], {'when': 'missing in all records'})
    """
    fields: list[Field] = []
    constant: list[Field] = []
    errors: list[Exception] = []
    left_out: dict[str, str] = {}
    for name in _names(X):
        try:
            values = column(X, name)
            flags = missing_in(values)
            if flags.all():
                left_out[name] = EMPTY
                continue
            field, is_constant = _field(name, values, flags)
        except (TypeError, ValueError) as error:
            errors.append(error)
            continue
        (constant if is_constant else fields).append(field)
    if not fields:
        return Fields(constant, left_out, errors)
    return Fields(fields, left_out | {field.name: CONSTANT for field in constant}, errors)


def _field(name: str, values: Any, flags: Anything) -> tuple[Field, bool]:
    """Return one field, and whether it is the same in all records; raise where kernels cannot compare it."""
    count, first = int(flags.sum()), values[int(np.argmin(flags))]
    whole = filled(values, flags, first)  # so that errors name the places in X
    try:
        domain = domain_of(with_days(whole))
        if domain == "vectors":
            return _of_numbers(name, whole, flags)
        if domain == "records":
            raise TypeError(f"X[0] holds a record: {TAKEN}; flatten it, or drop the field.")
    except (TypeError, ValueError) as error:
        raise type(error)(f"field {name!r}: {error}") from error
    if count and domain != "strings":
        raise ValueError(
            f"field {name!r}: X[{int(flags.argmax())}] holds none of the {domain}, and there is no value for "
            "a missing one: fill it, or drop the record or the field."
        )
    is_constant = not count and isinstance(first, str) and all(value == first for value in values)
    return Field(name, domain, "" if count else None, count), is_constant


def _of_numbers(name: str, values: Any, flags: Anything) -> tuple[Field, bool]:
    rows = as_rows(values)
    if rows.ndim != 2 or rows.dtype.kind not in NUMBERS:
        raise TypeError(f"X[0] holds {values[0]!r:.60}: {TAKEN}; {INSTEAD}.")
    check_finite(rows if rows.dtype.kind == "f" else rows.astype(np.float64))
    count = int(flags.sum())
    if count and rows.shape[1] > 1:
        raise ValueError(
            f"X[{int(flags.argmax())}] has no numbers, where others have {rows.shape[1]}: fill them, or "
            "drop the record or the field."
        )
    is_constant = not count and bool((rows == rows[:1]).all())
    fill = float(f"{np.median(rows[~flags]):.{DIGITS}g}") if count else None
    return Field(name, "vectors", fill, count), is_constant


def _names(X: Any) -> list[str]:
    """Return the names of all fields that some record has."""
    X = one_column(X)
    names = field_names(X)
    if names is None:
        names = list(dict.fromkeys(name for record in X for name in _names_of(record)))
    for name in names:
        if not isinstance(name, str):
            raise TypeError(
                f"X has a column of the name {name!r}, which is not a text: kernel='auto' and On(field, k) "
                "take fields by name, so rename it, for example by X.columns = X.columns.astype(str)."
            )
    return list(dict.fromkeys(names))


def _names_of(record: Any) -> Any:
    names = getattr(getattr(record, "dtype", None), "names", None)
    return record if names is None else names


def _names_in(kernel: Kernel) -> Iterator[str]:
    """Yield the names of the fields that an expression compares."""
    if isinstance(kernel, On):
        yield kernel.field
    for part in kernel._parts():
        yield from _names_in(part)
