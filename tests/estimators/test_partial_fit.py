"""partial_fit: pieces equal at-once, classes that come late, progressive validation."""

from contextlib import nullcontext
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from kerneltron import LogisticRegression, Mira, PassiveAggressive, Pegasos, Perceptron, Romma, Winnow
from kerneltron.learning.targets.classification import columns_for, origins_of_columns
from tests.additive_rules import PEGASOS, PUBLISHED
from tests.oracle import loops, rules
from tests.strategies import general_problems, problems

EVERY = [
    Perceptron(),
    Perceptron(margin=0.5, init_scale=0.1),
    PassiveAggressive(**PUBLISHED),
    PassiveAggressive(variant="II", **PUBLISHED),
    Romma(),
    Romma(aggressive=True),
    Mira(**PUBLISHED),
    LogisticRegression(l2=0.1),
    LogisticRegression(l2=0.1, schedule="inverse"),
    Pegasos(l2=0.1),
    Winnow(),
    Winnow(balanced=True),
]


def state(learner):
    return {name: array.tobytes() for name, array in learner.model_.weights._asdict().items()}


def non_negative(learner, X):
    return np.abs(X) if isinstance(learner, Winnow) else X


@pytest.mark.parametrize("hypothesis", ["last", "average", "random"])
@pytest.mark.parametrize("learner", EVERY, ids=str)
@settings(max_examples=10, deadline=None)
@given(problem=general_problems(), cuts=st.lists(st.integers(0, 40), max_size=4), sparse=st.booleans())
def test_pieces_equal_at_once(learner, hypothesis, problem, cuts, sparse):
    X, codes, classes = problem
    X = non_negative(learner, X)
    X = sp.csr_matrix(X) if sparse else X
    learner.set_params(hypothesis=hypothesis, random_state=5, passes=1, shuffle=False)
    whole = clone(learner).fit(X, codes)
    pieces = clone(learner)
    edges = sorted({0, X.shape[0], *(cut for cut in cuts if cut < X.shape[0])})
    for start, stop in pairwise(edges):
        pieces.partial_fit(X[start:stop], codes[start:stop], classes=np.arange(classes))
    assert state(pieces) == state(whole)
    assert pieces.mistakes_.tolist() == whole.mistakes_.tolist()
    np.testing.assert_array_equal(pieces.coef_, whole.coef_)


@settings(max_examples=20, deadline=None)
@given(problem=problems(), cut=st.integers(1, 20))
def test_pieces_of_a_vote_equal_at_once(problem, cut):
    X, codes, classes = problem
    whole = Perceptron(hypothesis="vote", shuffle=False).fit(X, codes)
    pieces = Perceptron(hypothesis="vote")
    for start in range(0, len(X), cut):
        pieces.partial_fit(X[start : start + cut], codes[start : start + cut], classes=np.arange(classes))
    np.testing.assert_array_equal(pieces.decision_function(X), whole.decision_function(X))


def test_fit_goes_on_with_partial_fit():
    generator = np.random.default_rng(0)
    X, codes = generator.normal(size=(50, 4)), generator.integers(0, 3, 50)
    learner = Perceptron(shuffle=False, hypothesis="last").fit(X, codes).partial_fit(X, codes)
    again = Perceptron(shuffle=False, hypothesis="last", passes=2).fit(X, codes)
    np.testing.assert_array_equal(learner.coef_, again.coef_)
    assert learner.mistakes_.tolist() == again.mistakes_.tolist()
    learner.partial_fit(X[:10], codes[:10])
    assert len(learner.mistakes_) == 2  # a stream is one long pass


@settings(max_examples=30, deadline=None)
@given(problem=general_problems(max_classes=4))
def test_scores_before_each_update(problem):
    X, codes, classes = problem
    history, mistakes = loops.additive(rules.perceptron(), X, codes, columns_for(classes))
    learner = Perceptron(hypothesis="last").partial_fit(X[:1], codes[:1], classes=np.arange(classes))
    scores = learner.partial_fit_predict(X[1:], codes[1:])
    before = [loops.with_constant(X[t : t + 1], 1) @ history[t - 1] for t in range(1, len(X))]
    expected = np.concatenate(before)
    np.testing.assert_allclose(scores.reshape(len(X) - 1, -1), expected, atol=1e-9)
    assert learner.mistakes_.tolist() == [mistakes]
    if classes == 2:
        assert scores.ndim == 1


def test_progressive_validation_is_available_from_the_first_call():
    X, y = np.eye(3), np.array(["a", "b", "a"])
    scores = Perceptron(hypothesis="last").partial_fit_predict(X, y)
    assert scores.tolist() == [0.0, -1.0, 0.0]
    mean = Perceptron(hypothesis="average").partial_fit_predict(X, y)
    assert mean.tolist() == [0.0, -1.0, -0.5]  # of w_1 = (-1, 0, 0, -1) and w_2 = w_1 + (0, 1, 0, 1)


