"""Shallow copies of learners: whichever of both goes on learning, the other stays as it is."""

import copy
import threading

import numpy as np
import pytest

from kerneltron import LogisticRegression, ManyTasks, Perceptron
from kerneltron.estimators import _alone

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 4))
y = (X[:, 0] + 0.5 * X[:, 1] > 0).astype(int)
LEARNERS = {
    "primal": Perceptron(random_state=0, hypothesis="average"),
    "scaled": LogisticRegression(random_state=0),
    "mapped": Perceptron(kernel="Polynomial(2)", representation="primal", random_state=0),
    "vote": Perceptron(hypothesis="vote", random_state=0),
    "dual": Perceptron(kernel="Gaussian(3)", representation="dual", random_state=0),
    "budget": Perceptron(kernel="Gaussian(3)", budget=10, random_state=0),
    "tasks": ManyTasks(Perceptron(random_state=0)),
}


def labels(name):
    return np.stack([2 * y - 1, 1 - 2 * y], axis=1) if name == "tasks" else y


@pytest.mark.parametrize("name", LEARNERS)
def test_learning_with_a_shallow_copy_does_not_change_the_original(name):
    Y = labels(name)
    original = copy.deepcopy(LEARNERS[name]).partial_fit(X[:30], Y[:30])
    independent, before = copy.deepcopy(original), original.decision_function(X)
    copied = copy.copy(original)
    copied.partial_fit(X[30:] * 2, Y[30:][::-1])
    assert not np.array_equal(copied.decision_function(X), before)
    np.testing.assert_array_equal(copy.deepcopy(original).decision_function(X), before)
    after = copied.decision_function(X)
    original.partial_fit(X[30:], Y[30:])
    independent.partial_fit(X[30:], Y[30:])
    np.testing.assert_array_equal(original.decision_function(X), independent.decision_function(X))
    np.testing.assert_array_equal(copy.deepcopy(copied).decision_function(X), after)


def test_weights_are_copied_once_and_only_where_something_is_learned():
    original = Perceptron(random_state=0).partial_fit(X, y)
    copied = copy.copy(original)
    v = original.model_.weights.v
    assert copied.model_.weights.v is v
    copied.partial_fit(X, y)
    own = copied.model_.weights.v
    assert not np.shares_memory(own, v)
    copied.partial_fit(X, y)
    assert copied.model_.weights.v is own


def test_a_copy_of_a_learner_itself_is_as_independent():
    learner = Perceptron(random_state=0).fit(X, y).learner_
    before = learner.model.weights.u.copy()
    copied = copy.copy(learner)
    copied.model.restart_average()
    copied.model.measure()
    with copied.visiting(copied.model.read(X), undo=False):
        copied.learn(copied.examples(1 - y).visits(np.arange(len(y))))
    np.testing.assert_array_equal(learner.model.weights.u, before)
    assert copied.mistakes[-1] > learner.mistakes[-1]


def test_a_copy_from_the_middle_of_a_call_stays_as_it_was():
    copies = []

    def callback(learner, report):
        copies.append((copy.copy(learner), learner.model_.weights.v.copy()))

    Perceptron(random_state=0, passes=3, callback=callback).fit(X, RNG.permutation(y))
    assert not np.array_equal(copies[0][1], copies[-1][1])
    for copied, weights in copies:
        np.testing.assert_array_equal(copied.model_.weights.v, weights)


def test_a_learner_is_not_copied_while_another_thread_learns():
    learner = Perceptron(random_state=0).partial_fit(X, y)
    refused = []

    def attempt():
        with pytest.raises(RuntimeError, match="save or copy it when that call has ended") as caught:
            copy.copy(learner)
        refused.append(caught.value)

    with _alone.alone(learner):
        thread = threading.Thread(target=attempt)
        thread.start()
        thread.join()
    assert refused
    copy.copy(learner)
