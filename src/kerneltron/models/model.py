"""What the primal and the dual form of a learner have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Self

import numpy as np

from kerneltron._types import Floats, Integers, Trace, Visits, Weights
from kerneltron.engine.declared import declared
from kerneltron.engine.loops import has_own_loop
from kerneltron.models.hypotheses import hypothesis as hypothesis_of
from kerneltron.models.late import ColumnOrigin
from kerneltron.models.optimality import UNKNOWN, Optimality
from kerneltron.models.shared_vectors import SharedVectors


class Model(ABC):
    """A rule, what it has learned so far, and the hypothesis that predicts.

    A call reads rows, begins with them, learns from visits to them, and finishes.

    Parameters
    ----------
    rule
        One of the NamedTuples that `engine.update` knows, or that a form has a loop for.
    bias
        Value of the constant feature: 1 with an intercept, 0 without.
    hypothesis
        The name of what predicts: see `models.hypotheses`.
    seed
        For hypotheses that draw.
    """

    form: ClassVar[str]  # its name in a model file
    blocks: int  # of 512 visits that are best learned from at a time
    delta: float
    takes_sparse_rows: ClassVar[bool] = False  # as they are: no map and no kernel stands in between
    map: Any = None  # what takes examples to its features, where something does
    refuses_mixing: ClassVar[str] = ""  # why it cannot be mixed with others; empty where it can
    reshuffles: ClassVar[bool] = (
        False  # each pass has an order of its own, and no blocks that keep their rows
    )
    only_predicts = False  # it comes from a file that holds no more than that
    shows_averages = False  # `step` can tell what the mean of all vectors says of each row
    shows_predictions = False  # `step` fills in `Trace.predictions`

    def __init__(self, rule: Any, *, bias: float, hypothesis: str, seed: int) -> None:
        self.rule = rule
        self.bias = bias
        self.hypothesis = hypothesis_of(hypothesis)(seed)
        self._vectors: Floats | None = None  # where they do not follow from the weights
        self._shown = SharedVectors()

    @property
    @abstractmethod
    def is_busy(self) -> bool:
        """Whether it holds rows of a call that has not ended."""

    @property
    @abstractmethod
    def weights(self) -> Weights:
        """What it has learned, one column per class."""

    @property
    def constants(self) -> Weights | None:
        """What it has learned of the constant feature; None where that is the last of the weights."""
        return None

    @property
    @abstractmethod
    def depends_on_cuts(self) -> bool:
        """Whether how visits are cut into calls shows: in the order of what it remembers, or a last digit."""

    @property
    def cut(self) -> int:
        """Visits after whose multiples a call can be cut and nothing shows; 0 where it always may."""
        return 0

    @property
    @abstractmethod
    def learned_kernel(self) -> Any:
        """The kernel that it learned with, which the parameter may no longer be."""

    @property
    def inputs(self) -> int | None:
        """Number of columns of the rows that it takes; None where that is the rows' own affair."""
        return None

    @property
    def columns(self) -> int:
        """Number of vectors: one per class, one for two classes."""
        return self.weights.scale.size

    @property
    def ticks(self) -> int:
        """How many examples it has seen."""
        return int(self.weights.clock.max())

    @property
    @abstractmethod
    def dtype(self) -> Any:
        """The precision that rows are read in; None where that is the rows' own affair."""

    @abstractmethod
    def read(self, X: Any) -> Any:
        """Make rows ready to be learned from."""

    @abstractmethod
    def begin(self, rows: Any) -> None:
        """Take the rows that the next visits belong to."""

    @contextmanager
    def visiting(self, rows: Any, undo: bool = True) -> Iterator[None]:
        """Begin with some rows, and finish in the end; where anything fails in between, nothing was learned.

        This model must then not be used any more; `successor` returns one that nothing else needs.
        Without `undo`, weights that it shares with others stay as the failure left them.
        """
        self.begin(rows)
        yield
        self.finish()

    @abstractmethod
    def successor(self) -> Self:
        """Return a model to visit more rows with: if these visits fail, this one is as it was."""

    def learn(
        self,
        visits: Visits,
        keep_scores: bool = False,
        keep_moves: bool = False,
        keep_predictions: bool = False,
    ) -> tuple[Any, Trace]:
        """Visit some rows; return the mistakes and, as far as it is wanted, what happened at each visit.

        `keep_predictions` is for models and hypotheses that can: see `predicts_as_it_learns`.
        """
        self.check_learning()
        columns = self.columns
        nothing, nobody = np.empty((0, columns)), np.empty(0, np.int64)
        shape = (visits.order.size, columns)
        trace = Trace(nothing, nothing, nothing, nothing, nobody, nothing, nothing)
        if keep_scores:
            trace = trace._replace(scores=np.empty(shape))
        if keep_moves:
            trace = trace._replace(shrink=np.ones(shape), step=np.zeros(shape))
        if keep_predictions:
            trace = trace._replace(asked=visits.order, predictions=np.empty(shape))
            if self.hypothesis.keeps_sums:
                trace = trace._replace(predictions_by_mean=np.empty(shape))
        with self._shown.lock:
            self.forget_vectors()
            return self.hypothesis.follow(self, visits, trace), trace

    @property
    def predicts_as_it_learns(self) -> bool:
        """Whether `learn` fills in `Trace.predictions`: what would have been predicted of each row before."""
        return self.shows_predictions and self.hypothesis.is_traced

    def check_learning(self) -> None:
        """Raise a ValueError where what learning needs is not there any more."""
        if self.only_predicts:
            raise ValueError(
                "this model comes from a file for prediction only (saved with resumable=False), so it cannot "
                "go on learning, nor be saved for that: save the learner that it came from with "
                "resumable=True, the default."
            )

    def check_streaming(self) -> None:  # noqa: B027, most can
        """Raise a ValueError where it cannot go on with examples that come after others."""

    def check_tracing(self) -> None:
        """Raise a ValueError where updates are not of the form shrink w + step x."""
        if has_own_loop(self.rule) and not declared(self.rule).is_joint:
            raise ValueError(
                f"the updates of {type(self.rule).__name__} are not of the form shrink * w + step * x, and "
                "cannot be traced."
            )

    @abstractmethod
    def step(self, visits: Visits, trace: Trace) -> Any:
        """Visit some rows, as a hypothesis asks for it; return the mistakes."""

    @abstractmethod
    def remember(self, order: Integers, moved: Integers) -> Integers:
        """Return the places of the rows `order` among those remembered, which the visits `moved` are."""

    def start_from(self, other: "Model") -> None:
        """Begin with the coefficients that another model of this kind has found for the same examples."""
        raise ValueError("warm_start=True needs coefficients of examples, which this learner does not keep.")

    def expect(self, passes: float) -> None:  # noqa: B027, most have nothing to prepare
        """Be told how many passes over the rows follow, at most."""

    def freeze_scales(self) -> None:  # noqa: B027
        """Be told that the rows of this call have been visited, or counted, before."""

    def look_at(self, visits: Visits) -> None:  # noqa: B027
        """Take note of all examples that passes may visit, before the first: to choose among them."""

    def due(self, chosen: Integers | None) -> Integers | None:
        """Return which examples the next pass visits, of those that are chosen; None for all."""
        return chosen

    def optimality(self, is_last: bool) -> Optimality:
        """Return how far from the optimum of its rule it can be, after a pass; nan where that is not known.

        Where `is_last`, no pass follows: what may be an estimate before is to be certain.
        """
        return UNKNOWN

    @abstractmethod
    def measure(self) -> None:
        """Recompute what is kept by recursion, before another pass."""

    def restart_average(self) -> None:  # noqa: B027, without weights there is nothing to be done
        """Let the hypothesis know, before the second pass, that the first one is over."""

    @abstractmethod
    def finish(self) -> None:
        """Let go of the rows; what is remembered of them is a copy."""

    def vectors(self) -> Floats:
        """Return what predicts: one column per class, one row per feature."""
        if self._vectors is not None:
            return self._vectors
        return self._shown.get(self.hypothesis, self.vectors_of_weights)

    def vectors_of_weights(self) -> Floats:
        """Work out what predicts from the weights as they are now."""
        vectors: Floats = self.hypothesis.vectors(self.weights)
        return vectors

    def predict_by(self, vectors: Floats | None, offsets: Floats | None = None) -> None:
        """Predict by vectors, and in dual form `offsets`, that do not follow from the weights."""
        self._vectors = vectors

    def forget_vectors(self) -> None:
        """Let the vectors follow from the weights, as they are now."""
        self._vectors = None
        self._shown.forget()

    @property
    def shown(self) -> SharedVectors:
        """What was worked out of the weights, and the lock of those who read or write them."""
        return self._shown

    @abstractmethod
    def scores(self, X: Any) -> Floats:
        """Return one score per row of X and column."""

    def frozen(self) -> Callable[[Any], Floats]:
        """Return a function that scores examples as this model does now, whatever it learns later.

        It is for examples that need no checks; any number of threads may call it.
        """
        with self._shown.lock:
            return self.copy().scores

    @abstractmethod
    def current_scores(self, places: Integers) -> Floats:
        """Return what predicts now of some rows of this call, one score per row and column."""

    @abstractmethod
    def regroup(self, column_origins: list[ColumnOrigin]) -> None:
        """Give the model new columns, each an old one, the opposite of one, or that of a late class."""

    @abstractmethod
    def copy(self) -> Self:
        """Return an independent copy."""

    def twin(self, shown: SharedVectors) -> Self:
        """Return a model that holds the same, with a copy of the hypothesis, and what was worked out.

        `copy.copy` takes four times as long.
        """
        other = type(self).__new__(type(self))
        other.__dict__ = self.__dict__.copy()
        other.hypothesis, other._shown = self.hypothesis.copy(), shown
        return other

    def lazy_copy(self) -> Self:
        """Return the same, where that costs less before one of both learns."""
        return self.copy()
