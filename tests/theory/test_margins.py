"""The largest margin, between a vector that has it and the dual problem that allows no more."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron.theory import (
    best_delta,
    delta_bound,
    deviation,
    inseparable_bound,
    largest_margin,
    margin_of,
    separable_bound,
    vector_bound,
)
from kerneltron.theory.comparing import Vectors

positive = st.floats(0.01, 100)


def in_the_plane(X, y):
    """Return the largest margin through zero of points in the plane: every direction in turn."""
    angles = np.linspace(0, 2 * np.pi, 40_001)
    return np.min(y[:, None] * (X @ np.array([np.cos(angles), np.sin(angles)])), axis=0).max()


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), form=st.sampled_from(["primal", "dual"]))
def test_the_largest_margin_lies_between_the_bounds(seed, form):
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(12, 2))
    y = np.where(X @ generator.normal(size=2) > 0, 1, -1)
    y[0] = -y[1]
    found = largest_margin(X, y, fit_intercept=False, representation=form)
    truth = in_the_plane(X, y)
    assert found.radius == pytest.approx(np.linalg.norm(X, axis=1).max())
    assert truth <= found.upper * (1 + 1e-6)
    assert found.lower <= truth + 1e-3 * found.radius
    if truth > 0.05 * found.radius:
        assert found.separates
        assert found.lower == pytest.approx(found.upper, rel=0.01)
        u = found.vector if form == "primal" else found.vector @ X
        assert margin_of(u, X, y) == pytest.approx(found.lower, rel=1e-6)


def test_any_weights_of_the_examples_give_an_upper_bound():
    generator = np.random.default_rng(0)
    X, y = generator.normal(size=(9, 2)), np.array([1, -1, 1, 1, -1, 1, -1, -1, 1])
    alpha = generator.random(9)
    w = (alpha * y) @ X
    vectors = Vectors((X @ w)[:, None], np.array([np.linalg.norm(w)]), np.array([alpha.sum()]), w[:, None])
    assert in_the_plane(X, y) <= vectors.limits()[0]
    assert vectors.margins(y[:, None])[0] == pytest.approx(margin_of(w, X, y))


def test_kernels_separate_what_lines_do_not():
    X, y = np.array([[0, 0], [1, 1], [0, 1], [1, 0]]), [0, 0, 1, 1]
    assert not largest_margin(X, y).separates
    assert largest_margin(X, y, kernel="Polynomial(2)").separates
    assert largest_margin(["ab", "ac", "xy", "xz"], [0, 0, 1, 1], kernel="Spectrum(1)").separates


def test_what_has_no_margin():
    with pytest.raises(ValueError, match="3 classes"):
        largest_margin(np.eye(3), [0, 1, 2])
    with pytest.raises(ValueError, match="zero vector"):
        margin_of([0.0, 0.0], np.eye(2), [1, -1])
    with pytest.raises(ValueError, match="one label for each"):
        largest_margin(np.eye(3), [0, 1])
    with pytest.raises(ValueError, match="one weight per column"):
        margin_of([1.0, 0.5], np.eye(3), [1, -1, 1])
    with pytest.raises(ValueError, match="margins need -1 and 1"):
        margin_of([1.0, 0.5], np.eye(2), [1, 0])


@given(R=positive, gamma=positive, D=positive, delta=positive)
def test_the_best_delta_makes_the_bound_the_least(R, gamma, D, delta):
    best = inseparable_bound(R, gamma, D)
    assert best <= delta_bound(R, gamma, D, delta) * (1 + 1e-9)
    assert best == pytest.approx(delta_bound(R, gamma, D, np.sqrt(R * D)))
    assert separable_bound(R, gamma) == pytest.approx(vector_bound(1 / gamma, R))
    assert inseparable_bound(R, gamma, 0.0) == pytest.approx(separable_bound(R, gamma))
    assert delta_bound(R, gamma, 0.0, 0.0) == pytest.approx(separable_bound(R, gamma))


def test_bounds_without_a_margin_are_infinite():
    assert separable_bound(1.0, 0.0) == separable_bound(1.0, -1.0) == np.inf
    assert vector_bound(1e200, 1.0) == np.inf
    assert inseparable_bound(1.0, 0.0, 1.0) == delta_bound(1.0, 1.0, 1.0, 0.0) == np.inf


def test_passes_multiply_the_squares_of_deviations():
    margins = np.array([1.0, 0.2, -0.5])
    assert deviation(margins, 0.5, visits=4) == pytest.approx(2 * deviation(margins, 0.5))
    assert best_delta(margins, radius=1.0) > 0
