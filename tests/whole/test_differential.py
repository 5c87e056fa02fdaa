"""The same in two ways: primal and dual, single and double precision, CSR and dense, pieces and at once.

The data are awkward: empty rows, equal rows with opposite labels, weights of 0, columns of zeros, columns of
1e-30, rows of 1e-30 and 1e30, three classes of which one is rare. Where all numbers are small and whole,
nothing is rounded, and decisions are compared mistake for mistake and vector for vector. Elsewhere scores
are, relative to the largest, up to the tolerance that stands in each test: a rule that repairs a margin
leaves equal rows at exactly 1 and classes at equal scores, and on which side they are, rounding decides.
ROMMA's coefficients in dual form lose digits with each mistake (see `tests/models/test_arithmetic.py`).
"""

from typing import NamedTuple

import numpy as np
import pytest
import scipy.sparse as sp

from kerneltron import LogisticRegression, Mira, PassiveAggressive, Pegasos, Perceptron, Romma, Winnow
from tests.additive_rules import ADAGRAD, PEGASOS, PUBLISHED

pytestmark = pytest.mark.slow

DUAL = {"representation": "dual"}
LEARNERS = {
    "perceptron": (Perceptron, {"learning_rate": 0.5}),
    "margin": (Perceptron, {"margin": 2.0}),
    "PA-0": (PassiveAggressive, {"variant": "0", **PUBLISHED}),
    "PA-I": (PassiveAggressive, {"variant": "I", "C": 0.25, **PUBLISHED}),
    "PA-II": (PassiveAggressive, {"variant": "II", "C": 0.25, **PUBLISHED}),
    "ROMMA": (Romma, {}),
    "aggressive": (Romma, {"aggressive": True}),
    "MIRA": (Mira, {"C": 0.25, **PUBLISHED}),
    "pegasos": (Pegasos, {"l2": 0.25, **PEGASOS}),
    "logistic": (LogisticRegression, {"schedule": "inverse", "l2": 0.25, "learning_rate": 1.0, **PUBLISHED}),
}
PRIMAL_ONLY = {
    "adaptive": (LogisticRegression, {"schedule": "adaptive", "l2": 0.25, **ADAGRAD}),
    "adaptive hinge": (Pegasos, {"schedule": "adaptive", "l2": 0.25, **ADAGRAD}),
    "scaled": (LogisticRegression, {"l2": 0.25, "passes": 1}),
    "scaled PA": (PassiveAggressive, {"scale": True, "passes": 1}),
    "winnow": (Winnow, {"threshold": 2.0}),
    "balanced": (Winnow, {"threshold": 2.0, "balanced": True}),
}
EXACT = ("perceptron", "margin")  # their vectors are sums of rows and halves of rows
LOSING = ("ROMMA", "aggressive")
VOTING = ("perceptron", "margin", "PA-0", "PA-I", "PA-II", "ROMMA", "aggressive")


class Awkward(NamedTuple):
    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray


def spoiled(generator, X, classes):
    """Return rows with all that data may hold, and labels: the last of three classes is rare."""
    n = len(X)
    shares = [0.5, 0.5] if classes == 2 else [0.5, 0.45, 0.05]
    y = generator.choice(classes, n, p=shares)
    y[:classes] = np.arange(classes)
    X[:, -1] = 0.0
    X[generator.random(n) < 0.2] = 0.0
    X[1::5], y[1::5] = X[0::5][: len(X[1::5])], (y[0::5][: len(X[1::5])] + 1) % classes
    y[:classes] = np.arange(classes)
    weight = generator.integers(0, 3, n).astype(float)
    weight[:classes] = 1.0
    return Awkward(X, y, weight)


def untied(data):
    """Leave out the copies of rows with another label: MIRA may tie their classes, and rounding decides."""
    weight = data.weight.copy()
    weight[1::5] *= np.arange(1, len(weight), 5) < len(np.unique(data.y))
    return data._replace(weight=weight)


def whole(count):
    """Yield problems of small whole numbers, on which float32 makes no error, each with a generator."""
    for seed in range(count):
        generator = np.random.default_rng(seed)
        n, d = generator.integers(6, 60), generator.integers(2, 6)
        X = generator.integers(-2, 3, (n, d)).astype(float)
        yield spoiled(generator, X, 2 + seed % 2), generator


