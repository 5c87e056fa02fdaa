"""The perceptron: its parameters and its rule."""

from dataclasses import dataclass
from typing import Any, ClassVar

from kerneltron.learning.additive import AdditiveMethod
from kerneltron.learning.method import class_weight
from kerneltron.learning.parameters import parameter


@dataclass(kw_only=True, eq=False, repr=False)
class PerceptronMethod(AdditiveMethod):
    """Add the example on every mistake: w <- w + r y x if y <w, x> <= margin.

    On data that a unit vector separates with margin gamma, rows of norm at most R cost at most
    (R / gamma)^2 mistakes, in any order. Time per visit is that of one inner product, and of one more
    sum for an update; memory is one weight per feature and class, three with the average. In dual form a pass
    compares all examples with those mistaken since they were last visited, in matrix products.

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

    learning_rate: float = parameter(
        1.0,
        "Length r of a step. From zero weights and without a margin it changes no prediction.",
        above=0,
        brief="The first step.",
    )
    margin: float = parameter(
        0.0,
        "Update also when the margin is at most this: the thick separator. Not used at prediction.",
        least=0,
        brief="Learn below this margin, too.",
    )
    class_weight: dict[Any, float] | str | None = class_weight("multiplies the step")

    # To learn also from rows of length 1 that win by less than 1 has 0.79 times the error on nine sets.
    on_texts: ClassVar[Any] = {**AdditiveMethod.on_texts, "margin": 1.0}

    @classmethod
    def rule_type(cls) -> Any:
        """Return the type of its rules."""
        from kerneltron.engine.rules.perceptron import PerceptronRule

        return PerceptronRule

    def rule(self, width: int, form: str = "primal") -> Any:
        """Return the rule that the parameters describe."""
        return self.rule_type()(float(self.learning_rate), float(self.margin))
