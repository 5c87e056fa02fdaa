"""Examples are merged: two become one that stands between them."""

from functools import cache
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.kernels.kernel import Kernel
from kerneltron.models.policy import Policy, refusal_of_others

GRID = 33, 9, 97  # shares, cosines and distances of the table
FARTHEST = 12.0  # -log k(a, b): beyond that nothing of the lighter one is kept
WEIGHTS = 65  # that are tried for each entry of the table: the loss is flat around the best


class Merge(Policy):
    """Merge the example that weighs least with the one for which least is lost."""

    name = "merge"
    brief = "the one that weighs least is merged with another"
    keeps_gram = True
    mixes = True

    @classmethod
    def refusal(cls, kernel: Kernel, rule_type: Any, delta: Any) -> str:
        """Say that it takes Gaussian kernels, and rules that do not look at ||w||."""
        from kerneltron.engine.declared import declared

        if declared(rule_type).reads_norm:
            return (
                "when_full='merge' changes the length of the vectors, which the learner looks at: use "
                "`when_full='project'` or 'smallest'."
            )
        return refusal_of_others(cls.name, "merges examples", kernel, delta)

    def way(self, dtype: Any) -> Any:
        """Return what the engine chooses its code by."""
        from kerneltron.engine.budgets import merge

        return merge.Merge(losses(), FARTHEST, np.empty((2, merge.CANDIDATES)))


@cache
def losses() -> Floats:
    """Return what the best merge of two examples loses, as a part of the lighter one's squared length.

    By the share of the lighter one in the sum of both lengths (0 to 1/2), by the cosine between the
    coefficients of both (-1 to 1; for one column it is one of these), and by -log k(a, b); see
    `engine.budgets.merge`.

    Examples
    --------
    >>> table = losses()
    >>> float(table[..., 0].max()), float(table[..., -1].min().round(2))  # equal, and far from each other
    (0.0, 1.0)
    """
    share = np.linspace(0, 0.5, GRID[0])[1:, None, None]
    cosine = np.linspace(-1, 1, GRID[1])[None, :, None]
    distance = np.linspace(0, FARTHEST, GRID[2])[None, None, :]
    kept = np.zeros((GRID[0] - 1, *GRID[1:]))
    for h in np.linspace(0, 0.5, WEIGHTS):
        mine = share * np.exp(-((1 - h) ** 2) * distance)
        other = (1 - share) * np.exp(-(h**2) * distance)
        np.maximum(kept, mine**2 + 2 * cosine * mine * other + other**2, out=kept)
    both = share**2 + (1 - share) ** 2 + 2 * share * (1 - share) * cosine * np.exp(-distance)
    table = np.empty(GRID)
    table[0] = 1 - np.exp(-2 * distance[0])  # a small one is projected onto the other
    table[1:] = np.maximum(both - kept, 0.0) / share**2
    return table
