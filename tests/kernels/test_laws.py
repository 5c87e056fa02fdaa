"""The algebra of kernels: every combinator against its formula, and the laws that bind them together."""

import operator
from itertools import pairwise
from math import exp, factorial, inf, nan

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.base import clone

from kerneltron.kernels.after import After
from kerneltron.kernels.constant import Constant
from kerneltron.kernels.exponential import Exponential
from kerneltron.kernels.from_function import FromFunction
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.normalized import Normalized
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.polynomial import Polynomial
from kerneltron.kernels.power import Power
from kerneltron.kernels.product import Product
from kerneltron.kernels.rational_quadratic import RationalQuadratic
from kerneltron.kernels.scaled import Scaled
from kerneltron.kernels.series import Series
from kerneltron.kernels.sum import Sum
from kerneltron.kernels.weighted import Weighted
from tests.strategies import LAYOUTS

quick = settings(max_examples=25, deadline=None)
rows = hnp.arrays(
    np.float64, st.tuples(st.integers(1, 7), st.just(3)), elements=st.integers(-3, 3).map(float)
)
X = np.random.default_rng(0).normal(size=(9, 4))
Z = np.random.default_rng(1).normal(size=(5, 4))


def age_weight(X):
    return np.asarray(X[:, 0] - 0.5)


def halves(X):
    return X[:, :2] / 2


def overlap(x, z):
    return float(np.minimum(np.abs(x), np.abs(z)).sum())


def all_products(X, Z):
    return X @ Z.T


LINEAR, CUBIC = Linear(), Polynomial(3)
INNER = X @ Z.T
EXPRESSIONS = {
    "sum": (LINEAR + CUBIC, INNER + (1 + INNER) ** 3),
    "product": (LINEAR * CUBIC, INNER * (1 + INNER) ** 3),
    "scaled": (0.25 * CUBIC, 0.25 * (1 + INNER) ** 3),
    "nothing": (0 * CUBIC, 0 * INNER),
    "power": ((LINEAR + 2) ** 5, (INNER + 2) ** 5),
    "exponential": ((0.5 * LINEAR).exp(), np.exp(0.5 * INNER)),
    "series": (LINEAR.polynomial([1, 0, 2.0, 0.5]), 1 + 2 * INNER**2 + 0.5 * INNER**3),
    "constant series": (LINEAR.polynomial([3]), 3 + 0 * INNER),
    "weighted": (LINEAR.weighted(age_weight), np.outer(age_weight(X), age_weight(Z)) * INNER),
    "after": (CUBIC.after(halves), (1 + halves(X) @ halves(Z).T) ** 3),
    "function": (FromFunction(overlap), np.array([[overlap(x, z) for z in Z] for x in X])),
    "vectorized function": (FromFunction(all_products, vectorized=True), INNER),
    "normalized": (
        (LINEAR + CUBIC).normalized(),
        (INNER + (1 + INNER) ** 3)
        / np.sqrt(np.outer(*((A**2).sum(1) + (1 + (A**2).sum(1)) ** 3 for A in (X, Z)))),
    ),
    "gaussian": (Gaussian(1.5), np.exp(-((X[:, None] - Z[None]) ** 2).sum(2) / 4.5)),
}
NESTED = [
    ((LINEAR + 1) ** 2 * Gaussian(2.0)).normalized() + 0.5 * LINEAR.polynomial([0, 1, 1]).exp().normalized(),
    Gaussian(1.0, over=CUBIC.after(halves).weighted(age_weight) + FromFunction(overlap)),
    Gaussian(0.5).after(halves).normalized() * (LINEAR.after(halves) + LINEAR).normalized(),
    (FromFunction(all_products, vectorized=True) * LINEAR.weighted(age_weight)).exp().normalized(),
]
ALL = [k for k, _ in EXPRESSIONS.values()] + NESTED
every_kernel = pytest.mark.parametrize("k", ALL, ids=repr)


# -- each combinator is its formula ------------------------------------------------------------------


@pytest.mark.parametrize(("k", "expected"), EXPRESSIONS.values(), ids=EXPRESSIONS)
def test_a_combinator_is_its_formula(k, expected):
    np.testing.assert_allclose(k(X, Z), expected, rtol=1e-11, atol=1e-13)


