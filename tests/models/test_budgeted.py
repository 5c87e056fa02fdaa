"""Learners on a budget: against the papers written out in slow Python, and the laws of each strategy."""

import itertools
from math import inf
from unittest.mock import patch

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import kerneltron
from kerneltron import (
    Alma,
    LogisticRegression,
    Mira,
    PassiveAggressive,
    Pegasos,
    Perceptron,
    Romma,
)
from kerneltron.engine.budgets.random import STREAM
from kerneltron.engine.compiled import compiled
from kerneltron.engine.random_numbers import below, key_of, word
from kerneltron.kernels import Gaussian, Polynomial
from kerneltron.models import budgeted, budgeted_walk
from kerneltron.models.budgets import POLICIES
from kerneltron.models.factor import Factor
from kerneltron.models.mixed_rows import mixed_rows
from tests.additive_rules import PEGASOS
from tests.oracle import budgets as oracle
from tests.oracle import dual, rules

RULES = {
    "perceptron": (Perceptron, {}, rules.perceptron()),
    "margin": (Perceptron, {"margin": 1.0}, rules.perceptron(margin=1.0)),
    "PA-I": (PassiveAggressive, {"C": 0.5}, rules.passive_aggressive("I", 0.5)),
    "PA-II": (PassiveAggressive, {"variant": "II"}, rules.passive_aggressive("II")),
    "Pegasos": (Pegasos, {"l2": 0.05, "learning_rate": inf}, rules.pegasos(l2=0.05)),
    "logistic": (
        LogisticRegression,
        {"schedule": "inverse", "learning_rate": 0.5},
        rules.logistic(learning_rate=0.5),
    ),
}
GENERAL = ("stop", "random", "smallest", "forget", "project")  # for every kernel and rule
EVERY = tuple(POLICIES)
DROPPING = ("bpa", "forget", "random", "smallest")  # what they drop has no mean
BUDGET = 7
# Each strategy with one rule, and each rule with one strategy, or where they meet in a paper: to compile the
# walk for a further pair takes three seconds.
PAIRS = [
    *(("PA-I", name) for name in EVERY if name != "bpa"),
    *(("perceptron", name) for name in ("forget", "project")),
    ("margin", "project"),
    ("PA-II", "merge"),
    ("Pegasos", "smallest"),
    ("Pegasos", "merge"),
    ("logistic", "stop"),
]


@pytest.fixture
def small_blocks(monkeypatch):
    """Let a few examples be many blocks."""
    monkeypatch.setattr(budgeted, "VISITS", 8)
    monkeypatch.setattr(budgeted_walk, "AT_A_TIME", 3)


def example(n, classes, seed=0, columns=3):
    generator = np.random.default_rng(seed)
    codes = generator.integers(0, classes, n)
    codes[:classes] = np.arange(classes)
    return generator.normal(size=(n, columns)), codes


@compiled
def drawn(seed, move, size):
    return below(word(key_of(np.uint64(seed), STREAM, 0), move), size)


def way_of(name, learner):
    """Return the strategy of the oracle; `learner` is fitted, and knows what was drawn."""
    policy, margin = learner.model_.policy, getattr(learner, "margin", 0.0)
    return {
        "stop": oracle.stop,
        "smallest": oracle.smallest,
        "forget": oracle.forget,
        "bpa": oracle.bpa,
        "random": oracle.random(lambda move, size: drawn(policy.seed, move, size)),
        "project": oracle.project(policy.eta, margin),
        "merge": oracle.merge(),
        "sketch": oracle.sketch(None if policy.sketch is None else lambda x: policy.sketch(x[None])[0]),
    }[name]


def compare(learner, plan, kernel, X, codes, new, passes=2):
    """Hold a fitted learner to the oracle, mistake for mistake and score for score."""
    columns = learner.model_.columns
    visits, bias = list(range(len(X))) * passes, 1.0 if learner.fit_intercept else 0.0
    norms = isinstance(learner, Romma | Alma)
    way = way_of(learner.when_full, learner)
    mistakes = []
    for last, is_mistake in oracle.learn(
        plan, way, kernel, X, codes, columns, visits, learner.budget, bias, norms
    ):
        mistakes.append(is_mistake)
        assert learner.budget is None or len(last.held) <= learner.budget
    assert learner.mistakes_.tolist() == np.reshape(mistakes, (passes, -1)).sum(axis=1).tolist()
    assert sorted(learner.model_.remembered.origins) == sorted(each.number for each in last.held)
    if learner.hypothesis == "last":
        expected = np.array([last.score(x) for x in new])
    elif learner.when_full in DROPPING:
        expected = np.array([last.steadied(x) for x in new])
    else:
        expected = np.array([last.score(x, "total") for x in new]) / len(visits)
    scores = learner.decision_function(new).reshape(len(new), -1)
    np.testing.assert_allclose(scores, expected, atol=2e-7 * max(1.0, np.abs(expected).max()))


