"""What a learner with a budget keeps of each place: the features of a sketch first, then its examples."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from kerneltron._types import Floats
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.models import holdings
from kerneltron.models.compared import can_be_compared, seen, unchanged
from kerneltron.models.factor import Factor
from kerneltron.models.late import ColumnOrigin
from kerneltron.models.policy import Policy, is_gaussian_over_rows

UNBOUNDED = 2**62


class Places:
    """The budget, the policy, and what this one needs to know of each place.

    Parameters
    ----------
    kernel, columns
        As for `ExpansionModel`.
    policy
        What happens when the budget is spent.
    budget
        Number of examples; None where the policy alone decides which are remembered.
    keeps_gram
        Whether the rule or the policy needs the Gram matrix of the places.

    Attributes
    ----------
    holdings
        Arrays with an entry per place.
    factor
        The Cholesky factor of the Gram matrix, for policies that solve systems.
    dropped
        Number of examples that were forgotten so far.
    """

    def __init__(
        self, kernel: Kernel, columns: int, policy: Policy, budget: int | None, keeps_gram: bool
    ) -> None:
        self.kernel, self.policy, self.budget, self.keeps_gram = kernel, policy, budget, keeps_gram
        self.features = policy.features
        self.holdings = holdings.nothing_yet(self.features, columns)
        self.factor = Factor()
        self.dropped = 0
        self._compares = isinstance(kernel, Gaussian) and is_gaussian_over_rows(kernel) and not policy.solves

    @property
    def most(self) -> int:
        """The most places that are ever taken: one more than the budget has, until room is made."""
        return UNBOUNDED if self.budget is None else self.features + self.budget + 1

    def make_room(self, places: int) -> None:
        """Let arrays have room for this many places."""
        self.holdings = holdings.with_room(self.holdings, places, self.most, self.keeps_gram)

    def are_compared(self, packs: Sequence[Pack]) -> bool:
        """Return whether compiled code compares these examples itself."""
        return self._compares and can_be_compared(self.gaussian, packs)

    def seen(self, pack: Pack) -> Any:
        """Return the rows whose distances the kernel sees, for policies that work on these."""
        return seen(self.gaussian, pack).X

    def sketched(self, pack: Pack) -> Floats:
        """Return the features of the sketch, one row per example."""
        features: Floats = self.policy.sketch(unchanged(self.gaussian, self.seen(pack)))
        return features

    @property
    def gaussian(self) -> Gaussian:
        """The kernel, where the policy or compiled code needs it to be a Gaussian one."""
        assert isinstance(self.kernel, Gaussian)
        return self.kernel

    def regroup(self, column_origins: list[ColumnOrigin]) -> None:
        """Rearrange the columns; what forgetting has cost a late class is what it cost the others."""
        spent = self.holdings.spent
        mean = float(spent.mean())
        late = [spent[column] if column >= 0 else mean for column, _ in column_origins]
        self.holdings = self.holdings._replace(spent=np.array(late))

    def copy(self) -> Self:
        """Return an independent copy."""
        other = type(self)(self.kernel, self.holdings.spent.size, self.policy, self.budget, self.keeps_gram)
        other.holdings, other.factor = holdings.copied(self.holdings), self.factor.copy()
        other.dropped = self.dropped
        return other
