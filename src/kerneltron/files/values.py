"""Values of parameters as JSON, and back to what they were.

Numbers, text, None and lists stand as they are. What JSON has no word for is an object of one key.
"""

from math import inf, isfinite, nan
from typing import Any

import numpy as np

from kerneltron.files.contents import ModelFileError

SPECIAL = {"inf": inf, "-inf": -inf, "nan": nan}
LARGEST_NUMBER = 2**63  # whole numbers beyond this are text: Python refuses to read very long ones


def encode(name: str, value: Any) -> Any:
    """Return a value as JSON; `name` is what the error calls it if that is not possible.

    Examples
    --------
    >>> encode("class_weight", {0: 1.0, "spam": float("inf")})
    {'pairs': [[0, 1.0], ['spam', {'number': 'inf'}]]}
    >>> decode(encode("class_weight", {0: 1.0, "spam": float("inf")}))
    {0: 1.0, 'spam': inf}
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return int(value) if abs(value) < LARGEST_NUMBER else {"integer": hex(value)}
    if isinstance(value, float):
        return float(value) if isfinite(value) else {"number": str(value)}
    if isinstance(value, list):
        return [encode(name, item) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [encode(name, item) for item in value]}
    if isinstance(value, dict):
        return {"pairs": [[encode(name, key), encode(name, item)] for key, item in value.items()]}
    raise ValueError(
        f"{name}={value!r} cannot be saved: a model file holds numbers, text, lists, dicts and kernels."
    )


def decode(value: Any) -> Any:
    """Return what `encode` was given."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    match value:
        case {"number": str(text)} if text in SPECIAL and len(value) == 1:
            return SPECIAL[text]
        case {"integer": str(text)} if len(value) == 1:
            return int(text, 16)
        case {"tuple": list(items)} if len(value) == 1:
            return tuple(decode(item) for item in items)
        case {"pairs": list(pairs)} if len(value) == 1:
            return dict(_pair(pair) for pair in pairs)
    raise ModelFileError(f"{str(value)[:60]} in the header is not a value that was saved")


def _pair(pair: Any) -> tuple[Any, Any]:
    if not isinstance(pair, list) or len(pair) != 2 or isinstance(pair[0], list):
        raise ModelFileError(f"{str(pair)[:60]} in the header is not a pair of a key and a value")
    return decode(pair[0]), decode(pair[1])
