"""Regressions of arithmetic: empty rows, ROMMA's norm, sums and scores that outgrow their type."""

import warnings
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from kerneltron import (
    LogisticRegression,
    ManyTasks,
    PassiveAggressive,
    Pegasos,
    Perceptron,
    Romma,
    Winnow,
    load,
)
from kerneltron.models.merging import combine
from tests.additive_rules import ADAGRAD, PEGASOS, PUBLISHED
from tests.oracle import exact

GOLDEN = Path(__file__).parents[1] / "golden"
PLAIN = {"shuffle": False, "hypothesis": "last", "fit_intercept": False}
FORMS = [{}, {"representation": "dual"}, {"representation": "primal", "kernel": "Polynomial(1, c=0)"}]


# -- rows without features ---------------------------------------------------------------------------


@pytest.fixture
def sparse_signal():
    X, y = np.zeros((51, 2)), np.zeros(51, int)
    X[0], y[0] = [1.0, 0.0], 1
    return X, y


@pytest.mark.parametrize("form", FORMS, ids=["primal", "dual", "mapped"])
@pytest.mark.parametrize("layout", [np.array, sp.csr_matrix])
def test_empty_rows_shrink_the_vector(sparse_signal, form, layout):
    X, y = sparse_signal
    constant = LogisticRegression(schedule="constant", l2=0.1, **ADAGRAD, **PLAIN, **form)
    first = constant.fit(layout(X), y).decision_function(layout(X))[0]
    assert first == pytest.approx(0.25 / 1.05**50)  # 0.0218
    pegasos = Pegasos(l2=0.1, **PEGASOS, **PLAIN, **form).fit(layout(X), y)
    assert pegasos.decision_function(layout(X))[0] == pytest.approx(10 / 51)
    assert pegasos.model_.weights.updates.tolist() == [1]


def test_empty_rows_shrink_adaptive_steps_too(sparse_signal):
    X, y = sparse_signal
    learner = LogisticRegression(schedule="adaptive", l2=0.1, **ADAGRAD, **PLAIN).fit(X, y)
    expected = 0.5 / np.prod(1 + 0.05 / np.sqrt(np.arange(2, 52)))
    assert learner.coef_[0, 0] == pytest.approx(expected)


@pytest.mark.parametrize("form", FORMS[:2], ids=["primal", "dual"])
def test_empty_rows_shrink_every_task(sparse_signal, form):
    X, y = sparse_signal
    Y = np.column_stack([2 * y - 1, 2 * y - 1])
    Y[1:11, 1] = 0  # unknown: these do not exist for the second task
    tasks = ManyTasks(Pegasos(l2=0.1, **PEGASOS, **PLAIN, **form)).fit(X, Y)
    np.testing.assert_allclose(tasks.decision_function(X[:1]), [[10 / 51, 10 / 41]])


@pytest.mark.parametrize("form", FORMS, ids=["primal", "dual", "mapped"])
@pytest.mark.parametrize("learner", [Perceptron, PassiveAggressive, Romma])
@pytest.mark.parametrize("hypothesis", ["last", "average", "random", "vote"])
def test_empty_rows_leave_rules_that_do_not_shrink_alone(sparse_signal, form, learner, hypothesis):
    X, y = sparse_signal
    settings = PLAIN | form | PUBLISHED | {"hypothesis": hypothesis, "random_state": 0}
    found = learner(**settings).fit(X, y)
    assert found.model_.weights.updates.tolist() == [1]
    assert found.model_.weights.clock.tolist() == [51]
    np.testing.assert_array_equal(found.decision_function(X[:2]), [1.0, 0.0])


# -- ROMMA's norm ------------------------------------------------------------------------------------


def noisy(seed, columns, rows=200):
    generator = np.random.default_rng(seed)
    return generator.normal(size=(rows, columns)), np.where(generator.random(rows) > 0.5, 1, -1)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("aggressive", [False, True])
@pytest.mark.parametrize("columns", [2, 3, 5])
def test_romma_decides_as_in_exact_arithmetic(columns, aggressive, dtype):
    for seed in range(3):
        X, y = noisy(seed, columns)
        X = X.astype(dtype)
        mistakes, w = exact.romma(X, y, aggressive)
        for rows in (X, sp.csr_matrix(X)):
            learner = Romma(aggressive=aggressive, **PLAIN).fit(rows, y)
            assert learner.mistakes_.tolist() == [sum(mistakes)]
            # Only the direction: where no vector separates the data, the length grows without end.
            found, expected = learner.coef_[0].astype(float), np.array(w, float)
            found, expected = found / np.linalg.norm(found), expected / np.linalg.norm(expected)
            np.testing.assert_allclose(found, expected, atol=1e-9 if dtype == np.float64 else 1e-4)
            kept, v = learner.model_.weights.norm[0], learner.coef_[0].astype(float)
            assert kept == pytest.approx(v @ v, rel=1e-10 if dtype == np.float64 else 1e-5)


