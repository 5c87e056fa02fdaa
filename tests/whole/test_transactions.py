"""A call that fails, wherever it fails, leaves every byte of the learner as it was."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import kerneltron
from kerneltron import (
    LogisticRegression,
    ManyTasks,
    Mira,
    PassiveAggressive,
    Pegasos,
    Perceptron,
    Romma,
    Winnow,
)
from kerneltron.kernels import Gaussian

RNG = np.random.default_rng(0)
X = np.abs(np.round(RNG.normal(size=(40, 5)), 2)) * (RNG.random((40, 5)) < 0.6)
y = np.arange(40) % 3
WIDE = sp.csr_matrix((np.ones(80), RNG.integers(0, 5000, 80), np.arange(0, 81, 2)), shape=(40, 5000))
HOME = str(Path(kerneltron.__file__).parent)
ENGINE = str(Path(HOME) / "engine")  # is compiled: its functions are not entered
OUTSIDE = (
    "_alone.py",
    "undo.py",
    "shared_vectors.py",
)  # leaving these, a call has succeeded or failed already
GENERATOR = 0x20  # of co_flags; these are also entered to be thrown away
TASKS = np.where(y[:, None] == [0, 1], 1, -1)
DUAL = {"kernel": Gaussian(1.0), "representation": "dual"}
LEARNERS = {
    "perceptron": (Perceptron(), X, y),
    "sparse": (Perceptron(), WIDE, y),
    "sparse logistic": (LogisticRegression(), WIDE, y),
    "sparse pegasos": (Pegasos(l2=0.1), WIDE, y),
    "sparse romma": (Romma(), WIDE, y),
    "inverse": (LogisticRegression(schedule="inverse", l2=0.5), X, y),
    "mapped": (Perceptron(kernel="Polynomial(2)", representation="primal"), X, y),
    "vote": (Perceptron(hypothesis="vote"), WIDE, y),
    "random": (PassiveAggressive(hypothesis="random"), WIDE, y),
    "delta": (Perceptron(delta=0.5), X, y),
    "joint": (Mira(), WIDE, y),
    "winnow": (Winnow(balanced=True), abs(WIDE), y),
    "dual": (Perceptron(**DUAL), X, y),
    "dual vote": (Perceptron(hypothesis="vote", **DUAL), X, y),
    "tasks": (ManyTasks(Perceptron(**DUAL)), X, TASKS),
    "tasks apart": (ManyTasks(Perceptron()), X, TASKS),
}
CALLS = {
    "fit": lambda learner, X, y: learner.fit(X, y),
    "partial_fit": lambda learner, X, y: learner.partial_fit(X, y),
    "one row": lambda learner, X, y: learner.partial_fit(X[:1], y[:1]),
    "late class": lambda learner, X, y: learner.partial_fit(X[:3], [0, 1, 7]),
    "partial_fit_predict": lambda learner, X, y: learner.partial_fit_predict(X, y),
    "predict": lambda learner, X, y: learner.predict(X),
}


class Injected(BaseException):
    """Stands for anything that can go wrong, an interrupt included."""


def run(call, fail_at):
    """Make a call and let the fail_at-th function of the library that it enters fail; tell if one did."""
    entered = 0

    def watch(frame, event, argument):
        nonlocal entered
        name, flags = frame.f_code.co_filename, frame.f_code.co_flags
        ours = name.startswith(HOME) and not name.startswith(ENGINE) and not name.endswith(OUTSIDE)
        if event == "call" and ours and not flags & GENERATOR:
            entered += 1
            if entered == fail_at:
                sys.settrace(None)
                raise Injected

    sys.settrace(watch)
    try:
        call()
    except Injected:
        return True
    finally:
        sys.settrace(None)
    return False


def content(learner, folder):
    path = folder / "learner.model"
    learner.save(path)
    return path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.filterwarnings("ignore:.*late.*:UserWarning")
def test_a_failure_at_any_step_of_a_call_leaves_no_trace(name, call, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda file: None)  # hundreds of files
    learner, rows, labels = LEARNERS[name]
    if isinstance(learner, ManyTasks) and call in ("late class", "partial_fit_predict"):
        pytest.skip("tasks have no such call")
    learner = kerneltron_clone(learner).fit(rows, labels)
    before, scores = content(learner, tmp_path), learner.decision_function(rows)
    fail_at, failed = 1, True
    while failed:
        failed = run(lambda: CALLS[call](learner, rows, labels), fail_at)
        if failed:
            assert content(learner, tmp_path) == before, fail_at
            np.testing.assert_array_equal(learner.decision_function(rows), scores)
        fail_at += 1 + fail_at // 20
    assert fail_at > 5


def kerneltron_clone(learner):
    from sklearn.base import clone

    learner = clone(learner)
    inner = learner.learner if isinstance(learner, ManyTasks) else learner
    inner.set_params(random_state=0)
    return learner


def test_a_row_beyond_a_map_in_a_later_block_undoes_the_earlier_ones(tmp_path):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(700, 4)), rng.integers(0, 2, 700)
    learner = Perceptron(kernel="Polynomial(2)", representation="primal", random_state=0).fit(X, y)
    before = content(learner, tmp_path)
    X[650] = 1e200
    with pytest.raises(ValueError, match="beyond what"):
        learner.partial_fit(X, y)
    assert content(learner, tmp_path) == before
    assert not learner.model_.is_busy
    learner.partial_fit(X[:600], y[:600])


@pytest.mark.parametrize("learner", [LogisticRegression(schedule="constant", l2=0.9), Pegasos(l2=3.0)])
def test_a_fold_of_all_weights_is_undone_too(learner, tmp_path, monkeypatch):
    X = sp.vstack([sp.csr_matrix((1, 5000))] * 400 + [WIDE], "csr")
    y = np.arange(440) % 2
    learner.set_params(random_state=0, fit_intercept=False).fit(WIDE, np.arange(40) % 2)
    before = content(learner, tmp_path)
    follow = type(learner.model_.hypothesis).follow

    def failing(self, *arguments):
        follow(self, *arguments)
        raise Injected

    monkeypatch.setattr(type(learner.model_.hypothesis), "follow", failing)
    with pytest.raises(Injected):
        learner.partial_fit(X, y)
    monkeypatch.undo()
    assert content(learner, tmp_path) == before


@pytest.mark.parametrize(
    "wrong",
    [{"margin": 2.0, "nothing": 1}, {"margin": 2.0, "kernel__sigma": 1.0}, {"kernel": 3, "kernel__c": 1}],
)
def test_parameters_are_set_all_or_none(wrong):
    learner = Perceptron(kernel="Polynomial(2)")
    before = learner.get_params()
    with pytest.raises((ValueError, TypeError)):
        learner.set_params(**wrong)
    assert learner.get_params() == before
