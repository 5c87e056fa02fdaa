"""The random maps as transformers: parameters, names, pipelines, and errors before `fit`."""

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from kerneltron import Perceptron, maps
from kerneltron.features import Nystrom, RandomFourier, RandomProjection, TensorSketch
from kerneltron.kernels import Gaussian, Linear, Polynomial

TRANSFORMERS = [
    RandomFourier(32, kernel=Gaussian(2.0), random_state=0),
    TensorSketch(32, kernel="Polynomial(2)", random_state=0),
    RandomProjection(32, random_state=0),
]
every_transformer = pytest.mark.parametrize("transformer", TRANSFORMERS, ids=lambda t: type(t).__name__)
X = np.random.default_rng(0).normal(size=(40, 5))


@every_transformer
def test_it_maps_as_the_plain_map_does(transformer):
    fitted = clone(transformer).fit(X)
    plain = fitted.approximation().fit(fitted.kernel_, X)
    assert type(fitted.approximation()) is getattr(maps, type(transformer).__name__)
    assert np.array_equal(fitted.transform(X), plain(X))
    assert fitted.transform(sp.csr_matrix(X)) == pytest.approx(plain(X), abs=1e-12)
    assert fitted.approximation_error(X) == plain.approximation_error(X)
    assert fitted.get_feature_names_out().tolist() == plain.names()
    assert fitted.n_features_in_ == 5


@every_transformer
def test_copies(transformer):
    fitted = clone(transformer).fit(X)
    assert np.array_equal(pickle.loads(pickle.dumps(fitted)).transform(X), fitted.transform(X))
    assert clone(fitted).get_params() == transformer.get_params()
    assert not hasattr(clone(fitted), "map_")


@every_transformer
def test_before_fit(transformer):
    for call in (transformer.transform, transformer.approximation_error):
        with pytest.raises(NotFittedError):
            call(X)
    with pytest.raises(NotFittedError):
        transformer.get_feature_names_out()


@every_transformer
def test_names_of_columns_and_of_features(transformer):
    frame = pd.DataFrame(X, columns=list("abcde"))
    mapped = clone(transformer).set_output(transform="pandas").fit_transform(frame)
    assert mapped.shape == (40, 32)
    assert mapped.columns.is_unique


@pytest.mark.parametrize(
    ("kind", "example"),
    [
        (RandomFourier, r"Gaussian\(2\.0\)"),
        (TensorSketch, r"Polynomial\(2\)"),
        (Nystrom, r"Gaussian\(2\.0\)"),
    ],
)
def test_without_a_kernel_the_error_names_one(kind, example):
    with pytest.raises(
        ValueError, match=f"{kind.__name__} needs a kernel to approximate: give kernel={example}"
    ):
        kind().fit(X)


def test_a_projection_takes_the_linear_kernel_by_itself():
    assert RandomProjection(4).fit(X).kernel_ == Linear()


def test_wrong_kernels_are_refused_in_fit():
    with pytest.raises(
        ValueError, match="RandomFourier approximates Gaussian kernels of rows of numbers, not"
    ):
        RandomFourier(10, kernel=Polynomial(2)).fit(X)


def test_a_parameter_of_the_kernel_is_set_through_the_transformer():
    changed = RandomFourier(10, kernel="Gaussian(1.0)").set_params(kernel__sigma=3.0)
    assert changed.kernel == Gaussian(3.0)


@pytest.mark.parametrize("state", [np.random.RandomState(3), 3, np.int64(3), None])
def test_a_description_has_a_number_as_its_seed(state):
    seed = RandomFourier(10, kernel=Gaussian(1.0), random_state=state).approximation().random_state
    assert seed is None if state is None else seed >= 0


def test_without_a_seed_each_fit_draws_anew_unless_numpy_is_seeded():
    waves = RandomFourier(10, kernel=Gaussian(1.0))
    assert waves.fit(X).map_.seed != waves.fit(X).map_.seed
    np.random.seed(5)  # noqa: NPY002
    first = waves.fit(X).map_.seed
    np.random.seed(5)  # noqa: NPY002
    assert waves.fit(X).map_.seed == first


def test_a_linear_learner_learns_a_circle():
    y = np.square(X).sum(axis=1) > 4
    pipeline = make_pipeline(
        RandomFourier(500, kernel="Gaussian(2.0)", random_state=0), Perceptron(passes=50, random_state=0)
    )
    assert pipeline.fit(X, y).score(X, y) > 0.95
    search = GridSearchCV(pipeline, {"randomfourier__kernel__sigma": [0.5, 2.0]}, cv=2)
    assert search.fit(X, y).best_params_["randomfourier__kernel__sigma"] == 2.0
