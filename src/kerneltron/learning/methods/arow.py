"""AROW: its parameters and its rule."""

from dataclasses import dataclass
from typing import Any, ClassVar

from kerneltron.learning.method import class_weight
from kerneltron.learning.parameters import parameter
from kerneltron.learning.scaling_method import ScalingMethod


@dataclass(kw_only=True, eq=False, repr=False)
class ArowMethod(ScalingMethod):
    """Keep a variance for each weight, and move uncertain weights further: adaptive regularisation.

    With S the diagonal of variances, all 1 at first, and z = y <w, x>: where z < 1, w <- w + alpha y S x with
    alpha = (1 - z) beta and beta = 1 / (x' S x + r), and 1 / S_j <- 1 / S_j + x_j^2 / r. So a word that came
    often moves little, and a rare one far; noisy labels do less harm than to `PassiveAggressive`. The
    precisions 1 / S_j are kept, in double precision: they add up when models are merged. (Exact diagonals of
    the full matrix S - beta S x x' S would shrink S_j by beta S_j^2 x_j^2, which is less: there the features
    of an example share what is learned from it. One feature at a time, both are the same.)

    It has weights, of the features or of an explicit map; there is no dual form. Time per visit is that of an
    inner product, and of two more sums with divisions for an update; memory 8 bytes more per weight. As
    published with `scale=False, passes=1`.

    References
    ----------
    Crammer, Kulesza and Dredze, Adaptive regularization of weight vectors (2009), figure 1, with the
    diagonal of the inverse (section 3).

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from kerneltron import Arow
    >>> X, y = load_digits(return_X_y=True)
    >>> learner = Arow(random_state=0).fit(X[:1200], y[:1200])
    >>> f"{learner.score(X[1200:], y[1200:]):.2f}"
    '0.90'
    """

    r: float = parameter(
        1.0,
        "Regularisation: the larger, the smaller the steps, and the slower variances shrink. A sample weight "
        "divides it.",
        above=0,
        brief="Regularisation: the larger, the smaller the steps.",
    )
    class_weight: dict[Any, float] | str | None = class_weight("divides r")

    forms: ClassVar[tuple[str, ...]] = ("primal", "scaled", "mapped")
    refuses_dual: ClassVar[str] = "it keeps a variance for each weight, and the dual form has no weights"
    refuses_moves: ClassVar[str] = "AROW's steps are not multiples of an example, of which votes are counted."

    @classmethod
    def rule_type(cls) -> Any:
        """Return the type of its rules."""
        from kerneltron.engine.arow import ArowRule

        return ArowRule

    def rule(self, width: int, form: str = "primal") -> Any:
        """Return the rule that the parameters describe."""
        return self.rule_type()(float(self.r))
