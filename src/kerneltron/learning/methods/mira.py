"""MIRA: its parameters and its rule."""

from dataclasses import dataclass
from typing import Any, ClassVar

from kerneltron.learning.method import class_weight
from kerneltron.learning.parameters import parameter
from kerneltron.learning.scaling_method import ScalingMethod


@dataclass(kw_only=True, eq=False, repr=False)
class MiraMethod(ScalingMethod):
    """Move all classes together, as little as possible, until the right one wins by a margin of 1.

    The vectors minimise sum_r ||w_r - w_r_old||^2 + C max(0, 1 - <w_y, x> + <w_r, x>), the maximum over
    all r other than y. With two classes w_1 = -w_0, and 2 w_1 follows `PassiveAggressive(variant="I")`
    with the same C. Time as for `PassiveAggressive`, plus O(classes) for the joint step. As published, and as
    theorems want it, with `scale=False, passes=1`.

    References
    ----------
    Crammer and Singer, Ultraconservative online algorithms for multiclass problems (2003), section 6.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from kerneltron import Mira
    >>> X, y = load_digits(return_X_y=True)
    >>> learner = Mira(random_state=0).fit(X[:1200], y[:1200])
    >>> f"{learner.score(X[1200:], y[1200:]):.2f}"
    '0.92'
    """

    C: float = parameter(
        1.0,
        "Aggressiveness: the right class moves by at most C / 2.",
        above=0,
        infinite=True,
        brief="Largest step.",
    )
    class_weight: dict[Any, float] | str | None = class_weight("multiplies C")

    is_joint: ClassVar[bool] = True
    refuses_moves: ClassVar[str] = "MIRA's classes move together, so the sign of one score means nothing."

    @classmethod
    def rule_type(cls) -> Any:
        """Return the type of its rules."""
        from kerneltron.engine.joint import MiraRule

        return MiraRule

    def rule(self, width: int, form: str = "primal") -> Any:
        """Return the rule that the parameters describe."""
        return self.rule_type()(float(self.C))