def test_romma_follows_its_norm_in_several_columns():
    X, _ = noisy(0, 3)
    y = np.random.default_rng(1).integers(0, 3, 200)
    learner = Romma(**PLAIN).fit(X, y)
    np.testing.assert_allclose(learner.model_.weights.norm, np.square(learner.coef_).sum(axis=1), rtol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("columns", [2, 3, 5, 10, 20])
def test_romma_in_dual_form_decides_as_in_exact_arithmetic_or_says_that_it_cannot(columns):
    # Coefficients of a vector that is a small difference of large ones have no digits left of it.
    for seed in range(4):
        X, y = noisy(seed, columns)
        mistakes, _ = exact.romma(X, y)
        learner = Romma(representation="dual", **PLAIN)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            learner.fit(X, y)
        assert all("lost its digits" in str(warning.message) for warning in said)
        assert not said or columns < 10
        if not said:
            assert learner.mistakes_.tolist() == [sum(mistakes)]


@pytest.mark.parametrize("hypothesis", ["last", "average", "vote"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_romma_survives_many_passes_over_data_that_no_vector_separates(dtype, hypothesis):
    generator = np.random.default_rng(0)
    X = generator.normal(size=(5000 if hypothesis != "vote" else 500, 20)).astype(dtype)
    y = X[:, 0] + 0.5 * generator.normal(size=len(X)) > 0
    learner = Romma(passes=50, random_state=0, hypothesis=hypothesis).fit(X, y)
    assert learner.score(X, y) > 0.75
    norm = learner.model_.weights.norm[0]
    assert 1e20 < norm < 1e32  # long, and no longer
    w = learner.model_.weights.v.astype(float) * learner.model_.weights.scale[0]
    assert norm == pytest.approx(w @ w, rel=1e-10)


def test_merged_dual_romma_learns_on_with_the_norm_of_the_mix():
    X, y = noisy(0, 20)
    settings = {"representation": "dual", "kernel": "Polynomial(2)", "hypothesis": "last"}
    parts = [Romma(**settings).fit(X[part], y[part]).model_ for part in np.split(np.arange(100), 2)]
    mixed = combine(parts, [[(0, 1.0)]] * 2, np.array([0.5, 0.5]))
    places, alpha = mixed.remembered.origins, mixed.coefficients()[:, 0]
    gram = (1 + X[places] @ X[places].T) ** 2 + 1
    mixed.begin(mixed.read(X[100:]))
    assert mixed.weights.norm[0] == pytest.approx(alpha @ gram @ alpha)


# -- sums and scores that outgrow their type ----------------------------------------------------------


def test_squares_of_gradients_grow_on():
    learner = LogisticRegression(hypothesis="last", **ADAGRAD)
    learner.fit(np.array([[1.0], [0.0]], np.float32), [1, 0])
    weights = learner.model_.weights
    assert weights.kept.dtype == np.float64
    weights.kept[:] = 2.0**23  # where single precision stood still
    learner.partial_fit(np.ones((1000, 1), np.float32), np.arange(1000) % 2)
    assert weights.kept[0] > 2.0**23 + 200


def test_rows_that_are_too_large_are_an_error_and_change_nothing():
    X = np.random.default_rng(0).normal(size=(100, 4))
    y = X[:, 0] > 0
    for learner in (Perceptron(), LogisticRegression(), PassiveAggressive(), Perceptron(learning_rate=1e300)):
        rows = X * 1e10 if learner.__dict__.get("learning_rate") == 1e300 else X * 1e200
        with pytest.raises(ValueError, match=r"beyond what float64 can hold: scale the rows"):
            learner.fit(rows, y)
        assert not hasattr(learner, "coef_")
    with pytest.raises(ValueError, match=r"beyond what float64 can hold"):
        Winnow().fit(np.abs(X) * 1e200, y)


@pytest.mark.parametrize("size", [1e-30, 1e19, 1e30])
def test_scores_beyond_single_precision_are_of_double_precision(size):
    X = (np.random.default_rng(0).normal(size=(100, 20)) * size).astype(np.float32)
    y = X[:, 0] > 0
    for hypothesis in ("last", "average", "vote"):
        settings = {"hypothesis": hypothesis, "fit_intercept": False, "random_state": 0}
        for rows in (X, sp.csr_matrix(X)):
            learner = Perceptron(**settings).fit(rows, y)
            double = Perceptron(**settings).fit(rows.astype(float), y)
            found, expected = learner.decision_function(rows), double.decision_function(rows.astype(float))
            np.testing.assert_allclose(found, expected, atol=1e-5 * np.abs(expected).max())
            assert learner.score(rows, y) > 0.8


def test_scores_beyond_double_precision_are_an_error():
    X = np.random.default_rng(0).normal(size=(100, 4))
    learner = Perceptron(random_state=0, learning_rate=1e10).fit(X, X[:, 0] > 0)
    with pytest.raises(ValueError, match=r"a score is beyond what float64 can hold.*StandardScaler"):
        learner.predict(np.full((1, 4), 1e305))


def test_a_file_with_squares_of_single_precision_goes_on():
    learner = load(GOLDEN / "stream-csv-logistic-1.model")[-1]
    assert learner.model_.weights.v.dtype == np.float32
    assert learner.model_.weights.kept.dtype == np.float64
