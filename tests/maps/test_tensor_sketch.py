"""Tensor sketches beside the definition, and at the ends of precision."""

import numpy as np
import pytest
import scipy.sparse as sp

from kerneltron.kernels import Linear, Polynomial
from kerneltron.maps import TensorSketch
from tests.oracle.sketches import tensor_sketch

X = np.random.default_rng(0).normal(size=(5, 7))


@pytest.mark.parametrize("m", [1, 2, 5, 16])
@pytest.mark.parametrize(("degree", "c"), [(1, 0.0), (1, 2.0), (2, 1.0), (3, 0.5), (4, 0.0)])
def test_a_sketch_is_the_convolution_of_count_sketches(m, degree, c):
    phi = TensorSketch(m, random_state=9).fit(Polynomial(degree, c), X)
    expected = np.array([tensor_sketch(x, degree, c, 9, m) for x in X])
    assert phi(X) == pytest.approx(expected, rel=1e-10, abs=1e-10)
    assert phi(sp.csr_matrix(X)) == pytest.approx(expected, rel=1e-10, abs=1e-10)


def test_the_normalized_sketch_is_that_of_normalized_rows():
    """It is not divided by its own length, which is right on average only."""
    phi = TensorSketch(16, random_state=9).fit(Polynomial(3, 2.0).normalized(), X)
    lengths = np.sqrt(np.square(X).sum(axis=1) + 2)
    expected = np.array([tensor_sketch(x, 3, 2.0, 9, 16) for x in X]) / lengths[:, None] ** 3
    assert phi(X) == pytest.approx(expected, rel=1e-10)
    assert not np.allclose(np.linalg.norm(phi(X), axis=1), 1)


def test_a_row_of_zeros_has_no_direction():
    rows = np.zeros((2, 7))
    assert not TensorSketch(8).fit(Linear().normalized(), rows)(rows).any()
    assert not TensorSketch(8).fit(Polynomial(2, 0.0), rows)(rows).any()


def test_large_powers_overflow_only_where_the_kernel_does():
    rows = np.full((1, 7), 1e9, np.float32)
    normalized = TensorSketch(8, random_state=0).fit(Polynomial(9).normalized(), rows)(rows)
    assert np.isfinite(normalized).all()
    with pytest.raises(
        ValueError, match=r"overflows: a row of X is too long for float32; use \.normalized\(\)"
    ):
        TensorSketch(8, random_state=0).fit(Polynomial(9), rows)(rows)
    with pytest.raises(ValueError, match="scale the rows down"):
        TensorSketch(8).fit(Polynomial(9).normalized(), X)(X * 1e200)
