"""What examples are, told by their looks: rows of numbers, strings, trees, graphs or records."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from kerneltron._validate import is_sparse
from kerneltron.kernels.examples import one_column
from kerneltron.kernels.on import column

NUMBERS = "biuf"  # kinds of NumPy's types
TEXT = "text"  # a string or, where all of them stand in brackets, a tree


def domain_of(X: Any) -> str:
    """Return what examples are: "vectors", "strings", "trees", "graphs" or "records".

    Texts that all stand in brackets are trees, and other texts strings, as are lists of tokens; nested tuples
    and objects with a label are trees; pairs that begin with edges, and graphs of networkx, are graphs; dicts
    and rows of a data frame with columns that hold other things than numbers are records.

    Examples
    --------
    >>> domain_of(["GATTACA", "TACGAT"]), domain_of(["(S (NP John))", "(S (NP Mary))"])
    ('strings', 'trees')
    >>> domain_of([([(0, 1)], ["C", "O"])]), domain_of([{"text": "a", "age": 3}]), domain_of([[1.0, 2.0]])
    ('graphs', 'records', 'vectors')
    """
    X = one_column(X)
    if getattr(getattr(X, "dtype", None), "names", None):
        return "records"
    if hasattr(X, "columns"):
        return "vectors" if all(_is_numeric(column(X, name)) for name in X.columns) else "records"
    if is_sparse(X) or (isinstance(X, np.ndarray) and (X.ndim != 1 or X.dtype.kind in NUMBERS)):
        return "vectors"
    kinds = [_kind(x) for x in X]
    first = next(filter(None, kinds), None)
    if first is None:
        raise ValueError("X holds no examples that tell what they are: give some, or a kernel.")
    odd = next((place for place, kind in enumerate(kinds) if kind not in ("", first)), None)
    if odd is not None:
        raise ValueError(
            f"X[{odd}] is {NAMES[kinds[odd]]} where X[{kinds.index(first)}] is {NAMES[first]}: give examples "
            "of one kind."
        )
    if first != TEXT:
        return first
    stripped = [text.strip() for text in X]
    return "trees" if all(text.startswith("(") and text.endswith(")") for text in stripped) else "strings"


NAMES = {
    TEXT: "a text",
    "strings": "a list of tokens",
    "trees": "a tree",
    "graphs": "a graph",
    "records": "a record",
    "vectors": "a number or a row of numbers",
}


def _kind(x: Any) -> str:
    """Return what one example is; nothing for an empty list, which can be anything."""
    if isinstance(x, str):
        return TEXT
    if isinstance(x, bytes | bytearray):
        return "strings"
    if isinstance(x, Mapping) or getattr(getattr(x, "dtype", None), "names", None):
        return "records"
    if isinstance(x, tuple | list):
        return _kind_of_items(x)
    if callable(getattr(x, "label", None)):
        return "trees"
    return "graphs" if all(hasattr(x, name) for name in ("nodes", "edges", "is_directed")) else "vectors"


def _kind_of_items(x: Any) -> str:
    if not len(x):
        return ""
    if isinstance(x[0], str | bytes):
        return "trees" if any(isinstance(item, tuple | list) for item in x) else "strings"
    is_pair = len(x) == 2 and isinstance(x[0], tuple | list | np.ndarray)
    return "graphs" if is_pair else "vectors"


def _is_numeric(values: Any) -> bool:
    return getattr(values.dtype, "kind", "O") in NUMBERS
