"""How all models in dual form learn: in calls, each with examples that are visited."""

import warnings
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

import numpy as np

from kerneltron._bounds import check_visits
from kerneltron._types import Floats, Integers, Trace, Visits
from kerneltron.engine.order import BLOCK
from kerneltron.kernels.pack import Pack
from kerneltron.models.expansion_model import ExpansionModel
from kerneltron.models.kept_rows import Reuse
from kerneltron.models.kernel_expansion import KernelExpansion
from kerneltron.models.late import ColumnOrigin, beginning
from kerneltron.models.overflow import without_digits
from kerneltron.models.shared_vectors import SharedVectors
from kerneltron.models.visited_examples import VisitedExamples


class DualForm(ExpansionModel):
    """A model that has a kernel expansion and, as long as a call lasts, the examples that are visited.

    Parameters are those of `ExpansionModel`.

    Attributes
    ----------
    visited
        The examples of a call; None between calls.
    reuse
        How often kernel values were of use again, in the last call that could keep some.
    """

    shows_predictions = True
    visited: VisitedExamples | None = None
    reuse = Reuse()

    @property
    def blocks(self) -> int:  # type: ignore[override]
        """How many blocks of 512 visits are best learned from at a time."""
        return max(1, self.visits_at_a_time // BLOCK)

    @property
    def depends_on_cuts(self) -> bool:
        """Whether the order of what it remembers does: so it is."""
        return True

    @property
    def is_busy(self) -> bool:
        """Whether it holds examples that are being visited."""
        return self.visited is not None

    @abstractmethod
    def begin(self, rows: Pack) -> None:
        """Take the examples that the next visits belong to."""

    @contextmanager
    def visiting(self, rows: Pack, undo: bool = True) -> Iterator[None]:
        """Visit examples: what is learned of them stands behind the coefficients that are there."""
        self.learned.reserve(len(rows), self.rule, undo)
        self.begin(rows)
        yield
        self.finish()
        self.learned.give_back()

    def step(self, visits: Visits, trace: Trace) -> Any:
        """Visit some examples; return the mistakes."""
        visited = self.visited
        assert visited is not None
        check_visits(visits, trace, len(visited.rows), self.columns)
        several = visits.codes.ndim == 2
        mistakes = np.zeros(self.columns if several else 1, np.int64)
        size = self.visits_at_a_time
        with visited.threads():
            if 0 < visits.order.size <= size:
                visited.visit(visits, trace, mistakes)
            else:
                for first in range(0, visits.order.size, size):
                    part = slice(first, first + size)
                    some = Visits._make(array[part] for array in visits)
                    visited.visit(some, Trace._make(array[part] for array in trace), mistakes)
        return mistakes if several else int(mistakes[0])

    def remember(self, order: Integers, moved: Integers) -> Integers:
        """Return the places of some examples."""
        assert self.visited is not None
        return self.visited.slots[order]

    def measure(self) -> None:
        """Recompute what is kept by recursion; between calls there is nothing to do."""
        if self.visited is not None:
            self.visited.measure()

    def current_scores(self, places: Integers) -> Floats:
        """Return what predicts now of some examples of this call, one score per example and column."""
        assert self.visited is not None
        return self.scores_of(self.visited.rows[places])

    def finish(self) -> None:
        """Let go of the examples; those that are remembered are copies."""
        visited = self.visited
        if (visited is not None and visited.is_lost) or self.learned.has_lost_digits:
            self.learned.measure_norms()
            warnings.warn(without_digits(), RuntimeWarning, stacklevel=2)
        if visited is not None:
            self.reuse = visited.reuse or self.reuse
        self.learned.finish(0 if visited is None else len(visited.rows))
        self.visited = None
        self.shown.forget()  # an expansion holds what is let go of

    def release(self, slots: Integers) -> None:
        """Forget the remembered examples in some slots, with their coefficients; not while a call lasts."""
        if self.is_busy:
            raise RuntimeError("examples are released between calls, when none is visited.")
        self.forget_vectors()
        self.learned.release(slots, self.hypothesis)

    # -- columns, copies -----------------------------------------------------------------------------

    def regroup(self, column_origins: list[ColumnOrigin]) -> None:
        """Rearrange the coefficients; a late class begins as `models.late` says."""
        self.forget_vectors()
        ticks = self.ticks
        begins = beginning(self.rule, self.bias, ticks)
        self.learned.regroup(self.rule, column_origins, begins)
        self.hypothesis.regroup(column_origins, ticks, begins)

    def successor(self) -> Self:
        """Return a model that shares the coefficients with this one, and writes behind them."""
        return self.holding(self.learned.successor())

    def copy(self) -> Self:
        """Return an independent copy; examples are never changed, so both may hold them."""
        return self.holding(self.learned.copy())

    def holding(self, learned: KernelExpansion) -> Self:
        """Return a model that differs in nothing but a copy of what was learned."""
        other = self.twin(SharedVectors())
        other.learned = learned
        if self.visited is not None:
            other.visited = self.visited.of(learned)
        return other
