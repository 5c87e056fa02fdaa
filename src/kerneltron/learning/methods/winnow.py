"""Winnow: its parameters and its rule."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from kerneltron.learning.online import OnlineMethod
from kerneltron.learning.parameters import check_number, parameter
from kerneltron.learning.scaler_choice import SCALE


@dataclass(kw_only=True, eq=False, repr=False)
class WinnowMethod(OnlineMethod):
    """Multiply weights instead of adding to them: w_j <- w_j promotion^x_j on a missed positive example.

    Predicts positive when <w, x> > threshold; a false positive multiplies by demotion^x_j. Weights start
    at 1. Mistakes grow with the logarithm of the number of irrelevant features, where an additive learner
    pays in proportion. Features must not be negative. A sample weight multiplies the exponent.

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

    promotion: float = parameter(
        2.0,
        "The factor of weights on a missed positive example, above 1.",
        above=1,
        brief="Factor of weights that were too small.",
    )
    demotion: float = parameter(
        0.5,
        "The factor of weights on a false positive, below 1.",
        above=0,
        below=1,
        brief="Factor of weights that were too large.",
    )
    threshold: float | None = parameter(
        None,
        "Scores above it are positive; None is the number of features.",
        fixed=True,
        brief="Scores above it are positive.",
        brief_default="the number of slots",
    )
    balanced: bool = parameter(
        False,
        "Keep a second vector that is promoted when the first is demoted, and predict by their difference: "
        "weights of either sign.",
        fixed=True,
        brief="Two weights per feature.",
    )
    scale: bool | str = parameter(False, SCALE, fixed=True, optional=True)

    forms: ClassVar[tuple[str, ...]] = ("primal",)
    non_negative_only: ClassVar[bool] = True
    # The difference of two weights begins at 0, and so does the threshold: 8.7 % in place of 42.5, the
    # geometric mean of the errors on nine sets. Rows of length 1 would take too long to reach 2^22.
    on_texts: ClassVar[Any] = {**OnlineMethod.on_texts, "balanced": True, "threshold": 0.0}
    refuses_moves: ClassVar[str] = "Winnow multiplies its weights; a vote is counted over sums of examples."

    @classmethod
    def suiting_texts(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the defaults on texts: 0 is a threshold for differences alone, which all sums exceed."""
        if given.get("balanced") is False:
            return {name: value for name, value in cls.on_texts.items() if name != "threshold"}
        return super().suiting_texts(given)

    @classmethod
    def rule_type(cls) -> Any:
        """Return the type of its rules."""
        from kerneltron.engine.multiplicative import WinnowRule

        return WinnowRule

    def rule(self, width: int, form: str = "primal") -> Any:
        """Return the rule that the parameters describe."""
        if self.threshold is not None:
            check_number("threshold", self.threshold)
        threshold = float(width if self.threshold is None else self.threshold)
        return self.rule_type()(float(self.promotion), float(self.demotion), threshold, bool(self.balanced))
