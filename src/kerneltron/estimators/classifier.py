"""The classifier that all estimators are: it holds a learner, and speaks scikit-learn's language."""

import os
import warnings
from math import ceil
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from kerneltron._types import Anything, Floats, Trace, Visits
from kerneltron._validate import rows_of
from kerneltron.estimators._alone import alone, at_rest
from kerneltron.estimators._calling_back import call_back
from kerneltron.estimators._input import check_given, data_of, read, weights_for
from kerneltron.estimators._scaled_rows import (
    as_first_rows,
    learn_one_by_one,
    scale_all,
    scale_next,
    take_own_scaler,
)
from kerneltron.estimators._settled import describes, is_settled
from kerneltron.estimators._splitting import split
from kerneltron.estimators.understood import Understood, is_additive
from kerneltron.kernels.routing import RoutesToKernel
from kerneltron.learning.classes import introduced, warn_of_late, warn_of_missing
from kerneltron.learning.learner import Learner
from kerneltron.learning.method import Method
from kerneltron.learning.parameters import names_of
from kerneltron.learning.pass_report import PassReport
from kerneltron.learning.predictor import Predictor
from kerneltron.learning.space import STREAM
from kerneltron.learning.weighting import sample_weights
from kerneltron.training.arrays import Arrays, HeldOut, Stretch
from kerneltron.training.pass_plan import ONCE, PassPlan, plan_of
from kerneltron.training.progress import progress
from kerneltron.training.trainer import Trainer

LEARNED = ("learner_", "n_features_in_", "feature_names_in_", "stream_")  # set by `fit`, or by loading


