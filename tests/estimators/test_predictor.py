"""`learner.predictor()`: equal to the learner when it was made, for good, from any thread."""

import pickle
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

import kerneltron
from kerneltron import SVM, LogisticRegression, Mira, PassiveAggressive, Pegasos, Perceptron, Winnow
from kerneltron.kernels import Gaussian, Spectrum

RNG = np.random.default_rng(0)
X = np.abs(RNG.normal(size=(80, 4))) * [1, 5, 1, 1] + [0, 0, 3, 0]  # Winnow takes no negative numbers
THREE = np.array(["a", "b", "c"])[(X[:, 0] > 0.7).astype(int) + (X[:, 3] > 0.7)]
LABELS = {"two": np.where(THREE == "a", "a", "c"), "three": THREE}
DUAL = {"kernel": Gaussian(2.0)}
FORMS = {
    "weights": {},
    "examples": DUAL,
    "listed": {"kernel": "Polynomial(2)", "representation": "primal"},
    "fourier": {**DUAL, "representation": "RandomFourier(20)"},
    "nystrom": {**DUAL, "representation": "Nystrom(10)"},
    "budget": {**DUAL, "budget": 15},
}
SKETCHED = {**DUAL, "budget": 10, "when_full": "sketch"}
HYPOTHESES = ("last", "average", "auto", "random", "vote")
CASES = {
    **{
        f"Perceptron, {form}, {name}": Perceptron(hypothesis=name, **parameters)
        for form, parameters in FORMS.items()
        for name in HYPOTHESES
        if form != "budget" or name in ("last", "average", "auto")
    },
    "sketch": Perceptron(hypothesis="last", **SKETCHED),
    "scaled": LogisticRegression(),
    "no constant": Pegasos(fit_intercept=False),
    "delta": PassiveAggressive(delta=0.5),
    "joint": Mira(**DUAL),
    "multiplies": Winnow(),
    "machine": SVM(**DUAL),
    "machine in primal form": SVM(C=0.1),
    "sum": SVM(kernel="Gaussian(2.0) + 0.1 * Polynomial(2).normalized()"),
}
every_case = pytest.mark.parametrize("name", CASES)


@cache
def fitted(name, classes):
    learner = pickle.loads(pickle.dumps(CASES[name])).set_params(random_state=0)
    return learner.fit(X[:60], LABELS[classes][:60])


def assert_equal(predictor, learner, rows):
    labels, scores, p = (
        getattr(learner, name)(rows) for name in ("predict", "decision_function", "predict_proba")
    )
    np.testing.assert_array_equal(predictor(rows), labels)
    np.testing.assert_array_equal(predictor.decision_function(rows), scores)
    np.testing.assert_array_equal(predictor.predict_proba(rows), p)


@every_case
@pytest.mark.parametrize("classes", LABELS)
def test_it_is_what_the_learner_predicts(name, classes):
    learner = fitted(name, classes)
    predictor = learner.predictor()
    assert_equal(predictor, learner, X)
    assert_equal(predictor, learner, X[70:71])
    assert_equal(pickle.loads(pickle.dumps(predictor)), learner, X[60:])
    row, one = X[70], learner.predict(X[70:71])
    assert predictor(row) == predictor.predict(row) == one[0]
    assert np.shape(predictor.decision_function(row)) == (() if classes == "two" else (3,))
    np.testing.assert_array_equal(predictor.predict_proba(row), learner.predict_proba(X[70:71])[0])


@every_case
def test_learning_on_does_not_change_it(name):
    learner = pickle.loads(pickle.dumps(CASES[name])).set_params(random_state=0)
    if name == "machine in primal form":
        learner.fit(X[:60], THREE[:60])
    else:
        learner.partial_fit(X[:60], THREE[:60])
    predictor = learner.predictor()
    scores, p = predictor.decision_function(X), predictor.predict_proba(X)
    np.testing.assert_array_equal(scores, learner.decision_function(X))
    if name == "machine in primal form":
        learner.fit(X[:60], THREE[:60][::-1])
    else:
        for i in range(60, 80):
            learner.partial_fit(X[i : i + 1], THREE[79 - i : 80 - i])
    np.testing.assert_array_equal(predictor.decision_function(X), scores)
    np.testing.assert_array_equal(predictor.predict_proba(X), p)
    assert not np.array_equal(learner.decision_function(X), scores)


def test_one_class_alone_is_what_it_predicts():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learner = Perceptron(random_state=0).partial_fit(X[:5], ["a"] * 5)
    assert_equal(learner.predictor(), learner, X)
    assert learner.predictor()(X[0]) == "a"


@pytest.mark.parametrize("form", ["weights", "examples", "fourier"])
def test_single_precision_is_that_of_the_learner(form):
    rows = X.astype(np.float32)
    learner = Perceptron(random_state=0, **FORMS[form]).fit(rows[:60], THREE[:60])
    for given in (rows, X):
        assert_equal(learner.predictor(), learner, given)


def test_sparse_rows_do_with_weights():
    learner = fitted("scaled", "three")
    np.testing.assert_array_equal(learner.predictor()(sp.csr_matrix(X)), learner.predict(sp.csr_matrix(X)))


def test_kernels_over_strings_take_sequences():
    words = ["abab", "baba", "cdcd", "dcdc"]
    learner = Perceptron(kernel=Spectrum(2), random_state=0).fit(words, [0, 0, 1, 1])
    predictor = learner.predictor()
    assert predictor(["abab", "cdcd"]).tolist() == [0, 1]
    with pytest.raises(TypeError):
        predictor(7)


def test_a_given_gram_matrix_does():
    gram = Gaussian(2.0)(X)
    learner = SVM(kernel="precomputed", random_state=0).fit(gram[:60, :60], THREE[:60])
    assert_equal(learner.predictor(), learner, gram[60:, :60])


def test_before_fitting_there_is_none():
    with pytest.raises(NotFittedError):
        Perceptron().predictor()


def test_probabilities_that_are_not_there_are_refused():
    learner = Perceptron(random_state=0).fit(X, THREE)
    learner.learner_.calibration = None  # as from a file of an older version
    predictor = learner.predictor()
    np.testing.assert_array_equal(predictor(X), learner.predict(X))
    with pytest.raises(ValueError, match="older version"):
        predictor.predict_proba(X)


THREADED = ["scaled", "machine", "Perceptron, fourier, average", "Perceptron, examples, vote"]


@pytest.mark.parametrize("name", THREADED)
def test_two_threads_get_what_one_does(name):
    predictor = fitted(name, "three").predictor()
    expected = predictor.decision_function(X)

    def rows(repeat):
        return np.array([predictor.decision_function(row) for row in X[repeat % 3 :: 3]])

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(rows, range(12)))
    alone = [rows(repeat) for repeat in range(3)]
    for repeat, some in enumerate(found):
        np.testing.assert_array_equal(some, alone[repeat % 3])
        np.testing.assert_allclose(some, expected[repeat % 3 :: 3], rtol=1e-10, atol=1e-10)


@pytest.mark.filterwarnings("ignore:the relative duality gap")
def test_every_classifier_has_one():
    made = [getattr(kerneltron, name) for name in kerneltron.__all__]
    classifiers = [each for each in made if isinstance(each, type) and hasattr(each, "method_type")]
    assert len(classifiers) >= 10
    for each in classifiers:
        learner = each(random_state=0, passes=2).fit(X, LABELS["two"])
        np.testing.assert_array_equal(learner.predictor()(X), learner.predict(X))
