"""The exponential function of compiled loops, against numbers with more digits."""

import numpy as np
import pytest

from kerneltron.engine.distances import to_exponents, to_gaussians
from kerneltron.kernels import Gaussian

ERRORS = {np.float32: 1.2e-7, np.float64: 2.3e-16}  # one unit in the last place
FARTHEST = {np.float32: -87.0, np.float64: -708.0}


def exponentials(x):
    """Return exp(x) as the rows of a Gram block get it."""
    row = x[None].copy()
    to_gaussians(row, np.zeros(1, x.dtype), np.zeros(x.size, x.dtype), 1.0, 1.0)
    return row[0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_it_errs_by_less_than_the_last_digit(dtype):
    x = np.concatenate([np.linspace(FARTHEST[dtype], 0, 300_001), -np.geomspace(1e-300, 1, 1001)])
    x = x.astype(dtype)
    exact = np.exp(x.astype(np.longdouble))
    assert np.max(np.abs(exponentials(x) - exact) / exact) < ERRORS[dtype]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_ends(dtype):
    least = FARTHEST[dtype]
    x = np.array([0.0, -0.0, least - 1, np.finfo(dtype).min, -np.inf], dtype)
    assert exponentials(x).tolist() == [1, 1, 0, 0, 0]
    for size in range(20):  # vectors, and what is left of them
        assert exponentials(np.zeros(size, dtype)).tolist() == [1] * size


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_blocks_are_those_of_the_formula(dtype):
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(37, 5)).astype(dtype), rng.normal(size=(23, 5)).astype(dtype)
    squares = np.square(X[:, None].astype(np.float64) - Z[None]).sum(axis=2)
    np.testing.assert_allclose(Gaussian(0.7)(X, Z), np.exp(-squares / (2 * 0.7**2)), rtol=3e-5, atol=1e-7)
    block = (X @ Z.T).astype(dtype)
    left, right = (0.5 * np.square(each).sum(axis=1).astype(dtype) for each in (X, Z))
    to_exponents(block, left, right, 1.0, 2.0)
    np.testing.assert_allclose(block, -squares, rtol=1e-4, atol=1e-5)
