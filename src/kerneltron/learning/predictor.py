"""A learner as a function of plain arrays: what it predicts now, for good, and without checks."""

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from kerneltron._types import Anything, Floats

if TYPE_CHECKING:
    from collections.abc import Callable

    from kerneltron.learning.learner import Learner
    from kerneltron.scaling.column_scaler import ColumnScaler


class Predictor:
    """The labels that a learner predicted when this was made, as a function: predictor(X) -> labels.

    It is for one row at a time: a service, a loop, a simulation. Later `partial_fit` or `fit` of the learner
    does not change it, any number of threads may call it, and it can be pickled where the kernel can. Every
    classifier has one, in every form and with every hypothesis. Labels, scores and probabilities are those
    of `predict`, `decision_function` and `predict_proba` of the learner, bit for bit.

    It does not check what it is given. X is a C-ordered NumPy array of float64 or float32: a matrix with one
    row per example or, for one example, a vector, for which the answer has one dimension less. Nothing is
    said of NaN and infinite numbers, whose labels mean nothing; of columns in another order; of data frames
    and lists, which are not read. A wrong number of columns is refused by NumPy. CSR matrices do in primal
    form. Kernels over strings, trees, graphs or records take a sequence of examples, as `predict` does, and
    never a single one; these are read, and so checked, by the kernel.

    Parameters
    ----------
    learner
        A learner that has begun.

    Examples
    --------
    >>> import numpy as np
    >>> from kerneltron import Perceptron
    >>> learner = Perceptron(random_state=0).fit([[0.0, 3.0], [1.0, 0.0]], ["no", "yes"])
    >>> predictor = learner.predictor()
    >>> str(predictor(np.array([2.0, 0.0]))), predictor(np.array([[2.0, 0.0], [0.0, 2.0]])).tolist()
    ('yes', ['yes', 'no'])
    """

    def __init__(self, learner: "Learner") -> None:
        from kerneltron.learning.space import takes_matrices

        self._target = learner.target
        self._score: Callable[[Any], Floats] = learner.model.frozen()
        if learner.scaler is not None:
            self._score = partial(_scaled_score, learner.scaler.copy(), self._score)
        self._takes_vectors = takes_matrices(learner.kernel)
        self._temperature: float | None = None
        self._refusal = ""
        try:
            self._temperature = learner.temperature
        except ValueError as error:
            self._refusal = str(error)

    def __call__(self, X: Any) -> Any:
        """Return the label of each row, or of the one that is given."""
        if self._takes_vectors and X.ndim == 1:
            return self(X[None])[0]
        return self._target.truths(self._score(X))

    predict = __call__

    @property
    def classes(self) -> Anything | None:
        """The labels that it may return, sorted."""
        return self._target.classes

    def decision_function(self, X: Any) -> Any:
        """Return a score per row and class, or for two classes one per row, positive for the second."""
        if self._takes_vectors and X.ndim == 1:
            return self.decision_function(X[None])[0]
        scores = self._score(X)
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class; raise where the learner has none."""
        if self._refusal:
            raise ValueError(self._refusal)
        if self._takes_vectors and X.ndim == 1:
            return np.asarray(self.predict_proba(X[None])[0])
        return self._target.probabilities(self._score(X), self._temperature)


def _scaled_score(scaler: "ColumnScaler", score: "Callable[[Any], Floats]", X: Any) -> Floats:
    """Return the scores of rows that are scaled before; a function of a module can be pickled."""
    return score(scaler.matrix(X))
