"""Learners that doors hand strange rows to, and what must hold whatever comes."""

import warnings
from contextlib import contextmanager
from copy import deepcopy
from functools import cache

import numpy as np

from kerneltron import LogisticRegression, Mira, PassiveAggressive, Pegasos, Perceptron, Winnow

WIDTH = 5
GOOD = np.abs(np.round(np.random.default_rng(0).normal(size=(40, WIDTH)), 2))
LABELS = np.arange(40) % 3
LEARNERS = {
    "primal": Perceptron(random_state=0),
    "adaptive": LogisticRegression(random_state=0),
    "pegasos": Pegasos(random_state=0, hypothesis="last"),
    "mapped": PassiveAggressive(kernel="Polynomial(2)", representation="primal", random_state=0),
    "vote": Perceptron(hypothesis="vote", random_state=0),
    "dual": Perceptron(kernel="Gaussian(1)", representation="dual", random_state=0),
    "dual vote": Perceptron(kernel="Polynomial(2)", representation="dual", hypothesis="vote", random_state=0),
    "subsets": Perceptron(kernel="AllSubsets(2)", representation="dual", random_state=0),
    "delta": Perceptron(delta=0.5, random_state=0),
    "joint": Mira(random_state=0),
    "winnow": Winnow(random_state=0),
}
REFUSALS = (ValueError, TypeError)


@cache
def _fitted(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return LEARNERS[name].fit(GOOD, LABELS)


def some_learner(rng):
    """Return a fitted learner that may be spoiled."""
    return deepcopy(_fitted(str(rng.choice(list(LEARNERS)))))


@contextmanager
def refused_or_sound(learner):
    """Let a call succeed, or be refused; then the learner must be as it was. It scores finite numbers."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        before = learner.decision_function(GOOD)
        try:
            yield
        except REFUSALS as error:
            assert str(error).strip(), "an error without a word"  # noqa: PT017 - there need not be one
            np.testing.assert_array_equal(learner.decision_function(GOOD), before)
    X = np.resize(GOOD, (40, learner.n_features_in_))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # names of columns
        assert np.isfinite(learner.decision_function(X)).all()


def use(learner, rng, X, y=LABELS):
    """Hand rows to some call of a learner."""
    calls = {
        "predict": lambda: learner.predict(X),
        "decision_function": lambda: learner.decision_function(X),
        "partial_fit": lambda: learner.partial_fit(X, y),
        "partial_fit_predict": lambda: learner.partial_fit_predict(X, y),
        "fit": lambda: learner.fit(X, y),
        "score": lambda: learner.score(X, y),
    }
    name = str(rng.choice(list(calls)))
    answer = calls[name]()
    if name in ("predict", "decision_function", "partial_fit_predict"):
        rows = X.shape[0] if hasattr(X, "shape") else len(X)
        assert len(answer) == rows
