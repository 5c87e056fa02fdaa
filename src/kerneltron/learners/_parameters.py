"""Checks of constructor parameters, with errors that name the parameter and say what it takes."""

from collections.abc import Sequence
from math import inf, isnan
from numbers import Real
from typing import Any


def check_number(
    name: str, value: Any, *, above: float = -inf, least: float = -inf, below: float = inf
) -> None:
    """Raise unless `value` is a real number with above < value, least <= value and value < below (or inf)."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name}={value!r} is not a number.")
    number = float(value)
    if isnan(number) or number <= above or number < least or (number >= below and below < inf):
        bounds = (
            [f"greater than {above:g}"] if above > -inf else [f"at least {least:g}"] if least > -inf else []
        )
        bounds += [f"less than {below:g}"] if below < inf else []
        raise ValueError(f"{name}={value!r} must be {' and '.join(bounds) or 'a number'}.")


def check_choice(name: str, value: Any, choices: Sequence[Any]) -> None:
    """Raise unless `value` is one of `choices`."""
    if not any(value is choice or (type(value) is type(choice) and value == choice) for choice in choices):
        raise ValueError(f"{name}={value!r} is not known. Choose one of {', '.join(map(repr, choices))}.")
