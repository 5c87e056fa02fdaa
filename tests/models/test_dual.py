"""The dual form: against slow, obvious Python, against the primal form, and what only it can do."""

import copy
import pickle
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import pairwise, product
from math import inf

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

from kerneltron import LogisticRegression, Mira, Pegasos, Perceptron, Romma, Winnow
from kerneltron._types import Visits
from kerneltron.engine.order import last_drawn
from kerneltron.engine.rules.pegasos import PegasosRule
from kerneltron.estimators._splitting import split
from kerneltron.kernels import (
    Conjunctions,
    FromFunction,
    Gaussian,
    Kernel,
    Linear,
    Polynomial,
)
from kerneltron.models import dual_walk, expansion_model, kernel_expansion
from kerneltron.models.dual import Dual
from kerneltron.training.order import order
from tests.additive_rules import ADDITIVE, PEGASOS, columns_of
from tests.oracle import dual as oracle
from tests.oracle import rules
from tests.oracle.kernels import dot, satisfies
from tests.strategies import LAYOUTS, general_problems, problems

RULES = {name: (kind, options, oracle.apart(rule)) for name, (kind, options, rule) in ADDITIVE.items()}
RULES["MIRA"] = (Mira, {"C": 0.25, "scale": False}, oracle.mira(0.25))
KERNELS = {
    "linear": (Linear(), dot),
    "quadratic": (Polynomial(2), oracle.polynomial(2)),
    "Gaussian": (Gaussian(1.5), oracle.gaussian(1.5)),
}
DUAL = {"representation": "dual"}
LEAST_MEMORY = 2 * expansion_model.RESERVED / 2**20  # megabytes


@pytest.fixture
def small_blocks(monkeypatch):
    """Let a few examples be many blocks, so that scores are carried from visit to visit."""
    for module in (kernel_expansion, expansion_model):
        monkeypatch.setattr(module, "VISITS", 7)
        monkeypatch.setattr(module, "PIECE", 3)


def example(n, classes, seed=0, columns=4):
    generator = np.random.default_rng(seed)
    codes = generator.integers(0, classes, n)
    codes[:classes] = np.arange(classes)
    return generator.normal(size=(n, columns)) / 2, codes


def labels_for(kind, X, codes):
    """Return the labels; for ROMMA, which grows without bound where nothing separates, others that do."""
    if kind is not Romma:
        return codes
    columns = min(codes.max() + 1, X.shape[1])
    return np.where(X[:, 0] > 0, 1, 0) if columns == 2 else np.argmax(X[:, :columns], axis=1)


def seed_of(random_state):
    return np.random.RandomState(random_state).randint(np.iinfo(np.int32).max)


def visits_of(n, passes, seed):
    return [np.concatenate(list(order(n, number, seed))) for number in range(passes)]


def hypotheses_of(learner):
    return (
        ("last", "average", "random")
        if learner.method_type.refuses_moves
        else ("last", "average", "random", "vote")
    )


def chosen(hypothesis, history, K, seed, bias=1.0):
    """Return what a hypothesis says, given the coefficients after each visit."""
    if hypothesis == "vote":
        return oracle.vote(K, history, bias)
    alpha = {
        "last": lambda: history[-1],
        "average": lambda: np.mean(history, axis=0),
        "random": lambda: [0 * history[0], *history][last_drawn(seed, 0, len(history))],  # used for it
    }[hypothesis]()
    return oracle.scores(K, alpha, bias)


def two_dimensional(scores):
    return scores.reshape(len(scores), -1)


# -- against slow, obvious Python --------------------------------------------------------------------


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("name", RULES)
@pytest.mark.usefixtures("small_blocks")
def test_every_rule_kernel_and_hypothesis_follows_its_definition(name, kernel, classes):
    kind, options, plan = RULES[name]
    k, function = KERNELS[kernel]
    X, codes = example(30, classes, seed=classes)
    codes = labels_for(kind, X, codes)
    new, _ = example(20, 2, seed=9)
    K, K_new = oracle.gram(function, X, X), oracle.gram(function, new, X)
    seed = seed_of(3)
    for shuffle, bias in ((False, 0.0), (True, 1.0)):
        passes = visits_of(len(X), 3, seed if shuffle else None)
        steps = list(oracle.learn(plan, K, codes, columns_of(classes), np.concatenate(passes), bias))
        mistakes = np.reshape([mistake for mistake, _ in steps], (3, -1)).sum(axis=1)
        history = [alpha for _, alpha in steps]
        learner = kind(kernel=k, passes=3, shuffle=shuffle, random_state=3, fit_intercept=bool(bias), **DUAL)
        learner.set_params(**options)
        for hypothesis in hypotheses_of(learner):
            learner.set_params(hypothesis=hypothesis).fit(X, codes)
            assert learner.mistakes_.tolist() == mistakes.tolist()
            np.testing.assert_allclose(
                two_dimensional(learner.decision_function(new)),
                chosen(hypothesis, history, K_new, seed, bias),
                rtol=1e-6,
                atol=1e-8,
            )


@pytest.mark.parametrize("name", ["perceptron", "PA-II", "MIRA", "pegasos"])
def test_more_examples_than_fit_into_a_block(name):
    """Blocks of the order, of visits and of memory as they are, and none of them full at the end."""
    kind, options, plan = RULES[name]
    X, codes = example(1300, 3, seed=5)
    codes = (X[:, 0] > 0.4).astype(int) + (X[:, 1] > 0.2)  # mistakes become fewer, as they mostly do
    squares = (X**2).sum(1)
    K = np.exp(-(squares[:, None] + squares - 2 * X @ X.T) / 2)
    seed = seed_of(0)
    passes = visits_of(len(X), 2, seed)
    mistakes, last, total = [], None, 0
    for mistake, alpha in oracle.learn(plan, K, codes, 3, np.concatenate(passes), with_norms=False):
        mistakes.append(mistake)
        last, total = alpha, total + alpha
    mistakes = np.reshape(mistakes, (2, -1)).sum(axis=1)
    for hypothesis, alpha in (("last", last), ("average", total / (2 * len(X)))):
        learner = kind(kernel=Gaussian(1.0), passes=2, random_state=0, hypothesis=hypothesis, **options)
        learner.fit(X, codes)
        assert learner.mistakes_.tolist() == mistakes.tolist()
        np.testing.assert_allclose(
            learner.decision_function(X), oracle.scores(K, alpha), rtol=1e-6, atol=1e-6
        )


@pytest.mark.parametrize("hypothesis", ["last", "average"])
@pytest.mark.usefixtures("small_blocks")
def test_shrinking_survives_many_folds(hypothesis):
    """Half of w is lost at every visit: the scale is folded every thirty, with scores cached in between."""
    constant = {"schedule": "constant", "learning_rate": 1.0}
    for kind, options, rule in (
        (Pegasos, constant | {"l2": 0.5}, rules.pegasos("constant", 1.0, 0.5)),
        (LogisticRegression, constant | {"l2": 1.0}, rules.logistic("constant", 1.0, 1.0)),
        (Pegasos, {"l2": 2.0, "learning_rate": inf}, rules.pegasos(l2=2.0)),
    ):
        for classes in (2, 3):
            X, codes = example(60, classes, seed=1)
            K = oracle.gram(oracle.gaussian(1.0), X, X)
            visits = np.concatenate(visits_of(60, 4, None))
            steps = list(oracle.learn(oracle.apart(rule), K, codes, columns_of(classes), visits))
            learner = kind(kernel=Gaussian(1.0), hypothesis=hypothesis, passes=4, shuffle=False, **options)
            learner.fit(X, codes)
            assert learner.mistakes_.sum() == sum(mistake for mistake, _ in steps)
            expected = chosen(hypothesis, [alpha for _, alpha in steps], K, 0)
            np.testing.assert_allclose(two_dimensional(learner.decision_function(X)), expected, atol=1e-9)


