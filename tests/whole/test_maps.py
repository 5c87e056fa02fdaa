"""Learners in the features of maps that approximate a kernel: wherever learners are used."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV

import kerneltron
from kerneltron import Arow, LogisticRegression, ManyTasks, PassiveAggressive, Perceptron, Romma
from kerneltron.features import RandomFourier
from kerneltron.maps.nystrom import Nystrom
from kerneltron.maps.text import parse

X, y = load_digits(return_X_y=True)
X, y = X[:900] / 16, y[:900]
TRAIN, TEST = slice(0, 700), slice(700, 900)
# Each with the kernel that it approximates.
MAPS = [
    ("Nystrom(150)", "Gaussian(2)"),
    ("Nystrom(150, method='kmeans')", "Polynomial(3).normalized()"),
    ("RandomFourier(400)", "Gaussian(2)"),
    ("TensorSketch(500)", "Polynomial(2).normalized()"),
    ("RandomProjection(60)", "linear"),
]


def learner(phi, kernel, **more):
    return PassiveAggressive(
        **{"kernel": kernel, "representation": phi, "random_state": 0, "passes": 1, **more}
    )


def saved(model, path):
    model.save(path)
    return path.read_bytes()


@pytest.mark.parametrize(("phi", "kernel"), MAPS)
def test_it_is_near_the_exact_learner(phi, kernel):
    exact = learner("dual", kernel, passes=3).fit(X[TRAIN], y[TRAIN]).score(X[TEST], y[TEST])
    mapped = learner(phi, kernel, passes=3).fit(X[TRAIN], y[TRAIN])
    assert mapped.score(X[TEST], y[TEST]) > exact - 0.05
    assert mapped.representation_.width == mapped.map_.width == mapped.coef_.shape[1]
    assert mapped.map_.asked == parse(phi)


@pytest.mark.parametrize(("phi", "kernel"), MAPS)
def test_it_equals_transform_and_fit(phi, kernel):
    mapped = learner(phi, kernel, passes=2).fit(X[TRAIN], y[TRAIN])
    linear = PassiveAggressive(passes=2, scale=False, random_state=0).fit(mapped.map_(X[TRAIN]), y[TRAIN])
    assert mapped.mistakes_.tolist() == linear.mistakes_.tolist()
    scores = linear.decision_function(mapped.map_(X[TEST]))
    assert np.allclose(mapped.decision_function(X[TEST]), scores, atol=1e-6 * np.abs(scores).max())


@pytest.mark.parametrize(("phi", "kernel"), MAPS)
def test_saved_and_loaded_it_goes_on_as_if_it_had_never_stopped(phi, kernel, tmp_path):
    mapped = learner(phi, kernel).partial_fit(X[:500], y[:500])
    saved(mapped, tmp_path / "one.model")
    loaded = kerneltron.load(tmp_path / "one.model")
    assert (loaded.decision_function(X[TEST]) == mapped.decision_function(X[TEST])).all()
    assert loaded.map_ == mapped.map_
    for each in (mapped, loaded):
        each.partial_fit(X[500:700], y[500:700])
    assert saved(mapped, tmp_path / "one.model") == saved(loaded, tmp_path / "two.model")
    mapped.save(tmp_path / "small.model", resumable=False)
    small = kerneltron.load(tmp_path / "small.model")
    assert (small.decision_function(X[TEST]) == mapped.decision_function(X[TEST])).all()


@pytest.mark.parametrize(("phi", "kernel"), MAPS)
def test_pieces_equal_at_once_where_nothing_is_chosen(phi, kernel):
    """With landmarks that are given, and maps that only the width decides about."""
    if phi.startswith("Nystrom"):
        phi = Nystrom(landmarks=X[:100])
    at_once = learner(phi, kernel, shuffle=False, hypothesis="average").fit(X[TRAIN], y[TRAIN])
    pieces = learner(phi, kernel, hypothesis="average")
    for first in range(0, 700, 100):
        pieces.partial_fit(X[first : first + 100], y[first : first + 100], classes=np.arange(10))
    assert pieces.mistakes_.sum() == at_once.mistakes_.sum()
    assert np.allclose(pieces.coef_, at_once.coef_, atol=1e-8 * np.abs(at_once.coef_).max())


def test_clone_and_search():
    given = learner(Nystrom(50), "Gaussian(2)")
    assert clone(given).representation == Nystrom(50)
    assert given.get_params()["representation"] == Nystrom(50)
    search = GridSearchCV(
        given, {"representation__n_landmarks": [5, 100], "kernel__sigma": [2.0, 3.0]}, cv=2
    ).fit(X[:300], y[:300])
    assert search.best_params_["representation__n_landmarks"] == 100
    assert given.representation == Nystrom(50)
    text = learner("Nystrom(50)", "Gaussian(2)").set_params(representation__method="kmeans")
    assert text.representation == Nystrom(50, "kmeans")
    with pytest.raises(ValueError, match="no parameter 'n_components'"):
        given.set_params(representation__n_components=3)
    with pytest.raises(ValueError, match="has no parameters"):
        Perceptron().set_params(representation__n_components=3)


def test_every_kind_of_learner_and_hypothesis():
    for made in (
        Romma(kernel="Gaussian(2)", representation=Nystrom(100), random_state=0),
        Arow(kernel="Gaussian(2)", representation=Nystrom(100), random_state=0),
        LogisticRegression(kernel="Gaussian(2)", representation=Nystrom(100), random_state=0),
        *(
            Perceptron(kernel="Gaussian(2)", representation=Nystrom(100), hypothesis=name, random_state=0)
            for name in ("last", "random", "vote")
        ),
    ):
        assert made.fit(X[TRAIN], y[TRAIN]).score(X[TEST], y[TEST]) > 0.6, made


def test_precision_is_kept():
    mapped = learner(Nystrom(100), "Gaussian(2)").fit(X[TRAIN].astype(np.float32), y[TRAIN])
    assert mapped.coef_.dtype == np.float32


def test_many_tasks_share_the_map():
    Y = np.where(y[:, None] == np.arange(3), 1, -1)
    tasks = ManyTasks(Perceptron(kernel="Gaussian(2)", representation=Nystrom(100), random_state=0))
    assert tasks.fit(X[TRAIN], Y[TRAIN]).score(X[TEST], Y[TEST]) > 0.95
    first, *others = (each.space.map for each in tasks._tasks.learners)
    assert all(other is first for other in others)
    assert tasks.partial_fit(X[TEST], Y[TEST]).score(X[TEST], Y[TEST]) > 0.95


def test_models_with_the_same_map_are_combined():
    from kerneltron.training.combining import combine

    parts = [learner("RandomFourier(100)", "Gaussian(2)", passes=2) for _ in range(2)]
    parts[0].fit(X[:350], y[:350])
    parts[1].fit(X[350:700], y[350:700])
    whole = combine([part.learner_ for part in parts], np.array([0.5, 0.5]))
    scores = sum(part.decision_function(X[TEST]) for part in parts) / 2
    assert np.allclose(whole.scores(X[TEST]), scores, atol=1e-9)
    other = learner("RandomFourier(100)", "Gaussian(2)", random_state=1).fit(X[:350], y[:350])
    with pytest.raises(ValueError, match="map"):
        combine([parts[0].learner_, other.learner_], np.array([0.5, 0.5]))


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ({"kernel": "Spectrum(3)", "representation": "RandomFourier(100)"}, "Nystrom"),
        ({"kernel": "Polynomial(2)", "representation": "RandomFourier(100)"}, "Gaussian"),
        ({"kernel": "Gaussian(2)", "representation": "TensorSketch(100)"}, "Polynomial"),
        ({"kernel": "Gaussian(2)", "representation": "RandomProjection(100)"}, "Linear"),
        ({"kernel": "Gaussian(2)", "representation": "Nystrom(10)", "delta": 1.0}, "delta"),
        ({"kernel": "Gaussian(2)", "representation": "Nystrm(10)"}, "did you mean Nystrom"),
        ({"kernel": "Gaussian(2)", "representation": "mapped"}, "is not known"),
        ({"kernel": "Gaussian(2)", "representation": 3}, "is not known"),
        ({"kernel": "Gaussian(2)", "representation": Nystrom}, "is not known"),
        ({"kernel": "Gaussian(2)", "representation": RandomFourier}, "is not known"),
        ({"kernel": "Gaussian(2)", "representation": "Nystrom(10, size=3)"}, "size"),
        ({"kernel": "Gaussian(2)", "representation": "__import__('os')"}, "is not a map|no map"),
    ],
)
def test_what_cannot_be_is_said(what, message):
    rows = ["abc", "bcd"] * 5 if "Spectrum" in what["kernel"] else X[:10]
    with pytest.raises((ValueError, TypeError), match=message):
        Perceptron(**what).fit(rows, [0, 1] * 5)


def test_a_map_cannot_change_between_calls():
    mapped = learner(Nystrom(20), "Gaussian(2)").partial_fit(X[:100], y[:100])
    for other in (Nystrom(30), "auto", "dual"):
        mapped.set_params(representation=other)
        with pytest.raises(ValueError, match="representation cannot change"):
            mapped.partial_fit(X[:100], y[:100])
    exact = learner("primal", "linear").partial_fit(X[:100], y[:100])
    with pytest.raises(ValueError, match="representation cannot change"):
        exact.set_params(representation="RandomProjection(10)").partial_fit(X[:100], y[:100])


def test_an_explanation_names_the_map():
    mapped = learner(Nystrom(20), "Gaussian(2)").fit(X[TRAIN], y[TRAIN])
    assert "features of Nystrom(n_landmarks=20)" in str(mapped.explain(top=3))
    example = mapped.explain(X[0], top=30)
    assert np.isclose(sum(row.contribution for row in example.rows) + example.rest, example.score)
    weight = mapped.feature_weight("nystrom3")
    assert (weight == mapped.coef_[:, 3]).all()


def test_landmarks_that_were_given_come_back(tmp_path):
    words, labels = ["abab", "baba", "abba", "bbbb"] * 5, [0, 1, 0, 1] * 5
    given = Perceptron(kernel="Spectrum(2)", representation=Nystrom(landmarks=words[:4]), random_state=0)
    given.fit(words, labels).save(tmp_path / "words.model")
    loaded = kerneltron.load(tmp_path / "words.model")
    assert (loaded.decision_function(words) == given.decision_function(words)).all()
    assert (clone(loaded).fit(words, labels).predict(words) == given.predict(words)).all()
    loaded.partial_fit(words, labels)
    given.partial_fit(words, labels)
    assert (loaded.decision_function(words) == given.decision_function(words)).all()


@pytest.mark.parametrize(("phi", "kernel"), MAPS)
def test_transformers_and_maps_are_saved(phi, kernel, tmp_path):
    from kerneltron import features

    asked = parse(phi)
    made = getattr(features, type(asked).__name__)(
        **asked.replace(random_state=3).get_params(), kernel=kernel
    )
    rows = made.fit(X[TRAIN]).transform(X[TEST])
    for thing, path in ((made, tmp_path / "transformer"), (made.map_, tmp_path / "map")):
        kerneltron.save(thing, path)
    transformer, found = kerneltron.load(tmp_path / "transformer"), kerneltron.load(tmp_path / "map")
    assert (transformer.transform(X[TEST]) == rows).all()
    assert (found(X[TEST]) == rows).all()
    assert type(transformer) is type(made)
    assert transformer.get_feature_names_out().tolist() == found.names()
    as_representation = learner(made.set_params(kernel=None), kernel).fit(X[TRAIN], y[TRAIN])
    assert as_representation.map_ == found
    other = made.set_params(kernel="Linear().normalized()")
    with pytest.raises(ValueError, match="leave the kernel of the map out"):
        learner(other, kernel).fit(X[TRAIN], y[TRAIN])
    with pytest.raises(ValueError, match="call fit first"):
        kerneltron.save(clone(made), tmp_path / "none")
