"""The rational quadratic kernel against its formula, its limits, and where numbers end."""

import numpy as np
import pytest

from kerneltron import PassiveAggressive
from kerneltron.kernels import Gaussian, Linear, Polynomial, RationalQuadratic, parse

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(12, 3)), RNG.normal(size=(7, 3))


def formula(distances, sigma, alpha):
    """The kernel as it is defined, from squared distances."""
    return (1 + distances / (2 * alpha * sigma**2)) ** -alpha


def squared_distances(A, B):
    return np.square(A[:, None] - B[None]).sum(axis=2)


@pytest.mark.parametrize("sigma", [0.1, 1.0, 30.0])
@pytest.mark.parametrize("alpha", [1e-3, 0.5, 1, 7.0])
def test_it_is_its_formula(sigma, alpha):
    expected = formula(squared_distances(X, Z), sigma, alpha)
    k = RationalQuadratic(sigma, alpha)
    np.testing.assert_allclose(k(X, Z), expected, rtol=1e-10)
    np.testing.assert_allclose(k(X.astype(np.float32), Z.astype(np.float32)), expected, rtol=2e-5)


def test_the_distance_is_that_in_the_space_of_another_kernel():
    k = Polynomial(2)
    distances = k.diag(X)[:, None] + k.diag(Z)[None] - 2 * k(X, Z)
    np.testing.assert_allclose(
        RationalQuadratic(2.0, 0.7, over=k)(X, Z), formula(distances, 2.0, 0.7), rtol=1e-9
    )
    np.testing.assert_allclose(
        RationalQuadratic(2.0, over=Linear())(X), RationalQuadratic(2.0)(X), atol=1e-15
    )


def test_it_is_a_mixture_of_gaussians():
    shape = 1.5  # precisions 1 / s^2 follow a gamma distribution with this shape and the mean 1 / sigma^2
    precisions = RNG.gamma(shape, 1 / shape, size=20_000) / 0.8**2
    mixture = np.mean([np.exp(-squared_distances(X, Z) * p / 2) for p in precisions], axis=0)
    np.testing.assert_allclose(RationalQuadratic(0.8, shape)(X, Z), mixture, atol=0.01)


def test_for_large_alpha_it_is_the_gaussian():
    errors = [np.abs(RationalQuadratic(1.5, a)(X) - Gaussian(1.5)(X)).max() for a in (1, 10, 100, 1e4, 1e8)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 1e-8
    for alpha in (1e16, 1e100, 1e300):
        np.testing.assert_allclose(RationalQuadratic(1.5, alpha)(X), Gaussian(1.5)(X), atol=1e-12)


def test_its_tail_is_heavier_the_smaller_alpha_is():
    far = [RationalQuadratic(1.0, a)([[0.0]], [[30.0]])[0, 0] for a in (0.1, 1.0, 10.0)]
    assert far == sorted(far, reverse=True)
    assert far[-1] > Gaussian(1.0)([[0.0]], [[30.0]])[0, 0] == pytest.approx(0)


def test_it_is_its_own_cosine_and_is_read_back():
    k = RationalQuadratic(2.0, over=Polynomial(2))
    np.testing.assert_array_equal(k.diag(X), 1)
    np.testing.assert_allclose(k.normalized()(X, Z), k(X, Z), rtol=1e-15)
    for same in (k, RationalQuadratic(2.0), RationalQuadratic(2.0, alpha=0.5), 2 * k + 1):
        assert parse(repr(same)) == same
    assert repr(RationalQuadratic(2.0, 0.5)) == "RationalQuadratic(2.0, alpha=0.5)"
    assert k.replace(alpha=3.0, over__degree=3) == RationalQuadratic(2.0, 3.0, Polynomial(3))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_far_from_the_origin_keep_their_distances(dtype):
    rows = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]], dtype)
    far = rows + dtype(2.0**20 if dtype is np.float32 else 1e8)
    expected = formula(squared_distances(rows, rows), 1.0, 0.5)
    np.testing.assert_allclose(RationalQuadratic(1.0, 0.5)(far), expected, atol=1e-10)


@pytest.mark.parametrize("alpha", [5e-324, 1e-300, 1e-30, 1.0, 1e30, 1e308])
@pytest.mark.parametrize("sigma", [1e-200, 1e-20, 1.0, 1e20, 1e200])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_no_scale_gives_numbers_that_are_not_finite(sigma, alpha, dtype):
    gram = RationalQuadratic(sigma, alpha)(X.astype(dtype))
    assert np.isfinite(gram).all()
    assert ((gram >= 0) & (gram <= 1)).all()
    np.testing.assert_allclose(gram.diagonal(), 1, atol=1e-5)
    if alpha < 1e-29:
        np.testing.assert_allclose(gram, 1, atol=1e-5)  # the power 0 of anything


@pytest.mark.parametrize(
    ("sigma", "alpha", "error", "reason"),
    [
        (0.0, 1.0, ValueError, "sigma=0.0 must be finite and greater than 0"),
        (1.0, 0.0, ValueError, "alpha=0.0 must be finite and greater than 0"),
        (1.0, float("inf"), ValueError, "alpha=inf must be finite"),
        (1.0, "2", TypeError, "alpha='2' is not a number"),
    ],
)
def test_what_is_no_scale_is_refused(sigma, alpha, error, reason):
    with pytest.raises(error, match=reason):
        RationalQuadratic(sigma, alpha)


def test_learners_take_it_by_its_text():
    rings = np.random.default_rng(1).normal(size=(300, 2))
    y = np.square(rings).sum(axis=1) > 1.4
    learner = PassiveAggressive(kernel="RationalQuadratic(1.0, 0.5)", passes=5, random_state=0)
    assert learner.fit(rings[:200], y[:200]).score(rings[200:], y[200:]) > 0.9