@pytest.mark.usefixtures("small_blocks")
def test_romma_that_starts_anew_forgets_what_was_cached():
    # Rows that are parallel contradict each other: everything learned before is multiplied by 0.
    generator = np.random.default_rng(0)
    X = np.outer(2.0 ** generator.integers(-1, 2, 30), [1.0, 0.5])
    codes = generator.integers(0, 2, 30)
    settings = {"fit_intercept": False, "shuffle": False, "passes": 3, "random_state": 0}
    for aggressive, hypothesis in product((False, True), ("last", "average", "vote", "random")):
        learner = Romma(aggressive=aggressive, hypothesis=hypothesis, **settings)
        primal = clone(learner).fit(X, codes)
        dual = learner.set_params(**DUAL).fit(X, codes)
        assert dual.mistakes_.tolist() == primal.mistakes_.tolist()
        np.testing.assert_allclose(dual.decision_function(X), primal.decision_function(X), atol=1e-9)
        assert len(dual.support_) < len(dual.model_.remembered.origins) or hypothesis != "last"


# -- against the primal form ---------------------------------------------------------------------------


def both_forms(learner, X, y, **fitting):
    primal = clone(learner).set_params(kernel="linear", representation="primal").fit(X, y, **fitting)
    dual = clone(learner).set_params(kernel="linear", representation="dual").fit(X, y, **fitting)
    assert dual.representation_.form == "dual"
    return primal, dual


def assert_same(primal, dual, X, tolerance=1e-8):
    assert dual.mistakes_.tolist() == primal.mistakes_.tolist()
    np.testing.assert_allclose(
        dual.decision_function(X), primal.decision_function(X), rtol=tolerance, atol=tolerance
    )


@pytest.mark.parametrize("name", RULES)
@pytest.mark.usefixtures("small_blocks")
@settings(max_examples=10, deadline=None)
@given(
    problem=general_problems(),
    layout=st.sampled_from(["dense", "csr", "csr64"]),
    bias=st.booleans(),
    passes=st.sampled_from([1, 0.3, 2.5]),
    choice=st.integers(0, 3),
)
def test_with_the_linear_kernel_it_equals_the_primal_form(name, problem, layout, bias, passes, choice):
    kind, options, _ = RULES[name]
    X, codes, _ = problem
    codes = labels_for(kind, X, codes)
    assume(len(set(codes)) > 1)
    learner = kind(fit_intercept=bias, passes=passes, random_state=7, **options)
    learner.set_params(hypothesis=hypotheses_of(learner)[choice % len(hypotheses_of(learner))])
    primal, dual = both_forms(learner, LAYOUTS[layout](X), codes)
    assert_same(primal, dual, LAYOUTS[layout](X), 1e-6)
    assert dual.model_.weights.clock.tolist() == primal.model_.weights.clock.tolist()


@pytest.mark.parametrize("name", ["perceptron", "margin"])
@pytest.mark.usefixtures("small_blocks")
@settings(max_examples=25, deadline=None)
@given(
    problem=problems(),
    layout=st.sampled_from(list(LAYOUTS)),
    bias=st.booleans(),
    hypothesis=st.sampled_from(["last", "vote", "random"]),
)
def test_decisions_are_exact_where_arithmetic_is(name, problem, layout, bias, hypothesis):
    kind, options, _ = RULES[name]
    X, codes, _ = problem
    learner = kind(fit_intercept=bias, passes=3, random_state=7, hypothesis=hypothesis, **options)
    primal, dual = both_forms(learner, LAYOUTS[layout](X), codes)
    assert dual.mistakes_.tolist() == primal.mistakes_.tolist()
    assert dual.n_updates_ == primal.n_updates_
    np.testing.assert_array_equal(dual.decision_function(X), primal.decision_function(X))


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["dense32", "csr32"])
@pytest.mark.parametrize("name", RULES)
@pytest.mark.usefixtures("small_blocks")
def test_single_precision_is_close(name, layout):
    kind, options, _ = RULES[name]
    for classes in (2, 3):
        X, codes = example(60, classes, seed=2)
        codes = labels_for(kind, X, codes)
        X = LAYOUTS[layout](X)
        learner = kind(passes=2, random_state=0, **options)
        primal, dual = both_forms(learner, X, codes)
        assert_same(primal, dual, X, 1e-3)


WEIGHTED = ["perceptron", "PA-I", "PA-II", "MIRA", "logistic", "pegasos"]


@pytest.mark.parametrize("name", WEIGHTED)
@pytest.mark.usefixtures("small_blocks")
def test_weights_of_rows_and_classes(name):
    kind, options, _ = RULES[name]
    generator = np.random.default_rng(0)
    for classes in (2, 3):
        X, codes = example(50, classes, seed=3)
        weight = generator.choice([0.0, 0.25, 1.0, 2.0], 50)
        for class_weight in (None, "balanced", {0: 0.5, 1: 2.0}, {0: 1.0, 1: 0.0}):
            learner = kind(passes=2, random_state=0, class_weight=class_weight, **options)
            assert_same(*both_forms(learner, X, codes, sample_weight=weight), X)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("hypothesis", ["average", "random", "vote"])
@pytest.mark.usefixtures("small_blocks")
def test_rows_of_weight_zero_do_not_exist(name, hypothesis):
    kind, options, _ = RULES[name]
    learner = kind(kernel=Gaussian(1.0), passes=2, shuffle=True, random_state=0, **options)
    if hypothesis in hypotheses_of(learner):
        learner.set_params(hypothesis=hypothesis)
    X, codes = example(60, 3, seed=4)
    there = np.arange(60) % 3 > 0
    codes[~there] = 9
    weighted = clone(learner).fit(X, codes, sample_weight=there.astype(float))
    removed = clone(learner).fit(X[there], codes[there])
    assert weighted.classes_.tolist() == [0, 1, 2]
    assert weighted.mistakes_.tolist() == removed.mistakes_.tolist()
    assert weighted.decision_function(X).tobytes() == removed.decision_function(X).tobytes()
    np.testing.assert_array_equal(weighted.support_, np.flatnonzero(there)[removed.support_])


@pytest.mark.parametrize("hypothesis", ["last", "average", "random", "vote"])
@pytest.mark.usefixtures("small_blocks")
def test_early_stopping_equals_the_primal_form(hypothesis):
    X, codes = example(90, 3, seed=6)
    stopping = {"early_stopping": True, "patience": 2, "validation_fraction": 0.3}
    learner = Perceptron(hypothesis=hypothesis, passes=9, random_state=1, **stopping)
    primal, dual = both_forms(learner, X, codes)
    assert_same(primal, dual, X)
    assert dual.best_pass_ == primal.best_pass_
    assert dual.validation_scores_.tolist() == primal.validation_scores_.tolist()
    assert dual.best_pass_ < len(dual.mistakes_)  # one that is restored
    held_out = np.setdiff1d(np.arange(90), split(codes, dual.validation_fraction, seed_of(1))[0])
    assert not np.intersect1d(dual.support_, held_out).size