# -- against the papers ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(("rule", "name"), PAIRS)
@pytest.mark.usefixtures("small_blocks")
def test_every_strategy_follows_its_paper(rule, name, classes):
    kind, options, plan = RULES[rule]
    X, codes = example(90, classes, seed=classes)
    new, _ = example(20, 2, seed=9)
    for hypothesis, fit_intercept in (("last", True), ("average", name in DROPPING)):
        more = {"sketch": "RandomFourier(8)"} if name == "sketch" else {}
        learner = kind(
            kernel=Gaussian(1.5),
            budget=BUDGET,
            when_full=name,
            hypothesis=hypothesis,
            fit_intercept=fit_intercept,
            shuffle=False,
            passes=2,
            random_state=0,
            **options,
            **more,
        ).fit(X, codes)
        compare(learner, dual.apart(plan), dual.gaussian(1.5), X, codes, new)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("variant", ["0", "I", "II"])
@pytest.mark.usefixtures("small_blocks")
def test_budgeted_passive_aggressive_follows_its_paper(variant, classes):
    X, codes = example(90, classes, seed=classes)
    new, _ = example(20, 2, seed=9)
    for hypothesis in ("last", "average"):
        learner = PassiveAggressive(
            variant=variant,
            C=0.5,
            kernel=Polynomial(2),
            budget=BUDGET,
            when_full="bpa",
            hypothesis=hypothesis,
            shuffle=False,
            passes=2,
        ).fit(X, codes)
        plan = dual.apart(rules.passive_aggressive(variant, 0.5))
        compare(learner, plan, dual.polynomial(2), X, codes, new)


@pytest.mark.slow
@pytest.mark.parametrize("eta", [0.0, 0.3, 0.8])
@pytest.mark.parametrize("rule", ["perceptron", "margin", "PA-I"])
@pytest.mark.usefixtures("small_blocks")
def test_projection_by_eta_follows_its_paper(rule, eta):
    kind, options, plan = RULES[rule]
    X, codes = example(90, 3, seed=5)
    new, _ = example(20, 2, seed=9)
    for budget in (None, 15):
        learner = kind(kernel=Gaussian(1.5), eta=eta, budget=budget, shuffle=False, passes=2, **options)
        learner.set_params(hypothesis="average")
        compare(learner.fit(X, codes), dual.apart(plan), dual.gaussian(1.5), X, codes, new)


@pytest.mark.parametrize("name", ["forget", "project"])
@pytest.mark.usefixtures("small_blocks")
def test_rules_that_look_at_the_norm_see_the_right_one(name):
    X, _ = example(70, 2, seed=3)
    codes = (X[:, 0] > 0).astype(np.int64)
    new, _ = example(20, 2, seed=9)
    learner = Romma(
        kernel=Polynomial(2), budget=12, when_full=name, hypothesis="last", shuffle=False, random_state=0
    ).fit(X, codes)
    compare(learner, dual.apart(rules.romma()), dual.polynomial(2), X, codes, new, passes=1)


@pytest.mark.usefixtures("small_blocks")
def test_classes_that_move_together_share_a_budget():
    X, codes = example(80, 3, seed=4)
    new, _ = example(20, 2, seed=9)
    learner = Mira(
        C=0.25,
        kernel=Gaussian(1.5),
        budget=BUDGET,
        when_full="smallest",
        hypothesis="average",
        shuffle=False,
        passes=2,
    ).fit(X, codes)
    compare(learner, dual.mira(0.25), dual.gaussian(1.5), X, codes, new)


# -- laws --------------------------------------------------------------------------------------------


def never_more_and_pieces_equal_at_once(name, budget, n, cuts, classes, seed):
    X, codes = example(max(n, classes), classes, seed)
    learner = PassiveAggressive(kernel=Gaussian(1.0), budget=budget, when_full=name, random_state=0)
    learner.set_params(sketch="RandomFourier(4)" if name == "sketch" else None)
    whole, pieces = clone(learner), clone(learner)
    whole.partial_fit(X, codes, classes=range(classes))
    edges = [0, *sorted(min(cut, len(X)) for cut in cuts), len(X)]
    for first, end in itertools.pairwise(edges):
        if first < end:
            pieces.partial_fit(X[first:end], codes[first:end], classes=range(classes))
            assert len(pieces.support_) <= budget
            assert pieces.model_.count == len(pieces.model_.remembered) <= budget
    assert whole.mistakes_.tolist() == pieces.mistakes_.tolist()
    np.testing.assert_allclose(whole.decision_function(X), pieces.decision_function(X), atol=1e-7)
    assert (whole.support_ == pieces.support_).all()


