"""Regret, and the best fixed vector that it is measured against."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime, minimize

from kerneltron import LogisticRegression
from kerneltron.datasets.generators import noisy_logistic
from kerneltron.theory.hindsight import accelerated, best_in_hindsight, full_gradient
from kerneltron.theory.losses import LOSSES, loss_of
from kerneltron.theory.regret import (
    gradient_bound,
    growth_exponent,
    online_gradient,
    regret,
    scores_before,
)
from tests.additive_rules import ADAGRAD, PUBLISHED

names = st.sampled_from(sorted(LOSSES))
streams = st.tuples(st.integers(0, 2**32 - 1), st.integers(2, 40), st.integers(1, 4), st.floats(0.1, 5.0))


def stream(seed, n, d):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) * rng.exponential(), np.where(rng.random(n) < 0.5, 1, -1)


# -- losses -------------------------------------------------------------------------------------------------


@given(names, st.floats(-20, 20), st.floats(0, 1))
def test_the_dual_is_below_every_loss_and_touches_it(name, z, a):
    loss = loss_of(name)
    z, a = np.array([z]), np.array([a])
    assert loss(z) >= loss.dual(a) - a * z - 1e-12
    pull = loss.pull(z)
    np.testing.assert_allclose(loss(z), loss.dual(pull) - pull * z, atol=1e-9)


def test_the_pull_is_minus_the_slope():
    z = np.array([-3.0, -0.2, 0.7, 1.4, 4.0])
    for loss in LOSSES.values():
        slopes = [approx_fprime(np.array([each]), lambda at, loss=loss: loss(at)[0])[0] for each in z]
        np.testing.assert_allclose(loss.pull(z), -np.array(slopes), atol=1e-6)


def test_an_unknown_loss_is_named():
    with pytest.raises(ValueError, match=r"loss='square' is not known. Give one of logistic, hinge"):
        loss_of("square")


# -- the best fixed vector ---------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(names, streams)
def test_no_other_vector_in_the_ball_is_below_the_bound(name, drawn):
    seed, n, d, radius = drawn
    X, y = stream(seed, n, d)
    best = best_in_hindsight(X, y, loss=name, radius=radius, tolerance=1e-2)
    assert np.linalg.norm(best.vector) <= radius * (1 + 1e-12)
    assert best.total_loss == pytest.approx(loss_of(name)(y * (X @ best.vector)).sum())
    assert best.gap <= 1e-2 * n
    others = np.random.default_rng(seed).normal(size=(200, d))
    others *= radius / np.maximum(np.linalg.norm(others, axis=1), 1e-9)[:, None]
    totals = loss_of(name)(y * (others @ X.T)).sum(axis=1)
    assert totals.min() >= best.lower_bound - 1e-9


def test_it_is_the_vector_that_another_solver_finds():
    X, y, *_ = noisy_logistic(300, d=5, scale=2.0, seed=0)
    best = best_in_hindsight(X, y, radius=20.0, tolerance=1e-9)
    found = minimize(lambda w: np.logaddexp(0, -y * (X @ w)).sum(), np.zeros(5), tol=1e-10)
    np.testing.assert_allclose(best.vector, found.x, atol=1e-3)
    assert best.total_loss == pytest.approx(found.fun, abs=1e-6)


def test_a_vector_that_cannot_be_found_is_refused(monkeypatch):
    monkeypatch.setattr("kerneltron.theory.hindsight.MOST_STEPS", 3)
    X, y, *_ = noisy_logistic(300, d=5, scale=2.0, seed=0)
    with pytest.raises(RuntimeError, match="give a smaller radius than 5 or a larger tolerance than 1e-09"):
        best_in_hindsight(X, y, radius=5.0, tolerance=1e-9)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (sp.csr_array(np.eye(2)), [1, -1], r"give X.toarray\(\)"),
        (np.eye(2), [1, 0], r"labels \[0, 1\], but margins need -1 and 1"),
        (np.eye(2), [1], "one label for each row"),
        (np.empty((0, 2)), [], "one label for each row"),
    ],
)
def test_what_has_no_margins_is_refused(X, y, message):
    with pytest.raises(ValueError, match=message):
        best_in_hindsight(X, y, radius=1.0)


def test_a_ball_without_vectors_is_refused():
    with pytest.raises(ValueError, match="radius=0 must be finite, greater than 0"):
        best_in_hindsight(np.eye(2), [1, -1], radius=0)


def test_full_gradients_go_down_and_acceleration_goes_down_faster():
    X, y, *_ = noisy_logistic(300, d=5, scale=2.0, seed=0)
    plain = full_gradient(X, y, radius=20.0, steps=50)
    assert (np.diff(plain) <= 0).all()
    *_, last = (
        w
        for _, w in zip(range(51), accelerated(y[:, None] * X, loss_of("logistic"), 20.0, 0.0), strict=False)
    )
    assert np.logaddexp(0, -y * (X @ last)).mean() < plain[-1]


# -- regret ------------------------------------------------------------------------------------------------


def test_whoever_predicts_as_the_best_vector_regrets_nothing():
    X, y, *_ = noisy_logistic(200, d=3, scale=2.0, seed=1)
    best = best_in_hindsight(X, y, radius=5.0)
    np.testing.assert_array_equal(regret(X @ best.vector, X @ best.vector, y), 0)


@settings(max_examples=60, deadline=None)
@given(names, streams)
def test_online_gradient_never_regrets_more_than_its_bound(name, drawn):
    seed, n, d, radius = drawn
    X, y = stream(seed, n, d)
    best = best_in_hindsight(X, y, loss=name, radius=radius, tolerance=1e-2)
    curve = regret(online_gradient(X, y, loss=name, radius=radius), X @ best.vector, y, loss=name)
    longest = np.linalg.norm(X, axis=1).max()
    assert (curve <= gradient_bound(n, radius, longest) + 1e-9).all()


def test_regret_grows_slower_than_the_stream_with_shrinking_steps_only():
    X, y, _, truth, _ = noisy_logistic(4000, d=5, scale=3.0, seed=0)
    best = best_in_hindsight(X, y, radius=2 * np.linalg.norm(truth.w))
    curves = {
        "1 / sqrt(t)": online_gradient(X, y, radius=2 * np.linalg.norm(truth.w)),
        "AdaGrad": scores_before(LogisticRegression(fit_intercept=False, l2=0.0, **ADAGRAD), X, y),
        "constant": scores_before(
            LogisticRegression(
                fit_intercept=False, l2=0.0, schedule="constant", learning_rate=3.0, **PUBLISHED
            ),
            X,
            y,
        ),
    }
    exponents = {name: growth_exponent(regret(scores, X @ best.vector, y)) for name, scores in curves.items()}
    assert exponents["1 / sqrt(t)"] < 0.8
    assert exponents["AdaGrad"] < 0.8
    assert exponents["constant"] > 0.9


def test_scores_are_those_of_one_example_at_a_time():
    X, y, *_ = noisy_logistic(30, d=3, scale=2.0, seed=0)
    y[:2] = -1, 1
    options = {"fit_intercept": False, "hypothesis": "last", **ADAGRAD, "scale": True}
    slow, scores = LogisticRegression(**options), [0.0]
    for x, label, following in zip(X, y, X[1:], strict=False):
        slow.partial_fit(x[None], [label], classes=[-1, 1])
        scores.append(slow.decision_function(following[None])[0])
    np.testing.assert_allclose(scores_before(LogisticRegression(**options), X, y), scores, atol=1e-12)


def test_a_curve_below_zero_has_no_exponent():
    assert np.isnan(growth_exponent(np.linspace(5, -1, 100)))