# -- streams -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hypothesis", ["last", "average", "random", "vote"])
@pytest.mark.parametrize("name", RULES)
@settings(max_examples=5, deadline=None)
@given(problem=general_problems(), cuts=st.lists(st.integers(0, 40), max_size=4))
def test_pieces_equal_at_once(name, hypothesis, problem, cuts):
    kind, options, _ = RULES[name]
    X, codes, classes = problem
    learner = kind(kernel=Gaussian(1.0), passes=1, shuffle=False, random_state=5, **options)
    if hypothesis in hypotheses_of(learner):
        learner.set_params(hypothesis=hypothesis)
    whole, pieces = clone(learner).fit(X, codes), clone(learner)
    edges = sorted({0, len(X), *(cut for cut in cuts if cut < len(X))})
    for start, stop in pairwise(edges):
        pieces.partial_fit(X[start:stop], codes[start:stop], classes=np.arange(classes))
    assert pieces.mistakes_.tolist() == whole.mistakes_.tolist()
    np.testing.assert_allclose(pieces.decision_function(X), whole.decision_function(X), rtol=1e-7, atol=1e-9)
    np.testing.assert_array_equal(pieces.model_.remembered.origins, whole.model_.remembered.origins)
    np.testing.assert_array_equal(pieces.support_, whole.support_)


def test_pieces_of_whole_blocks_give_the_same_bytes():
    X, codes = example(2500, 3, seed=0)
    learner = Perceptron(kernel=Gaussian(1.0), shuffle=False)
    whole, pieces = clone(learner).fit(X, codes), clone(learner)
    for start in range(0, 2500, 1024):
        pieces.partial_fit(X[start : start + 1024], codes[start : start + 1024], classes=[0, 1, 2])
    assert pieces.decision_function(X).tobytes() == whole.decision_function(X).tobytes()
    assert pieces.dual_coef_.tobytes() == whole.dual_coef_.tobytes()


@pytest.mark.parametrize("name", RULES)
@pytest.mark.usefixtures("small_blocks")
def test_fit_goes_on_with_partial_fit(name):
    kind, options, _ = RULES[name]
    X, codes = example(40, 3, seed=7)
    learner = kind(kernel=Gaussian(1.0), passes=1, shuffle=False, hypothesis="last", **options)
    twice = clone(learner).set_params(passes=2).fit(X, codes)
    learner.fit(X, codes).partial_fit(X, codes)
    # The second time, rows are remembered as others, but for what they say they are the same.
    assert learner.mistakes_.tolist() == twice.mistakes_.tolist()
    np.testing.assert_allclose(learner.decision_function(X), twice.decision_function(X), rtol=1e-6, atol=1e-8)
    learner.partial_fit(X[:9], codes[:9])
    assert len(learner.mistakes_) == 2  # a stream is one long pass
    assert learner.support_.max() < 89


@settings(max_examples=20, deadline=None)
@given(problem=general_problems(max_classes=4), cut=st.integers(1, 4))
def test_scores_before_each_update(problem, cut):
    X, codes, classes = problem
    K = oracle.gram(oracle.gaussian(1.0), X, X)
    steps = list(oracle.learn(RULES["perceptron"][2], K, codes, columns_of(classes), np.arange(len(X))))
    learner = Perceptron(kernel=Gaussian(1.0), learning_rate=0.5, hypothesis="last")
    learner.partial_fit(X[:cut], codes[:cut], classes=np.arange(classes))
    scores = learner.partial_fit_predict(X[cut:], codes[cut:])
    before = [oracle.scores(K[t], steps[t - 1][1]) for t in range(cut, len(X))]
    np.testing.assert_allclose(two_dimensional(scores), before, atol=1e-9)
    assert learner.mistakes_.tolist() == [sum(mistake for mistake, _ in steps)]


@pytest.mark.parametrize("hypothesis", ["last", "average", "vote", "random"])
@pytest.mark.parametrize("name", ["perceptron", "PA-I", "ROMMA"])
def test_late_classes_equal_separate_learners(name, hypothesis):
    """Where steps do not depend on the clock, and after two classes: a late one begins at zero."""
    kind, options, _ = RULES[name]
    learner = kind(kernel=Gaussian(1.0), random_state=0, **options)
    if hypothesis in hypotheses_of(learner):
        learner.set_params(hypothesis=hypothesis)
    X, _ = example(60, 2, seed=8)
    generator = np.random.default_rng(8)
    codes = np.append(generator.integers(0, 2, 30), generator.integers(0, 4, 30))
    codes[30:34] = [3, 2, 3, 2]
    late = clone(learner).partial_fit(X[:30], codes[:30])
    with pytest.warns(UserWarning, match="3 came late"):
        late.partial_fit(X[30:], codes[30:])
    scores = late.decision_function(X)
    assert scores.shape == (60, 4)
    assert np.isfinite(scores).all()
    if learner.hypothesis == "random":
        return  # drawn at a tick of all, not of one
    learned = np.delete(np.arange(60), [30, 31])  # these two only introduce the late classes
    for column in range(4):
        rows, share = (learned, 58) if column < 2 else (learned[30:], 28)
        alone = clone(learner).partial_fit(X[rows], codes[rows] == column, classes=[False, True])
        expected = alone.decision_function(X) * (1.0 if learner.hypothesis == "last" else share / 58)
        if learner.hypothesis == "vote":
            expected -= 1 - share / 58
        np.testing.assert_allclose(scores[:, column], expected, atol=1e-9)


@pytest.mark.parametrize("hypothesis", ["last", "average", "vote", "random"])
def test_a_stream_may_begin_with_one_class(hypothesis):
    X, _ = example(30, 2)
    for labels in ("bcad", "abcd", "dcba"):
        y = np.repeat(list(labels), 7)
        dual = Perceptron(hypothesis=hypothesis, random_state=0, **DUAL)
        primal = Perceptron(hypothesis=hypothesis, random_state=0)
        for start in range(0, 28, 7):
            for learner in (primal, dual):
                with pytest.warns(UserWarning, match="came late") if start > 7 else nullcontext():
                    learner.partial_fit(X[start : start + 7], y[start : start + 7])
            np.testing.assert_allclose(dual.decision_function(X), primal.decision_function(X), atol=1e-12)
        assert dual.classes_.tolist() == ["a", "b", "c", "d"]


# -- memory --------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
@pytest.mark.usefixtures("small_blocks")
def test_scores_that_do_not_fit_are_computed_anew(name, monkeypatch):
    kind, options, _ = RULES[name]
    X, codes = example(50, 3, seed=9)
    learner = kind(
        kernel=Gaussian(1.0), passes=3, random_state=0, delta=0.5, working_memory=LEAST_MEMORY, **options
    )
    are_kept = []

    def fitted():
        note = {"callback": lambda one, report: are_kept.append(one.model_.visited.is_cached)}
        return clone(learner).set_params(**note).fit(X, codes)

    cached = fitted()
    monkeypatch.setattr(dual_walk, "RESERVED", 2 * dual_walk.RESERVED - 1000)
    anew = fitted()
    assert are_kept == [True] * 3 + [False] * 3
    assert anew.mistakes_.tolist() == cached.mistakes_.tolist()
    np.testing.assert_allclose(anew.decision_function(X), cached.decision_function(X), rtol=1e-7, atol=1e-9)


def test_a_vote_in_little_memory(monkeypatch):
    X, codes = example(300, 3, seed=10)
    learner = Perceptron(kernel=Gaussian(0.5), hypothesis="vote", random_state=0, working_memory=LEAST_MEMORY)
    learner.fit(X, codes)
    before = learner.decision_function(X)
    monkeypatch.setattr(expansion_model, "RESERVED", 2 * expansion_model.RESERVED - 1)
    np.testing.assert_array_equal(learner.decision_function(X), before)


