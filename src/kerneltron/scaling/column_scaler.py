"""The one scaler: what brings the columns of rows to one scale, as they come or once they are counted."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, Self

import numpy as np

from kerneltron._bounds import check_places, check_rows
from kerneltron._matrices import as_rows, frozen
from kerneltron._process_lock import process_lock
from kerneltron._types import Dense, Entries, Floats, Integers, Rows, Scaling, Sparse
from kerneltron._validate import is_sparse, rows_of
from kerneltron.engine.outliers import AGAIN, LARGE, limit_entries
from kerneltron.engine.running_scales import (
    CENTRED,
    LENGTHS,
    ROWS,
    Scales,
    scale_dense,
    scale_sparse,
    work_out_all,
)
from kerneltron.engine.scaled_twice import scale_dense_twice, scale_sparse_twice
from kerneltron.engine.scaling import add_and_scale_rows, add_rows, scale_entries
from kerneltron.scaling.column_table import Before, ColumnTable
from kerneltron.scaling.moments import Moments
from kerneltron.scaling.moments import joined as join_moments

ENTRIES = 2**17  # scaled numbers that are made at a time: they stay in the cache until they are learned from
AT_ONCE = 2**22  # numbers of a matrix of which copies are made at a time
BY_COLUMN = ("counts", "means", "squares", "centres", "factors")
# Of rows whose entries that are not there are 0, and of rows in which they are unknown.
ABSENT_IS_ZERO, ABSENT_IS_UNKNOWN = Scaling(True, True), Scaling(False, True)


class ColumnScaler:
    """Brings the columns of rows to one scale: an entry x of column j becomes (x - c_j) f_j.

    Which c and f follow from the moments of a column, `engine.scaling.centre_and_factor` says. Outliers count
    for less, and are limited in rows to be learned from: see `engine.outliers`. Rows are counted in one of
    two ways. `count` only counts; c and f are then those of all rows so far. `scaled(..., counts=True)` also
    scales each row by those up to and including it, and divides it by the root of the mean squared length so
    far: see `engine.running_scales`. Both can be cut into calls without a trace, to the last bit.

    Parameters
    ----------
    width
        Number of columns.
    scaling
        What absent entries mean, and whether columns are centred. Without a constant feature a vector for
        centred rows has no counterpart for raw ones.
    unit_rows
        Whether rows are brought to length 1 behind that, as suits texts: a column of large numbers then takes
        no more of a row than another one.

    Examples
    --------
    >>> scaler = ColumnScaler(2)
    >>> X = np.array([[1000.0, 0.0], [3000.0, 0.0], [2000.0, 5.0]])
    >>> scaler.count(X)
    >>> scaler.matrix(X).round(2)
    array([[-1.22,  0.  ],
           [ 1.22,  0.  ],
           [ 0.  ,  1.  ]])
    >>> rows = Dense(X.reshape(-1), 2, 1.0)
    >>> scaled = ColumnScaler(2).scaled(rows, np.arange(3), np.dtype("f8"), counts=True)
    >>> scaled.values.reshape(-1, 2).round(2)
    array([[0.  , 0.  ],
           [1.41, 0.  ],
           [0.  , 1.22]])
    """

    def __init__(self, width: int, scaling: Scaling = ABSENT_IS_ZERO, unit_rows: bool = False) -> None:
        self.scaling, self.unit_rows = scaling, unit_rows
        self._table = ColumnTable.blank(width)
        self._is_stale = not scaling.absent_is_zero or scaling.is_standard  # what is in use
        self._lock = process_lock()  # any number of threads may scale rows to be predicted

    @property
    def width(self) -> int:
        """Number of columns."""
        return self._table.scales.centres.size

    @property
    def rows(self) -> float:
        """How many rows were counted."""
        return float(self._table.scales.numbers[ROWS])

    @property
    def moments(self) -> Moments:
        """Count, mean and squares of the entries of each column."""
        return Moments.of(self.rows, *self._table.scales.moments)

    @property
    def is_by_row(self) -> bool:
        """Whether rows were scaled as they were counted: then what is in use is that of some rows ago."""
        return bool(self._table.scales.numbers[LENGTHS] > 0.0)

    def known(self) -> tuple[dict[str, Floats], list[float]]:
        """Return all that has to be kept: arrays with a number per column, and numbers."""
        self._see_to_use()
        scales = self._table.scales
        arrays = (*scales.moments, scales.centres, scales.factors)
        return dict(zip(BY_COLUMN, arrays, strict=True)), scales.numbers[:CENTRED].tolist()

    @classmethod
    def of(
        cls, arrays: dict[str, Any], numbers: list[float], scaling: Scaling, unit_rows: bool = False
    ) -> Self:
        """Return the scaler that `known` described; without factors, with those of all its rows."""
        scaler = cls(0, scaling, unit_rows)
        counts, means, squares = (arrays[name] for name in BY_COLUMN[:3])
        nothing = np.zeros(counts.size)
        in_use, factors = arrays.get("centres", nothing), arrays.get("factors", nothing)
        table = np.stack([counts, means, squares, factors], axis=1)
        scaler._table = ColumnTable(table, in_use.copy(), np.array([*numbers, 0.0]))
        scaler._is_stale = "factors" not in arrays
        return scaler

    @classmethod
    def of_moments(cls, moments: Moments, scaling: Scaling, unit_rows: bool = False) -> Self:
        """Return the scaler that has counted the rows of these moments."""
        arrays = dict(zip(BY_COLUMN[:3], moments.by_column, strict=True))
        return cls.of(arrays, [moments.total, 0.0], scaling, unit_rows)

    # -- counting ------------------------------------------------------------------------------------

    def count(self, X: Any, weights: Floats | None = None) -> None:
        """Count the rows of a matrix, dense or CSR without repeated entries; each counts 1, or its weight."""
        self.count_rows(as_rows(X, 0.0), np.ones(X.shape[0]) if weights is None else weights)

    def count_all(self, X: Any) -> None:
        """Count all rows of a matrix, which are there at once: twice, the second time with outliers limited.

        The first time they are counted in another order than theirs, as the first ones may be alike, and
        outliers are found; the second time an entry counts as it is learned from. So moments are those of the
        rows as they are, but for outliers, of which there may be several.
        """
        first, exact = self.blank(), type(self)(self.width, self.scaling._replace(is_robust=False))
        order = np.random.default_rng(0).permutation(X.shape[0])
        size = max(1, AT_ONCE * order.size // max(1, X.nnz if is_sparse(X) else X.size))
        for start in range(0, order.size, size):
            first.count(rows_of(X, order[start : start + size]))
        for start in range(0, order.size, size):
            exact.count(first._limited(X[start : start + size]))
        self._table, self._is_stale = exact._table, True

    def _limited(self, X: Any) -> Any:
        """Return the rows of a matrix in the units that they have, with entries limited."""
        centres, factors = self.centres_and_factors()
        counted = self._table.scales.moments.weights
        reach = np.full(self.width, np.inf)
        np.divide(np.maximum(LARGE, np.sqrt(counted / AGAIN)), factors, out=reach, where=factors > 0)
        low, high = centres - reach, centres + reach
        if isinstance(X, np.ndarray):
            limited = np.clip(X, low, high)
            limited[X == 0] = 0.0
            return limited.astype(X.dtype, copy=False)
        return _with_entries(X, np.clip(X.data, low[X.indices], high[X.indices]).astype(X.dtype, copy=False))

    def count_rows(self, rows: Rows, weights: Floats) -> None:
        """Count rows as compiled functions take them; one of weight 0 does not exist."""
        entries = self._entries_of(rows, weights)
        numbers = self._table.scales.numbers
        moments = self._table.scales.moments
        numbers[ROWS] = add_rows(entries, moments, float(numbers[ROWS]), self.scaling)
        if not moments.squares.max(initial=0.0) < np.inf:
            column = int(np.flatnonzero(~np.isfinite(moments.squares))[0])
            raise ValueError(
                f"column {column} holds a number whose square is beyond what float64 can hold: scale the "
                "rows down, or bound it."
            )
        self._is_stale = True
        self._table.forget_list()

    def count_and_scale(self, X: Any, weights: Floats) -> Any:
        """Count the rows of a matrix; return each scaled by what was counted up to and including it."""
        entries = self._entries_of(as_rows(X, 0.0), weights)
        scaled, numbers = np.empty(entries.values.size, X.dtype), self._table.scales.numbers
        numbers[ROWS] = add_and_scale_rows(
            entries, self._table.scales.moments, float(numbers[ROWS]), self.scaling, scaled
        )
        self._is_stale = True
        return self._finished(_with_entries(X, scaled))

    def _entries_of(self, rows: Rows, weights: Floats) -> Entries:
        count = check_rows(rows, self.width)
        if weights.size != count:
            raise ValueError(f"there are {count} rows, and {weights.size} weights.")
        self._table.lay_out("F")
        if isinstance(rows, Dense):
            starts = np.arange(count + 1, dtype=np.int64) * rows.width
            indices = frozen(np.empty(0, np.int64), np.int64)
            return Entries(rows.values, indices, frozen(starts, np.int64), frozen(weights, np.float64))
        return Entries(rows.values, rows.indices, rows.starts, frozen(weights, np.float64))

    def _see_to_use(self) -> None:
        """Work out centres and factors from the moments, if rows were counted since."""
        with self._lock:
            self._work_out()

    def _work_out(self) -> None:
        if self._is_stale:
            self._table.lay_out("F")
            work_out_all(self._table.scales, self.scaling)
            self._is_stale = False

    def _in_use(self, order: Literal["C", "F"]) -> Scales:
        """Return what rows are scaled by, laid out in this way: see `ColumnTable.lay_out`."""
        with self._lock:
            self._work_out()
            self._table.lay_out(order)
            return self._table.scales

    # -- rows that are counted in the meantime -------------------------------------------------------

    def scaled(self, rows: Rows, order: Integers, dtype: Any, counts: bool, limits: bool = True) -> Rows:
        """Return the rows `order`, scaled; where it `counts`, each by the rows up to and including it.

        Entries far from all others of their column have `limits` in rows to be learned from, and none in rows
        whose scores are those of a prediction.
        """
        check_places(order, check_rows(rows, self.width))
        scaled = self._scaled(rows, order, dtype, counts, limits)
        self._check_lengths()
        return scaled

    def _check_lengths(self) -> None:
        if not np.isfinite(self._table.scales.numbers[LENGTHS]):
            raise ValueError(
                "the square of a number in a column grew beyond what float64 can hold: scale the rows down."
            )

    def _scaled(self, rows: Rows, order: Integers, dtype: Any, counts: bool, limits: bool) -> Rows:
        if isinstance(rows, Dense):
            values = np.empty(order.size * rows.width, dtype)
            scale_dense(rows, order, self._in_use("F"), counts, limits, self.scaling, values)
            self._table.forget_list(counts)
            return Dense(frozen(values, dtype), rows.width, rows.bias)
        places = rows.indices.dtype
        with self._lock:
            self._work_out()
            self._table.lay_out("C")
            scaled, scales = self._table.room_for(rows, order, dtype, counts), self._table.scales
        if not counts:  # other threads may do the same
            scales = scales._replace(seen=np.empty_like(scales.seen))
        scale_sparse(rows, order, scales, counts, limits, self.scaling, scaled)
        end = int(scaled.starts[-1])
        return scaled._replace(
            values=frozen(scaled.values[:end], dtype),
            indices=frozen(scaled.indices[:end], places),
            starts=frozen(scaled.starts, places),
        )

    def scaled_twice(self, rows: Rows, order: Integers, dtype: Any, counts: bool) -> Rows:
        """Return the rows `order` as `scaled` does, and behind them once more, each by the rows before it."""
        check_places(order, check_rows(rows, self.width))
        scaled: Rows
        scales = self._in_use("F" if isinstance(rows, Dense) else "C")
        if isinstance(rows, Dense):
            values = np.empty(2 * order.size * rows.width, dtype)
            scale_dense_twice(rows, order, scales, counts, self.scaling, values)
            self._table.forget_list(counts)
            scaled = Dense(frozen(values, dtype), rows.width, rows.bias)
        else:
            scaled = self._sparse_twice(rows, order, dtype, counts)
        self._check_lengths()
        return scaled

    def _sparse_twice(self, rows: Sparse, order: Integers, dtype: Any, counts: bool) -> Sparse:
        after = self._table.room_for(rows, order, dtype, counts)
        before = after._replace(
            values=np.empty_like(after.values),
            indices=np.empty_like(after.indices),
            starts=np.empty_like(after.starts),
        )
        bounds = np.empty(2, rows.indices.dtype)
        scale_sparse_twice(rows, order, self._table.scales, counts, self.scaling, after, before, bounds)
        ends = int(after.starts[-1]), int(before.starts[-1])
        values, indices = (
            np.concatenate([mine[: ends[0]], theirs[: ends[1]]])
            for mine, theirs in zip(after[:2], before[:2], strict=True)
        )
        starts = np.concatenate([after.starts, before.starts[1:] + after.starts.dtype.type(ends[0])])
        places = rows.indices.dtype
        return after._replace(
            values=frozen(values, dtype), indices=frozen(indices, places), starts=frozen(starts, places)
        )

    def room(self, rows: Rows) -> int:
        """Return how many numbers all rows have, as they are scaled now."""
        if isinstance(rows, Dense):
            return rows.values.size
        return rows.values.size + (rows.starts.size - 1) * int(np.count_nonzero(self._table.scales.centres))

    def count_visits(self, rows: Rows, order: Integers) -> None:
        """Count the rows `order` as `scaled` does, their lengths too, and do nothing else with them."""
        for part in blocks(rows, order.size):
            self.scaled(rows, order[part], rows.values.dtype, counts=True)

    # -- rows and vectors, by what was counted -------------------------------------------------------

    def centres_and_factors(self) -> tuple[Floats, Floats]:
        """Return c and f for each column."""
        self._see_to_use()
        numbers = self._table.scales.numbers
        unit = np.sqrt(numbers[ROWS] / numbers[LENGTHS]) if numbers[LENGTHS] > 0 else 1.0
        return self._table.scales.centres, self._table.scales.factors * unit

    def matrix(self, X: Any, limits: bool = False) -> Any:
        """Return the rows of a matrix, scaled: as they are predicted or, with `limits`, learned from.

        Sparse rows get entries for the centred columns that they lack, if absent entries are 0.
        """
        rows = as_rows(X, 0.0)
        check_rows(rows, self.width)
        if not isinstance(rows, Dense) and (not self.scaling.absent_is_zero or self.scaling.is_standard):
            return _with_entries(X, self.entries(rows, X.dtype, limits))  # of length 1, if they are to be
        scaled = self.scaled(rows, np.arange(X.shape[0]), X.dtype, counts=False, limits=limits)
        if isinstance(scaled, Dense):
            return self._finished(scaled.values.reshape(X.shape))
        matrix = type(X)((scaled.values, scaled.indices, scaled.starts), shape=X.shape, copy=True)
        matrix.sort_indices()
        return self._finished(matrix)

    def _finished(self, X: Any) -> Any:
        """Return scaled rows, of length 1 if they are to be."""
        if not self.unit_rows:
            return X
        if isinstance(X, np.ndarray):
            lengths = np.linalg.norm(X.astype(np.float64), axis=1, keepdims=True)
            return (X / np.where(lengths > 0, lengths, 1.0)).astype(X.dtype, copy=False)
        return _with_entries(X, _of_length_1(X.data, X.indptr))

    def unscaled_matrix(self, X: Any) -> Any:
        """Return the rows whose scaled rows are X; those of columns with the factor 0 are at the centre."""
        rows = as_rows(X, 0.0)
        check_rows(rows, self.width)
        centres, factors = self.centres_and_factors()
        inverse = np.divide(1.0, factors, out=np.zeros_like(factors), where=factors != 0)
        if isinstance(rows, Dense):
            return (X * inverse + centres).astype(X.dtype, copy=False)
        values = rows.values * inverse[rows.indices] + centres[rows.indices]
        return _with_entries(X, values.astype(X.dtype, copy=False))

    def entries(self, rows: Sparse, dtype: Any, limits: bool = False) -> Floats:
        """Return the entries of rows, scaled: as they are predicted or, with `limits`, learned from."""
        check_rows(rows, self.width)
        scaled, columns, scales = np.empty(rows.values.size, dtype), rows.indices, self._in_use("F")
        scale_entries(rows.values, columns, scales.centres, scales.factors, scaled)
        if limits:
            limit_entries(scaled, columns, scales.moments.weights)
        return _of_length_1(scaled, rows.starts) if self.unit_rows else scaled

    def unscaled(self, vectors: Floats, bias: float) -> Floats:
        """Return vectors for raw rows that score as `vectors`, whose last row is the constant, do scaled."""
        found = vectors.astype(np.float64)
        centres, factors = self.centres_and_factors()
        found[:-1] *= factors[:, None]
        if self.scaling.centres:
            found[-1] -= centres @ found[:-1] / bias
        return found.astype(vectors.dtype)

    # -- undoing, copies and joining -----------------------------------------------------------------

    def before(self, rows: Rows) -> Before:
        """Return what visits to these rows may change."""
        check_rows(rows, self.width)
        self._see_to_use()
        return self._table.before(rows)

    def restore(self, before: Before) -> None:
        """Become again what it was."""
        self._table.restore(before)

    def copy(self) -> Self:
        """Return an independent copy."""
        other = type(self)(0, self.scaling, self.unit_rows)
        with self._lock:
            other._table, other._is_stale = self._table.copy(), self._is_stale
        return other

    def blank(self) -> Self:
        """Return a scaler of the same kind that has counted nothing."""
        return type(self)(self.width, self.scaling, self.unit_rows)

    def __getstate__(self) -> tuple[Any, ...]:
        """Return what moves between processes: the columns that had entries."""
        arrays, numbers = self.known()
        there = np.flatnonzero(arrays["counts"])
        names = BY_COLUMN if self.is_by_row else BY_COLUMN[:3]
        kind = self.scaling, self.unit_rows
        return kind, numbers, self.width, there, {name: arrays[name][there] for name in names}

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        kind, numbers, width, there, values = state
        arrays = {name: np.zeros(width) for name in values}
        for name, own in values.items():
            arrays[name][there] = own
        vars(self).update(vars(type(self).of(arrays, numbers, *kind)))


def joined(parts: Sequence[ColumnScaler], base: ColumnScaler | None = None) -> ColumnScaler:
    """Return the scaler of the rows of all parts; those of a base, which each of them has, count once.

    Counts, means and squares are those of all rows (see `moments.joined`). Squared lengths add up: each row
    has the one that it was visited with.
    """
    of_all = join_moments([part.moments for part in parts], None if base is None else base.moments)
    terms = [(part, 1.0) for part in parts]
    if base is not None:
        terms.append((base, 1.0 - len(parts)))
    found = ColumnScaler.of_moments(of_all, parts[0].scaling, parts[0].unit_rows)
    lengths = sum(sign * part._table.scales.numbers[LENGTHS] for part, sign in terms)
    found._table.scales.numbers[LENGTHS] = max(0.0, lengths)
    return found


def _of_length_1(values: Floats, starts: Integers) -> Floats:
    """Return the entries of rows that are brought to length 1, but for rows of length 0."""
    counts = np.diff(starts)
    squares = np.square(values, dtype=np.float64)
    lengths = np.zeros(counts.size)
    lengths[counts > 0] = np.sqrt(np.add.reduceat(squares, starts[:-1][counts > 0])) if values.size else 0.0
    lengths[lengths == 0] = 1.0
    return np.asarray(values / np.repeat(lengths, counts), values.dtype)


def _with_entries(X: Any, values: Floats) -> Any:
    """Return a matrix with the shape and the structure of X, and other entries."""
    if isinstance(X, np.ndarray):
        return values.reshape(X.shape)
    return type(X)((values, X.indices.copy(), X.indptr.copy()), shape=X.shape)


def blocks(rows: Rows, visits: int) -> Iterator[slice]:
    """Yield pieces of this many visits to rows, whose scaled rows fit into memory together."""
    width = rows.width if isinstance(rows, Dense) else rows.values.size // max(1, rows.starts.size - 1)
    size = max(1, ENTRIES // max(width, 1))
    return (slice(first, min(first + size, visits)) for first in range(0, visits, size))
