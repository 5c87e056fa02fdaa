"""The Delta trick: every example has a feature of its own, in training only."""

from math import inf

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from kerneltron import Mira, PassiveAggressive, Pegasos, Perceptron, Romma
from kerneltron.kernels import FromFunction, Gaussian, Polynomial
from kerneltron.learning.delta import best_delta
from tests.additive_rules import PUBLISHED, columns_of
from tests.oracle import dual as oracle
from tests.oracle import rules
from tests.strategies import LAYOUTS, problems

DUAL = {"representation": "dual"}


def example(n, classes=2, seed=0):
    generator = np.random.default_rng(seed)
    return generator.normal(size=(n, 3)), np.arange(n) % classes


@settings(max_examples=20, deadline=None)
@given(
    problem=problems(),
    delta=st.sampled_from([0.5, 1.0, 8.0]),
    kernel=st.sampled_from(["linear", "Polynomial(2)"]),
)
def test_one_pass_makes_the_same_mistakes_for_any_delta(problem, delta, kernel):
    X, codes, _ = problem
    learner = Perceptron(kernel=kernel, random_state=0, hypothesis="last", **DUAL)
    without = clone(learner).fit(X, codes)
    with_delta = clone(learner).set_params(delta=delta).fit(X, codes)
    assert with_delta.mistakes_.tolist() == without.mistakes_.tolist()
    assert with_delta.decision_function(X).tobytes() == without.decision_function(X).tobytes()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("hypothesis", ["last", "average", "random"])
def test_the_primal_form_equals_the_dual_and_the_explicit_features(layout, hypothesis):
    X, codes = example(60, classes=3)
    X = LAYOUTS[layout](X)
    tolerance = 1e-4 if "32" in layout else 1e-9
    own = sp.csr_matrix(np.eye(60) * 2.0)
    longer = sp.hstack([sp.csr_matrix(X), own], "csr", X.dtype)
    aggressive = PassiveAggressive(variant="II", scale=False), Mira(scale=False)
    for learner in (Perceptron(), *aggressive, Pegasos(l2=0.1, scale=False)):
        learner.set_params(hypothesis=hypothesis, passes=4, random_state=0)
        primal = clone(learner).set_params(delta=2.0).fit(X, codes)
        dual = clone(learner).set_params(delta=2.0, **DUAL).fit(X, codes)
        explicit = clone(learner).fit(longer, codes)
        assert primal.representation_.form == "primal"
        assert primal.mistakes_.tolist() == dual.mistakes_.tolist() == explicit.mistakes_.tolist()
        np.testing.assert_allclose(primal.coef_, explicit.coef_[:, :3], rtol=tolerance, atol=tolerance)
        expected = primal.decision_function(X)
        np.testing.assert_allclose(
            dual.decision_function(X), expected, rtol=10 * tolerance, atol=10 * tolerance
        )
        np.testing.assert_allclose(
            X @ primal.coef_.T + primal.intercept_, expected, rtol=10 * tolerance, atol=10 * tolerance
        )


def test_a_vote_is_taken_in_dual_form():
    X, codes = example(40)
    learner = Perceptron(delta=1.0, hypothesis="vote", passes=3, random_state=0).fit(X, codes)
    assert learner.representation_.form == "dual"
    K = X @ X.T
    order = [*range(40)] * 3
    learner.set_params(shuffle=False).fit(X, codes)
    steps = list(oracle.learn(oracle.apart(rules.perceptron()), K, codes, 1, order, delta=1.0))
    expected = oracle.vote(K, [alpha for _, alpha in steps])
    np.testing.assert_allclose(learner.decision_function(X), expected.ravel(), atol=1e-12)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("k", [Gaussian(1.0), Polynomial(2)], ids=repr)
def test_every_rule_follows_its_definition(k, classes, monkeypatch):
    monkeypatch.setattr("kerneltron.models.kernel_expansion.VISITS", 7)
    X, codes = example(40, classes)
    for learner, plan in (
        (Perceptron(margin=0.5), oracle.apart(rules.perceptron(1.0, 0.5))),
        (Romma(), oracle.apart(rules.romma())),
        (Pegasos(l2=0.5, learning_rate=inf), oracle.apart(rules.pegasos(l2=0.5))),
        (Mira(C=0.5, **PUBLISHED), oracle.mira(0.5)),
    ):
        learner.set_params(kernel=k, delta=0.75, passes=3, shuffle=False, hypothesis="last", **DUAL)
        steps = list(oracle.learn(plan, k(X), codes, columns_of(classes), [*range(40)] * 3, delta=0.75))
        learner.fit(X, codes)
        mistakes = np.reshape([mistake for mistake, _ in steps], (3, -1)).sum(axis=1)
        assert learner.mistakes_.tolist() == mistakes.tolist()
        expected = oracle.scores(k(X), steps[-1][1])
        np.testing.assert_allclose(
            learner.decision_function(X).reshape(40, -1), expected, rtol=1e-6, atol=1e-8
        )


