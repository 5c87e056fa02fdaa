"""Handwritten digits, as they ship with scikit-learn: 1,797 images of 8 x 8 pixels."""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Anything, Floats


class Split(NamedTuple):
    """Examples to train on and examples to test on."""

    X: Floats
    y: Anything
    X_test: Floats
    y_test: Anything


def load_digits(test_fraction: float = 1 / 3, seed: int = 0) -> Split:
    """Return the digits with pixels between 0 and 1, split at random.

    Parameters
    ----------
    test_fraction
        The part that is kept for testing.
    seed
        Which rows are kept follows from it.

    Examples
    --------
    >>> load_digits().X.shape, load_digits().X_test.shape
    ((1198, 64), (599, 64))
    """
    from sklearn import datasets

    X, y = datasets.load_digits(return_X_y=True)
    rows = np.random.default_rng(seed).permutation(len(y))
    test, training = np.split(rows, [round(test_fraction * len(y))])
    return Split(X[training] / 16, y[training], X[test] / 16, y[test])
