"""Widths that are found by labels: laws, determinism, structures, and what is refused."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron.kernels import (
    Gaussian,
    Linear,
    On,
    Polynomial,
    RationalQuadratic,
    ScaledColumns,
    Spectrum,
    parse,
    propose_sigma,
)
from kerneltron.kernels.auto import has_open_width
from kerneltron.kernels.scaled_columns import standardizing
from kerneltron.kernels.search.finding import find_kernel
from tests.oracle.running_scales import scale

generator = np.random.default_rng(0)
ROWS = generator.normal(size=(300, 4))
CHECKS = (np.floor(2 * ROWS[:, 0]) % 2).astype(int)  # labels that change over short distances
SIDES = (ROWS[:, 0] > 0).astype(int)


def found_for(kernel, X=ROWS, codes=CHECKS, **more):
    return find_kernel(parse(kernel), X, codes, **more)


def test_labels_that_change_quickly_want_narrow_widths():
    median = propose_sigma(ROWS)
    points = ROWS[:, :1]
    assert propose_sigma(points, CHECKS) <= propose_sigma(points) / 2
    assert propose_sigma(ROWS, SIDES) == median
    line = np.linspace(0.0, 1.0, 400)[:, None]
    ratio = propose_sigma(line, np.floor(20 * line[:, 0]).astype(int) % 2) / propose_sigma(line)
    assert ratio <= 1 / 8


@settings(max_examples=15, deadline=None)
@given(st.floats(1e-3, 1e3), st.integers(0, 100), st.booleans())
def test_widths_grow_with_the_rows_and_do_not_feel_rotations_and_shifts(scale, seed, shifts):
    random = np.random.default_rng(seed)
    rotation = np.linalg.qr(random.normal(size=(4, 4)))[0]
    moved = scale * (ROWS[:100] @ rotation + (random.normal(size=4) if shifts else 0.0))
    expected = scale * propose_sigma(ROWS[:100], CHECKS[:100])
    assert propose_sigma(moved, CHECKS[:100]) == pytest.approx(expected)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.lists(st.floats(1e-6, 1e6), min_size=4, max_size=4))
def test_scaled_columns_do_not_feel_units(units):
    # The first column, the one that matters, is small: only scaled columns show it.
    X = ROWS * np.array([1e-3, 1.0, 1.0, 1.0])
    here, there = found_for("gaussian", X, SIDES), found_for("gaussian", X * units, SIDES)
    assert isinstance(here.over, ScaledColumns)
    if isinstance(there.over, ScaledColumns):  # not where the units make the first column the largest
        assert there.sigma == pytest.approx(here.sigma)
        assert there(X * units) == pytest.approx(here(X))


@pytest.mark.slow
def test_the_same_seed_finds_the_same_kernel():
    many, labels = np.tile(ROWS, (5, 1)) + 0.0, np.tile(CHECKS, 5)
    assert found_for("gaussian", many, labels, seed=3) == found_for("gaussian", many, labels, seed=3)
    assert propose_sigma(many, labels, seed=1, sample=50) == propose_sigma(many, labels, seed=1, sample=50)


def test_columns_as_they_are_can_be_asked_for():
    X = ROWS * np.array([1e-3, 1.0, 1.0, 1.0])
    assert found_for("Gaussian('auto', over=Linear())", X, SIDES).over == Linear()


@pytest.mark.parametrize(
    "text",
    [
        "Gaussian('auto') + Polynomial(2)",
        "2 * Gaussian('auto') * Linear()",
        "(RationalQuadratic('auto', 0.5) + 1).normalized()",
        "Gaussian('auto', over=Polynomial(2))",
        "Gaussian('auto', over=Gaussian('auto'))",
    ],
)
def test_widths_are_found_inside_of_expressions(text):
    kernel = parse(text)
    assert has_open_width(kernel)
    assert parse(repr(kernel)) == kernel
    found = find_kernel(kernel, ROWS, CHECKS)
    assert not has_open_width(found)
    assert parse(repr(found), found.arrays()) == found
    assert np.isfinite(found(ROWS)).all()
    assert type(found) is type(kernel)


def test_kernels_without_open_widths_stay_as_they_are():
    kernel = Gaussian(2.0) + Linear()
    assert find_kernel(kernel, ROWS, CHECKS) is kernel


def test_widths_of_fields_are_those_of_the_fields():
    records = [
        {"text": "ab" * (1 + code), "age": 1000 * row[0]} for row, code in zip(ROWS, CHECKS, strict=True)
    ]
    kernel = On("text", Gaussian("auto", over=Spectrum(2))) + On("age", Gaussian("auto"))
    found = find_kernel(kernel, records, CHECKS)
    ages = ROWS[:, :1] * 1000
    ratio = found.right.base.sigma / propose_sigma(ages)
    assert ratio == pytest.approx(
        found.left.base.sigma / propose_sigma([r["text"] for r in records], over=Spectrum(2))
    )


def test_widths_of_strings():
    words = ["ab" * n + "c" * m for n in range(8) for m in range(8)]
    labels = [len(word) % 2 for word in words]
    sigma = propose_sigma(words, labels, over=Spectrum(1))
    assert 0 < sigma <= propose_sigma(words, over=Spectrum(1))


def test_open_widths_compare_nothing():
    for kernel in (Gaussian("auto"), RationalQuadratic("auto"), parse("gaussian") * Linear()):
        with pytest.raises(ValueError, match="found when a learner is fitted"):
            kernel(ROWS)
    with pytest.raises(TypeError, match="sigma='wide' is not a number"):
        Gaussian("wide")


def test_layouts_find_the_same():
    dense = found_for("gaussian", np.abs(ROWS) * [1, 10, 100, 1000])
    sparse = found_for("gaussian", sp.csr_matrix(np.abs(ROWS) * [1, 10, 100, 1000]))
    assert sparse.sigma == pytest.approx(dense.sigma)
    single = found_for("gaussian", (np.abs(ROWS) * [1, 10, 100, 1000]).astype(np.float32))
    assert single.sigma == pytest.approx(dense.sigma, rel=1e-4)


def test_constant_columns_do_not_count():
    constant = np.hstack([ROWS, np.full((300, 1), 7.0)])
    assert standardizing(constant).factors[4] == 0
    assert np.isfinite(found_for("gaussian", constant).sigma)
    nothing = found_for("gaussian", np.ones((20, 3)), np.arange(20) % 2)
    assert nothing.sigma > 0


@pytest.mark.parametrize("layout", [np.asarray, sp.csr_matrix])
def test_factors_are_inverse_standard_deviations(layout):
    X = np.where(generator.random((50, 6)) < 0.5, 0.0, generator.normal(size=(50, 6)) * 10.0 ** np.arange(6))
    for factor, column in zip(standardizing(layout(X)).factors, X.T, strict=True):
        assert 1 / factor == pytest.approx(scale(column[column != 0], 50, centres=True)[1])
    X = generator.normal(size=(50, 6)) * 10.0 ** np.arange(6)
    assert standardizing(layout(X)).factors == pytest.approx(1 / X.std(axis=0))


def test_columns_far_from_the_origin_are_told_apart():
    X = ROWS * 1e-4 + 1000.0
    kernel = Gaussian(1.0, over=standardizing(X))
    assert kernel(X) == pytest.approx(Gaussian(1.0, over=standardizing(ROWS))(ROWS), abs=1e-6)
    assert propose_sigma(X, over=standardizing(X)) == pytest.approx(
        propose_sigma(ROWS, over=standardizing(ROWS)), rel=1e-6
    )


def test_scaled_columns_are_those_of_scaled_rows():
    factors = np.array([2.0, 0.0, 0.5, 1.0])
    assert ScaledColumns(factors)(ROWS) == pytest.approx(Linear()(ROWS * factors))
    assert Gaussian(1.3, over=ScaledColumns(factors))(ROWS) == pytest.approx(Gaussian(1.3)(ROWS * factors))
    kernel = ScaledColumns(factors)
    assert kernel == ScaledColumns(factors.tolist())
    assert hash(kernel) == hash(ScaledColumns(factors.copy()))
    assert kernel != ScaledColumns(2 * factors)
    assert parse(repr(kernel + Polynomial(2)), kernel.arrays()) == kernel + Polynomial(2)


@pytest.mark.parametrize(
    ("factors", "error", "reason"),
    [
        ([1.0, np.nan], ValueError, r"factors\[1\] is nan"),
        ([[1.0]], ValueError, "the shape"),
        (["a"], TypeError, "not real numbers"),
    ],
)
def test_factors_that_are_refused(factors, error, reason):
    with pytest.raises(error, match=reason):
        ScaledColumns(factors)


def test_rows_of_another_width_are_refused():
    with pytest.raises(ValueError, match=r"X has 4 columns, but .* has 2 factors"):
        ScaledColumns([1.0, 2.0])(ROWS)


def test_labels_that_are_refused():
    with pytest.raises(ValueError, match="one class only"):
        propose_sigma(ROWS, np.zeros(300))
    with pytest.raises(ValueError, match="NaN in row 3"):
        propose_sigma(ROWS, np.where(np.arange(300) == 3, np.nan, 1.0))
    with pytest.raises(ValueError, match="one label for each"):
        propose_sigma(ROWS, [0, 1])


@pytest.mark.parametrize("layout", [np.asarray, sp.csr_matrix], ids=["dense", "csr"])
@pytest.mark.parametrize("size", [1e3, 1e9, 1e15])
def test_one_value_that_is_far_away_halves_a_factor_at_most(layout, size):
    rows = np.random.default_rng(0).normal((0.0, 5.0, 100.0), size=(400, 3))
    far = rows.copy()
    far[7] = [size, -size, size]
    before, now = standardizing(layout(rows)).factors, standardizing(layout(far)).factors
    assert (now > 0.7 * before).all()
    assert (now < before).all()
    assert before == pytest.approx(1 / rows.std(axis=0))


def test_rare_indicators_keep_their_scale():
    rows = np.zeros((1000, 2))
    rows[:3, 0] = rows[5, 1] = 1.0
    assert standardizing(rows).factors == pytest.approx([1.0, 1.0])