def test_too_little_memory_is_an_error():
    with pytest.raises(ValueError, match=f"working_memory=3 must be .* at least {LEAST_MEMORY:g}"):
        Perceptron(kernel=Gaussian(1.0), working_memory=3).fit(np.eye(2), [0, 1])


def test_a_model_can_be_used_by_itself():
    X, codes = example(40, 2)
    model = Dual(
        PegasosRule(0.0, 0.25, 0.25), Gaussian(1.0), 1, bias=1.0, hypothesis="last", working_memory=0
    )
    model.begin(model.read(X))
    model.learn(Visits(np.arange(40), codes, np.ones(40)))
    model.finish()
    learner = Pegasos(kernel=Gaussian(1.0), l2=0.25, hypothesis="last", shuffle=False, **PEGASOS)
    learner.fit(X, codes)
    np.testing.assert_allclose(model.scores(X).ravel(), learner.decision_function(X), atol=1e-12)


# -- what is evaluated, and how often ------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Counted(Kernel):
    """Another kernel, and the number of its evaluations so far."""

    base: Kernel
    evaluations: list = field(default_factory=lambda: [0], compare=False)

    @property
    def domain(self):
        return self.base.domain

    def _fill(self, pack, X):
        self.base._enter(pack, X)

    def _diag(self, pack):
        return self.base._diag(pack)

    def _block(self, pair):
        self.evaluations[0] += pair.shape[0] * pair.shape[1]
        return self.base._block(pair)


def two_moons(n, seed=0):
    generator = np.random.default_rng(seed)
    codes = generator.integers(0, 2, n)
    angle = generator.uniform(0, np.pi, n) + np.pi * codes
    center = np.column_stack([codes, 0.5 * codes])
    return center + np.column_stack([np.cos(angle), np.sin(angle)]) + generator.normal(0, 0.05, (n, 2)), codes


@pytest.mark.parametrize("hypothesis", ["last", "average", "random", "vote"])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_prediction_compares_with_each_remembered_example_once(hypothesis, classes):
    X, codes = example(400, classes, seed=11)
    k = Counted(Gaussian(1.0))
    learner = Perceptron(kernel=k, hypothesis=hypothesis, passes=10, random_state=0).fit(X, codes)
    remembered = len(learner.support_)
    assert 0 < remembered <= 400
    assert learner.n_updates_ > 2 * remembered  # many were missed again and again
    k.evaluations[0] = 0
    learner.predict(X[:37])
    assert k.evaluations[0] == 37 * remembered


def test_examples_whose_coefficients_cancelled_are_not_compared_with():
    X, codes = np.array([[1.0], [1.0], [3.0]]), np.array([1, 0, 1])
    k = Counted(Gaussian(1.0))
    learner = Perceptron(kernel=k, hypothesis="last", shuffle=False, class_weight={0: 1.0, 1: 1.0})
    learner.fit(X[[0, 2]], [1, 0])
    assert learner.support_.tolist() == [0, 1]
    several = Perceptron(kernel=k, hypothesis="last", shuffle=False, passes=2, fit_intercept=False)
    several.fit(np.array([[0.0], [0.1], [0.05]]), [1, 0, 1])
    coefficients = np.zeros((1, 3))
    coefficients[:, several.support_] = several.dual_coef_
    assert len(several.support_) == np.count_nonzero(coefficients)
    romma = Romma(kernel=k, hypothesis="last", shuffle=False, fit_intercept=False).fit(X, codes)
    k.evaluations[0] = 0
    romma.predict(X)
    assert k.evaluations[0] == 3 * len(romma.support_)


def test_a_later_pass_costs_only_new_mistakes():
    X, codes = two_moons(3000)
    k, costs = Counted(Gaussian(0.5)), []
    learner = Perceptron(
        kernel=k, hypothesis="last", passes=10, random_state=0,
        callback=lambda learner, report: costs.append(k.evaluations[0]),
    ).fit(X, codes)  # fmt: skip
    per_pass = np.diff([0, *costs])
    assert learner.mistakes_[0] > 10
    assert per_pass[1:].sum() < per_pass[0]
    assert learner.score(X, codes) > 0.99


def test_a_visit_without_mistakes_evaluates_nothing():
    X, codes = two_moons(200)
    k = Counted(Gaussian(0.5))
    after = []
    learner = Perceptron(
        kernel=k, hypothesis="last", passes=30, shuffle=False,
        callback=lambda learner, report: after.append((report.mistakes, k.evaluations[0])),
    ).fit(X, codes)  # fmt: skip
    assert learner.mistakes_[-1] == 0
    quiet = [i for i, (mistakes, _) in enumerate(after) if mistakes == 0]
    assert len(quiet) >= 2
    assert after[quiet[0] + 1][1] == after[-1][1]  # all passes after it are for nothing


# -- support_ and dual_coef_ ---------------------------------------------------------------------------


def by_hand(learner, k, X, rows):
    coefficients = learner.dual_coef_
    return k(X, rows[learner.support_]) @ coefficients.T + learner.fit_intercept * coefficients.sum(axis=1)


@pytest.mark.parametrize("hypothesis", ["last", "average", "random"])
@pytest.mark.parametrize("name", RULES)
def test_support_and_coefficients_are_the_decision_function(name, hypothesis):
    kind, options, _ = RULES[name]
    k = Gaussian(1.0)
    for classes, bias in ((2, True), (3, False)):
        X, codes = example(70, classes, seed=12)
        learner = kind(
            kernel=k, hypothesis=hypothesis, fit_intercept=bias, random_state=0, passes=3, **options
        )
        weight = (np.arange(70) % 5 > 0).astype(float)
        stopping = {"early_stopping": True, "validation_fraction": 0.3, "patience": 1}
        for changes, fitting in (
            ({}, {}),
            ({}, {"sample_weight": weight}),
            (stopping, {"sample_weight": weight}),
        ):
            fitted = clone(learner).set_params(**changes).fit(X, codes, **fitting)
            expected = by_hand(fitted, k, X, X)
            np.testing.assert_allclose(two_dimensional(fitted.decision_function(X)), expected, atol=1e-9)
            assert fitted.dual_coef_.shape == (columns_of(classes), len(fitted.support_))
            assert len(set(fitted.support_.tolist())) == len(fitted.support_)
            if fitting:
                assert weight[fitted.support_].all()
        stream = clone(learner)
        for start in range(0, 70, 20):
            stream.partial_fit(X[start : start + 20], codes[start : start + 20], classes=np.arange(classes))
        expected = by_hand(stream, k, X, X)
        np.testing.assert_allclose(two_dimensional(stream.decision_function(X)), expected, atol=1e-9)


def test_each_form_says_where_its_knowledge_is():
    X, codes = example(30, 2)
    dual, primal = Perceptron(kernel=Gaussian(1.0)).fit(X, codes), Perceptron().fit(X, codes)
    with pytest.raises(AttributeError, match="support_ and dual_coef_"):
        _ = dual.coef_
    with pytest.raises(AttributeError, match="support_ and dual_coef_"):
        _ = dual.intercept_
    with pytest.raises(AttributeError, match="coef_ and intercept_"):
        _ = primal.support_
    with pytest.raises(AttributeError, match="not fitted"):
        _ = Perceptron(kernel=Gaussian(1.0)).dual_coef_


# -- kernels of all kinds ------------------------------------------------------------------------------


