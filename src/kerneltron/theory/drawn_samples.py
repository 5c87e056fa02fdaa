"""Many small samples, a pass of the perceptron through each: k / m beside the exact chance of an error.

Examples are drawn from the standard normal distribution, labels are the sides of a plane through 0. The
chance that a vector errs is then its angle to the truth divided by pi, so no test examples are needed.
"""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats


class Estimate(NamedTuple):
    """A mean over many runs and its standard error."""

    mean: float
    standard_error: float

    @classmethod
    def of(cls, values: Floats) -> "Estimate":
        """Return that of one number per run."""
        return cls(float(values.mean()), float(values.std(ddof=1) / np.sqrt(values.size)))


class Samples(NamedTuple):
    """One number per sample: k / m, and the chance that a vector drawn in one of two ways errs."""

    mistake_rate: Floats
    used_for: Floats
    counted_after: Floats


def draw_samples(examples: int, columns: int, runs: int, seed: int) -> Samples:
    """Let a perceptron go once through each of many samples, all at the same time.

    A score of 0 is a mistake, so the vector 0, which every run begins with, always errs. The chances are
    expectations over the draw of the vector: means over the vectors before, and after, each example.

    Parameters
    ----------
    examples, columns
        The size of each sample.
    runs
        How many samples there are.
    seed
        What is drawn at random follows from it.

    Examples
    --------
    >>> found = draw_samples(examples=10, columns=5, runs=4000, seed=0)
    >>> [f"{values.mean():.2f}" for values in found]
    ['0.36', '0.36', '0.29']
    """
    rng = np.random.default_rng(seed)
    vectors = np.zeros((runs, columns))
    mistakes, before, after = np.zeros((3, runs))
    for _ in range(examples):
        chance = chance_of_error(vectors)
        x = rng.standard_normal((runs, columns))
        y = np.where(x[:, 0] > 0, 1.0, -1.0)
        is_mistake = y * np.einsum("ij,ij->i", vectors, x) <= 0
        vectors += np.where(is_mistake, y, 0.0)[:, None] * x
        mistakes += is_mistake
        before += chance
        after += chance_of_error(vectors)
    return Samples(mistakes / examples, before / examples, after / examples)


def chance_of_error(vectors: Floats) -> Floats:
    """Return the chance that <v, x> has another sign than the first column, which is the truth; 1 for v = 0.

    Examples
    --------
    >>> chance_of_error(np.array([[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0], [0.0, 0.0]]))
    array([0. , 0.5, 1. , 1. ])
    """
    norms = np.linalg.norm(vectors, axis=1)
    cosines = np.divide(vectors[:, 0], norms, out=np.full(len(vectors), -1.0), where=norms > 0)
    return np.arccos(np.clip(cosines, -1.0, 1.0)) / np.pi  # type: ignore[no-any-return]
