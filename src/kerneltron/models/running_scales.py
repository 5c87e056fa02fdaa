"""The scales of columns, which grow with the rows that are visited: rows scaled, and vectors for raw rows."""

from typing import Any, NamedTuple, Self

import numpy as np

from kerneltron._matrices import frozen
from kerneltron._types import Dense, Floats, Integers, Rows, Sparse
from kerneltron.engine.running_scales import CENTRED, LENGTHS, ROWS, Scales, scale_dense, scale_sparse
from kerneltron.models.bounds import check_places, check_rows
from kerneltron.models.overflow import overflow

SORTING = 8  # finding the columns that occur takes as long, per entry, as copying this many
BY_COLUMN = ("counts", "means", "squares", "centres", "factors")
NO_LIST: dict[str, Any] = {name: np.zeros(0, np.int64) for name in ("listed", "places", "seen")}


class Before(NamedTuple):
    """What scales were before a call: those of some columns, or of all for None."""

    columns: Integers | None
    scales: Scales


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
        arrays: dict[str, Any] = {name: np.zeros(width) for name in BY_COLUMN}
        self._scales = Scales(**arrays, **NO_LIST, numbers=np.zeros(4))
        self._entries = 0.0  # at least as many as were counted, where there is a list of centred columns

    @property
    def rows(self) -> float:
        """How many rows were counted."""
        return float(self._scales.numbers[ROWS])

    def known(self) -> tuple[dict[str, Floats], list[float]]:
        """Return all that has to be kept: arrays with a number per column, and numbers."""
        return {name: getattr(self._scales, name) for name in BY_COLUMN}, self._scales.numbers[:3].tolist()

    @classmethod
    def of(cls, arrays: dict[str, Any], numbers: list[float], centres: bool) -> Self:
        """Return the scales that are known so."""
        scales = cls(0, centres)
        scales._scales = scales._scales._replace(**arrays, numbers=np.array([*numbers, 0.0]))
        return scales

    def scaled(self, rows: Rows, order: Integers, dtype: Any, counts: bool) -> Rows:
        """Return the rows `order`, scaled; where it `counts`, each by the rows up to and including it."""
        check_places(order, check_rows(rows, self._scales.counts.size))
        scaled = self._scaled(rows, order, dtype, counts)
        if not np.isfinite(self._scales.numbers[LENGTHS]):
            raise overflow(np.dtype(np.float64))
        return scaled

    def _scaled(self, rows: Rows, order: Integers, dtype: Any, counts: bool) -> Rows:
        if isinstance(rows, Dense):
            values = np.empty(order.size * rows.width, dtype)
            scale_dense(rows, order, self._scales, counts, self.centres, values)
            self._forget_list(counts)
            return Dense(frozen(values, dtype), rows.width, rows.bias)
        lengths = np.diff(rows.starts)[order]
        centred = self._most_centred(lengths, counts)
        self._make_room(int(centred.max(initial=0)) + int(lengths.max(initial=0)))
        most = int(lengths.sum() + centred.sum())
        places = rows.indices.dtype
        values, indices, starts = (
            np.empty(most, dtype),
            np.empty(most, places),
            np.empty(order.size + 1, places),
        )
        scaled = Sparse(values, indices, starts, rows.width, rows.bias)
        scale_sparse(rows, order, self._scales, counts, self.centres, scaled)
        end = int(starts[-1])
        return scaled._replace(
            values=frozen(values[:end], dtype),
            indices=frozen(indices[:end], places),
            starts=frozen(starts, places),
        )

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
            scales.numbers[CENTRED], self._entries = listed.size, float(scales.counts.sum())
            self._scales = scales._replace(listed=listed, places=places, seen=np.full(listed.size, -1))

    def _most_centred(self, lengths: Integers, counts: bool) -> Integers:
        """Return how many columns can be centred at each visit: half of the rows so far have each of them."""
        self._see_to_list()
        numbers = self._scales.numbers
        if not counts:
            return np.full(lengths.size, int(numbers[CENTRED]))
        entries = self._entries + np.cumsum(lengths)
        self._entries += float(lengths.sum())
        rows = numbers[ROWS] + np.arange(1, lengths.size + 1)
        return np.asarray(2.0 * entries / rows, np.int64)

    def _make_room(self, centred: int) -> None:
        """See to room in the list of centred columns, for this many beside those in it."""
        scales, before = self._scales, int(self._scales.numbers[CENTRED])
        if scales.listed.size < before + centred:
            listed = np.zeros(before + centred, np.int64)
            listed[:before] = scales.listed[:before]
            self._scales = scales._replace(listed=listed, seen=np.full(listed.size, -1))

    def unscaled(self, vectors: Floats, bias: float) -> Floats:
        """Return vectors for raw rows that score as `vectors`, whose last row is the constant, do scaled."""
        numbers, found = self._scales.numbers, vectors.astype(np.float64)
        unit = np.sqrt(numbers[ROWS] / numbers[LENGTHS]) if numbers[LENGTHS] > 0 else 1.0
        found[:-1] *= (self._scales.factors * unit)[:, None]
        if self.centres:
            found[-1] -= self._scales.centres @ found[:-1] / bias
        return found.astype(vectors.dtype)

    def before(self, rows: Rows) -> "Before":
        """Return what visits to these rows may change."""
        check_rows(rows, self._scales.counts.size)
        if not isinstance(rows, Dense):
            self._see_to_list()
        scales = self._scales
        if isinstance(rows, Dense) or SORTING * rows.indices.size > scales.counts.size:
            return Before(None, Scales._make(array.copy() for array in scales))
        listed = scales.listed[: int(scales.numbers[CENTRED])]
        columns = np.unique(np.concatenate([rows.indices, listed]))
        some = {name: getattr(scales, name)[columns] for name in BY_COLUMN}
        return Before(columns, scales._replace(**some, numbers=scales.numbers.copy()))

    def restore(self, before: "Before") -> None:
        """Become again what it was."""
        columns, then = before
        if columns is None:
            self._scales = then
        else:
            for name in BY_COLUMN:
                getattr(self._scales, name)[columns] = getattr(then, name)
            self._scales = self._scales._replace(numbers=then.numbers)
        self._forget_list()

    def copy(self) -> Self:
        """Return a copy that goes its own way."""
        other = type(self)(0, self.centres)
        other._scales = Scales._make(array.copy() for array in self._scales)
        other._entries = self._entries
        return other
