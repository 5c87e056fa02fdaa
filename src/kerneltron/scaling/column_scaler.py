"""The one scaler: what brings the columns of rows to one scale, as they come or once they are counted."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from kerneltron._bounds import check_places, check_rows
from kerneltron._matrices import as_rows, frozen
from kerneltron._types import Anything, ColumnMoments, Dense, Entries, Floats, Integers, Rows, Scaling, Sparse
from kerneltron._validate import rows_of
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
from kerneltron.scaling.moments import Moments
from kerneltron.scaling.moments import joined as join_moments

ENTRIES = 2**17  # scaled numbers that are made at a time: they stay in the cache until they are learned from
SORTING = 8  # finding the columns that occur takes as long, per entry, as copying this many
BY_COLUMN = ("counts", "means", "squares", "centres", "factors")
NO_LIST: dict[str, Any] = {name: np.zeros(0, np.int64) for name in ("listed", "places", "seen")}
# Of rows whose entries that are not there are 0, and of rows in which they are unknown.
ABSENT_IS_ZERO, ABSENT_IS_UNKNOWN = Scaling(True, True), Scaling(False, True)


class Before(NamedTuple):
    """What scales were before a call: those of some columns, or of all for None."""

    columns: Integers | None
    table: Floats
    centres: Floats
    numbers: Floats


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

    def __init__(self, width: int, scaling: Scaling = ABSENT_IS_ZERO) -> None:
        self.scaling = scaling
        self._hold(np.zeros((width, 4)), np.zeros(width), np.zeros(3))
        self._is_stale = not scaling.absent_is_zero or scaling.is_standard  # what is in use

    def _hold(self, table: Floats, centres: Floats, numbers: Floats) -> None:
        """Take these arrays: a row of the table has the count, mean, squares and factor of a column."""
        self._table = table
        counts, means, squares, factors = table.T
        self._scales = Scales(
            ColumnMoments(counts, means, squares), centres, factors, **NO_LIST, numbers=numbers
        )
        self._entries = 0.0  # at least as many as were counted, where there is a list of centred columns
        self._is_stale = False

    def _lay_out(self, order: Literal["C", "F"]) -> None:
        """See to a table in which columns lie side by side, or what is known of a column does."""
        if not self._table.flags[order]:
            entries, scales = self._entries, self._scales
            is_stale = self._is_stale
            self._hold(np.array(self._table, order=order), scales.centres, scales.numbers)
            lists = {name: getattr(scales, name) for name in NO_LIST}
            self._scales, self._entries = self._scales._replace(**lists), entries
            self._is_stale = is_stale

    @property
    def width(self) -> int:
        """Number of columns."""
        return self._scales.centres.size

    @property
    def rows(self) -> float:
        """How many rows were counted."""
        return float(self._scales.numbers[ROWS])

    @property
    def moments(self) -> Moments:
        """Count, mean and squares of the entries of each column."""
        return Moments.of(self.rows, *self._scales.moments)

    @property
    def is_by_row(self) -> bool:
        """Whether rows were scaled as they were counted: then what is in use is that of some rows ago."""
        return bool(self._scales.numbers[LENGTHS] > 0.0)

    def known(self) -> tuple[dict[str, Floats], list[float]]:
        """Return all that has to be kept: arrays with a number per column, and numbers."""
        self._see_to_use()
        scales = self._scales
        arrays = (*scales.moments, scales.centres, scales.factors)
        return dict(zip(BY_COLUMN, arrays, strict=True)), scales.numbers[:CENTRED].tolist()

    @classmethod
    def of(cls, arrays: dict[str, Any], numbers: list[float], scaling: Scaling) -> Self:
        """Return the scaler that `known` described; without factors, with those of all its rows."""
        scaler = cls(0, scaling)
        counts, means, squares = (arrays[name] for name in BY_COLUMN[:3])
        nothing = np.zeros(counts.size)
        in_use, factors = arrays.get("centres", nothing), arrays.get("factors", nothing)
        table = np.stack([counts, means, squares, factors], axis=1)
        scaler._hold(table, in_use.copy(), np.array([*numbers, 0.0]))
        scaler._is_stale = "factors" not in arrays
        return scaler

    @classmethod
    def of_moments(cls, moments: Moments, scaling: Scaling) -> Self:
        """Return the scaler that has counted the rows of these moments."""
        arrays = dict(zip(BY_COLUMN[:3], moments.by_column, strict=True))
        return cls.of(arrays, [moments.total, 0.0], scaling)

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
        first = self.blank()
        first.count(rows_of(X, np.random.default_rng(0).permutation(X.shape[0])))
        exact = type(self)(self.width, self.scaling._replace(is_robust=False))
        exact.count(first._limited(X))
        self._hold(exact._table, exact._scales.centres, exact._scales.numbers)
        self._is_stale = True

    def _limited(self, X: Any) -> Any:
        """Return the rows of a matrix in the units that they have, with entries limited."""
        centres, factors = self.centres_and_factors()
        counted = self._scales.moments.weights
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
        numbers = self._scales.numbers
        numbers[ROWS] = add_rows(entries, self._scales.moments, float(numbers[ROWS]), self.scaling)
        self._is_stale = True
        self._forget_list()

    def count_and_scale(self, X: Any, weights: Floats) -> Any:
        """Count the rows of a matrix; return each scaled by what was counted up to and including it."""
        entries = self._entries_of(as_rows(X, 0.0), weights)
        scaled, numbers = np.empty(entries.values.size, X.dtype), self._scales.numbers
        numbers[ROWS] = add_and_scale_rows(
            entries, self._scales.moments, float(numbers[ROWS]), self.scaling, scaled
        )
        self._is_stale = True
        return _with_entries(X, scaled)

    def _entries_of(self, rows: Rows, weights: Floats) -> Entries:
        count = check_rows(rows, self.width)
        if weights.size != count:
            raise ValueError(f"there are {count} rows, and {weights.size} weights.")
        self._lay_out("F")
        if isinstance(rows, Dense):
            starts = np.arange(count + 1, dtype=np.int64) * rows.width
            indices = frozen(np.empty(0, np.int64), np.int64)
            return Entries(rows.values, indices, frozen(starts, np.int64), frozen(weights, np.float64))
        return Entries(rows.values, rows.indices, rows.starts, frozen(weights, np.float64))

    def _see_to_use(self) -> None:
        """Work out centres and factors from the moments, if rows were counted since."""
        if self._is_stale:
            self._lay_out("F")
            work_out_all(self._scales, self.scaling)
            self._is_stale = False

    # -- rows that are counted in the meantime -------------------------------------------------------

    def scaled(self, rows: Rows, order: Integers, dtype: Any, counts: bool, limits: bool = True) -> Rows:
        """Return the rows `order`, scaled; where it `counts`, each by the rows up to and including it.

        Entries far from all others of their column have `limits` in rows to be learned from, and none in rows
        whose scores are those of a prediction.
        """
        check_places(order, check_rows(rows, self.width))
        self._see_to_use()
        scaled = self._scaled(rows, order, dtype, counts, limits)
        self._check_lengths()
        return scaled

    def _check_lengths(self) -> None:
        if not np.isfinite(self._scales.numbers[LENGTHS]):
            raise ValueError(
                "the square of a number in a column grew beyond what float64 can hold: scale the rows down."
            )

    def _scaled(self, rows: Rows, order: Integers, dtype: Any, counts: bool, limits: bool) -> Rows:
        self._lay_out("F" if isinstance(rows, Dense) else "C")
        if isinstance(rows, Dense):
            values = np.empty(order.size * rows.width, dtype)
            scale_dense(rows, order, self._scales, counts, limits, self.scaling, values)
            self._forget_list(counts)
            return Dense(frozen(values, dtype), rows.width, rows.bias)
        scaled, places = self._room_for(rows, order, dtype, counts), rows.indices.dtype
        scale_sparse(rows, order, self._scales, counts, limits, self.scaling, scaled)
        end = int(scaled.starts[-1])
        return scaled._replace(
            values=frozen(scaled.values[:end], dtype),
            indices=frozen(scaled.indices[:end], places),
            starts=frozen(scaled.starts, places),
        )

    def scaled_twice(self, rows: Rows, order: Integers, dtype: Any, counts: bool) -> Rows:
        """Return the rows `order` as `scaled` does, and behind them once more, each by the rows before it."""
        check_places(order, check_rows(rows, self.width))
        self._see_to_use()
        self._lay_out("F" if isinstance(rows, Dense) else "C")
        scaled: Rows
        if isinstance(rows, Dense):
            values = np.empty(2 * order.size * rows.width, dtype)
            scale_dense_twice(rows, order, self._scales, counts, self.scaling, values)
            self._forget_list(counts)
            scaled = Dense(frozen(values, dtype), rows.width, rows.bias)
        else:
            scaled = self._sparse_twice(rows, order, dtype, counts)
        self._check_lengths()
        return scaled

    def _sparse_twice(self, rows: Sparse, order: Integers, dtype: Any, counts: bool) -> Sparse:
        after = self._room_for(rows, order, dtype, counts)
        before = after._replace(
            values=np.empty_like(after.values),
            indices=np.empty_like(after.indices),
            starts=np.empty_like(after.starts),
        )
        bounds = np.empty(2, rows.indices.dtype)
        scale_sparse_twice(rows, order, self._scales, counts, self.scaling, after, before, bounds)
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

    def _room_for(self, rows: Sparse, order: Integers, dtype: Any, counts: bool) -> Sparse:
        """Return room for the scaled rows, and see to that in the list of centred columns."""
        lengths = rows.starts[order + 1] - rows.starts[order]
        centred = self._most_centred(lengths, counts)
        self._make_room(int(centred.max(initial=0)) + int(lengths.max(initial=0)))
        most, places = int(lengths.sum() + centred.sum()), rows.indices.dtype
        values, indices = np.empty(most, dtype), np.empty(most, places)
        return Sparse(values, indices, np.empty(order.size + 1, places), rows.width, rows.bias)

    def room(self, rows: Rows) -> int:
        """Return how many numbers all rows have, as they are scaled now."""
        if isinstance(rows, Dense):
            return rows.values.size
        return rows.values.size + (rows.starts.size - 1) * int(np.count_nonzero(self._scales.centres))

    def _forget_list(self, is_outdated: bool = True) -> None:
        """Let the list of centred columns be made anew, by the next sparse rows."""
        if is_outdated and self._scales.places.size:
            self._scales = self._scales._replace(**NO_LIST)

    def _see_to_list(self) -> None:
        """Make the list of centred columns, which only sparse rows need, unless it is there."""
        scales = self._scales
        if not scales.places.size:
            listed = np.flatnonzero(scales.centres)
            places = np.full(scales.centres.size, -1, np.int64)
            places[listed] = np.arange(listed.size)
            scales.numbers[CENTRED], self._entries = listed.size, float(scales.moments.weights.sum())
            self._scales = scales._replace(listed=listed, places=places, seen=np.full(listed.size, -1))

    def _most_centred(self, lengths: Integers, counts: bool) -> Integers:
        """Return how many columns can be centred at each visit.

        Those that are now, and those of which at least a third of the rows so far has each: half had it when
        they were worked out, and since then there are at most a quarter more.
        """
        self._see_to_list()
        numbers = self._scales.numbers
        if not counts:
            return np.full(lengths.size, int(numbers[CENTRED]))
        entries = self._entries + np.cumsum(lengths)
        self._entries += float(lengths.sum())
        rows = numbers[ROWS] + np.arange(1, lengths.size + 1)
        return np.asarray(numbers[CENTRED] + 3.0 * entries / rows, np.int64)

    def _make_room(self, centred: int) -> None:
        """See to room in the list of centred columns, for this many beside those in it."""
        scales, before = self._scales, int(self._scales.numbers[CENTRED])
        if scales.listed.size < before + centred:
            listed = np.zeros(before + centred, np.int64)
            listed[:before] = scales.listed[:before]
            self._scales = scales._replace(listed=listed, seen=np.full(listed.size, -1))

    def count_visits(self, rows: Rows, order: Integers) -> None:
        """Count the rows `order` as `scaled` does, their lengths too, and do nothing else with them."""
        for part in blocks(rows, order.size):
            self.scaled(rows, order[part], rows.values.dtype, counts=True)

    # -- rows and vectors, by what was counted -------------------------------------------------------

    def centres_and_factors(self) -> tuple[Floats, Floats]:
        """Return c and f for each column."""
        self._see_to_use()
        numbers = self._scales.numbers
        unit = np.sqrt(numbers[ROWS] / numbers[LENGTHS]) if numbers[LENGTHS] > 0 else 1.0
        return self._scales.centres, self._scales.factors * unit

    def matrix(self, X: Any, limits: bool = False) -> Any:
        """Return the rows of a matrix, scaled: as they are predicted or, with `limits`, learned from.

        Sparse rows get entries for the centred columns that they lack, if absent entries are 0.
        """
        rows = as_rows(X, 0.0)
        check_rows(rows, self.width)
        if not isinstance(rows, Dense) and (not self.scaling.absent_is_zero or self.scaling.is_standard):
            return _with_entries(X, self.entries(rows.values, rows.indices, X.dtype, limits))
        scaled = self.scaled(rows, np.arange(X.shape[0]), X.dtype, counts=False, limits=limits)
        if isinstance(scaled, Dense):
            return scaled.values.reshape(X.shape)
        matrix = type(X)((scaled.values, scaled.indices, scaled.starts), shape=X.shape, copy=True)
        matrix.sort_indices()
        return matrix

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

    def entries(self, values: Floats, columns: Anything, dtype: Any, limits: bool = False) -> Floats:
        """Return entries of these columns, scaled: as they are predicted or, with `limits`, learned from."""
        scaled, columns = np.empty(values.size, dtype), frozen(columns, columns.dtype)
        self._see_to_use()
        self._lay_out("F")
        scales = self._scales
        scale_entries(frozen(values, values.dtype), columns, scales.centres, scales.factors, scaled)
        if limits:
            limit_entries(scaled, columns, scales.moments.weights)
        return scaled

    def unscaled(self, vectors: Floats, bias: float) -> Floats:
        """Return vectors for raw rows that score as `vectors`, whose last row is the constant, do scaled."""
        found = vectors.astype(np.float64)
        centres, factors = self.centres_and_factors()
        found[:-1] *= factors[:, None]
        if self.scaling.centres:
            found[-1] -= centres @ found[:-1] / bias
        return found.astype(vectors.dtype)

    # -- undoing, copies and joining -----------------------------------------------------------------

    def before(self, rows: Rows) -> "Before":
        """Return what visits to these rows may change."""
        check_rows(rows, self.width)
        self._see_to_use()
        if not isinstance(rows, Dense):
            self._see_to_list()
        scales, columns = self._scales, None
        if not isinstance(rows, Dense) and SORTING * rows.indices.size <= self.width:
            listed = scales.listed[: int(scales.numbers[CENTRED])]
            columns = np.unique(np.concatenate([rows.indices, listed]))
        where = slice(None) if columns is None else columns
        return Before(columns, self._table[where].copy(), scales.centres[where].copy(), scales.numbers.copy())

    def restore(self, before: "Before") -> None:
        """Become again what it was."""
        if before.columns is None:
            self._hold(before.table, before.centres, before.numbers)
        else:
            self._table[before.columns] = before.table
            self._scales.centres[before.columns] = before.centres
            self._scales = self._scales._replace(numbers=before.numbers)
            self._forget_list()

    def copy(self) -> Self:
        """Return an independent copy."""
        other = type(self)(0, self.scaling)
        other._hold(self._table.copy(order="K"), self._scales.centres.copy(), self._scales.numbers.copy())
        other._is_stale = self._is_stale
        return other

    def blank(self) -> Self:
        """Return a scaler of the same kind that has counted nothing."""
        return type(self)(self.width, self.scaling)

    def __getstate__(self) -> tuple[Any, ...]:
        """Return what moves between processes: the columns that had entries."""
        arrays, numbers = self.known()
        there = np.flatnonzero(arrays["counts"])
        names = BY_COLUMN if self.is_by_row else BY_COLUMN[:3]
        return self.scaling, numbers, self.width, there, {name: arrays[name][there] for name in names}

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        scaling, numbers, width, there, values = state
        arrays = {name: np.zeros(width) for name in values}
        for name, own in values.items():
            arrays[name][there] = own
        vars(self).update(vars(type(self).of(arrays, numbers, scaling)))


def joined(parts: Sequence[ColumnScaler], base: ColumnScaler | None = None) -> ColumnScaler:
    """Return the scaler of the rows of all parts; those of a base, which each of them has, count once.

    Counts, means and squares are those of all rows (see `moments.joined`). Squared lengths add up: each row
    has the one that it was visited with.
    """
    of_all = join_moments([part.moments for part in parts], None if base is None else base.moments)
    terms = [(part, 1.0) for part in parts]
    if base is not None:
        terms.append((base, 1.0 - len(parts)))
    found = ColumnScaler.of_moments(of_all, parts[0].scaling)
    lengths = sum(sign * part._scales.numbers[LENGTHS] for part, sign in terms)
    found._scales.numbers[LENGTHS] = max(0.0, lengths)
    return found


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
