"""Rows that are scaled in front of a model: with kernels, budgets and maps, and for other learners."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_wine

from kerneltron import SVM, Arow, LogisticRegression, PassiveAggressive, Perceptron, Winnow, load, save
from kerneltron.learning.learner import Learner

UNITS = 10.0 ** np.arange(-6, 7)
X, y = load_wine(return_X_y=True)
KERNEL = {"kernel": "Gaussian(4)", "random_state": 0}
LEARNERS = [
    PassiveAggressive(**KERNEL),
    PassiveAggressive(**KERNEL, budget=60),
    LogisticRegression(**KERNEL, representation="RandomFourier(400)"),
    PassiveAggressive(**KERNEL, representation="Nystrom(40)"),
    Perceptron(kernel="Polynomial(2)", representation="primal", hypothesis="vote", random_state=0),
    Arow(kernel="Polynomial(2)", random_state=0),
    SVM(**KERNEL),
    SVM(random_state=0),
]
IDS = ["dual", "budget", "waves", "landmarks", "vote", "listed", "machine", "linear machine"]


def scaled_by_book(X):
    """Return rows without zeros, whose columns have the mean 0 and the variance 1."""
    return (X - X.mean(axis=0)) / X.std(axis=0)


@pytest.mark.parametrize("learner", LEARNERS, ids=IDS)
def test_it_learns_from_standardised_rows_whatever_their_units(learner):
    rows = np.random.default_rng(0).normal(size=(150, 5)) * [1, 2, 3, 4, 5] + 100
    labels = rows[:, 0] + rows[:, 1] / 2 > 150
    twin = type(learner)(**learner.get_params()).set_params(scale=False)
    expected = twin.fit(scaled_by_book(rows), labels).decision_function(scaled_by_book(rows))
    found = learner.set_params(scale=True).fit(rows, labels)
    # Of the first entries of a column some may be limited by chance, so that variances differ a little.
    agree = np.mean((found.decision_function(rows) > 0) == (expected > 0))
    assert agree > 0.95
    units = 2.0 ** np.array([-40, -10, 0, 10, 40])
    other = type(learner)(**learner.get_params()).fit(rows * units, labels)
    assert_allclose(
        other.decision_function(rows * units), found.decision_function(rows), rtol=1e-6, atol=1e-6
    )


@pytest.mark.parametrize("learner", LEARNERS, ids=IDS)
def test_wines_in_any_unit_are_told_apart_also_when_saved_or_sparse(learner, tmp_path):
    learner.set_params(scale=True).fit(X * UNITS, y)
    assert learner.score(X * UNITS, y) > 0.97
    save(learner, tmp_path / "wine.model")
    loaded = load(tmp_path / "wine.model")
    assert_array_equal(loaded.decision_function(X * UNITS), learner.decision_function(X * UNITS))
    assert_array_equal(learner.predictor()(X[:20] * UNITS), learner.predict(X[:20] * UNITS))
    sparse = type(learner)(**learner.get_params()).fit(sp.csr_matrix(X * UNITS), y)
    assert np.mean(sparse.predict(sp.csr_matrix(X * UNITS)) == learner.predict(X * UNITS)) > 0.98


@pytest.mark.parametrize("learner", LEARNERS[:4], ids=IDS[:4])
@pytest.mark.parametrize("size", [1e6, 1e15])
def test_an_outlier_does_not_ruin_a_column(learner, size):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(400, 4))
    labels = rows[:, 0] * rows[:, 1] > 0
    far = rows.copy()
    far[[0, 150], [0, 1]] = size, -size
    train, test = slice(0, 300), slice(300, 400)
    learner.set_params(scale=True)
    clean = learner.fit(rows[train], labels[train]).score(rows[test], labels[test])
    assert learner.fit(far[train], labels[train]).score(rows[test], labels[test]) > clean - 0.06


@pytest.mark.parametrize("learner", LEARNERS[:4], ids=IDS[:4])
def test_a_stream_is_scaled_by_the_rows_so_far_and_goes_on_from_a_file(learner, tmp_path):
    learner = type(learner)(**learner.get_params()).set_params(scale=True)
    order = np.random.default_rng(0).permutation(len(y))
    rows, labels = (X * UNITS)[order], y[order]
    for part in np.array_split(np.arange(len(y)), 4):
        learner.partial_fit(rows[part], labels[part], classes=[0, 1, 2])
    assert learner.score(rows, labels) > 0.93
    save(learner, tmp_path / "half.model")
    loaded = load(tmp_path / "half.model")
    for each in (learner, loaded):
        each.partial_fit(rows[:50] * 1.5, labels[:50])
    assert_array_equal(loaded.decision_function(rows), learner.decision_function(rows))


def test_a_call_that_fails_leaves_the_scaler_as_it_was(monkeypatch):
    learner = PassiveAggressive(**KERNEL, scale=True).partial_fit(X, y)
    before = learner.decision_function(X)
    monkeypatch.setattr(Learner, "learn", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        learner.partial_fit(X * 1e6, y)
    assert_array_equal(learner.decision_function(X), before)


def test_columns_of_winnow_are_divided_and_stay_positive():
    rows = np.random.default_rng(0).integers(0, 2, (600, 40)) * 10.0 ** np.linspace(-5, 5, 40)
    labels = (rows[:, 3] > 0) | (rows[:, 30] > 0)
    assert Winnow(random_state=0, passes=5, scale=True).fit(rows, labels).score(rows, labels) > 0.98
    assert Winnow(random_state=0, passes=5).fit(rows, labels).score(rows, labels) < 0.95


def test_what_has_no_columns_is_refused():
    with pytest.raises(ValueError, match=r"not possible with kernel=Spectrum\(2\), which compares"):
        SVM(kernel="Spectrum(2)", scale=True).fit(["ab", "ba"], [0, 1])
    with pytest.raises(ValueError, match="scale=True is for rows of numbers"):
        SVM(kernel="auto", scale=True).fit(["ab", "ba"] * 10, [0, 1] * 10)
    with pytest.raises(ValueError, match="scale='maybe' is not known"):
        SVM(scale="maybe").fit(X, y)


@pytest.mark.parametrize("learner", [LEARNERS[3], LEARNERS[4]], ids=[IDS[3], IDS[4]])
def test_a_later_row_that_fails_undoes_the_earlier_ones(learner):
    learner = (
        type(learner)(**learner.get_params()).set_params(scale=True).partial_fit(X[:60], y[:60], [0, 1, 2])
    )
    before, mistakes = learner.decision_function(X), learner.mistakes_.copy()
    rows = X[60:90].copy()
    rows[20, 3] = 1e200
    with pytest.raises(ValueError, match=r"column 3 holds|overflows|can square"):
        learner.partial_fit_predict(rows, y[60:90])
    with pytest.raises(ValueError, match="column 3 holds a number whose square is beyond"):
        learner.partial_fit(rows, y[60:90])
    assert_array_equal(learner.decision_function(X), before)
    assert_array_equal(learner.mistakes_, mistakes)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("kind", [SVM, Winnow])
def test_weights_of_columns_are_for_rows_as_they_are(kind, fit_intercept):
    own = {"fit_intercept": fit_intercept} if kind is SVM else {}
    learner = kind(scale=True, random_state=0, **own).fit(X * UNITS, y)
    expected = learner.decision_function(X * UNITS)
    assert_allclose(X * UNITS @ learner.coef_.T + learner.intercept_, expected, atol=1e-9)


def test_threads_that_predict_at_the_same_time_share_a_scaler():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(2000, 40)) + 5
    rows[rng.random(rows.shape) < 0.4] = 0
    learner = LogisticRegression(**KERNEL, representation="RandomFourier(50)", scale=True)
    learner.fit(rows[:200], rows[:200, 0] > 5)
    kinds = [rows, sp.csr_matrix(rows)]
    expected = [learner.decision_function(each) for each in kinds]
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda i: learner.decision_function(kinds[i % 3 > 0]), range(45)))
    assert all(np.array_equal(each, expected[i % 3 > 0]) for i, each in enumerate(found))


def test_rows_that_are_held_out_are_not_counted():
    learner = LogisticRegression(
        **KERNEL, representation="RandomFourier(50)", scale=True, early_stopping=True
    )
    assert learner.fit(X, y).learner_.scaler.rows == round(0.9 * len(y))


def test_an_explanation_says_that_weights_are_for_scaled_rows():
    assert "on the scale that `scale` brings them to" in str(SVM(scale=True).fit(X, y).explain())
