"""A support vector machine in dual form: see `dual_climb` for how it finds its coefficients.

What is shown to it without a working set, as by `partial_fit`, takes the walk of every dual learner.
"""

from typing import Any, Self

import numpy as np

from kerneltron._types import Integers, Trace, Visits
from kerneltron.engine.order import BLOCK
from kerneltron.kernels.pack import Pack
from kerneltron.models.dual_climb import DualClimb
from kerneltron.models.dual_form import DualForm
from kerneltron.models.dual_walk import DualWalk
from kerneltron.models.kernel_expansion import KernelExpansion
from kerneltron.models.model import Model
from kerneltron.models.optimality import UNKNOWN, Optimality

MANY = 64  # blocks of visits at a time


class DualMachine(DualForm):
    """Coefficients y alpha with 0 <= alpha <= C, one column per class or task.

    Parameters
    ----------
    arguments, options
        As for `ExpansionModel`.
    tolerance
        The relative duality gap that is aimed at.

    Attributes
    ----------
    climb
        What looks for the optimum during a call; None where examples are visited as they come.
    """

    form = "dual"
    reshuffles = True
    shows_predictions = False
    visited: DualWalk | None

    def __init__(self, *arguments: Any, tolerance: float = 0.01, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.tolerance = tolerance
        self.climb: DualClimb | None = None
        self._earlier: DualMachine | None = None  # that it begins with

    @property
    def blocks(self) -> int:  # type: ignore[override]
        """How many blocks of 512 visits are best learned from at a time."""
        return (
            super().blocks
            if self.climb is None
            else max(1, min(MANY, -(-len(self.climb.working_set) // BLOCK)))
        )

    def begin(self, rows: Pack) -> None:
        """Take the examples that the next visits belong to."""
        self.visited = DualWalk(self.learned, self.rule, rows, self.working_memory)
        self.climb = None
        if self._earlier is not None:
            self._take_over(self.visited, self._earlier)

    def start_from(self, other: Model) -> None:
        """Begin with the coefficients that another machine has found for the same examples."""
        if not isinstance(other, DualMachine) or other.columns != self.columns or other.bias != self.bias:
            raise ValueError(
                "warm_start=True goes on with a learner of the same kind: use `warm_start=False`."
            )
        self._earlier = other

    def _take_over(self, visited: DualWalk, other: "DualMachine") -> None:
        slots, coefficients = other.support()
        if other.remembered.seen != len(visited.rows):
            raise ValueError(
                f"warm_start=True goes on with the same examples, but there were {other.remembered.seen} and "
                f"are {len(visited.rows)} now: use `warm_start=False`."
            )
        visited.remember(other.remembered.origins[slots])
        self.learned.v[:] = coefficients
        self._earlier = None

    def look_at(self, visits: Visits) -> None:
        """Choose the examples that are worked on first."""
        assert self.visited is not None
        self.climb = DualClimb(self.visited, visits, self.tolerance, self.working_memory)

    def due(self, chosen: Integers | None) -> Integers | None:
        """Return the examples that the next pass visits: those of the set, once there is one."""
        return chosen if self.climb is None else self.climb.working_set.examples

    def step(self, visits: Visits, trace: Trace) -> Any:
        """Visit some examples; return the mistakes."""
        if self.climb is None:
            return super().step(visits, trace)
        several = visits.codes.ndim == 2
        mistakes = np.zeros(self.columns if several else 1, np.int64)
        self.climb.visit(visits.order, mistakes)
        return mistakes if several else int(mistakes[0])

    def optimality(self, is_last: bool) -> Optimality:
        """Return both objectives: an estimate, or what a sweep over all examples confirms."""
        return UNKNOWN if self.climb is None else self.climb.optimality(is_last)

    def measure(self) -> None:
        """Nothing, as long as a set is worked on."""
        if self.climb is None:
            super().measure()

    def finish(self) -> None:
        """Let go of the examples, and forget those whose coefficients have returned to 0."""
        if self.climb is not None:
            self.reuse = self.climb.reuse or self.reuse
        super().finish()
        self.climb = None
        needless = np.flatnonzero(~self.learned.v.any(axis=1))
        if needless.size:
            self.release(needless)

    def holding(self, learned: KernelExpansion) -> Self:
        """Return a model that differs in nothing but a copy of what was learned."""
        other = super().holding(learned)
        if self.climb is not None and other.visited is not None:
            other.climb = self.climb.of(other.visited)
        return other
