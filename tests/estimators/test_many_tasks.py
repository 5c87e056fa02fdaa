"""Many tasks at once equal as many learners, each on its labelled rows."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

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
from kerneltron.kernels import Conjunctions, Gaussian, Kernel, Linear, Polynomial
from kerneltron.models import expansion_model, kernel_expansion
from tests.additive_rules import PUBLISHED

generator = np.random.default_rng(0)
X = generator.normal(size=(150, 6))
TRUTH = np.sign(X @ generator.normal(size=(6, 5)) + 0.1 * X[:, :1] * X[:, 1:2]).astype(int)
Y = np.where(generator.random((150, 5)) < 0.4, 0, TRUTH)
Y[:, 4] = np.abs(Y[:, 4])  # only ever yes
LEARNERS = [
    Perceptron(),
    Perceptron(margin=0.5, hypothesis="last"),
    Perceptron(hypothesis="vote"),
    PassiveAggressive(**PUBLISHED),
    PassiveAggressive(variant="II", hypothesis="last", **PUBLISHED),
    Romma(),
    LogisticRegression(l2=0.01),
    Pegasos(l2=0.1, learning_rate=1.0),
]


def name(learner):
    return repr(learner)


@pytest.fixture
def small_blocks(monkeypatch):
    for module in (kernel_expansion, expansion_model):
        monkeypatch.setattr(module, "VISITS", 16)
        monkeypatch.setattr(module, "PIECE", 7)


def alone(learner, X, labels):
    """The learner on its own, on the rows that have labels."""
    known = labels != 0
    return clone(learner).fit(X[known], labels[known])


@pytest.mark.parametrize("kernel", ["linear", "Polynomial(2)", "Gaussian(3)"])
@pytest.mark.parametrize("learner", LEARNERS, ids=name)
@pytest.mark.parametrize("form", ["dual", "auto"])
def test_each_task_equals_a_learner_of_its_own(learner, kernel, form, small_blocks):
    learner = clone(learner).set_params(kernel=kernel, shuffle=False, passes=2, representation=form)
    if form == "auto" and kernel != "linear":
        pytest.skip("the choice depends on the number of tasks")
    tasks = ManyTasks(learner).fit(X, Y)
    for m in range(4):
        own = alone(learner, X, Y[:, m])
        np.testing.assert_array_equal(tasks.mistakes_[:, m], own.mistakes_)
        np.testing.assert_allclose(
            tasks.decision_function(X)[:, m], own.decision_function(X), rtol=1e-7, atol=1e-9
        )
        np.testing.assert_array_equal(tasks.predict(X)[:, m], own.predict(X))


@pytest.mark.parametrize("passes", [0.1, 0.55, 2.5])
@pytest.mark.parametrize(
    "learner", [Perceptron(), PassiveAggressive(**PUBLISHED), Pegasos(l2=0.1, scale=False)], ids=name
)
def test_both_forms_visit_the_same_examples_in_the_same_order(learner, passes):
    learner = clone(learner).set_params(passes=passes, random_state=3)
    primal, dual = (
        ManyTasks(clone(learner).set_params(representation=form)).fit(X, Y) for form in ("primal", "dual")
    )
    np.testing.assert_array_equal(primal.mistakes_, dual.mistakes_)
    np.testing.assert_allclose(primal.decision_function(X), dual.decision_function(X), atol=1e-9)


def test_a_fraction_of_a_pass_counts_examples_not_labels():
    learner = Perceptron(passes=0.1, shuffle=False)
    few = Y[:15].copy()
    expected = ManyTasks(clone(learner).set_params(passes=1)).fit(X[:15], few)
    given = ManyTasks(learner).fit(X, Y)
    np.testing.assert_array_equal(given.mistakes_, expected.mistakes_)
    np.testing.assert_array_equal(given.decision_function(X), expected.decision_function(X))


@pytest.mark.parametrize("form", ["primal", "dual"])
def test_a_callback_gets_all_tasks_after_each_pass_in_both_forms(form):
    told = []

    def callback(tasks, report):
        told.append((type(tasks), report.number, report.examples, list(report.mistakes)))
        tasks.decision_function(X)
        return report.number == 2

    learner = Perceptron(passes=5, shuffle=False, representation=form, callback=callback)
    fitted = ManyTasks(learner).fit(X, Y)
    assert [entry[:2] for entry in told] == [(ManyTasks, 1), (ManyTasks, 2)]
    assert [entry[3] for entry in told] == fitted.mistakes_.tolist()


def test_sparse_labels_and_rows_and_weights_are_the_same():
    learner = Perceptron(kernel=Gaussian(3.0), passes=3, random_state=1)
    weight = generator.integers(0, 3, 150)
    expected = ManyTasks(learner).fit(X, Y, weight).decision_function(X)
    given = ManyTasks(learner).fit(sp.csr_matrix(X), sp.csr_matrix(Y), weight).decision_function(X)
    np.testing.assert_allclose(given, expected, rtol=1e-9)
    there = weight > 0
    learner.set_params(shuffle=False)
    kept = ManyTasks(learner).fit(X[there], Y[there], weight[there]).decision_function(X)
    np.testing.assert_allclose(ManyTasks(learner).fit(X, Y, weight).decision_function(X), kept, rtol=1e-9)


@pytest.mark.parametrize("form", ["primal", "dual"])
def test_a_stream_in_pieces_equals_one_pass(form):
    learner = Perceptron(shuffle=False, representation=form)
    at_once = ManyTasks(learner).partial_fit(X, Y)
    pieces = ManyTasks(learner)
    for part in (slice(0, 1), slice(1, 70), slice(70, 150)):
        pieces.partial_fit(X[part], Y[part])
    np.testing.assert_allclose(pieces.decision_function(X), at_once.decision_function(X), atol=1e-12)
    np.testing.assert_array_equal(pieces.mistakes_, at_once.mistakes_)
    fitted = ManyTasks(learner).fit(X, Y)
    np.testing.assert_array_equal(fitted.mistakes_, at_once.mistakes_)
    fitted.partial_fit(X, Y)
    assert fitted.mistakes_.shape == (2, 5)


def test_kernel_evaluations_are_shared(monkeypatch):
    counts = []
    gram = Kernel.gram

    def counted(self, A, B):
        counts.append(len(A) * len(B))
        return gram(self, A, B)

    monkeypatch.setattr(Kernel, "gram", counted)

    def evaluations(labels):
        counts.clear()
        ManyTasks(Perceptron(kernel=Gaussian(3.0), shuffle=False)).fit(X, labels)
        return sum(counts)

    one = evaluations(Y[:, :1])
    assert evaluations(np.repeat(Y[:, :1], 50, axis=1)) == one


def test_support_reconstructs_the_scores():
    tasks = ManyTasks(Perceptron(kernel=Gaussian(3.0), passes=3, random_state=0)).fit(X, Y)
    K = Gaussian(3.0)(X, X[tasks.support_])
    by_hand = K @ tasks.dual_coef_.T + tasks.dual_coef_.sum(axis=1)
    np.testing.assert_allclose(tasks.decision_function(X), by_hand)
    assert tasks.representation_.form == "dual"
    with pytest.raises(AttributeError, match="primal form"):
        _ = ManyTasks(Perceptron()).fit(X, Y).support_


# -- without the own column ------------------------------------------------------------------------------

KERNELS = [
    Linear(),
    Polynomial(3),
    Gaussian(2.0),
    Polynomial(2).normalized() + 0.5 * Gaussian(1.0, over=Polynomial(2)),
    (0.1 * Linear()).exp() * (Linear() + 1) ** 2,
]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("layout", [np.asarray, sp.csr_matrix])
def test_a_task_without_its_column_equals_a_learner_on_the_others(kernel, layout, small_blocks):
    learner = Perceptron(kernel=kernel, shuffle=False, passes=2, representation="dual")
    tasks = ManyTasks(learner, exclude_own_column=True).fit(layout(X), Y)
    for m in range(4):
        others = np.delete(X, m, axis=1)
        own = alone(learner, others, Y[:, m])
        np.testing.assert_array_equal(tasks.mistakes_[:, m], own.mistakes_)
        scores = own.decision_function(others)
        np.testing.assert_allclose(
            tasks.decision_function(layout(X))[:, m], scores, rtol=1e-6, atol=1e-8 * np.abs(scores).max()
        )


@pytest.mark.parametrize(
    "learner", [Romma(), PassiveAggressive(), LogisticRegression(), Pegasos(l2=0.1)], ids=name
)
def test_other_rules_do_without_their_column(learner, small_blocks):
    learner = clone(learner).set_params(kernel=Gaussian(2.0), shuffle=False, passes=3)
    tasks = ManyTasks(learner, exclude_own_column=True).fit(X, Y)
    others = np.delete(X, 2, axis=1)
    own = alone(learner, others, Y[:, 2])
    np.testing.assert_array_equal(tasks.mistakes_[:, 2], own.mistakes_)
    np.testing.assert_allclose(tasks.decision_function(X)[:, 2], own.decision_function(others), rtol=1e-6)


@pytest.mark.parametrize("kernel", ["linear", "Polynomial(2)", "Gaussian(4)"])
def test_labels_of_pure_noise_are_told_by_chance(kernel):
    """Each column is a coin: only a task that sees its own column can do better than half."""
    noise = np.random.default_rng(1).choice([-1.0, 1.0], (1200, 12))
    train, test = noise[:800], noise[800:]
    learner = Perceptron(kernel=kernel, passes=2, random_state=0)
    honest = ManyTasks(learner, exclude_own_column=True).fit(train, train)
    assert abs(honest.score(test, test) - 0.5) < 0.03  # 4,800 coins: a standard deviation of 0.007
    assert ManyTasks(learner).fit(train, train).score(test, test) > 0.9


def test_ratings_are_told_from_those_of_others():
    """Two tastes, and films that please one of them: the others tell what a film's rating will be."""
    draw = np.random.default_rng(2)
    taste, films = draw.normal(size=(400, 2)), draw.normal(size=(2, 30))
    full = np.sign(taste @ films)
    seen = sp.csr_matrix(np.where(draw.random(full.shape) < 0.5, full, 0))
    hidden = np.where(seen.toarray() == 0, full, 0)
    learner = Perceptron(kernel=Gaussian(4.0), passes=5, random_state=0)
    tasks = ManyTasks(learner, exclude_own_column=True).fit(seen, seen)
    assert tasks.score(seen, hidden) > 0.85


