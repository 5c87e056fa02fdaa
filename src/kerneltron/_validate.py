"""The one door for what users hand over: checks whose errors name the place and the remedy."""

import sys
from collections.abc import Iterable
from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats

LARGEST_EXACT = 2**53  # float64 has all whole numbers up to here
FEW = 1024  # numbers that are looked at one by one sooner than NumPy's warnings are turned off


def is_sparse(X: Any) -> bool:
    """Return whether X is one of SciPy's sparse matrices."""
    if isinstance(X, np.ndarray) or "scipy.sparse" not in sys.modules:  # the import would take 0.1 s
        return False
    from scipy.sparse import issparse

    return bool(issparse(X))


def rows_of(X: Any, chosen: Anything) -> Any:
    """Return some of the examples X, whatever holds them: a matrix, a data frame, a list."""
    if hasattr(X, "iloc"):
        return X.iloc[chosen]
    return X[chosen] if hasattr(X, "shape") else [X[i] for i in chosen]


def read_matrix(X: Any) -> Any:
    """Return X as a C-ordered dense or a CSR matrix of finite floats; all but float32 become float64."""
    if is_sparse(X):
        matrix = as_csr(X)
    else:
        try:
            matrix = np.asarray(X)
        except ValueError as error:
            raise ValueError(f"X is not a matrix: its rows differ in length ({error}).") from error
        if matrix.ndim != 2:
            raise ValueError(f"X has {matrix.ndim} dimensions: give a matrix, a row an example.")
    if matrix.dtype.kind not in "biuf":
        raise ValueError(
            f"X holds {matrix.dtype}, not numbers: a kernel over vectors compares rows of numbers."
        )
    if matrix.dtype not in (np.float32, np.float64):
        matrix = matrix.astype(np.float64)
    check_finite(matrix)
    if is_sparse(matrix) or (matrix.flags.c_contiguous and matrix.flags.aligned):
        return matrix
    return np.require(matrix, requirements=["C", "A"])


def as_csr(X: Any, name: str = "X") -> Any:
    """Return a sparse matrix in CSR form, X itself if it has that form, after a look at all of its entries.

    SciPy checks the entries of a matrix when it is made, at the most; its conversions and products read and
    write wherever damaged ones point to. So this stands in front of all of them, and of our loops.
    """
    check_structure(X, name)
    if X.format == "csr" or X.ndim != 2:
        return X
    converted = X.tocsr()
    check_structure(converted, name)
    return converted


def check_structure(X: Any, name: str = "X") -> None:
    """Raise a ValueError where the arrays of a sparse matrix contradict each other or its shape."""
    try:
        match X.format:
            case "csr" | "csc":
                _check_compressed(X)
            case "coo":
                _check_coordinates(X)
            case "dia":
                _check_diagonals(X)
            case "bsr":
                X.copy().check_format(full_check=True)
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(
            f"{name} is damaged, not a valid {X.format.upper()} matrix: {error}. Make it anew from its "
            "entries, for example with scipy.sparse.coo_array."
        ) from error


def _check_compressed(X: Any) -> None:
    data, indices, starts = X.data, X.indices, X.indptr
    rows, columns = X.shape if X.format == "csr" else X.shape[::-1]
    if data.ndim != 1 or indices.ndim != 1 or starts.shape != (rows + 1,):
        raise ValueError(f"indptr has {starts.size} entries, but there should be {rows + 1}")
    if data.size != indices.size:
        raise ValueError(f"data has {data.size} entries and indices has {indices.size}")
    if starts[0] != 0 or not 0 <= starts[-1] <= data.size:
        raise ValueError(f"indptr goes from {starts[0]} to {starts[-1]}, but there are {data.size} entries")
    if rows and (starts[1:] < starts[:-1]).any():
        raise ValueError(f"indptr decreases after row {int(np.argmax(starts[1:] < starts[:-1]))}")
    _check_range(indices[: starts[-1]], columns, "indices")


def _check_coordinates(X: Any) -> None:
    for axis, (size, places) in enumerate(zip(X.shape, X.coords, strict=True)):
        if places.shape != X.data.shape or X.data.ndim != 1:
            raise ValueError(f"data has {X.data.size} entries and coords[{axis}] has {places.size}")
        _check_range(places, size, f"coords[{axis}]")


def _check_diagonals(X: Any) -> None:
    if X.data.ndim != 2 or X.offsets.shape != X.data.shape[:1]:
        raise ValueError(f"data has the shape {X.data.shape} and there are {X.offsets.size} offsets")
    if X.offsets.dtype.kind != "i" or np.unique(X.offsets).size != X.offsets.size:
        raise ValueError("offsets are not different whole numbers")


def _check_range(places: Anything, size: int, name: str) -> None:
    """Raise unless all places are from 0 to below `size`."""
    if places.dtype.kind != "i":
        raise ValueError(f"{name} holds {places.dtype}, not whole numbers")
    # Negative numbers are large unsigned ones: one sweep.
    if places.size and int(places.view(f"u{places.itemsize}").max()) >= size:
        wrong = int(places[(places < 0) | (places >= size)][0])
        raise ValueError(f"{name} holds {wrong}, but must be from 0 to {size - 1}")


