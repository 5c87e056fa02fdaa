"""Numbers written as text."""

import numpy as np

from kerneltron._types import Bytes
from kerneltron.engine.compiled import inlined, internal
from kerneltron.engine.text.faults import BAD_VALUE, TOO_LARGE

FULL = 10**17  # a mantissa of this size takes no further digit: those only count for the exponent
MINUS, PLUS, POINT = ord("-"), ord("+"), ord(".")


@inlined
def is_digit(byte: int) -> bool:
    """Return whether a byte is one of 0 to 9."""
    return 48 <= byte <= 57


@inlined
def read_digits(text: Bytes, start: int, mantissa: int, exponent: int, step: int) -> tuple[int, int, int]:
    """Read digits into a mantissa; a digit read adds `step` to the exponent, one without room 1 more."""
    p = start
    while is_digit(text[p]):
        if mantissa < FULL:
            mantissa = mantissa * 10 + int(np.int64(text[p]) - 48)
            exponent += step
        else:
            exponent += step + 1
        p += 1
    return p, mantissa, exponent


@internal
def read_number(text: Bytes, start: int) -> tuple[float, int]:
    """Read a number such as -1.5e3 and return it with the place where it ends; nan where none is.

    Infinity and nan are not numbers. What overflows is infinite.
    """
    p = start
    negative = text[p] == MINUS
    if negative or text[p] == PLUS:
        p += 1
    first = p
    p, mantissa, exponent = read_digits(text, p, 0, 0, 0)
    digits = p - first
    if text[p] == POINT:
        point = p + 1
        p, mantissa, exponent = read_digits(text, point, mantissa, exponent, -1)
        digits += p - point
    if digits == 0:
        return np.nan, start
    if text[p] in (ord("e"), ord("E")):
        q = p + 1
        smaller = text[q] == MINUS
        if smaller or text[q] == PLUS:
            q += 1
        if not is_digit(text[q]):
            return np.nan, start
        power = 0
        while is_digit(text[q]):
            power = min(power * 10 + int(np.int64(text[q]) - 48), 9999)
            q += 1
        exponent += -power if smaller else power
        p = q
    value = scaled(np.float64(mantissa), exponent)
    return (-value if negative else value), p


@inlined
def fault_of(value: float) -> int:
    """Return what is wrong with a value: `read_number` returns infinity only for what is too large."""
    return TOO_LARGE if np.isinf(value) else BAD_VALUE


@inlined
def scaled(value: float, exponent: int) -> float:
    """Return value * 10^exponent."""
    if value == 0.0 or exponent == 0:
        return value
    if exponent < -300:  # 10^exponent alone would be 0 too early
        return value / 1e300 / 10.0 ** min(-exponent - 300, 300)
    return value / 10.0**-exponent if exponent < 0 else value * 10.0 ** min(exponent, 400)
