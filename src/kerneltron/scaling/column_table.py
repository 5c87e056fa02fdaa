"""What is known of the columns as compiled functions take it: arrays that scaling fills in."""

from typing import Any, Literal, NamedTuple, Self

import numpy as np

from kerneltron._types import ColumnMoments, Dense, Floats, Integers, Rows, Sparse
from kerneltron.engine.running_scales import CENTRED, ROWS, Scales

SORTING = 8  # finding the columns that occur takes as long, per entry, as copying this many
NO_LIST: dict[str, Any] = {name: np.zeros(0, np.int64) for name in ("listed", "places", "seen")}


class Before(NamedTuple):
    """What a table was before a call: some of its columns, or all for None."""

    columns: Integers | None
    table: Floats
    centres: Floats
    numbers: Floats


class ColumnTable:
    """Moments, centres and factors of columns, with a list of the centred ones for sparse rows.

    Parameters
    ----------
    table
        A row has the count, mean, squares and factor of a column.
    centres
        What is subtracted from each column.
    numbers
        The rows so far, the sum of their squared lengths, and how many columns are listed: see
        `engine.running_scales.Scales`.
    """

    def __init__(self, table: Floats, centres: Floats, numbers: Floats) -> None:
        self._hold(table, centres, numbers)

    @classmethod
    def blank(cls, width: int) -> Self:
        """Return a table of this many columns that had no entries."""
        return cls(np.zeros((width, 4)), np.zeros(width), np.zeros(3))

    def _hold(self, table: Floats, centres: Floats, numbers: Floats) -> None:
        self._table = table
        counts, means, squares, factors = table.T
        moments = ColumnMoments(counts, means, squares)
        self.scales = Scales(moments, centres, factors, **NO_LIST, numbers=numbers)
        self._entries = 0.0  # at least as many as were counted, where there is a list of centred columns

    def lay_out(self, order: Literal["C", "F"]) -> None:
        """See to a table in which columns lie side by side ("F"), or what is known of a column does ("C")."""
        if not self._table.flags[order]:
            entries, scales = self._entries, self.scales
            self._hold(np.array(self._table, order=order), scales.centres, scales.numbers)
            lists = {name: getattr(scales, name) for name in NO_LIST}
            self.scales, self._entries = self.scales._replace(**lists), entries

    def copy(self) -> Self:
        """Return an independent copy."""
        return type(self)(self._table.copy(order="K"), self.scales.centres.copy(), self.scales.numbers.copy())

    # -- the list of centred columns, which only sparse rows need --------------------------------------

    def room_for(self, rows: Sparse, order: Integers, dtype: Any, counts: bool) -> Sparse:
        """Return room for the scaled rows, and see to that in the list of centred columns."""
        lengths = rows.starts[order + 1] - rows.starts[order]
        centred = self._most_centred(lengths, counts)
        self._make_room(int(centred.max(initial=0)) + int(lengths.max(initial=0)))
        most, places = int(lengths.sum() + centred.sum()), rows.indices.dtype
        values, indices = np.empty(most, dtype), np.empty(most, places)
        return Sparse(values, indices, np.empty(order.size + 1, places), rows.width, rows.bias)

    def forget_list(self, is_outdated: bool = True) -> None:
        """Let the list of centred columns be made anew, by the next sparse rows."""
        if is_outdated and self.scales.places.size:
            self.scales = self.scales._replace(**NO_LIST)

    def _see_to_list(self) -> None:
        """Make the list of centred columns, which only sparse rows need, unless it is there."""
        scales = self.scales
        if not scales.places.size:
            listed = np.flatnonzero(scales.centres)
            places = np.full(scales.centres.size, -1, np.int64)
            places[listed] = np.arange(listed.size)
            scales.numbers[CENTRED], self._entries = listed.size, float(scales.moments.weights.sum())
            self.scales = scales._replace(listed=listed, places=places, seen=np.full(listed.size, -1))

    def _most_centred(self, lengths: Integers, counts: bool) -> Integers:
        """Return how many columns can be centred at each visit.

        Those that are now, and those of which at least a third of the rows so far has each: half had it when
        they were worked out, and since then there are at most a quarter more.
        """
        self._see_to_list()
        numbers = self.scales.numbers
        if not counts:
            return np.full(lengths.size, int(numbers[CENTRED]))
        entries = self._entries + np.cumsum(lengths)
        self._entries += float(lengths.sum())
        rows = numbers[ROWS] + np.arange(1, lengths.size + 1)
        return np.asarray(numbers[CENTRED] + 3.0 * entries / rows, np.int64)

    def _make_room(self, centred: int) -> None:
        """See to room in the list of centred columns, for this many beside those in it."""
        scales, before = self.scales, int(self.scales.numbers[CENTRED])
        if scales.listed.size < before + centred:
            listed = np.zeros(before + centred, np.int64)
            listed[:before] = scales.listed[:before]
            self.scales = scales._replace(listed=listed, seen=np.full(listed.size, -1))

    # -- undoing -------------------------------------------------------------------------------------

    def before(self, rows: Rows) -> "Before":
        """Return what visits to these rows may change."""
        if not isinstance(rows, Dense):
            self._see_to_list()
        scales, columns = self.scales, None
        if not isinstance(rows, Dense) and SORTING * rows.indices.size <= self.scales.centres.size:
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
            self.scales.centres[before.columns] = before.centres
            self.scales = self.scales._replace(numbers=before.numbers)
            self.forget_list()
