"""ALMA: its parameters and its rule."""

from dataclasses import dataclass
from typing import Any

from kerneltron.learning.additive import AdditiveMethod
from kerneltron.learning.method import class_weight
from kerneltron.learning.parameters import parameter


@dataclass(kw_only=True, eq=False, repr=False)
class AlmaMethod(AdditiveMethod):
    """Approximate the largest margin: a perceptron that asks for a margin, and stays in the unit ball.

    At update k, with x scaled to length 1: if y <w, x> <= (1 - alpha) gamma_k, w <- w + eta_k y x, then
    w <- w / max(1, ||w||), with gamma_k = sqrt(8 / k) / alpha and eta_k = sqrt(2 / k). On data that a unit
    vector separates with margin gamma, its updates are O(1 / (alpha gamma)^2), and it ends with a margin of
    at least (1 - alpha) gamma. Time and memory as for `Romma`.

    References
    ----------
    Gentile, A new approximate maximal margin classification algorithm (2001), section 3, for p = 2.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from kerneltron import Alma
    >>> X, y = load_digits(return_X_y=True)
    >>> learner = Alma(passes=10, random_state=0).fit(X[:1200], y[:1200])
    >>> f"{learner.score(X[1200:], y[1200:]):.2f}"
    '0.91'
    """

    alpha: float = parameter(
        0.9,
        "How much less than the largest margin will do, above 0 and at most 1: the smaller, the more "
        "updates. With 1 it learns from mistakes alone.",
        above=0,
        most=1,
        brief="How much less than the largest margin will do.",
    )
    class_weight: dict[Any, float] | str | None = class_weight("multiplies the step")

    @classmethod
    def rule_type(cls) -> Any:
        """Return the type of its rules."""
        from kerneltron.engine.rules.alma import AlmaRule

        return AlmaRule

    def rule(self, width: int, form: str = "primal") -> Any:
        """Return the rule that the parameters describe."""
        return self.rule_type()(float(self.alpha))
