"""A learner in dual form that remembers every example that moves a vector."""

from kerneltron.kernels.pack import Pack
from kerneltron.models.dual_form import DualForm
from kerneltron.models.dual_walk import DualWalk


class Dual(DualForm):
    """Vectors that are sums of remembered examples, in `columns` columns; see `ExpansionModel`.

    The walk is exact: it decides as the sequential algorithm does, mistake for mistake.
    """

    form = "dual"
    visited: DualWalk | None

    def begin(self, rows: Pack) -> None:
        """Take the examples that the next visits belong to."""
        self.visited = DualWalk(self.learned, self.rule, rows, self.working_memory)

    def expect(self, passes: float) -> None:
        """Keep rows of kernel values for later passes, where they cost more to compute than to keep."""
        assert self.visited is not None
        self.visited.expect(passes, self.working_memory)
