"""Learners that bring columns to one scale: whatever these are measured in, the same is learned."""

from copy import deepcopy
from functools import cache

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression as BatchLearner
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import kerneltron
from kerneltron import Arow, LogisticRegression, Mira, PassiveAggressive, Pegasos, Perceptron, load
from kerneltron._matrices import as_rows
from kerneltron._types import Scaling
from kerneltron.files.format import read, write
from kerneltron.scaling.column_scaler import ColumnScaler
from tests.oracle import running_scales as oracle


def rows(seed=0, n=60, width=8, zeros=0.4, exponent=3):
    """Return columns of different scales and centres, partly 0, one of them constant; and labels."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, width)) * 10.0 ** rng.uniform(-exponent, exponent, width) + 5
    X[rng.random(X.shape) < rng.uniform(0, 2 * zeros, width)] = 0
    X[:, -1] = 3
    return X, rng.integers(0, 3, n)


def scaled(X, cuts=(), centres=True, counts=True, scales=None):
    """Return rows as a dense matrix, scaled in several calls."""
    scales = scales or ColumnScaler(X.shape[1], Scaling(True, centres))
    ready, parts = as_rows(X, float(centres)), []
    for order in np.split(np.arange(X.shape[0]), cuts):
        part = scales.scaled(ready, order, np.dtype(np.float64), counts)
        if not sp.issparse(X):
            parts.append(part.values.reshape(-1, X.shape[1]))
        else:
            shape = (order.size, X.shape[1])
            parts.append(sp.csr_matrix((part.values, part.indices, part.starts), shape).toarray())
    return np.vstack(parts)


@pytest.mark.parametrize("centres", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_rows_are_scaled_by_the_rows_so_far(seed, centres):
    X, _ = rows(seed)
    expected = oracle.scaled(X, centres)
    np.testing.assert_allclose(scaled(X, centres=centres), expected, atol=1e-9)
    np.testing.assert_allclose(scaled(sp.csr_matrix(X), centres=centres), expected, atol=1e-9)


@pytest.mark.parametrize("centres", [True, False])
@pytest.mark.parametrize("size", [30.0, 1e6, 1e12])
def test_outliers_count_no_more_than_all_other_entries(size, centres):
    X, _ = rows(7, n=200, exponent=0)
    X[[0, 1, 2, 4], [0, 1, 2, 3]] = -size  # among the first rows
    X[[130, 131, 140, 199], [0, 3, 1, 2]] += size
    X[130:134, 4] -= size  # where they come again and again, the scale follows
    X[150, -1] = size  # a column that was constant
    dense, sparse = (scaled(make(X), centres=centres) for make in (np.asarray, sp.csr_matrix))
    np.testing.assert_allclose(dense, oracle.scaled(X, centres), rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(sparse, dense, atol=1e-9)


def test_scales_recover_from_an_outlier_among_the_first_rows():
    X = np.random.default_rng(0).normal(size=(500, 50))
    variances = []
    for size in (0.0, 1e6):
        X[4] += size
        scales = ColumnScaler(50)
        scaled(X, scales=scales)
        variances.append(scales.moments.squares / scales.moments.weights)
    assert np.median(variances[1] / variances[0]) <= 1.5


SEEDS, PLACES = range(4), (0, 2, 9, 250, 499)


def drawn(seed, n):
    """Return rows of five columns, and labels that are the sign of the first one."""
    X = np.random.default_rng(seed).normal(size=(n, 5))
    return X, X[:, 0] > 0


def error(fitted, seed):
    """Return the error in percent on rows without outliers."""
    X, y = drawn(100 + seed, 2000)
    return 100 - 100 * fitted.score(X, y)


def costs(learn, column, size):
    """Return by how many points the error grows with one outlier: one row per seed, one column per place."""
    found = np.empty((len(SEEDS), len(PLACES)))
    for seed in SEEDS:
        X, y = drawn(seed, 500)
        plain = error(learn(X, y), seed)
        for k, place in enumerate(PLACES):
            worse = X.copy()
            worse[place, column] += size
            found[seed, k] = error(learn(worse, y), seed) - plain
    return found


@cache
def costs_of_batch_learner(column, size):
    return costs(make_pipeline(StandardScaler(), BatchLearner()).fit, column, size)


@pytest.mark.parametrize("learner", [LogisticRegression, PassiveAggressive, Arow, Pegasos, Mira])
@pytest.mark.parametrize("way", ["fit", "partial_fit"])
@pytest.mark.parametrize(
    ("column", "size", "make"),
    [(0, 10.0, np.asarray), (0, -1e3, sp.csr_matrix), (3, 1e15, np.asarray)],
)
def test_one_outlier_costs_at_most_a_point_more_than_a_batch_learner(learner, way, column, size, make):
    """In the mean over training sets, at each place: one ordinary row in place of another costs up to 2.5."""
    mine = costs(lambda X, y: getattr(learner(random_state=0), way)(make(X), y), column, size)
    more = mine - costs_of_batch_learner(column, size)
    assert (more.mean(axis=0) <= 1).all()
    assert (more <= 3.5).all()


@pytest.mark.parametrize("make", [np.asarray, sp.csr_matrix])
def test_it_does_not_matter_how_rows_are_cut_into_calls(make):
    X = make(rows(3)[0])
    np.testing.assert_array_equal(scaled(X), scaled(X, (1, 2, 3, 30, 59)))


def test_rows_that_come_again_are_not_counted():
    X, _ = rows()
    scales = ColumnScaler(X.shape[1])
    scaled(X, scales=scales)
    again = scaled(X, counts=False, scales=scales)
    assert scales.rows == len(X)
    np.testing.assert_array_equal(again[-1], scaled(X)[-1])
    np.testing.assert_allclose(scaled(sp.csr_matrix(X), counts=False, scales=scales), again, atol=1e-12)


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (0, 1, 0, 1)])
def test_dense_and_sparse_rows_may_follow_each_other(order):
    X = np.vstack([rows(seed)[0][:25] for seed in range(len(order))])
    scales, parts = ColumnScaler(X.shape[1]), []
    for part, way in zip(np.split(X, len(order)), order, strict=True):
        parts.append(scaled(sp.csr_matrix(part) if way else part, scales=scales))
    np.testing.assert_allclose(np.vstack(parts), oracle.scaled(X), atol=1e-9)


def test_short_rows_may_follow_long_ones():
    """More columns are centred then than short rows alone could bring about."""
    rng = np.random.default_rng(0)
    long, short = np.zeros((60, 70)), np.zeros((30, 70))
    long[:, :40] = rng.normal(size=(60, 40))
    long[::2, 40:] = rng.normal(size=(30, 30))
    short[:, 40:43] = rng.normal(size=(30, 3))
    expected = oracle.scaled(np.vstack([long, short]))
    for make in (np.asarray, sp.csr_matrix):
        scales = ColumnScaler(70)
        scaled(make(long), scales=scales)
        again = ColumnScaler.of(*deepcopy(scales.known()), scales.scaling)  # as from a file
        for known in (scales, again):
            np.testing.assert_allclose(scaled(sp.csr_matrix(short), scales=known), expected[60:], atol=1e-9)


def test_rows_of_another_width_are_refused_in_front_of_the_loop():
    scales = ColumnScaler(3)
    for X in (np.ones((2, 5)), sp.csr_matrix(np.ones((2, 5)))):
        with pytest.raises(ValueError, match="the rows have 5 columns"):
            scaled(X, scales=scales)
        with pytest.raises(ValueError, match="the rows have 5 columns"):
            scales.before(as_rows(X, 1.0))
    with pytest.raises(ValueError, match="rows that do not exist"):
        scales.scaled(as_rows(np.ones((2, 3)), 1.0), np.array([0, 7]), np.dtype(np.float64), counts=True)


def test_a_large_offset_costs_no_digits():
    X = np.random.default_rng(0).normal(size=(500, 2))
    np.testing.assert_allclose(scaled(X + 1e8)[100:], scaled(X)[100:], atol=1e-5)


@pytest.mark.parametrize(
    "learner",
    [
        LogisticRegression(scale=True, passes=3, random_state=0),
        LogisticRegression(scale=True, schedule="inverse", random_state=0),
        LogisticRegression(scale=True, fit_intercept=False, random_state=0),
        PassiveAggressive(scale=True, passes=2, random_state=0),
        Perceptron(scale=True, margin=0.1, hypothesis="random", random_state=0),
        Arow(scale=True, random_state=0),
    ],
    ids=lambda learner: repr(learner)[:50],
)
@settings(deadline=None, max_examples=10)
@given(exponents=st.lists(st.integers(-40, 40), min_size=8, max_size=8))
def test_what_columns_are_measured_in_does_not_matter(learner, exponents):
    X, y = rows(1)
    units = 2.0 ** np.array(exponents)  # exact, so that not even rounding differs
    assert np.array_equal(learner.fit(X, y).predict(X), learner.fit(X * units, y).predict(X * units))
    np.testing.assert_allclose(
        learner.decision_function(X * units), learner.fit(X, y).decision_function(X), atol=1e-9
    )


def test_a_column_times_a_thousand_changes_little():
    X, y = rows(2)
    learner = LogisticRegression(scale=True, random_state=0).fit(X, y)
    before = learner.decision_function(X)
    X[:, 2] *= 1000
    np.testing.assert_allclose(learner.fit(X, y).decision_function(X), before, atol=1e-9)


@pytest.mark.parametrize("make", [np.asarray, sp.csr_matrix])
def test_weights_are_for_rows_as_they_are(make):
    X, y = rows()
    learner = LogisticRegression(scale=True, random_state=0).fit(make(X), y)
    np.testing.assert_allclose(X @ learner.coef_.T + learner.intercept_, learner.decision_function(X))


def test_sparse_and_dense_rows_teach_the_same():
    X, y = rows(4)
    learner = LogisticRegression(scale=True, passes=3, random_state=0)
    dense = learner.fit(X, y).decision_function(X)
    np.testing.assert_allclose(learner.fit(sp.csr_matrix(X), y).decision_function(X), dense, atol=1e-8)


@pytest.mark.parametrize("zeros", [0.0, 0.4, 0.5])
def test_sparse_and_dense_rows_teach_the_same_however_many_there_are(zeros):
    """Columns on the verge of being centred, whose scales are worked out at the same rows."""
    X, y = rows(5, n=3000, zeros=zeros)
    np.testing.assert_allclose(scaled(sp.csr_matrix(X)), scaled(X), rtol=1e-9, atol=1e-12)
    learner = LogisticRegression(passes=2, random_state=0)
    dense = learner.fit(X, y).decision_function(X)
    np.testing.assert_allclose(
        learner.fit(sp.csr_matrix(X), y).decision_function(X), dense, rtol=1e-7, atol=1e-9
    )


def test_later_passes_that_cannot_be_scaled_at_once_are_scaled_in_pieces(monkeypatch):
    from kerneltron.models import scaled as models

    X, y = rows(6, n=500)
    for make in (np.asarray, sp.csr_matrix):
        learner = LogisticRegression(passes=3, random_state=0)
        at_once = learner.fit(make(X), y).decision_function(X)
        with monkeypatch.context() as patch:
            patch.setattr(models, "AT_ONCE", 0)
            assert np.array_equal(learner.fit(make(X), y).decision_function(X), at_once)


@pytest.mark.parametrize("make", [np.asarray, sp.csr_matrix])
def test_rows_one_by_one_are_rows_at_once(make):
    X, y = rows()
    X = make(X)
    at_once, one_by_one = (LogisticRegression(scale=True, random_state=0) for _ in range(2))
    at_once.partial_fit(X, y, classes=[0, 1, 2])
    for i in range(X.shape[0]):
        one_by_one.partial_fit(X[i : i + 1], y[i : i + 1], classes=None if i else [0, 1, 2])
    assert np.array_equal(at_once.decision_function(X), one_by_one.decision_function(X))


@pytest.mark.parametrize("width", [8, 5000])
@pytest.mark.parametrize("make", [np.asarray, sp.csr_matrix])
def test_a_call_that_fails_leaves_no_trace(make, width):
    X, y = rows(n=30)
    X = sp.csr_matrix(X)
    X.resize(30, width)
    X = make(X.toarray())
    learner = LogisticRegression(scale=True, random_state=0).partial_fit(X, y)
    before = learner.decision_function(X)
    bad = np.zeros((3, width))
    bad[0, :9], bad[1:, 3] = 2.0, 1e200
    with pytest.raises(ValueError, match="beyond what float64"):
        learner.partial_fit(make(bad), [0, 1, 2])
    assert np.array_equal(learner.decision_function(X), before)
    other = LogisticRegression(scale=True, random_state=0).partial_fit(X, y)
    np.testing.assert_array_equal(
        learner.partial_fit(X, y).decision_function(X), other.partial_fit(X, y).decision_function(X)
    )


def test_a_file_keeps_the_scales(tmp_path):
    X, y = rows()
    learner = LogisticRegression(scale=True, random_state=0).partial_fit(X[:30], y[:30], classes=[0, 1, 2])
    learner.save(tmp_path / "a.model")
    again = load(tmp_path / "a.model")
    assert np.array_equal(again.decision_function(X), learner.decision_function(X))
    again.partial_fit(X[30:], y[30:])
    learner.partial_fit(X[30:], y[30:])
    assert np.array_equal(again.decision_function(X), learner.decision_function(X))
    learner.save(tmp_path / "b.model", resumable=False)
    assert np.array_equal(load(tmp_path / "b.model").decision_function(X), learner.decision_function(X))


@pytest.mark.parametrize("kind", [Arow, LogisticRegression, Mira, PassiveAggressive, Pegasos])
def test_files_from_before_scales_go_on_without_them(tmp_path, kind):
    X, y = rows(exponent=0)
    assert (kind().scale, kind().passes) == ("auto", 10)
    old = kind(scale=False, passes=1, random_state=0).partial_fit(X, y)
    old.save(tmp_path / "new.model")
    contents = read(tmp_path / "new.model")
    parameters = {name: value for name, value in contents.header["parameters"].items() if name != "scale"}
    write(tmp_path / "old.model", contents._replace(header={**contents.header, "parameters": parameters}))
    again = load(tmp_path / "old.model")
    assert (again.scale, again.passes) == (False, 1)
    for learner in (old, again):
        learner.partial_fit(X[::-1], y[::-1])
    assert np.array_equal(again.decision_function(X), old.decision_function(X))


@pytest.mark.parametrize("name", ["Alma", "Perceptron", "Romma", "Winnow"])
def test_learners_that_stay_as_published(name):
    learner = getattr(kerneltron, name)()
    assert (getattr(learner, "scale", False), learner.passes) == (False, 1)


def test_a_class_that_comes_late_does_not_change_what_others_know():
    X, y = rows()
    learner = LogisticRegression(scale=True, random_state=0).partial_fit(X, y)
    before = learner.decision_function(X)
    with pytest.warns(UserWarning, match="late"):
        learner.partial_fit(X[:1], ["3"] if isinstance(y[0], str) else [3])
    assert learner.decision_function(X).shape == (60, 4)
    assert before.shape == (60, 3)


def test_the_best_pass_is_as_if_it_had_been_the_last():
    X, y = rows(n=300)
    options = {"early_stopping": True, "patience": 3, "validation_fraction": 0.3}
    stopped = LogisticRegression(random_state=0, passes=12, **options).fit(X, y)
    assert not stopped.model_.is_busy
    shorter = LogisticRegression(random_state=0, passes=max(2, stopped.best_pass_), **options).fit(X, y)
    assert shorter.best_pass_ == stopped.best_pass_
    np.testing.assert_array_equal(stopped.decision_function(X), shorter.decision_function(X))
    for learner in (stopped, shorter):
        learner.set_params(early_stopping=False).partial_fit(X, y)
    np.testing.assert_array_equal(stopped.decision_function(X), shorter.decision_function(X))


@pytest.mark.parametrize(
    "options",
    [
        {"kernel": "Gaussian(1.0)"},
        {"representation": "dual"},
        {"budget": 10},
        {"representation": "RandomFourier(10)", "kernel": "Gaussian(1.0)"},
        {"delta": 1.0},
        {"hypothesis": "vote"},
    ],
)
def test_what_has_no_weights_for_columns_gets_scaled_rows(options):
    X, y = rows()
    assert Perceptron(**{"scale": True, **options}).fit(X, y).learner_.scaler.rows == len(X)
    assert Perceptron(scale="auto", **options).fit(X, y).learner_.scaler is None
    with pytest.raises(ValueError, match="give True, False or 'auto'"):
        Perceptron(**{**options, "scale": "yes"}).fit(X, y)
