"""Strings as people hand them over: text, bytes and sequences of tokens become 64-bit symbols."""

import reprlib
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Integers
from kerneltron._validate import is_sparse
from kerneltron.kernels.examples import one_column
from kerneltron.kernels.labels import label_id, label_ids
from kerneltron.kernels.ragged import Ragged, starts_of

GIVE = "give text, bytes, or a list of tokens"


class Symbols(NamedTuple):
    """The symbols of strings by their ids: a letter is its code point, a token is a hash of its content."""

    ids: Integers


def read(X: Any) -> Ragged[Symbols]:
    """Return the symbols of all strings in X; raise an error that names an example that is not a string."""
    examples = listed(X)
    types = set(map(type, examples))
    if not all(issubclass(each, str | bytes | list | tuple) for each in types):
        for place, example in enumerate(examples):
            _check(example, place)
    starts = starts_of(np.fromiter(map(len, examples), np.int64, len(examples)))
    return Ragged(starts, Symbols(_ids(examples, types)))


def listed(X: Any) -> list[Any]:
    """Return the examples as a list; raise unless X is a collection of them."""
    X = one_column(X)
    if isinstance(X, str | bytes | bytearray):
        raise TypeError(f"X is one string, {reprlib.repr(X)}: give a list of strings, such as [X].")
    is_list = isinstance(X, Iterable) and not isinstance(X, Mapping | Set)
    if not is_list or hasattr(X, "columns") or is_sparse(X) or getattr(X, "shape", None) == ():
        raise TypeError(
            f"X is a {type(X).__name__}, not a list of strings: give a list, an array, or one column of a "
            "table."
        )
    if isinstance(X, np.ndarray) and X.ndim > 1 and X.dtype.kind == "f":
        raise TypeError("X is a matrix of real numbers, not a list of strings: give a kernel over vectors.")
    # Python's own objects are quicker to look at than NumPy's.
    return X.tolist() if isinstance(X, np.ndarray) and X.ndim == 1 else list(X)


def spelled(x: Any, first: int, end: int) -> str:
    """Return some symbols of a string as text, tokens joined by "_"."""
    part = x[first:end]
    if isinstance(part, str):
        return str(part)
    return part.decode("latin-1") if isinstance(part, bytes | bytearray) else "_".join(map(str, part))


def _check(example: Any, place: int) -> None:
    if isinstance(example, np.ndarray):
        if example.ndim != 1:
            raise ValueError(f"X[{place}] has the shape {example.shape}: a sequence of tokens has one axis.")
    elif not isinstance(example, Sequence | bytearray):
        raise TypeError(f"X[{place}] is {reprlib.repr(example)}, which is not a string: {GIVE}.")


def _ids(examples: Sequence[Any], types: Iterable[type]) -> Integers:
    """Return the symbols of all examples, one after the other."""
    if all(issubclass(each, str) for each in types):
        return _code_points("".join(examples))
    if all(issubclass(each, bytes | bytearray) for each in types):
        return np.frombuffer(b"".join(examples), np.uint8).astype(np.uint64)
    if all(isinstance(example, np.ndarray) and example.dtype.kind in "iu" for example in examples):
        return np.concatenate([label_ids(example) for example in examples])
    try:
        return label_ids(chain.from_iterable(map(_tokens, examples)))
    except TypeError:
        for place, example in enumerate(examples):
            for position, token in enumerate(_tokens(example)):
                _check_token(token, place, position)
        raise


def _code_points(text: str) -> Integers:
    """Return the code points, lone surrogates as they are; no letter is looked at in Python."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), np.uint8).astype(np.uint64)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint64)


def _tokens(example: Any) -> Any:
    if isinstance(example, bytes | bytearray):
        return example.decode("latin-1")
    return example.tolist() if isinstance(example, np.ndarray) else example


def _check_token(token: Any, place: int, position: int) -> None:
    try:
        label_id(token)
    except TypeError as error:
        raise TypeError(f"X[{place}][{position}]: {error}") from None
