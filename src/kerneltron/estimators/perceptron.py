"""The perceptron."""

from dataclasses import dataclass

from kerneltron.estimators._additive import AdditiveClassifier
from kerneltron.learning.methods.perceptron import PerceptronMethod


@dataclass(kw_only=True, eq=False, repr=False)
class Perceptron(PerceptronMethod, AdditiveClassifier):
    """Add the example on every mistake: w <- w + r y x if y <w, x> <= margin.

    On data that a unit vector separates with margin gamma, rows of norm at most R cost at most
    (R / gamma)^2 mistakes, in any order. Time per visit is that of one inner product, and of one more
    sum for an update; memory is one weight a feature and class, three with the average. In dual form a pass
    compares all examples with those mistaken since they were last visited, in matrix products.

    Parameters
    ----------
    learning_rate
        Length r of a step. From zero weights and without a margin it changes no prediction.
    margin
        Update also when the margin is at most this: the thick separator. Not used at prediction.
    class_weight
        Weight per class as a dict, or "balanced"; multiplies the step.
    **shared
        `kernel`, `representation`, `delta`, `fit_intercept`, `init_scale` and `working_memory` of
        `AdditiveMethod`, and all of `OnlineMethod`.

    References
    ----------
    Freund and Schapire, Large margin classification using the perceptron algorithm (1999), section 2.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from kerneltron import Perceptron
    >>> X, y = load_digits(return_X_y=True)
    >>> learner = Perceptron(passes=10, random_state=0).fit(X[:1200], y[:1200])
    >>> f"{learner.score(X[1200:], y[1200:]):.2f}"
    '0.90'
    """
