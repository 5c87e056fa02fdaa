"""Random projections: the law of Johnson and Lindenstrauss, and sparse matrices."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import pdist
from sklearn.random_projection import johnson_lindenstrauss_min_dim

from kerneltron.kernels import Linear
from kerneltron.maps import RandomProjection
from kerneltron.maps.random_projection import components_for


@pytest.mark.parametrize("density", [1.0, 0.2, "auto"])
def test_all_distances_keep_within_the_error(density):
    rows = np.random.default_rng(0).normal(size=(60, 5000))
    m = components_for(60, 0.3)
    phi = RandomProjection(m, density, random_state=0).fit(Linear(), rows)
    ratios = np.square(pdist(phi(rows)) / pdist(rows))
    assert 0.7 < ratios.min() < ratios.max() < 1.3


def test_the_number_of_components_is_the_one_of_scikit_learn():
    for examples, error in [(100, 0.1), (10**6, 0.5)]:
        assert abs(components_for(examples, error) - johnson_lindenstrauss_min_dim(examples, eps=error)) <= 1
    with pytest.raises(ValueError, match=r"error=1\.5 must be above 0 and below 1"):
        components_for(100, 1.5)


@pytest.mark.parametrize(("density", "entries"), [(0.5, 5), (0.3, 3), (0.001, 1)])
def test_a_sparse_matrix_has_as_many_entries_in_each_row_as_asked_for(density, entries):
    phi = RandomProjection(10, density, random_state=0).fit(Linear(), np.eye(200))
    matrix = phi(np.eye(200))
    assert ((matrix != 0).sum(axis=1) == entries).all()
    assert np.abs(matrix[matrix != 0]) == pytest.approx(np.sqrt(1 / entries))
    parts = [slice(g * 10 // entries, (g + 1) * 10 // entries) for g in range(entries)]
    assert all(((matrix[:, part] != 0).sum(axis=1) == 1).all() for part in parts)
    counts = (matrix != 0).sum(axis=0)
    assert abs(counts - 200 * entries / 10).max() < 4.5 * np.sqrt(200 * entries / 10)
    assert abs(np.sign(matrix).sum()) < 4 * np.sqrt(200 * entries)


def test_unit_vectors_keep_their_length_in_a_sparse_projection():
    phi = RandomProjection(100, 0.1, random_state=0).fit(Linear(), np.eye(20))
    assert np.linalg.norm(phi(np.eye(20)), axis=1) == pytest.approx(np.ones(20))


def test_the_entries_of_auto():
    assert RandomProjection(1000, "auto").entries(400) == 50
    assert RandomProjection(1000, 0.25).entries(400) == 250
    assert RandomProjection(1000).entries(400) is None


@pytest.mark.parametrize("density", [1.0, "auto"])
def test_hashed_rows(density):
    rows = sp.random(30, 2**18, 50 / 2**18, format="csr", random_state=0)
    phi = RandomProjection(1000, density, random_state=0).fit(Linear(), rows)
    assert phi.approximation_error(rows) < 0.3
    assert phi.state() == ({}, {})