def test_equal_rows_with_different_numbers_do_not_share_a_feature():
    X, codes = np.ones((2, 1)), np.array([1, 0])
    for form in ("primal", "dual"):
        learner = Perceptron(
            delta=4.0, representation=form, passes=20, shuffle=False, hypothesis="last", fit_intercept=False
        )
        learner.fit(X, codes)
        # Conflicting labels: each row is soon right by its own feature alone.
        assert learner.mistakes_[-1] == 0
        assert learner.mistakes_[0] == 2
        stream = clone(learner).partial_fit(X, codes)
        assert stream.partial_fit_predict(X, codes).tolist() == [0.0, 1.0]  # they are other rows than before


@pytest.mark.parametrize("k", ["linear", "Polynomial(2)", "Gaussian(1.0)"])
def test_conflicting_data_are_separated_with_delta_and_never_without(k):
    X, codes = example(40)
    X, codes = np.repeat(X, 2, axis=0), np.repeat(codes, 2)
    codes[1::4] = 1 - codes[1::4]
    learner = Perceptron(kernel=k, passes=100, random_state=0, hypothesis="last")
    assert clone(learner).fit(X, codes).mistakes_.min() > 0
    for form in ("auto", "dual"):
        separated = clone(learner).set_params(delta=10.0, representation=form).fit(X, codes)
        assert separated.mistakes_[-1] == 0


def test_prediction_does_not_use_it():
    X, codes = example(50)
    k = Gaussian(1.0)
    learner = Perceptron(kernel=k, delta=3.0, passes=3, random_state=0).fit(X, codes)
    coefficients = learner.dual_coef_
    expected = k(X, X[learner.support_]) @ coefficients.T + coefficients.sum(axis=1)
    np.testing.assert_allclose(learner.decision_function(X), expected.ravel(), atol=1e-9)
    shifted = np.vstack([X[25:], X[:25]])
    np.testing.assert_allclose(
        learner.decision_function(shifted)[:25], learner.decision_function(X)[25:], atol=1e-12
    )


def test_only_kernels_with_room_for_more_features_have_it_in_primal_form():
    X, codes = example(20)
    with pytest.raises(ValueError, match="a feature of its own"):
        Perceptron(kernel=Polynomial(2), delta=1.0, representation="primal").fit(X, codes)
    with pytest.raises(ValueError, match="a feature of its own"):
        Perceptron(delta=1.0, representation="primal", hypothesis="vote").fit(X, codes)
    assert Perceptron(kernel=Polynomial(2), delta=1.0).fit(X, codes).representation_.form == "dual"
    assert Perceptron(kernel=Polynomial(2)).fit(X, codes).representation_.form == "primal"


# -- the best one --------------------------------------------------------------------------------------


def brute_force(margins, radius):
    """Search the bound over gamma and Delta."""
    best, chosen = inf, None
    for gamma in np.geomspace(1e-3, margins.max(), 400):
        D2 = (np.maximum(0, gamma - margins) ** 2).sum()
        for delta in np.geomspace(1e-3, 1e3, 300) if D2 else [1e-3]:
            bound = (radius**2 + delta**2) * (1 + D2 / delta**2) / gamma**2
            if bound < best:
                best, chosen = bound, delta
    return best, chosen


@pytest.mark.parametrize("seed", range(4))
def test_the_best_delta_has_the_least_bound(seed):
    generator = np.random.default_rng(seed)
    margins = generator.normal(1.0, 0.6, 60)
    radius = 3.0
    best, searched = brute_force(margins, radius)
    delta = best_delta(margins, radius)
    assert 0.7 < delta / searched < 1.4
    bounds = []
    for gamma in np.geomspace(1e-3, margins.max(), 400):
        D2 = (np.maximum(0, gamma - margins) ** 2).sum()
        bounds.append((radius**2 + delta**2) * (1 + D2 / delta**2) / gamma**2)
    assert min(bounds) < 1.02 * best


def test_the_best_delta_of_simple_margins():
    assert best_delta(np.ones(5), 2.0) == 0.0  # separated: none is needed
    assert best_delta(-np.ones(5), 2.0) == 2.0  # nothing is right
    once = best_delta(np.array([1.0, 1.0, -1.0]), 2.0)
    assert best_delta(np.array([1.0, 1.0, -1.0] * 4), 2.0) == pytest.approx(
        best_delta(np.array([1.0, 1.0, -1.0]), 2.0, repeats=4.0)
    )
    assert best_delta(np.array([3.0, 3.0, -3.0]), 6.0) == pytest.approx(3 * once)


