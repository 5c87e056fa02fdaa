"""Kernels over sets of columns and quadratic forms: against their definitions, and at their limits."""

import warnings
from math import log, sqrt

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from kerneltron.kernels import (
    AllSubsets,
    Conjunctions,
    Gaussian,
    Linear,
    MonotoneConjunctions,
    QuadraticForm,
)
from kerneltron.kernels.vectors import Vectors
from tests.oracle import kernels as oracle
from tests.strategies import LAYOUTS

layouts = st.sampled_from(sorted(LAYOUTS)).map(LAYOUTS.get)


@st.composite
def two_sides(draw, low=-3, high=3):
    d = draw(st.integers(1, 6))
    return [
        draw(hnp.arrays(np.float64, (draw(st.integers(1, 5)), d), elements=st.integers(low, high).map(float)))
        for _ in range(2)
    ]


def gram(function, X, Z):
    return np.array([[function(x, z) for z in Z.tolist()] for x in X.tolist()], float)


@settings(deadline=None)
@given(two_sides(), layouts, layouts)
def test_all_subsets_is_its_product(sides, left, right):
    X, Z = sides
    np.testing.assert_array_equal(AllSubsets()(left(X), right(Z)), gram(oracle.all_subsets, X, Z))
    np.testing.assert_array_equal(AllSubsets().diag(left(X)), [oracle.all_subsets(x, x) for x in X])


@settings(deadline=None)
@given(two_sides(), st.integers(1, 8), st.booleans(), layouts, layouts)
def test_anova_is_the_sum_over_combinations(sides, size, exact, left, right):
    (X, Z), k = sides, AllSubsets(size, exact)
    sizes = [size] if exact else range(size + 1)
    expected = gram(lambda x, z: oracle.anova(x, z, sizes), X, Z)
    np.testing.assert_array_equal(k(left(X), right(Z)), expected)
    np.testing.assert_array_equal(k.diag(left(X)), [oracle.anova(x, x, sizes) for x in X.tolist()])


@settings(deadline=None)
@given(two_sides(0, 1), st.none() | st.integers(1, 7), layouts, layouts)
def test_conjunctions_are_counted(sides, size, left, right):
    X, Z = sides
    expected = gram(lambda x, z: oracle.count_common(x, z, size=size), X, Z)
    np.testing.assert_array_equal(Conjunctions(size)(left(X), right(Z)), expected)
    np.testing.assert_array_equal(Conjunctions(size).diag(left(X)), np.diag(Conjunctions(size)(X)))
    expected = gram(lambda x, z: oracle.count_common(x, z, (True,), size), X, Z)
    np.testing.assert_array_equal(MonotoneConjunctions(size)(left(X), right(Z)), expected)
    np.testing.assert_array_equal(
        MonotoneConjunctions(size).diag(left(X)), np.diag(MonotoneConjunctions(size)(X))
    )


@settings(deadline=None)
@given(two_sides(0, 1), st.none() | st.integers(1, 7))
def test_monotone_conjunctions_are_all_subsets_of_truth_values(sides, size):
    X, Z = sides
    np.testing.assert_array_equal(MonotoneConjunctions(size)(X, Z), AllSubsets(size)(X, Z))


@settings(deadline=None)
@given(two_sides(), layouts, layouts)
def test_sparse_products_are_dense_products(sides, left, right):
    X, Z = sides
    for kind in (np.float32, np.float64):
        products = Vectors(left(X)).products(Vectors(right(Z)), kind)
        assert products.dtype == kind
        np.testing.assert_array_equal(products, X @ Z.T)


def test_sparse_products_take_entries_in_any_order_and_more_than_once():
    X = sp.csr_matrix(
        (np.array([1.0, 2.0, 3.0, 4.0]), np.array([2, 0, 2, 1]), np.array([0, 3, 3, 4])), (3, 3)
    )
    Z = np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 1.0]])
    expected = [[14.0, 4.0], [0.0, 0.0], [8.0, 0.0]]
    np.testing.assert_array_equal(Linear()(X, sp.csr_matrix(Z)), expected)
    np.testing.assert_array_equal(Linear()(sp.csr_matrix(Z), X), np.transpose(expected))
    np.testing.assert_array_equal(AllSubsets()(X, Z), gram(oracle.all_subsets, X.toarray(), Z))
    assert X.nnz == 4, "the caller's matrix stays as it was"


