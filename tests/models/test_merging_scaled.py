"""Models that scale their columns, merged: one scale, that of the rows of all, and weights brought to it."""

from copy import deepcopy
from itertools import permutations

import numpy as np
import pytest
import scipy.sparse as sp

from kerneltron import Arow, LogisticRegression, PassiveAggressive, Pegasos, Perceptron, load
from kerneltron._matrices import as_rows
from kerneltron.scaling.column_scaler import ColumnScaler, joined
from kerneltron.training.combining import combine
from tests.oracle import running_scales as oracle

LEARNERS = [
    LogisticRegression(random_state=0),
    LogisticRegression(hypothesis="last", passes=2, random_state=0),
    LogisticRegression(schedule="inverse", random_state=0),
    LogisticRegression(fit_intercept=False, random_state=0),
    Pegasos(random_state=0),
    PassiveAggressive(scale=True, passes=2, random_state=0),
    Arow(scale=True, random_state=0),
]


def rows(part, n=150, classes=3):
    """Return rows of columns on different scales, which differ between parts: one is 0 there, or constant."""
    rng = np.random.default_rng(part)
    X = (rng.normal(size=(n, 6)) + part) * 10.0 ** np.array([-3, -2, 0, 1, 3, 4])
    X[rng.random(n) < 0.6, 1] = 0.0
    X[rng.random(n) < 0.2 + 0.3 * part, 2] = 0.0
    X[:, 5] = 7.0 if part else X[:, 5]
    X[:, 3] = 0.0 if part == 1 else X[:, 3]
    return X, rng.integers(0, classes, n)


def trained(learner, part, make=np.asarray, units=1.0):
    X, y = rows(part)
    return deepcopy(learner).fit(make(X * units), y).learner_


@pytest.mark.parametrize("make", [np.asarray, sp.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: repr(learner)[:60])
def test_the_scores_of_the_mix_are_the_mixed_scores(learner, make):
    parts, shares = [trained(learner, part, make) for part in range(3)], np.array([0.5, 0.3, 0.2])
    before = [part.scores(rows(0)[0]) for part in parts]
    mixed = combine(parts, shares)
    for part in range(3):
        X = make(rows(part)[0])
        expected = sum(share * own.scores(X) for share, own in zip(shares, parts, strict=True))
        np.testing.assert_allclose(mixed.scores(X), expected, rtol=1e-9, atol=1e-9)
    for part, scores in zip(parts, before, strict=True):
        np.testing.assert_array_equal(part.scores(rows(0)[0]), scores)


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: repr(learner)[:60])
def test_a_model_merged_with_itself_says_the_same(learner):
    X, _ = rows(0)
    part = trained(learner, 0)
    mixed = combine([part, part], np.array([0.5, 0.5]))
    np.testing.assert_allclose(mixed.scores(X), part.scores(X), rtol=1e-9, atol=1e-9)
    assert mixed.model.scaler.rows == 2 * part.model.scaler.rows


def test_parts_may_be_merged_in_any_order():
    X, _ = rows(0)
    parts = [trained(LEARNERS[0], part) for part in range(3)]
    at_once = combine(parts, np.full(3, 1 / 3))
    for i, j, k in permutations(range(3)):
        two = combine([parts[i], parts[j]], np.array([0.5, 0.5]))
        found = combine([two, parts[k]], np.array([2 / 3, 1 / 3]))
        np.testing.assert_allclose(found.scores(X), at_once.scores(X), rtol=1e-9, atol=1e-9)
        for a, b in zip(
            found.model.scaler.centres_and_factors(), at_once.model.scaler.centres_and_factors(), strict=True
        ):
            np.testing.assert_allclose(a, b, rtol=1e-9)
        np.testing.assert_allclose(found.model.weights.kept, at_once.model.weights.kept, rtol=1e-9)


