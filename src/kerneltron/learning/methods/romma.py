"""ROMMA: its parameters and its rule."""

from dataclasses import dataclass
from typing import Any, ClassVar

from kerneltron.learning.additive import AdditiveMethod
from kerneltron.learning.parameters import parameter


@dataclass(kw_only=True, eq=False, repr=False)
class RommaMethod(AdditiveMethod):
    """Relaxed online maximum margin: the shortest w that repairs an example and keeps the last constraint.

    On a mistake, w <- c w + d y x with c = (qN - z) / (qN - z^2) and d = N (1 - z) / (qN - z^2), where
    z = y <w, x>, q = ||x||^2 and N = ||w||^2. Time and memory as for `Perceptron`. A sample weight says only
    whether a row is there (any value but 0, the same for all) or not (0).

    References
    ----------
    Li and Long, The relaxed online maximum margin algorithm (2002), section 3.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from kerneltron import Romma
    >>> X, y = load_digits(return_X_y=True)
    >>> learner = Romma(passes=10, random_state=0).fit(X[:1200], y[:1200])
    >>> f"{learner.score(X[1200:], y[1200:]):.2f}"
    '0.89'
    """

    aggressive: bool = parameter(
        False,
        "Act on every margin below 1, not only on mistakes.",
        brief="Learn below margin 1, not only from mistakes.",
    )

    whole_examples_only: ClassVar[bool] = True
    # 0.78 times the error of learning from mistakes alone, and ten passes 0.90 times that of five.
    on_texts: ClassVar[Any] = {**AdditiveMethod.on_texts, "aggressive": True, "passes": 10}

    @classmethod
    def rule_type(cls) -> Any:
        """Return the type of its rules."""
        from kerneltron.engine.rules.romma import RommaRule

        return RommaRule

    def rule(self, width: int, form: str = "primal") -> Any:
        """Return the rule that the parameters describe."""
        return self.rule_type()(bool(self.aggressive))