def test_two_classes_share_a_column_and_a_third_splits_it():
    generator = np.random.default_rng(1)
    X, codes = generator.normal(size=(40, 3)), generator.integers(0, 2, 40)
    names = np.array(["b", "d"])
    for learner in (Perceptron(), Pegasos(l2=0.1), Romma(), Perceptron(hypothesis="random", random_state=0)):
        learner.partial_fit(X, names[codes])
        w, clock = learner.coef_.copy(), learner.model_.weights.clock[0]
        learner.partial_fit(X[:1], ["c"], classes=["b", "c", "d"])
        assert learner.classes_.tolist() == ["b", "c", "d"]
        assert learner.model_.weights.clock.tolist() == [clock + 1] * 3
        assert learner.coef_.shape == (3, 3)
    last = Perceptron(hypothesis="last", fit_intercept=False).partial_fit(X, names[codes])
    w = last.coef_.copy()
    with pytest.warns(UserWarning, match="'c' came late"):
        last.partial_fit(X[:1], ["c"])
    np.testing.assert_array_equal(last.coef_, [-w[0], 0 * w[0], w[0]])


@pytest.mark.parametrize("hypothesis", ["last", "average", "vote", "random"])
def test_late_classes_equal_separate_columns(hypothesis):
    """After two classes, a late one begins at zero, and its clock is that of the others.

    The rows that introduce a class are not learned from.
    """
    generator = np.random.default_rng(2)
    X = generator.normal(size=(60, 3))
    codes = np.append(generator.integers(0, 2, 30), generator.integers(0, 4, 30))
    codes[30:34] = [3, 2, 3, 2]
    late = Perceptron(hypothesis=hypothesis, random_state=0).partial_fit(X[:30], codes[:30])
    with pytest.warns(UserWarning, match="3 came late"):
        late.partial_fit(X[30:], codes[30:])
    assert late.classes_.tolist() == [0, 1, 2, 3]
    scores = late.decision_function(X)
    assert scores.shape == (60, 4)
    if hypothesis == "random":
        return  # drawn at a tick of all, not of one
    share = {"last": 1.0, "average": 28 / 58, "vote": 28 / 58}[hypothesis]  # of the ticks that it was there
    for column in (2, 3):
        alone = Perceptron(hypothesis=hypothesis).partial_fit(X[32:], codes[32:] == column)
        expected = share * alone.decision_function(X) - (30 / 58 if hypothesis == "vote" else 0.0)
        np.testing.assert_allclose(scores[:, column], expected, atol=1e-12)
    learned = np.delete(np.arange(60), [30, 31])
    for column in (0, 1):
        alone = Perceptron(hypothesis=hypothesis)
        alone.partial_fit(X[learned], codes[learned] == column, classes=[False, True])
        np.testing.assert_allclose(scores[:, column], alone.decision_function(X), atol=1e-12)


@pytest.mark.parametrize(("first", "second"), [("a", "b"), ("b", "a")])
def test_a_stream_may_begin_with_one_class(first, second):
    generator = np.random.default_rng(3)
    X = generator.normal(size=(20, 3))
    y = np.array([first] * 10 + [second] * 10)
    learner = Perceptron().partial_fit(X[:10], y[:10])
    assert set(learner.predict(X)) == {first}
    learner.partial_fit(X[10:], y[10:])
    known = Perceptron().partial_fit(X[:10], y[:10], classes=["a", "b"]).partial_fit(X[10:], y[10:])
    np.testing.assert_array_equal(learner.coef_, known.coef_)
    assert learner.classes_.tolist() == ["a", "b"]


def test_every_learner_takes_late_classes():
    generator = np.random.default_rng(4)
    X = np.abs(generator.normal(size=(40, 3)))
    for example in EVERY:
        learner = clone(example)
        for label, comes_late in (("m", False), ("a", False), ("z", True), ("k", True)):
            with pytest.warns(UserWarning, match="came late") if comes_late else nullcontext():
                learner.partial_fit(X[:5], [label] * 5)
            assert np.isfinite(learner.decision_function(X)).all()
        assert learner.classes_.tolist() == ["a", "k", "m", "z"]


def test_sources_of_columns():
    one, two, three = np.array([1]), np.array([1, 2]), np.array([1, 2, 3])
    assert origins_of_columns(one, two) == [(0, 1.0)]
    assert origins_of_columns(one, np.array([0, 1])) == [(0, -1.0)]
    assert origins_of_columns(one, three) == [(0, -1.0), (0, 1.0), (0, 1.0)]
    assert origins_of_columns(two, three) == [(0, -1.0), (0, 1.0), (-1, 0.0)]
    assert origins_of_columns(three, np.array([1, 2, 3, 4])) == [(0, 1.0), (1, 1.0), (2, 1.0), (-1, 0.0)]