def test_read_only_arrays_are_taken():
    X = sp.csr_matrix(np.random.default_rng(0).integers(0, 2, (5, 4)).astype(float))
    expected = AllSubsets(2)(X)
    for array in (X.data, X.indices, X.indptr):
        array.flags.writeable = False
    np.testing.assert_array_equal(AllSubsets(2)(X), expected)
    dense = X.toarray()
    dense.flags.writeable = False
    np.testing.assert_array_equal(AllSubsets(2)(dense), expected)
    np.testing.assert_array_equal(Conjunctions()(dense), Conjunctions()(X))


@pytest.mark.parametrize("k", [AllSubsets(), AllSubsets(2), Linear(), QuadraticForm(np.eye(3))])
@pytest.mark.parametrize("sparse", [False, True])
def test_rows_of_other_widths_do_not_fit(k, sparse):
    layout = LAYOUTS["csr" if sparse else "dense"]
    with pytest.raises(ValueError, match="columns"):
        k(layout(np.ones((2, 3))), layout(np.ones((2, 4))))


@pytest.mark.parametrize("k", [AllSubsets(), AllSubsets(2), Conjunctions(), QuadraticForm(np.eye(3))])
@pytest.mark.parametrize("layout", [np.asarray, sp.csr_matrix, sp.csr_array])
def test_no_rows_and_sparse_arrays(k, layout):
    X = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]])
    np.testing.assert_allclose(k(layout(X), layout(X)), k(X))
    assert k(layout(np.zeros((0, 3))), layout(X)).shape == (0, 2)
    assert k(layout(X), layout(np.zeros((0, 3)))).shape == (2, 0)
    assert k.feature_map(3)(layout(np.zeros((0, 3)))).shape == (0, k.feature_map(3).width)


@pytest.mark.parametrize("kind", [bool, np.int8, np.int64, np.float32, np.float64])
def test_truth_values_may_have_any_type(kind):
    X = np.array([[0, 1, 1], [1, 1, 0]])
    block = Conjunctions()(X.astype(kind))
    np.testing.assert_array_equal(block, [[8, 2], [2, 8]])
    assert block.dtype == (np.float32 if kind == np.float32 else np.float64)
    np.testing.assert_array_equal(Conjunctions()(sp.csr_matrix(X.astype(kind))), block)


@pytest.mark.parametrize("k", [Conjunctions(), MonotoneConjunctions(2), Conjunctions().normalized()])
@pytest.mark.parametrize("layout", [LAYOUTS["dense"], LAYOUTS["csr"]])
def test_other_numbers_are_no_truth_values(k, layout):
    with pytest.raises(ValueError, match=r"holds 2 in row 1, column 2.*X > 0"):
        k(layout([[0, 1, 1], [1, 0, 2]]))
    with pytest.raises(ValueError, match=r"holds -1 in row 0, column 1"):
        k(layout([[0, -1, 1], [1, 0, 2]]))


def test_repeated_entries_are_summed_before_the_check():
    X = sp.csr_matrix((np.array([0.5, 0.5]), np.array([1, 1]), np.array([0, 2])), (1, 2))
    assert MonotoneConjunctions()(X) == [[2.0]]


def test_half_filled_sets_and_wrong_sizes_are_refused():
    with pytest.raises(ValueError, match="give a size"):
        AllSubsets(exact=True)
    for kernel in (AllSubsets, Conjunctions, MonotoneConjunctions):
        with pytest.raises(ValueError, match="size=0 must be at least 1"):
            kernel(0)
        with pytest.raises(TypeError, match=r"size=1\.5 is not a whole number"):
            kernel(1.5)


def test_overflow_is_foreseen():
    signs = np.ones((1, 40)) * 1e8
    signs[0, ::2] *= -1
    for k in (AllSubsets(), AllSubsets(39)):
        with pytest.raises(ValueError, match="overflows"):
            k(signs)
    assert AllSubsets(2)(signs).dtype == np.float64
    with pytest.raises(ValueError, match="overflows"):
        Conjunctions()(np.zeros((1, 1100)))
    assert np.isfinite(Conjunctions(3)(np.zeros((1, 1100)))).all()
    assert MonotoneConjunctions()(np.zeros((1, 1100))) == 1.0


