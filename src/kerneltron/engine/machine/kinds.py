"""What the arguments of a call are: the part of their types that machine code depends on.

>>> import numpy as np
>>> written(kinds_of((3, np.zeros((2, 2)), (1.5, True))))
'int64, float64[2C], (float64, bool)'

Arrays are written with their dimensions and their layout (C, F, or A for any), `u` where numbers stand at odd
addresses, and `r` where they cannot be written to. Machine code that only reads takes both.

>>> fits("float64[1Cr], int64", "float64[1C], int64"), fits("float64[1C], int64", "float64[1Cr], int64")
(True, False)
"""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

OURS = "kerneltron."
TOKEN = re.compile(r"[\w.<>]+(?:\[\w+\])?|[(),]")
LARGEST = 2**63  # the first whole number that int64 does not hold


class Number(NamedTuple):
    """A number: bool, int64, uint64 or float64, whatever Python or NumPy calls it."""

    dtype: str


class Array(NamedTuple):
    """An array in the byte order of this machine."""

    dtype: str
    dimensions: int
    layout: str
    is_readonly: bool
    is_aligned: bool = True


class Group(NamedTuple):
    """A tuple, or a NamedTuple of some class."""

    group_type: Any
    items: tuple[Any, ...]


Kind = Number | Array | Group


def kind_of(value: Any) -> Kind:
    """Return what a value is; raises a `TypeError` if compiled functions take no such thing."""
    if isinstance(value, np.ndarray):
        return _kind_of_array(value)
    if isinstance(value, tuple):
        return Group(type(value), tuple(map(kind_of, value)))
    if isinstance(value, bool | np.bool_):
        return Number("bool")
    if isinstance(value, int | np.integer):
        return Number("uint64" if isinstance(value, np.uint64) or value >= LARGEST else "int64")
    if isinstance(value, float | np.floating):
        return Number("float64")
    given = type(value).__name__
    raise TypeError(f"compiled functions take numbers, arrays and tuples of these, not a {given}.")


def kinds_of(arguments: tuple[Any, ...]) -> tuple[Kind, ...]:
    """Return what the arguments of a call are."""
    return tuple(map(kind_of, arguments))


def _kind_of_array(array: Any) -> Array:
    flags, dtype = array.flags, array.dtype
    if dtype.kind not in "biuf" or not dtype.isnative:
        raise TypeError(f"compiled functions take arrays of numbers in this machine's order, not of {dtype}.")
    layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
    return Array(dtype.name, array.ndim, layout, not flags.writeable, flags.aligned)


def classes_in(kinds: tuple[Kind, ...]) -> Iterator[type]:
    """Yield the NamedTuples among kinds, an outer one before its fields, as often as they occur."""
    for kind in kinds:
        if isinstance(kind, Group):
            if kind.group_type is not tuple:
                yield kind.group_type
            yield from classes_in(kind.items)


def written(kinds: tuple[Kind, ...]) -> str:
    """Return kinds as text."""
    return ", ".join(map(_written, kinds))


def _written(kind: Kind) -> str:
    if isinstance(kind, Number):
        return kind.dtype
    if isinstance(kind, Array):
        more = "u" * (not kind.is_aligned) + "r" * kind.is_readonly
        return f"{kind.dtype}[{kind.dimensions}{kind.layout}{more}]"
    return f"{'' if kind.group_type is tuple else name_of(kind.group_type)}({written(kind.items)})"


def name_of(thing: Any) -> str:
    """Return where a class or a function is defined; below this package without its name."""
    return f"{thing.__module__}.{thing.__qualname__}".removeprefix(OURS)


def fits(listed: str, given: str) -> bool:
    """Return whether machine code for listed kinds takes arguments of the given ones."""
    if listed == given:
        return True
    pairs = TOKEN.findall(listed), TOKEN.findall(given)
    return len(pairs[0]) == len(pairs[1]) and all(
        one == other or one == f"{other[:-1]}r]" for one, other in zip(*pairs, strict=True)
    )


def common(one: str, other: str) -> str | None:
    """Return kinds that take the place of two that differ only in what cannot be written to, else None."""
    tokens = TOKEN.findall(one), TOKEN.findall(other)
    if len(tokens[0]) != len(tokens[1]):
        return None
    joint = []
    for a, b in zip(*tokens, strict=True):
        if a != b and a.replace("r]", "]") != b.replace("r]", "]"):
            return None
        joint.append(max(a, b, key=len))
    return "".join(joint).replace(",", ", ")


def read(text: str) -> tuple[Kind, ...]:
    """Return the kinds that were written so; classes are imported."""
    tokens = TOKEN.findall(text)
    kinds, end = _read(tokens, 0)
    if end != len(tokens):
        raise ValueError(f"{text!r} ends too late: a bracket is closed that was not opened.")
    return kinds


def _read(tokens: list[str], at: int) -> tuple[tuple[Kind, ...], int]:
    """Read up to the bracket that closes, and return where that stands."""
    kinds: list[Kind] = []
    while at < len(tokens) and tokens[at] != ")":
        token = tokens[at]
        if token == ",":
            at += 1
        elif token == "(" or tokens[at + 1 : at + 2] == ["("]:
            group_type = tuple if token == "(" else _class_named(token)
            items, at = _read(tokens, at + (1 if token == "(" else 2))
            kinds.append(Group(group_type, items))
            at += 1
        else:
            dtype, _, rest = token.rstrip("]").partition("[")
            kinds.append(_array(dtype, *rest) if rest else Number(dtype))
            at += 1
    return tuple(kinds), at


def _array(dtype: str, dimensions: str, layout: str, *more: str) -> Array:
    return Array(dtype, int(dimensions), layout, "r" in more, "u" not in more)


def _class_named(name: str) -> Any:
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(OURS + module), attribute)
