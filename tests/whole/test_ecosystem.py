"""Pipelines, searches, calibration, frames, pickles, copies, and what an import costs."""

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_digits
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

import kerneltron
from kerneltron.learning.methods import METHODS

pytestmark = pytest.mark.slow

LEARNERS = [getattr(kerneltron, name) for _, name in METHODS.values()]
STREAMING = [kind for kind in LEARNERS if kind is not kerneltron.SVM]  # with weights, by partial_fit
X, y = load_digits(return_X_y=True)
X, y = X[:600], y[:600]


@pytest.mark.parametrize("kind", LEARNERS)
@pytest.mark.filterwarnings("ignore:the relative duality gap")  # of SVM, after few passes
def test_pipeline_search_and_calibration(kind):
    pipeline = make_pipeline(MinMaxScaler(clip=True), kind(random_state=0))
    name = f"{kind.__name__.lower()}__passes"
    search = GridSearchCV(pipeline, {name: [0.5, 4]}, cv=3).fit(X, y)
    assert search.best_params_[name] == 4
    slow = {
        kerneltron.Winnow: 0.5,
        kerneltron.Pegasos: 0.6,
        kerneltron.SVM: 0.75,
    }  # four passes over 400 rows are few for them
    assert search.best_score_ > slow.get(kind, 0.8)
    calibrated = CalibratedClassifierCV(kind(passes=4, random_state=0), cv=3).fit(X / 16, y == 9)
    probability = calibrated.predict_proba(X / 16)
    np.testing.assert_allclose(probability.sum(axis=1), 1)
    assert calibrated.score(X / 16, y == 9) > 0.85


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("kind", STREAMING)
def test_frames_keep_their_names(kind, frame):
    names = ["width", "height", "weight"]
    table = frame({name: X[:, 10 * k + 2] for k, name in enumerate(names)})
    labels = pd.Series(np.where(y > 4, "large", "small"), name="size")
    learner = kind(random_state=0).fit(
        table, labels if frame is pd.DataFrame else pl.Series(labels.to_list())
    )
    assert learner.feature_names_in_.tolist() == names
    assert set(learner.predict(table)) <= {"large", "small"}
    with pytest.raises(ValueError, match="feature names should match"):
        learner.predict(table[names[::-1]])
    learner.partial_fit(table, labels.to_numpy())
    assert learner.feature_names_in_.tolist() == names


def test_text_from_counts():
    texts = ["cheap pills now", "meeting at noon", "cheap watches", "lunch at noon"] * 20
    labels = ["spam", "ham"] * 40
    score = cross_val_score(make_pipeline(CountVectorizer(), kerneltron.Winnow(passes=3)), texts, labels)
    assert score.min() == 1.0


@pytest.mark.parametrize("kind", STREAMING)
def test_copies_go_their_own_way(kind):
    learner = kind(random_state=0).fit(X, y)
    twin = pickle.loads(pickle.dumps(learner))
    np.testing.assert_array_equal(twin.decision_function(X), learner.decision_function(X))
    before = learner.coef_.copy()
    twin.partial_fit(X, y)
    np.testing.assert_array_equal(learner.coef_, before)
    assert not hasattr(clone(learner), "classes_")


def test_probabilities_of_logistic_regression():
    learner = kerneltron.LogisticRegression(passes=5, random_state=0).fit(X / 16, y)
    p = learner.predict_proba(X / 16)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(learner.classes_[p.argmax(axis=1)], learner.predict(X / 16))
    two = kerneltron.LogisticRegression(passes=5, random_state=0).fit(X / 16, y == 9)
    np.testing.assert_allclose(
        two.predict_proba(X / 16)[:, 1], 1 / (1 + np.exp(-two.decision_function(X / 16)))
    )
    one = kerneltron.LogisticRegression().partial_fit(X[:5], ["a"] * 5)
    assert one.predict_proba(X[:2]).tolist() == [[1.0], [1.0]]


def test_data_are_not_copied_or_changed():
    for data in (X.copy(), np.asfortranarray(X)):
        data.flags.writeable = False
        kerneltron.Perceptron(random_state=0).fit(data, y)


def modules_after(statement):
    code = f"{statement}; import sys; print(*sys.modules)"
    return set(subprocess.check_output([sys.executable, "-c", code], text=True).split())


def test_imports_are_lazy():
    heavy = {"sklearn", "numba", "matplotlib", "rich", "scipy", "numpy", "pandas"}
    assert not heavy & modules_after("import kerneltron; dir(kerneltron)")
    loaded = modules_after("import kerneltron.training.trainer, kerneltron.models.primal")
    assert not {"sklearn", "rich", "matplotlib"} & loaded
    assert "matplotlib" not in modules_after("from kerneltron import Perceptron; Perceptron()")