def test_a_precomputed_matrix_equals_the_kernel_itself():
    X, codes = example(80, 3, seed=13)
    new, _ = example(20, 2, seed=14)
    k = Gaussian(1.0)
    for learner in (Perceptron(), Romma(), Pegasos(l2=0.1), Perceptron(hypothesis="vote"), Mira()):
        learner.set_params(passes=2, random_state=0)
        itself = clone(learner).set_params(kernel=k).fit(X, codes)
        precomputed = clone(learner).set_params(kernel="precomputed").fit(k(X), codes)
        assert precomputed.mistakes_.tolist() == itself.mistakes_.tolist()
        np.testing.assert_allclose(
            precomputed.decision_function(k(new, X)), itself.decision_function(new), rtol=1e-9, atol=1e-9
        )


def test_a_precomputed_matrix_is_cut_along_rows_and_columns():
    X, codes = example(90, 2, seed=15)
    k = Gaussian(1.0)
    stopping = {"early_stopping": True, "passes": 6, "validation_fraction": 0.25}
    for options in ({"passes": 2}, stopping):
        learner = Perceptron(random_state=0, **options)
        itself = clone(learner).set_params(kernel=k)
        precomputed = clone(learner).set_params(kernel="precomputed")
        np.testing.assert_array_equal(
            cross_val_score(precomputed, k(X), codes, cv=4), cross_val_score(itself, X, codes, cv=4)
        )
        grid = {"margin": [0.0, 0.5]}
        results = [
            GridSearchCV(learner, grid, cv=3).fit(data, codes).cv_results_["mean_test_score"]
            for learner, data in ((precomputed, k(X)), (itself, X))
        ]
        np.testing.assert_array_equal(*results)
    fitted = precomputed.fit(k(X), codes)
    assert fitted.best_pass_ == itself.fit(X, codes).best_pass_
    assert fitted.validation_scores_.tolist() == itself.validation_scores_.tolist()
    sparse = Perceptron(kernel="precomputed", random_state=0).fit(sp.csr_matrix(k(X)), codes)
    assert (
        sparse.predict(k(X)).tolist()
        == Perceptron(kernel=k, random_state=0).fit(X, codes).predict(X).tolist()
    )


def test_a_precomputed_matrix_must_fit():
    gram = Linear()(np.eye(4))
    learner = Perceptron(kernel="precomputed")
    with pytest.raises(ValueError, match="square matrix of similarities, but X is 3 x 4"):
        learner.fit(gram[:3], [0, 1, 0])
    learner.fit(gram, [0, 1, 0, 1])
    with pytest.raises(ValueError, match="features"):
        learner.predict(gram[:, :3])
    with pytest.raises(ValueError, match="not of a stream"):
        learner.partial_fit(gram, [0, 1, 0, 1])
    with pytest.raises(ValueError, match="not of a stream"):
        Perceptron(kernel="precomputed").partial_fit(gram, [0, 1, 0, 1])


WORDS = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
] * 3
HAS_E = np.array(["e" in word for word in WORDS])


def common_letters(x, z):
    return len(set(x) & set(z))


def letters(words):
    return np.array(
        [[word.count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for word in words], float
    )


@pytest.mark.parametrize(
    "container", [list, np.array, tuple, lambda words: np.array(words, object)], ids=range(4)
)
def test_a_function_on_texts(container):
    X = container(WORDS)
    learner = Perceptron(kernel=FromFunction(common_letters), passes=10, random_state=0)
    assert learner.fit(X, HAS_E).score(X, HAS_E) == 1
    assert learner.predict(["eee", "zoo"]).tolist() == [True, False]
    assert len(learner.support_) > 2
    stream = clone(learner)
    for start in range(0, 36, 10):
        stream.partial_fit(X[start : start + 10], HAS_E[start : start + 10], classes=[False, True])
    once = clone(learner).set_params(passes=1, shuffle=False).fit(X, HAS_E)
    np.testing.assert_allclose(stream.decision_function(X), once.decision_function(X), atol=1e-12)
    assert stream.partial_fit_predict(X, HAS_E).shape == (36,)
    stopped = clone(learner).set_params(early_stopping=True, validation_fraction=0.3).fit(X, HAS_E)
    assert stopped.validation_scores_.max() > 0.8


def test_a_grid_search_on_texts():
    k = FromFunction(common_letters)
    grid = {"kernel": [k, k.normalized(), k**2, Linear().after(letters)], "passes": [5]}
    search = GridSearchCV(Perceptron(random_state=0), grid, cv=3).fit(WORDS, HAS_E)
    assert search.best_score_ > 0.9
    inside = GridSearchCV(Perceptron(kernel=k**2, random_state=0), {"kernel__exponent": [1, 3]}, cv=3)
    assert inside.fit(WORDS, HAS_E).best_params_["kernel__exponent"] in (1, 3)


def test_a_function_of_dictionaries():
    def numbers(records):
        return np.array([[record["age"], record["height"]] for record in records])

    X, codes = example(60, 2, seed=16)
    records = [{"age": row[0], "height": row[1], "name": "x"} for row in X]
    learner = Perceptron(kernel=Gaussian(1.0).after(numbers), passes=2, random_state=0)
    plain = Perceptron(kernel=Gaussian(1.0), passes=2, random_state=0).fit(X[:, :2], codes)
    np.testing.assert_allclose(
        learner.fit(records, codes).decision_function(records), plain.decision_function(X[:, :2]), atol=1e-12
    )


def test_what_is_no_sequence_of_examples_is_explained():
    learner = Perceptron(kernel=FromFunction(common_letters))
    for X in ("text", {"a": 1}, 3, iter(WORDS)):
        with pytest.raises(TypeError, match="give a sequence of examples"):
            learner.fit(X, HAS_E)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        learner.fit(WORDS[:5], HAS_E)


# -- parameters of kernels -----------------------------------------------------------------------------


def test_parameters_of_a_kernel_are_parameters_of_the_learner():
    learner = Perceptron(kernel=Polynomial(2) + Gaussian(1.0))
    assert learner.get_params()["kernel__left__degree"] == 2
    assert learner.get_params()["kernel__right__sigma"] == 1.0
    assert "kernel__left__degree" not in learner.get_params(deep=False)
    learner.set_params(kernel__left__degree=3, kernel__right=Linear(), passes=4)
    assert learner.kernel == Polynomial(3) + Linear()
    assert clone(learner).kernel == learner.kernel
    text = Perceptron(kernel="Polynomial(2)").set_params(kernel__degree=5)
    assert text.kernel == Polynomial(5)
    both = Perceptron().set_params(kernel="Gaussian(1.0)", kernel__sigma=3.0)
    assert both.kernel == Gaussian(3.0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kernel__gamma": 1.0}, "no parameter 'gamma'; it has sigma"),
        ({"kernel__sigma": -1.0}, "sigma=-1.0 must be"),
        ({"kernel__sigma__x": 1.0}, "sigma"),
        ({"sigma": 1.0}, "Invalid parameter 'sigma'"),
        ({"nothing__sigma": 1.0}, "nothing"),
    ],
)
def test_a_parameter_that_is_none_is_named(changes, message):
    learner = Perceptron(kernel=Gaussian(1.0))
    with pytest.raises(ValueError, match=message):
        learner.set_params(**changes)
    assert learner.kernel == Gaussian(1.0)