@every_kernel
def test_dense_sparse_single_and_double_agree(k):
    names = [name for name in LAYOUTS if "<" not in repr(k) or name.startswith("dense")]
    for name in names:
        block = k(LAYOUTS[name](X), LAYOUTS[name](Z))
        np.testing.assert_allclose(block, k(X, Z), rtol=2e-4 if "32" in name else 1e-10, atol=1e-5)


# -- laws ---------------------------------------------------------------------------------------------


@quick
@given(rows)
def test_sums_and_products_form_a_commutative_semiring(X):
    a, b, c = Linear(), Polynomial(2), Gaussian(1.5)
    for left, right in [
        (a * (b + c), a * b + a * c),
        ((a + b) + c, a + (b + c)),
        ((a * b) * c, a * (b * c)),
        (a + c, c + a),
        (b * c, c * b),
        ((a + c) ** 2, a * a + 2 * a * c + c * c),
        (3 * (a + b), 3 * a + 3 * b),
        (b, (a + 1) ** 2),
        (a**3, a * a * a),
        (a / 4, 0.25 * a),
        (c.exp() * a.polynomial([0, 0]).exp(), c.exp()),
        ((0.1 * a + c).exp(), (0.1 * a).exp() * c.exp()),
        (b.normalized() * c.normalized(), (b * c).normalized()),
        (b.normalized().normalized(), b.normalized()),
        (b.after(halves) + c.after(halves), (b + c).after(halves)),
        (b.weighted(age_weight).weighted(age_weight), b.weighted(lambda X: age_weight(X) ** 2)),
    ]:
        np.testing.assert_allclose(left(X), right(X), rtol=1e-11, atol=1e-12)


@quick
@given(rows, st.sampled_from([0.5, 1.0, 3.0]))
def test_a_gaussian_is_a_normalized_exponential(X, sigma):
    k = (sigma**-2 * Linear()).exp()
    np.testing.assert_allclose(k.normalized()(X), Gaussian(sigma)(X), atol=1e-12)
    if sigma > 0.5:
        directly = k(X) / np.sqrt(np.outer(k.diag(X), k.diag(X)))
        np.testing.assert_allclose(directly, Gaussian(sigma)(X), atol=1e-12)
    np.testing.assert_allclose(Gaussian(sigma, over=Linear())(X), Gaussian(sigma)(X), atol=1e-15)


def test_a_gaussian_has_three_names():
    squares = ((X[:, None] - Z[None]) ** 2).sum(2)
    np.testing.assert_allclose(Gaussian.from_gamma(0.3)(X, Z), np.exp(-0.3 * squares), rtol=1e-12)
    np.testing.assert_allclose(Gaussian.from_width(0.7)(X, Z), np.exp(-squares / 0.7), rtol=1e-12)
    assert Gaussian.from_gamma(0.5, over=CUBIC) == Gaussian(1.0, over=CUBIC)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_narrow_gaussian_tells_all_apart_and_a_wide_one_nothing(dtype):
    A = X.astype(dtype)
    for sigma in (1e-2, 1e-10, 1e-100, 1e-200, 5e-324):
        np.testing.assert_array_equal(Gaussian(sigma)(A), np.eye(len(A)))
    for sigma in (1e6, 1e100, 1e200, 1.7e308):
        np.testing.assert_allclose(Gaussian(sigma)(A), 1, atol=1e-10)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shift", [0.0, 10.0, 1e3, 1e6])
def test_a_gaussian_far_from_the_origin(dtype, shift):
    A = (np.round(X, 2) + shift).astype(dtype)
    wide = A.astype(np.float64)
    expected = np.exp(-((wide[:, None] - wide[None]) ** 2).sum(2) / 2)
    gram = Gaussian(1.0)(A)
    np.testing.assert_allclose(gram, expected, atol=max(2e-5 if dtype == np.float32 else 0, 1e-14 * shift**2))
    np.testing.assert_allclose(gram.diagonal(), 1, atol=2e-5 if dtype == np.float32 else 0)


