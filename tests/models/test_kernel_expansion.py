"""The vectors of the dual form: products, norms, and what copies share."""

import numpy as np
import pytest

from kerneltron.engine.rules.perceptron import PerceptronRule
from kerneltron.engine.rules.romma import RommaRule
from kerneltron.kernels import Gaussian
from kerneltron.models.kernel_expansion import KernelExpansion

KERNEL = Gaussian(1.5)
X = np.random.default_rng(0).normal(size=(9, 3))
A = np.random.default_rng(1).normal(size=(6, 2))


def remember(expansion, rows, coefficients):
    """Add rows with these coefficients."""
    expansion.reserve(len(rows), PerceptronRule(1.0, 0.0), undo=True)
    expansion.make_room(len(rows))
    first = expansion.count
    expansion.examples.append(KERNEL.pack(rows), np.arange(len(rows)))
    expansion.state.counts[0] += len(rows)
    expansion.v[first:] = coefficients
    expansion.give_back()
    expansion.finish(len(rows))


def expansion_of(rule, delta=0.0):
    expansion = KernelExpansion(rule, KERNEL, 2, bias=0.5, delta=delta)
    remember(expansion, X[:6], A)
    return expansion


def products(expansion):
    slots = np.arange(expansion.count)
    return expansion.products(KERNEL.pack(X), slots, expansion.v)


def test_products_are_sums_of_kernel_values():
    expected = (KERNEL(X, X[:6]) + 0.25) @ A
    np.testing.assert_allclose(products(expansion_of(PerceptronRule(1.0, 0.0))), expected, rtol=1e-12)


@pytest.mark.parametrize("delta", [0.0, 0.5])
def test_norms_are_those_of_the_vectors(delta):
    expansion = expansion_of(RommaRule(0), delta)
    expansion.measure_norms()
    K = KERNEL(X[:6], X[:6]) + 0.25 + delta**2 * np.eye(6)
    np.testing.assert_allclose(expansion.weights.norm, np.diag(A.T @ K @ A), rtol=1e-12)


@pytest.mark.parametrize("how", [KernelExpansion.copy, KernelExpansion.successor])
def test_what_a_copy_learns_is_its_own(how):
    expansion = expansion_of(PerceptronRule(1.0, 0.0))
    before = products(expansion)
    other = how(expansion)
    remember(other, X[6:8], A[:2])
    remember(expansion, X[8:], 3 * A[:1])
    np.testing.assert_allclose(products(other), before + (KERNEL(X, X[6:8]) + 0.25) @ A[:2], rtol=1e-12)
    np.testing.assert_allclose(
        products(expansion), before + 3 * (KERNEL(X, X[8:]) + 0.25) @ A[:1], rtol=1e-12
    )
    assert (expansion.count, other.count) == (7, 8)


def test_a_successor_shares_the_coefficients():
    expansion = expansion_of(PerceptronRule(1.0, 0.0))
    assert np.shares_memory(expansion.v, expansion.successor().v)
    assert not np.shares_memory(expansion.v, expansion.copy().v)
