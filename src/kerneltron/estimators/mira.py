"""MIRA."""

from dataclasses import dataclass

from kerneltron.estimators._additive import AdditiveClassifier
from kerneltron.learning.methods.mira import MiraMethod


@dataclass(kw_only=True, eq=False, repr=False)
class Mira(MiraMethod, AdditiveClassifier):
    """Move all classes together, as little as possible, until the right one wins by a margin of 1.

    The vectors minimise sum_r ||w_r - w_r_old||^2 + C max(0, 1 - <w_y, x> + <w_r, x>), the maximum over
    all r other than y. With two classes w_1 = -w_0, and 2 w_1 follows `PassiveAggressive(variant="I")`
    with the same C. Time as for `PassiveAggressive`, plus O(classes) for the joint step.

    Parameters
    ----------
    C
        Aggressiveness: the right class moves by at most C / 2.
    class_weight
        Weight per class as a dict, or "balanced"; multiplies C.
    **shared
        `kernel`, `representation`, `delta`, `fit_intercept`, `init_scale` and `working_memory` of
        `AdditiveMethod`, and all of `OnlineMethod`.

    References
    ----------
    Crammer and Singer, Ultraconservative online algorithms for multiclass problems (2003), section 6.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from kerneltron import Mira
    >>> X, y = load_digits(return_X_y=True)
    >>> learner = Mira(passes=10, random_state=0).fit(X[:1200], y[:1200])
    >>> f"{learner.score(X[1200:], y[1200:]):.2f}"
    '0.92'
    """
