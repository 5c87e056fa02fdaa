"""Passive-Aggressive."""

from dataclasses import dataclass

from kerneltron.estimators._additive import AdditiveClassifier
from kerneltron.learning.methods.passive_aggressive import PassiveAggressiveMethod


@dataclass(kw_only=True, eq=False, repr=False)
class PassiveAggressive(PassiveAggressiveMethod, AdditiveClassifier):
    """Move as little as repairs the margin: w <- w + tau y x with tau from the loss max(0, 1 - y <w, x>).

    tau is loss / q for variant "0", min(C, loss / q) for "I" and loss / (q + 1 / (2 C)) for "II", with
    q = ||x||^2. Time and memory as for `Perceptron`; updates are more frequent.

    Parameters
    ----------
    variant
        "0", "I" or "II": repair all of the margin, or take noisy labels into account.
    C
        Aggressiveness of the variants I and II: the largest step, or the softness of the repair.
    class_weight
        Weight per class as a dict, or "balanced"; multiplies C, so variant "0" has no use for it.
    **shared
        `kernel`, `representation`, `delta`, `fit_intercept`, `init_scale` and `working_memory` of
        `AdditiveMethod`, and all of `OnlineMethod`.

    References
    ----------
    Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, Online passive-aggressive algorithms (2006),
    section 3.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from kerneltron import PassiveAggressive
    >>> X, y = load_digits(return_X_y=True)
    >>> learner = PassiveAggressive(passes=10, random_state=0).fit(X[:1200], y[:1200])
    >>> f"{learner.score(X[1200:], y[1200:]):.2f}"
    '0.90'
    """
