"""Cross-validation on a stream: each example is in one of k folds, and is predicted by a model without it."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import numpy as np

from kerneltron._types import Integers
from kerneltron.jobs.evaluating import Evaluation
from kerneltron.jobs.job import Job
from kerneltron.stream.reader import Reader
from kerneltron.stream.sources import STANDARD_INPUT, is_pipe
from kerneltron.stream.window import Window, taken


class Fold:
    """Those examples of a reader that are in a fold, or those that are not.

    Every `folds` successive examples are dealt out at random, one to each fold: folds are of the same size,
    even where a file is sorted by label, and the same ones whenever the seed is.
    """

    def __init__(self, reader: Reader, folds: int, number: int, seed: int, inside: bool) -> None:
        self.reader, self.folds, self.number = reader, folds, number
        self.seed, self.inside = seed, inside
        self.labels, self.format, self.threads = reader.labels, reader.format, reader.threads

    def windows(self) -> Iterator[Window]:
        """Yield the chosen examples."""
        for index, window in enumerate(self.reader.windows()):
            dealt = dealt_out(window.size, self.folds, [self.seed, index])
            chosen = np.flatnonzero((dealt == self.number) == self.inside)
            yield taken(window, chosen)


def dealt_out(examples: int, folds: int, seed: Any) -> Integers:
    """Return the fold of each example.

    Examples
    --------
    >>> np.bincount(dealt_out(12, folds=3, seed=0)).tolist()
    [4, 4, 4]
    """
    rounds = np.tile(np.arange(folds), (-(-examples // folds), 1))
    return np.random.default_rng(seed).permuted(rounds, axis=1).ravel()[:examples]


def cross_validated(job: Job, folds: int, seed: int) -> tuple[Evaluation, list[Evaluation]]:
    """Train `folds` times on all folds but one, evaluate on that one; return all together and each fold."""
    if folds < 2:
        raise ValueError(f"folds={folds} must be at least 2: one part is learned from, another predicted.")
    for name in filter(is_pipe, job.sources):
        shown = "standard input" if name == STANDARD_INPUT else f"{name}, a pipe,"
        raise ValueError(f"folds go over the input several times, and {shown} can be read only once.")
    each = [_evaluated(deepcopy(job), folds, number, seed) for number in range(folds)]
    total = Evaluation(each[0].has_loss)
    for evaluation in each:
        total.join(evaluation)
    return total, each


def _evaluated(job: Job, folds: int, number: int, seed: int) -> Evaluation:
    training = job.training(lambda reader: Fold(reader, folds, number, seed, inside=False))
    training.run()
    model = job.model(training)
    rest = Fold(job.reader(), folds, number, seed, inside=True)
    evaluation = Evaluation(model.learner.has_probabilities)
    evaluation.add(model.learner, rest.windows(), rest.labels)
    evaluation.skipped = rest.reader.skipped.count
    return evaluation
