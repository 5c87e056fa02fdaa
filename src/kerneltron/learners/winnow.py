"""Winnow."""

from dataclasses import dataclass
from typing import Any, ClassVar

from kerneltron._validate import check_finite, check_non_negative
from kerneltron.engine.multiplicative import WinnowRule
from kerneltron.learners._base import OnlineClassifier
from kerneltron.learners._parameters import check_number


@dataclass(kw_only=True, eq=False, repr=False)
class Winnow(OnlineClassifier):
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
        All parameters of `OnlineClassifier`. The hypothesis "vote" needs additive updates. A sample
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

    promotion: float = 2.0
    demotion: float = 0.5
    threshold: float | None = None
    balanced: bool = False

    vote_refused: ClassVar[str] = "Winnow multiplies its weights; a vote is counted over sums of examples."

    def _rule(self, width: int) -> WinnowRule:
        check_number("promotion", self.promotion, above=1)
        check_number("demotion", self.demotion, above=0, below=1)
        if self.threshold is not None:
            check_number("threshold", self.threshold)
        threshold = float(width if self.threshold is None else self.threshold)
        return WinnowRule(float(self.promotion), float(self.demotion), threshold, bool(self.balanced))

    def _check_values(self, X: Any) -> None:
        check_finite(X)
        check_non_negative(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        # scikit-learn's checks ask for accuracy on two-dimensional blobs; Winnow is made for indicators.
        tags.classifier_tags.poor_score = True
        return tags
