"""A learner in primal form whose rows are brought to one scale as they are visited."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

import numpy as np

from kerneltron._types import Dense, Floats, Integers, Rows, Sparse, Trace, Visits
from kerneltron.models.primal import Primal
from kerneltron.models.running_scales import RunningScales

ENTRIES = 2**20  # scaled numbers that are held at a time


class Scaled(Primal):
    """Weights for scaled columns: whatever a column is multiplied by, the same is learned.

    What predicts is for rows as they are: a weight times the factor of its column, and the constant moved by
    the centres. All vectors so far, which an average is made of, count as vectors for the scales of now.
    """

    form = "scaled"
    refuses_mixing = (
        "models that scale their columns cannot be merged: each has weights for scales of its own. Train "
        "them with scale=False."
    )

    def __init__(self, rule: Any, width: int, columns: int, **options: Any) -> None:
        super().__init__(rule, width, columns, **options)
        self.scales = RunningScales(width, centres=self.bias != 0.0)
        self._raw: Rows | None = None  # of this call
        self._counts = True

    @property
    def is_busy(self) -> bool:
        """Whether it holds rows."""
        return self._raw is not None

    def begin(self, rows: Rows) -> None:
        """Take the rows that the next visits belong to."""
        super().begin(rows)
        self._raw, self._counts = rows, True

    def step(self, visits: Visits, trace: Trace) -> int:
        """Scale some rows and visit them, block by block; return the mistakes."""
        raw, mistakes = self._raw, 0
        assert raw is not None
        for part in self._parts(raw, visits.order.size):
            self._rows = self.scales.scaled(raw, visits.order[part], self.dtype, self._counts)
            some = Visits(np.arange(part.stop - part.start), visits.codes[part], visits.importance[part])
            mistakes += super().step(some, Trace._make(array[part] for array in trace))
        return mistakes

    def measure(self) -> None:
        """Recompute norms, before another pass over the same rows: they are not counted again."""
        super().measure()
        self._counts = False

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
            lambda: self.scales.unscaled(self.hypothesis.vectors(self.weights), self.bias),
        )

    def said(self, places: Integers) -> Floats:
        """Return what predicts now of some rows of this call, one score per row and column."""
        assert self._raw is not None
        rows = self.scales.scaled(self._raw, places, self.dtype, counts=False)
        return self._said_of(rows, np.arange(places.size))

    def _is_sparse(self) -> bool:
        return isinstance(self._raw, Sparse)

    def copy(self) -> Self:
        """Return a copy that goes its own way."""
        other = super().copy()
        other.scales = self.scales.copy()
        return other

    @contextmanager
    def visiting(self, rows: Any, undo: bool = True) -> Iterator[None]:
        """Visit rows, and bring weights and scales back to what they were where anything fails."""
        before = self.scales.before(rows) if undo else None
        try:
            with super().visiting(rows, undo):
                yield
        except BaseException:
            if before is not None:
                with self._shown.lock:
                    self.scales.restore(before)
                    self._shown.forget()
            raise

    def _parts(self, raw: Rows, visits: int) -> Iterator[slice]:
        width = raw.width if isinstance(raw, Dense) else raw.values.size // max(1, raw.starts.size - 1)
        size = max(1, ENTRIES // max(width, 1))
        return (slice(first, min(first + size, visits)) for first in range(0, visits, size))