def noisy(n, flipped, seed=0):
    """Unit margins along the first axis, some on the wrong side: R, D and u are known."""
    generator = np.random.default_rng(seed)
    codes = generator.integers(0, 2, n)
    X = np.column_stack([2.0 * codes - 1, generator.uniform(-1, 1, (n, 3))])
    wrong = generator.permutation(n)[:flipped]
    codes[wrong] = 1 - codes[wrong]
    radius = np.sqrt((X**2).sum(1).max())
    margins = (2 * codes - 1) * X[:, 0]
    return X, codes, np.sqrt(radius * np.sqrt((np.maximum(0, 1 - margins) ** 2).sum()))


@pytest.mark.parametrize("form", ["primal", "dual"])
@pytest.mark.parametrize(("n", "flipped"), [(300, 5), (300, 30), (5000, 50)])
def test_auto_is_near_the_best(n, flipped, form):
    X, codes, expected = noisy(n, flipped)
    learner = Perceptron(delta="auto", random_state=0, fit_intercept=False, representation=form).fit(X, codes)
    assert 1 / 2.5 < learner.delta_ / expected < 2.5
    for scale in (0.25, 8.0):
        scaled = clone(learner).fit(X * scale, codes)
        assert scaled.delta_ == pytest.approx(scale * learner.delta_, rel=1e-6)


def test_auto_of_separated_data_is_small():
    X, codes, _ = noisy(300, 0)
    X[:, 1:] *= 0.1
    learner = Perceptron(delta="auto", random_state=0, fit_intercept=False).fit(X, codes)
    assert learner.delta_ < 0.5
    assert learner.score(X, codes) == 1


def test_auto_takes_any_kernel_and_several_classes():
    X, codes = example(60, classes=3)
    for k in ("linear", "Gaussian(1.0)", FromFunction(lambda x, z: float(x @ z))):
        learner = Perceptron(kernel=k, delta="auto", passes=60, random_state=0, hypothesis="last").fit(
            X, codes
        )
        assert learner.delta_ > 0
        assert learner.mistakes_[-1] < learner.mistakes_[0]
    assert Perceptron(delta=0.5).fit(X, codes).delta_ == 0.5
    precomputed = Perceptron(kernel="precomputed", delta="auto", random_state=0).fit(X @ X.T, codes)
    itself = Perceptron(delta="auto", random_state=0).fit(X, codes)
    assert precomputed.delta_ == pytest.approx(itself.delta_)


def test_auto_does_not_look_at_rows_of_weight_zero():
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = X[:, 0] + 0.5 * X[:, 1] ** 2 > 0.3
    X[::2] *= 100
    weight = np.arange(60) % 2
    given = Perceptron(delta="auto", random_state=0).fit(X, y, sample_weight=weight)
    removed = Perceptron(delta="auto", random_state=0).fit(X[1::2], y[1::2])
    assert given.delta_ == pytest.approx(removed.delta_)


@pytest.mark.parametrize("kind", [Perceptron, PassiveAggressive, Romma])
@pytest.mark.parametrize("hypothesis", ["last", "average", "random"])
def test_a_stream_after_a_fit_gives_new_rows_their_features_too(kind, hypothesis):
    X = np.random.default_rng(0).normal(size=(90, 3))
    y = X[:, 0] + 0.3 * X[:, 1] > 0
    scores = []
    for form in ("primal", "dual"):
        learner = kind(delta=2.0, hypothesis=hypothesis, representation=form, passes=2, random_state=0)
        learner.fit(X[:40], y[:40]).partial_fit(X[40:60], y[40:60]).partial_fit(X[60:], y[60:])
        scores.append(learner.decision_function(X))
        if form == "primal":
            assert learner.coef_.shape == (1, 3)
    np.testing.assert_allclose(scores[0], scores[1], rtol=1e-9, atol=1e-9)
    with pytest.raises(ValueError, match="delta cannot change"):
        learner.set_params(delta=3.0).partial_fit(X, y)


def test_auto_is_kept_for_a_stream_after_the_fit():
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = X[:, 0] + 0.5 * X[:, 1] ** 2 > 0.3
    learner = Perceptron(delta="auto", kernel=Gaussian(1.0), random_state=0).fit(X[:40], y[:40])
    before = learner.delta_
    assert learner.partial_fit(X[40:], y[40:]).delta_ == before
    with pytest.raises(ValueError, match="call fit first"):
        Perceptron(delta="auto").partial_fit(X, y)