def check_finite(X: Any, names: Any = None) -> None:
    """Raise a ValueError that names the first place where X is NaN or infinite; columns may have names."""
    values = X.data if is_sparse(X) else X
    if values.size <= FEW and np.isfinite(values).all():
        return
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(np.sum(values)):  # one sweep, no temporary: the usual case
            return
    where = _first(~np.isfinite(values))
    if where is None:
        return
    row, column = _place(X, where)
    if np.isnan(values[where]):
        name, remedy = "NaN", "Fill or drop such rows first, for example with sklearn.impute.SimpleImputer."
    else:
        name = "infinity"
        remedy = "Drop such rows, or bound the values first, for example with numpy.clip(X, -1e6, 1e6)."
    place = column if names is None else repr(str(names[column]))
    raise ValueError(f"X contains {name} (row {row}, column {place}). {remedy}")


def check_non_negative(X: Any) -> None:
    """Raise a ValueError that names the first negative entry of X."""
    values = X.data if is_sparse(X) else X
    if values.size and values.min() < 0:
        where = _first(values < 0)
        assert where is not None
        row, column = _place(X, where)
        raise ValueError(
            f"Negative values in data passed to Winnow: {values[where]} in row {row}, column {column}. Its "
            "weights are multiplied by promotion**x, so features must be counts or indicators: try "
            "sklearn.preprocessing.MinMaxScaler(clip=True), or give the negative part columns of its own."
        )


def _first(flags: Anything) -> tuple[int, ...] | None:
    """Return the index of the first flag that is set."""
    flat = int(np.argmax(flags)) if flags.size else 0
    if not (flags.size and flags.flat[flat]):
        return None
    return tuple(int(i) for i in np.unravel_index(flat, flags.shape))


def _place(X: Any, where: tuple[int, ...]) -> tuple[int, int]:
    """Return the row and column of an entry of X, or of the data of a sparse X."""
    if not is_sparse(X):
        return where[0], where[1]
    return int(np.searchsorted(X.indptr, where[0], "right")) - 1, int(X.indices[where[0]])


def check_labels(y: Any) -> None:
    """Raise if a label is missing, or if labels mix text and numbers, which NumPy would make all text."""
    if isinstance(y, np.ma.MaskedArray) and (hidden := _first(np.ma.getmaskarray(y))) is not None:
        raise ValueError(f"y is masked in row {hidden[0]}: drop the rows without a label.")
    if getattr(y, "ndim", 1) == 2 and y.shape[1] == 1:  # a data frame of one column
        y = np.asarray(y)[:, 0]
    if isinstance(y, np.ndarray) and y.dtype != object:
        if y.dtype.kind not in "fcmM":
            return
        name, missing = ("NaT", _first(np.isnat(y))) if y.dtype.kind in "mM" else ("NaN", _first(np.isnan(y)))
        if missing is not None:
            raise ValueError(f"y holds {name} in row {missing[0]}: drop the rows without a label.")
        return
    if not isinstance(y, Iterable) or getattr(y, "ndim", 1) != 1:
        return
    kinds: dict[str, int] = {}
    for row, label in enumerate(y):
        if _is_missing(label):
            raise ValueError(f"y holds {label} in row {row}: drop the rows without a label.")
        kind = "text" if isinstance(label, str | bytes) else "numbers" if np.isscalar(label) else "other"
        kinds.setdefault(kind, row)
    if "text" in kinds and "numbers" in kinds:
        raise ValueError(
            f"y mixes text and numbers (text in row {kinds['text']}, a number in row {kinds['numbers']}): "
            "give all labels the same type, for example with [str(label) for label in y]."
        )
    if "numbers" in kinds:
        _check_exact(y)


def _check_exact(y: Any) -> None:
    """Raise if NumPy would round a whole number: of small ones and one beyond int64 it makes float64."""
    array = np.asarray(y)
    if array.dtype.kind != "f" or not (np.abs(array) > LARGEST_EXACT).any():
        return
    for row, (label, number) in enumerate(zip(y, array.tolist(), strict=True)):
        if abs(number) > LARGEST_EXACT and np.asarray(label).item() != number:
            raise ValueError(
                f"y holds {label} in row {row}, which NumPy would round to {number!r}: give an array of "
                "whole numbers, such as np.array(y, dtype=np.uint64), or text."
            )


def _is_missing(label: Any) -> bool:
    """Return whether a label is None, or NaN, NaT or pandas.NA, none of which is equal to itself."""
    if label is None:
        return True
    try:
        return bool(label != label)  # noqa: PLR0124 - NaN is not equal to itself
    except TypeError:  # of pandas.NA
        return True
    except ValueError:  # of an array, which is refused later
        return False


def check_sample_weight(weight: Any, n: int) -> Floats | None:
    """Return one finite, non-negative weight per row as float64, or None if there are none."""
    if weight is None:
        return None
    array = np.asarray(weight, dtype=np.float64)
    if array.ndim == 0:
        array = np.full(n, array)
    if array.shape != (n,):
        raise ValueError(
            f"sample_weight has the shape {array.shape}, but X has {n} rows: give one weight a row."
        )
    bad = _first(~(np.isfinite(array) & (array >= 0)))
    if bad is not None:
        raise ValueError(f"sample_weight[{bad[0]}] is {array[bad]}: weights must be finite and at least 0.")
    if n and not array.any():
        raise ValueError("sample_weight is zero for every row: there is nothing to learn from.")
    return array
