"""Random Fourier features: lengths, orthogonal frequencies, hashed rows, rows far away."""

import numpy as np
import pytest
import scipy.sparse as sp

from kerneltron.kernels import Gaussian
from kerneltron.maps import RandomFourier
from kerneltron.maps.random_fourier import orthogonal_frequencies
from kerneltron.maps.random_matrix import DrawnMatrix, normal_numbers

X = np.random.default_rng(0).normal(size=(50, 10))


def error(m, orthogonal, seed):
    return RandomFourier(m, orthogonal, seed).fit(Gaussian(3.0), X).approximation_error(X)


def test_mapped_rows_have_length_one():
    phi = RandomFourier(50, random_state=0).fit(Gaussian(1.0), X)
    assert np.linalg.norm(phi(X), axis=1) == pytest.approx(np.ones(50), abs=1e-14)


def test_the_features_are_the_waves_of_the_frequencies():
    phi = RandomFourier(6, False, 5).fit(Gaussian(2.0), X)
    angles = X @ normal_numbers(5, 1, 10, 3).astype(float) / 2
    expected = np.sqrt(2 / 6) * np.hstack([np.cos(angles), np.sin(angles)])
    assert phi(X) == pytest.approx(expected, abs=1e-13)
    assert phi.names() == ["cos0", "cos1", "cos2", "sin0", "sin1", "sin2"]


@pytest.mark.parametrize("m", [20, 100])
def test_orthogonal_frequencies_have_a_smaller_error_on_average(m):
    errors = [[error(m, orthogonal, seed) ** 2 for seed in range(40)] for orthogonal in (True, False)]
    assert np.mean(errors[0]) < 0.8 * np.mean(errors[1])


def test_orthogonal_frequencies_are_orthogonal_and_as_long_as_others():
    frequencies = orthogonal_frequencies(0, 10, 25).astype(float)
    for block in (frequencies[:, :10], frequencies[:, 10:20], frequencies[:, 20:]):
        products = block.T @ block
        assert products == pytest.approx(np.diag(np.diagonal(products)), abs=1e-5)
    lengths = np.linalg.norm(normal_numbers(0, 1, 10, 25), axis=0)
    assert np.linalg.norm(frequencies, axis=0) == pytest.approx(lengths, rel=1e-6)


def test_wide_rows_have_independent_frequencies_that_are_not_stored():
    rows = sp.random(30, 2**18, 50 / 2**18, format="csr", random_state=0, dtype=np.float32)
    phi = RandomFourier(2000, random_state=0).fit(Gaussian(4.0), rows)
    assert isinstance(phi.frequencies, DrawnMatrix)
    assert phi.state() == ({"orthogonal": False}, {})
    assert phi.approximation_error(rows) < 0.1
    with pytest.raises(ValueError, match="orthogonal=True takes rows of at most 4,096 columns"):
        RandomFourier(2000, True).fit(Gaussian(4.0), rows)


@pytest.mark.slow
def test_numbers_of_wide_rows_are_those_of_the_whole_table():
    """Also where rows of the table that are kept give way to others, and for an odd number of frequencies."""
    rows = sp.random(40, 9000, 0.01, format="csr", random_state=0)
    phi = RandomFourier(4 * 2**10 + 2, random_state=3).fit(Gaussian(2.0), rows)
    assert isinstance(phi.frequencies, DrawnMatrix)
    angles = rows @ normal_numbers(3, 1, 9000, 2**11 + 1).astype(float) / 2
    expected = np.hstack([np.cos(angles), np.sin(angles)]) / np.sqrt(2**11 + 1)
    assert phi(rows) == pytest.approx(expected, abs=1e-12)
    assert phi(rows.toarray()) == pytest.approx(expected, abs=1e-12)


def test_rows_far_from_the_origin_are_mapped_in_double_precision():
    """Distances of 1, a million from the origin: in single precision angles would be off by 0.1."""
    rows = (np.random.default_rng(0).integers(0, 3, size=(20, 5)) + 1e6).astype(np.float32)
    phi = RandomFourier(1000, random_state=0).fit(Gaussian(2.0), rows)
    assert phi(rows).dtype == np.float32
    assert phi(rows) == pytest.approx(phi(rows.astype(np.float64)), abs=1e-6)
    assert phi(sp.csr_matrix(rows)) == pytest.approx(phi(rows), abs=1e-6)


@pytest.mark.parametrize("sigma", [1e-40, 1e40])
def test_sigma_beyond_single_precision(sigma):
    rows = np.eye(3, dtype=np.float32)
    phi = RandomFourier(1000, random_state=0).fit(Gaussian(sigma), rows)(rows)
    assert phi @ phi.T == pytest.approx(Gaussian(sigma)(rows), abs=0.1)


def test_rows_beyond_all_bounds_are_an_error():
    phi = RandomFourier(10, random_state=0).fit(Gaussian(1.0), X)
    with pytest.raises(ValueError, match="away from the origin: scale the rows"):
        phi(X * 1e200)


def test_a_description_that_comes_from_another_process_has_the_same_text():
    asked = RandomFourier(10, random_state=0)
    assert repr(asked.replace(orthogonal="".join(["au", "to"]))) == repr(asked)
    assert repr(asked.replace(orthogonal=False)) == "RandomFourier(10, orthogonal=False, random_state=0)"