def test_grid_search_over_kernels_and_inside_them():
    X, codes = two_moons(120)
    learner = Perceptron(kernel=Gaussian(1.0), passes=3, random_state=0)
    search = GridSearchCV(learner, {"kernel__sigma": [0.01, 0.3, 100.0]}, cv=3).fit(X, codes)
    assert search.best_params_ == {"kernel__sigma": 0.3}
    whole = GridSearchCV(learner, {"kernel": ["linear", Gaussian(0.3), "Polynomial(2)"]}, cv=3).fit(X, codes)
    assert whole.best_params_ == {"kernel": Gaussian(0.3)}
    learner.set_params(kernel="Polynomial(1) + Linear()")
    nested = GridSearchCV(learner, {"kernel__left__degree": [1, 2]}, cv=3)
    assert nested.fit(*xor(np.random.default_rng(0))).best_params_ == {"kernel__left__degree": 2}


@pytest.mark.parametrize("hypothesis", ["last", "average", "random", "vote"])
@pytest.mark.parametrize(
    "kernel", ["Gaussian(1.0)", "precomputed", FromFunction(dot)], ids=["text", "pre", "function"]
)
def test_a_fitted_learner_can_be_copied_and_pickled(kernel, hypothesis):
    X, codes = example(60, 3, seed=17)
    X = Gaussian(1.0)(X) if kernel == "precomputed" else X
    learner = Perceptron(kernel=kernel, hypothesis=hypothesis, passes=2, random_state=0).fit(X, codes)
    expected = learner.decision_function(X).tobytes()
    for other in (pickle.loads(pickle.dumps(learner)), copy.deepcopy(learner), copy.copy(learner)):
        assert other.decision_function(X).tobytes() == expected
    if kernel != "precomputed":
        other = pickle.loads(pickle.dumps(learner)).partial_fit(X, codes)
        assert (
            other.decision_function(X).tobytes()
            == learner.partial_fit(X, codes).decision_function(X).tobytes()
        )


def test_a_copy_goes_its_own_way():
    X, codes = example(60, 3, seed=18)
    learner = Perceptron(kernel=Gaussian(1.0), random_state=0).fit(X, codes)
    other, before = copy.deepcopy(learner), learner.decision_function(X)
    other.partial_fit(X[:20], codes[:20][::-1])
    assert learner.decision_function(X).tobytes() == before.tobytes()


# -- concepts that need a kernel -----------------------------------------------------------------------


def xor(generator):
    X = generator.choice([-1.0, 1.0], (400, 2)) + generator.normal(0, 0.2, (400, 2))
    return X, X[:, 0] * X[:, 1] > 0


def circle(generator):
    X = generator.uniform(-1, 1, (400, 2))
    X = X[np.abs((X**2).sum(1) - 0.6) > 0.1]
    return X, (X**2).sum(1) < 0.6


def parity(generator):
    X = generator.integers(0, 2, (400, 4)).astype(float)
    return X, X.sum(1) % 2 == 1


def normal_form(generator):
    X = generator.integers(0, 2, (1000, 8)).astype(float)
    x = X.astype(bool).T
    return X, (x[0] & ~x[1] & x[2]) | (~x[2] & x[3] & x[4]) | (x[5] & ~x[6])


def monotone_form(generator):
    X = generator.integers(0, 2, (1000, 8)).astype(float)
    x = X.astype(bool).T
    return X, (x[0] & x[1] & x[2]) | (x[3] & x[4] & x[5]) | (x[6] & x[7])


@pytest.mark.parametrize(
    ("concept", "kernel"),
    [
        (xor, "Polynomial(2)"),
        (xor, "Gaussian(0.5)"),
        (circle, "Polynomial(2)"),
        (circle, "Gaussian(0.5)"),
        (parity, "Polynomial(4)"),
        (parity, "AllSubsets()"),
        (parity, "Conjunctions()"),
        (parity, "MonotoneConjunctions()"),
        (normal_form, "Conjunctions()"),
        (normal_form, "Conjunctions(size=3)"),
        (normal_form, "Conjunctions().normalized()"),
        (monotone_form, "MonotoneConjunctions()"),
        (monotone_form, "MonotoneConjunctions(size=3)"),
    ],
)
def test_kernels_learn_what_no_plane_separates(concept, kernel):
    X, y = concept(np.random.default_rng(0))
    X_new, y_new = concept(np.random.default_rng(1))
    learner = Perceptron(kernel=kernel, passes=20, random_state=0, **DUAL).fit(X, y)
    assert learner.score(X_new, y_new) > 0.97
    plane = Perceptron(kernel="linear", passes=20, random_state=0).fit(X, y)
    assert plane.score(X_new, y_new) < 0.92


# -- weights of single features ------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "kernel",
    ["Polynomial(2)", "Polynomial(3, c=0)", "AllSubsets()", "AllSubsets(size=2)", "Conjunctions()",
     "Conjunctions(size=2)", "MonotoneConjunctions()", "MonotoneConjunctions(size=2)", "Linear()",
     "Linear() * (Polynomial(2) + 1)", "2.0 * Conjunctions(size=1).normalized()"],
)  # fmt: skip
@pytest.mark.parametrize("hypothesis", ["last", "average"])
def test_the_weight_of_a_feature_equals_that_of_the_explicit_map(kernel, classes, hypothesis):
    X, codes = example(60, classes, seed=27)
    X = (X > 0).astype(float) if "Conjunctions" in kernel else X
    uneven = {0: 1.0, 1: 1.3713, 2: 0.7291}  # so that rounding does not decide
    learner = Perceptron(kernel=kernel, passes=2, random_state=0, hypothesis=hypothesis)
    learner.set_params(class_weight={label: uneven[label] for label in range(classes)})
    primal = clone(learner).set_params(representation="primal").fit(X, codes)
    dual = clone(learner).set_params(representation="dual").fit(X, codes)
    assert dual.mistakes_.tolist() == primal.mistakes_.tolist()
    for feature in primal.kernel_.feature_map(4).features():
        weight = dual.feature_weight(feature)
        assert weight.shape == (columns_of(classes),)
        np.testing.assert_allclose(weight, primal.feature_weight(feature), atol=1e-9)


def test_the_weight_of_a_conjunction_counts_the_mistakes_that_satisfy_it():
    generator = np.random.default_rng(0)
    X, codes = generator.integers(0, 2, (80, 6)).astype(float), generator.integers(0, 2, 80)
    learner = Perceptron(kernel=Conjunctions(), hypothesis="last", shuffle=False, passes=3, **DUAL).fit(
        X, codes
    )
    K = Conjunctions()(X)
    steps = list(oracle.learn(oracle.apart(rules.perceptron()), K, codes, 1, list(range(80)) * 3))
    missed = [i for i, (mistake, _) in zip(list(range(80)) * 3, steps, strict=True) if mistake]
    assert len(missed) == learner.mistakes_.sum()
    for feature, wanted in (
        ((), [None] * 6),
        (((0, True),), [True, None, None, None, None, None]),
        (((0, True), (3, False)), [True, None, None, False, None, None]),
        (((1, False), (2, False), (5, True)), [None, False, False, None, None, True]),
    ):
        count = sum((1 if codes[i] else -1) for i in missed if satisfies(X[i], wanted))
        assert learner.feature_weight(feature).tolist() == [count]


