"""Progressive validation: what a learner would have answered before it learned from each example."""

from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers


class Tally(NamedTuple):
    """Sums over examples; `loss` is the logarithmic one where scores are logarithms of odds."""

    examples: int = 0
    weight: float = 0.0
    errors: float = 0.0
    loss: float = 0.0

    def __add__(self, other: "Tally") -> "Tally":  # type: ignore[override]
        return Tally._make(a + b for a, b in zip(self, other, strict=True))

    def __sub__(self, other: "Tally") -> "Tally":
        return Tally._make(a - b for a, b in zip(self, other, strict=True))

    @property
    def error_rate(self) -> float:
        """Errors by weight; nan without examples."""
        return self.errors / self.weight if self.weight else float("nan")

    @property
    def mean_loss(self) -> float:
        """Logarithmic loss by weight; nan without examples."""
        return self.loss / self.weight if self.weight else float("nan")


def predicted(scores: Floats, classes: int) -> Integers:
    """Return the class with the highest score; of two, the second if its score is above 0."""
    if scores.shape[1] > 1:
        return np.asarray(scores.argmax(axis=1))
    return np.asarray((scores[:, 0] > 0) * (classes - 1))


def probabilities(scores: Floats, classes: int, temperature: float | None = None) -> Floats:
    """Return the probability of each class.

    Parameters
    ----------
    scores
        One row per example; one column per class, or one in all for two classes.
    classes
        How many there are.
    temperature
        What scores are multiplied by: softmax(temperature * scores). None where they are logarithms of odds:
        the classes' own probabilities, brought to a sum of 1 if there are more than two.
    """
    if classes <= 1:
        return np.ones((len(scores), scores.shape[1]))
    if scores.shape[1] == 1:
        p = _sigmoid(_times(temperature, scores))
        return _agreeing(np.hstack([1.0 - p, p]), scores)
    if temperature is not None:
        return _agreeing(np.exp(_log_softmax(scores, temperature)), scores)
    p = _sigmoid(scores)
    total = p.sum(axis=1, keepdims=True)
    return _agreeing(np.where(total > 0, p / np.where(total > 0, total, 1.0), 1.0 / p.shape[1]), scores)


def _agreeing(p: Floats, scores: Floats) -> Floats:
    """Return probabilities whose likeliest class is the one predicted: by a last bit where rounding ties."""
    codes = predicted(scores, p.shape[1])
    rows = np.flatnonzero(p.argmax(axis=1) != codes)
    p[rows, codes[rows]] = np.nextafter(p[rows].max(axis=1), np.inf)
    return p


def log_loss(scores: Floats, codes: Integers, temperature: float | None = None) -> Floats:
    """Return -log of the probability of the right class; `temperature` as in `probabilities`."""
    if scores.shape[1] == 1:
        margin = np.where(codes == 1, scores[:, 0], -scores[:, 0])
        return np.asarray(np.logaddexp(0.0, -_times(temperature, margin)))
    z = -np.logaddexp(0.0, -scores) if temperature is None else scores
    return -_log_softmax(z, temperature)[np.arange(codes.size), codes]


def _sigmoid(scores: Floats) -> Floats:
    e = np.exp(-np.abs(scores))  # at most 1: nothing overflows, and small ones keep their digits
    return np.asarray(np.where(scores >= 0, 1.0, e) / (1.0 + e))


def _log_softmax(scores: Floats, temperature: float | None = None) -> Floats:
    z = _times(temperature, scores.astype(np.float64), scores.max(axis=1, keepdims=True))
    return np.asarray(z - np.log(np.exp(z).sum(axis=1, keepdims=True)))


def _times(temperature: float | None, scores: Floats, shift: Any = 0.0) -> Floats:
    """Return temperature * (scores - shift), where what is beyond all numbers is infinite."""
    with np.errstate(over="ignore"):
        z = scores - shift
        return z if temperature is None else np.asarray(temperature * z)
