"""Many tasks in dual form, each about a column of the rows, which it must do without."""

from typing import Any

import numpy as np

from kerneltron._types import Floats, Integers, Trace
from kerneltron.engine.dual import Block
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.without import Removable, check_removable
from kerneltron.models.dual import PIECE, Dual
from kerneltron.models.model import Model
from kerneltron.models.overflow import product


class DualWithout(Dual):
    """Column m has the kernel without column m of the rows.

    The tasks share the inner products of the rows; what follows from these, each computes on its own, and of
    the remembered examples only for those that it learned from. Scores are not kept between passes.
    """

    form = "without"

    def __init__(self, rule: Any, kernel: Any, columns: int, **options: Any) -> None:
        check_removable(kernel)
        super().__init__(rule, kernel, columns, **options)

    def begin(self, rows: Pack) -> None:
        """Take the examples that the next visits belong to."""
        super().begin(rows)
        self._is_cached = False
        self._state = self._state._replace(cached=np.empty((self.columns, 0)))

    def _walk(self, pack: Pack, order: Integers, block: Block, trace: Trace, mistakes: Integers) -> None:
        rows = Removable(self.kernel, pack)
        products, everyone = rows.products(rows), np.arange(len(pack))
        for m in range(self.columns):
            if not block.labels[:, m].any():
                continue
            rest = rows.without(m)
            q = self.kernel.diag(rest) + self.bias**2 + self.delta**2
            gram = rows.gram(rows, products, m, everyone)
            mine = block._replace(first=m, end=m + 1, q=q, own=gram, known=everyone)
            self._walk_with(gram.__getitem__, mine, trace, mistakes)

    frozen = Model.frozen

    def _scores_of_vectors(self, pack: Pack) -> Floats:
        return self._products(pack, *self.support())

    def _products(self, pack: Pack, slots: Integers, coefficients: Floats) -> Floats:
        total = np.zeros((len(pack), self.columns))
        total += self.bias**2 * coefficients.sum(axis=0)
        rows = Removable(self.kernel, pack)
        for part, support in self.remembered.pieces(slots, PIECE):
            others = Removable(self.kernel, support)
            products = rows.products(others)
            for m in range(self.columns):
                there = np.flatnonzero(coefficients[part, m])
                if there.size:
                    gram = rows.gram(others, products, m, there)
                    total[:, m] += product(gram, coefficients[part, m][there])
        return total