@pytest.mark.parametrize("name", EVERY)
@given(
    budget=st.integers(1, 12),
    n=st.integers(2, 60),
    cuts=st.lists(st.integers(0, 60), max_size=3),
    classes=st.integers(2, 4),
    seed=st.integers(0, 99),
)
@settings(max_examples=8, deadline=None)
def test_never_more_than_the_budget_and_pieces_equal_at_once(name, budget, n, cuts, classes, seed):
    # So that blocks end in the middle.
    with patch.object(budgeted, "VISITS", 16), patch.object(budgeted_walk, "AT_A_TIME", 7):
        never_more_and_pieces_equal_at_once(name, budget, n, cuts, classes, seed)


@pytest.mark.parametrize("name", GENERAL)
def test_until_it_is_full_it_equals_the_learner_without_a_budget(name):
    X, codes = example(300, 3)
    options = {"kernel": Gaussian(1.0), "representation": "dual", "shuffle": False, "passes": 2}
    exact = PassiveAggressive(**options).fit(X, codes)
    full = PassiveAggressive(**options, budget=len(exact.support_), when_full=name).fit(X, codes)
    assert full.mistakes_.tolist() == exact.mistakes_.tolist()
    np.testing.assert_allclose(full.decision_function(X), exact.decision_function(X), atol=1e-9)
    assert sorted(full.support_) == sorted(exact.support_)


@pytest.mark.parametrize("name", EVERY)
def test_the_mean_is_of_use_on_several_classes(name):
    """What is dropped must not leave a mean that predicts at chance: it is no worse than the last vector."""
    generator = np.random.default_rng(0)
    centres = 2 * generator.normal(size=(12, 8))
    codes = generator.integers(12, size=1100)
    X = centres[codes] + 1.2 * generator.normal(size=(1100, 8))
    errors = {}
    for hypothesis in ("last", "average", "auto"):
        learner = PassiveAggressive(kernel=Gaussian(2.5), budget=100, when_full=name, hypothesis=hypothesis)
        learner.set_params(passes=2, random_state=0).fit(X[:800], codes[:800])
        errors[hypothesis] = np.mean(learner.predict(X[800:]) != codes[800:])
    worst = max(errors["average"], errors["auto"])
    assert worst <= (errors["last"] + 0.01 if name in DROPPING else 0.3), errors


def test_a_file_that_lacks_what_was_dropped_goes_on_with_the_last_vector(tmp_path):
    """As older files do: until then they predict by what is left of the mean."""
    X, codes = example(200, 3)
    learner = PassiveAggressive(kernel=Gaussian(1.0), budget=15, when_full="random", random_state=0)
    learner.partial_fit(X[:150], codes[:150])
    learner.model_.lacks_sums = True  # it is then not saved how many were dropped
    learner.save(tmp_path / "older.model")
    older = kerneltron.load(tmp_path / "older.model")
    last = clone(learner).set_params(hypothesis="last").partial_fit(X[:150], codes[:150])
    weights = older.model_.weights
    left = (weights.mass * weights.v.reshape(-1, 3) - weights.u.reshape(-1, 3)) / 150
    np.testing.assert_allclose(older.dual_coef_, left[left.any(axis=1)].T, atol=1e-12)
    older.partial_fit(X[150:151], codes[150:151])
    last.partial_fit(X[150:151], codes[150:151])
    np.testing.assert_allclose(older.dual_coef_, last.dual_coef_, atol=1e-12)
    older.save(tmp_path / "newer.model")
    newer = kerneltron.load(tmp_path / "newer.model")
    assert newer.model_.places.dropped > 0
    assert not newer.model_.lacks_sums
    np.testing.assert_array_equal(newer.decision_function(X), older.decision_function(X))


def test_stopped_learners_decide_as_others_until_they_are_full():
    X, codes = example(400, 2)
    exact = PassiveAggressive(kernel=Gaussian(1.0), hypothesis="last", shuffle=False)
    stopped = PassiveAggressive(
        kernel=Gaussian(1.0), hypothesis="last", shuffle=False, budget=20, when_full="stop"
    )
    scores = exact.partial_fit_predict(X, codes)
    until = int(exact.support_[19]) + 1
    np.testing.assert_allclose(stopped.partial_fit_predict(X, codes)[:until], scores[:until], atol=1e-12)
    assert stopped.support_.tolist() == exact.support_[:20].tolist()


