"""A learner in dual form that remembers at most a given number of examples, and revises what it holds."""

from typing import Any, NoReturn, Self

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.engine.declared import declared
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.models import holdings
from kerneltron.models.budgeted_walk import BudgetedWalk
from kerneltron.models.dual_form import DualForm
from kerneltron.models.expansion_model import in_blocks
from kerneltron.models.kernel_expansion import VISITS, KernelExpansion
from kerneltron.models.late import ColumnOrigin
from kerneltron.models.overflow import finite, scored
from kerneltron.models.places import Places
from kerneltron.models.policy import Policy
from kerneltron.models.weights import current, settle

LEAST, MOST = 64, 512  # visits that are made at a time: powers of two, so that 1,024 of them are whole blocks


class Budgeted(DualForm):
    """Vectors that are sums of at most `budget` remembered examples.

    Parameters
    ----------
    rule, kernel, columns
        As for `ExpansionModel`.
    policy
        What happens when the budget is spent.
    budget
        Number of examples; None where the policy alone decides which are remembered.
    options
        What else `ExpansionModel` takes.

    Attributes
    ----------
    places
        What the policy keeps of each place.
    lacks_sums
        Whether the sums lack those of what was dropped: so it is in older files.
    """

    form = "budgeted"
    refuses_mixing = (
        "models with a budget cannot be merged: together they remember more than it allows. Train them with "
        "a map such as Nystrom(500), whose weights can be mixed."
    )
    visited: BudgetedWalk | None

    def __init__(
        self, rule: Any, kernel: Kernel, columns: int, *, policy: Policy, budget: int | None, **options: Any
    ) -> None:
        super().__init__(rule, kernel, columns, features=policy.features, **options)
        self.policy, self.budget = policy, budget
        keeps_gram = policy.keeps_gram or declared(rule).reads_norm
        self.places = Places(kernel, columns, policy, budget, keeps_gram)
        self.lacks_sums = False

    @property
    def holdings(self) -> holdings.Holdings:
        """What it keeps of each place, without room for more."""
        return holdings.trimmed(self.places.holdings, np.arange(self.learned.places))

    @property
    def visits_at_a_time(self) -> int:
        """How many visits are made at a time: about as many as are remembered."""
        if self.visited is not None and self.visited.are_compared(self.visited.rows):
            return 2 * VISITS
        return max(1, min(VISITS, MOST, max(LEAST, 1 << ((self.budget or MOST) - 1).bit_length())))

    def check_tracing(self) -> None:
        """Raise: what is held is revised, too."""
        raise ValueError(
            "a learner with a budget also revises what it remembers: its updates are not of the form "
            "shrink * w + step * x, and cannot be traced."
        )

    # -- learning ------------------------------------------------------------------------------------

    def begin(self, rows: Pack) -> None:
        """Take the examples that the next visits belong to."""
        if self.lacks_sums:  # let the mean begin with the vectors of now
            self.forget_vectors()
            for each in (self.weights, self.constants):
                settle(each)
            self.lacks_sums = False
        self.visited = BudgetedWalk(self.learned, self.rule, rows, self.places)

    def release(self, slots: Integers) -> NoReturn:
        """Raise: the policy alone decides who is forgotten."""
        raise RuntimeError("a learner with a budget releases examples itself.")

    # -- predicting ----------------------------------------------------------------------------------

    @property
    def _averages_constant(self) -> bool:
        """Whether the constant feature alone has a mean, as it is all that no example is needed for."""
        return self.hypothesis.keeps_sums and self.places.dropped > 0 and not self.lacks_sums

    def vectors_of_weights(self) -> Floats:
        """Return what predicts, one row per place; once examples were dropped, the vectors as they are now.

        The mean of the coefficients that are left would lack all that was dropped: it is of no use.
        """
        return current(self.weights) if self._averages_constant else super().vectors_of_weights()

    def offsets_of_constants(self) -> Floats:
        """Return what is added to all scores; once examples were dropped, it makes the constant its mean."""
        offsets = super().offsets_of_constants()
        if self._averages_constant:
            mean = self.hypothesis.vectors(self.weights)
            offsets = offsets + self.bias**2 * (mean - current(self.weights)).sum(axis=0)
        return offsets

    def restart_average(self) -> None:
        """Let the hypothesis know that the first pass is over, unless there is only a constant to average.

        That of the last vector alone is what the mean is to smooth.
        """
        if not self._averages_constant:
            super().restart_average()

    def scores_of(self, pack: Pack) -> Floats:
        """Return the scores by what is remembered and by what lives on in a sketch."""
        if not self.features:
            return super().scores_of(pack)
        slots, coefficients = self.support()
        parts = [
            self.learned.products(part, slots, coefficients) + self.beside(part)
            for part in in_blocks(pack, VISITS)
        ]
        return finite(np.concatenate([np.empty((0, self.columns)), *parts]) + self.offsets())

    def beside(self, pack: Pack) -> Floats:
        """Return the scores of examples by what lives on in a sketch."""
        if not self.features:
            return super().beside(pack)
        kept = self.vectors()[: self.features]
        return scored(self.places.sketched(pack), kept, np.zeros(self.columns))

    # -- columns, copies -----------------------------------------------------------------------------

    def regroup(self, column_origins: list[ColumnOrigin]) -> None:
        """Rearrange the coefficients, and what the policy keeps of columns."""
        super().regroup(column_origins)
        self.places.regroup(column_origins)

    def successor(self) -> Self:
        """Return a copy: any of the coefficients may change, and there are few of them."""
        return self.copy()

    def holding(self, learned: KernelExpansion) -> Self:
        """Return a model that differs in nothing but a copy of what was learned."""
        other = super().holding(learned)
        other.places = self.places.copy()
        if other.visited is not None:
            other.visited.places = other.places
        return other
