"""Tables with their columns as they come: nothing is scaled."""

from typing import Any

import numpy as np
from sklearn import datasets

from kerneltron.datasets import load_mnist, load_spambase
from kerneltron.datasets.adult import load_adult


def spambase() -> tuple[Any, Any]:
    """Return frequencies in percent, and lengths of up to thousands."""
    return tuple(load_spambase())  # type: ignore[return-value]


def a9a() -> tuple[Any, ...]:
    """Return incomes by indicators."""
    X, y, X_test, y_test = load_adult()
    learn, test = shuffled(len(y)), shuffled(len(y_test))
    return (
        X[learn[:10_000]].toarray(),
        y[learn[:10_000]],
        X_test[test[:10_000]].toarray(),
        y_test[test[:10_000]],
    )


def mnist() -> tuple[Any, ...]:
    """Return pixels from 0 to 255."""
    X, y, X_test, y_test = load_mnist()
    scale = 255 / X.max()  # the loader brings them to 1
    learn, test = shuffled(len(y))[:10_000], shuffled(len(y_test))
    return X[learn] * scale, y[learn], X_test[test] * scale, y_test[test]


def breast_cancer() -> tuple[Any, Any]:
    """Return measures of cells, from 0.001 to 4,000."""
    return _bundled(datasets.load_breast_cancer)


def wine() -> tuple[Any, Any]:
    """Return measures of wines, from 0.1 to 1,700."""
    return _bundled(datasets.load_wine)


def iris() -> tuple[Any, Any]:
    """Return lengths and widths in centimetres."""
    return _bundled(datasets.load_iris)


def digits() -> tuple[Any, Any]:
    """Return 8 x 8 pixels from 0 to 16."""
    return _bundled(datasets.load_digits)


def shuffled(count: int) -> Any:
    """Return places in a random order, the same each time."""
    return np.random.default_rng(0).permutation(count)


def _bundled(loader: Any) -> tuple[Any, Any]:
    X, y = loader(return_X_y=True)
    return X, y
