"""The kernel machine: against a general solver and textbook formulas, in any order, with any values."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.svm import LinearSVC

from kerneltron import SVM, ManyTasks
from kerneltron.kernels import Gaussian, cost
from kerneltron.models import dual_climb, dual_walk, set_values, working_set
from tests.oracle import machines as oracle

LOSSES = ["hinge", "squared_hinge"]
TIGHT = {"tol": 1e-8, "passes": 20_000}
SIGMA = 1.0


def problem(n=40, classes=2, columns=3, seed=0, noise=0.5):
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n, columns))
    noisy = X[:, :2] + noise * generator.normal(size=(n, 2))
    sectors = np.arctan2(noisy[:, 1], noisy[:, 0])
    return X, np.digitize(sectors, np.linspace(-np.pi, np.pi, classes + 1)[1:-1])


def gaussian(X, Z):
    squares = ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2)
    return np.exp(-squares / (2 * SIGMA**2))


def machine(**options):
    return SVM(**{"kernel": Gaussian(SIGMA), "C": 1.0, "random_state": 0} | options)


def sides(y, classes=None):
    """Return +1 and -1, one column per class or one for two classes."""
    classes = np.unique(y) if classes is None else classes
    return np.array([np.where(y == c, 1, -1) for c in (classes[1:] if len(classes) == 2 else classes)])


def coefficients(learner, n):
    """Return one row of alpha y per column, with all examples."""
    all_of_them = np.zeros((len(learner.dual_coef_), n))
    all_of_them[:, learner.support_] = learner.dual_coef_
    return all_of_them


class Columns:
    """What a learner has found, as the oracle sees it."""

    def __init__(self, learner, K, y, weight=1.0):
        C = np.broadcast_to(learner.C * np.asarray(weight, float), len(y))
        there = np.flatnonzero(C)
        self.labels, self.loss, self.C = sides(y)[:, there], learner.loss, C[there]
        self.K = K[np.ix_(there, there)] + (1 if learner.fit_intercept else 0)
        self.alpha = coefficients(learner, len(y))[:, there] * self.labels

    def sum_of(self, formula, alpha=None):
        return sum(self.each(formula, alpha))

    def each(self, formula, alpha=None):
        alpha = self.alpha if alpha is None else alpha
        return [formula(self.K, y, a, self.C, self.loss) for y, a in zip(self.labels, alpha, strict=True)]

    def optimum(self):
        return [oracle.optimum(self.K, y, self.C, self.loss) for y in self.labels]


def assert_is_certified(learner, found, tol):
    """Both objectives are what they are said to be, and the gap between them is small enough."""
    assert np.isclose(learner.objective_[-1], found.sum_of(oracle.objective), rtol=1e-9)
    assert np.isclose(learner.dual_objective_[-1], found.sum_of(oracle.dual_objective), rtol=1e-9)
    assert -1e-12 < learner.gap_[-1] <= tol


@pytest.mark.parametrize("C", [0.05, 1.0, 20.0])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(("classes", "fit_intercept"), [(2, True), (2, False), (3, True)])
def test_the_gap_bounds_the_distance_to_the_optimum_of_a_general_solver(C, loss, classes, fit_intercept):
    X, y = problem(30, classes)
    learner = machine(C=C, loss=loss, fit_intercept=fit_intercept, passes=1000).fit(X, y)
    found = Columns(learner, gaussian(X, X), y)
    assert_is_certified(learner, found, 1e-2)
    best = found.optimum()
    low, high = found.sum_of(oracle.dual_objective, best), found.sum_of(oracle.objective, best)
    assert high - low < 1e-5 * high
    objective, rounding = learner.objective_[-1], 1e-12 * high
    assert learner.dual_objective_[-1] - rounding <= high
    assert low - rounding <= objective <= high + learner.gap_[-1] * objective + rounding


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("classes", [2, 3])
def test_at_the_end_the_conditions_of_kkt_hold(loss, classes):
    X, y = problem(classes=classes)
    learner = machine(loss=loss, C=2.0, **TIGHT).fit(X, y)
    found = Columns(learner, gaussian(X, X), y)
    assert max(found.each(oracle.violation)) < 1e-3
    np.testing.assert_allclose(found.alpha, found.optimum(), atol=2e-3)


def test_coefficients_at_the_bounds_are_exact_and_only_others_are_remembered():
    X, y = problem(60)
    learner = machine(C=0.3, **TIGHT).fit(X, y)
    alpha = np.abs(learner.dual_coef_[0])
    is_best = oracle.optimum(gaussian(X, X) + 1, sides(y)[0], np.full(60, 0.3), "hinge")
    assert np.count_nonzero(alpha == 0.3) == np.count_nonzero(is_best > 0.3 - 1e-4) > 5
    np.testing.assert_array_equal(np.sort(learner.support_), np.flatnonzero(is_best > 1e-4))
    assert alpha.min() > 0
    assert learner.support_.size < 60
    np.testing.assert_array_equal(learner.support_vectors_, X[learner.support_])


def test_examples_whose_coefficients_return_to_zero_are_forgotten():
    X, y = problem(80, noise=0.0)
    sizes = []
    learner = machine(C=10.0, tol=1e-3, passes=2000)
    learner.set_params(callback=lambda one, report: sizes.append(one.model_.count)).fit(X, y)
    assert learner.support_.size == learner.model_.count < max(sizes)
    assert np.all(learner.dual_coef_ != 0)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("classes", [2, 3])
def test_any_order_gives_the_same_scores_as_far_as_the_gap_says(loss, classes):
    X, y = problem(60, classes)
    Z = problem(30, seed=1)[0]
    found = []
    for seed in range(4):
        learner = machine(loss=loss, random_state=seed).fit(X, y)
        gaps = Columns(learner, gaussian(X, X), y).each(oracle.gap)
        found.append((learner.decision_function(Z).reshape(30, -1), np.maximum(gaps, 0)))
    assert not np.array_equal(found[0][0], found[1][0])
    for scores, gaps in found:
        for others, their_gaps in found:
            # ||w - w*||^2 <= 2 gap for both, and q = k(x, x) + 1.
            allowed = (np.sqrt(2 * gaps) + np.sqrt(2 * their_gaps)) * np.sqrt(2.0)
            assert np.all(np.abs(scores - others) <= allowed + 1e-9)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("C", [0.1, 3.0])
def test_the_linear_kernel_in_dual_form_solves_the_problem_of_liblinear(loss, C):
    X, y = problem(50, noise=1.0)
    ours = SVM(representation="dual", C=C, loss=loss, random_state=0, tol=1e-8, passes=50_000).fit(X, y)
    theirs = LinearSVC(loss=loss, C=C, intercept_scaling=1, dual=True, tol=1e-10, max_iter=10**6).fit(X, y)
    w = np.append(theirs.coef_[0], theirs.intercept_)
    xi = np.maximum(0, 1 - sides(y)[0] * theirs.decision_function(X))
    objective = w @ w / 2 + C * (xi if loss == "hinge" else xi**2).sum()
    assert np.isclose(ours.objective_[-1], objective, rtol=1e-6)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-3)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("classes", [2, 3])
def test_a_weight_multiplies_c_and_is_as_good_as_a_repetition(loss, classes):
    X, y = problem(30, classes)
    Z = problem(20, seed=1)[0]
    counts = np.random.default_rng(2).integers(0, 4, 30)
    weighted = machine(loss=loss, **TIGHT).fit(X, y, sample_weight=counts)
    repeated = machine(loss=loss, **TIGHT).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    np.testing.assert_allclose(weighted.decision_function(Z), repeated.decision_function(Z), atol=1e-3)
    assert np.isclose(weighted.objective_[-1], repeated.objective_[-1], rtol=1e-8)
    assert_is_certified(weighted, Columns(weighted, gaussian(X, X), y, counts), TIGHT["tol"])


def test_rows_of_weight_0_do_not_exist_and_those_of_a_class_count_what_it_counts():
    X, y = problem(40)
    weight = np.where(np.arange(40) % 3, 1.0, 0.0)
    some = weight > 0
    zero = machine().fit(X, y, sample_weight=weight)
    without = machine().fit(X[some], y[some])
    assert np.isclose(zero.dual_objective_[-1], without.dual_objective_[-1], rtol=0.02)
    assert not set(zero.support_) & set(np.flatnonzero(~some))
    by_class = machine(class_weight={0: 3.0, 1: 0.5}).fit(X, y)
    by_row = machine().fit(X, y, sample_weight=np.where(y == 0, 3.0, 0.5))
    assert by_class.dual_coef_.tobytes() == by_row.dual_coef_.tobytes()
    one_class = machine(class_weight={0: 0.0}).fit(X, y)
    assert np.all(one_class.dual_coef_ > 0)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("classes", [2, 4])
def test_partial_fit_visits_each_example_once_and_keeps_the_coefficients_of_others(loss, classes):
    X, y = problem(40, classes)
    K = gaussian(X, X) + 1
    weight = np.linspace(0.5, 2.0, 40)
    learner = machine(loss=loss, C=0.4)
    for part in (slice(0, 17), slice(17, 18), slice(18, 40)):
        learner.partial_fit(X[part], y[part], classes=np.arange(classes), sample_weight=weight[part])
    labels = sides(y, np.arange(classes))
    expected = [oracle.visit(K, each, 0.4 * weight, loss) for each in labels]
    np.testing.assert_allclose(coefficients(learner, 40), expected * labels, atol=1e-12)
    fitted = machine(loss=loss, C=0.4).fit(X[:30], y[:30])
    before = coefficients(fitted, 40)
    scores = fitted.partial_fit_predict(X[30:], y[30:]).reshape(10, -1)
    np.testing.assert_array_equal(coefficients(fitted, 40)[:, :30], before[:, :30])
    np.testing.assert_allclose(scores[0], before @ K[:, 30], atol=1e-12)
    assert np.any(fitted.support_ >= 30)


# -- where kernel values come from -------------------------------------------------------------------


def expensive(monkeypatch):
    """Let short rows be kept, too."""
    monkeypatch.setattr(cost, "FEW_COLUMNS", 0)


def recomputed(monkeypatch):
    pass


def small_first_set(monkeypatch):
    expensive(monkeypatch)
    monkeypatch.setattr(dual_climb, "SMALL", 16)
    monkeypatch.setattr(dual_climb, "FIRST", 0.1)


def little_room(monkeypatch):
    """Let no set have more than 20 examples."""
    expensive(monkeypatch)
    monkeypatch.setattr(dual_climb, "LEAST_ROOM", 20**2 * 8)
    monkeypatch.setattr(dual_climb, "RESERVED", 2**40)


def no_scores_kept(monkeypatch):
    monkeypatch.setattr(dual_walk, "RESERVED", 2**40)


def little_of_everything(monkeypatch):
    little_room(monkeypatch)
    no_scores_kept(monkeypatch)


def small_blocks(monkeypatch):
    """Let a few examples be many blocks, strips, pieces."""
    expensive(monkeypatch)
    for module, name, size in [
        (working_set, "BLOCK", 7),
        (working_set, "STRIP", 5),
        (set_values, "WIDTH", 11),
        (set_values, "HEIGHT", 3),
        (dual_climb, "EXAMPLES", 13),
        (dual_climb, "VISITS", 4),
    ]:
        monkeypatch.setattr(module, name, size)


def eager_shrinking(monkeypatch):
    expensive(monkeypatch)
    monkeypatch.setattr(dual_climb, "MARGIN", -0.05)
    monkeypatch.setattr(dual_climb, "SHRINK", 0.99)


def small_and_recomputed(monkeypatch):
    small_blocks(monkeypatch)
    monkeypatch.setattr(cost, "FEW_COLUMNS", 64)


BRANCHES = [
    recomputed,
    expensive,
    small_first_set,
    little_room,
    no_scores_kept,
    little_of_everything,
    small_blocks,
    eager_shrinking,
    small_and_recomputed,
]


@pytest.mark.parametrize("branch", BRANCHES, ids=lambda branch: branch.__name__)
@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize("loss", LOSSES)
def test_wherever_values_come_from_the_optimum_is_the_same(branch, classes, loss, monkeypatch):
    X, y = problem(90, classes)
    branch(monkeypatch)
    tol = 1e-3
    learner = machine(loss=loss, tol=tol, passes=2000).fit(X, y)
    assert_is_certified(learner, Columns(learner, gaussian(X, X), y), tol)


@pytest.mark.slow
def test_a_set_that_the_working_memory_cannot_hold_is_made_of_what_matters_most(monkeypatch):
    generator = np.random.default_rng(0)
    X = generator.normal(size=(3500, cost.FEW_COLUMNS + 1)).astype(np.float32)
    y = X[:, :5].sum(axis=1) + generator.normal(size=3500) > 0
    rooms, real = [], set_values.Kept.__init__

    def noted(self, *arguments):
        real(self, *arguments)
        rooms.append(self.most)

    monkeypatch.setattr(set_values.Kept, "__init__", noted)
    little = machine(kernel=Gaussian(8.0), working_memory=64, tol=1e-4).fit(X, y)
    rooms_of_little = rooms.copy()
    much = machine(kernel=Gaussian(8.0), working_memory=256, tol=1e-4).fit(X, y)
    # Those of the machines for parts of the examples, whose probabilities are compared, come after.
    assert rooms_of_little[0] < rooms[len(rooms_of_little)] == 3500
    assert max(little.gap_[-1], much.gap_[-1]) <= 1e-4
    assert little.dual_objective_[-1] <= much.objective_[-1]
    assert much.dual_objective_[-1] <= little.objective_[-1]


@pytest.mark.parametrize("branch", [expensive, little_room, small_blocks], ids=lambda branch: branch.__name__)
def test_every_branch_starts_warm_and_takes_weights(branch, monkeypatch):
    X, y = problem(90, 3)
    branch(monkeypatch)
    weight = np.where(np.arange(90) % 4, 1.5, 0.0)
    learner = machine(warm_start=True, tol=1e-3, passes=2000, C=5.0).fit(X, y, sample_weight=weight)
    learner.set_params(C=0.5).fit(X, y, sample_weight=weight)
    assert_is_certified(learner, Columns(learner, gaussian(X, X), y, weight), 1e-3)


def test_a_precomputed_matrix_is_the_kernel_itself_and_is_neither_copied_nor_changed(monkeypatch):
    X, y = problem(30, 3)
    Z = problem(20, seed=1)[0]
    K, new = gaussian(X, X), gaussian(Z, X)
    before, used = K.copy(), []
    real = set_values.Given.__init__
    monkeypatch.setattr(
        set_values.Given, "__init__", lambda self, matrix: (used.append(matrix), real(self, matrix))[1]
    )
    given = SVM(kernel="precomputed", random_state=0, **TIGHT).fit(K, y)
    itself = machine(**TIGHT).fit(X, y)
    np.testing.assert_allclose(given.decision_function(new), itself.decision_function(Z), atol=1e-6)
    assert used  # by the machine itself, and by those for parts of the examples
    assert all(np.shares_memory(each, K) for each in used)
    np.testing.assert_array_equal(K, before)
    for other in (np.asfortranarray(K), sp.csr_matrix(K), np.repeat(K, 2, axis=1)[:, ::2]):
        scores = SVM(kernel="precomputed", random_state=0, **TIGHT).fit(other, y).decision_function(new)
        np.testing.assert_allclose(scores, itself.decision_function(Z), atol=1e-6)


def test_layouts_and_precisions_agree():
    X, y = problem(60, 3, columns=80)
    X = np.where(np.abs(X) > 1, np.round(X * 8) / 8, 0) / 4
    Z = X[::2] * 0.5
    tol = 1e-4
    scores = [
        machine(tol=tol, passes=2000).fit(layout(X.astype(dtype)), y).decision_function(Z)
        for layout in (np.asarray, sp.csr_matrix)
        for dtype in (np.float64, np.float32)
    ]
    for others in scores[1:]:
        np.testing.assert_allclose(others, scores[0], atol=0.05)
    exact = machine(tol=tol, passes=2000).fit(X, y)
    single = machine(tol=tol, passes=2000).fit(X.astype(np.float32), y)
    for learner in (exact, single):
        found = Columns(learner, gaussian(X, X), y)
        assert np.isclose(learner.objective_[-1], found.sum_of(oracle.objective), rtol=1e-5)
        assert found.sum_of(oracle.gap) <= 1.2 * tol * learner.objective_[-1]


def test_many_tasks_are_separate_machines():
    X, _ = problem(30)
    generator = np.random.default_rng(3)
    Y = np.sign(X @ generator.normal(size=(3, 4)) + 0.3 * generator.normal(size=(30, 4))).astype(int)
    Y[generator.random(Y.shape) < 0.3] = 0
    Y[7] = 0
    Z = problem(30, seed=1)[0]
    tasks = ManyTasks(machine(**TIGHT)).fit(X, Y)
    scores = tasks.decision_function(Z)
    for m in range(4):
        known = Y[:, m] != 0
        alone = machine(**TIGHT).fit(X[known], Y[known, m])
        np.testing.assert_allclose(scores[:, m], alone.decision_function(Z), atol=1e-3)
    assert len(tasks.mistakes_[0]) == 4
    with pytest.raises(ValueError, match="exclude_own_column=True gives every task a kernel of its own"):
        ManyTasks(machine(), exclude_own_column=True).fit(X, Y[:, :3])


# -- hard problems -----------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", LOSSES)
def test_an_example_without_features_pays_its_loss_and_does_not_keep_the_gap_open(loss):
    X, y = problem(30)
    X, y = np.vstack([X, np.zeros((2, 3))]), np.append(y, [0, 1])
    learner = SVM(
        kernel="linear",
        representation="dual",
        fit_intercept=False,
        C=1.0,
        loss=loss,
        tol=1e-6,
        passes=5000,
        random_state=0,
    ).fit(X, y)
    assert_is_certified(learner, Columns(learner, X @ X.T, y), 1e-6)
    nothing = SVM(kernel="linear", representation="dual", fit_intercept=False, loss=loss, C=1.0).fit(0 * X, y)
    assert nothing.gap_[-1] == 0
    assert nothing.objective_[-1] == 32
    np.testing.assert_array_equal(nothing.decision_function(X), 0)


@pytest.mark.parametrize("loss", LOSSES)
def test_a_constant_kernel_and_rows_with_opposite_labels_have_an_optimum(loss):
    X, y = problem(30)
    constant = machine(kernel="Constant(1.0)", representation="dual", loss=loss, tol=1e-4).fit(X, y)
    assert_is_certified(constant, Columns(constant, np.ones((30, 30)), y), 1e-4)
    twice, both = np.vstack([X, X]), np.append(y, 1 - y)
    opposite = machine(loss=loss, tol=1e-6, passes=2000).fit(twice, both)
    assert_is_certified(opposite, Columns(opposite, gaussian(twice, twice), both), 1e-6)
    np.testing.assert_allclose(opposite.decision_function(X), 0, atol=1e-2)


def test_of_opposite_labels_the_heavier_one_wins():
    X, y = problem(30)
    twice, both = np.vstack([X, X]), np.append(y, 1 - y)
    learner = machine(C=10.0, passes=1000).fit(twice, both, sample_weight=np.repeat([3.0, 1.0], 30))
    np.testing.assert_array_equal(learner.predict(X), y)


@pytest.mark.parametrize("loss", LOSSES)
def test_weights_may_differ_by_many_orders_of_magnitude(loss):
    X, y = problem(30)
    weight = 10.0 ** np.random.default_rng(0).integers(-6, 3, 30)
    learner = machine(loss=loss, tol=1e-4, passes=5000).fit(X, y, sample_weight=weight)
    found = Columns(learner, gaussian(X, X), y, weight)
    assert np.isclose(learner.objective_[-1], found.sum_of(oracle.objective), rtol=1e-9)
    assert found.sum_of(oracle.gap) <= 1.01e-4 * learner.objective_[-1]
