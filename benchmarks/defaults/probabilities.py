"""How good probabilities are: log-loss, and the expected calibration error."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

LEAST = 1e-6  # probabilities are not taken to be lower: the command line prints six digits
BINS = 15


class Predicted(NamedTuple):
    """For each test row the probability of the true class, of the likeliest one, and whether that is true."""

    of_truth: NDArray[Any]
    highest: NDArray[Any]
    is_right: NDArray[Any]

    @classmethod
    def of(cls, probabilities: Any, classes: Any, y: Any) -> Self:
        """Return what matters of a row of probabilities for each label; an unknown class has none."""
        places = {label: place for place, label in enumerate(np.asarray(classes).tolist())}
        truth = np.array([places.get(label, -1) for label in np.asarray(y).tolist()])
        rows = np.arange(len(truth))
        of_truth = np.where(truth >= 0, probabilities[rows, truth], 0.0)
        likeliest = probabilities.argmax(axis=1)
        return cls(of_truth, probabilities[rows, likeliest], likeliest == truth)


def log_loss(splits: Sequence[Predicted]) -> float:
    """Return the mean of -log p(truth) over splits."""
    return float(np.mean([-np.log(np.clip(split.of_truth, LEAST, 1)).mean() for split in splits]))


def calibration(splits: Sequence[Predicted]) -> float:
    """Return sum_b |B_b| / n |mean p - share that is right| over 15 bins of the highest probability."""
    return float(np.mean([_calibration(split) for split in splits]))


def _calibration(split: Predicted) -> float:
    bins = np.minimum((BINS * split.highest).astype(int), BINS - 1)
    surplus = np.bincount(bins, weights=split.highest - split.is_right, minlength=BINS)
    return float(np.abs(surplus).sum() / len(bins))
