"""Passive-Aggressive: its parameters and its rule."""

from dataclasses import dataclass
from math import inf
from typing import Any

from kerneltron.learning.method import class_weight
from kerneltron.learning.parameters import parameter
from kerneltron.learning.scaling_method import ScalingMethod


@dataclass(kw_only=True, eq=False, repr=False)
class PassiveAggressiveMethod(ScalingMethod):
    """Move as little as repairs the margin: w <- w + tau y x with tau from the loss max(0, 1 - y <w, x>).

    tau is loss / q for variant "0", min(C, loss / q) for "I" and loss / (q + 1 / (2 C)) for "II", with
    q = ||x||^2. Time and memory as for `Perceptron`; updates are more frequent. As published, and as
    theorems want it, with `scale=False, passes=1`.

    References
    ----------
    Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, Online passive-aggressive algorithms (2006),
    section 3.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from kerneltron import PassiveAggressive
    >>> X, y = load_digits(return_X_y=True)
    >>> learner = PassiveAggressive(random_state=0).fit(X[:1200], y[:1200])
    >>> f"{learner.score(X[1200:], y[1200:]):.2f}"
    '0.91'
    """

    variant: str = parameter(
        "I",
        "'0', 'I' or 'II': repair all of the margin, or take noisy labels into account.",
        choices=("0", "I", "II"),
        brief="Which variant: 0, I or II.",
    )
    C: float = parameter(
        1.0,
        "Aggressiveness of the variants I and II: the largest step, or the softness of the repair.",
        above=0,
        infinite=True,
        brief="Largest step.",
    )
    class_weight: dict[Any, float] | str | None = class_weight(
        "multiplies C, so variant '0' has no use for it"
    )

    @property
    def whole_examples_only(self) -> bool:  # type: ignore[override]
        """Whether an example is repaired at once."""
        return self.variant == "0"

    @classmethod
    def rule_type(cls) -> Any:
        """Return the type of its rules."""
        from kerneltron.engine.rules.passive_aggressive import PassiveAggressiveRule

        return PassiveAggressiveRule

    def rule(self, width: int, form: str = "primal") -> Any:
        """Return the rule that the parameters describe."""
        softness = 1.0 / (2.0 * self.C) if self.variant == "II" else 0.0
        return self.rule_type()(float(self.C) if self.variant == "I" else inf, softness)