@pytest.mark.parametrize("sigma", [0.8, 2.0])
def test_a_truncated_expansion_converges_to_the_gaussian(sigma):
    def shrink(X):
        return np.exp(-(X**2).sum(1) / (2 * sigma**2))

    errors = []
    for degree in (1, 3, 6, 12, 24, 48):
        coefficients = [sigma ** (-2 * i) / factorial(i) for i in range(degree + 1)]
        k = Linear().polynomial(coefficients).weighted(shrink)
        errors.append(np.abs(k(X) - Gaussian(sigma)(X)).max())
    assert all(after <= max(before, 1e-14) for before, after in pairwise(errors))
    assert errors[0] > 1e-2
    assert errors[-1] < 1e-9


def test_examples_without_a_direction_are_similar_to_nothing():
    k = Linear().normalized()
    np.testing.assert_array_equal(k([[0.0, 0], [3, 4]]), [[0, 0], [0, 1]])
    np.testing.assert_array_equal(k.diag([[0.0, 0], [3, 4]]), [0, 1])
    np.testing.assert_array_equal((0 * Linear()).normalized()(X), 0)
    np.testing.assert_array_equal(Polynomial(3, c=0).normalized()([[0.0, 0], [3, 4]]), [[0, 0], [0, 1]])


# -- large, small, and neither silently wrong ---------------------------------------------------------


@pytest.mark.parametrize("layout", ["dense32", "csr32"])
def test_large_powers_of_single_precision_are_computed_in_double(layout):
    A = LAYOUTS[layout](np.round(X * 500))
    wide = np.round(X * 500)
    block = Polynomial(20)(A)
    assert block.dtype == np.float64
    np.testing.assert_allclose(block, (1 + wide @ wide.T) ** 20, rtol=1e-9)
    assert Polynomial(20)(LAYOUTS[layout](X / 4)).dtype == np.float32


@pytest.mark.parametrize("layout", ["dense32", "csr32"])
@pytest.mark.parametrize("scale", [1e-25, 1e-18, 1e18, 1e25])
def test_single_precision_rows_of_any_size(layout, scale):
    A = LAYOUTS[layout](X * scale)
    wide = LAYOUTS["dense"](A.toarray() if sp.issparse(A) else A)
    for k in (Linear(), Linear().normalized(), Gaussian(scale), Polynomial(2, c=0).normalized()):
        np.testing.assert_allclose(k(A), k(wide), rtol=1e-5, atol=1e-5 * k.diag(wide).max())


def test_normalized_powers_do_not_overflow():
    A = (X * 500).astype(np.float32)
    cosines = (1 + X @ X.T * 250000) / np.sqrt(np.outer(*[1 + 250000 * (X**2).sum(1)] * 2))
    block = Polynomial(20).normalized()(A)
    assert block.dtype == np.float32
    np.testing.assert_allclose(block, cosines**20, atol=1e-5)
    for k in (Polynomial(2000), Linear().exp(), Linear() ** 900 * Linear().exp(), 1e300 * Linear() ** 99):
        assert np.isfinite(k.normalized()(X * 1e6)).all()
        np.testing.assert_allclose(k.normalized()(X * 1e6).diagonal(), 1, atol=1e-8)


@pytest.mark.parametrize(
    "k",
    [Linear().exp(), Polynomial(99), Linear() ** 99, Gaussian(1.0, over=Linear().exp()), 1e300 * Linear()],
)
def test_overflow_says_what_to_do(k):
    with pytest.raises(ValueError, match=r"overflows: .*normalized\(\)"):
        k(X * 1e5)


@pytest.mark.parametrize("factor", [1e-45, 1e-30, 1e-5, 1e30, 1e40])
def test_factors_and_coefficients_beyond_single_precision(factor):
    A = (np.abs(X) * 1e10).astype(np.float32)
    expected = factor * (A.astype(float) @ A.astype(float).T)
    np.testing.assert_allclose((factor * Linear())(A), expected, rtol=1e-5)
    np.testing.assert_allclose(Linear().polynomial([0, factor])(A), expected, rtol=1e-5)
    np.testing.assert_allclose((Constant(factor) * Linear())(A), expected, rtol=1e-5)
    np.testing.assert_allclose(
        Linear().weighted(lambda X: np.full(len(X), factor**0.5))(A), expected, rtol=1e-5
    )


