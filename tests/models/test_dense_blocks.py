"""Dense rows in blocks decide as the loop that goes row by row does, and end in the same weights."""

from math import inf
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron import Alma, LogisticRegression, Mira, PassiveAggressive, Pegasos, Perceptron
from kerneltron._types import Visits
from kerneltron.engine.columns import TINY
from kerneltron.models import dense_blocks, primal
from kerneltron.models.primal import Primal
from tests.additive_rules import columns_of
from tests.strategies import Problem, general_problems, problems

HYPOTHESES = ("average", "last", "random", "vote")

EXACT = {  # on small whole numbers: every sum is exact in single precision, in any order
    "perceptron": Perceptron(learning_rate=0.5),
    "margin": Perceptron(margin=2.0),
}
ROUNDED = {
    **EXACT,
    "PA-0": PassiveAggressive(variant="0", scale=False),
    "PA-I": PassiveAggressive(variant="I", C=0.125, scale=False),
    "PA-II": PassiveAggressive(variant="II", C=0.25, scale=False),
    "logistic inverse": LogisticRegression(l2=0.5, schedule="inverse", learning_rate=1.0),
    "logistic constant": LogisticRegression(l2=0.1, schedule="constant", learning_rate=0.25),
    "pegasos": Pegasos(l2=0.25, learning_rate=inf),  # its first shrink is 0: a fold
    "pegasos folds": Pegasos(l2=3.9, schedule="constant", learning_rate=0.25),  # every six visits
    "alma": Alma(),
    "mira": Mira(C=0.5, scale=False),
}


def visited(learner, problem, in_blocks, *, dtype=np.float64, bias=1.0, hypothesis="average", passes=2):
    """Make some passes; return the model, its mistakes and what happened at each visit."""
    X = np.ascontiguousarray(problem.X, dtype)
    rule, columns = learner._method().rule(X.shape[1]), columns_of(problem.classes)
    model = Primal(rule, X.shape[1], columns, dtype=dtype, bias=bias, hypothesis=hypothesis, seed=5)
    rows = model.read(X)
    generator = np.random.default_rng(0)
    found = []
    with (
        patch.object(primal, "pays", lambda *given: in_blocks),
        patch.object(dense_blocks, "LENGTH", 7),
        model.visiting(rows),
    ):
        for _ in range(passes):
            order = generator.permutation(len(X))
            importance = generator.choice([0.5, 1.0, 2.0], len(X))
            visits = Visits(order, problem.codes[order], importance)
            found.append(model.learn(visits, keep_scores=True, keep_moves=True))
    return model, sum(mistakes for mistakes, _ in found), [trace for _, trace in found]


def assert_alike(one, other, compare):
    (first, mistakes, traces), (second, same_mistakes, same_traces) = one, other
    assert mistakes == same_mistakes
    for name in ("clock", "updates"):
        np.testing.assert_array_equal(getattr(first.weights, name), getattr(second.weights, name))
    for name in ("scale", "mass", "norm", "v", "u"):
        compare(getattr(first.weights, name), getattr(second.weights, name))
    for trace, same in zip(traces, same_traces, strict=True):
        for values, same_values in zip(trace, same, strict=True):
            compare(values, same_values)
    if not first.hypothesis.keeps_moves:
        compare(first.vectors(), second.vectors())


def nearly(rtol):
    def compare(a, b):
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * max(1.0, np.abs(a).max(initial=0.0)))

    return compare


@settings(max_examples=40, deadline=None)
@given(
    problem=problems(max_rows=40),
    name=st.sampled_from(sorted(EXACT)),
    dtype=st.sampled_from([np.float32, np.float64]),
    bias=st.sampled_from([0.0, 1.0]),
    hypothesis=st.sampled_from(HYPOTHESES),
)
def test_exact_numbers_give_the_same_bytes(problem, name, dtype, bias, hypothesis):
    given = {"dtype": dtype, "bias": bias, "hypothesis": hypothesis}
    loop, blocks = (visited(EXACT[name], problem, way, **given) for way in (False, True))
    assert_alike(loop, blocks, np.testing.assert_array_equal)