def test_projection_without_loss_remembers_only_independent_examples():
    X, codes = example(400, 3, columns=3)
    X, codes = X[np.arange(400) % 150], codes[np.arange(400) % 150]  # many come twice or more
    options = {"kernel": Polynomial(2), "representation": "dual", "shuffle": False, "passes": 3}
    exact = Perceptron(**options).fit(X, codes)
    few = Perceptron(**options, eta=0.0).fit(X, codes)
    assert few.mistakes_.tolist() == exact.mistakes_.tolist()
    np.testing.assert_allclose(few.decision_function(X), exact.decision_function(X), rtol=1e-6, atol=1e-6)
    assert len(few.support_) == 10 < len(exact.support_)  # monomials of three columns up to degree 2
    assert np.linalg.matrix_rank(Polynomial(2)(X[few.support_])) == 10


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_million_projections_do_not_drift(dtype):
    """The factor is that of the Gram matrix, and coefficients are those of exact projections."""
    generator = np.random.default_rng(0)
    X = generator.normal(size=(250_000, 2)).astype(dtype)
    codes = generator.integers(0, 2, len(X))  # nothing to be learned: half of the visits are mistakes
    learner = Perceptron(kernel=Gaussian(1.0), budget=10, hypothesis="last", margin=1e9, shuffle=False)
    learner.fit(X, codes)
    updates = learner.n_updates_
    while updates < 1_000_000:
        learner.partial_fit(X, codes)
        updates = learner.n_updates_
    model = learner.model_
    support = X[learner.model_.remembered.origins]
    K = Gaussian(1.0)(support.astype(np.float64)) + 1.0
    lower = model.places.factor.lower
    assert np.abs(lower @ lower.T - K).max() < (1e-5 if dtype == np.float32 else 1e-12)


def test_merged_examples_stand_between_others():
    X, codes = example(500, 2)
    learner = Pegasos(kernel=Gaussian(1.0), l2=0.01, budget=20, when_full="merge", shuffle=False, **PEGASOS)
    learner.fit(X, codes)
    merged = learner.support_ == -1
    assert merged.any()
    rows = learner.support_vectors_
    assert rows.shape == (len(learner.support_), 3)
    assert (rows[~merged] == X[learner.support_[~merged]]).all()
    assert (rows.min(axis=0) >= X.min(axis=0)).all()
    assert (rows.max(axis=0) <= X.max(axis=0)).all()
    model = learner.model_
    gram = np.exp(model.holdings.gram)
    np.testing.assert_allclose(gram, Gaussian(1.0)(rows), atol=1e-9)


@pytest.mark.slow
def test_what_examples_have_in_common_does_not_drift_over_many_merges():
    X, codes = example(40_000, 2)
    learner = Pegasos(kernel=Gaussian(1.0), l2=1e-3, budget=50, when_full="merge", shuffle=False, **PEGASOS)
    learner.fit(X.astype(np.float32), codes)
    rows = np.concatenate([part.parts["vectors"].X for part in learner.model_.remembered.memory.packs])
    gram = Gaussian(1.0)(rows.astype(np.float64))
    assert np.abs(np.exp(learner.model_.holdings.gram) - gram).max() < 1e-4


def test_sparse_rows_are_merged_without_growing_beyond_bounds():
    X, codes = example(400, 2, columns=6)
    X[np.abs(X) < 0.7] = 0.0
    options = {"kernel": Gaussian(1.5), "budget": 15, "when_full": "merge", "shuffle": False}
    dense = PassiveAggressive(**options).fit(X, codes)
    sparse = PassiveAggressive(**options).fit(sp.csr_matrix(X), codes)
    assert dense.mistakes_.tolist() == sparse.mistakes_.tolist()
    np.testing.assert_allclose(sparse.support_vectors_.toarray(), dense.support_vectors_, atol=1e-6)
    wide = sp.random(50, 100_000, 0.01, "csr", random_state=0)
    mixed = mixed_rows(np.full((1, 50), 0.02), [wide])
    assert mixed.nnz == 4 * np.diff(wide.indptr).max() < wide.nnz
    exact = np.asarray(wide.mean(axis=0)).ravel()
    kept = mixed.toarray()[0]
    assert np.allclose(kept[kept != 0], exact[kept != 0])
    assert exact[kept == 0].max() <= kept[kept != 0].min() + 1e-12


