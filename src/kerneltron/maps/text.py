"""Approximations as text, such as "RandomFourier(2000)": what `repr` writes is read back, and never run."""

import ast
from difflib import get_close_matches
from inspect import signature
from typing import Any

from kerneltron.maps.approximation import Approximation
from kerneltron.maps.catalogue import MAPS, map_type

LONGEST = 1000  # characters of a text


def parse(text: Any) -> Approximation:
    """Return the approximation that `text` describes; one is returned as it is.

    A transformer of `kerneltron.features` stands for the approximation that it makes.

    Examples
    --------
    >>> from kerneltron.maps.text import parse
    >>> parse("Nystrom(500, method='kmeans')")
    Nystrom(n_landmarks=500, method='kmeans')
    >>> parse("RandomForier(2000)")
    Traceback (most recent call last):
    ValueError: there is no map RandomForier: did you mean RandomFourier?
    """
    if isinstance(text, Approximation):
        return text
    if callable(described := getattr(text, "approximation", None)):
        return parse(described())
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is neither a map nor its text: write one such as 'Nystrom(500)'.")
    name, given, named = _read(text)
    if name not in MAPS:
        close = get_close_matches(name, MAPS, n=1)
        hint = f"did you mean {close[0]}?" if close else f"the maps are {', '.join(MAPS)}."
        raise ValueError(f"there is no map {name}: {hint}")
    made = map_type(name)
    try:
        signature(made).bind(*given, **named)
    except TypeError as error:
        raise ValueError(f"{text}: {error}. Write {name}{signature(made)}.") from error
    return made(*given, **named)  # type: ignore[no-any-return]


def described(value: Any) -> Any:
    """Return the text of a map; anything else as it is."""
    return repr(parse(value)) if is_map(value) and not isinstance(value, str) else value


def is_map(value: Any) -> bool:
    """Return whether a value describes an approximation, and is not a word or anything else."""
    if isinstance(value, type):  # RandomFourier without brackets
        return False
    is_text = isinstance(value, str) and "(" in value
    return is_text or isinstance(value, Approximation) or callable(getattr(value, "approximation", None))


def _read(text: str) -> tuple[str, list[Any], dict[str, Any]]:
    """Return the name, the values by place and the values by name of a call."""
    wrong = f"{text[:60]!r} is not a map: write one such as 'RandomFourier(2000)' or 'Nystrom(500)'."
    if len(text) > LONGEST:
        raise ValueError(wrong)
    try:
        node = ast.parse(text.strip(), mode="eval").body
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            raise ValueError(wrong)
        values = [ast.literal_eval(value) for value in node.args]
        named = {keyword.arg: ast.literal_eval(keyword.value) for keyword in node.keywords}
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError) as error:
        raise ValueError(wrong) from error
    if None in named:
        raise ValueError(wrong)
    return node.func.id, values, named  # type: ignore[return-value]