SCALED = [
    Linear(),
    Polynomial(2),
    Linear().exp(),
    Linear().exp().normalized(),
    Gaussian(1e-3),
    Gaussian(1e120, over=Linear() + 1),
    (Linear() + Polynomial(2, c=0)).normalized(),
    Polynomial(7).normalized() * Linear(),
    Linear().polynomial([1, 1e-90, 1e90]),
    1e-100 * Linear() + 1e100,
    Linear().weighted(age_weight),
    Gaussian(1.0).after(halves) + Linear().normalized().after(halves),
]


@settings(max_examples=80, deadline=None)
@given(rows, st.integers(-150, 150), st.sampled_from(SCALED), st.sampled_from(["dense", "dense32", "csr32"]))
def test_no_scale_gives_numbers_that_are_not_finite(X, power, k, layout):
    layout = "dense" if "<" in repr(k) else layout
    power = power // 5 if "32" in layout else power
    A = LAYOUTS[layout](X * 10.0**power)
    try:
        block, diagonal = k(A), k.diag(A)
    except ValueError as error:
        if "overflows" not in str(error):
            raise
        return
    assert np.isfinite(block).all()
    largest = max(diagonal.max(), 1e-300)
    np.testing.assert_allclose(block.diagonal().astype(float) / largest, diagonal / largest, atol=1e-4)


@quick
@given(rows, st.integers(-140, 140))
def test_cosines_and_gaussians_do_not_depend_on_the_unit(X, power):
    unit = 2.0**power  # exact
    for k, other in [
        (Linear().normalized(), Linear().normalized()),
        (Gaussian(1.5), Gaussian(1.5 * unit)),
        (Polynomial(3, c=0).normalized(), Polynomial(3, c=0).normalized()),
    ]:
        np.testing.assert_allclose(other(X * unit), k(X), atol=1e-12)


# -- operators ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("two", [2, 2.0, np.float64(2), np.float32(2), np.int64(2)])
def test_numbers_of_all_kinds_on_both_sides(two):
    k = Linear()
    assert two * k == k * two == Scaled(2, k)
    assert two + k == Sum(Constant(2), k)
    assert k + two == Sum(k, Constant(2))
    assert k**two == Power(k, 2)
    assert k / two == Scaled(0.5, k)
    assert hash(two * k) == hash(2 * k)
    text = repr(two * k + two)
    assert text in ("2 * Linear() + 2", "2.0 * Linear() + 2.0")


def test_operators_build_the_expression():
    k, g = Linear(), Gaussian(2.0)
    assert k * g == Product(k, g)
    assert sum([k, g, k]) == (k + g) + k
    assert k.exp() == Exponential(k)
    assert k.normalized() == Normalized(k)
    assert k.polynomial([1, 2]) == Series(k, (1, 2)) == Series(k, [1, 2])
    assert k.weighted(age_weight) == Weighted(k, age_weight)
    assert k.after(halves) == After(k, halves)
    assert k.after(halves) != k.after(halves, domain="vectors")
    assert k.weighted(age_weight) != k.weighted(halves)
    assert FromFunction(overlap) == FromFunction(overlap)
    assert len({k + g, k + g, g + k}) == 2


ARRAY = np.ones(3)


