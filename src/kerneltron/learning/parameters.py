"""Checks of constructor parameters, with errors that name the parameter and say what it takes."""

from collections.abc import Sequence
from math import inf, isfinite
from numbers import Real
from typing import Any


def check_number(
    name: str,
    value: Any,
    *,
    above: float = -inf,
    least: float = -inf,
    below: float = inf,
    infinite: bool = False,
) -> None:
    """Raise unless `value` is a real number with above < value, least <= value and value < below."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name}={value!r} is not a number.")
    number = float(value)
    there = isfinite(number) or (infinite and number == inf)
    if not there or not (number > above and number >= least and (number < below or below == inf)):
        bounds = [
            *([] if infinite else ["finite"]),
            *([f"greater than {above:g}"] if above > -inf else []),
            *([f"at least {least:g}"] if least > -inf else []),
            *([f"less than {below:g}"] if below < inf else []),
        ]
        raise ValueError(f"{name}={value!r} must be {', '.join(bounds)}.")


def check_choice(name: str, value: Any, choices: Sequence[Any]) -> None:
    """Raise unless `value` is one of `choices`."""
    if not any(value is choice or (type(value) is type(choice) and value == choice) for choice in choices):
        raise ValueError(f"{name}={value!r} is not known. Choose one of {', '.join(map(repr, choices))}.")


def check_class_weight(value: Any) -> None:
    """Raise unless `value` is None, "balanced" or a dict."""
    if not (value is None or isinstance(value, dict) or (isinstance(value, str) and value == "balanced")):
        raise ValueError(f"class_weight={value!r} must be None, 'balanced' or a dict such as {{0: 1, 1: 5}}.")
