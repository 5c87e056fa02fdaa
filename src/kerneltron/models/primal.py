"""A learner in primal form: a rule, and the weights it has moved so far."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self

import numpy as np

from kerneltron._bounds import check_rows, check_visits, check_weights
from kerneltron._matrices import as_rows, take, used, with_own_features
from kerneltron._types import Dense, Floats, Integers, Rows, Sparse, Trace, Visits, Weights
from kerneltron.engine.columns import UNKNOWN
from kerneltron.engine.declared import declared
from kerneltron.engine.loops import has_own_loop, loop_of
from kerneltron.models.dense_blocks import LENGTH, pays, visit_in_blocks
from kerneltron.models.frozen import OfWeights
from kerneltron.models.late import ColumnOrigin, are_late, beginning, rearranged
from kerneltron.models.model import Model
from kerneltron.models.overflow import fits, overflow, scored
from kerneltron.models.remembered import Remembered
from kerneltron.models.shared_vectors import SharedVectors
from kerneltron.models.undo import Undo
from kerneltron.models.weights import at, blank, current, measure, narrowed, regroup, widened
from kerneltron.models.weights import copy as copy_weights

PRODUCTS = 2**23  # inner products with remembered rows that are held at a time: 64 MB


class Primal(Model):
    """Weights for `width` features and a constant one of value `bias`, in `columns` columns.

    Parameters
    ----------
    start
        Standard deviation of random initial weights.
    delta
        Value of a feature that each example has alone. The weights of these features are there only as long
        as the rows of a call are: no later example has them.
    seed
        For the initial weights and the random hypothesis.
    """

    form = "primal"
    blocks = 16
    takes_sparse_rows = True

    def __init__(
        self,
        rule: Any,
        width: int,
        columns: int,
        *,
        dtype: Any,
        bias: float,
        hypothesis: str,
        start: float = 0.0,
        delta: float = 0.0,
        seed: int = 0,
    ) -> None:
        super().__init__(rule, bias=bias, hypothesis=hypothesis, seed=seed)
        self.width, self.delta = width, delta
        self._weights = blank(rule, width + 1, columns, dtype, self.hypothesis.keeps_sums)
        if start:
            noise = np.random.default_rng(seed).standard_normal(self.weights.v.shape)
            noise[-columns:] *= bias
            self.weights.v[:] = start * noise
            measure(self.weights)
        self._rows: Rows | None = None  # of this call
        if self.hypothesis.keeps_moves:
            self._start = current(self.weights)
            self._remembered = Remembered(bias)

    @property
    def is_busy(self) -> bool:
        """Whether it holds rows."""
        return self._rows is not None

    @property
    def depends_on_cuts(self) -> bool:
        """Whether the hypothesis remembers rows; sparse rows are visited one by one."""
        return self.hypothesis.keeps_moves

    @property
    def shows_averages(self) -> bool:  # type: ignore[override]
        """Whether the loop of its rule does."""
        return not declared(self.rule).is_multiplicative and not declared(self.rule).ascends

    @property
    def shows_predictions(self) -> bool:  # type: ignore[override]
        """Whether the loop of its rule does."""
        return self.shows_averages

    @property
    def cut(self) -> int:
        """Visits after whose multiples a call can be cut: wide dense rows are learned in blocks."""
        if self.depends_on_cuts:
            return 0
        return LENGTH if not self._is_sparse() and pays(self.rule, self.weights, LENGTH) else 1

    def _is_sparse(self) -> bool:
        return isinstance(self._rows, Sparse)

    @property
    def learned_kernel(self) -> Any:
        """The linear one."""
        from kerneltron.kernels.linear import Linear

        return Linear()

    @property
    def weights(self) -> Weights:
        """Its weights."""
        return self._weights

    @property
    def inputs(self) -> int | None:
        """As many as it has weights."""
        return self.width

    @property
    def dtype(self) -> Any:
        """The precision of its weights."""
        return self.weights.v.dtype

    def read(self, X: Any) -> Rows:
        """View a matrix as rows."""
        return as_rows(with_own_features(X, self.delta) if self.delta else X, self.bias)

    def begin(self, rows: Rows) -> None:
        """Take the rows that the next visits belong to."""
        self._rows = rows
        if self.delta and isinstance(rows, Sparse):
            self._weights = widened(self.weights, self.rule, rows.starts.size - 1)
        if self.hypothesis.keeps_moves:
            self._remembered.begin()

    def step(self, visits: Visits, trace: Trace) -> int:
        """Visit some rows in the loop of the rule; return the mistakes."""
        rows, weights = self._rows, self.weights
        assert rows is not None
        columns = weights.scale.size
        features = weights.v.size // columns
        check_weights(weights, features)
        check_visits(visits, trace, check_rows(rows, features - 1), columns)
        if weights.drift.size and (weights.drift >= UNKNOWN).any():  # from an older file
            measure(weights)
        made = mistakes = 0
        is_watched = trace.average.size > 0 or trace.asked.size > 0
        if isinstance(rows, Dense) and not is_watched and pays(self.rule, weights, visits.order.size):
            made, mistakes = visit_in_blocks(self.rule, weights, rows, visits, trace)
        if 0 <= made < visits.order.size:
            if made:
                visits = Visits._make(array[made:] for array in visits)
                trace = Trace._make(array[made:] for array in trace)
            room = np.empty(columns)
            found = loop_of(self.rule)(self.rule, weights, rows, visits, trace, room)
            mistakes, made = mistakes + found, min(found, 0)
        if made < 0 or not fits(weights):
            raise overflow(self.dtype)
        return mistakes

    def remember(self, order: Integers, moved: Integers) -> Integers:
        """Keep rows that moved a vector; return their places."""
        rows = self._rows
        assert rows is not None
        return self._remembered.remember(lambda new: take(rows, new, self.width), order, moved)

    def finish(self) -> None:
        """Let go of the rows; what is remembered of them is a copy."""
        self._rows = None
        if self.delta:
            self.forget_vectors()
            self._weights = narrowed(self.weights, self.width)
            self.hypothesis.narrow(self.width)
        if self.hypothesis.keeps_moves:
            self._remembered.begin()

    def measure(self) -> None:
        """Recompute the norms that the additive loop keeps."""
        if not has_own_loop(self.rule):
            self._take_own_weights()
            measure(self.weights)

    def restart_average(self) -> None:
        """Let the hypothesis know, before the second pass, that the first one is over."""
        self._take_own_weights()
        with self._shown.lock:
            self.forget_vectors()
            self.hypothesis.restart_average([self.weights])

    def scores(self, X: Any) -> Floats:
        """Return one score per row of X and column."""
        if self.hypothesis.keeps_moves:
            return self._scores_of_moves(X)
        w = self.vectors()
        return scored(X, w[: self.width], w[-1])

    def frozen(self) -> Callable[[Any], Floats]:
        """Return a function that scores rows as this model does now."""
        if self.hypothesis.keeps_moves:
            return super().frozen()
        w = self.vectors().copy()
        return OfWeights(w[: self.width], w[-1])

    def current_scores(self, places: Integers) -> Floats:
        """Return what predicts now of some rows of this call, one score per row and column."""
        assert self._rows is not None
        return self._current_scores_of(self._rows, places)

    def _current_scores_of(self, rows: Rows, places: Integers) -> Floats:
        """Return what predicts of some rows, for which the weights are."""
        if isinstance(rows, Sparse) and self._follows_weights:
            entries = used(rows, places)
            # As cheap as rows are short: the vectors of all features may take a thousand times as long.
            w = self.hypothesis.vectors(at(self.weights, entries.features))
            return np.asarray(entries.times(w[:-1], places.size) + rows.bias * w[-1])
        width = rows.width if isinstance(rows, Dense) else self.weights.v.size // self.columns - 1
        X = take(rows, places, width)[:, : self.width]
        if self.hypothesis.keeps_moves:
            return self._scores_of_moves(X)
        w = self._vectors_of_rows()
        return scored(X, w[: self.width], w[-1])

    def _vectors_of_rows(self) -> Floats:
        """Return what predicts of rows as they are learned from."""
        return self.hypothesis.vectors(self.weights) if self._vectors is None else self._vectors

    @property
    def _follows_weights(self) -> bool:
        about = self.hypothesis
        return self._vectors is None and about.follows_weights and not about.keeps_moves and not self.delta

    def folded(self) -> tuple[Any, Floats]:
        """Return the map of its rows and what predicts of their features: for a file that only predicts."""
        return self.map, self.vectors()

    def _scores_of_moves(self, X: Any) -> Floats:
        parts: list[Floats] = [np.empty((0, self.columns))]
        rows = max(1, PRODUCTS // (self._remembered.count + 1))
        for first in range(0, X.shape[0], rows):
            part = X[first : first + rows]
            began = part @ self._start[:-1] + self.bias * self._start[-1]
            products = self._remembered.products(part)
            parts.append(self.hypothesis.scores(products, began, self.weights.clock))
        return np.concatenate(parts)

    def regroup(self, column_origins: list[ColumnOrigin]) -> None:
        """Rearrange the weights; a late class begins as `models.late` says."""
        self.forget_vectors()
        ticks = self.ticks
        begins = beginning(self.rule, self.bias, ticks)
        self._weights = regroup(self.weights, self.rule, column_origins, begins)
        if self.hypothesis.keeps_moves:
            left = rearranged(self._start * self.hypothesis.shrunk(self._start.shape[1]), column_origins)
            self._start = np.where(
                are_late(column_origins), left, rearranged(self._start, column_origins)
            ).astype(self.dtype)
        self.hypothesis.regroup(column_origins, ticks, begins)

    def copy(self) -> Self:
        """Return an independent copy."""
        other = self.successor()
        other._weights, other._shown = copy_weights(self.weights), SharedVectors()
        return other

    def lazy_copy(self) -> Self:
        """Return an independent copy: weights are copied by whichever of both learns."""
        if self.is_busy:
            return self.copy()
        other = self.successor()
        self._shown.are_lent = True
        other._shown = SharedVectors(are_lent=True)
        return other

    def _take_own_weights(self) -> None:
        """Copy weights that an independent model reads, before they change."""
        if self._shown.are_lent:
            self._weights, self._shown = copy_weights(self.weights), SharedVectors()

    def successor(self) -> Self:
        """Return a model that shares the weights with this one, until its visits end or fail."""
        other = self.twin(self._shown)
        if self.hypothesis.keeps_moves:
            other._remembered = self._remembered.copy()
        return other

    def with_weights(self, weights: Weights) -> Self:
        """Return a model that differs in its weights alone."""
        other = self.twin(SharedVectors())
        other._weights = weights
        return other

    @contextmanager
    def visiting(self, rows: Any, undo: bool = True) -> Iterator[None]:
        """Visit rows, and bring the weights back to what they were where anything fails."""
        self._take_own_weights()
        if not undo:
            with super().visiting(rows):
                yield
            return
        weights = self.weights
        # Only the columns of sparse rows are touched; with delta, rows have further ones.
        is_local = isinstance(rows, Sparse) and not self.delta
        before = Undo(weights, self.rule, rows if is_local else None)
        try:
            with super().visiting(rows):
                yield
        except BaseException:
            with self._shown.lock:
                before.restore(weights)
                self._shown.forget()
            raise
