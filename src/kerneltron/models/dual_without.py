"""Many tasks in dual form, each about a column of the rows, which it must do without."""

from typing import Any

import numpy as np

from kerneltron._types import Floats, Integers, Trace
from kerneltron.engine.dual import Block
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.without import Removable, check_removable
from kerneltron.models.dual_form import DualForm
from kerneltron.models.dual_walk import DualWalk
from kerneltron.models.kernel_expansion import PIECE, KernelExpansion
from kerneltron.models.model import Model
from kerneltron.models.overflow import product


class ExpansionWithout(KernelExpansion):
    """Vectors of which number m has the kernel without column m of the rows."""

    def products(self, pack: Pack, slots: Integers, coefficients: Floats) -> Floats:
        """Return the products of each vector with the examples, without its own column."""
        total = np.zeros((len(pack), self.columns))
        total += self.bias**2 * coefficients.sum(axis=0)
        rows = Removable(self.kernel, pack)
        for part, support in self.examples.pieces(slots, PIECE):
            others = Removable(self.kernel, support)
            products = rows.products(others)
            for m in range(self.columns):
                there = np.flatnonzero(coefficients[part, m])
                if there.size:
                    gram = rows.gram(others, products, m, there)
                    total[:, m] += product(gram, coefficients[part, m][there])
        return total


class WalkWithout(DualWalk):
    """A walk in which each column computes its own Gram matrix, from inner products that all share."""

    def walk(self, pack: Pack, order: Integers, block: Block, trace: Trace, mistakes: Integers) -> None:
        """Walk through a block, column by column."""
        learned = self.learned
        rows = Removable(learned.kernel, pack)
        products, everyone = rows.products(rows), np.arange(len(pack))
        for m in range(learned.columns):
            if not block.labels[:, m].any():
                continue
            rest = rows.without(m)
            q = learned.kernel.diag(rest) + learned.bias**2 + learned.delta**2
            gram = rows.gram(rows, products, m, everyone)
            mine = block._replace(first=m, end=m + 1, q=q, own=gram, known=everyone)
            self.walk_with(gram.__getitem__, mine, trace, mistakes)


class DualWithout(DualForm):
    """Column m has the kernel without column m of the rows.

    The tasks share the inner products of the rows; what follows from these, each computes on its own, and of
    the remembered examples only for those that it learned from. Scores are not kept between passes.
    """

    form = "without"
    expands = ExpansionWithout
    frozen = Model.frozen

    def __init__(self, rule: Any, kernel: Any, columns: int, **options: Any) -> None:
        check_removable(kernel)
        super().__init__(rule, kernel, columns, **options)

    def begin(self, rows: Pack) -> None:
        """Take the examples that the next visits belong to."""
        self.visited = WalkWithout(self.learned, self.rule, rows, self.working_memory, keeps_scores=False)

    def scores_of_vectors(self, pack: Pack) -> Floats:
        """Return the products of the vectors that predict with some examples."""
        return self.learned.products(pack, *self.support())
