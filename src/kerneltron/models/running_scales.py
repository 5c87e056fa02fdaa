"""The scales of columns, which grow with the rows that are visited: rows scaled, and vectors for raw rows."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from kerneltron._matrices import frozen
from kerneltron._types import ColumnMoments, Dense, Floats, Integers, Rows, Sparse
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
from kerneltron.models.bounds import check_places, check_rows
from kerneltron.models.moments import Moments
from kerneltron.models.moments import joined as join_moments
from kerneltron.models.overflow import overflow

ENTRIES = 2**17  # scaled numbers that are made at a time: they stay in the cache until they are learned from
SORTING = 8  # finding the columns that occur takes as long, per entry, as copying this many
BY_COLUMN = ("counts", "means", "squares", "centres", "factors")
NO_LIST: dict[str, Any] = {name: np.zeros(0, np.int64) for name in ("listed", "places", "seen")}


class Before(NamedTuple):
    """What scales were before a call: those of some columns, or of all for None."""

    columns: Integers | None
    table: Floats
    centres: Floats
    numbers: Floats


class RunningScales:
    """What brings the columns of rows to one scale: see `engine.running_scales`.

    Parameters
    ----------
    width
        Number of columns.
    centres
        Whether columns that are mostly not 0 are centred. Without a constant feature a vector for scaled rows
        would then have no counterpart for raw ones.

    Examples
    --------
    >>> scales = RunningScales(2, centres=True)
    >>> X = np.array([[1000.0, 0.0], [3000.0, 0.0], [2000.0, 5.0]])
    >>> rows = Dense(X.reshape(-1), 2, 1.0)
    >>> scaled = scales.scaled(rows, np.arange(3), np.dtype("f8"), counts=True)
    >>> print(scaled.values.reshape(-1, 2).round(2))
    [[0.   0.  ]
     [1.41 0.  ]
     [0.   1.22]]
    """

    def __init__(self, width: int, centres: bool) -> None:
        self.centres = centres
        self._hold(np.zeros((width, 4)), np.zeros(width), np.zeros(3))

    def _hold(self, table: Floats, centres: Floats, numbers: Floats) -> None:
        """Take what is known: in a row of the table, count, mean, squares and factor of a column."""
        self._table = table
        counts, means, squares, factors = table.T
        self._scales = Scales(
            ColumnMoments(counts, means, squares), centres, factors, **NO_LIST, numbers=numbers
        )
        self._entries = 0.0  # at least as many as were counted, where there is a list of centred columns

    def _lay_out(self, order: Literal["C", "F"]) -> None:
        """See to a table in which columns lie side by side, or what is known of a column does."""
        if not self._table.flags[order]:
            entries, scales = self._entries, self._scales
            self._hold(np.array(self._table, order=order), scales.centres, scales.numbers)
            lists = {name: getattr(scales, name) for name in NO_LIST}
            self._scales, self._entries = self._scales._replace(**lists), entries

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
        """Count, mean and squares of what was not 0 in each column."""
        return Moments.of(self.rows, *self._scales.moments)

    def known(self) -> tuple[dict[str, Floats], list[float]]:
        """Return all that has to be kept: arrays with a number per column, and numbers."""
        scales = self._scales
        arrays = (*scales.moments, scales.centres, scales.factors)
        return dict(zip(BY_COLUMN, arrays, strict=True)), scales.numbers[:CENTRED].tolist()

    @classmethod
    def of(cls, arrays: dict[str, Any], numbers: list[float], centres: bool) -> Self:
        """Return the scales that are known so."""
        scales = cls(0, centres)
        counts, means, squares, in_use, factors = (arrays[name] for name in BY_COLUMN)
        table = np.stack([counts, means, squares, factors], axis=1)
        scales._hold(table, in_use.copy(), np.array([*numbers, 0.0]))
        return scales

    def scaled(self, rows: Rows, order: Integers, dtype: Any, counts: bool, limits: bool = True) -> Rows:
        """Return the rows `order`, scaled; where it `counts`, each by the rows up to and including it.

        Entries far from all others of their column have `limits` in rows to be learned from, and none in rows
        whose scores are those of a prediction.
        """
        check_places(order, check_rows(rows, self.width))
        scaled = self._scaled(rows, order, dtype, counts, limits)
        if not np.isfinite(self._scales.numbers[LENGTHS]):
            raise overflow(np.dtype(np.float64))
        return scaled

    def _scaled(self, rows: Rows, order: Integers, dtype: Any, counts: bool, limits: bool) -> Rows:
        self._lay_out("F" if isinstance(rows, Dense) else "C")
        if isinstance(rows, Dense):
            values = np.empty(order.size * rows.width, dtype)
            scale_dense(rows, order, self._scales, counts, limits, self.centres, values)
            self._forget_list(counts)
            return Dense(frozen(values, dtype), rows.width, rows.bias)
        scaled, places = self._room_for(rows, order, dtype, counts), rows.indices.dtype
        scale_sparse(rows, order, self._scales, counts, limits, self.centres, scaled)
        end = int(scaled.starts[-1])
        return scaled._replace(
            values=frozen(scaled.values[:end], dtype),
            indices=frozen(scaled.indices[:end], places),
            starts=frozen(scaled.starts, places),
        )

    def scaled_twice(self, rows: Rows, order: Integers, dtype: Any, counts: bool) -> Rows:
        """Return the rows `order` as `scaled` does, and behind them once more, each by the rows before it."""
        check_places(order, check_rows(rows, self.width))
        self._lay_out("F" if isinstance(rows, Dense) else "C")
        scaled: Rows
        if isinstance(rows, Dense):
            values = np.empty(2 * order.size * rows.width, dtype)
            scale_dense_twice(rows, order, self._scales, counts, self.centres, values)
            self._forget_list(counts)
            scaled = Dense(frozen(values, dtype), rows.width, rows.bias)
        else:
            scaled = self._sparse_twice(rows, order, dtype, counts)
        if not np.isfinite(self._scales.numbers[LENGTHS]):
            raise overflow(np.dtype(np.float64))
        return scaled

    def _sparse_twice(self, rows: Sparse, order: Integers, dtype: Any, counts: bool) -> Sparse:
        after = self._room_for(rows, order, dtype, counts)
        before = after._replace(
            values=np.empty_like(after.values),
            indices=np.empty_like(after.indices),
            starts=np.empty_like(after.starts),
        )
        bounds = np.empty(2, rows.indices.dtype)
        scale_sparse_twice(rows, order, self._scales, counts, self.centres, after, before, bounds)
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

    def count(self, rows: Rows, order: Integers) -> None:
        """Count the rows `order`, and do nothing else with them."""
        for part in blocks(rows, order.size):
            self.scaled(rows, order[part], rows.values.dtype, counts=True)

    def found(self) -> tuple[Floats, Floats]:
        """Return c and f for each column: in a scaled row x is (x - c) f."""
        numbers = self._scales.numbers
        unit = np.sqrt(numbers[ROWS] / numbers[LENGTHS]) if numbers[LENGTHS] > 0 else 1.0
        return self._scales.centres, self._scales.factors * unit

    def unscaled(self, vectors: Floats, bias: float) -> Floats:
        """Return vectors for raw rows that score as `vectors`, whose last row is the constant, do scaled."""
        found = vectors.astype(np.float64)
        centres, factors = self.found()
        found[:-1] *= factors[:, None]
        if self.centres:
            found[-1] -= centres @ found[:-1] / bias
        return found.astype(vectors.dtype)

    def before(self, rows: Rows) -> "Before":
        """Return what visits to these rows may change."""
        check_rows(rows, self.width)
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
        """Return a copy that goes its own way."""
        other = type(self)(0, self.centres)
        other._hold(self._table.copy(), self._scales.centres.copy(), self._scales.numbers.copy())
        return other

    def __getstate__(self) -> tuple[Any, ...]:
        """Return what moves between processes: the columns that had entries."""
        arrays, numbers = self.known()
        there = np.flatnonzero(arrays["counts"])
        return self.centres, numbers, self.width, there, [arrays[name][there] for name in BY_COLUMN]

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        centres, numbers, width, there, values = state
        arrays = {name: np.zeros(width) for name in BY_COLUMN}
        for array, own in zip(arrays.values(), values, strict=True):
            array[there] = own
        vars(self).update(vars(type(self).of(arrays, numbers, centres)))


def joined(parts: Sequence[RunningScales], base: RunningScales | None = None) -> RunningScales:
    """Return the scales of the rows of all parts; those of a base, which each of them has, count once.

    Counts, means and squares are those of all rows (see `moments.joined`). Squared lengths add up: each row
    has the one that it was visited with.
    """
    terms = [(part, 1.0) for part in parts]
    if base is not None:
        terms.append((base, 1.0 - len(parts)))
    of_all = join_moments([part.moments for part in parts], None if base is None else base.moments)
    lengths = max(0.0, sum(sign * part._scales.numbers[LENGTHS] for part, sign in terms))
    nothing = np.zeros(of_all.weights.size)
    arrays = (of_all.weights, of_all.means, of_all.squares, nothing, nothing)
    numbers = [of_all.total, lengths]
    found = RunningScales.of(dict(zip(BY_COLUMN, arrays, strict=True)), numbers, parts[0].centres)
    work_out_all(found._scales, found.centres)
    return found


def blocks(rows: Rows, visits: int) -> Iterator[slice]:
    """Yield pieces of this many visits to rows, whose scaled rows fit into memory together."""
    width = rows.width if isinstance(rows, Dense) else rows.values.size // max(1, rows.starts.size - 1)
    size = max(1, ENTRIES // max(width, 1))
    return (slice(first, min(first + size, visits)) for first in range(0, visits, size))
