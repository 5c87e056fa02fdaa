"""Feature maps: their inner products are the kernel's, and every feature can be had by its name."""

from itertools import islice
from math import comb

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from kerneltron.kernels import (
    AllSubsets,
    Conjunctions,
    Constant,
    Gaussian,
    Linear,
    MonotoneConjunctions,
    Polynomial,
    QuadraticForm,
)
from tests.oracle import kernels as oracle
from tests.strategies import LAYOUTS

A = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.0]])

VECTORS = [
    Linear(),
    Constant(2.0),
    Polynomial(1),
    Polynomial(3),
    Polynomial(2, c=0.0),
    Polynomial(4, c=0.5),
    AllSubsets(),
    AllSubsets(2),
    AllSubsets(2, exact=True),
    AllSubsets(4, exact=True),
    AllSubsets(9),
    QuadraticForm(A),
    Linear() + 2.0,
    3.0 * Polynomial(2),
    Polynomial(2) * Linear(),
    Linear() ** 3,
    (Linear() + 1) ** 2,
    Linear().normalized(),
    Polynomial(2).normalized(),
    AllSubsets(2).normalized(),
    Linear().polynomial([1.0, 0.0, 2.0]),
    Linear().polynomial([0.5, 2.0]).normalized() * AllSubsets() + QuadraticForm(A),
    (2.0 * (Linear().normalized() + 1)) ** 2 * (Constant(2.0) + 1.0),
]

BOOLEANS = [
    Conjunctions(),
    Conjunctions(2),
    MonotoneConjunctions(),
    MonotoneConjunctions(2),
    Conjunctions().normalized(),
    MonotoneConjunctions().normalized() + 0.5 * Conjunctions(1),
]

layouts = st.sampled_from(sorted(LAYOUTS)).map(LAYOUTS.get)
vectors = hnp.arrays(np.float64, (4, 3), elements=st.integers(-3, 3).map(float))
truths = hnp.arrays(np.float64, (4, 3), elements=st.integers(0, 1).map(float))


@settings(deadline=None, max_examples=20)
@pytest.mark.parametrize("k", VECTORS, ids=repr)
@given(X=vectors, layout=layouts)
def test_map_of_vectors_is_the_kernel(k, X, layout):
    check_map(k, layout(X))


@settings(deadline=None, max_examples=20)
@pytest.mark.parametrize("k", BOOLEANS, ids=repr)
@given(X=truths, layout=layouts)
def test_map_of_truth_values_is_the_kernel(k, X, layout):
    check_map(k, layout(X))


def check_map(k, X):
    phi = k.feature_map(X.shape[1])
    mapped = phi(X)
    assert mapped.dtype == X.dtype
    assert mapped.shape == (X.shape[0], phi.width)
    expected, tolerance = k(X), 1e-4 if X.dtype == np.float32 else 1e-10
    size = max(1.0, abs(expected).max())
    np.testing.assert_allclose(mapped @ mapped.T, expected, rtol=0, atol=tolerance * size)
    np.testing.assert_allclose(phi._squares(X), k.diag(X), rtol=tolerance)
    features = list(phi.features())
    assert len(features) == len(set(features)) == phi.width
    for place, feature in enumerate(features):
        column = phi.column(X, feature)
        assert column.dtype == X.dtype
        np.testing.assert_allclose(column, mapped[:, place], rtol=0, atol=tolerance * size)


@pytest.mark.parametrize("degree", [1, 2, 3, 5])
@pytest.mark.parametrize("c", [0.0, 1.0, 2.5])
def test_monomials_are_weighted_as_listed(degree, c):
    x = [2.0, -1.0, 0.5, 3.0]
    phi, expected = Polynomial(degree, c).feature_map(4), oracle.monomials(x, degree, c)
    assert list(phi.features()) == list(expected)
    np.testing.assert_allclose(phi([x])[0], list(expected.values()), rtol=1e-12)


def test_widths_are_exact_without_a_list():
    assert Polynomial(6).feature_map(100).width == comb(106, 6) == 1_705_904_746
    assert Polynomial(6, c=0.0).feature_map(100).width == comb(105, 6)
    assert AllSubsets().feature_map(2000).width == 2**2000
    assert AllSubsets(3).feature_map(2000).width == sum(comb(2000, size) for size in range(4))
    assert AllSubsets(3, exact=True).feature_map(2000).width == comb(2000, 3)
    assert Conjunctions().feature_map(1000).width == 3**1000
    assert Conjunctions(2).feature_map(50).width == 1 + 50 * 2 + comb(50, 2) * 4
    assert MonotoneConjunctions().feature_map(70).width == 2**70
    assert (Linear() ** 3 + Polynomial(2)).feature_map(10).width == 1000 + comb(12, 2)
    assert QuadraticForm(A).feature_map(3).width == 2