class Classifier(RoutesToKernel, Understood, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A learner with the interface of scikit-learn; `estimators.making` makes one class for each method."""

    method_type: ClassVar[type[Method]]

    # -- learning ------------------------------------------------------------------------------------

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
            trial = self._twin()
            before = trial._forget()
            trial._fit(X, y, sample_weight, before)
            self.__dict__ = trial.__dict__  # all at once: other threads may be predicting
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

    def partial_fit_predict(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Floats:
        """Go on learning, and return the score of each row just before it was learned from.

        The scores are those that `decision_function` would have returned for the row if all rows before it
        had been learned from: the progressive validation of an online learner. Rows of weight 0 get NaN, and
        so does the first row of a class that comes late. Such a class is one of the classes from the first
        row of that call on. Most learners do it as they learn; with `hypothesis="vote"` or "random", and
        `Winnow` and `SVM`, rows are predicted one by one, which takes longer.

        Parameters
        ----------
        X, y, classes, sample_weight
            As for `partial_fit`.
        """
        return self._stream(X, y, classes, sample_weight, keep_scores=True)

    def _fit(self, X: Any, y: Any, sample_weight: Any, before: Learner | None) -> None:
        """Learn from scratch or, where that is asked for, from what was learned before."""
        method = self._method()
        method.check()
        learner = Learner(method)
        X, y = read(self, learner, X, check_given(self, y), reset=True)
        weight = sample_weights(sample_weight, len(y), method.whole_examples_only)
        there = None if weight is None else np.flatnonzero(weight)
        labels = y if there is None else y[there]
        warn_of_missing(learner.meet(labels))
        learner.target.check_enough()
        y = learner.target.filled(y, weight)
        seed = method.seed()
        training, held_out = there, None
        if method.early_stopping:
            training, held_out = split(labels, method.validation_fraction, seed)
            if there is not None:
                training, held_out = there[training], there[held_out]
        rows = scale_all(learner, X, training)
        learner.begin(data_of(learner, rows, codes=learner.target.codes(y), there=there), seed)
        if before is not None and method.starts_warm:
            learner.start_from(before)
        self.learner_ = learner
        by_class = None
        if method.counts is not None and (classes := learner.classes) is not None:
            by_class = weights_for(method.counts, classes, labels, method.whole_examples_only)
        plan = plan_of(method, seed)
        check = None if held_out is None else HeldOut(rows_of(X, held_out), y[held_out])
        batches = Arrays(rows, learner.examples(y, weight, by_class), training, check)
        trainer = Trainer(learner, batches, plan)

        total = ceil(method.passes * batches.size)
        title, known = type(self).__name__, None if plan.tolerance else total
        with progress(title, known, method.verbose > 0) as advance:

            def after_pass(report: PassReport) -> object:
                if plan.tolerance:
                    advance(0, 0, report.gap)
                return call_back(self, method.callback, report, X)

            trainer.after_pass, trainer.advance = after_pass, advance
            trainer.run()
        _warn_of_gap(trainer.reports[-1], plan)

    def _stream(self, X: Any, y: Any, classes: Any, sample_weight: Any, keep_scores: bool) -> Floats:
        with alone(self):
            trial = self._twin()
            scores = trial._go_on(X, y, classes, sample_weight, keep_scores)
            self.__dict__ = trial.__dict__  # no call, which could fail: see `_go_on`
        return scores

    def _go_on(self, X: Any, y: Any, classes: Any, sample_weight: Any, keep_scores: bool) -> Floats:
        """Visit more rows, and return their scores before that if they are asked for.

        Where it fails, this learner is lost, but not the one that it is a copy of. Where it does not, weights
        that both share have changed: it must take the other's place, and nothing may fail in between.
        """
        method = self._streaming_method()
        first = not self.__sklearn_is_fitted__()
        learner = Learner(method) if first else self.learner_.shell()
        X, y = read(self, learner, X, check_given(self, y), reset=first)
        weight = sample_weights(sample_weight, len(y), method.whole_examples_only)
        if not first:
            learner.model.check_learning()
            learner.adopt(method)
        known = learner.classes
        met = learner.meet(y, classes, None if weight is None else weight > 0)
        warn_of_missing(met, known, stacklevel=5)
        weight = introduced(met, weight, len(y)) if met.late else weight
        y = learner.target.filled(y, weight)
        take_own_scaler(learner, first)
        if first:
            there = None if weight is None else np.flatnonzero(weight)
            codes, rows = learner.target.codes(y), as_first_rows(learner, X, weight)
            data = data_of(learner, rows, STREAM, codes=codes, there=there, is_whole=False)
            learner.begin(data, method.seed())
        learner.begin_stream()
        self.learner_ = learner
        if keep_scores and learner.scaler is not None:
            scores = learn_one_by_one(learner, X, y, weight)
            warn_of_late(met)
            return _shaped(scores)
        scores = np.full((len(y), learner.model.columns), np.nan) if keep_scores else np.empty((0, 1))

        def record(visits: Visits, trace: Trace) -> None:
            scores[visits.order] = trace.predictions

        stretch = Stretch(scale_next(learner, X, weight), learner.examples(y, weight))
        wanted = (record, ("keep_predictions",)) if keep_scores else ()
        trainer = Trainer(learner, stretch, ONCE, *wanted)
        with trainer.opened():
            trainer.go_on()
            if met.late:
                warn_of_late(met)
            return _shaped(scores)

    def _method(self) -> Method:
        """Return the method that the parameters describe, as they are now."""
        method_type = self.method_type
        return method_type(**{name: getattr(self, name) for name in names_of(method_type)})

    def _streaming_method(self) -> Method:
        """Return the method that the parameters describe, fit for a stream; checked when they change."""
        method: Method | None = getattr(self, "_streamed", None)
        if method is None or not describes(method, self):
            method = self._method()
            method.check()
            if method.early_stopping:
                raise ValueError("early_stopping needs several passes: use fit, or partial_fit without it.")
            method.check_streaming()
            self._streamed = method if is_settled(method) else None
        return method

    def _twin(self) -> Self:
        """Return an estimator that knows the same; `copy.copy` takes ten times as long."""
        other = type(self).__new__(type(self))
        other.__dict__ = self.__dict__.copy()
        return other

    def __copy__(self) -> Self:
        """Return a copy that learns on its own: what was learned is shared until one of both learns."""
        with at_rest(self):
            other = self._twin()
            if self.__sklearn_is_fitted__():
                other.learner_ = self.learner_.copy()
        return other

    def _forget(self) -> Learner | None:
        """Forget what was learned; return it."""
        learner: Learner | None = self.__dict__.get("learner_")
        for name in LEARNED:
            self.__dict__.pop(name, None)
        return learner

    def hold(self, learner: Learner) -> None:
        """Take a learner that has learned, as from a file."""
        self.learner_ = learner
        if learner.inputs is not None:
            self.n_features_in_ = learner.inputs
        if learner.input_names is not None:
            self.feature_names_in_ = learner.input_names

    # -- predicting ----------------------------------------------------------------------------------

    def decision_function(self, X: Any) -> Floats:
        """Return a score per row and class, or for two classes one per row, positive for the second."""
        now = self._as_it_is()
        return _shaped(now._scores(X))

    def predict(self, X: Any) -> Anything:
        """Return the label with the highest score for each row."""
        now = self._as_it_is()
        return now.learner_.labels(now._scores(X))

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class.

        Scores s become sigmoid(a s) for two classes, and softmax(a s) for more: the likeliest class is the
        one that `predict` returns. The temperature a, one number for all classes, is found while the learner
        learns, by scores of examples before it has learned from them; for two classes of
        `LogisticRegression` it is 1.

        Raises
        ------
        ValueError
            The learner comes from a file of an older version, which kept no calibration.
        """
        now = self._as_it_is()
        return now.learner_.probabilities(now._scores(X))

    def predictor(self) -> Predictor:
        """Return what is predicted now, as a function of plain arrays without checks: for one row at a time.

        `predictor(x)` is the label of a vector x, or those of the rows of a matrix; it has also
        `decision_function` and `predict_proba`. Learning on does not change it, and any number of threads
        may call it. What it takes, and does not check, says `kerneltron.learning.predictor.Predictor`.

        Raises
        ------
        NotFittedError
            Nothing was learned yet.
        """
        return self._as_it_is().learner_.predictor()

    def _as_it_is(self) -> Self:
        """Return an estimator with scores and classes of one moment, if another thread is learning."""
        now = self._twin()
        if not now.__sklearn_is_fitted__():
            check_is_fitted(now)  # which raises; it takes a tenth of a prediction to find nothing
        return now

    def _scores(self, X: Any) -> Floats:
        return self.learner_.scores(read(self, self.learner_, X)[0])

    def save(self, path: str | os.PathLike[str], resumable: bool = True) -> None:
        """Save the learner to one file, from which `kerneltron.load(path)` brings it back.

        The file is there whole or not at all: an error leaves what stood there before as it was. The same
        learner gives the same bytes. The callback is not saved, and a random state that is not a number
        becomes None (what has begun goes on with its own seed).

        Parameters
        ----------
        path
            The file; one that is there is replaced.
        resumable
            Keep all that is needed to go on learning: after loading, `partial_fit` goes on as if it had never
            stopped. False keeps only what predicts, a much smaller file: weights without their sums, or of
            the remembered examples those that have coefficients.
        """
        from kerneltron.estimators.saving import save

        save(self, path, resumable)

    # -- scikit-learn --------------------------------------------------------------------------------

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        method_type, passes = self.method_type, getattr(self, "passes", None)
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = method_type.non_negative_only
        tags.input_tags.pairwise = is_additive(self) and _is_precomputed(self.kernel)
        # scikit-learn's checks ask for accuracy on 50 noisy rows, too few for a handful of passes; and on
        # two-dimensional blobs, where those that take no negative features, made for indicators, do badly.
        is_enough = isinstance(passes, Real) and float(passes) >= 10
        tags.classifier_tags.poor_score = method_type.non_negative_only or not is_enough
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return getattr(self, "learner_", None) is not None


def _is_precomputed(kernel: Any) -> bool:
    """Return whether a kernel is a Gram matrix; looking at its text takes a twentieth of a prediction."""
    from kerneltron.kernels.precomputed import Precomputed

    return isinstance(kernel, Precomputed) or (
        isinstance(kernel, str) and kernel in ("precomputed", "Precomputed()")
    )


def _warn_of_gap(report: PassReport, plan: PassPlan) -> None:
    """Warn if all passes were made, and the optimum may still be far away."""
    if plan.tolerance and report.gap > plan.tolerance and report.number >= plan.passes:
        warnings.warn(
            f"the relative duality gap is {report.gap:.2g} after {report.number} passes, above tol="
            f"{plan.tolerance:g}: the optimum is not reached. Give more `passes`, a larger `tol` or a "
            "smaller `C`. If the gap stays as it is, look at the kernel with kerneltron.kernels.check: where "
            "it is not positive semi-definite, the gap cannot close.",
            ConvergenceWarning,
            stacklevel=4,
        )


def _shaped(scores: Floats) -> Floats:
    return scores.ravel() if scores.shape[1] == 1 else scores