def test_parameters_set_between_calls_take_effect():
    settings = {"hypothesis": "last", "schedule": "constant", "l2": 0.0}
    learner = LogisticRegression(learning_rate=1.0, scale=False, **settings)
    learner.partial_fit(np.eye(3), [0, 1, 0])
    before = learner.coef_.copy()
    learner.set_params(learning_rate=1e-6).partial_fit(np.eye(3), [0, 1, 0])
    assert np.abs(learner.coef_ - before).max() < 1e-6
    with pytest.raises(ValueError, match="schedule cannot change"):
        learner.set_params(schedule="adaptive").partial_fit(np.eye(3), [0, 1, 0])
    with pytest.raises(ValueError, match="scale cannot change"):
        learner.set_params(schedule="constant", scale=True).partial_fit(np.eye(3), [0, 1, 0])
    learner.set_params(scale=False)
    with pytest.raises(ValueError, match="hypothesis cannot change"):
        learner.set_params(schedule="constant", hypothesis="average").partial_fit(np.eye(3), [0, 1, 0])


@settings(max_examples=25, deadline=None)
@given(problem=general_problems(), data=st.data())
def test_rows_of_weight_zero_do_not_exist(problem, data):
    X, codes, classes = problem
    there = np.array(data.draw(st.lists(st.booleans(), min_size=len(X), max_size=len(X))))
    there[:classes] = True
    for learner in (Pegasos(l2=0.1), Perceptron(), Romma(), LogisticRegression()):
        learner.set_params(shuffle=False)
        weighted = clone(learner).fit(X, codes, sample_weight=there.astype(float))
        removed = clone(learner).fit(X[there], codes[there])
        assert state(weighted) == state(removed)


def test_rows_of_weight_zero_are_not_held_out_either():
    generator = np.random.default_rng(0)
    X, codes = generator.normal(size=(200, 3)), generator.integers(0, 2, 200)
    weight = (np.arange(200) % 2).astype(float)
    codes[::2] = 7  # a class that is not there
    settings = {"early_stopping": True, "passes": 5, "random_state": 0, "class_weight": "balanced"}
    weighted = Perceptron(**settings).fit(X, codes, sample_weight=weight)
    removed = Perceptron(**settings).fit(X[1::2], codes[1::2])
    assert weighted.classes_.tolist() == [0, 1]
    np.testing.assert_array_equal(weighted.coef_, removed.coef_)
    np.testing.assert_array_equal(weighted.validation_scores_, removed.validation_scores_)


def test_a_class_of_weight_zero_rows_does_not_arrive():
    X, y = np.eye(4), np.array(["b", "a", "b", "z"])
    weighted = Perceptron().partial_fit(X, y, sample_weight=[1, 1, 1, 0])
    removed = Perceptron().partial_fit(X[:3], y[:3])
    assert weighted.classes_.tolist() == ["a", "b"]
    assert state(weighted) == state(removed)


@pytest.mark.parametrize("schedule", ["inverse", "constant", "adaptive"])
@pytest.mark.parametrize("hypothesis", ["last", "average"])
def test_no_example_touches_weights_outside_its_own_features(schedule, hypothesis):
    """Weights of absent features are poisoned: shrinking all of them lazily neither reads nor mends them."""
    generator = np.random.default_rng(0)
    X = sp.csr_matrix(np.hstack([generator.normal(size=(50, 3)), np.zeros((50, 2))]))
    for codes in (generator.integers(0, 2, 50), generator.integers(0, 3, 50)):
        settings = {"l2": 0.1, "learning_rate": 0.1, "schedule": schedule, "hypothesis": hypothesis}
        poisoned = LogisticRegression(**settings).partial_fit(X[:10], codes[:10], classes=np.unique(codes))
        healthy = LogisticRegression(**settings).partial_fit(X[:10], codes[:10], classes=np.unique(codes))
        columns = poisoned.model_.columns
        poisoned.model_.weights.v[3 * columns : 5 * columns] = np.nan
        for learner in (poisoned, healthy):
            learner.partial_fit(X[10:], codes[10:])
        assert np.isnan(poisoned.coef_[:, 3:]).all()
        np.testing.assert_array_equal(poisoned.coef_[:, :3], healthy.coef_[:, :3])


@settings(max_examples=25, deadline=None)
@given(problem=general_problems(), seed=st.integers(0, 99))
def test_weights_multiply_the_step(problem, seed):
    X, codes, classes = problem
    weight = np.random.default_rng(seed).uniform(0.5, 2, len(X))
    columns = columns_for(classes)
    for learner, rule in (
        (Perceptron(), rules.perceptron()),
        (Pegasos(l2=0.25, **PEGASOS), rules.pegasos(l2=0.25)),
        (PassiveAggressive(C=0.25, **PUBLISHED), rules.passive_aggressive("I", 0.25)),
        (PassiveAggressive(variant="II", C=0.25, **PUBLISHED), rules.passive_aggressive("II", 0.25)),
    ):
        history, _ = loops.additive(rule, X, codes, columns, importance=weight)
        learner.set_params(hypothesis="last", shuffle=False).fit(X, codes, sample_weight=weight)
        np.testing.assert_allclose(learner.coef_.T, history[-1][:-1], atol=1e-8)
    classed = Perceptron(class_weight=dict(enumerate(weight[:classes])), shuffle=False).fit(X, codes)
    sampled = Perceptron(shuffle=False).fit(X, codes, sample_weight=weight[codes])
    np.testing.assert_allclose(classed.coef_, sampled.coef_)