def test_a_feature_that_is_none_is_explained():
    X, codes = np.eye(4), [0, 1, 0, 1]
    for form in ("primal", "dual"):
        learner = Perceptron(kernel=Polynomial(2), representation=form).fit(X, codes)
        for feature in ((0, 1, 2), (1, 0), (4,), 3, "x"):
            with pytest.raises(ValueError, match="not a feature of this map"):
                learner.feature_weight(feature)
    with pytest.raises(ValueError, match=r"features of Gaussian\(1.0\) cannot be listed"):
        Perceptron(kernel=Gaussian(1.0)).fit(X, codes).feature_weight((0,))
    with pytest.raises(ValueError, match="cannot be listed"):
        Perceptron(kernel=FromFunction(common_letters)).fit(WORDS, HAS_E).feature_weight((0,))
    with pytest.raises(AttributeError, match="not fitted"):
        Perceptron(kernel=Polynomial(2)).feature_weight(())


def test_features_of_many_columns_are_not_listed():
    X, codes = example(50, 2, columns=100)
    learner = Perceptron(kernel=Polynomial(6), hypothesis="last", random_state=0).fit(X, codes)
    alpha = np.zeros(50)
    alpha[learner.support_] = learner.dual_coef_[0]
    expected = alpha @ X[:, [3, 50, 99]].prod(axis=1) * np.sqrt(720 / 6)  # 6! / 3! orders
    np.testing.assert_allclose(learner.feature_weight((3, 50, 99)), [expected], rtol=1e-9)


# -- bad input -----------------------------------------------------------------------------------------

X4, Y4 = np.eye(4), np.array([0, 1, 0, 1])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"kernel": 3}, TypeError, r"kernel=3 is not a kernel: .*FromFunction"),
        ({"kernel": dot}, TypeError, "FromFunction"),
        ({"kernel": None}, TypeError, "kernel=None is not a kernel"),
        ({"kernel": "Gausian(2)"}, ValueError, r"column 1: .*did you mean Gaussian"),
        ({"kernel": "rbf"}, ValueError, r"write Gaussian\(sigma\)"),
        ({"kernel": "Gaussian(-2)"}, ValueError, "sigma"),
        ({"kernel": "Linear() + Conjunctions()"}, ValueError, "one domain"),
        ({"kernel": "Linear() - Gaussian(1)"}, ValueError, "difference"),
        ({"representation": "both"}, ValueError, "representation"),
        ({"kernel": "Gaussian(1)", "representation": "primal"}, ValueError, "use `representation='dual'`"),
        ({"kernel": "Gaussian(1)", "init_scale": 0.1}, ValueError, "init_scale=0.1 draws random weights"),
        ({"kernel": "Gaussian(1)", "delta": -1.0}, ValueError, "delta=-1.0 must be"),
        ({"kernel": "Gaussian(1)", "delta": "much"}, (ValueError, TypeError), "delta"),
        ({"kernel": "Gaussian(1)", "delta": np.nan}, ValueError, "delta"),
        ({"kernel": "Gaussian(1)", "working_memory": "much"}, TypeError, "working_memory"),
        (
            {"kernel": "Polynomial(2)", "representation": "primal", "delta": 1.0},
            ValueError,
            "delta gives every",
        ),
    ],
)
def test_options_that_make_no_sense_are_explained(options, error, message):
    for learner in (Perceptron(), Romma(), Mira()):
        with pytest.raises(error, match=message):
            clone(learner).set_params(**options).fit(X4, Y4)


def test_steps_for_each_weight_need_weights():
    for learner in (LogisticRegression(), Pegasos(learning_rate=1.0)):
        with pytest.raises(ValueError, match="the dual form has no weights"):
            clone(learner).set_params(schedule="adaptive", kernel=Gaussian(1.0)).fit(X4, Y4)
    assert (
        LogisticRegression(kernel=Gaussian(1.0)).fit(X4, Y4).model_.rule.l2 == 1e-4
    )  # "auto" is inverse there


def test_winnow_has_no_kernel():
    with pytest.raises(TypeError, match="kernel"):
        Winnow(kernel="linear")
    with pytest.raises(ValueError, match="Invalid parameter 'kernel'"):
        Winnow().set_params(kernel="linear")


@pytest.mark.parametrize(
    ("kernel", "X", "message"),
    [
        ("Gaussian(1)", [[np.nan], [1.0]], "NaN"),
        ("Gaussian(1)", [[1.0], [np.inf]], "inf"),
        ("Conjunctions()", [[0.0], [2.0]], "X holds 2 in row 1, column 0: a kernel over booleans"),
        ("Gaussian(1)", np.empty((0, 2)), "0 sample"),
        ("Gaussian(1)", np.empty((2, 0)), "0 feature"),
        ("Polynomial(99)", [[1e9], [1.0]], r"normalized\(\)"),
        ("Polynomial(20)", [[1e5], [1.0]], r"too much to be squared: use kernel\.normalized\(\)"),
        ("Gaussian(1)", [1.0, 2.0], "1D array"),
        ("Gaussian(1)", [["a"], ["b"]], "could not convert"),
    ],
)
def test_rows_that_cannot_be_learned_from_are_explained(kernel, X, message):
    with pytest.raises(ValueError, match=message):
        Perceptron(kernel=kernel, **DUAL).fit(X, [0, 1][: len(X)])


def test_rows_that_cannot_be_predicted_are_explained():
    learner = Perceptron(kernel=Gaussian(1.0)).fit(X4, Y4)
    with pytest.raises(ValueError, match="X has 3 features"):
        learner.predict(X4[:, :3])
    with pytest.raises(ValueError, match="NaN"):
        learner.predict(X4 * np.nan)
    with pytest.raises(ValueError, match="booleans"):
        Perceptron(kernel=Conjunctions(), **DUAL).fit(X4, Y4).predict(X4 * 2)
    with pytest.raises(ValueError, match="0 sample"):
        learner.predict(X4[:0])


def test_one_row_needs_a_stream():
    with pytest.raises(ValueError, match="one class only"):
        Perceptron(kernel=Gaussian(1.0)).fit(X4[:1], Y4[:1])
    learner = Perceptron(kernel=Gaussian(1.0), hypothesis="last")
    learner.partial_fit(X4[:1], Y4[:1], classes=[0, 1])
    assert learner.predict(X4[:1]).tolist() == [0]
    learner.partial_fit(X4[1:2], Y4[1:2])
    assert learner.predict(X4[:2]).tolist() == [0, 1]


def test_a_stream_keeps_its_kernel():
    learner = Perceptron(kernel=Gaussian(1.0)).partial_fit(X4, Y4)
    before = learner.decision_function(X4).tobytes()
    for change in (
        {"kernel__sigma": 2.0},
        {"kernel": Linear()},
        {"hypothesis": "last"},
        {"fit_intercept": False},
    ):
        other = copy.deepcopy(learner)
        with pytest.raises(ValueError, match="cannot change"):
            other.set_params(**change).partial_fit(X4, Y4)
    learner.set_params(kernel="Gaussian(1.0)").partial_fit(X4[:1], Y4[:1])  # the same, as a text
    with pytest.raises(ValueError, match="delta='auto' looks at all examples"):
        Perceptron(kernel=Gaussian(1.0), delta="auto").partial_fit(X4, Y4)
    assert learner.decision_function(X4).tobytes() != before


def test_a_call_that_fails_leaves_a_stream_as_it_was():
    learner = Perceptron(kernel=Polynomial(9), random_state=0, **DUAL).partial_fit(X4, Y4)
    before = learner.decision_function(X4).tobytes()
    for X in (X4 * np.nan, X4 * 1e40, X4[:, :2]):
        with pytest.raises(ValueError, match=r"NaN|overflow|squared|features"):
            learner.partial_fit(X, Y4)
        assert learner.decision_function(X4).tobytes() == before
    again = Perceptron(kernel=Polynomial(9), random_state=0, **DUAL).partial_fit(X4, Y4)
    for one in (again, learner):
        one.partial_fit(X4 * 2, [1, 0, 2, 3], classes=range(4))
    assert learner.decision_function(X4).tobytes() == again.decision_function(X4).tobytes()
    assert learner.support_.tolist() == again.support_.tolist()


