"""Held-out errors from one Gram matrix are those of learning anew without each example."""

import numpy as np
import pytest

from kerneltron.kernels import Gaussian, Linear, Polynomial, Precomputed
from kerneltron.kernels.search.held_out import held_out, symmetric_gram
from kerneltron.kernels.search.trying import Sample, evaluated
from tests.oracle.held_out import leave_one_out

generator = np.random.default_rng(0)
X = generator.normal(size=(40, 3))
codes = (X[:, 0] * X[:, 1] > 0).astype(int) + (X[:, 2] > 1)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(3), 1e6 * Gaussian(1.0)], ids=repr)
@pytest.mark.parametrize("ridge", [0.01, 0.3, 10.0])
def test_errors_are_those_of_learning_anew(kernel, ridge):
    scores = leave_one_out(kernel(X), codes, ridge)
    Y = np.where(codes[:, None] == np.arange(3), 1.0, -1.0)
    found = held_out(symmetric_gram(kernel, X), codes, ridge)
    assert found.error == np.mean(scores.argmax(axis=1) != codes)
    assert found.squared == pytest.approx(np.mean((scores - Y) ** 2))


def test_the_standard_error_is_never_0():
    found = held_out(np.equal.outer(codes, codes).astype(float), codes)
    assert found.error == 0
    assert found.standard_error == pytest.approx(np.sqrt(1 / 40 * 39 / 40 / 40))


def test_what_is_not_a_kernel_has_no_error():
    indefinite = np.array([[1.0, 9.0], [9.0, 1.0]])
    found = evaluated(Precomputed(), Sample(indefinite, indefinite, np.array([0, 1])))
    assert np.isnan(found.error)
    assert found.rank == (np.inf, np.inf)


def test_kernels_without_length_guess():
    assert held_out(np.zeros((6, 6)), np.array([0, 0, 0, 0, 1, 1])).error == pytest.approx(1 / 3)
