"""New examples are projected onto those that are remembered: Projectron, and Projectron++ with a margin."""

from math import inf
from typing import Any

import numpy as np

from kerneltron.maps.nystrom import SPANNED
from kerneltron.models.policy import Policy


class Project(Policy):
    """Add a new example as the nearest combination of those that are remembered."""

    name = "project"
    brief = "new ones are projected onto those that are there: Projectron, with a margin Projectron++"
    solves = True

    def way(self, dtype: Any) -> Any:
        """Return what the engine chooses its code by."""
        from kerneltron.engine.budgets import project

        return project.Project(inf if self.eta is None else float(self.eta), SPANNED[np.dtype(dtype)])
