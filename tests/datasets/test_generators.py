import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from kerneltron.datasets.generators import (
    PRIORS,
    dense_target,
    duplicated,
    multinomial_text,
    noisy_logistic,
    separable,
    sparse_target,
)

BINARY = {
    "separable": lambda n, seed: separable(n, d=7, margin=0.1, seed=seed),
    "noisy_logistic": lambda n, seed: noisy_logistic(n, d=7, scale=2.0, b=0.5, seed=seed),
    "sparse_target": lambda n, seed: sparse_target(n, d=60, relevant=4, active=9, noise=0.1, seed=seed),
    "dense_target": lambda n, seed: dense_target(n, d=60, active=8, noise=0.2, seed=seed),
}
TEXT = {
    f"multinomial_text_{priors}_{classes}": lambda n, seed, priors=priors, classes=classes: multinomial_text(
        n, vocabulary=80, length=50, classes=classes, priors=priors, seed=seed
    )
    for priors in PRIORS
    for classes in (2, 4)
}
ALL = {**BINARY, **TEXT}


def dense(X):
    return X.toarray() if sp.issparse(X) else X


def the_same(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize("make", ALL.values(), ids=ALL)
@pytest.mark.parametrize("n", [1, 2, 33])
def test_shapes(make, n):
    data = make(n, 0)
    assert data.X.shape[0] == n
    assert data.X.dtype == np.float64
    assert data.y.shape == (n,)
    assert data.truth.predict(data.X).shape == (n,)
    assert isinstance(data.bayes_error, float)


@pytest.mark.parametrize("make", ALL.values(), ids=ALL)
def test_a_seed_says_everything(make):
    one, same, other = make(50, 3), make(50, 3), make(50, 4)
    assert_array_equal(dense(one.X), dense(same.X))
    assert_array_equal(one.y, same.y)
    assert the_same(one.truth, same.truth)
    assert not np.array_equal(dense(one.X), dense(other.X))
    assert not the_same(one.truth, other.truth)


@pytest.mark.parametrize("make", ALL.values(), ids=ALL)
def test_truth_does_not_depend_on_the_number_of_rows(make):
    few, many = make(10, 3), make(200, 3)
    assert the_same(few.truth, many.truth)
    assert few.bayes_error == many.bayes_error


@pytest.mark.parametrize("make", ALL.values(), ids=ALL)
def test_best_predictor_makes_the_bayes_error(make):
    n = 40_000
    data = make(n, 1)
    error = np.mean(data.truth.predict(data.X) != data.y)
    p = data.bayes_error
    assert abs(error - p) <= 4 * np.hypot(np.sqrt(p * (1 - p) / n), data.standard_error)


@pytest.mark.parametrize("make", BINARY.values(), ids=BINARY)
def test_binary_labels_are_signs_and_neither_is_rare(make):
    y = make(2000, 0).y
    assert_array_equal(np.unique(y), [-1, 1])
    assert 0.25 < np.mean(y > 0) < 0.75


@pytest.mark.parametrize("margin", [1e-3, 0.1, 0.7, 1.0])
@pytest.mark.parametrize("d", [1, 2, 30])
def test_margin_is_attained_and_rows_stay_in_the_ball(d, margin):
    data = separable(500, d=d, margin=margin, seed=0)
    assert_allclose(np.linalg.norm(data.truth.w), 1)
    assert_allclose(min(data.y * (data.X @ data.truth.w)), margin, rtol=1e-12)
    assert np.linalg.norm(data.X, axis=1).max() <= 1 + 1e-12
    assert (data.truth.margin, data.truth.radius) == (margin, 1.0)


def test_no_unit_vector_separates_with_more_than_the_margin():
    data = separable(100, d=3, margin=0.2, seed=0)
    directions = np.random.default_rng(0).standard_normal((20_000, 3))
    nearby = data.truth.w + 0.02 * directions
    for candidates in directions, nearby:
        units = candidates / np.linalg.norm(candidates, axis=1, keepdims=True)
        assert (data.y * (units @ data.X.T)).min(axis=1).max() <= 0.2 + 1e-12


def test_rounding_never_asks_for_the_root_of_a_negative_number():
    for seed in range(300):
        radius, share = np.random.default_rng(seed).uniform([0.1, 1e-3], [3, 1])
        assert np.isfinite(separable(5, d=1, margin=share * radius, radius=radius, seed=seed).X).all()


def test_radius_scales_the_rows():
    small, large = (separable(50, d=4, margin=0.2 * r, radius=r, seed=0) for r in (1.0, 10.0))
    assert_allclose(large.X, 10 * small.X)


def test_logistic_labels_follow_their_probabilities():
    data = noisy_logistic(100_000, d=3, scale=2.0, b=-1.0, seed=0)
    assert_allclose(np.linalg.norm(data.truth.w), 2)
    s = data.X @ data.truth.w + data.truth.b
    for low, high in [(-3, -2.5), (-0.25, 0.25), (1, 1.5)]:
        inside = (s > low) & (s < high)
        expected = np.mean(1 / (1 + np.exp(-s[inside])))
        assert abs(np.mean(data.y[inside] > 0) - expected) < 4 * 0.5 / np.sqrt(inside.sum())


@pytest.mark.parametrize(("scale", "b", "error"), [(0.0, 0.0, 0.5), (0.0, 2.0, 0.1192029), (1e-9, 0.0, 0.5)])
def test_logistic_bayes_error_without_signal(scale, b, error):
    assert_allclose(noisy_logistic(5, d=2, scale=scale, b=b, seed=0).bayes_error, error, rtol=1e-6)


@pytest.mark.parametrize(("scale", "b"), [(1.0, 0.0), (3.0, 2.0), (50.0, -10.0), (100.0, 0.0)])
def test_logistic_bayes_error_by_a_fine_sum(scale, b):
    z, step = np.linspace(-10, 10, 2_000_001, retstep=True)
    density = np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
    expected = np.sum(density / (1 + np.exp(np.minimum(np.abs(b + scale * z), 700)))) * step
    assert_allclose(noisy_logistic(5, d=2, scale=scale, b=b, seed=0).bayes_error, expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("priors", "two"), [("uniform", [0.5, 0.5]), ("skewed", [0.8, 0.2]), ("extreme", [0.99, 0.01])]
)
def test_text_follows_its_priors_and_words(priors, two):
    data = multinomial_text(40_000, vocabulary=30, length=20, priors=priors, seed=0)
    assert_allclose(data.truth.priors, two)
    assert_array_equal(data.X.sum(axis=1), np.full(40_000, 20))
    assert abs(np.mean(data.y) - two[1]) < 4 * np.sqrt(two[0] * two[1] / 40_000)
    for c in range(2):
        rows, p = data.X[data.y == c], data.truth.words[c]
        assert_allclose(p.sum(), 1)
        total = 20 * rows.shape[0]
        deviation = np.sqrt(p * (1 - p) / total)
        assert (np.abs(rows.sum(axis=0) / total - p) < 5 * deviation).all()


def test_priors_as_numbers():
    data = multinomial_text(5000, vocabulary=10, length=5, classes=3, priors=[0.5, 0.5, 0.0], seed=0)
    assert_array_equal(np.unique(data.y), [0, 1])
    assert_allclose(data.truth.posterior(data.X).sum(axis=1), 1)
    assert (data.truth.posterior(data.X)[:, 2] == 0).all()


def test_words_that_hardly_occur_do_not_break_the_posterior():
    data = multinomial_text(200, vocabulary=500, length=20, concentration=1e-3, seed=0)
    assert np.isfinite(data.bayes_error)
    assert np.isfinite(data.truth.posterior(data.X.toarray())).all()


def test_sparse_target_is_a_disjunction_of_few_attributes():
    data = sparse_target(2000, d=300, relevant=6, active=15, seed=0)
    assert_array_equal(np.unique(data.X.data), [1.0])
    assert_array_equal(np.diff(data.X.indptr), np.full(2000, 15))
    assert len(np.unique(data.truth.relevant)) == 6
    present = data.X[:, data.truth.relevant].sum(axis=1)
    assert_array_equal(np.where(present > 0, 1, -1), data.y)
    assert (data.X.sum(axis=0) > 0).all()


def test_every_attribute_matters_to_the_dense_target():
    data = dense_target(2000, d=300, active=16, seed=0)
    assert_array_equal(np.unique(data.X.data), [1.0])
    assert_array_equal(np.diff(data.X.indptr), np.full(2000, 16))
    assert np.abs(data.truth.w).min() >= 1
    assert np.abs(data.truth.w).max() <= 2
    assert_array_equal(np.sign(data.X @ data.truth.w), data.y)


@pytest.mark.parametrize("make", ALL.values(), ids=ALL)
@pytest.mark.parametrize("columns", [2, [0, 2]])
def test_duplicated_columns_are_equal_and_change_nothing_else(make, columns):
    base = make(40, 0)
    more = duplicated(base, columns=columns, copies=4)
    X, d = dense(more.X), base.X.shape[1]
    chosen = np.atleast_1d(columns)
    assert X.shape == (40, d + 3 * len(chosen))
    assert_array_equal(X[:, :d], dense(base.X))
    assert_array_equal(X[:, d:], np.tile(X[:, chosen], 3))
    assert more.bayes_error == base.bayes_error
    assert_array_equal(more.truth.predict(more.X[:, :d]), base.truth.predict(base.X))


def test_one_copy_is_the_same_data():
    base = noisy_logistic(10, d=3, scale=1.0, seed=0)
    assert_array_equal(duplicated(base, columns=1, copies=1).X, base.X)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("margin", lambda: separable(10, d=2, margin=1.5, seed=0)),
        ("margin", lambda: separable(10, d=2, margin=0.0, seed=0)),
        ("margin", lambda: separable(10, d=2, margin=0.6, radius=0.5, seed=0)),
        ("n", lambda: separable(0, d=2, margin=0.1, seed=0)),
        ("d", lambda: noisy_logistic(10, d=0, scale=1.0, seed=0)),
        ("n", lambda: noisy_logistic(-1, d=2, scale=1.0, seed=0)),
        ("scale", lambda: noisy_logistic(10, d=2, scale=-1.0, seed=0)),
        ("scale", lambda: noisy_logistic(10, d=2, scale=float("nan"), seed=0)),
        ("n", lambda: multinomial_text(0, vocabulary=5, length=5, seed=0)),
        ("classes", lambda: multinomial_text(10, vocabulary=5, length=5, classes=1, seed=0)),
        ("length", lambda: multinomial_text(10, vocabulary=5, length=0, seed=0)),
        ("concentration", lambda: multinomial_text(10, vocabulary=5, length=5, concentration=0, seed=0)),
        ("priors", lambda: multinomial_text(10, vocabulary=5, length=5, priors="even", seed=0)),
        ("priors", lambda: multinomial_text(10, vocabulary=5, length=5, priors=[0.5, 0.6], seed=0)),
        ("priors", lambda: multinomial_text(10, vocabulary=5, length=5, priors=[1.5, -0.5], seed=0)),
        ("priors", lambda: multinomial_text(10, vocabulary=5, length=5, priors=[1.0], seed=0)),
        ("n", lambda: sparse_target(0, d=9, relevant=2, active=3, seed=0)),
        ("relevant", lambda: sparse_target(10, d=9, relevant=10, active=3, seed=0)),
        ("active", lambda: sparse_target(10, d=9, relevant=2, active=8, seed=0)),
        ("noise", lambda: sparse_target(10, d=9, relevant=2, active=3, noise=-0.1, seed=0)),
        ("noise", lambda: dense_target(10, d=9, active=3, noise=0.6, seed=0)),
        ("active", lambda: dense_target(10, d=9, active=10, seed=0)),
        ("n", lambda: dense_target(0, d=9, active=3, seed=0)),
        ("columns", lambda: duplicated(BINARY["separable"](5, 0), columns=[0, 7], copies=2)),
        ("columns", lambda: duplicated(BINARY["separable"](5, 0), columns=-1, copies=2)),
        ("copies", lambda: duplicated(BINARY["separable"](5, 0), columns=0, copies=0)),
    ],
)
def test_bad_arguments_are_named(name, call):
    with pytest.raises(ValueError, match=rf"^{name}="):
        call()
