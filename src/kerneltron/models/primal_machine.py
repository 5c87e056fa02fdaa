"""Support vector machines in primal form: weights and, as long as a call lasts, coefficients of all examples.

Each pass visits the examples that have something to gain, or may soon have; the others have coefficients at a
bound, and slopes that are far from letting them leave it. When the gap seems small enough, all are looked at.
"""

from collections.abc import Iterator
from math import isfinite
from typing import Any, Self

import numpy as np

from kerneltron._bounds import check_rows
from kerneltron._matrices import as_rows
from kerneltron._types import Floats, Integers, Trace, Visits
from kerneltron.models.climb import Climb, Part
from kerneltron.models.mapped import Mapped
from kerneltron.models.optimality import Optimality
from kerneltron.models.overflow import fits, overflow
from kerneltron.models.primal import Primal
from kerneltron.models.weights import measure

# All examples are looked at when the gap seems to be below this part of what it was the last time:
# coefficients that should not be idle would else be found in the end, when others have settled without them.
# With 40 classes of five examples each, columns apart, 1e-7 then takes 647 passes and not 2,402.
AGAIN = 0.03

LEAST = 1e-12  # the relative duality gap that sums in double precision can tell from 0


class PrimalMachine(Primal):
    """Weights w = sum_i alpha_i y_i x_i for the features of rows, one vector per class.

    Parameters
    ----------
    tolerance
        The relative duality gap that is aimed at.
    keep_coefficients
        Keep them when the call has ended, for another model to start from; they are not saved.
    """

    reshuffles = True

    def __init__(
        self, *args: Any, tolerance: float = 0.01, keep_coefficients: bool = False, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.tolerance, self.keeps_coefficients = tolerance, keep_coefficients
        self._climb: Climb | None = None
        self._begins_with: Floats | None = None  # coefficients to begin with
        self._coefficients: Floats | None = None  # those of the last call, if they are kept
        if tolerance < self._least():
            raise ValueError(
                f"tol={tolerance:g} is below what sums over such rows can tell from 0, {self._least():.0e}: "
                "give a larger one."
            )

    def _least(self) -> float:
        return LEAST

    @property
    def coefficients(self) -> Floats | None:
        """The coefficients of the examples of the last call, one column per class, if they were kept."""
        return self._coefficients

    def start_from(self, previous: Any) -> None:
        """Let the next call begin with the coefficients that the last one of another model has ended with.

        They are brought within their bounds, which may be others now, when their examples are visited.
        """
        found = getattr(previous, "_coefficients", None)
        if found is None:
            raise ValueError(
                "warm_start=True needs the coefficients of the last fit, which are not there: in primal form "
                "they are kept where that fit had warm_start=True itself, and not in files. Set "
                "warm_start=False, or fit once with it before."
            )
        if found.shape[1] != self.columns:
            raise ValueError(
                f"warm_start=True goes on with {found.shape[1]} vectors, and these classes need "
                f"{self.columns}: give labels of the same classes, or set warm_start=False."
            )
        self._begins_with = found

    # -- visits --------------------------------------------------------------------------------------

    def begin(self, rows: Any) -> None:
        """Take the rows that the next visits belong to."""
        super().begin(rows)
        examples, start = self._examples(), self._begins_with
        if start is not None and len(start) != examples:
            raise ValueError(
                f"warm_start=True goes on with the coefficients of {len(start)} examples, and there are "
                f"{examples}: give the same examples in the same order, or set warm_start=False."
            )
        self._known_gap = 1.0
        self._climb = Climb(examples, self.width + 1, self.columns, self._parts_of, start)

    def _examples(self) -> int:
        """Return how many rows there are."""
        assert self._rows is not None
        return check_rows(self._rows, self.width)

    def _parts_of(self, examples: Integers) -> Iterator[Part]:
        """Yield the rows of some examples."""
        assert self._rows is not None
        yield Part(self._rows, examples, examples)

    @property
    def _climbing(self) -> Climb:
        assert self._climb is not None
        return self._climb

    def due(self, chosen: Integers | None) -> Integers | None:
        """Return the examples that the next pass visits: in the first one all that are chosen."""
        return chosen if self._climbing.is_first else self._climbing.due()

    def step(self, visits: Visits, trace: Trace) -> int:
        """Visit some rows; return the mistakes."""
        mistakes = self._climbing.visit(self.rule, visits, trace)
        if mistakes < 0:
            raise overflow(np.float64)
        self.weights.clock[:] += visits.order.size
        return mistakes

    def optimality(self, is_last: bool) -> Optimality:
        """Return both objectives: an estimate, or what a look at all examples confirms.

        All are looked at if the gap seems small enough, or much smaller than before, if nothing is due, or if
        it is the last time; and after the first pass that began with coefficients: some may belong to
        examples that are not there.
        """
        climb = self._climbing
        with self._shown.lock:
            if not self._visit_again():
                raise overflow(np.float64)
            self.weights.updates[:] += climb.progress.moves
            found = climb.estimate()
            is_done = found.gap <= max(self.tolerance, AGAIN * self._known_gap) or not climb.due().size
            if is_done or is_last or not climb.is_sure:
                self.forget_vectors()
                found = climb.measure(self.rule)
                self._known_gap = found.gap
            if not isfinite(found.objective):
                raise overflow(np.float64)
            climb.go_on(self.tolerance * found.objective)
        return found

    def _visit_again(self) -> bool:
        """Visit the examples that are due several times more; tell whether no score overflows."""
        assert self._rows is not None
        return self._climbing.visit_again(self.rule, self._rows)

    def measure(self) -> None:
        """Nothing: norms are not needed."""

    def finish(self) -> None:
        """Let go of the rows and, unless they are to be kept, of the coefficients."""
        if self._climb is not None:
            self._write()
            if self.keeps_coefficients:
                self._coefficients = self._climb.coefficients
        self._climb = self._begins_with = None
        super().finish()

    def _write(self) -> None:
        """Let the weights be what the vectors are now, in the precision of the rows."""
        with self._shown.lock, np.errstate(over="ignore"):
            self.forget_vectors()
            self.weights.v.reshape(-1, self.columns)[:] = self._climbing.vectors
        measure(self.weights)
        if not fits(self.weights):
            raise overflow(self.dtype)

    # -- what others may do with it ------------------------------------------------------------------

    def vectors(self) -> Floats:
        """Return what predicts: also in the middle of a call, one column per class, one row per feature."""
        climb = self._climb
        if climb is None:
            return super().vectors()
        return self._shown.get(self.hypothesis, lambda: climb.vectors.astype(self.dtype, "C"))

    def _vectors_of_rows(self) -> Floats:
        return self.vectors()

    @property
    def _follows_weights(self) -> bool:
        return False  # while a call lasts, they are those of the climb

    def check_streaming(self) -> None:
        """Raise: examples that come later would have to meet the coefficients of earlier ones."""
        raise ValueError(REFUSAL)

    def copy(self) -> Self:
        """Return a copy that predicts as this one does now; it cannot go on with a call."""
        other = super().copy()
        if self._climb is not None:
            other._write()
            other._climb = None
        return other


REFUSAL = (
    "SVM in primal form looks for the optimum over all examples, and keeps none of them: give them to fit, "
    "all at once. For partial_fit and streams use `representation='dual'`, which keeps examples, or Pegasos, "
    "which follows the same objective."
)


class MappedMachine(PrimalMachine, Mapped):
    """Weights for the features of a map: blocks of rows are mapped whenever they are visited or looked at."""

    def _least(self) -> float:
        # Matrix products of other shapes round otherwise: the features of an example are not always the same.
        return max(LEAST, 8 * float(np.finfo(self.dtype).eps))

    def _visit_again(self) -> bool:
        return True  # rows would have to be mapped again

    def _examples(self) -> int:
        return int(self._X.shape[0]) if hasattr(self._X, "shape") else len(self._X)

    def _parts_of(self, examples: Integers) -> Iterator[Part]:
        for part in self._parts(examples.size):
            some = examples[part]
            yield Part(as_rows(self._mapped(self._X[some]), self.bias), np.arange(some.size), some)
