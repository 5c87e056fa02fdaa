"""JSON as RFC 8259 has it, on one line that is safe to look at."""

import json
import re
from math import isfinite
from typing import Any

from kerneltron._visible import UNSAFE


def as_json(value: Any) -> str:
    r"""Return plain values as JSON on one line; JSON has only finite numbers, and others are null.

    Examples
    --------
    >>> print(as_json({"score": float("-inf"), "label": "spam\n", "name": "\x9bé"}))
    {"score": null, "label": "spam\n", "name": "\u009bé"}
    """
    return UNSAFE.sub(_escaped, json.dumps(_finite(value), ensure_ascii=False, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(part) for name, part in value.items()}
    return [_finite(part) for part in value] if isinstance(value, list | tuple) else value


def _escaped(found: re.Match[str]) -> str:
    """Return the escape of a character that `json` leaves as it is; such stand in texts only."""
    return json.dumps(found.group())[1:-1]
