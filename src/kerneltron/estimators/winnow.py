"""Winnow."""

from dataclasses import dataclass
from typing import Any

from kerneltron.estimators._base import OnlineClassifier
from kerneltron.learning.methods.winnow import WinnowMethod


@dataclass(kw_only=True, eq=False, repr=False)
class Winnow(WinnowMethod, OnlineClassifier):
    """Multiply weights instead of adding to them: w_j <- w_j promotion^x_j on a missed positive example.

    Predicts positive when <w, x> > threshold; a false positive multiplies by demotion^x_j. Weights start
    at 1. Mistakes grow with the logarithm of the number of irrelevant features, where an additive learner
    pays in proportion. Features must not be negative.

    Parameters
    ----------
    promotion, demotion
        The factors, above and below 1.
    threshold
        None is the number of features.
    balanced
        Keep a second vector that is promoted when the first is demoted, and predict by their
        difference: weights of either sign.
    **shared
        All parameters of `OnlineMethod`. The hypothesis "vote" needs additive updates. A sample
        weight multiplies the exponent.

    References
    ----------
    Littlestone, Learning quickly when irrelevant attributes abound (1988), sections 4 and 5.

    Examples
    --------
    >>> import numpy as np
    >>> from kerneltron import Winnow
    >>> X = np.random.default_rng(0).integers(0, 2, (2000, 300))
    >>> y = X[:, 3] | X[:, 7]
    >>> Winnow(hypothesis="last", random_state=0).fit(X, y).mistakes_
    array([30])
    """

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        # scikit-learn's checks ask for accuracy on two-dimensional blobs; Winnow is made for indicators.
        tags.classifier_tags.poor_score = True
        return tags
