"""Rows of truth values, dense or CSR, as the kernels over booleans see them."""

from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron._validate import is_sparse
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.vectors import KEY, Vectors, matrix_of, vectors

ONES = Linear()  # the key of how many truths a row holds: their number is their squared norm


def fill(pack: Pack, X: Any) -> None:
    """Put the truth values of X into the pack, unless they are there, and how many of them are true.

    They are held in single precision, in which counts up to 2^24 are exact; Gram blocks follow X.
    """
    single = getattr(X, "dtype", None) == np.float32
    pack.add(KEY, lambda: Vectors(read_booleans(X).astype(np.float32, copy=False)))
    pack.numbers[ONES] = vectors(pack).squares()
    pack.dtype = np.dtype(np.float32 if single else np.float64)


def both(pair: Pair) -> Floats:
    """Return in how many columns x and z are both true, in single precision whatever the block will have."""
    return vectors(pair.left).products(vectors(pair.right), np.float32)


def different(pair: Pair) -> Floats:
    """Return in how many columns x and z differ, likewise."""
    counts = both(pair)
    counts *= -2
    counts += pair.left.numbers[ONES].astype(np.float32)[:, None]
    counts += pair.right.numbers[ONES].astype(np.float32)[None, :]
    return counts


def read_booleans(X: Any) -> Any:
    """Return X as a matrix of floats, each 0 or 1; raise an error that names the first that is not."""
    matrix = matrix_of(X)
    check_booleans(matrix)
    return matrix


def check_booleans(X: Any) -> None:
    """Raise a ValueError that names the first entry of X that is neither 0 nor 1."""
    values = X.data if is_sparse(X) else X
    wrong = (values != 0) & (values != 1)
    if not wrong.any():
        return
    place = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
    row, column = (X.tocoo().row[place], X.indices[place]) if is_sparse(X) else place
    raise ValueError(
        f"X holds {values[place]:g} in row {row}, column {column}: a kernel over booleans needs 0 or 1 "
        "everywhere. Make truth values of the numbers first, for example with X > 0."
    )
