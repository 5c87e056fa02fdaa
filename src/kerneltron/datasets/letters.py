"""Letters: generated rows of 26 classes that overlap, each of several clusters."""

import numpy as np

from kerneltron.datasets.digits import Split

CLASSES, CLUSTERS = 26, 6
APART, SPREAD = 2.0, 1.1  # how far centres are from the origin in each column, and rows from their centres


def letters(rows: int = 15_000, test_rows: int = 5_000, columns: int = 16, seed: int = 0) -> Split:
    """Return rows of single precision, each drawn around one of the six centres of its class.

    Parameters
    ----------
    rows
        The number of rows to learn from.
    test_rows
        The number of rows to test on.
    columns
        The number of columns; the more there are, the less the classes overlap.
    seed
        What is drawn at random follows from it.

    Examples
    --------
    >>> data = letters(rows=100, test_rows=10)
    >>> data.X.shape, data.X.dtype, data.y_test.shape
    ((100, 16), dtype('float32'), (10,))
    """
    random = np.random.default_rng(seed)
    centres = APART * random.normal(size=(CLASSES, CLUSTERS, columns))
    y = random.integers(CLASSES, size=rows + test_rows)
    middle = centres[y, random.integers(CLUSTERS, size=y.size)]
    X = (middle + SPREAD * random.normal(size=middle.shape)).astype(np.float32)
    return Split(X[:rows], y[:rows], X[rows:], y[rows:])
