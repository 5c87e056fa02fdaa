"""Bounds do not depend on the dimension, and do depend on the length of the examples."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron import Perceptron
from kerneltron.datasets.generators import separable
from kerneltron.kernels import Conjunctions
from kerneltron.theory.bounds import separable_bound
from kerneltron.theory.dimensions import conjunction_bound, conjunction_points, conjunction_run, embedded


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 6), st.integers(0, 60))
def test_the_same_examples_cost_the_same_in_any_dimension(seed, d, more):
    X, y, _, truth, _ = separable(40, d=d, margin=0.15, seed=seed)
    Z = embedded(X, d + more, seed)
    np.testing.assert_allclose(Z @ Z.T, X @ X.T, atol=1e-12)
    few, many = (
        Perceptron(hypothesis="last", fit_intercept=False, passes=5, random_state=seed).fit(data, y)
        for data in (X, Z)
    )
    assert few.mistakes_.tolist() == many.mistakes_.tolist()
    assert few.mistakes_.sum() <= separable_bound(truth.radius, truth.margin)


def test_examples_do_not_fit_into_fewer_dimensions():
    with pytest.raises(ValueError, match="dimensions=2 must be at least 3"):
        embedded(np.eye(3), 2, seed=0)


@pytest.mark.parametrize("n", [1, 3, 6])
def test_the_bound_of_a_conjunction_is_that_of_its_vector(n):
    """In the explicit features the vector of the docstring separates all points with the margin 1."""
    size = min(2, n)
    X, y = conjunction_points(n, size)
    phi = Conjunctions().feature_map(n)
    truth = tuple((bit, True) for bit in range(size))
    features = [tuple(sorted(feature)) for feature in phi.features()]
    w = np.array([2.0 * (feature == truth) - (feature == ()) for feature in features])
    mapped = phi(X.astype(float))
    np.testing.assert_allclose(y * (mapped @ w), 1.0)
    assert w @ w * np.square(mapped).sum(axis=1).max() == pytest.approx(conjunction_bound(n))
    learner = Perceptron(
        kernel=Conjunctions(), representation="dual", hypothesis="last", fit_intercept=False, passes=30
    )
    run = conjunction_run(learner, n, size)
    assert run.squared_radius == 2**n
    assert 0 < run.mistakes <= run.bound
    assert learner.mistakes_[-1] == 0
