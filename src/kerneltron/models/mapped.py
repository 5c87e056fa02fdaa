"""A learner in the features of a map, exact or approximate: blocks of rows are mapped as they are visited."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kerneltron._types import Floats, Integers, Trace, Visits
from kerneltron.models.dense_blocks import pays
from kerneltron.models.frozen import OfFeatures
from kerneltron.models.overflow import scored
from kerneltron.models.primal import Primal

ENTRIES = 2**21  # mapped numbers that are held at a time
ROWS = 2048  # rows that are mapped at a time: products of fewer are slower


class Mapped(Primal):
    """Weights for the features of `map`, which takes examples to rows of `map.width` numbers."""

    form = "mapped"
    takes_sparse_rows = False

    def __init__(self, rule: Any, map: Any, columns: int, **options: Any) -> None:
        super().__init__(rule, int(map.width), columns, **options)
        self.map = map
        self._X: Any = None
        self._folded: tuple[Floats, Any, Floats] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether it holds examples."""
        return self._X is not None

    @property
    def depends_on_cuts(self) -> bool:
        """Whether the last digits of matrix products do, in the map or in blocks of its dense rows."""
        return self.map.is_of_products or pays(self.rule, self.weights, ROWS) or super().depends_on_cuts

    @property
    def learned_kernel(self) -> Any:
        """The kernel of the map."""
        return self.map.kernel

    @property
    def inputs(self) -> int | None:
        """As many as the map takes."""
        inputs: int | None = self.map.inputs
        return inputs

    def read(self, X: Any) -> Any:
        """Return the examples as the map takes them: all of them, mapped, might not fit."""
        return self.map.read(X)

    def begin(self, rows: Any) -> None:
        """Take the examples that the next visits belong to."""
        self._X = rows

    def step(self, visits: Visits, trace: Trace) -> int:
        """Map some rows and visit them, block by block; return the mistakes."""
        mistakes = 0
        for part in self._parts(visits.order.size):
            self._rows = super().read(self._mapped(self._X[visits.order[part]]))
            order = np.arange(visits.order[part].size)
            some = Visits(order, visits.codes[part], visits.importance[part])
            own = Trace._make(array[part] for array in trace)
            if trace.asked.size:
                own = own._replace(asked=order)
            mistakes += super().step(some, own)
        return mistakes

    def remember(self, order: Integers, moved: Integers) -> Integers:
        """Keep mapped rows that moved a vector; return their places."""
        return self._remembered.remember(lambda new: self._mapped(self._X[new]), order, moved)

    def finish(self) -> None:
        """Let go of the examples."""
        super().finish()
        self._X = None

    def scores(self, X: Any) -> Floats:
        """Return one score per row of X and column."""
        examples = self.map.read(X)
        count = examples.shape[0] if hasattr(examples, "shape") else len(examples)
        parts = [self._scores(examples[part]) for part in self._parts(count)]
        return np.concatenate([np.empty((0, self.columns)), *parts])

    def _scores(self, examples: Any) -> Floats:
        if self.hypothesis.keeps_moves:
            return super().scores(self._mapped(examples))
        phi, vectors = self.folded()
        return scored(self._checked(phi.mapped, examples), vectors[: self.width], vectors[-1])

    def frozen(self) -> Callable[[Any], Floats]:
        """Return a function that scores examples as this model does now."""
        if self.hypothesis.keeps_moves:
            return super().frozen()
        phi, vectors = self.folded()
        w = vectors.copy()
        return OfFeatures(phi, w[: self.width], w[-1])

    def current_scores(self, places: Integers) -> Floats:
        """Return what predicts now of some examples of this call, one score per example and column."""
        parts = [self._scores(self._X[places[part]]) for part in self._parts(places.size)]
        return np.concatenate([np.empty((0, self.columns)), *parts])

    def folded(self) -> tuple[Any, Floats]:
        """Return a map and vectors that predict as these do, at the least cost; the last is the constant."""
        w, folded = self.vectors(), self._folded
        if folded is None or folded[0] is not w:
            phi, vectors = self.map.folded(w[: self.width])
            self._folded = folded = w, phi, np.concatenate([vectors, w[-1:]])
        return folded[1:]

    def _mapped(self, examples: Any) -> Floats:
        return self._checked(self.map.mapped, examples)

    def _checked(self, features: Callable[[Any], Floats], examples: Any) -> Floats:
        """Return features of some examples; raise where they are too large to be learned from."""
        with np.errstate(over="ignore", invalid="ignore"):
            rows = np.ascontiguousarray(features(examples), self.dtype)
            if np.isfinite(np.einsum("ij,ij->i", rows, rows)).all():
                return rows
        raise ValueError(
            f"the features of the kernel are beyond what {self.dtype} can square: use kernel.normalized(), "
            "representation='dual', or scale the rows down."
        )

    def _parts(self, rows: int) -> Iterator[slice]:
        size = max(1, min(ROWS, ENTRIES // max(self.width, 1)))
        return (slice(first, first + size) for first in range(0, rows, size))
