"""Logistic regression: its parameters and its rule."""

from dataclasses import dataclass
from typing import Any, ClassVar

from kerneltron.learning.gradient import GradientMethod


@dataclass(kw_only=True, eq=False, repr=False)
class LogisticRegressionMethod(GradientMethod):
    """Follow the gradient of log(1 + exp(-y <w, x>)) + (l2 / 2) ||w||^2, one example at a time.

    w <- w / (1 + eta_t l2) + eta_t sigmoid(-y <w, x>) y x, or by default AdaGrad's steps along the same
    gradient. Every example is an update, so a visit costs an inner product and a sum; in dual form all n
    examples are remembered, and a pass takes n^2 kernel evaluations. More than two classes are one against
    the rest.

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
    '0.90'
    >>> learner.predict_proba(X[1200:1201] / 16).shape
    (1, 10)
    """

    always_moves: ClassVar[bool] = True
    scores_are_log_odds: ClassVar[bool] = True
    # The first steps of 0.5 that suit a few scaled columns would be too long for dozens of words, and are too
    # short for rows of length 1, whose values are small.
    on_streams: ClassVar[Any] = {**GradientMethod.on_streams, "learning_rate": 0.1}
    on_unit_rows: ClassVar[Any] = {**GradientMethod.on_unit_rows, "learning_rate": 1.0}
    # Numbers are larger than words there. Log-loss on three sets of texts with numbers beside them, and one
    # whose numbers matter: 0.406, 0.050, 0.617 with 0.5; 0.394, 0.045, 0.680 with 1.
    on_scaled_unit_rows: ClassVar[Any] = {"learning_rate": 0.5}

    @classmethod
    def rule_type(cls) -> Any:
        """Return the type of its rules."""
        from kerneltron.engine.rules.logistic import LogisticRule

        return LogisticRule

    def rule(self, width: int, form: str = "primal") -> Any:
        """Return the rule that the parameters describe."""
        return self.scheduled(self.rule_type(), form)