@pytest.mark.parametrize(
    "expression",
    [
        lambda k: k - k,
        lambda k: 1 - k,
        lambda k: k - 1,
        operator.neg,
        lambda k: k / k,
        lambda k: 1 / k,
        lambda k: "a" + k,
        lambda k: k + "a",
        lambda k: "a" * k,
        lambda k: True * k,
        lambda k: k + True,
        lambda k: k + None,
        lambda k: ARRAY * k,
        lambda k: k + ARRAY,
        lambda k: 1j * k,
        lambda k: k**k,
        lambda k: 2**k,
        lambda k: k**0.5,
        lambda k: k**nan,
        lambda k: Gaussian("1"),
        lambda k: Gaussian(True),
        lambda k: Gaussian(None),
        lambda k: Gaussian(1.0, over="k"),
        lambda k: Gaussian.from_gamma("a"),
        lambda k: k.weighted(3),
        lambda k: k.after(None),
        lambda k: k.after(halves, domain=3),
        lambda k: FromFunction(3),
        lambda k: k.polynomial([1, "a"]),
        lambda k: Scaled("a", k),
    ],
)
def test_what_is_no_number_or_no_kernel_is_a_type_error(expression):
    with pytest.raises(TypeError):
        expression(Linear())


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (lambda k: -1 * k, "cone of kernels"),
        (lambda k: k * -0.5, "cone of kernels"),
        (lambda k: np.float64(-1) * k, "cone of kernels"),
        (lambda k: k * nan, "cone of kernels"),
        (lambda k: k * inf, "cone of kernels"),
        (lambda k: k + (-1), "c=-1 must be finite and at least 0"),
        (lambda k: -1 + k, "c=-1"),
        (lambda k: k**0, "exponent=0 must be at least 1"),
        (lambda k: k**-1, "exponent=-1"),
        (lambda k: k.polynomial([1, 0, -2]), r"coefficients\[2\]=-2"),
        (lambda k: k.polynomial([1, nan]), r"coefficients\[1\]=nan"),
        (lambda k: k.polynomial([]), "empty"),
        (lambda k: Gaussian(0), "sigma=0 must be finite and greater than 0"),
        (lambda k: Gaussian(-1.0), "sigma=-1.0"),
        (lambda k: Gaussian(nan), "sigma=nan"),
        (lambda k: Gaussian(inf), "sigma=inf"),
        (lambda k: Gaussian.from_gamma(0), "gamma=0"),
        (lambda k: Gaussian.from_width(-2.0), "c=-2.0"),
    ],
)
def test_what_would_leave_the_cone_is_a_value_error(expression, message):
    with pytest.raises(ValueError, match=message):
        expression(Linear())


# -- text and parameters ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "(Linear() + 1) ** 2",
        "Linear() * Linear() * Linear()",
        "Linear() * (Linear() * Linear())",
        "Linear() * (Linear() + 1)",
        "Linear() * (0.5 * Linear())",
        "0.5 * Linear() * Linear()",
        "0.5 * (Linear() * Linear())",
        "2 * (3 * Linear())",
        "2 * Linear() ** 2",
        "(2 * Linear()) ** 2",
        "(Linear() ** 2) ** 3",
        "Constant(2) * Linear()",
        "Linear() * Constant(2)",
        "Constant(2) ** 2",
        "(0.25 * Linear()).exp()",
        "(Linear() ** 2).normalized()",
        "(Linear() + 1).exp().normalized()",
        "Linear().polynomial([1, 0, 2.0])",
        "Gaussian(2.0, over=Polynomial(2))",
        "Gaussian(2.0, over=Linear() + 1) + 1",
    ],
)
def test_the_text_is_the_expression(text):
    names = {"Linear": Linear, "Constant": Constant, "Gaussian": Gaussian, "Polynomial": Polynomial}
    assert repr(eval(text, names)) == text


def test_functions_are_shown_by_their_names():
    assert repr(Linear().weighted(age_weight)) == "Linear().weighted(<age_weight>)"
    assert repr((Linear() + 1).after(halves)) == "(Linear() + 1).after(<halves>)"
    assert repr(Linear().after(halves, domain="vectors")) == "Linear().after(<halves>, domain='vectors')"
    assert repr(FromFunction(overlap)) == "FromFunction(<overlap>)"
    assert (
        repr(FromFunction(all_products, vectorized=True)) == "FromFunction(<all_products>, vectorized=True)"
    )


def test_domains_must_agree():
    words = FromFunction(overlap, domain="strings")
    for combine in (operator.mul, operator.add):
        with pytest.raises(ValueError, match="one domain"):
            combine(Linear(), words)
    k = Linear().after(len, domain="strings") * words + 1
    assert k.domain == "strings"
    for other in (
        k.exp(),
        k.normalized(),
        2 * k,
        k**2,
        k.polynomial([1]),
        k.weighted(len),
        Gaussian(1, over=k),
    ):
        assert other.domain == "strings"


@every_kernel
def test_parameters_make_the_round_trip(k):
    shallow = k.get_params(deep=False)
    assert type(k)(**shallow) == k
    for name, value in k.get_params().items():
        assert k.replace(**{name: value}) == k
    assert k.replace() == k
    assert hash(k.replace()) == hash(k)
    assert clone(k) is k


