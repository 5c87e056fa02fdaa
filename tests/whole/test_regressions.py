"""Accidents that have happened, and must not again."""

import copy

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score

from kerneltron import ManyTasks, Perceptron
from kerneltron.kernels import (
    AllSubsets,
    Conjunctions,
    FromFunction,
    Gaussian,
    Linear,
    Polynomial,
    QuadraticForm,
    check,
    diagnose,
    parse,
)

generator = np.random.default_rng(0)
X = generator.normal(size=(120, 4))
y = X[:, 0] * X[:, 1] > 0
Y = np.sign(np.column_stack([X[:, 0] * X[:, 1], X[:, 2], X[:, 0] - X[:, 3]])).astype(int)


@pytest.mark.parametrize("text", ["2 * Precomputed()", "Precomputed() + 1", "Precomputed().normalized()"])
def test_a_matrix_of_similarities_is_no_part_of_an_expression(text):
    with pytest.raises(ValueError, match="stands alone"):
        Perceptron(kernel=text).fit(X @ X.T, y)


def test_similarities_of_many_tasks_are_sliced_by_rows_and_columns():
    K = Gaussian(1.0)(X)
    folds = KFold(4, shuffle=True, random_state=0)
    given = cross_val_score(ManyTasks(Perceptron(kernel="precomputed", random_state=0)), K, Y, cv=folds)
    own = cross_val_score(ManyTasks(Perceptron(kernel=Gaussian(1.0), random_state=0)), X, Y, cv=folds)
    np.testing.assert_allclose(given, own)
    assert parse("precomputed") == parse("Precomputed()")


def test_grid_search_over_the_kernel_of_many_tasks():
    grid = {"learner__kernel__sigma": [0.01, 1.0]}
    search = GridSearchCV(ManyTasks(Perceptron(kernel=Gaussian(1.0))), grid, cv=KFold(3))
    assert search.fit(X, Y).best_params_ == {"learner__kernel__sigma": 1.0}


def test_features_that_overflow_are_refused_in_primal_form_too():
    learner = Perceptron(kernel=Polynomial(4), representation="primal")
    with pytest.raises(ValueError, match="normalized"):
        learner.fit((X * 1e12).astype(np.float32), y)
    with pytest.raises(ValueError, match="normalized"):
        learner.fit(X, y).decision_function(X * 1e90)


@pytest.mark.parametrize("offset", [1e4, 1e8, 1.7e9])
def test_a_gaussian_does_not_mind_how_far_the_origin_is(offset):
    rows = X[:30] + offset
    exact = np.exp(-0.5 * np.square(rows[:, None] - rows).sum(axis=2))
    np.testing.assert_allclose(Gaussian(1.0)(rows), exact, atol=1e-7)
    learner = Perceptron(kernel=Gaussian(1.0), random_state=0, passes=3)
    near, far = learner.fit(X, y).decision_function(X), learner.fit(X + 1e6, y).decision_function(X + 1e6)
    np.testing.assert_allclose(near, far, atol=1e-5)


@pytest.mark.parametrize("size", [1.0, 1e3, 1e5])
def test_a_large_column_can_be_left_out(size):
    rows = (0.1 * X).astype(np.float32)
    rows[:, 0] = size * np.where(y, 1, -1)
    learner = Perceptron(shuffle=False, passes=3, representation="dual")
    tasks = ManyTasks(learner, exclude_own_column=True).fit(rows, Y[:, [0]])
    alone = learner.fit(rows[:, 1:], Y[:, 0]).decision_function(rows[:, 1:])
    np.testing.assert_allclose(tasks.decision_function(rows)[:, 0], alone, atol=1e-4)


def test_many_tasks_stay_as_they_were_when_a_stream_breaks():
    calls = []

    def similar(A, B):
        calls.append(len(A))
        if len(calls) > 40:
            raise KeyboardInterrupt
        return np.asarray(A) @ np.asarray(B).T

    tasks = ManyTasks(Perceptron(kernel=FromFunction(similar, vectorized=True)))
    tasks.partial_fit(X[:40], Y[:40])
    model = copy.deepcopy(tasks._tasks.model.weights)
    calls.extend([0] * (36 - len(calls)))
    with pytest.raises(KeyboardInterrupt):
        tasks.partial_fit(X[40:], Y[40:])
    for now, before in zip(tasks._tasks.model.weights, model, strict=True):
        np.testing.assert_array_equal(now, before)


def test_weights_of_features_that_cannot_be_read():
    form = QuadraticForm(np.eye(4))
    with pytest.raises(ValueError, match="primal"):
        Perceptron(kernel=form, representation="dual").fit(X, y).feature_weight((0,))
    vote = Perceptron(kernel=Polynomial(2), representation="dual", hypothesis="vote").fit(X, y)
    with pytest.raises(AttributeError, match="vote"):
        vote.feature_weight((0,))


def test_few_visits_at_a_time_for_thousands_of_tasks():
    labels = sp.random(300, 4000, 0.01, "csr", random_state=0)
    labels.data = np.sign(labels.data - 0.5)
    tasks = ManyTasks(Perceptron(kernel=Gaussian(1.0), shuffle=False)).fit(
        generator.normal(size=(300, 3)), labels
    )
    assert tasks._tasks.model.visits_at_a_time * 4000 <= 2**18


def test_labels_of_many_tasks_that_mean_something_else():
    with pytest.raises(ValueError, match=r"2 \* Y - 1"):
        ManyTasks(Perceptron()).fit(X, (Y > 0).astype(int))
    twice = sp.csr_matrix((np.ones(240), (np.repeat(np.arange(120), 2), np.zeros(240, int))), shape=(120, 1))
    with pytest.raises(ValueError, match=r"Y holds 2"):
        ManyTasks(Perceptron()).fit(X, twice)


def test_matrices_of_quadratic_forms():
    assert np.isfinite(QuadraticForm(np.eye(2) * 1e307)([[0.1, 0.2]])).all()
    assert QuadraticForm(sp.eye(2)) == QuadraticForm(np.eye(2))
    with pytest.raises(TypeError, match="real numbers"):
        QuadraticForm(np.eye(2) * 1j)


@pytest.mark.parametrize("kernel", [Linear(), AllSubsets(), Conjunctions(size=400)], ids=repr)
def test_advice_against_overflow_helps(kernel):
    rows = np.ones((2, 1100)) if kernel.domain == "booleans" else [[1e200, 1.0]]
    for k in (kernel, kernel.normalized()):
        with pytest.raises(ValueError, match="overflows") as caught:
            k(rows)
        assert "normalized()" not in str(caught.value).split(";")[1]


def test_numbers_that_are_none():
    for wrong in (lambda: 10**400 * Linear(), lambda: Gaussian(10**400), lambda: Linear().polynomial(3)):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError, match="divided by 0"):
        Linear() / 0


def test_a_kernel_as_text_is_checked_and_diagnosed():
    assert check("Gaussian(1)", X).is_kernel
    assert diagnose("Gaussian(1)", X, y) == diagnose(Gaussian(1), X, y)


def test_distant_rows_of_different_widths_cannot_be_compared():
    with pytest.raises(ValueError, match="cannot be compared"):
        Gaussian(1.0)(X + 1e8, X[:, :1] + 1e8)