# -- bad input ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (Y[:, 0], "dimension"),
        (Y[:10], "10 rows and X 150"),
        (Y * 2, r"-?2 in row \d+, column \d+"),
        (sp.csr_matrix(Y * 3), r"-?3 in row \d+, column \d+"),
        (Y.astype(str), "not numbers"),
        (np.where(Y == 0, np.nan, Y), "nan in row"),
        (Y[:, :0], "at least one"),
    ],
)
def test_labels_that_are_none(labels, message):
    with pytest.raises(ValueError, match=message):
        ManyTasks(Perceptron()).fit(X, labels)


@pytest.mark.parametrize(
    ("learner", "own", "message"),
    [
        (Perceptron(early_stopping=True, passes=5), False, "early_stopping"),
        (Perceptron(class_weight="balanced"), False, "class_weight"),
        (Perceptron(hypothesis="random"), False, "random"),
        (Perceptron(hypothesis="vote"), True, "vote"),
        (Perceptron(representation="primal"), True, "primal"),
        (Perceptron(kernel=Linear().after(np.abs, "vectors")), True, "inner products"),
        (Perceptron(margin=-1), False, "margin"),
    ],
)
def test_learners_that_do_not_fit(learner, own, message):
    with pytest.raises(ValueError, match=message):
        ManyTasks(learner, exclude_own_column=own).fit(X, Y)