def test_parameters_inside_can_be_replaced():
    k = (0.5 * Gaussian(1.0, over=Polynomial(2))).normalized()
    assert k.get_params()["base__base__over__degree"] == 2
    changed = k.replace(base__base__over__degree=3, base__factor=2.0)
    assert changed == (2.0 * Gaussian(1.0, over=Polynomial(3))).normalized()
    assert k.replace(base=Linear()) == Linear().normalized()
    with pytest.raises(ValueError, match="sigma"):
        k.replace(base__base__sigma=-1.0)
    with pytest.raises(ValueError, match="no parameter 'nothing'"):
        k.replace(base__nothing=1)


# -- functions ----------------------------------------------------------------------------------------


def test_kernels_after_the_same_function_share_their_examples():
    k = Linear().after(halves) + Polynomial(2).after(halves) * Linear()
    assert len(k.pack(X).parts) == 2
    expected = halves(X) @ halves(X).T + (1 + halves(X) @ halves(X).T) ** 2 * (X @ X.T)
    np.testing.assert_allclose(k(X), expected, rtol=1e-12)


def test_what_happens_after_a_function_keeps_precision_and_foresees_overflow():
    assert Linear().after(halves)(X.astype(np.float32)).dtype == np.float32
    assert Polynomial(20).after(halves)((X * 1e3).astype(np.float32)).dtype == np.float64
    assert (Linear() + Linear().after(lambda X: X.astype(float)))(X.astype(np.float32)).shape == (9, 9)
    with pytest.raises(ValueError, match="overflows"):
        Linear().exp().after(halves)(X * 1e5)
    np.testing.assert_allclose(Linear().exp().after(halves).normalized()(X * 1e5), np.eye(len(X)), atol=1e-12)


@pytest.mark.parametrize(
    ("phi", "error", "message"),
    [
        (lambda X: X[1:], ValueError, "made 8 examples of 9"),
        (lambda X: 3.0, TypeError, "returned float"),
        (lambda X: np.array(3.0), TypeError, "returned ndarray"),
        (lambda X: (x for x in X), TypeError, "returned generator"),
    ],
)
def test_a_function_that_loses_examples_is_explained(phi, error, message):
    with pytest.raises(error, match=message):
        Linear().after(phi)(X)


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (lambda X: 3.0, r"shape \(\) for 9 examples: it is called once with all examples"),
        (lambda X: X, r"shape \(9, 4\)"),
        (lambda X: X[1:, 0], r"shape \(8,\)"),
        (lambda X: np.where(np.arange(9) == 4, nan, 1.0), "returned nan for example 4"),
        (lambda X: np.full(9, inf), "returned inf for example 0"),
        (lambda X: np.full(9, "a"), "not real numbers"),
        (lambda X: np.full(9, 1j), "not real numbers"),
    ],
)
def test_weights_that_are_none_are_explained(f, message):
    with pytest.raises(ValueError, match=message):
        Linear().weighted(f)(X)


def test_weights_of_any_sign():
    k = Linear().weighted(lambda X: np.array([-2, 0, 1]))
    np.testing.assert_array_equal(k([[1.0], [1], [1]]), [[4, 0, -2], [0, 0, 0], [-2, 0, 1]])


def same(x, z):
    return x == z


@pytest.mark.parametrize(
    "items",
    [
        ["a", "b", "a"],
        ("a", "b", "a"),
        np.array(["a", "b", "a"]),
        pd.Series(["a", "b", "a"], index=[5, 6, 7]),
    ],
    ids=["list", "tuple", "array", "series"],
)
def test_functions_of_any_items(items):
    k = FromFunction(same)
    expected = [[1, 0, 1], [0, 1, 0], [1, 0, 1]]
    np.testing.assert_array_equal(k(items), expected)
    pack = k.pack(items)
    joined = Pack.join([pack[:1], pack[np.array([1, 2])]])
    np.testing.assert_array_equal(k.gram(joined, pack), expected)


