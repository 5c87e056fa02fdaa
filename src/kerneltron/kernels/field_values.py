"""What stands in one field of records: which values are missing, and numbers and dates as rows."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats

UNKNOWN = (float, np.floating, Decimal, datetime, np.datetime64, np.timedelta64)  # types that have a NaN
DATES = (date, timedelta, np.datetime64, np.timedelta64)  # a datetime is a date, too
# Most fields hold values of one type, which is quicker to look at than each value.
PRESENT = frozenset(
    (str, bytes, int, bool, list, tuple, dict, np.ndarray)
)  # types that have no missing value
PLAIN = frozenset((float, int, bool))
EPOCH = datetime(1970, 1, 1)
DAY = timedelta(days=1)


def is_missing(value: Any) -> bool:
    """Return whether a value stands for one that is not known: None, NaN, NaT, or NA of pandas."""
    if value is None or type(value).__name__ == "NAType":
        return True
    return isinstance(value, UNKNOWN) and bool(value != value)  # noqa: PLR0124


def missing_in(values: Any) -> Anything:
    """Return which values of a field are missing.

    Examples
    --------
    >>> missing_in(["a", None, float("nan"), ""]).tolist()
    [False, True, True, False]
    """
    if isinstance(values, np.ndarray) and values.dtype.kind != "O":
        if values.ndim != 1 or values.dtype.kind not in "fMm":  # a part of a row is not a missing value
            return np.zeros(len(values), bool)
        flags: Anything = np.isnan(values) if values.dtype.kind == "f" else np.isnat(values)
        return flags
    types = set(map(type, values))
    if types <= PRESENT:
        return np.zeros(len(values), bool)
    if types == {float}:
        return np.isnan(np.array(values, np.float64))
    return np.fromiter(map(is_missing, values), bool, len(values))


def filled(values: Any, flags: Anything, value: Any) -> Any:
    """Return the values of a field with another one in the place of those that are missing."""
    if not flags.any():
        return values
    if isinstance(values, np.ndarray) and values.dtype.kind == "f":
        return np.where(flags, values.dtype.type(value), values)
    return [value if is_not_there else each for each, is_not_there in zip(values, flags, strict=True)]


def with_days(values: Any) -> Any:
    """Return the values of a field with dates as days since 1970-01-01 (UTC), and spans of time as days.

    Examples
    --------
    >>> with_days([date(1970, 1, 3), datetime(1970, 1, 1, 12), None])
    [2.0, 0.5, None]
    >>> with_days(np.array(["1970-01-03", "NaT"], "M8[D]")).tolist()
    [2.0, nan]
    """
    if isinstance(values, np.ndarray) and values.dtype != object:
        return _days_of_array(values) if values.dtype.kind in "Mm" else values
    if not any(issubclass(each, DATES) for each in set(map(type, values))):
        return values
    for place, value in enumerate(values):
        if not (isinstance(value, DATES) or is_missing(value)):
            raise ValueError(f"X[{place}] holds {value!r:.60}, where others hold dates: give dates alone.")
    return [None if is_missing(value) else _days(value) for value in values]


def _days_of_array(values: Anything) -> Floats:
    spans = values - np.datetime64(0, "D") if values.dtype.kind == "M" else values
    days: Floats = spans / np.timedelta64(1, "D")
    return days


def _days(value: Any) -> float:
    if isinstance(value, np.generic):
        return float(_days_of_array(np.asarray(value)))
    if isinstance(value, timedelta):
        return value / DAY
    if isinstance(value, datetime):
        return ((value if value.tzinfo is None else value.astimezone(UTC).replace(tzinfo=None)) - EPOCH) / DAY
    return float((value - EPOCH.date()).days)


def as_rows(values: Any) -> Any:
    """Return the values of a field as a matrix: numbers, and dates by their days, as rows of one column."""
    if isinstance(values, np.ndarray) and values.dtype != object:
        array = with_days(values)
        return array[:, None] if array.ndim == 1 else array
    if set(map(type, values)) <= PLAIN:
        return np.array(list(values))[:, None]
    shapes = [np.shape(value) for value in values]
    for place, shape in enumerate(shapes):
        if shape != shapes[0]:
            here, first = _counted(shape), _counted(shapes[0])
            raise ValueError(f"X[{place}] holds {here} where X[0] holds {first}: give all the same number.")
    if shapes and shapes[0]:
        return np.stack(list(values))
    return np.array(_plain_numbers(list(with_days(values))))[:, None]


def _plain_numbers(values: list[Any]) -> list[Any]:
    """Return numbers as Python has them; raise where some are numbers, and name the first that is not."""
    are = [isinstance(value, Real | Decimal | np.bool_) for value in values]
    if any(are) and not all(are):
        place = are.index(False)
        raise ValueError(
            f"X[{place}] holds {values[place]!r:.60}, where X[{are.index(True)}] holds a number: give "
            "numbers alone, or text alone."
        )
    return [float(value) if isinstance(value, Decimal) else value for value in values]


def _counted(shape: tuple[int, ...]) -> str:
    return "a number" if shape == () else f"{shape[0]} numbers" if len(shape) == 1 else f"the shape {shape}"