def test_single_precision_gives_way_to_double_where_it_would_overflow():
    X = np.full((2, 40), 10, np.float32)
    np.testing.assert_allclose(AllSubsets()(X), np.full((2, 2), 101.0**40))
    narrow = np.eye(3, 200, dtype=np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert MonotoneConjunctions()(narrow).dtype == np.float32
        assert Conjunctions()(narrow).dtype == np.float64


@settings(deadline=None)
@given(two_sides(0, 1), layouts)
def test_normalized_conjunctions_are_gaussians(sides, layout):
    X, Z = sides
    for k, sigma in ((Conjunctions(), 1 / sqrt(2 * log(2))), (MonotoneConjunctions(), 1 / sqrt(log(2)))):
        block = k.normalized()(layout(X), layout(Z))
        np.testing.assert_allclose(block, Gaussian(sigma)(X, Z), rtol=1e-5)
        plain = k(X, Z) / np.sqrt(np.outer(k.diag(X), k.diag(Z)))
        np.testing.assert_allclose(block, plain, rtol=1e-6)
        np.testing.assert_array_equal(k.normalized().diag(layout(X)), 1.0)
    np.testing.assert_allclose(np.diag(Conjunctions(2).normalized()(X)), 1.0)


def test_normalized_conjunctions_do_not_overflow():
    X = np.zeros((2, 3000))
    X[1, :3] = 1
    np.testing.assert_array_equal(Conjunctions().normalized()(X), [[1, 1 / 8], [1 / 8, 1]])
    np.testing.assert_array_equal(MonotoneConjunctions().normalized()(1 - X), [[1, 2**-1.5], [2**-1.5, 1]])


# -- quadratic forms ----------------------------------------------------------------------------------


@settings(deadline=None)
@given(two_sides(), st.integers(0, 2**32 - 1), layouts, layouts)
def test_quadratic_form_is_its_product(sides, seed, left, right):
    X, Z = sides
    root = np.random.default_rng(seed).integers(-2, 3, (X.shape[1], 2)).astype(float)
    k = QuadraticForm(root @ root.T)
    np.testing.assert_allclose(k(left(X), right(Z)), X @ root @ root.T @ Z.T, atol=1e-4)
    np.testing.assert_allclose(k.diag(left(X)), ((X @ root) ** 2).sum(axis=1), atol=1e-4)


def test_quadratic_forms_are_equal_by_content():
    A = np.array([[2.0, 1.0], [1.0, 2.0]])
    k = QuadraticForm(A)
    assert k == QuadraticForm(A.tolist())
    assert hash(k) == hash(QuadraticForm(A.copy()))
    assert k != QuadraticForm(2 * A)
    assert QuadraticForm([[0.0]]) == QuadraticForm([[-0.0]])
    assert hash(QuadraticForm([[0.0]])) == hash(QuadraticForm([[-0.0]]))
    A[0, 0] = 9
    assert k.get_params()["A"][0, 0] == 2
    assert not k.A.flags.writeable
    ((name, array),) = k.arrays().items()
    assert repr(k) == f"QuadraticForm(@{name})"
    assert len(name) == 9
    np.testing.assert_array_equal(array, k.A)
    assert k.replace(A=np.eye(2)) == QuadraticForm(np.eye(2))


def test_two_quadratic_forms_share_a_pack():
    X = np.random.default_rng(1).normal(size=(4, 3))
    k = QuadraticForm(np.eye(3)) + QuadraticForm(2 * np.eye(3)) + Linear()
    np.testing.assert_allclose(k(X), 4 * X @ X.T)
    assert set(k.arrays()) == {*QuadraticForm(np.eye(3)).arrays(), *QuadraticForm(2 * np.eye(3)).arrays()}


@pytest.mark.parametrize(
    ("A", "message"),
    [
        (np.ones((2, 3)), r"shape \(2, 3\).*square"),
        (np.ones(3), r"shape \(3,\)"),
        ([[1.0, np.nan], [np.nan, 1.0]], r"A\[0, 1\] is nan"),
        ([[1.0, 2.0], [3.0, 9.0]], r"A\[0, 1\] is 2, but A\[1, 0\] is 3"),
        ([[1.0, 2.0], [2.0, 1.0]], r"eigenvalue -1\b"),
    ],
)
def test_what_is_no_quadratic_form_is_refused(A, message):
    with pytest.raises(ValueError, match=message):
        QuadraticForm(A)


def test_rounding_does_not_make_a_form_indefinite():
    root = np.random.default_rng(2).normal(size=(30, 3))
    k = QuadraticForm(root @ root.T)
    assert k.feature_map(30).width == 3
    assert np.all(QuadraticForm(np.zeros((2, 2)))(np.ones((3, 2))) == 0)
