"""The scales of columns, which grow with the rows that are visited: rows scaled, and vectors for raw rows."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from kerneltron._matrices import frozen
from kerneltron._types import Dense, Floats, Integers, Rows, Sparse
from kerneltron.engine.running_scales import (
    CENTRED,
    LENGTHS,
    ROWS,
    Scales,
    scale_dense,
    scale_sparse,
    work_out_all,
)
from kerneltron.models import moments
from kerneltron.models.bounds import check_places, check_rows
from kerneltron.models.moments import Moments
from kerneltron.models.overflow import overflow

ENTRIES = 2**20  # scaled numbers that are held at a time
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
    def width(self) -> int:
        """Number of columns."""
        return self._scales.counts.size

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

    def _moments(self) -> Moments:
        scales = self._scales
        return Moments.of(self.rows, scales.counts, scales.means, scales.squares)


def joined(parts: Sequence[RunningScales], base: RunningScales | None = None) -> RunningScales:
    """Return the scales of the rows of all parts; those of a base, which each of them has, count once.

    Counts, means and squares are those of all rows (see `moments.joined`). Squared lengths add up: each row
    has the one that it was visited with.
    """
    terms = [(part, 1.0) for part in parts]
    if base is not None:
        terms.append((base, 1.0 - len(parts)))
    of_all = moments.joined([part._moments() for part in parts], None if base is None else base._moments())
    lengths = max(0.0, sum(sign * part._scales.numbers[LENGTHS] for part, sign in terms))
    found = RunningScales(of_all.weights.size, parts[0].centres)
    found._scales = found._scales._replace(
        counts=of_all.weights,
        means=of_all.means,
        squares=of_all.squares,
        numbers=np.array([of_all.total, lengths, 0.0, 0.0]),
    )
    work_out_all(found._scales, found.centres)
    return found


def blocks(rows: Rows, visits: int) -> Iterator[slice]:
    """Yield pieces of this many visits to rows, whose scaled rows fit into memory together."""
    width = rows.width if isinstance(rows, Dense) else rows.values.size // max(1, rows.starts.size - 1)
    size = max(1, ENTRIES // max(width, 1))
    return (slice(first, min(first + size, visits)) for first in range(0, visits, size))