def test_features_come_one_by_one():
    first = list(islice(Conjunctions().feature_map(500).features(), 3))
    assert first == [(), ((0, True),), ((0, False),)]
    assert list(islice((Polynomial(6) * Polynomial(6)).feature_map(100).features(), 2)) == [
        ((), ()),
        ((), (0,)),
    ]


def test_single_features_of_wide_maps():
    X = sp.random_array((5, 2000), density=0.5, rng=np.random.default_rng(0), format="csr")
    X = sp.csr_matrix(X)
    dense = X.toarray()
    column = AllSubsets().feature_map(2000).column(X, (3, 70, 1999))
    np.testing.assert_allclose(column, dense[:, 3] * dense[:, 70] * dense[:, 1999])
    column = Polynomial(9, c=0.0).feature_map(2000).column(X, (3,) * 9)
    np.testing.assert_allclose(column, dense[:, 3] ** 9)
    column = (AllSubsets() * Linear()).feature_map(2000).column(X, ((), (7,)))
    np.testing.assert_allclose(column, dense[:, 7])


def test_maps_too_wide_say_how_wide():
    with pytest.raises(ValueError, match="2 rows of 1,705,904,746 features"):
        Polynomial(6).feature_map(100)(np.zeros((2, 100)))


def test_worked_example_of_conjunctions():
    positive, negative = [(i, True) for i in range(2)], [(i, False) for i in range(2)]
    named = [
        (),
        (positive[0],),
        (positive[1],),
        (negative[0],),
        (negative[1],),
        (negative[0], positive[1]),
        (positive[0], negative[1]),
        (positive[0], positive[1]),
        (negative[0], negative[1]),
    ]
    phi = Conjunctions().feature_map(2)
    assert phi.width == len(named)
    values = [phi.column([[0, 1]], feature)[0] for feature in named]
    assert values == [1, 0, 1, 1, 0, 1, 0, 0, 0]


def test_truth_values_are_checked_in_the_columns_used():
    for k, feature in ((Conjunctions(), ((0, True),)), (MonotoneConjunctions(), (0,))):
        phi = k.feature_map(2)
        with pytest.raises(ValueError, match="holds 3 in row 1, column 0"):
            phi([[0, 1], [3, 1]])
        with pytest.raises(ValueError, match="holds 3 in row 1"):
            phi.column([[0, 1], [3, 1]], feature)


def test_without_a_finite_map():
    assert Gaussian(1.0).feature_map(3) is None
    assert Linear().exp().feature_map(3) is None
    for k in (Gaussian(1.0) + 1, 2 * Gaussian(1.0), Gaussian(1.0) * Linear(), Gaussian(1.0).normalized()):
        assert k.feature_map(3) is None


def test_other_widths_are_refused():
    with pytest.raises(ValueError, match="X has 2 columns, but this feature map is for 3"):
        (Linear() + 1).feature_map(3)(np.zeros((1, 2)))
    with pytest.raises(ValueError, match="columns"):
        QuadraticForm(A).feature_map(4)
    assert Constant(4.0).feature_map(3)(np.zeros((2, 7))).tolist() == [[2.0], [2.0]]


@pytest.mark.parametrize(
    ("k", "feature"),
    [
        (Polynomial(2), (0, 1, 2)),
        (Polynomial(2), (1, 0)),
        (Polynomial(2), (3,)),
        (Polynomial(2), (-1,)),
        (Polynomial(2), [0]),
        (Polynomial(2), (True,)),
        (Polynomial(2), ("0",)),
        (Polynomial(2, c=0.0), (0,)),
        (Linear(), 1),
        (AllSubsets(), (1, 1)),
        (AllSubsets(2), (0, 1, 2)),
        (AllSubsets(2, exact=True), (0,)),
        (Conjunctions(), (0,)),
        (Conjunctions(), ((0, True), (0, False))),
        (Conjunctions(1), ((0, True), (1, False))),
        (Conjunctions(), ((0, 2),)),
        (Linear() + 1, (2, ())),
        (Linear() + 1, (1, (0,))),
        (Linear() + 1, (0,)),
        (Linear() * Linear(), ((0,),)),
        (Linear() * Linear(), ((0,), (5,))),
        (QuadraticForm(A), (2,)),
    ],
    ids=repr,
)
def test_unknown_features_are_refused(k, feature):
    with pytest.raises(ValueError, match="is not a feature of"):
        k.feature_map(3).column(np.zeros((1, 3)), feature)
