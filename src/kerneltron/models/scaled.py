"""A learner in primal form whose rows are brought to one scale as they are visited."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

import numpy as np

from kerneltron._bounds import check_rows
from kerneltron._types import Floats, Integers, Rows, Scaling, Sparse, Trace, Visits, Weights
from kerneltron.models.primal import Primal
from kerneltron.scaling.column_scaler import ColumnScaler, blocks

AT_ONCE = 2**26  # scaled numbers that are kept for later passes, at most: 512 MB of double precision


class Scaled(Primal):
    """Weights for scaled columns: whatever a column is multiplied by, the same is learned.

    What predicts is for rows as they are: a weight times the factor of its column, and the constant moved by
    the centres. All vectors so far, which an average is made of, count as vectors for the scales of now.
    """

    form = "scaled"

    def __init__(self, rule: Any, width: int, columns: int, **options: Any) -> None:
        super().__init__(rule, width, columns, **options)
        self.scaler = ColumnScaler(width, Scaling(absent_is_zero=True, centres=self.bias != 0.0))
        self._raw: Rows | None = None  # of this call
        self._counts, self._are_scaled, self._visited = True, False, 0

    @property
    def is_busy(self) -> bool:
        """Whether it holds rows."""
        return self._raw is not None

    def begin(self, rows: Rows) -> None:
        """Take the rows that the next visits belong to."""
        super().begin(rows)
        self._raw = rows
        self._counts, self._are_scaled, self._visited = True, False, 0

    def step(self, visits: Visits, trace: Trace) -> int:
        """Scale some rows and visit them, block by block; return the mistakes."""
        if self._are_scaled:
            return super().step(visits, trace)
        raw, mistakes = self._raw, 0
        assert raw is not None
        self._visited += visits.order.size
        for part in blocks(raw, visits.order.size):
            size = part.stop - part.start
            own = trace if size == visits.order.size else Trace._make(array[part] for array in trace)
            scaled = self.scaler.scaled_twice if trace.asked.size else self.scaler.scaled
            self._rows = scaled(raw, visits.order[part], self.dtype, self._counts)
            if trace.asked.size:
                own = own._replace(asked=np.arange(size, 2 * size))
            some = Visits(np.arange(size), visits.codes[part], visits.importance[part])
            mistakes += super().step(some, own)
        return mistakes

    def freeze_scales(self) -> None:
        """Count the rows of this call not again: from here on their scales stay.

        Where most of them were visited, as in passes over all of them, they are scaled once and for all.
        """
        self._counts, raw = False, self._raw
        assert raw is not None
        count = check_rows(raw, self.width)
        if not self._are_scaled and 2 * self._visited >= count > 0 and self.scaler.room(raw) <= AT_ONCE:
            self._rows = self.scaler.scaled(raw, np.arange(count), self.dtype, counts=False)
            self._are_scaled = True

    def finish(self) -> None:
        """Let go of the rows."""
        super().finish()
        self._raw = None

    def check_tracing(self) -> None:
        """Raise: vectors move by scaled rows, and earlier vectors count as vectors for the scales of now."""
        raise ValueError(
            "a learner that scales its columns moves by scaled rows, and not by rows as they are, which "
            "traces and theorems speak of: fit with scale=False."
        )

    def vectors(self) -> Floats:
        """Return what predicts, for rows as they are: one column per class, one row per feature."""
        if self._vectors is not None:
            return self._vectors
        return self._shown.get(
            self.hypothesis,
            lambda: self.scaler.unscaled(self.hypothesis.vectors(self.weights), self.bias),
        )

    def current_scores(self, places: Integers) -> Floats:
        """Return what predicts now of some rows of this call, one score per row and column."""
        assert self._raw is not None
        rows = self.scaler.scaled(self._raw, places, self.dtype, counts=False, limits=False)
        return self._current_scores_of(rows, np.arange(places.size))

    def _is_sparse(self) -> bool:
        return isinstance(self._raw, Sparse)

    def copy(self) -> Self:
        """Return an independent copy."""
        other = super().copy()
        other.scaler = self.scaler.copy()
        return other

    def _take_own_weights(self) -> None:
        """Copy weights and scales that an independent model reads, before they change."""
        if self._shown.are_lent:
            self.scaler = self.scaler.copy()
        super()._take_own_weights()

    def with_weights(self, weights: Weights) -> Self:
        """Return a model that differs in its weights alone; scales go their own way."""
        other = super().with_weights(weights)
        other.scaler = self.scaler.copy()
        return other

    @contextmanager
    def visiting(self, rows: Any, undo: bool = True) -> Iterator[None]:
        """Visit rows, and bring weights and scales back to what they were where anything fails."""
        self._take_own_weights()
        before = self.scaler.before(rows) if undo else None
        try:
            with super().visiting(rows, undo):
                yield
        except BaseException:
            if before is not None:
                with self._shown.lock:
                    self.scaler.restore(before)
                    self._shown.forget()
            raise
