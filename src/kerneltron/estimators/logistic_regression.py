"""Logistic regression."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.utils.metaestimators import available_if

from kerneltron._types import Floats
from kerneltron.estimators._additive import AdditiveClassifier
from kerneltron.learning.methods.logistic_regression import LogisticRegressionMethod


def _one_vector(learner: Any) -> bool:
    model = vars(learner).get("model_")
    return bool((learner.hypothesis if model is None else model.kind) != "vote")


@dataclass(kw_only=True, eq=False, repr=False)
class LogisticRegression(LogisticRegressionMethod, AdditiveClassifier):
    """Follow the gradient of log(1 + exp(-y <w, x>)) + (l2 / 2) ||w||^2, one example at a time.

    w <- w / (1 + eta_t l2) + eta_t sigmoid(-y <w, x>) y x, or by default AdaGrad's steps along the same
    gradient. Every example is an update, so a visit costs an inner product and a sum; in dual form all n
    examples are remembered, and a pass takes n^2 kernel evaluations. More than two classes are one against
    the rest.

    Parameters
    ----------
    **shared
        `learning_rate`, `schedule`, `l2` and `class_weight` of `GradientMethod`; `kernel`,
        `representation`, `delta`, `fit_intercept`, `init_scale` and `working_memory` of
        `AdditiveMethod`; and all of `OnlineMethod`.

    References
    ----------
    Bottou, Large-scale machine learning with stochastic gradient descent (2010). Duchi, Hazan and Singer,
    Adaptive subgradient methods (2011), for schedule="adaptive".

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from kerneltron import LogisticRegression
    >>> X, y = load_digits(return_X_y=True)
    >>> learner = LogisticRegression(passes=10, random_state=0).fit(X[:1200] / 16, y[:1200])
    >>> f"{learner.score(X[1200:] / 16, y[1200:]):.2f}"
    '0.91'
    >>> learner.predict_proba(X[1200:1201] / 16).shape
    (1, 10)
    """

    @available_if(_one_vector)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class; the classes' own, brought to a sum of 1, if more than two."""
        p = expit(self.decision_function(X))
        if p.ndim == 1:
            one = len(self.classes_) == 1
            return np.ones((len(p), 1), p.dtype) if one else np.column_stack([1 - p, p])
        total = p.sum(axis=1, keepdims=True)
        return np.where(total > 0, p / np.where(total > 0, total, 1), 1 / p.shape[1])
