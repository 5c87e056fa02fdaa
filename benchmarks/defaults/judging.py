"""Whether a default will do: comparisons of errors that know how sure they are."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

CLOSE = 1.1  # times the least error
SURE = 2.0  # standard errors
WORSE_BY_PASSES = 1.02  # times the error, or the log-loss, after one pass


class Wrong(NamedTuple):
    """For each split, whether each test row was predicted wrongly; and how many rows were learned from."""

    by_split: Sequence[NDArray[Any]]
    training_rows: int

    @property
    def mean(self) -> float:
        """The mean error over splits."""
        return float(np.mean([some.mean() for some in self.by_split]))

    def minus(self, other: "Wrong") -> "Wrong":
        """Return the differences, row by row: both were tested on the same ones."""
        pairs = zip(self.by_split, other.by_split, strict=True)
        return Wrong([mine.astype(float) - theirs for mine, theirs in pairs], self.training_rows)


def standard_error(wrong: Wrong) -> float:
    """Return the standard error of the mean.

    Of one split it is that of independent rows. Several splits share rows: their variance is multiplied by
    1 / J + n_test / n_training instead of 1 / J (Nadeau and Bengio, Inference for the generalization error,
    2003, section 3).
    """
    if len(wrong.by_split) == 1:
        only = wrong.by_split[0]
        return float(np.std(only) / np.sqrt(len(only)))
    means = [some.mean() for some in wrong.by_split]
    shared = 1 / len(means) + len(wrong.by_split[0]) / wrong.training_rows
    return float(np.sqrt(shared * np.var(means, ddof=1)))


def is_no_worse(ours: Wrong, theirs: Wrong) -> bool:
    """Return whether our error is not above theirs by more than two standard errors of the difference."""
    difference = ours.minus(theirs)
    return difference.mean <= SURE * standard_error(difference)


def is_close(ours: Wrong, best: Wrong) -> bool:
    """Return whether our error is within 10 %, or two standard errors of the difference, of the best one."""
    return ours.mean <= CLOSE * best.mean or is_no_worse(ours, best)


def are_passes_harmless(errors: Sequence[Wrong], losses: Sequence[float | None]) -> bool:
    """Return whether more passes never make error or log-loss over 2 % worse than the first number of them.

    An error that is higher by less than two standard errors of the difference is not called worse.
    """
    first, first_loss = errors[0], losses[0]
    fine = all(
        wrong.mean <= WORSE_BY_PASSES * first.mean or is_no_worse(wrong, first) for wrong in errors[1:]
    )
    known = [loss for loss in losses if loss is not None]
    return fine and (first_loss is None or max(known) <= WORSE_BY_PASSES * first_loss)


def share(answers: Iterable[bool | None]) -> float | None:
    """Return the share of those that are true, of those that could be judged."""
    judged = [answer for answer in answers if answer is not None]
    return sum(judged) / len(judged) if judged else None
