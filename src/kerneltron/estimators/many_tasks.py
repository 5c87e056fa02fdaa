"""Many two-class tasks over the same examples."""

import os
from copy import copy
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils.validation import _num_samples, check_is_fitted

from kerneltron._types import Floats, Integers
from kerneltron._validate import check_sample_weight
from kerneltron.estimators._alone import alone
from kerneltron.estimators._calling_back import call_back
from kerneltron.estimators._input import data_of, read
from kerneltron.estimators._task_labels import check_both_answers, dense, read_labels
from kerneltron.estimators._tasks import Apart, Together
from kerneltron.estimators.classifier import Classifier
from kerneltron.estimators.fitted import support_of
from kerneltron.learning.examples import Tasks
from kerneltron.learning.learner import Learner
from kerneltron.learning.method import Method
from kerneltron.learning.methods import estimator_names
from kerneltron.learning.methods import method as method_of
from kerneltron.learning.pass_report import PassReport
from kerneltron.learning.scaler_choice import scales_in_front
from kerneltron.learning.space import STREAM, choose_form, find_delta, new_model
from kerneltron.learning.weighting import sample_weights
from kerneltron.models.dual_form import DualForm
from kerneltron.models.hypotheses import hypothesis


class ManyTasks(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
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
    dual_coef_ : in dual form, their coefficients, one row per task

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

    _asked: Learner  # the method of every task, and the space that was found; it has no model
    _tasks: Any  # Together or Apart
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
        method = self._asked.method
        seed = method.seed()
        self._tasks = self._begun(X, tasks, seed, at_least=0)

        def after_pass(report: PassReport) -> object:
            return call_back(self, method.callback, report, X)

        self.mistakes_ = self._tasks.fit(X, tasks, seed, after_pass)

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
        self._asked.method.check_streaming()
        if first:
            self._tasks = self._begun(X, tasks, self._asked.method.seed(), at_least=STREAM)
            self.mistakes_ = np.zeros((0, self.n_tasks_), np.int64)
        else:
            self._tasks = self._tasks.copy()  # an error on the way leaves what was learned as it was
        if not self._streaming:
            self.mistakes_ = np.vstack([self.mistakes_, np.zeros((1, self.n_tasks_), np.int64)])
            self._streaming = True
        missed = self._tasks.stream(X, tasks)
        self.mistakes_ = np.vstack([self.mistakes_[:-1], self.mistakes_[-1] + missed])

    def decision_function(self, X: Any) -> Floats:
        """Return a score per example and task, positive for yes; 0 for tasks that had no labels."""
        check_is_fitted(self, "n_tasks_")
        scores: Floats = self._tasks.scores(read(self, self._asked, X)[0])
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
        check_is_fitted(self, "n_tasks_")
        return self._tasks.space.representation

    @property
    def support_(self) -> Integers:
        """In dual form, which examples predict: their numbers in X, or in the stream."""
        return support_of(self._dual())

    @property
    def dual_coef_(self) -> Floats:
        """In dual form, their coefficients, one row per task."""
        return self._dual().coefficients().T

    def save(self, path: str | os.PathLike[str], resumable: bool = True) -> None:
        """Save all tasks to one file, from which `kerneltron.load(path)` brings them back.

        Parameters
        ----------
        path
            The file; one that is there is replaced.
        resumable
            Keep all that is needed to go on learning; False keeps only what predicts.
        """
        from kerneltron.estimators.saving import save

        save(self, path, resumable)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if isinstance(self.learner, Classifier):
            tags.input_tags = self.learner.__sklearn_tags__().input_tags
        return tags

    def _dual(self) -> DualForm:
        check_is_fitted(self, "n_tasks_")
        if not isinstance(self._tasks, Together):
            raise AttributeError("The tasks are learned in primal form: no examples are remembered.")
        return self._tasks.model

    def _read(self, X: Any, Y: Any, sample_weight: Any, reset: bool) -> tuple[Any, Tasks]:
        """Check everything that was given; return the rows and the tasks."""
        if reset:
            self._asked, self._streaming = Learner(self._checked_method()), False
        X, _ = read(self, self._asked, X, reset=reset)
        before: int | None = None if reset else self.n_tasks_
        labels = read_labels(Y, _num_samples(X), before)
        if self.exclude_own_column and labels.shape[1] > X.shape[1]:
            raise ValueError(
                f"exclude_own_column=True says that task m is about column m of X, but Y has "
                f"{labels.shape[1]} columns and X only {X.shape[1]}."
            )
        self.n_tasks_: int = int(labels.shape[1])
        whole = self._asked.method.whole_examples_only
        return X, Tasks(labels, sample_weights(sample_weight, _num_samples(X), whole))

    def _checked_method(self) -> Method:
        """Return the method that every task has; raise if tasks cannot share it."""
        learner = self.learner
        if not isinstance(learner, Classifier) or not can_learn_tasks(learner.method_type):
            raise TypeError(
                f"learner={learner!r} cannot learn many tasks: give one of {', '.join(_able())}. (MIRA's "
                "classes move together; PassiveAggressive is its two-class form.)"
            )
        method = clone(learner)._method()
        method.check()
        own = self.exclude_own_column
        chosen = hypothesis(method.hypothesis)
        refusals = [
            ("early_stopping=True", method.early_stopping, "tasks would stop at different passes"),
            ("class_weight", method.counts is not None, "tasks differ in balance"),
            (f"hypothesis={chosen.name!r}", chosen.needs_one_clock, "tasks have clocks of their own"),
            (f"hypothesis={chosen.name!r}", own and chosen.keeps_moves, "every task has its own kernel"),
            ("representation='primal'", own and method.representation == "primal", "it needs a kernel"),
            (type(learner).__name__, own and bool(method.refuses_dual), method.refuses_dual),
        ]
        for name, is_given, reason in refusals:
            if is_given:
                where = "ManyTasks(exclude_own_column=True)" if own else "ManyTasks"
                raise ValueError(f"{name} is not possible with {where}: {reason}.")
        asked: Method = replace(method, representation="dual") if own else method
        if scales_in_front(asked):
            raise ValueError(
                "scale=True is not possible with ManyTasks in dual form, or with a kernel, map or budget: "
                "rows are scaled in front of the model there. Put kerneltron.features.Scaler before it."
            )
        return asked

    def _begun(self, X: Any, tasks: Tasks, seed: int, at_least: int) -> Together | Apart:
        """Return tasks that know nothing yet; at least `at_least` examples are to come."""
        asked, columns = self._asked, self.n_tasks_
        there = None if tasks.sample_weight is None else np.flatnonzero(tasks.sample_weight)
        data = data_of(asked, X, at_least, codes=dense(tasks.Y), there=there)
        asked.space = space = choose_form(asked.method, data, columns, seed)
        if space.form == "primal":
            if asked.method.refuses_side_by_side:
                raise ValueError(
                    f"{asked.name} in primal form is not possible with ManyTasks: "
                    f"{asked.method.refuses_side_by_side}. Use representation='dual', which learns all tasks "
                    "together, or a learner for each task."
                )
            return Apart(asked, columns)
        asked.space = space._replace(delta=find_delta(asked.method, space, data, columns, seed))
        learner = asked.shell()
        learner.model = new_model(
            asked.method, asked.space, data, columns, seed, without_own_column=self.exclude_own_column
        )
        return Together(learner)


def _able() -> list[str]:
    """Return the names of the estimators that can learn many tasks."""
    return [name for name in estimator_names() if can_learn_tasks(method_of(name))]


def can_learn_tasks(method_type: type[Method]) -> bool:
    """Return whether each column of a method learns on its own, and can have a kernel."""
    return method_type.is_additive() and not method_type.is_joint
