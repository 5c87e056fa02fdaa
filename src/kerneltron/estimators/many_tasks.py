"""Many two-class tasks over the same examples."""

from copy import copy
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils.validation import _num_samples, check_is_fitted

from kerneltron._types import Floats, Integers
from kerneltron._validate import check_sample_weight
from kerneltron.estimators._additive import AdditiveClassifier
from kerneltron.estimators._alone import alone
from kerneltron.estimators._calling_back import call_back
from kerneltron.estimators._remembering import Remembering
from kerneltron.estimators._savable import Savable
from kerneltron.estimators._task_labels import check_both_answers, dense, read_labels
from kerneltron.estimators._tasks import Apart, Together
from kerneltron.estimators.mira import Mira
from kerneltron.learning.examples import Tasks
from kerneltron.learning.passes import PassReport
from kerneltron.learning.weighting import sample_weights
from kerneltron.models.dual import Dual
from kerneltron.models.dual_without import DualWithout


class ManyTasks(Remembering, Savable, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Learn many yes-or-no questions about the same examples, and share every kernel evaluation.

    A label is +1, -1, or 0 where it is not known: such an entry does not exist for its task, whose clock
    does not tick. In the given order (`shuffle=False`) every task therefore equals a learner of its own,
    fitted to its labelled rows. In dual form the kernel is evaluated once for all tasks; in primal form there
    is nothing to share, and the tasks are learned one after the other.

    Parameters
    ----------
    learner
        The learner that each task has, with its kernel: a `Perceptron`, `PassiveAggressive` and so on.
    exclude_own_column
        Task m is about column m of X, as where each film's rating is told from those of the others: it
        gets the kernel without column m, derived from the shared inner products. For kernels made of these,
        in dual form.

    Attributes
    ----------
    n_tasks_ : number of columns of Y
    mistakes_ : (passes, tasks) array, mistakes made before each update
    representation_ : the form that was chosen, and its costs
    support_ : in dual form, which examples predict
    dual_coef_ : in dual form, their coefficients, a row a task

    Examples
    --------
    >>> import numpy as np
    >>> from kerneltron import ManyTasks, Perceptron
    >>> X = np.random.default_rng(0).normal(size=(300, 2))
    >>> Y = np.sign(np.column_stack([X[:, 0] * X[:, 1], 1 - (X**2).sum(axis=1)])).astype(int)
    >>> tasks = ManyTasks(Perceptron(kernel="Gaussian(1)", passes=10, random_state=0)).fit(X[:200], Y[:200])
    >>> f"{tasks.score(X[200:], Y[200:]):.2f}"
    '0.99'
    """

    _streaming: bool  # a stream is one long pass, after those of fit

    def __init__(self, learner: Any, exclude_own_column: bool = False) -> None:
        self.learner = learner
        self.exclude_own_column = exclude_own_column

    def fit(self, X: Any, Y: Any, sample_weight: Any = None) -> Self:
        """Learn all tasks from scratch. An error leaves what was fitted before as it was.

        Parameters
        ----------
        X
            Examples, as the learner takes them.
        Y
            (examples, tasks) matrix of -1, 0 (unknown) and +1, dense or sparse.
        sample_weight
            A weight per example, at least 0.
        """
        with alone(self):
            trial = copy(self)
            trial._fit(X, Y, sample_weight)
            self.__dict__ = trial.__dict__
        return self

    def _fit(self, X: Any, Y: Any, sample_weight: Any) -> None:
        X, tasks = self._read(X, Y, sample_weight, reset=True)
        check_both_answers(tasks.Y)
        seed = self._worker._seed()
        self._form = self._new_form(X, tasks, seed, streaming=False)

        def after_pass(report: PassReport) -> object:
            return call_back(self, self._worker.callback, report, X)

        self.mistakes_ = self._form.fit(X, tasks, seed, after_pass)

    def partial_fit(self, X: Any, Y: Any, sample_weight: Any = None) -> Self:
        """Go on learning: visit these examples once, in the given order.

        Parameters
        ----------
        X, Y, sample_weight
            As for `fit`, with as many tasks as before.
        """
        with alone(self):
            trial = copy(self)
            trial._go_on(X, Y, sample_weight)
            self.__dict__ = trial.__dict__
        return self

    def _go_on(self, X: Any, Y: Any, sample_weight: Any) -> None:
        first = not hasattr(self, "n_tasks_")
        X, tasks = self._read(X, Y, sample_weight, reset=first)
        self._worker._check_streaming()
        if first:
            self._form = self._new_form(X, tasks, self._worker._seed(), streaming=True)
            self.mistakes_ = np.zeros((0, self.n_tasks_), np.int64)
        else:
            self._form = self._form.copy()  # an error on the way leaves what was learned as it was
        if not self._streaming:
            self.mistakes_ = np.vstack([self.mistakes_, np.zeros((1, self.n_tasks_), np.int64)])
            self._streaming = True
        missed = self._form.stream(X, tasks)
        self.mistakes_ = np.vstack([self.mistakes_[:-1], self.mistakes_[-1] + missed])

    def decision_function(self, X: Any) -> Floats:
        """Return a score per example and task, positive for yes; 0 for tasks that had no labels."""
        check_is_fitted(self, "n_tasks_")
        scores: Floats = self._form.scores(self._worker._read(X)[0])
        return scores

    def predict(self, X: Any) -> Integers:
        """Return +1 or -1 per example and task."""
        return np.where(self.decision_function(X) > 0, 1, -1)

    def score(self, X: Any, Y: Any, sample_weight: Any = None) -> float:
        """Return the part of the known labels that is told right."""
        labels = dense(read_labels(Y, _num_samples(X)))
        weight = check_sample_weight(sample_weight, len(labels))
        weights = np.where(labels != 0, 1.0 if weight is None else weight[:, None], 0.0)
        if not weights.any():
            raise ValueError("Y holds no known label, +1 or -1: there is nothing to score.")
        return float(np.average(self.predict(X) == labels, weights=weights))

    @property
    def representation_(self) -> Any:
        """The form that was chosen, and its costs."""
        return self._worker.representation_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if isinstance(self.learner, AdditiveClassifier):
            tags.input_tags = self.learner.__sklearn_tags__().input_tags
        return tags

    def _dual(self) -> Dual:
        check_is_fitted(self, "n_tasks_")
        if not isinstance(self._form, Together):
            raise AttributeError("The tasks are learned in primal form: no examples are remembered.")
        return self._form.model

    def _read(self, X: Any, Y: Any, sample_weight: Any, reset: bool) -> tuple[Any, Tasks]:
        """Check everything that was given; return the rows and the tasks."""
        if reset:
            self._worker, self._streaming = self._checked_learner(), False
        X, _ = self._worker._read(X, reset=reset)
        before: int | None = None if reset else self.n_tasks_
        labels = read_labels(Y, _num_samples(X), before)
        if self.exclude_own_column and labels.shape[1] > X.shape[1]:
            raise ValueError(
                f"exclude_own_column=True says that task m is about column m of X, but Y has "
                f"{labels.shape[1]} columns and X only {X.shape[1]}."
            )
        self.n_tasks_: int = int(labels.shape[1])
        whole = self._worker._whole_examples_only
        return X, Tasks(labels, sample_weights(sample_weight, _num_samples(X), whole))

    def _checked_learner(self) -> AdditiveClassifier:
        if not isinstance(self.learner, AdditiveClassifier) or isinstance(self.learner, Mira):
            raise TypeError(
                f"learner={self.learner!r} cannot learn many tasks: give a Perceptron, PassiveAggressive, "
                "Romma, LogisticRegression or Pegasos. (MIRA's classes move together; PassiveAggressive is "
                "its two-class form.)"
            )
        learner: AdditiveClassifier = clone(self.learner)
        learner._check_parameters()
        own = self.exclude_own_column
        refusals = {
            "early_stopping=True": (learner.early_stopping, "tasks would stop at different passes"),
            "class_weight": (getattr(learner, "class_weight", None) is not None, "tasks differ in balance"),
            "hypothesis='random'": (learner.hypothesis == "random", "tasks have clocks of their own"),
            "hypothesis='vote'": (own and learner.hypothesis == "vote", "every task has its own kernel"),
            "representation='primal'": (own and learner.representation == "primal", "it needs a kernel"),
        }
        for name, (is_given, reason) in refusals.items():
            if is_given:
                where = "ManyTasks(exclude_own_column=True)" if own else "ManyTasks"
                raise ValueError(f"{name} cannot be with {where}: {reason}.")
        return learner

    def _new_form(self, X: Any, tasks: Tasks, seed: int, streaming: bool) -> Together | Apart:
        worker = self._worker
        if self.exclude_own_column:
            worker.representation = "dual"
        worker._choose_form_for(X, self.n_tasks_, streaming)
        if worker.representation_.form == "primal":
            return Apart(worker, self.n_tasks_)
        there = None if tasks.sample_weight is None else np.flatnonzero(tasks.sample_weight)
        worker._resolve_delta(X, dense(tasks.Y), self.n_tasks_, seed, there)
        form = DualWithout if self.exclude_own_column else Dual
        return Together(worker, worker._new_dual(form, self.n_tasks_, seed))
