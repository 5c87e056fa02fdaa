"""Learners that went on from the same one, mixed: what they share counts once."""

from copy import deepcopy

import numpy as np
import pytest

import kerneltron
from kerneltron.training.combining import combine, difference

SETTINGS = {
    "perceptron": ("Perceptron", {}),
    "adaptive": ("LogisticRegression", {"scale": False}),
    "scaled": ("LogisticRegression", {}),
    "second order": ("Arow", {"scale": False, "passes": 1}),
    "second order, scaled": ("Arow", {"passes": 1}),
    "shrinking": ("Pegasos", {"l2": 0.01, "scale": False}),
    "shrinking, scaled": ("Pegasos", {"l2": 0.01}),
    "norm": ("Romma", {}),
    "winnow": ("Winnow", {"balanced": True}),
    "map": ("Perceptron", {"kernel": "Polynomial(2)"}),
    "dual": ("Perceptron", {"kernel": "Gaussian(2.0)"}),
    "dual shrinking": ("Pegasos", {"kernel": "Gaussian(2.0)", "l2": 0.01}),
}
HALF = np.array([0.5, 0.5])


def data(classes=2, n=120):
    rng = np.random.default_rng(classes)
    X = rng.integers(0, 4, (n, 5)).astype(float)
    return X, (X @ rng.normal(size=(5, classes))).argmax(axis=1)


def gone_on(name, hypothesis, classes=2):
    """Return a learner, and two that went on from it, as `partial_fit` does."""
    kind, more = SETTINGS[name]
    X, y = data(classes)
    base = getattr(kerneltron, kind)(hypothesis=hypothesis, random_state=0, **more)
    base.partial_fit(X[:40], y[:40], classes=np.unique(y))
    parts = [deepcopy(base).partial_fit(X[rows], y[rows]) for rows in (slice(40, 80), slice(80, 120))]
    return base.learner_, [part.learner_ for part in parts], X


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("name", SETTINGS)
def test_scores_are_mixed_and_the_past_counts_once(name, classes):
    base, parts, X = gone_on(name, "last", classes)
    mixed = combine(parts, HALF, base)
    np.testing.assert_allclose(
        mixed.scores(X), np.mean([part.scores(X) for part in parts], axis=0), atol=1e-9
    )
    assert mixed.model.ticks == 120
    moved = sum(part.model.weights.updates - base.model.weights.updates for part in parts)
    np.testing.assert_array_equal(mixed.model.weights.updates, base.model.weights.updates + moved)
    assert mixed.mistakes.sum() == sum(part.mistakes.sum() for part in parts) - base.mistakes.sum()


@pytest.mark.parametrize("name", ["adaptive", "second order"])
def test_what_a_rule_keeps_for_each_weight_is_added_up_since_the_base(name):
    base, parts, _ = gone_on(name, "last")
    kept = [learner.model.weights.kept for learner in (combine(parts, HALF, base), base, *parts)]
    np.testing.assert_allclose(kept[0], kept[1] + (kept[2] - kept[1]) + (kept[3] - kept[1]))


@pytest.mark.parametrize("name", [name for name in SETTINGS if name != "winnow"])
def test_the_average_is_over_all_vectors_of_all(name):
    base, parts, X = gone_on(name, "average")
    mixed = combine(parts, HALF, base)

    def summed(learner):
        return learner.model.ticks * learner.scores(X)

    expected = (summed(base) + sum(summed(part) - summed(base) for part in parts)) / 120
    np.testing.assert_allclose(mixed.scores(X), expected, atol=1e-9)


@pytest.mark.parametrize("name", SETTINGS)
def test_it_goes_on_learning(name):
    base, parts, X = gone_on(name, "average")
    mixed = combine(parts, HALF, base)
    mixed.begin_stream()
    with mixed.visiting(mixed.model.read(X)):
        mixed.learn(mixed.examples(data()[1]).visits(np.arange(120)))
    assert mixed.model.ticks == 240
    assert [part.model.ticks for part in parts] == [80, 80]


def test_a_single_part_is_returned_as_it_is():
    base, parts, _ = gone_on("perceptron", "average")
    assert combine(parts[:1], np.ones(1), base) is parts[0]


def test_examples_of_a_dual_base_are_remembered_once():
    base, parts, _ = gone_on("dual", "last")
    mixed = combine(parts, HALF, base).model.remembered
    new = [len(part.model.remembered) - len(base.model.remembered) for part in parts]
    assert len(mixed) == len(base.model.remembered) + sum(new)
    assert len(set(mixed.origins.tolist())) == len(mixed)
    assert mixed.seen == 120
    with pytest.raises(ValueError, match="did not all go on from the same one"):
        combine([parts[0], gone_on("dual", "last", 3)[1][0]], HALF, base)


def test_a_difference_counts_what_came_since():
    base, parts, _ = gone_on("perceptron", "last")
    since = difference(parts[0], base)
    assert since.examples == 40
    assert since.mistakes.tolist() == (parts[0].mistakes - base.mistakes).tolist()
    assert since.updates.tolist() == since.mistakes.tolist()


def test_learners_that_differ_are_refused():
    base, parts, _ = gone_on("perceptron", "last")
    other = gone_on("adaptive", "last")[1]
    with pytest.raises(ValueError, match="different learners cannot be merged: Perceptron and Logistic"):
        combine([parts[0], other[0]], HALF, base)
