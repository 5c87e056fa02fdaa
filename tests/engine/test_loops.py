"""Every compiled loop against slow, obvious Python, mistake for mistake and weight for weight."""

from itertools import pairwise
from math import inf

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron import LogisticRegression, Mira, PassiveAggressive, Pegasos, Perceptron, Romma, Winnow
from kerneltron.engine.joint import joint_steps
from kerneltron.engine.structure import increasing, repeated
from tests.additive_rules import ADAGRAD, ADDITIVE, PEGASOS, PUBLISHED, columns_of
from tests.oracle import loops, rules
from tests.strategies import LAYOUTS, general_problems, problems

PLAIN = {"shuffle": False, "passes": 1}
STEADY = ["perceptron", "margin"]  # exact in small integers
VOTING = [name for name in ADDITIVE if "logistic" not in name and "pegasos" not in name]


def with_constant(bias, X):
    """Without empty rows only: the constant alone would make them equal, and leave margins at exactly 1."""
    return bias and bool(X.any(axis=1).all())


def matrix(learner):
    return np.vstack([learner.coef_.T, learner.intercept_])


@pytest.mark.parametrize("name", ADDITIVE)
@settings(max_examples=40, deadline=None)
@given(
    problem=general_problems(empty=0.3), bias=st.booleans(), layout=st.sampled_from(["dense", "csr", "csr64"])
)
def test_additive_rules_follow_their_formulas(name, problem, bias, layout):
    kind, parameters, rule = ADDITIVE[name]
    X, codes, classes = problem
    bias = with_constant(bias, X)
    history, mistakes = loops.additive(rule, X, codes, columns_of(classes), bias)
    learner = kind(hypothesis="last", fit_intercept=bias, **parameters, **PLAIN)
    learner.fit(LAYOUTS[layout](X), codes)
    np.testing.assert_allclose(matrix(learner), history[-1], rtol=1e-6, atol=1e-8)
    assert learner.mistakes_.tolist() == [mistakes]


@pytest.mark.parametrize("name", STEADY)
@settings(max_examples=40, deadline=None)
@given(problem=problems(), bias=st.booleans(), layout=st.sampled_from(list(LAYOUTS)))
def test_decisions_are_exact_where_arithmetic_is(name, problem, bias, layout):
    kind, parameters, rule = ADDITIVE[name]
    X, codes, classes = problem
    history, mistakes = loops.additive(rule, X, codes, columns_of(classes), bias)
    learner = kind(hypothesis="last", fit_intercept=bias, **parameters, **PLAIN)
    learner.fit(LAYOUTS[layout](X), codes)
    np.testing.assert_array_equal(matrix(learner), history[-1])
    assert learner.mistakes_.tolist() == [mistakes]


@pytest.mark.parametrize("aggressive", [False, True])
def test_romma_starts_anew_where_its_two_demands_contradict(aggressive):
    X, codes = np.array([[0.0, 1.0], [0.0, 2.0]]), np.array([1, 0])
    learner = Romma(aggressive=aggressive, fit_intercept=False, hypothesis="last", **PLAIN).fit(X, codes)
    np.testing.assert_allclose(learner.coef_, [[0.0, -0.5]])


