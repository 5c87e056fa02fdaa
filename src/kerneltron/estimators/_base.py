"""What every learner has in common: labels, passes, and the scikit-learn contract."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from math import ceil
from numbers import Real
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from kerneltron._types import Anything, Floats
from kerneltron._validate import rows_of
from kerneltron.estimators._alone import alone
from kerneltron.estimators._calling_back import call_back
from kerneltron.estimators._explaining import Explaining
from kerneltron.estimators._input import FLOATS, check_given, read_examples, read_rows
from kerneltron.estimators._savable import Savable
from kerneltron.estimators._splitting import split
from kerneltron.estimators._weighting import weights_for
from kerneltron.learning.classes import columns_for, introduced, meet, sources, warn_of_late
from kerneltron.learning.examples import Classified
from kerneltron.learning.method import OnlineMethod
from kerneltron.learning.order import order
from kerneltron.learning.passes import PassReport, Plan, train
from kerneltron.learning.progress import progress
from kerneltron.learning.weighting import sample_weights
from kerneltron.models.model import Model
from kerneltron.models.primal import Primal


@dataclass(kw_only=True, eq=False, repr=False)
class OnlineClassifier(OnlineMethod, Savable, Explaining, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The attributes that all learners share; the parameters are those of `OnlineMethod`.

    Attributes
    ----------
    classes_ : sorted labels
    closed_ : whether classes were given to `partial_fit`, so that other labels are refused
    mistakes_ : int array, mistakes made before each update, an entry a pass
    n_updates_ : how often a vector was moved, over all classes
    coef_ : (classes, features) array, or (1, features) for two classes; not with the vote
    intercept_ : (classes,) array, or (1,) for two classes; not with the vote
    validation_scores_ : accuracy on the held-out part, an entry a pass; only with `early_stopping`
    best_pass_ : the pass that was restored, from 1; only with `early_stopping`
    n_features_in_, feature_names_in_ : as in scikit-learn
    """

    def _read(self, X: Any, y: Any = None, precision: Any = FLOATS, reset: bool = False) -> tuple[Any, Any]:
        """Return X as the model takes it, and y (None for new rows) as one label a row."""
        if y is None:
            X = read_rows(self, X, precision, reset)
        else:
            X, y = read_examples(self, X, y, precision, reset)
        self._check_values(X)
        return X, y

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from scratch. An error leaves a learner that was fitted before as it was.

        Parameters
        ----------
        X
            Dense or sparse matrix, or data frame; float32 and float64 are kept as they are.
        y
            A label per row: numbers or text.
        sample_weight
            A weight per row, at least 0; it multiplies the step (or C, where there is one). A row of
            weight 0 does not exist.
        """
        with alone(self):
            trial = copy(self)
            trial._forget()
            trial._fit(X, y, sample_weight)
            self.__dict__ = trial.__dict__
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Go on learning: visit these rows once, in the given order.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.
        classes
            All labels that will come, if they are known: others are refused from then on, also after saving
            and loading. Without them, a class may come late, with a warning. It begins as the mean of the
            others, which wins nowhere, goes on with their clock, and is learned from its second example on: a
            single mistyped label changes no prediction.
        """
        self._stream(X, y, classes, sample_weight, keep_scores=False)
        return self

    def partial_fit_predict(self, X: Any, y: Any) -> Floats:
        """Go on learning, and return the score of each row before it was learned from.

        The scores are those of the current vector, shaped as by `decision_function`: the progressive
        validation of an online learner, at no cost. Rows whose class has the weight 0 get NaN, and so does
        the first row of a class that comes late.
        """
        return self._stream(X, y, None, None, keep_scores=True)

    def decision_function(self, X: Any) -> Floats:
        """Return a score per row and class, or for two classes one per row, positive for the second."""
        check_is_fitted(self)
        return self._shaped(self.model_.scores(self._read(X)[0]))

    def predict(self, X: Any) -> Anything:
        """Return the label with the highest score for each row."""
        now = copy(self)  # scores and classes of one moment, if another thread is learning
        scores = now.decision_function(X)
        return now.classes_[now._codes(scores)]

    @property
    def coef_(self) -> Floats:
        """The vectors that predict, a row a class."""
        model = self._with_weights()
        return model.vectors()[: model.width].T

    @property
    def intercept_(self) -> Floats:
        """The weights of the constant feature."""
        return np.asarray(self._with_weights().vectors()[-1])

    @property
    def n_updates_(self) -> int:
        """How often a vector was moved, over all classes."""
        return int(self._fitted().weights.updates.sum())

    def _fitted(self) -> Model:
        if "model_" not in vars(self):
            raise AttributeError(
                f"This {type(self).__name__} is not fitted yet: call fit or partial_fit first."
            )
        return self.model_

    def _with_weights(self) -> Primal:
        model = self._fitted()
        if model.kind == "vote":
            raise AttributeError("A vote of many vectors has no single one: use hypothesis='average'.")
        if not isinstance(model, Primal):
            raise AttributeError(
                "A learner in dual form has no weights: see support_ and dual_coef_, or feature_weight(...)."
            )
        return model

    def _shaped(self, scores: Floats) -> Floats:
        return scores.ravel() if scores.shape[1] == 1 else scores

    def _codes(self, scores: Floats) -> Anything:
        if scores.ndim == 2:
            return np.asarray(scores.argmax(axis=1))
        return np.where(scores > 0, len(self.classes_) - 1, 0)

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        self._check_parameters()
        X, y = self._read(X, check_given(self, y), reset=True)
        weight = sample_weights(sample_weight, len(y), self._whole_examples_only)
        there = None if weight is None else np.flatnonzero(weight)
        labels = y if there is None else y[there]
        self.classes_ = np.unique(labels)
        if not len(self.classes_):
            raise ValueError("X holds no examples: there must be some of at least two classes.")
        if len(self.classes_) < 2:
            raise ValueError(
                f"y holds one class only, {self.classes_.tolist()[0]!r}: a classifier needs at least two. "
                "If others come later, use partial_fit with classes=[...]."
            )
        y = _with_known_labels(y, weight, self.classes_)
        seed = self._seed()
        model = self._new_model(X, y, seed, there)
        self.model_ = model
        examples = self._examples(y, labels, weight)
        training, held_out = there, None
        if self.early_stopping:
            training, held_out = split(labels, self.validation_fraction, seed)
            if there is not None:
                training, held_out = there[training], there[held_out]
        plan = Plan(self.passes, seed if self.shuffle else None, training, self.patience)

        def after_pass(report: PassReport) -> object:
            return call_back(self, self.callback, report, X)

        total = ceil(self.passes * (len(y) if training is None else len(training)))
        with progress(type(self).__name__, total, self.verbose > 0) as advance:
            check = None
            if held_out is not None:
                check = self._validation(rows_of(X, held_out), y[held_out])
            rows = model.read(X)
            outcome = train(
                model, rows, examples, plan, validate=check, after_pass=after_pass, advance=advance
            )
        self.model_ = outcome.model
        self.mistakes_ = np.array([report.mistakes for report in outcome.reports])
        self._streaming = self.closed_ = False
        if self.early_stopping:
            self.validation_scores_ = np.array([report.validation_score for report in outcome.reports])
            self.best_pass_ = outcome.best_pass

    def _validation(self, X: Any, y: Anything) -> Callable[[Model], float]:
        """Return the function that scores a model on held-out rows."""

        def accuracy(model: Model) -> float:
            return float(np.mean(self.classes_[self._codes(self._shaped(model.scores(X)))] == y))

        return accuracy

    def _stream(self, X: Any, y: Any, classes: Any, sample_weight: Any, keep_scores: bool) -> Floats:
        with alone(self):
            trial = copy(self)
            scores = trial._go_on(X, y, classes, sample_weight, keep_scores)
            self.__dict__ = trial.__dict__
        return scores

    def _go_on(self, X: Any, y: Any, classes: Any, sample_weight: Any, keep_scores: bool) -> Floats:
        """Visit more rows, and return their scores before that if they are asked for.

        Where it fails, this learner is lost, but not the one that it is a copy of. Where it does not, weights
        that both share have changed: it must take the other's place, and nothing may fail in between.
        """
        self._check_parameters()
        if self.early_stopping:
            raise ValueError("early_stopping needs several passes: use fit, or partial_fit without it.")
        self._check_streaming()
        first = "model_" not in vars(self)
        precision = FLOATS if first or self.model_.dtype is None else [self.model_.dtype]
        X, y = self._read(X, check_given(self, y), precision, reset=first)
        weight = sample_weights(sample_weight, len(y), self._whole_examples_only)
        is_closed, there = getattr(self, "closed_", False), None if weight is None else weight > 0
        known = getattr(self, "classes_", None)
        met = meet(known, y, classes, is_closed, there)
        self.classes_, self.closed_ = met.classes, met.is_closed
        weight = introduced(met, weight, len(y))
        y = _with_known_labels(y, weight, self.classes_)
        if first:
            self.model_ = self._new_model(X, y, self._seed(), None, streaming=True)
            self.mistakes_, self._streaming = np.zeros(1, np.int64), True
        else:
            self.model_.check_learning()
            self.model_ = self.model_.successor()
            self._adopt_parameters(self.model_, getattr(self, "n_features_in_", 1))
            if known is not None and len(self.classes_) > len(known):
                self.model_ = self.model_.copy()
                self.model_.regroup(sources(known, self.classes_))
        # A stream is one long pass, after those of fit.
        self.mistakes_ = self.mistakes_.copy() if self._streaming else np.append(self.mistakes_, 0)
        self._streaming = True
        examples = self._examples(y, None, weight)
        scores = np.full((len(y), self.model_.columns) if keep_scores else (0, 1), np.nan)
        with self.model_.visiting(self.model_.read(X)):
            for chunk in order(len(y), 0, None, self.model_.blocks):
                visits = examples.visits(chunk)
                mistakes, before = self.model_.learn(visits, keep_scores)
                self.mistakes_[-1] += mistakes
                if keep_scores:
                    scores[visits.order] = before
            warn_of_late(met)
            return self._shaped(scores)

    def _examples(self, y: Anything, all_labels: Anything | None, weight: Floats | None) -> Classified:
        given = getattr(self, "class_weight", None)
        by_class = weights_for(given, self.classes_, all_labels, self._whole_examples_only)
        return Classified(y, self.classes_, by_class, weight)

    def _new_model(self, X: Any, y: Any, seed: int, there: Anything | None, streaming: bool = False) -> Model:
        """Return a model that knows nothing yet.

        `there` are the rows that have a weight, if not all.
        """
        return self._primal(X.shape[1], columns_for(len(self.classes_)), X.dtype, seed)

    def _seed(self) -> int:
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        # scikit-learn's checks ask for accuracy on 50 noisy rows, too few for a handful of passes.
        tags.classifier_tags.poor_score = not (isinstance(self.passes, Real) and self.passes >= 10)
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return "model_" in vars(self)


def _with_known_labels(y: Anything, weight: Floats | None, classes: Anything) -> Anything:
    """Return y with some known label in the rows of weight 0, which need a code all the same."""
    return y if weight is None else np.where(weight > 0, y, classes[0])