@given(sizes=st.lists(st.integers(1, 5), min_size=1, max_size=5), seed=st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_a_factor_that_grows_is_that_of_the_whole(sizes, seed):
    rows = np.random.default_rng(seed).normal(size=(sum(sizes), 40))
    K = rows @ rows.T
    factor = Factor()
    for size in sizes:
        now = slice(factor.size, factor.size + size)
        factor.extend(K[now, : factor.size], K[now, now])
    np.testing.assert_allclose(factor.lower, np.linalg.cholesky(K), atol=1e-9)
    np.testing.assert_allclose(factor.solve(K), np.eye(len(K)), atol=1e-7)
    other, before = factor.copy(), factor.lower.copy()
    assert (other.lower == before).all()
    other.extend(np.zeros((1, len(K))), np.ones((1, 1)))
    factor.extend(np.zeros((1, len(K))), 4 * np.ones((1, 1)))
    assert (other.lower[-1, -1], factor.lower[-1, -1]) == (1.0, 2.0)
    assert (other.lower[:-1, :-1] == before).all()


@pytest.mark.parametrize("name", EVERY)
def test_delta_and_weights_and_late_classes(name):
    """Nothing that a learner without a budget takes is refused without a reason."""
    X, codes = example(200, 3)
    options = {"kernel": Gaussian(1.0), "budget": 25, "when_full": name, "random_state": 0}
    if name not in ("merge", "sketch"):
        noisy = PassiveAggressive(**options, delta=0.5, passes=3).fit(X, codes)
        assert len(noisy.support_) <= 25
    weighted = PassiveAggressive(**options, class_weight={0: 2.0, 1: 1.0, 2: 0.5})
    assert len(weighted.fit(X, codes, sample_weight=np.arange(200) % 3).support_) <= 25
    late = PassiveAggressive(**options).partial_fit(X[codes < 2], codes[codes < 2])
    with pytest.warns(UserWarning, match=r"late|new"):
        late.partial_fit(X[codes == 2], codes[codes == 2])
    assert late.classes_.tolist() == [0, 1, 2]
    late.partial_fit(X, codes)
    assert np.isfinite(late.decision_function(X)).all()
    assert len(late.support_) <= 25


def test_an_example_is_remembered_once_whatever_the_strategy():
    """A revisited example adds to its place: there are no two of the same number."""
    X, codes = example(60, 2)
    for name in EVERY:
        learner = PassiveAggressive(
            kernel=Gaussian(1.0), budget=25, when_full=name, passes=6, random_state=0
        ).fit(X, codes)
        numbers = learner.model_.remembered.origins
        numbers = numbers[numbers >= 0]
        assert len(set(numbers)) == len(numbers), name


def test_the_forgetron_keeps_what_it_spends_below_its_share():
    X, codes = example(2000, 2, seed=8)
    learner = Perceptron(
        kernel=Gaussian(1.0), fit_intercept=False, budget=30, when_full="forget", shuffle=False
    )
    learner.fit(X, codes)
    held = learner.model_.holdings
    assert held.moves[0] == learner.n_updates_ == learner.mistakes_.sum()
    assert 0 < held.spent[0] <= 15 / 32 * held.moves[0] + 1e-9


def test_an_error_in_the_middle_leaves_the_learner_as_it_was():
    X, codes = example(300, 2)
    for name in EVERY:
        learner = PassiveAggressive(kernel=Gaussian(1.0), budget=20, when_full=name, random_state=0)
        learner.partial_fit(X[:100], codes[:100])
        before = learner.decision_function(X)
        with pytest.raises(ValueError, match=r"NaN|finite"):
            learner.partial_fit(np.full((5, 3), np.nan), codes[:5])
        with pytest.raises(ValueError, match="budget cannot change"):
            PassiveAggressive.set_params(learner, budget=30).partial_fit(X, codes)
        learner.set_params(budget=20)
        assert (learner.decision_function(X) == before).all()


def test_early_stopping_and_callbacks_see_whole_models():
    X, codes = example(400, 2)
    for name in EVERY:
        seen = []
        learner = PassiveAggressive(
            kernel=Gaussian(1.0),
            budget=20,
            when_full=name,
            passes=4,
            early_stopping=True,
            random_state=0,
            callback=lambda estimator, report, seen=seen: seen.append(len(estimator.support_)),
        ).fit(X, codes)
        assert seen
        assert max(seen) <= 20
        assert len(learner.support_) <= 20


def test_huge_and_tiny_numbers():
    X, codes = example(100, 2)
    for scale in (1e-150, 1e-30, 1e30, 1e100):
        for name in GENERAL:
            learner = PassiveAggressive(
                kernel=Polynomial(1).normalized(), budget=9, when_full=name, random_state=0
            ).fit(scale * X, codes)
            assert np.isfinite(learner.decision_function(scale * X)).all()
    assert inf > np.abs(learner.dual_coef_).max()