def real(count):
    """Yield problems of Gaussian numbers, of single precision so that both precisions see the same rows."""
    for seed in range(count):
        generator = np.random.default_rng(seed)
        n, d = generator.integers(6, 60), generator.integers(4, 7)
        X = generator.normal(size=(n, d))
        X[:, 0] *= generator.choice([1e-30, 1.0])
        yield spoiled(generator, X.astype(np.float32).astype(float), 2 + seed % 2), generator


def made(name, hypothesis="last", **more):
    kind, parameters = (LEARNERS | PRIMAL_ONLY)[name]
    if kind is Winnow:
        more = {key: value for key, value in more.items() if key != "fit_intercept"}
    return kind(**parameters, **more, hypothesis=hypothesis, shuffle=False, random_state=0)


def rows_for(name, X):
    return np.abs(X) if name in ("winnow", "balanced") else X


def learned(learner, data, X=None, pieces=0):
    """Return the learner after one pass by `fit`, or by `partial_fit` in pieces of so many rows."""
    X = data.X if X is None else X
    if not pieces:
        return learner.fit(X, data.y, data.weight)
    classes = np.unique(data.y)
    for first in range(0, len(data.y), pieces):
        part = slice(first, first + pieces)
        if not data.weight[part].any():  # which is refused
            continue
        learner.partial_fit(X[part], data.y[part], classes=classes, sample_weight=data.weight[part])
    return learner


def mistakes(learner):
    return int(np.sum(learner.mistakes_))


def scores(learner, X):
    return learner.decision_function(X).reshape(X.shape[0], -1).astype(float)


def assert_alike(found, expected, X, tolerance, Z=None):
    a, b = scores(found, X if Z is None else Z), scores(expected, X)
    largest = np.abs(b).max(initial=0.0) or 1.0
    np.testing.assert_allclose(a / largest, b / largest, atol=tolerance, rtol=0)


def hypotheses_of(name):
    return ["last", "average", "random"] + ["vote"] * (name in VOTING)


CASES = [(name, hypothesis) for name in LEARNERS for hypothesis in hypotheses_of(name)]
ALL = CASES + [(name, hypothesis) for name in PRIMAL_ONLY for hypothesis in hypotheses_of(name)]


# -- primal and dual ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXACT)
def test_dual_form_is_the_primal_form_mistake_for_mistake(name):
    for data, generator in whole(25):
        bias = bool(generator.integers(2))
        pieces = generator.choice([0, 1, 7])
        single = bool(generator.integers(2))
        X = data.X.astype(np.float32) if single else data.X
        for hypothesis in hypotheses_of(name):
            primal = learned(made(name, hypothesis, fit_intercept=bias), data, X, pieces)
            dual = learned(made(name, hypothesis, fit_intercept=bias, **DUAL), data, X, pieces)
            assert mistakes(primal) == mistakes(dual)
            np.testing.assert_array_equal(primal.model_.weights.clock, dual.model_.weights.clock)
            np.testing.assert_array_equal(primal.model_.weights.updates, dual.model_.weights.updates)
            assert_alike(dual, primal, X, 1e-6 if single else 1e-12)


@pytest.mark.parametrize(("name", "hypothesis"), CASES)
def test_dual_form_is_the_primal_form(name, hypothesis):
    for data, generator in real(8):
        bias = bool(generator.integers(2))
        pieces = generator.choice([0, 7])
        primal = learned(made(name, hypothesis, fit_intercept=bias), data, pieces=pieces)
        dual = learned(made(name, hypothesis, fit_intercept=bias, **DUAL), data, pieces=pieces)
        assert abs(mistakes(primal) - mistakes(dual)) <= 1
        np.testing.assert_array_equal(primal.model_.weights.clock, dual.model_.weights.clock)
        assert_alike(dual, primal, data.X, 1e-8 if name in LOSING else 1e-12)


# -- single and double precision ---------------------------------------------------------------------


@pytest.mark.parametrize("name", EXACT)
def test_single_precision_decides_as_double_does_on_whole_numbers(name):
    for data, generator in whole(25):
        bias = bool(generator.integers(2))
        dual = bool(generator.integers(2))
        form = {"fit_intercept": bias} | (DUAL if dual else {})
        double = learned(made(name, **form), data)
        single = learned(made(name, **form), data, data.X.astype(np.float32))
        assert mistakes(single) == mistakes(double)
        np.testing.assert_array_equal(scores(single, data.X.astype(np.float32)), scores(double, data.X))


