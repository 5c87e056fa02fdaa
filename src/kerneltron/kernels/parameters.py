"""Checks of a kernel's parameters, with errors that name the parameter and say what it takes."""

from math import isfinite
from numbers import Real
from typing import Any

import numpy as np


def is_number(value: Any) -> bool:
    """Return whether `value` is a real number that a float can hold, and not True or False."""
    if not isinstance(value, Real) or isinstance(value, bool | np.bool_):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def positive(name: str, value: Any, least: float | None = None) -> None:
    """Raise unless `value` is a finite number above 0, or at least `least`."""
    if not is_number(value):
        raise TypeError(f"{name}={value!r} is not a number.")
    if not isfinite(value) or (value <= 0 if least is None else value < least):
        bound = "greater than 0" if least is None else f"at least {least:g}"
        raise ValueError(f"{name}={value!r} must be finite and {bound}.")


def whole(name: str, value: Any, least: int, most: int | None = None) -> None:
    """Raise unless `value` is a whole number of at least `least`, and at most `most` if that is given."""
    if not is_number(value) or not isfinite(value) or value != int(value):
        raise TypeError(f"{name}={value!r} is not a whole number.")
    if value < least:
        raise ValueError(f"{name}={value!r} must be at least {least}.")
    if most is not None and value > most:
        raise ValueError(f"{name}={value!r} must be at most {most:,}.")


def truth(name: str, value: Any) -> None:
    """Raise unless `value` is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name}={value!r} is neither True nor False.")