@pytest.mark.parametrize("name", ADDITIVE)
@settings(max_examples=25, deadline=None)
@given(problem=general_problems(empty=0.3), layout=st.sampled_from(["dense", "csr"]), bias=st.booleans())
def test_average_is_the_naive_mean_of_all_vectors(name, problem, layout, bias):
    kind, parameters, rule = ADDITIVE[name]
    X, codes, classes = problem
    bias = with_constant(bias, X)
    history, _ = loops.additive(rule, X, codes, columns_of(classes), bias)
    learner = kind(hypothesis="average", fit_intercept=bias, **parameters, **PLAIN)
    learner.fit(LAYOUTS[layout](X), codes)
    np.testing.assert_allclose(matrix(learner), loops.average(history), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", VOTING)
@settings(max_examples=25, deadline=None)
@given(problem=general_problems(empty=0.3), layout=st.sampled_from(["dense", "csr"]), bias=st.booleans())
def test_vote_is_the_naive_vote_of_all_vectors(name, problem, layout, bias):
    kind, parameters, rule = ADDITIVE[name]
    X, codes, classes = problem
    bias = with_constant(bias, X)
    history, _ = loops.additive(rule, X, codes, columns_of(classes), bias)
    learner = kind(hypothesis="vote", fit_intercept=bias, **parameters, **PLAIN)
    votes = learner.fit(LAYOUTS[layout](X), codes).decision_function(X).reshape(len(X), -1)
    np.testing.assert_allclose(votes, loops.vote(history, X, bias), atol=1e-12)


def test_vote_of_several_passes_and_of_random_initial_weights():
    generator = np.random.default_rng(3)
    X, codes = generator.normal(size=(60, 5)), generator.integers(0, 3, 60)
    learner = Perceptron(hypothesis="vote", passes=3, shuffle=False, init_scale=0.1, random_state=1)
    learner.fit(X, codes)
    start = learner.model_._start
    assert np.abs(start).max() > 0
    history, mistakes = loops.additive(
        rules.perceptron(), np.tile(X, (3, 1)), np.tile(codes, 3), 3, start=start
    )
    np.testing.assert_allclose(learner.decision_function(X), loops.vote(history, X), atol=1e-12)
    assert learner.mistakes_.sum() == mistakes
    assert learner.model_._remembered.count <= 60  # a row is remembered once, however often it was missed


@pytest.mark.parametrize("kind", [LogisticRegression, Pegasos])
@settings(max_examples=25, deadline=None)
@given(
    problem=general_problems(empty=0.3),
    layout=st.sampled_from(["dense", "csr"]),
    mean=st.booleans(),
    bias=st.booleans(),
)
def test_adaptive_steps_follow_their_definition(kind, problem, layout, mean, bias):
    X, codes, classes = problem
    bias = with_constant(bias, X)
    slope = loops.sigmoid_slope if kind is LogisticRegression else loops.hinge_slope
    history = loops.adaptive(slope, X, codes, columns_of(classes), 0.5, 0.25, bias)
    steps = {"schedule": "adaptive", "learning_rate": 0.5, "l2": 0.25, "fit_intercept": bias}
    learner = kind(**steps, hypothesis="average" if mean else "last", shuffle=False, **PUBLISHED)
    learner.fit(LAYOUTS[layout](X), codes)
    naive = loops.average(history) if mean else history[-1]
    np.testing.assert_allclose(matrix(learner), naive, rtol=1e-6, atol=1e-8)


@settings(max_examples=60, deadline=None)
@given(
    scores=st.lists(st.floats(-3, 3), min_size=3, max_size=6),
    q=st.floats(0.1, 5),
    C=st.sampled_from([0.1, 1.0, inf]),
)
def test_joint_steps_solve_the_quadratic_programme(scores, q, C):
    steps = np.array(scores)
    joint_steps(steps, 1, q, C)
    assert steps.sum() == pytest.approx(0, abs=1e-9)
    assert steps[1] <= C / 2 + 1e-12
    reference = loops.joint_step(np.array(scores), 1, q, min(C, 100))
    np.testing.assert_allclose(steps, reference, atol=2e-4)

    def objective(tau):
        after = np.array(scores) + q * tau
        return q * np.sum(tau**2) + min(C, 100) * max(0, np.max(1 - after[1] + np.delete(after, 1)))

    assert objective(steps) <= objective(reference) + 1e-6


@settings(max_examples=30, deadline=None)
@given(
    problem=problems(min_value=0),
    balanced=st.booleans(),
    mean=st.booleans(),
    layout=st.sampled_from(["dense", "csr"]),
)
def test_winnow_multiplies(problem, balanced, mean, layout):
    X, codes, classes = problem
    history, mistakes = loops.winnow(X, codes, columns_of(classes), 2.0, 0.5, X.shape[1] / 2, balanced)
    hypothesis = "average" if mean else "last"
    learner = Winnow(threshold=X.shape[1] / 2, balanced=balanced, hypothesis=hypothesis, **PLAIN)
    learner.fit(LAYOUTS[layout](X), codes)
    naive = loops.average(history) if mean else history[-1]
    np.testing.assert_allclose(matrix(learner), naive, rtol=1e-7, atol=1e-9)
    assert learner.mistakes_.tolist() == [mistakes]


@settings(max_examples=30, deadline=None)
@given(problem=problems(max_classes=2), C=st.sampled_from([0.125, 1.0, 8.0]))
def test_mira_of_two_classes_is_passive_aggressive(problem, C):
    X, codes, _ = problem
    mira = Mira(C=C, hypothesis="last", scale=False, **PLAIN).fit(X, codes)
    aggressive = PassiveAggressive(variant="I", C=C, hypothesis="last", scale=False, **PLAIN).fit(X, codes)
    np.testing.assert_allclose(2 * mira.coef_, aggressive.coef_, atol=1e-9)
    np.testing.assert_allclose(2 * mira.intercept_, aggressive.intercept_, atol=1e-9)


@pytest.mark.parametrize("layout", ["dense32", "csr32"])
@pytest.mark.parametrize("hypothesis", ["last", "average"])
def test_single_precision_is_kept_and_close(layout, hypothesis):
    generator = np.random.default_rng(0)
    X, codes = generator.normal(size=(3000, 8)), generator.integers(0, 3, 3000)
    settings = {"hypothesis": hypothesis, "schedule": "inverse", "l2": 0.1, "shuffle": False, **ADAGRAD}
    single = LogisticRegression(**settings).fit(LAYOUTS[layout](X), codes)
    double = LogisticRegression(**settings).fit(X, codes)
    assert single.coef_.dtype == np.float32
    assert single.decision_function(LAYOUTS[layout](X)).dtype == np.float32
    np.testing.assert_allclose(single.coef_, double.coef_, atol=1e-4)


def test_averages_survive_many_folds():
    # Half of w is lost at every step: the scale is folded every thirty examples.
    generator = np.random.default_rng(0)
    X, codes = generator.normal(size=(2000, 4)), generator.integers(0, 2, 2000)
    settings = {"schedule": "constant", "learning_rate": 1.0, "l2": 1.0, "scale": False}
    history, _ = loops.additive(rules.logistic("constant", 1.0, 1.0), X, codes, 1)
    for layout, tolerance in (("dense", 1e-10), ("csr", 1e-10), ("dense32", 1e-5), ("csr32", 1e-5)):
        learner = LogisticRegression(hypothesis="average", **settings, **PLAIN).fit(LAYOUTS[layout](X), codes)
        np.testing.assert_allclose(matrix(learner), loops.average(history), atol=tolerance)


def test_an_empty_row_is_no_update_but_a_tick_that_shrinks():
    X, codes = np.array([[1.0], [0.0], [1.0]]), np.array([1, 0, 1])
    learner = Pegasos(l2=0.5, fit_intercept=False, hypothesis="last", shuffle=False, **PEGASOS).fit(X, codes)
    history, _ = loops.additive(rules.pegasos(l2=0.5), X, codes, 1, bias=0)
    np.testing.assert_allclose(learner.coef_.T, history[-1][:-1])
    assert learner.model_.weights.updates.tolist() == [1]
    assert learner.model_.weights.clock.tolist() == [3]


@pytest.mark.parametrize("kind", [PassiveAggressive, Romma, LogisticRegression])
def test_repeated_entries_of_a_sparse_row_are_summed(kind):
    generator = np.random.default_rng(0)
    dense = generator.normal(size=(30, 4))
    order = np.array([2, 0, 1, 2, 3])  # column 2 twice, and not sorted
    values = dense[:, order] * np.array([0.25, 1, 1, 0.75, 1])
    X = sp.csr_matrix((values.ravel(), np.tile(order, 30), np.arange(0, 151, 5)), shape=(30, 4))
    codes = generator.integers(0, 2, 30)
    learner = kind(hypothesis="last", **PLAIN)
    np.testing.assert_allclose(learner.fit(X, codes).coef_, learner.fit(dense, codes).coef_, atol=1e-9)
    assert X.nnz == 150  # the data are the user's


@settings(max_examples=30, deadline=None)
@given(problem=problems(), data=st.data())
def test_repetitions_are_found_in_any_order(problem, data):
    X = sp.csr_matrix(problem.X)
    for i in range(X.shape[0]):
        part = X.indices[X.indptr[i] : X.indptr[i + 1]]
        part[:] = data.draw(st.permutations(part.tolist()))
    seen = np.full(X.shape[1], -1, X.indices.dtype)
    assert not repeated(X.indices, X.indptr, seen.copy())
    ordered = all(np.all(np.diff(X.indices[a:b]) > 0) for a, b in pairwise(X.indptr))
    assert increasing(X.indices, X.indptr, X.shape[1]) == ordered
    if X.indptr[1] > 1:
        X.indices[0] = X.indices[1]
        assert repeated(X.indices, X.indptr, seen)
        assert not increasing(X.indices, X.indptr, X.shape[1])
