"""Mean and variance of hashed inner products, exactly; the published bounds as they are printed."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from kerneltron.theory.hashing import (
    distances_tail,
    hashed_variance,
    norm_tail,
    peak,
    product_tail,
    relative_deviation,
)

SLOTS = 2
vectors = hnp.arrays(np.float64, 3, elements=st.integers(-3, 3).map(float))


def all_products(x, z):
    """Return <phi(x), phi(z)> under each of all functions from three features to slots and signs."""
    found = []
    for where in product(range(SLOTS), repeat=3):
        for signs in product((-1, 1), repeat=3):
            hashed = np.zeros((2, SLOTS))
            for i, (slot, sign) in enumerate(zip(where, signs, strict=True)):
                hashed[:, slot] += sign * x[i], sign * z[i]
            found.append(hashed[0] @ hashed[1])
    return np.array(found)


@given(vectors, vectors)
def test_mean_and_variance_are_those_over_all_hash_functions(x, z):
    found = all_products(x, z)
    assert found.mean() == pytest.approx(x @ z)
    assert found.var() == pytest.approx(hashed_variance(x, z, SLOTS))


@given(vectors.filter(np.any), st.integers(1, 100))
def test_relative_errors_know_no_scale(x, scale):
    assert relative_deviation(scale * x, SLOTS) == pytest.approx(relative_deviation(x, SLOTS))
    assert peak(scale * x) == pytest.approx(peak(x))
    assert norm_tail(scale * x, SLOTS, 0.1) == pytest.approx(norm_tail(x, SLOTS, 0.1))


def test_the_numbers_of_the_counter_example():
    error, probability = norm_tail(np.ones(10_000), slots=16, epsilon=0.1)
    assert error == pytest.approx(0.6, abs=1e-4)
    assert probability == pytest.approx(np.exp(-np.sqrt(0.1) / 0.04))
    assert round(probability, 5) == 0.00037


@given(vectors.filter(np.any), vectors.filter(np.any))
def test_corollary_4_is_as_printed(x, z):
    if (x == z).all():
        return
    etas = [np.abs(v).max() / np.sqrt(v @ v) for v in (x, z, x - z)]
    deviations = [all_products(v, v).std() / (v @ v) for v in (x, z, x - z)]
    spread = x @ x + z @ z + (x - z) @ (x - z)
    error, probability = product_tail(x, z, SLOTS, 0.04)
    assert error == pytest.approx((np.sqrt(2) * max(deviations) + 0.04) * spread / 2)
    assert probability == pytest.approx(3 * np.exp(-0.2 / (4 * min(etas))))


def test_corollary_5_is_as_printed():
    error, probability = distances_tail(points=10, eta=0.1, slots=8, delta=0.5)
    assert (error, probability) == pytest.approx((0.5 + 0.64 * np.log(10) ** 2, 0.5))


def test_vectors_of_zeros_have_no_relative_error():
    with pytest.raises(ValueError, match="two equal vectors"):
        product_tail(np.ones(3), np.ones(3), SLOTS, 0.1)
