"""Pegasos: its parameters and its rule."""

from dataclasses import dataclass
from typing import Any, ClassVar

from kerneltron.learning.gradient import GradientMethod
from kerneltron.learning.parameters import parameter


@dataclass(kw_only=True, eq=False, repr=False)
class PegasosMethod(GradientMethod):
    """Follow the subgradient of the support vector machine: max(0, 1 - y <w, x>) + (l2 / 2) ||w||^2.

    w <- (1 - eta_t l2) w + eta_t [y <w, x> < 1] y x with eta_t = 1 / (1 / learning_rate + l2 t):
    as published where `learning_rate` is infinite. Time and memory as for
    `PassiveAggressive`; the shrinking costs nothing per weight.

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

    learning_rate: float = parameter(
        1.0,
        "The largest step; infinite is Pegasos as published, eta_t = 1 / (l2 t), whose first steps are far "
        "too long for a small l2. The other schedules need a finite one.",
        above=0,
        infinite=True,
        brief="The first step.",
    )
    schedule: str = parameter(
        "inverse",
        "'inverse': eta_t = 1 / (1 / learning_rate + l2 t). 'constant': eta_t = learning_rate. 'adaptive': "
        "AdaGrad, learning_rate / sqrt(sum of the coordinate's squared gradients). 'auto': adaptive in "
        "primal form, inverse in dual form.",
        choices=("auto", "constant", "inverse", "adaptive"),
        fixed=True,
        brief="How steps shrink: auto, constant, inverse or adaptive.",
    )

    # Its first steps are long, and the average forgets them slowly: ten passes have 0.92 times the error of
    # five on nine sets of texts.
    on_texts: ClassVar[Any] = {**GradientMethod.on_texts, "passes": 10}

    @classmethod
    def rule_type(cls) -> Any:
        """Return the type of its rules."""
        from kerneltron.engine.rules.pegasos import PegasosRule

        return PegasosRule

    def rule(self, width: int, form: str = "primal") -> Any:
        """Return the rule that the parameters describe."""
        rule = self.scheduled(self.rule_type(), form)
        if self.schedule == "constant" and self.l2 * self.learning_rate >= 1:
            raise ValueError(
                f"learning_rate * l2 = {self.learning_rate * self.l2:g} would shrink the weights to nothing "
                "at every step: keep it below 1."
            )
        return rule
