"""What all models in dual form know and predict by: remembered examples and their coefficients."""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from kerneltron._matrices import stacked
from kerneltron._types import Floats, Integers, Weights
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.threads import one_blas_thread
from kerneltron.kernels.vectors import KEY, vectors
from kerneltron.models.expansion import Expansion
from kerneltron.models.frozen import OfExamples
from kerneltron.models.kernel_expansion import PIECE, VISITS, KernelExpansion
from kerneltron.models.kernel_values import KernelValues
from kerneltron.models.model import Model
from kerneltron.models.overflow import finite
from kerneltron.models.representation import RESERVED
from kerneltron.models.support_set import SupportSet


class ExpansionModel(Model):
    """A model whose vectors are a kernel expansion.

    Parameters
    ----------
    rule
        What moves the vectors.
    kernel
        What an inner product is.
    columns
        Number of vectors.
    bias
        Value of the constant feature.
    hypothesis
        The name of what predicts.
    delta
        delta^2 is added to k(x_i, x_i) where both are the same example (never for equal ones).
    working_memory
        Bytes that may be used beyond the examples, those that are remembered, and their coefficients.
    seed
        For hypotheses that draw.
    features
        Number of features that vectors have besides the remembered examples.

    Attributes
    ----------
    learned
        The remembered examples and their coefficients.
    """

    expands: ClassVar[type[KernelExpansion]] = KernelExpansion

    def __init__(
        self,
        rule: Any,
        kernel: Kernel,
        columns: int,
        *,
        bias: float,
        hypothesis: str,
        delta: float = 0.0,
        working_memory: int = 2**28,
        seed: int = 0,
        features: int = 0,
    ) -> None:
        super().__init__(rule, bias=bias, hypothesis=hypothesis, seed=seed)
        self.kernel, self.delta = kernel, delta
        self.working_memory, self.features = working_memory, features
        sums = self.hypothesis.keeps_sums
        self.learned = self.expands(
            rule, kernel, columns, bias=bias, delta=delta, keeps_sums=sums, features=features
        )
        self._offsets: Floats | None = None  # worked out when first needed

    @property
    def learned_kernel(self) -> Kernel:
        """The kernel that it learned with."""
        return self.kernel

    @property
    def visits_at_a_time(self) -> int:
        """Number of visits that are made at a time, and of examples that are scored at a time."""
        return self.learned.visits_at_a_time

    @property
    def remembered(self) -> SupportSet:
        """The remembered examples."""
        return self.learned.examples

    @property
    def values(self) -> KernelValues:
        """The source of kernel values."""
        return self.learned.values

    @property
    def weights(self) -> Weights:
        """Its coefficients, as weights whose features are the remembered examples."""
        return self.learned.weights

    @property
    def constants(self) -> Weights:
        """What late classes began with: the constant feature alone, which no example is."""
        return self.learned.constants

    @property
    def columns(self) -> int:
        """Number of vectors: one per class, one for two classes."""
        return self.learned.columns

    @property
    def count(self) -> int:
        """Number of remembered examples."""
        return self.learned.count

    @property
    def dtype(self) -> Any:
        """None: a kernel takes rows in their own precision."""
        return None

    def support(self) -> tuple[Integers, Floats]:
        """Return which examples predict, and their coefficients, one row each."""
        coefficients = self.all_coefficients()
        there = np.flatnonzero(coefficients.any(axis=1))
        return there, coefficients[there]

    def coefficients(self) -> Floats:
        """Return the coefficients of the examples that predict, one row each."""
        if self.hypothesis.keeps_moves:
            raise AttributeError(
                f"A {self.hypothesis.name} of many vectors has no single one, so no coefficients: use "
                "hypothesis='average'."
            )
        return self.support()[1]

    def all_coefficients(self) -> Floats:
        """Return one row of coefficients per remembered example; where moves are kept, 1 if it has a say."""
        if self.hypothesis.keeps_moves:
            return self.hypothesis.has_say(self.count, self.columns)
        vectors = self.vectors()[self.features :]
        if len(vectors) == self.count:
            return vectors
        # The random hypothesis may be older than some of the examples.
        return np.pad(vectors, ((0, self.count - len(vectors)), (0, 0)))

    def support_vectors(self) -> Any:
        """Return the rows of the examples that predict, as a matrix."""
        slots, _ = self.support()
        if not self._keeps_rows():
            raise AttributeError(
                f"{self.kernel} does not keep the rows themselves, so they cannot be shown: see support_."
            )
        parts = [vectors(pack).X for _, pack in self.remembered.pieces(slots, max(1, slots.size))]
        return stacked(parts) if parts else np.empty((0, 0))

    def weight_of(self, feature: Callable[[Any], Floats]) -> Floats:
        """Return the weight of a feature, one number per column; `feature` gives its value for some rows."""
        self.coefficients()  # raises for a vote
        slots, coefficients = self.support()
        weight = np.zeros(self.columns)
        if not self._keeps_rows():
            raise ValueError(
                f"{self.kernel} does not keep the rows themselves, which features are read from: use "
                "representation='primal'."
            )
        for part, pack in self.remembered.pieces(slots, PIECE):
            weight += feature(vectors(pack).X) @ coefficients[part]
        return weight

    def _keeps_rows(self) -> bool:
        return all(KEY in pack.parts for pack in self.remembered.memory.packs)

    def offsets(self) -> Floats:
        """Return what is added to all scores, one number per column; 0 but for late classes."""
        if self._offsets is None:
            self._offsets = self.offsets_of_constants()
        return self._offsets

    def offsets_of_constants(self) -> Floats:
        """Work out what is added to all scores."""
        offsets: Floats = self.hypothesis.offsets(self.constants)[0]
        return offsets

    def predict_by(self, vectors: Floats | None, offsets: Floats | None = None) -> None:
        """Predict by vectors, and offsets, that do not follow from the weights."""
        super().predict_by(vectors)
        self._offsets = offsets

    def forget_vectors(self) -> None:
        """Let the vectors, and what is added to scores, follow from the weights as they are now."""
        super().forget_vectors()
        self._offsets = None

    def restart_average(self) -> None:
        """Let the hypothesis know, before the second pass, that the first one is over."""
        with self.shown.lock:
            self.forget_vectors()
            self.hypothesis.restart_average([self.weights, self.constants])

    # -- predicting ----------------------------------------------------------------------------------

    def read(self, X: Any) -> Pack:
        """Make examples ready to be compared."""
        return self.kernel.pack(X)

    def scores(self, X: Any) -> Floats:
        """Return one score per example and column; only examples with coefficients are compared with."""
        return self.scores_of(self.read(X))

    def scores_of(self, pack: Pack) -> Floats:
        """Return the scores of examples that are ready to be compared."""
        score = self._scores_of_moves if self.hypothesis.keeps_moves else self.scores_of_vectors
        size = self.visits_at_a_time
        with one_blas_thread():
            if 0 < len(pack) <= size:
                products = score(pack)
            else:
                nothing = np.empty((0, self.columns))
                products = np.concatenate([nothing, *map(score, in_blocks(pack, size))])
        return finite(products + self.offsets())

    def scores_of_vectors(self, pack: Pack) -> Floats:
        """Return the products of the vectors that predict with some examples."""
        return self.expansion().products(pack)

    def _scores_of_moves(self, pack: Pack) -> Floats:
        (slots, _), parts = self.support(), []
        rows = max(1, (self.working_memory - RESERVED) // (16 * (self.count + 1)))
        for part in in_blocks(pack, min(VISITS, rows)):
            products = np.zeros((len(part), self.count))
            for where, support in self.remembered.pieces(slots, PIECE):
                products[:, slots[where]] = self.values.block(part, support) + self.bias**2
            began = np.zeros((len(part), self.columns))
            parts.append(self.hypothesis.scores(products, began, self.weights.clock))
        return np.concatenate(parts)

    def frozen(self) -> Callable[[Any], Floats]:
        """Return a function that scores examples as this model does now."""
        if self.hypothesis.keeps_moves or self.features:
            return super().frozen()
        expansion = self.learned.expansion(*self.support(), is_kept=True)
        return OfExamples(self.kernel, expansion, self.offsets().copy())

    def expansion(self) -> Expansion:
        """Return the vectors that predict, made ready once, as long as they stay."""
        return self.shown.made_of(self.vectors(), self._expanded)

    def _expanded(self) -> Expansion:
        slots, coefficients = self.support()
        # Some of the examples are a copy of these, unlike all of them.
        is_kept = slots.size == self.count or self.remembered.size_of(slots) <= self.working_memory
        return self.learned.expansion(slots, coefficients, is_kept)

    def beside(self, pack: Pack) -> Floats:
        """Return the scores of examples by what is known beside remembered examples and the constant."""
        return np.zeros((len(pack), self.columns))


def in_blocks(pack: Pack, rows: int) -> Iterator[Pack]:
    """Yield the examples in order, some at a time."""
    return (pack[first : first + rows] for first in range(0, len(pack), rows))