@pytest.mark.parametrize("make", [np.asarray, sp.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: repr(learner)[:60])
def test_what_columns_are_measured_in_does_not_matter(learner, make):
    units, (X, y) = np.array([1.0, 1e3, 1.0, 1e-3, 1.0, 1e3]), rows(4)
    found = []
    for unit in (1.0, units):
        mixed = combine([trained(learner, part, make, unit) for part in range(2)], np.array([0.4, 0.6]))
        mixed.begin_stream()
        with mixed.visiting(mixed.model.read(make(X * unit))):  # what is kept for each weight is right, too
            mixed.learn(mixed.examples(y).visits(np.arange(len(y))))
        found.append(mixed.scores(make(X * unit)))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("with_base", [False, True])
def test_the_scales_are_those_of_the_rows_of_all(with_base):
    """Of all entries as they count in their part, where some of the first ones may be limited."""
    X = np.vstack([rows(part)[0] for part in range(3)])
    base = None
    if with_base:
        base = ColumnScaler(6)
        base.count_visits(as_rows(X[:150], 1.0), np.arange(150))
    parts = []
    for part in range(1 if with_base else 0, 3):
        parts.append(base.copy() if base else ColumnScaler(6))
        parts[-1].count_visits(as_rows(X, 1.0), np.arange(150 * part, 150 * part + 150))
    found = joined(parts, base).known()[0]
    for j in range(6):
        entries = entries_of_all(X, j, with_base)
        expected = {"counts": entries.size, "means": entries.mean(), "squares": entries.var() * entries.size}
        for name, value in expected.items():
            np.testing.assert_allclose(found[name][j], value, rtol=1e-9, err_msg=name)
        centre, divisor = oracle.scale(entries, len(X), centres=True)
        in_use = found["centres"][j], found["factors"][j]
        np.testing.assert_allclose(in_use, (centre, 1 / divisor), rtol=1e-9)


def entries_of_all(X, j, with_base):
    """Return the entries of column j in three parts, of which the last two may go on from the first."""
    first, *others = np.split(X[:, [j]], 3)
    if not with_base:
        return np.concatenate([oracle.counted(part)[0] for part in (first, *others)])
    own = oracle.counted(first)[0]
    more = [oracle.counted(np.vstack([first, part]))[0][len(own) :] for part in others]
    return np.concatenate([own, *more])


def test_going_on_from_a_mix_differs_little_from_serial_training(tmp_path):
    """A part that lacks a column, and one that has it, know of each other's scales from then on."""
    X, y = rows(0)
    learner = LEARNERS[0]
    mixed = combine([trained(learner, 0), trained(learner, 1)], np.array([0.5, 0.5]))
    assert mixed.model.scaler.rows == 300
    fitted = deepcopy(learner)
    fitted.hold(mixed)
    fitted.save(tmp_path / "mixed.model")
    again = load(tmp_path / "mixed.model")
    np.testing.assert_array_equal(again.decision_function(X), mixed.scores(X))
    again.partial_fit(X, y)
    assert again.model_.scaler.rows == 450
    assert mixed.model.scaler.rows == 300


def test_models_that_only_predict_are_mixed_as_they_are(tmp_path):
    X, _ = rows(0)
    parts = []
    for part in range(2):
        deepcopy(LEARNERS[0]).fit(*rows(part)).save(tmp_path / "a.model", resumable=part == 0)
        parts.append(load(tmp_path / "a.model").learner_)
    mixed = combine(parts, np.array([0.5, 0.5]))
    expected = (parts[0].scores(X) + parts[1].scores(X)) / 2
    np.testing.assert_allclose(mixed.scores(X), expected, rtol=1e-12)


def test_vectors_that_were_drawn_cannot_be_brought_to_another_scale():
    learner = Perceptron(scale=True, hypothesis="random", random_state=0)
    parts = [trained(learner, part) for part in range(2)]
    with pytest.raises(ValueError, match="hypothesis='average'"):
        combine(parts, np.array([0.5, 0.5]))


def test_classes_that_some_parts_lack_have_columns():
    X, y = rows(0)
    parts = [deepcopy(LEARNERS[0]).fit(X[y != c], y[y != c]).learner_ for c in range(2)]
    mixed = combine(parts, np.array([0.5, 0.5]))
    assert mixed.scores(X).shape == (150, 3)
    assert np.isfinite(mixed.scores(X)).all()