@pytest.mark.parametrize("name", [*LEARNERS, *PRIMAL_ONLY])
@pytest.mark.parametrize("hypothesis", ["last", "average"])
def test_single_precision_is_close_to_double(name, hypothesis):
    for data, generator in real(8):
        bias = bool(generator.integers(2))
        dual = bool(generator.integers(2)) and name not in LOSING
        size = generator.choice([1e-30, 1.0, 1e30])
        X = rows_for(name, data.X * (1.0 if name in PRIMAL_ONLY else size)).astype(np.float32)
        form = {"fit_intercept": bias} | (DUAL if dual and name in LEARNERS else {})
        double = learned(made(name, hypothesis, **form), data, X.astype(float))
        single = learned(made(name, hypothesis, **form), data, X)
        if mistakes(single) == mistakes(double):  # else a score that is 0 but for rounding decided
            assert_alike(single, double, X.astype(float), 1e-4, Z=X)
        else:
            assert abs(mistakes(single) - mistakes(double)) <= 2


# -- CSR and dense -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "hypothesis"), ALL)
def test_csr_rows_are_dense_rows(name, hypothesis):
    for data, generator in real(8):
        bias = bool(generator.integers(2))
        dual = bool(generator.integers(2))
        pieces = generator.choice([0, 7])
        form = {"fit_intercept": bias} | (DUAL if dual and name in LEARNERS else {})
        X, seen = rows_for(name, data.X), untied(data) if name == "MIRA" else data
        dense = learned(made(name, hypothesis, **form), seen, X, pieces)
        sparse = learned(made(name, hypothesis, **form), seen, sp.csr_matrix(X), pieces)
        assert mistakes(sparse) == mistakes(dense)
        assert_alike(sparse, dense, X, 1e-9, Z=sp.csr_matrix(X))


@pytest.mark.parametrize("name", EXACT)
def test_csr_rows_are_dense_rows_to_the_last_bit_on_whole_numbers(name):
    for data, generator in whole(25):
        bias = bool(generator.integers(2))
        dual = bool(generator.integers(2))
        form = {"fit_intercept": bias} | (DUAL if dual else {})
        dense = learned(made(name, **form), data)
        sparse = learned(made(name, **form), data, sp.csr_matrix(data.X))
        np.testing.assert_array_equal(scores(sparse, data.X), scores(dense, data.X))


# -- pieces and at once ------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "hypothesis"), ALL)
def test_pieces_are_the_whole(name, hypothesis):
    for data, generator in real(8):
        bias = bool(generator.integers(2))
        dual = bool(generator.integers(2))
        pieces = generator.choice([1, 7, 30])
        form = {"fit_intercept": bias} | (DUAL if dual and name in LEARNERS else {})
        X = rows_for(name, data.X)
        once = learned(made(name, hypothesis, **form), data, X)
        cut = learned(made(name, hypothesis, **form), data, X, pieces)
        assert mistakes(cut) == mistakes(once)
        np.testing.assert_array_equal(cut.model_.weights.clock, once.model_.weights.clock)
        if "representation" in form:
            assert_alike(cut, once, X, 1e-8 if name in LOSING else 1e-12)
        else:
            np.testing.assert_array_equal(scores(cut, X), scores(once, X))


# -- rows of any size --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["perceptron", "PA-0", "ROMMA"])
@pytest.mark.parametrize("dual", [False, True])
def test_the_unit_of_the_rows_changes_no_decision(name, dual):
    """Rows times a power of two, without a constant feature: all scores of these rules scale, or stay."""
    for data, generator in real(10):
        size = generator.choice([-100, -60, 60, 100])
        single = bool(generator.integers(2)) and not (dual and name in LOSING)
        form = {"fit_intercept": False} | (DUAL if dual else {})
        X = data.X.astype(np.float32) if single else data.X
        X = np.where(np.abs(X) < 1e-20, 0, X)
        plain = learned(made(name, **form), data, X)
        scaled = learned(made(name, **form), data, np.ldexp(X, size))
        assert abs(mistakes(scaled) - mistakes(plain)) <= (0 if name in EXACT and not single else 1)
        np.testing.assert_array_equal(scaled.predict(np.ldexp(X, size)), plain.predict(X))
