"""Pegasos."""

from dataclasses import dataclass

from kerneltron.estimators._additive import AdditiveClassifier
from kerneltron.learning.methods.pegasos import PegasosMethod


@dataclass(kw_only=True, eq=False, repr=False)
class Pegasos(PegasosMethod, AdditiveClassifier):
    """Follow the subgradient of the support vector machine: max(0, 1 - y <w, x>) + (l2 / 2) ||w||^2.

    w <- (1 - eta_t l2) w + eta_t [y <w, x> < 1] y x with eta_t = 1 / (l2 t). Time and memory as for
    `PassiveAggressive`; the shrinking costs nothing per weight.

    Parameters
    ----------
    learning_rate
        The largest step; infinite is Pegasos as published, eta_t = 1 / (l2 t). The other schedules need
        a finite one.
    **shared
        `schedule`, `l2` and `class_weight` of `GradientMethod`; `kernel`, `representation`, `delta`,
        `fit_intercept`, `init_scale` and `working_memory` of `AdditiveMethod`; and all of
        `OnlineMethod`.

    References
    ----------
    Shalev-Shwartz, Singer, Srebro and Cotter, Pegasos: primal estimated sub-gradient solver for SVM
    (2011), figure 1.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from kerneltron import Pegasos
    >>> X, y = load_digits(return_X_y=True)
    >>> learner = Pegasos(l2=1e-3, passes=10, random_state=0).fit(X[:1200] / 16, y[:1200])
    >>> f"{learner.score(X[1200:] / 16, y[1200:]):.2f}"
    '0.90'
    """
