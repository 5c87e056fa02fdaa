"""Random maps: what all of them promise, whichever kernel they approximate."""

import copy
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.kernels import Gaussian, Linear, Polynomial, RationalQuadratic, Spectrum
from kerneltron.maps import RandomFourier, RandomProjection, TensorSketch, random_matrix
from kerneltron.maps.approximation import Saved
from kerneltron.maps.catalogue import map_type

MAPS = [
    (RandomFourier, {"orthogonal": True}, Gaussian(3.0)),
    (RandomFourier, {"orthogonal": False}, Gaussian(3.0, over=Linear())),
    (TensorSketch, {}, Polynomial(2)),
    (TensorSketch, {}, Polynomial(3, 0.5).normalized()),
    (TensorSketch, {}, Linear().normalized()),
    (RandomProjection, {}, Linear()),
    (RandomProjection, {"density": 0.3}, Linear()),
    (RandomProjection, {"density": "auto"}, Linear()),
]
every_map = pytest.mark.parametrize(("kind", "options", "kernel"), MAPS)
X = np.random.default_rng(0).normal(size=(60, 12)) * (np.random.default_rng(1).random((60, 12)) < 0.4)
LIMIT = 2**12  # bytes of numbers that are kept, for maps that must draw them again


def saved(phi, contents):
    return Saved(phi.asked, phi.kernel, phi.inputs, phi.seed, contents, None)


def found(kind, options, kernel, m=64, seed=0, rows=X):
    return kind(m, **options, random_state=seed).fit(kernel, rows)


@pytest.fixture(params=["kept", "drawn"])
def memory(request, monkeypatch):
    """Runs a test with and without room for the numbers of a matrix."""
    if request.param == "drawn":
        monkeypatch.setattr(random_matrix, "BYTES", LIMIT)
        monkeypatch.setattr("kerneltron.maps.random_projection.BYTES", LIMIT)
    return request.param


@every_map
def test_inner_products_are_right_on_average(kind, options, kernel):
    """Over seeds: within 4.5 standard errors, for each of the 78 pairs of 12 rows."""
    rows = X[:12]
    grams = []
    for seed in range(300):
        phi = found(kind, options, kernel, 16, seed)(rows)
        grams.append(phi @ phi.T)
    error = np.mean(grams, axis=0) - kernel(rows)
    deviation = np.std(grams, axis=0) / np.sqrt(len(grams))
    assert (np.abs(error) <= 4.5 * deviation + 1e-9).all()


@pytest.mark.slow
@every_map
def test_the_error_falls_as_the_root_of_the_size(kind, options, kernel):
    rows = np.random.default_rng(2).normal(size=(40, 30))
    sizes = [32, 128, 512] if kind is TensorSketch else [64, 256, 1024]
    seeds = range(100 if kernel == Linear().normalized() else 6)
    options = {"orthogonal": False} if kind is RandomFourier else options
    errors = [
        np.sqrt(
            np.mean([found(kind, options, kernel, m, s, rows).approximation_error(rows) ** 2 for s in seeds])
        )
        for m in sizes
    ]
    slope = np.polyfit(np.log(sizes), np.log(errors), 1)[0]
    assert -0.6 < slope < -0.4


@every_map
def test_sparse_rows_are_mapped_as_dense_ones(kind, options, kernel, memory):
    phi = found(kind, options, kernel)
    assert phi(sp.csr_matrix(X)) == pytest.approx(phi(X), abs=1e-12)
    assert phi(sp.csc_array(X)) == pytest.approx(phi(X), abs=1e-12)


@every_map
def test_what_is_drawn_again_is_what_is_kept(kind, options, kernel, monkeypatch):
    kept = found(kind, options, kernel)(X)
    monkeypatch.setattr(random_matrix, "BYTES", LIMIT)
    monkeypatch.setattr("kerneltron.maps.random_projection.BYTES", LIMIT)
    assert found(kind, options, kernel)(X) == pytest.approx(kept, abs=1e-12)


@every_map
@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
def test_single_precision_stays_and_is_close(kind, options, kernel, form):
    phi = found(kind, options, kernel)
    single = phi(form(X.astype(np.float32)))
    assert single.dtype == np.float32
    assert phi(form(X)).dtype == np.float64
    assert single == pytest.approx(phi(X), abs=2e-5 * np.abs(phi(X)).max())


@every_map
@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
def test_rows_one_by_one_are_mapped_as_all_at_once(kind, options, kernel, form, memory):
    phi, rows = found(kind, options, kernel), form(np.tile(X, (10, 1)))
    one_by_one = np.concatenate([phi(rows[i : i + 1]) for i in range(60)])
    assert phi(rows)[540:] == pytest.approx(one_by_one, abs=1e-12)