def test_more_that_makes_no_sense():
    for learner in (Winnow(), Mira(), "perceptron", None):
        with pytest.raises(TypeError, match="cannot learn many tasks"):
            ManyTasks(learner).fit(X, Y)
    with pytest.raises(ValueError, match="cannot be derived from inner products"):
        ManyTasks(Perceptron(kernel=Conjunctions()), exclude_own_column=True).fit(X > 0, Y)
    with pytest.raises(ValueError, match="only 6"):
        ManyTasks(Perceptron(), exclude_own_column=True).fit(X, np.ones((150, 7), int))
    fitted = ManyTasks(Perceptron(kernel=Gaussian(1.0))).fit(X, Y)
    before = fitted.decision_function(X)
    with pytest.raises(ValueError, match="5, as before"):
        fitted.partial_fit(X, Y[:, :2])
    with pytest.raises(ValueError, match="no known label"):
        fitted.score(X, np.zeros_like(Y))
    with pytest.raises(ValueError, match="NaN"):
        fitted.fit(np.full_like(X, np.nan), Y)
    np.testing.assert_array_equal(fitted.decision_function(X), before)


def test_a_task_without_labels_says_nothing():
    labels = np.column_stack([Y[:, 0], np.zeros(150, int)])
    for form in ("primal", "dual"):
        tasks = ManyTasks(Perceptron(representation=form)).fit(X, labels)
        assert not tasks.decision_function(X)[:, 1].any()
        assert tasks.mistakes_[0, 1] == 0


def test_parameters_of_the_learner_are_reached():
    tasks = ManyTasks(Perceptron(kernel=Gaussian(1.0)))
    tasks.set_params(learner__kernel__sigma=2.0, learner__passes=3)
    assert tasks.learner.kernel == Gaussian(2.0)
    assert tasks.get_params()["learner__kernel__sigma"] == 2.0
    assert tasks.fit(X, Y).mistakes_.shape == (3, 5)
    assert clone(tasks).learner is not tasks.learner
