"""What models gain, as deltas: the same as naive sums over all vectors, few slots where few changed."""

from copy import deepcopy

import numpy as np
import pytest

import kerneltron
from kerneltron.models import merging
from kerneltron.models.deltas import FAN, Term, added, difference, grouped, mixed
from kerneltron.models.weights import average, current
from tests.additive_rules import ADAGRAD, PEGASOS

RULES = {
    "perceptron": ("Perceptron", {}),
    "shrinking": ("Pegasos", {"l2": 0.01, **PEGASOS}),
    "adaptive": ("LogisticRegression", {"schedule": "adaptive", **ADAGRAD}),
    "inverse": ("LogisticRegression", {"schedule": "inverse", "l2": 0.01, **ADAGRAD}),
    "second order": ("Arow", {"scale": False, "passes": 1}),
    "norm": ("Romma", {}),
    "joint": ("Mira", {"scale": False, "passes": 1}),
    "multiplied": ("Winnow", {"balanced": True}),
}


def rows(seed, n=60, features=40, classes=3):
    """Rows of few features each, and their classes."""
    rng = np.random.default_rng(seed)
    X = np.zeros((n, features), np.float32)
    for row in X:
        row[rng.integers(0, features, 3)] = rng.integers(1, 4, 3)
    return X, rng.integers(0, classes, n)


def gone_on(name, parts=3, dtype=np.float32, classes=3):
    """Return a model, and several that went on from it, each with the vectors that it passed through."""
    kind, more = RULES[name]
    X, y = rows(0, classes=classes)
    base = getattr(kerneltron, kind)(random_state=0, **more)
    base.partial_fit(X.astype(dtype), y, classes=np.arange(classes))
    models, vectors = [], []
    for part in range(parts):
        own = deepcopy(base)
        X, y = rows(part + 1, n=10 + 5 * part, classes=classes)
        passed = []
        for row, label in zip(X.astype(dtype), y, strict=True):
            own.partial_fit(row[None], [label])
            passed.append(current(own.model_.weights).astype(np.float64))
        models.append(own.model_)
        vectors.append(passed)
    return base.model_, models, vectors


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("name", RULES)
def test_a_mix_is_what_naive_sums_over_all_vectors_say(name, classes):
    base, models, vectors = gone_on(name, classes=classes)
    shares = np.array([0.5, 0.2, 0.3])
    terms = [Term(merging.delta(model, base), share) for model, share in zip(models, shares, strict=True)]
    found = merging.go_on(base, terms).weights
    now = sum(share * current(model.weights) for share, model in zip(shares, models, strict=True))
    np.testing.assert_allclose(current(found), now, rtol=2e-6, atol=1e-6)
    seen = base.ticks + sum(map(len, vectors))
    assert found.clock.tolist() == [seen] * found.clock.size
    total = base.ticks * average(base.weights).astype(np.float64)
    total += sum(vector for passed in vectors for vector in passed)
    np.testing.assert_allclose(average(found), total / seen, rtol=2e-5, atol=2e-6)
    moved = sum(model.weights.updates - base.weights.updates for model in models)
    assert found.updates.tolist() == (base.weights.updates + moved).tolist()
    if found.kept.size:
        kept = base.weights.kept + sum(model.weights.kept - base.weights.kept for model in models)
        np.testing.assert_allclose(found.kept, kept, rtol=1e-6)


@pytest.mark.parametrize("name", ["adaptive", "second order"])
def test_what_is_kept_for_each_weight_can_be_averaged_instead(name):
    base, models, _ = gone_on(name)
    terms = [Term(merging.delta(model, base), 1 / 3, 1 / 3) for model in models]
    kept = np.mean([model.weights.kept for model in models], axis=0)
    np.testing.assert_allclose(merging.go_on(base, terms).weights.kept, kept, rtol=1e-6)


@pytest.mark.parametrize("name", [name for name in RULES if name != "multiplied"])
def test_a_delta_names_the_slots_that_examples_touched_and_no_others(name):
    X = np.zeros((4, 40), np.float32)
    X[:, [3, 7]] = [[1, 2]] * 4
    kind, more = RULES[name]
    learner = getattr(kerneltron, kind)(random_state=0, **more)
    learner.partial_fit(*rows(0), classes=np.arange(3))
    before = deepcopy(learner.model_)
    learner.partial_fit(X, [0, 1, 2, 0])
    found = difference(learner.model_.weights, before.weights, before.rule)
    assert set(found.slots.tolist()) <= {3, 7, 40}
    assert found.change.dtype == np.float32
    again = mixed(before.weights, [Term(found)])
    np.testing.assert_allclose(current(again), current(learner.model_.weights), rtol=2e-6, atol=1e-7)


def test_the_tree_is_over_the_numbers_of_parts_wherever_sums_are_taken():
    base, models, _ = gone_on("perceptron", parts=20)
    terms = [Term(merging.delta(model, base), 1 / 20) for model in models]
    at_once = merging.go_on(base, terms).weights
    apart = grouped(terms, added)
    assert len(apart) == 3
    assert len(apart) <= FAN
    in_steps = merging.go_on(base, apart).weights
    for one, other in zip(at_once, in_steps, strict=True):
        np.testing.assert_array_equal(one, other)


def test_dense_and_sparse_deltas_add_up_to_the_same():
    base, models, _ = gone_on("shrinking", parts=4)
    terms = [Term(merging.delta(model, base), 0.25) for model in models]
    whole = [
        term._replace(delta=_dense(term.delta)) if number % 2 else term for number, term in enumerate(terms)
    ]
    for one, other in zip(mixed(base.weights, terms), mixed(base.weights, whole), strict=True):
        np.testing.assert_array_equal(one, other)
    sums = [added(terms).delta, added(whole).delta]
    np.testing.assert_array_equal(_dense(sums[0]).change, _dense(sums[1]).change)


def _dense(delta):
    if delta.slots is None:
        return delta
    arrays = {}
    for name in ("change", "mean", "kept", "negative"):
        array = getattr(delta, name)
        if array.size:
            arrays[name] = np.zeros((delta.size, array.shape[1]), array.dtype)
            arrays[name][delta.slots] = array
    return delta._replace(slots=None, **arrays)


def test_a_round_without_a_move_keeps_every_bit_of_the_base():
    base, _, _ = gone_on("perceptron", parts=0, dtype=np.float64)
    parts = [base.copy() for _ in range(6)]  # six times one sixth is less than 1 in double precision
    for part in parts:
        part.weights.clock[:] += 5
        part.weights.mass[:] += 5 * part.weights.scale
    found = merging.go_on(base, [Term(merging.delta(part, base), 1 / 6) for part in parts]).weights
    np.testing.assert_array_equal(current(found), current(base.weights))
    assert found.clock[0] == base.ticks + 30


def test_numbers_that_single_precision_cannot_hold_stay_double():
    base, models, _ = gone_on("adaptive", parts=1)
    models[0].weights.kept[5] = 1e60
    delta = merging.delta(models[0], base)
    assert delta.kept.dtype == np.float64
    found = merging.go_on(base, [Term(delta)]).weights
    assert found.kept[5] == pytest.approx(1e60)
    assert np.isfinite(found.v).all()