class InterruptionError(Exception):
    pass


@pytest.mark.parametrize("hypothesis", ["last", "average", "vote", "random"])
@pytest.mark.usefixtures("small_blocks")
def test_an_error_in_the_middle_of_a_call_leaves_a_stream_as_it_was(hypothesis):
    X, codes = example(60, 2, seed=19)
    calls = [0]

    def fragile(A, B):
        calls[0] += 1
        if calls[0] == 0:
            raise InterruptionError
        return np.exp(-((A[:, None] - B[None]) ** 2).sum(2) / 2)

    settings = {"hypothesis": hypothesis, "random_state": 0}
    untouched = Perceptron(kernel=Gaussian(1.0), **settings).partial_fit(X[:10], codes[:10])
    before = untouched.decision_function(X)
    after = untouched.partial_fit(X[40:], np.where(codes[40:], 2, 1), classes=range(3)).decision_function(X)
    whole = Perceptron(kernel=FromFunction(fragile, vectorized=True), **settings)
    whole.partial_fit(X[:10], codes[:10])
    calls[0] = 0
    whole.partial_fit(X[10:40], codes[10:40])
    for failing in range(1, calls[0], 2):
        learner = Perceptron(kernel=FromFunction(fragile, vectorized=True), **settings)
        learner.partial_fit(X[:10], codes[:10])
        calls[0] = -failing
        with pytest.raises(InterruptionError):
            learner.partial_fit(X[10:40], codes[10:40])
        np.testing.assert_allclose(learner.decision_function(X), before, atol=1e-9)
        learner.partial_fit(X[40:], np.where(codes[40:], 2, 1), classes=range(3))
        np.testing.assert_allclose(learner.decision_function(X), after, atol=1e-9)
        assert learner.support_.tolist() == untouched.support_.tolist()


# -- the rest of the contract --------------------------------------------------------------------------


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, MemoryError])
def test_an_error_in_a_callback_leaves_the_learner_as_it_was(error):
    X, codes = example(60, 3, seed=20)
    learner = Perceptron(kernel=Gaussian(1.0), random_state=0).fit(X, codes)
    before, support = learner.decision_function(X).tobytes(), learner.support_

    def broken(learner, report):
        raise error

    learner.set_params(callback=broken, passes=5)
    with pytest.raises(error):
        learner.fit(X[:, :2], codes > 0)
    assert learner.decision_function(X).tobytes() == before
    assert learner.support_.tolist() == support.tolist()
    assert learner.n_features_in_ == 4


@pytest.mark.parametrize("hypothesis", ["last", "average", "random", "vote"])
def test_a_callback_sees_a_learner_that_predicts(hypothesis):
    X, codes = example(80, 3, seed=21)
    seen = []
    learner = Perceptron(
        kernel=Gaussian(1.0), hypothesis=hypothesis, passes=4, random_state=0,
        callback=lambda learner, report: seen.append(learner.decision_function(X)),
    ).fit(X, codes)  # fmt: skip
    for passes, scores in enumerate(seen, start=1):
        shorter = clone(learner).set_params(callback=None, passes=passes).fit(X, codes)
        np.testing.assert_array_equal(scores, shorter.decision_function(X))


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_the_same_seed_gives_the_same_bytes(name):
    kind, options, _ = RULES[name]
    X, codes = example(1200, 3, seed=22)
    codes = labels_for(kind, X, codes)
    learner = kind(kernel=Gaussian(1.0), passes=2, random_state=0, **options)
    first = learner.fit(X, codes).decision_function(X[:50]).tobytes()
    assert learner.fit(X, codes).decision_function(X[:50]).tobytes() == first
    assert (
        clone(learner).set_params(random_state=1).fit(X, codes).decision_function(X[:50]).tobytes() != first
    )


def test_labels_are_any_text():
    X, codes = example(60, 3, seed=23)
    names = np.array(["Äpfel", "björn", "中文 🐍"])
    learner = Perceptron(kernel=Gaussian(1.0), passes=5, random_state=0).fit(X, names[codes])
    plain = Perceptron(kernel=Gaussian(1.0), passes=5, random_state=0).fit(X, codes)
    assert learner.classes_.tolist() == sorted(names)
    assert learner.predict(X).tolist() == names[plain.predict(X)].tolist()


@pytest.mark.parametrize("name", RULES)
def test_rows_without_a_direction_never_move_anything(name):
    kind, options, plan = RULES[name]
    X, codes = example(40, 3, seed=24)
    codes = labels_for(kind, X, codes)
    X[::3] = 0
    settings = {"hypothesis": "last", "fit_intercept": False, "shuffle": False, "passes": 2}
    learner = kind(**DUAL, **settings, **options).fit(X, codes)
    assert X[learner.support_].any(axis=1).all()
    steps = list(oracle.learn(plan, X @ X.T, codes, 3, list(range(40)) * 2, bias=0.0))
    expected = oracle.scores(X @ X.T, steps[-1][1], bias=0.0)
    np.testing.assert_allclose(learner.decision_function(X), expected, rtol=1e-6, atol=1e-8)
    nothing = kind(**DUAL, **settings, **options).fit(X * 0, codes)
    assert len(nothing.support_) == 0
    np.testing.assert_array_equal(nothing.decision_function(X), 0)


def test_sparse_rows_stay_sparse():
    X, codes = example(200, 3, seed=25, columns=30)
    X[np.abs(X) < 0.7] = 0
    dense = Perceptron(kernel=Gaussian(1.0), passes=2, random_state=0).fit(X, codes)
    sparse = Perceptron(kernel=Gaussian(1.0), passes=2, random_state=0).fit(sp.csr_array(X), codes)
    assert sparse.mistakes_.tolist() == dense.mistakes_.tolist()
    for rows in (X, sp.csr_matrix(X), sp.coo_matrix(X)):
        np.testing.assert_allclose(sparse.decision_function(rows), dense.decision_function(X), atol=1e-9)
    assert all(
        sp.issparse(part.X) for pack in sparse.model_.remembered.memory.packs for part in pack.parts.values()
    )


def test_what_is_remembered_is_a_copy():
    X, codes = example(50, 2, seed=26)
    rows = X.copy()
    learner = Perceptron(kernel=Gaussian(1.0), random_state=0, shuffle=False, margin=99.0).fit(rows, codes)
    assert len(learner.support_) == 50  # all: a view would do, as a slice
    before = learner.decision_function(X)
    rows[:] = 7
    np.testing.assert_array_equal(learner.decision_function(X), before)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (-np.eye(4), "squared length"),
        (np.triu(np.ones((4, 4))), "row 0, column 1, and 0 the other way round"),
    ],
    ids=["negative", "triangular"],
)
def test_what_is_no_gram_matrix_is_not_learned_from(matrix, message):
    with pytest.raises(ValueError, match=message):
        Perceptron(kernel="precomputed").fit(matrix, [0, 1, 0, 1])


def test_a_vote_has_no_coefficients():
    X = np.random.default_rng(0).normal(size=(40, 2))
    learner = Perceptron(kernel="Gaussian(1)", hypothesis="vote").fit(X, X[:, 0] * X[:, 1] > 0)
    assert len(learner.support_) == learner.n_updates_
    with pytest.raises(AttributeError, match="vote"):
        _ = learner.dual_coef_
