"""ALMA is its algorithm as published, in both forms, and comes near to the largest margin."""

import numpy as np
import pytest

from kerneltron import Alma


def published(X, y, alpha, passes, bias=1.0):
    """ALMA_2(alpha; sqrt(8) / alpha, sqrt(2)), for two classes, in the order of the rows."""
    X = np.column_stack([X, np.full(len(X), bias)])
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    w, k, mistakes = np.zeros(X.shape[1]), 1, []
    for _ in range(passes):
        mistakes.append(0)
        for x, label in zip(X, y, strict=True):
            mistakes[-1] += label * (w @ x) <= 0
            if label * (w @ x) <= (1 - alpha) * np.sqrt(8) / alpha / np.sqrt(k):
                w = w + np.sqrt(2) / np.sqrt(k) * label * x
                w = w / max(1, np.linalg.norm(w))
                k += 1
    return w, k - 1, mistakes


def data(n=200, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.where(X @ rng.normal(size=d) > 0, 1, -1)


@pytest.mark.parametrize("alpha", [0.1, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("representation", ["primal", "dual"])
def test_it_is_the_published_algorithm(alpha, representation):
    X, y = data()
    settings = {"hypothesis": "last", "shuffle": False, "passes": 3, "representation": representation}
    learner = Alma(alpha=alpha, **settings).fit(X, y)
    w, updates, mistakes = published(X, y, alpha, 3)
    assert learner.n_updates_ == updates
    assert learner.mistakes_.tolist() == mistakes
    np.testing.assert_allclose(learner.decision_function(X), np.column_stack([X, np.ones(len(X))]) @ w)


def test_it_comes_near_to_the_largest_margin():
    rng = np.random.default_rng(1)
    angles = rng.uniform(0.3, np.pi - 0.3, 300)  # a unit vector separates these with margin sin(0.3)
    y = rng.choice([-1, 1], 300)
    X = y[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    for alpha in (0.5, 0.2, 0.05):
        learner = Alma(alpha=alpha, hypothesis="last", passes=1000, fit_intercept=False, random_state=0)
        w = learner.fit(X, y).coef_[0]
        assert (y * (X @ w)).min() / np.linalg.norm(w) >= (1 - alpha) * np.sin(0.3)


def test_an_alpha_above_one_is_refused():
    with pytest.raises(ValueError, match=r"alpha=1.5 must be finite, greater than 0, at most 1"):
        Alma(alpha=1.5).fit(*data())
