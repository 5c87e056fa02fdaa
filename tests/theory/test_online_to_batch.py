"""What the mistakes of one pass say about examples that are yet to come."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron import Perceptron
from kerneltron.theory.drawn_samples import Estimate, chance_of_error, draw_samples
from kerneltron.theory.online_to_batch import counted_after, mean_vector, used_for


@st.composite
def passes(draw):
    visits = draw(st.integers(1, 40))
    return visits, sorted(draw(st.sets(st.integers(1, visits))))


@given(passes())
def test_the_counts_are_those_of_walking_along(drawn):
    visits, mistakes_at = drawn
    before = after = 0
    used, counted = np.zeros((2, len(mistakes_at) + 1), int)
    for visit in range(1, visits + 1):
        used[before] += 1
        after += visit in mistakes_at
        counted[after] += 1
        before = after
    np.testing.assert_array_equal(used_for(visits, mistakes_at), used)
    np.testing.assert_array_equal(counted_after(visits, mistakes_at), counted)


@pytest.mark.parametrize("mistakes_at", [[0], [4], [2, 2], [3, 1]])
@pytest.mark.parametrize("count", [used_for, counted_after])
def test_mistakes_that_cannot_be_are_refused(count, mistakes_at):
    with pytest.raises(ValueError, match="from 1 to visits=3"):
        count(3, mistakes_at)


def walked(X, y):
    """Return all vectors of a perceptron, and where its mistakes were."""
    vectors, mistakes_at = [np.zeros(X.shape[1])], []
    for visit, (x, label) in enumerate(zip(X, y, strict=True), 1):
        if label * (vectors[-1] @ x) <= 0:
            vectors.append(vectors[-1] + label * x)
            mistakes_at.append(visit)
    return np.array(vectors), mistakes_at


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 20), st.sampled_from(["primal", "dual"]))
def test_our_average_counts_after_and_is_ahead_by_the_last_vector_over_the_visits(seed, n, representation):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-3, 4, (n, 3)).astype(float), np.where(rng.random(n) < 0.5, 1, -1)
    y[:2] = -1, 1
    vectors, mistakes_at = walked(X, y)
    learner = Perceptron(
        hypothesis="average", representation=representation, fit_intercept=False, shuffle=False
    ).fit(X, y)
    ours = learner.decision_function(np.eye(3))
    assert learner.mistakes_.sum() == len(mistakes_at)
    np.testing.assert_allclose(ours, mean_vector(vectors, counted_after(n, mistakes_at)), atol=1e-12)
    ahead = ours - mean_vector(vectors, used_for(n, mistakes_at))
    np.testing.assert_allclose(ahead, (vectors[-1] - vectors[0]) / n, atol=1e-12)


def test_a_vector_that_is_drawn_by_its_use_errs_as_often_as_mistakes_were_made():
    found = draw_samples(examples=10, columns=5, runs=40_000, seed=1)
    gap = Estimate.of(found.mistake_rate - found.used_for)
    assert abs(gap.mean) < 4 * gap.standard_error < 0.01
    # Vectors after each example have seen one example more: this is not what k / m promises.
    ahead = Estimate.of(found.mistake_rate - found.counted_after)
    assert ahead.mean > 20 * ahead.standard_error
    assert found.used_for.mean() == pytest.approx(0.362, abs=0.003)
    assert found.counted_after.mean() == pytest.approx(0.285, abs=0.003)


def test_our_random_hypothesis_errs_as_often_as_mistakes_were_made():
    rng, gaps, after = np.random.default_rng(0), [], []
    for seed in range(600):
        X = rng.standard_normal((10, 5))
        y = np.where(X[:, 0] > 0, 1, -1)
        learner = Perceptron(hypothesis="random", fit_intercept=False, random_state=seed)
        learner.partial_fit(X, y, classes=[-1, 1])
        chance = chance_of_error(learner.coef_)[0]
        rate = learner.mistakes_.sum() / 10
        vectors, mistakes_at = walked(X, y)
        gaps.append(rate - chance)
        after.append(rate - counted_after(10, mistakes_at) @ chance_of_error(vectors) / 10)
    gap, ahead = Estimate.of(np.array(gaps)), Estimate.of(np.array(after))
    assert abs(gap.mean) < 4 * gap.standard_error
    assert ahead.mean > 4 * gap.standard_error  # so that the test would see the other convention


def test_the_exact_chance_of_an_error_is_that_of_drawn_examples():
    rng = np.random.default_rng(0)
    vectors, X = rng.normal(size=(5, 3)), rng.normal(size=(100_000, 3))
    counted = np.mean(np.sign(X @ vectors.T) != np.sign(X[:, :1]), axis=0)
    np.testing.assert_allclose(chance_of_error(vectors), counted, atol=0.01)