def test_functions_get_rows_as_they_were_given():
    frame = pd.DataFrame({"age": [1.0, 2.0], "name": ["x", "y"]}, index=[7, 9])
    by_name = FromFunction(lambda x, z: x["age"] * z["age"] + (x["name"] == z["name"]))
    np.testing.assert_array_equal(by_name(frame), [[2, 2], [2, 5]])
    pack = by_name.pack(frame)
    np.testing.assert_array_equal(by_name.gram(Pack.join([pack[1:], pack[:1]]), pack), [[2, 5], [2, 2]])
    k = FromFunction(overlap)
    pack = k.pack(sp.csr_matrix(X))
    np.testing.assert_array_equal(k.gram(Pack.join([pack[:3], pack[3:]]), pack), k(X))
    whole = FromFunction(all_products, vectorized=True)
    pack = whole.pack(sp.csr_matrix(X))
    np.testing.assert_allclose(whole.gram(Pack.join([pack[:3], pack[3:]]), pack), X @ X.T)


def test_functions_and_other_kernels_mix():
    k = FromFunction(overlap) * Linear() + FromFunction(all_products, vectorized=True).normalized()
    cosines = (X @ X.T) / np.sqrt(np.outer((X**2).sum(1), (X**2).sum(1)))
    np.testing.assert_allclose(k(X), FromFunction(overlap)(X) * (X @ X.T) + cosines, rtol=1e-10)
    assert k(X.astype(np.float32)).dtype == np.float32
    deep = FromFunction(overlap).weighted(age_weight).after(halves).weighted(age_weight)
    weights = age_weight(X) * age_weight(halves(X))
    np.testing.assert_allclose(
        deep(X), np.outer(weights, weights) * FromFunction(overlap)(halves(X)), rtol=1e-10
    )


@pytest.mark.parametrize(
    ("f", "vectorized", "message"),
    [
        (
            lambda x, z: x[0] - 2 * z[0] + 9,
            False,
            r"not symmetric.* for examples 0 and 1, but .* for 1 and 0",
        ),
        (lambda x, z: -1.0, False, r"k\(x, x\) = -1.0 for example 0"),
        (lambda x, z: nan, False, "returned nan"),
        (lambda x, z: 1j, False, "not a real number"),
        (lambda x, z: x, False, "vectorized=True"),
        (lambda x, z: "a", False, "not a real number"),
        (lambda x, z: None, False, "not a real number"),
        (lambda X, Z: 1.0, True, r"shape \(\).* for 9 and 9 examples"),
        (lambda X, Z: X, True, r"shape \(9, 4\)"),
        (lambda X, Z: X @ Z.T + inf, True, "returned inf"),
        (lambda X, Z: (X @ Z.T).astype(complex), True, "complex"),
    ],
)
def test_functions_that_are_no_kernels_are_explained(f, vectorized, message):
    with pytest.raises(ValueError, match=message):
        FromFunction(f, vectorized=vectorized)(X)


def test_infinity_between_two_examples_is_found():
    k = FromFunction(lambda x, z: 1.0 if x == z else inf)
    with pytest.raises(
        ValueError, match=r"<lambda> returned inf for example 0 on the left and example 21 on"
    ):
        k("a" * 21 + "b" + "a" * 20)
    k = FromFunction(lambda x, z: inf if x == "b" else 1.0)
    with pytest.raises(ValueError, match=r"returned inf for example 21 on the left and example 21 on"):
        k("a" * 21 + "b" + "a" * 20)


def test_exponentials_agree_with_the_scalar_formula():
    assert Linear().exp()([[1.0, 2.0]], [[0.5, 0.25]])[0, 0] == pytest.approx(exp(1.0), rel=1e-15)


@pytest.mark.parametrize("size", [1e7, 1e9, 1e12, 1e15])
@pytest.mark.parametrize("kernel", [Gaussian(2.0), RationalQuadratic(2.0)], ids=str)
def test_a_row_that_is_far_away_changes_no_value_of_others(kernel, size):
    far = X.copy()
    far[3, 0] = size
    others = np.arange(len(X)) != 3
    np.testing.assert_allclose(kernel(far, X)[others], kernel(X, X)[others], atol=1e-12)
    np.testing.assert_allclose(
        kernel(far)[np.ix_(others, others)], kernel(X)[np.ix_(others, others)], atol=1e-12
    )