@settings(max_examples=60, deadline=None)
@given(
    problem=general_problems(empty=0.2),
    name=st.sampled_from(sorted(ROUNDED)),
    bias=st.sampled_from([0.0, 1.0]),
    hypothesis=st.sampled_from(HYPOTHESES),
)
def test_others_agree_up_to_rounding(problem, name, bias, hypothesis):
    """One visit to each row: one that PA has just seen has the margin 1, and rounding would decide."""
    _, first = np.unique(problem.X, axis=0, return_index=True)
    problem = problem._replace(X=problem.X[np.sort(first)], codes=problem.codes[np.sort(first)])
    given = {"bias": bias, "hypothesis": hypothesis, "passes": 1}
    loop, blocks = (visited(ROUNDED[name], problem, way, **given) for way in (False, True))
    # Before a fold w is v times a scale of some 1e-9: half a unit in the last place of v is this much of w.
    assert_alike(loop, blocks, nearly(2.0**-53 / TINY if name == "pegasos folds" else 1e-9))


@pytest.mark.parametrize("name", ROUNDED)
def test_single_precision_agrees_with_double(name):
    generator = np.random.default_rng(1)
    problem = general(generator, 300, 12, 4)
    exact = visited(ROUNDED[name], problem, False)[0]
    single = visited(ROUNDED[name], problem, True, dtype=np.float32)[0]
    assert single.weights.v.dtype == np.float32
    expected = exact.vectors()
    np.testing.assert_allclose(single.vectors(), expected, rtol=0, atol=1e-5 * np.abs(expected).max())


def general(generator, n, d, classes):
    X = np.round(generator.normal(size=(n, d)) * 64) / 64  # the same numbers in both precisions
    codes = (X @ generator.normal(size=(d, classes)) + generator.normal(size=(n, classes))).argmax(axis=1)
    return Problem(X, codes, classes)


def test_averages_stay_right_over_many_blocks():
    """In single precision, u takes what really changed in v: nothing adds up over 20,000 blocks."""
    generator = np.random.default_rng(2)
    problem = general(generator, 70_000, 3, 3)
    single, exact = (
        visited(Perceptron(learning_rate=0.1), problem, way, dtype=dtype)[0]
        for way, dtype in ((True, np.float32), (False, np.float64))
    )
    expected = exact.vectors()
    np.testing.assert_allclose(single.vectors(), expected, rtol=0, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize("factor", [1e-18, 1e-16, 1e16, 1e18])
def test_rows_beyond_products_in_single_precision_take_the_loop(factor):
    problem = general(np.random.default_rng(3), 50, 4, 3)
    loop, blocks = (
        visited(Perceptron(), problem._replace(X=problem.X * factor), way, dtype=np.float32, bias=0.0)
        for way in (False, True)
    )
    assert_alike(loop, blocks, np.testing.assert_array_equal)


@pytest.mark.parametrize("factor", [2.0**-45, 2.0**45])
def test_scores_beyond_single_precision_are_summed_in_double(factor):
    problem = problems_of_whole_numbers(factor)
    loop, blocks = (
        visited(Perceptron(learning_rate=2.0**-60 / factor), problem, way, dtype=np.float32, bias=0.0)
        for way in (False, True)
    )
    assert_alike(loop, blocks, np.testing.assert_array_equal)


def problems_of_whole_numbers(factor):
    generator = np.random.default_rng(4)
    return Problem(factor * generator.integers(-3, 4, (60, 4)), generator.integers(0, 3, 60), 3)


def test_an_overflow_is_an_error_and_is_undone():
    problem = general(np.random.default_rng(5), 40, 4, 3)
    X = problem.X * 1e160
    model = Primal(Perceptron()._method().rule(4), 4, 3, dtype=np.float64, bias=1.0, hypothesis="average")
    visits = Visits(np.arange(40), problem.codes, np.ones(40))
    with (
        patch.object(primal, "pays", lambda *given: True),
        pytest.raises(ValueError, match="grew beyond what float64 can hold"),
        model.visiting(model.read(X)),
    ):
        model.learn(visits)
    assert not model.weights.v.any()
    assert not model.weights.clock.any()


def test_wide_rows_of_several_classes_go_in_blocks_and_others_do_not():
    rule, romma = Perceptron()._method().rule(1), LogisticRegression()._method().rule(1)
    for columns, width, visits, expected in (
        (10, 1000, 512, True),
        (1, 1000, 512, False),
        (10, 20, 512, False),
    ):
        weights = primal.blank(rule, width + 1, columns, np.float32, True)
        assert dense_blocks.pays(rule, weights, visits) == expected
        assert not dense_blocks.pays(rule, weights, 1)
        assert not dense_blocks.pays(romma, weights, visits)  # a loop of its own
