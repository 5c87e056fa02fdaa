"""What every learning method has in common: its parameters, their checks, and how it begins."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from kerneltron._validate import check_finite
from kerneltron.learning.parameters import check_choice, check_class_weight, check_number
from kerneltron.learning.passes import PassReport
from kerneltron.models.model import Model
from kerneltron.models.primal import Primal

FIXED = ("balanced", "threshold")  # of Winnow's: they are in its first weights
Callback = Callable[[Any, PassReport], object]


@dataclass(kw_only=True, eq=False, repr=False)
class OnlineMethod(ABC):
    """The parameters that all learners share, and what follows from them without looking at data.

    The scikit-learn classifiers are methods that also read, fit and predict; a stream needs no more than
    `begin`, and so nothing of scikit-learn.

    Parameters
    ----------
    hypothesis
        Which of the vectors that w passed through predicts: "average" (their mean after each example),
        "last", "random" (one of them, drawn by survival time) or "vote" (each has a say as long as it
        survived; it remembers the rows of all updates, so memory grows with them).
    passes
        How often to go over the examples. Fractions are allowed: 0.1 is the first tenth of a pass.
        With `early_stopping`, the largest number to try.
    shuffle
        Visit the examples of `fit` in a random order, another one in each pass. `partial_fit` never does.
    random_state
        Seed for the order, the initial weights, the validation split and the random hypothesis.
    early_stopping
        Hold out a part of the data, score it after each pass, stop when it does not improve any more and
        restore the best pass.
    validation_fraction
        Which part of the data `early_stopping` holds out, stratified by class.
    patience
        How many passes in a row without a better score `early_stopping` waits for.
    callback
        Called after each pass of `fit` with the learner, ready to predict, and a `PassReport`. Training
        stops when it returns True.
    verbose
        1 shows a progress bar on standard error.
    """

    hypothesis: str = "average"
    passes: float = 1
    shuffle: bool = True
    random_state: Any = None
    early_stopping: bool = False
    validation_fraction: float = 0.1
    patience: int = 5
    callback: Callback | None = None
    verbose: int = 0

    # Rules that repair an example at once: a second visit would change nothing, half a one has no meaning.
    _whole_examples_only: ClassVar[bool] = False
    # Scores are logarithms of odds.
    _has_probabilities: ClassVar[bool] = False
    # Features must not be negative.
    _non_negative_only: ClassVar[bool] = False
    # Why this learner has no vote, where it has none.
    vote_refused: ClassVar[str] = ""

    def begin(self, width: int, columns: int, dtype: Any, seed: int) -> Model:
        """Return a model that knows nothing yet, for a stream of rows of numbers.

        What the method has learned or chosen before is forgotten.

        Parameters
        ----------
        width
            Number of features, without the constant one.
        columns
            Number of vectors: `methods.classes.columns_for(classes)`.
        dtype
            Precision of the rows and weights: float32 or float64.
        seed
            For the initial weights and the random hypothesis.
        """
        self._forget()
        self._check_parameters()
        self._check_streaming()
        return self._for_stream(width, columns, dtype, seed)

    @abstractmethod
    def _rule(self, width: int) -> Any:
        """Return the rule that the parameters describe, for `width` features; raise if they make no sense."""

    def _bias(self) -> float:
        return 1.0

    def _initial_scale(self) -> float:
        return 0.0

    def _forget(self) -> None:
        """Remove what was learned or chosen: all that ends in an underscore."""
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)

    def _for_stream(self, width: int, columns: int, dtype: Any, seed: int) -> Model:
        """Return what `begin` does, for parameters that were checked."""
        return self._primal(width, columns, dtype, seed)

    def _primal(self, width: int, columns: int, dtype: Any, seed: int, delta: float = 0.0) -> Primal:
        return Primal(
            self._rule(width),
            width,
            columns,
            dtype=dtype,
            bias=self._bias(),
            hypothesis=self.hypothesis,
            start=self._initial_scale(),
            delta=delta,
            seed=seed,
        )

    def _adopt_parameters(self, model: Model, width: int) -> None:
        """Let parameters that were set since the last call take effect, if the model can go on with them."""
        rule = self._rule(width)
        changed = [
            name
            for name, now, before in (
                ("schedule", type(rule), type(model.rule)),
                *((name, getattr(rule, name, None), getattr(model.rule, name, None)) for name in FIXED),
                ("hypothesis", self.hypothesis, model.kind),
                ("fit_intercept", self._bias(), model.bias),
            )
            if now != before
        ]
        if changed:
            raise ValueError(
                f"{changed[0]} cannot change between calls of partial_fit: use fit to start anew."
            )
        model.rule = rule

    def _seed(self) -> int:
        """Return the seed that `random_state` stands for; another one each time for None."""
        state = self.random_state
        if state is not None and not (isinstance(state, Integral) and 0 <= int(state) < 2**32):
            raise ValueError(
                f"random_state={state!r} is no seed: give a whole number from 0 to 2**32 - 1, or None."
            )
        # The old generator, as scikit-learn's check_random_state has it: a number gives a learner and its
        # method the same seed.
        generator = np.random.RandomState(None if state is None else int(state))
        return int(generator.randint(np.iinfo(np.int32).max))

    def _check_parameters(self) -> None:
        check_choice("hypothesis", self.hypothesis, ("average", "last", "random", "vote"))
        check_number("passes", self.passes, above=0)
        check_number("validation_fraction", self.validation_fraction, above=0, below=1)
        check_number("patience", self.patience, least=1)
        check_class_weight(getattr(self, "class_weight", None))
        if self.early_stopping and self.passes <= 1:
            raise ValueError("early_stopping chooses among passes: give it some, for example passes=50.")
        if self.hypothesis == "vote" and self.vote_refused:
            raise ValueError(f"hypothesis='vote' cannot be: {self.vote_refused} Use hypothesis='average'.")
        if self.callback is not None and not callable(self.callback):
            raise TypeError(
                f"callback={self.callback!r} cannot be called: give a function of (learner, report)."
            )
        self._rule(1)

    def _check_values(self, X: Any) -> None:
        """Raise if a matrix holds numbers that cannot be learned from."""
        check_finite(X)

    def _check_streaming(self) -> None:
        """Raise if a parameter needs all examples at once."""
        if getattr(self, "class_weight", None) == "balanced":
            raise ValueError(
                "class_weight='balanced' needs all labels at once: in partial_fit or a stream give the "
                "weights, for example class_weight={0: 1, 1: 5}, or use sample_weight."
            )