@every_map
def test_a_saved_map_gives_the_same_bytes(kind, options, kernel):
    phi = found(kind, options, kernel)
    header, tensors = phi.state()
    again = phi.asked.restored(saved(phi, Contents(header, tensors)))
    assert again(X).tobytes() == phi(X).tobytes()
    assert set(tensors) == ({"frequencies"} if options == {"orthogonal": True} else set())


@every_map
def test_copies_give_the_same_bytes(kind, options, kernel, memory):
    phi = found(kind, options, kernel)
    expected = phi(sp.csr_matrix(X)).tobytes()
    for other in (copy.deepcopy(phi), pickle.loads(pickle.dumps(phi))):
        assert other(sp.csr_matrix(X)).tobytes() == expected


@every_map
def test_the_seed_decides(kind, options, kernel):
    first, same, other = (found(kind, options, kernel, seed=seed) for seed in (1, 1, 2))
    assert first(X).tobytes() == same(X).tobytes()
    assert not np.allclose(first(X), other(X))
    assert np.array_equal(kind(64, **options).fit(kernel, X, seed=1)(X), first(X))


@every_map
def test_width_and_names(kind, options, kernel):
    phi = found(kind, options, kernel)
    assert phi(X).shape == (60, phi.width) == (60, 64)
    assert len(set(phi.names())) == 64


@every_map
def test_no_rows_and_no_columns(kind, options, kernel, memory):
    phi = found(kind, options, kernel)
    assert phi(np.empty((0, 12))).shape == phi(sp.csr_matrix((0, 12))).shape == (0, 64)
    narrow = found(kind, options, kernel, rows=np.empty((2, 0)))
    assert narrow(np.empty((2, 0))) @ narrow(np.empty((2, 0))).T == pytest.approx(kernel(np.empty((2, 0))))
    assert narrow(sp.csr_matrix((2, 0))) == pytest.approx(narrow(np.empty((2, 0))))


@every_map
def test_rows_that_do_not_fit_are_refused(kind, options, kernel):
    phi = found(kind, options, kernel)
    with pytest.raises(ValueError, match="X has 11 columns, but this map is for 12"):
        phi(X[:, :11])
    for wrong in (np.nan, np.inf):
        with pytest.raises(ValueError, match=r"X contains .* \(row 3, column 2\)"):
            phi(np.where(np.arange(60)[:, None] * 12 + np.arange(12) == 38, wrong, X))
    with pytest.raises(ValueError, match="X has 1 dimensions"):
        phi(X[0])


@pytest.mark.parametrize("kind", [RandomFourier, TensorSketch, RandomProjection])
@pytest.mark.parametrize("kernel", [Spectrum(3), RationalQuadratic(1.0), Gaussian(1.0, over=Polynomial(2))])
def test_other_kernels_are_refused_with_advice(kind, kernel):
    with pytest.raises(ValueError, match=rf"^{kind.__name__} approximates .*, not .*: use Nystrom\(\.\.\.\)"):
        kind(10).fit(kernel, X)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RandomFourier(7), "n_components=7 must be even"),
        (lambda: RandomFourier(0), "n_components=0 must be at least 2"),
        (lambda: RandomFourier(2, orthogonal="yes"), "orthogonal='yes' must be True, False or \"auto\""),
        (lambda: TensorSketch(0), "n_components=0 must be at least 1"),
        (lambda: RandomProjection(5, density=0.0), "density=0.0 must be above 0"),
        (lambda: RandomProjection(5, density=1.5), "density=1.5 must be above 0"),
        (lambda: RandomProjection(5, density="some"), "density='some' must be above 0"),
        (lambda: RandomProjection(5, random_state=-1).fit(Linear(), X), "random_state=-1 must be"),
    ],
)
def test_wrong_parameters(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("kind", [RandomFourier, TensorSketch, RandomProjection])
def test_a_description_is_immutable_and_has_a_text(kind):
    asked = kind(100, random_state=3)
    assert repr(asked) == f"{kind.__name__}(100, random_state=3)"
    assert eval(repr(asked), {kind.__name__: kind}) == asked == clone(asked)
    assert asked.get_params()["n_components"] == 100
    assert asked.replace(n_components=50).n_components == 50
    with pytest.raises(FrozenInstanceError):
        asked.n_components = 5
    with pytest.raises(TypeError, match=r"n_components=2\.5 is not a whole number"):
        kind(2.5)
    assert map_type(kind.__name__) is kind


def test_damaged_frequencies_are_refused():
    phi = found(RandomFourier, {"orthogonal": True}, Gaussian(1.0))
    header, tensors = phi.state()
    damaged = Contents(header, {"frequencies": tensors["frequencies"][:-1]})
    with pytest.raises(ModelFileError, match="frequencies"):
        phi.asked.restored(saved(phi, damaged))


def test_maps_do_not_import_scikit_learn():
    code = "import sys; from kerneltron.maps import RandomFourier, TensorSketch, RandomProjection"
    printed = subprocess.check_output([sys.executable, "-c", f"{code}; print(*sys.modules)"], text=True)
    assert "sklearn" not in printed.split()
