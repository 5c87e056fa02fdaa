"""Support vector machines in primal form: the optimum, its certificate, and what they refuse."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize
from sklearn.datasets import load_digits, make_classification
from sklearn.svm import LinearSVC

from kerneltron import SVM, ManyTasks, load
from kerneltron._types import Visits
from kerneltron.engine.rules.svm import AscentRule
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import method
from kerneltron.learning.space import Data
from kerneltron.models.primal_machine import MappedMachine, PrimalMachine
from kerneltron.training.arrays import Arrays
from kerneltron.training.pass_plan import PassPlan
from kerneltron.training.trainer import Trainer

LOSSES = ("hinge", "squared_hinge")


def problem(rows: int = 200, columns: int = 6, classes: int = 2, seed: int = 0) -> tuple[Any, Any]:
    """Return classes that overlap, so that many coefficients are at a bound and many are not."""
    random = np.random.default_rng(seed)
    y = random.integers(0, classes, rows)
    means = random.normal(size=(classes, columns))
    return means[y] + 1.5 * random.normal(size=(rows, columns)), y


def sides(y: Any) -> Any:
    """Return one column per class of -1 and +1; of two classes, one."""
    classes = np.unique(y)
    return np.where(y[:, None] == (classes[1:] if classes.size == 2 else classes), 1.0, -1.0)


def with_constant(X: Any) -> Any:
    """Return rows with a further feature 1."""
    return np.column_stack([X.toarray() if sp.issparse(X) else X, np.ones(X.shape[0])])


def objective(X: Any, y: Any, W: Any, C: Any, loss: str) -> float:
    """Return the textbook's objective, summed over columns; W has a column per class."""
    xi = np.maximum(0.0, 1.0 - sides(y) * (with_constant(X) @ W))
    losses = xi if loss == "hinge" else xi**2
    return float(np.square(W).sum() / 2 + (np.broadcast_to(C, len(y))[:, None] * losses).sum())


def vectors(learner: Any) -> Any:
    """Return the vectors of an estimator or of LinearSVC, one column per class, the constant one last."""
    return np.vstack([learner.coef_.T, np.atleast_1d(learner.intercept_)]).astype(float)


def machine(X: Any, y: Any, loss: str = "hinge", C: float = 1.0, **options: Any) -> tuple[Any, Any]:
    """Return a fitted model that keeps its coefficients, and the outcome of its passes."""
    made = method("SVM")(loss=loss, C=C, random_state=0, warm_start=True, **{"tol": 1e-6, **options})
    return trained(made, X, y)


def trained(made: Any, X: Any, y: Any, start: Any = None, weight: Any = None) -> tuple[Any, Any]:
    """Make the passes of a method, from the coefficients of another model if there is one."""
    learner = Learner(made, X.shape[1])
    learner.meet(y)
    learner.begin(Data(len(y), X.shape[1], X.dtype, X), 0)
    if start is not None:
        learner.model.start_from(start)
    plan = PassPlan(made.passes, 0, tolerance=made.tolerance)
    trainer = Trainer(learner, Arrays(X, learner.examples(y, weight)), plan)
    trainer.run()
    return learner.model, trainer


# -- the optimum ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_objective_is_that_of_liblinear(loss: str, classes: int) -> None:
    X, y = problem(300, 8, classes)
    weight = np.random.default_rng(1).uniform(0.2, 3, len(y))
    # With more classes, that of LIBLINEAR counts in the column of its class alone.
    by_class = {0: 0.5, 1: 2.0} if classes == 2 else None
    C_of_each = 0.7 * weight * (np.array([0.5, 2.0])[y] if by_class else 1.0)
    options = {"loss": loss, "C": 0.7, "class_weight": by_class, "random_state": 0}
    ours = SVM(tol=1e-3, passes=5000, **options).fit(X, y, weight)
    theirs = LinearSVC(dual=True, tol=1e-8, max_iter=100_000, **options).fit(X, y, weight)
    mine, other = (objective(X, y, vectors(learner), C_of_each, loss) for learner in (ours, theirs))
    assert mine <= 1.001 * other
    assert other <= mine * (1 + 1e-6)


@pytest.mark.parametrize("loss", LOSSES)
def test_gap_bounds_the_distance_to_a_general_solution(loss: str) -> None:
    """The optimum of the box-constrained problem, by a general solver, lies between both objectives."""
    X, y = problem(40, 3)
    C, Z = 0.8, sides(y) * with_constant(X)
    K = Z @ Z.T + (np.eye(len(y)) / (2 * C) if loss == "squared_hinge" else 0.0)
    box = [(0.0, C if loss == "hinge" else None)] * len(y)
    found = minimize(
        lambda a: a @ K @ a / 2 - a.sum(),
        np.zeros(len(y)),
        jac=lambda a: K @ a - 1,
        bounds=box,
        options={"maxiter": 100_000, "maxfun": 10**6, "ftol": 1e-15, "gtol": 1e-10},
    )
    for tol in (0.1, 1e-2, 1e-4):
        _, outcome = machine(X, y, loss, C, tol=tol)
        last = outcome.reports[-1]
        assert last.dual_objective <= -found.fun * (1 + 1e-7)
        assert -found.fun <= last.objective * (1 + 1e-7)
        assert last.gap <= tol


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("classes", [2, 4])
def test_conditions_of_karush_kuhn_and_tucker(loss: str, classes: int) -> None:
    X, y = problem(150, 5, classes)
    C, softness = 0.9, 1 / (2 * 0.9) if loss == "squared_hinge" else 0.0
    model, _ = machine(X, y, loss, C, tol=1e-9, passes=10_000)
    Y = sides(y)
    alpha = Y * model._coefficients
    W = with_constant(X).T @ model._coefficients
    np.testing.assert_allclose(W, model.vectors(), atol=1e-9)
    slope = 1 - Y * (with_constant(X) @ W) - softness * alpha
    cap = C if loss == "hinge" else np.inf
    assert alpha.min() >= 0
    assert alpha.max() <= cap
    assert (alpha == 0).any()
    assert slope[alpha == 0].max() <= 1e-3
    inside = (alpha > 0) & (alpha < cap)
    assert np.abs(slope[inside]).max() <= 1e-3
    if loss == "hinge":
        assert (alpha == cap).any()
        assert slope[alpha == cap].min() >= -1e-3


@pytest.mark.parametrize("loss", LOSSES)
def test_reports_are_the_objectives_of_the_weights(loss: str) -> None:
    X, y = problem(200, 5, 3)
    model, outcome = machine(X, y, loss, tol=1e-3, passes=5000)
    last = outcome.reports[-1]
    assert last.objective == pytest.approx(objective(X, y, model.vectors(), 1.0, loss), rel=1e-9)
    alpha = np.abs(model._coefficients)
    softness = 0.5 if loss == "squared_hinge" else 0.0
    gain = (alpha - softness * alpha**2 / 2).sum()
    assert last.dual_objective == pytest.approx(gain - np.square(model.vectors()).sum() / 2, rel=1e-9)
    assert last.gap <= 1e-3 < outcome.reports[0].gap


@pytest.mark.parametrize("loss", LOSSES)
def test_any_order_gives_the_same_scores(loss: str) -> None:
    """Two vectors within the gap of the optimum: |f - f'| <= 2 sqrt(2 gap q)."""
    X, y = problem(200, 6)
    fitted = [SVM(loss=loss, tol=1e-3, random_state=seed).fit(X, y) for seed in range(3)]
    fitted.append(SVM(loss=loss, tol=1e-3, shuffle=False).fit(X, y))
    q = np.square(with_constant(X)).sum(axis=1)
    gap = 1e-3 * objective(X, y, vectors(fitted[0]), 1.0, loss) * 1.001
    for one in fitted[1:]:
        apart = np.abs(one.decision_function(X) - fitted[0].decision_function(X))
        assert (apart <= 2 * np.sqrt(2 * gap * q)).all()


# -- rows of every kind -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("classes", [2, 6])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("places", [np.int32, np.int64])
def test_sparse_is_dense(classes: int, dtype: Any, places: Any) -> None:
    X, y = problem(150, 9, classes)
    X = np.where(np.random.default_rng(2).random(X.shape) < 0.5, X, 0).astype(dtype)
    S = sp.csr_matrix(X)
    S.indices, S.indptr = S.indices.astype(places), S.indptr.astype(places)
    options = {"loss": "squared_hinge", "C": 0.1, "tol": 1e-9, "passes": 2000, "random_state": 0}
    dense, sparse = (SVM(**options).fit(rows, y) for rows in (X, S))
    assert dense.coef_.dtype == dtype
    np.testing.assert_allclose(vectors(dense), vectors(sparse), atol=1e-4)


@pytest.mark.parametrize("loss", LOSSES)
def test_rows_of_weight_zero_do_not_exist(loss: str) -> None:
    X, y = problem(120, 4, 3)
    weight = np.random.default_rng(3).integers(0, 2, len(y)).astype(float)
    X[weight == 0] = 1e6
    there = weight > 0
    options = {"loss": loss, "tol": 1e-9, "passes": 10_000, "random_state": 0}
    with_them = SVM(**options).fit(X, y, weight)
    np.testing.assert_allclose(vectors(with_them), vectors(SVM(**options).fit(X[there], y[there])), atol=1e-3)


@pytest.mark.parametrize("loss", LOSSES)
def test_weight_two_is_twice(loss: str) -> None:
    X, y = problem(80, 4)
    twice = np.random.default_rng(4).integers(1, 3, len(y))
    options = {"loss": loss, "tol": 1e-11, "passes": 50_000, "random_state": 0}
    weighted = SVM(**options).fit(X, y, twice)
    repeated = SVM(**options).fit(np.repeat(X, twice, axis=0), np.repeat(y, twice))
    np.testing.assert_allclose(vectors(weighted), vectors(repeated), atol=2e-4)


@pytest.mark.parametrize("loss", LOSSES)
def test_the_same_row_with_both_labels(loss: str) -> None:
    """Of one row with both labels nothing can be told: w = 0 is the optimum, and both cost C."""
    X = np.tile([[1.0, 2.0]], (6, 1))
    _, outcome = machine(X, np.array([0, 1] * 3), loss, 2.0)
    assert outcome.reports[-1].objective == pytest.approx(12.0, rel=1e-5)
    assert outcome.reports[-1].gap <= 1e-6


@pytest.mark.parametrize("loss", LOSSES)
def test_rows_without_features(loss: str) -> None:
    """Their coefficients go to where their share of the gap is 0, and move no vector."""
    X, y = problem(60, 3)
    X[::4] = 0.0
    made = method("SVM")(loss=loss, fit_intercept=False, tol=1e-6, warm_start=True, random_state=0)
    model, outcome = trained(made, X, y)
    alone, _ = trained(made, X[X.any(axis=1)], y[X.any(axis=1)])
    assert outcome.reports[-1].gap <= 1e-6
    # C for both losses: where the score is 0, the slope of C max(0, 1 - z)^2 is 2 C
    assert set(np.abs(model._coefficients[::4]).ravel()) == {1.0 if loss == "hinge" else 2.0}
    np.testing.assert_allclose(model.vectors(), alone.vectors(), atol=1e-2)


@pytest.mark.slow
@pytest.mark.parametrize("columns", [3, 40])
def test_columns_that_visit_apart_find_the_same_optimum(columns: int, monkeypatch: Any) -> None:
    X, y = problem(200, 30, columns)
    together = SVM(tol=1e-4, random_state=0, passes=5000).fit(X, y)
    monkeypatch.setattr("kerneltron.models.climb.LEAST_TOGETHER", 1e9)
    apart = SVM(tol=1e-4, random_state=0, passes=5000).fit(X, y)
    found = [objective(X, y, vectors(learner), 1.0, "hinge") for learner in (together, apart)]
    assert found[0] == pytest.approx(found[1], rel=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kernel", "representation"),
    [
        ("Polynomial(2)", "primal"),
        ("Gaussian(2.0)", "RandomFourier(200)"),
        ("Gaussian(2.0)", "Nystrom(60)"),
    ],
)
@pytest.mark.parametrize("loss", LOSSES)
def test_mapped_rows_converge(kernel: str, representation: str, loss: str) -> None:
    X, y = load_digits(return_X_y=True)
    X, y = X[:600] / 16, y[:600]
    X = X[:, :12] if kernel == "Polynomial(2)" else X
    reports: list[Any] = []
    learner = SVM(
        kernel=kernel,
        representation=representation,
        C=1.0,
        loss=loss,
        random_state=0,
        callback=lambda _, report: reports.append(report),
    ).fit(X, y)
    assert isinstance(learner.learner_.model, MappedMachine)
    assert reports[-1].gap <= 0.01 < reports[0].gap
    phi = learner.learner_.model.map
    mapped = phi.mapped(phi.read(X))
    w = learner.learner_.model.vectors()
    assert reports[-1].objective == pytest.approx(objective(mapped, y, w, 1.0, loss), rel=1e-6)


def test_mapped_is_primal_over_the_mapped_rows() -> None:
    X, y = problem(200, 4, 3)
    options = {"loss": "squared_hinge", "C": 0.1, "tol": 1e-9, "passes": 5000}
    mapped = SVM(kernel="Polynomial(2)", representation="primal", **options).fit(X, y)
    assert isinstance(mapped.learner_.model, MappedMachine)
    features = mapped.learner_.model.map.mapped(X)
    plain = SVM(**options).fit(features, y)
    np.testing.assert_allclose(mapped.decision_function(X), plain.decision_function(features), atol=1e-3)


# -- passes -----------------------------------------------------------------------------------------------


def test_later_passes_visit_what_can_still_move() -> None:
    X, y = make_classification(2000, 10, n_informative=5, random_state=0)
    reports: list[Any] = []
    callback = lambda _, report: reports.append(report)  # noqa: E731
    SVM(tol=1e-3, passes=1000, random_state=0, callback=callback).fit(X, y)
    assert reports[0].examples == len(y)
    assert min(report.examples for report in reports) < len(y) / 4
    assert reports[-1].gap <= 1e-3


def test_a_callback_predicts_with_the_weights_of_its_pass() -> None:
    X, y = problem(200, 5, 3)
    seen: list[Any] = []
    learner = SVM(tol=1e-5, random_state=0, callback=lambda one, _: seen.append(one.decision_function(X)))
    learner.fit(X, y)
    assert not np.allclose(seen[0], seen[-1])
    np.testing.assert_allclose(seen[-1], learner.decision_function(X))


@pytest.mark.filterwarnings("ignore:the relative duality gap")  # three passes are not enough
def test_mistakes_are_counted() -> None:
    X, y = problem(300, 4, 3)
    learner = SVM(passes=3, tol=1e-9, random_state=0, shuffle=False).fit(X, y)
    model = PrimalMachine(AscentRule(1.0, 0.0), 4, 3, dtype="f8", bias=1.0, hypothesis="last")
    missed = 0
    with model.visiting(model.read(X), undo=False):
        for i in range(len(y)):
            scores = model.scores(X[i : i + 1])[0]
            missed += any(scores[c] >= scores[y[i]] for c in range(3) if c != y[i])
            model.learn(Visits(np.array([i]), y[i : i + 1], np.ones(1)))
    assert learner.mistakes_[0] == missed


@pytest.mark.filterwarnings("ignore:the relative duality gap")  # half a pass is not enough
def test_part_of_a_pass_counts_the_examples_that_it_met() -> None:
    X, y = problem(100, 4)
    reports: list[Any] = []
    learner = SVM(passes=0.5, shuffle=False, callback=lambda _, report: reports.append(report)).fit(X, y)
    assert reports[0].objective == pytest.approx(objective(X[:50], y[:50], vectors(learner), 1.0, "hinge"))


# -- another call -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", LOSSES)
def test_start_from_another_fit(loss: str) -> None:
    X, y = problem(100, 20, 3)
    before, cold = machine(X, y, loss, 4.0, tol=1e-4, passes=5000)
    for C, there in ((4.0, 1.0), (1.0, 0.0), (8.0, 0.0)):
        weight = np.ones(len(y))
        weight[:5] = there
        made = method("SVM")(loss=loss, C=C, tol=1e-4, passes=5000, random_state=0, warm_start=True)
        warm, outcome = trained(made, X, y, before, weight)
        assert outcome.reports[-1].gap <= 1e-4
        assert warm._coefficients[:5].any() == bool(there)
        assert outcome.reports[-1].objective == pytest.approx(
            objective(X, y, warm.vectors(), C * weight, loss), rel=1e-6
        )
        assert (np.abs(warm._coefficients).max() <= C) or loss == "squared_hinge"
        if C == 4.0:
            assert len(outcome.reports) < len(cold.reports) / 2


def test_start_with_other_labels() -> None:
    """Coefficients of the wrong sign are brought to their bound."""
    X, y = problem(100, 4)
    before, _ = machine(X, y)
    after, outcome = trained(method("SVM")(tol=1e-6, warm_start=True), X, 1 - y, before)
    assert (after._coefficients * sides(1 - y) >= 0).all()
    assert outcome.reports[-1].gap <= 1e-6


def test_start_from_what_does_not_fit() -> None:
    X, y = problem(100, 4, 3)
    before, _ = machine(X, y)
    made = method("SVM")(warm_start=True)
    with pytest.raises(ValueError, match="100 examples, and there are 99"):
        trained(made, X[1:], y[1:], before)
    with pytest.raises(ValueError, match="3 vectors, and these classes need 1"):
        trained(made, X, np.minimum(y, 1), before)
    forgetful, _ = trained(method("SVM")(), X, y)
    with pytest.raises(ValueError, match="coefficients of the last fit, which are not there"):
        trained(made, X, y, forgetful)


@pytest.mark.parametrize("representation", ["auto", "RandomFourier(50)"])
def test_files(tmp_path: Any, representation: str) -> None:
    X, y = problem(100, 4, 3)
    kernel = "linear" if representation == "auto" else "Gaussian(2.0)"
    learner = SVM(kernel=kernel, representation=representation, random_state=0, warm_start=True).fit(X, y)
    for resumable in (True, False):
        learner.save(tmp_path / "model", resumable=resumable)
        again = load(tmp_path / "model")
        assert isinstance(again.learner_.model, type(learner.learner_.model))
        np.testing.assert_array_equal(again.decision_function(X), learner.decision_function(X))
    with pytest.raises(ValueError, match="not in files"):
        learner.learner_.model.start_from(again.learner_.model)


# -- what is refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"representation": "primal"},
        {"kernel": "Polynomial(2)"},
        {"kernel": "Gaussian(1.0)", "representation": "RandomFourier(10)"},
    ],
)
@pytest.mark.filterwarnings("ignore:the relative duality gap")  # of mapped rows, whose optimum is far away
def test_streams_are_refused(options: dict[str, Any]) -> None:
    X, y = problem(50, 3)
    learner = SVM(**options)
    with pytest.raises(ValueError, match=r"give them to fit, all at once.*'dual'.*Pegasos"):
        learner.partial_fit(X, y)
    assert not hasattr(learner, "learner_")
    learner.fit(X, y)
    before = learner.decision_function(X)
    with pytest.raises(ValueError, match="give them to fit, all at once"):
        learner.partial_fit(X, y)
    np.testing.assert_array_equal(learner.decision_function(X), before)


def test_many_tasks_are_refused() -> None:
    X, y = problem(50, 3)
    Y = np.column_stack([2 * y - 1, 1 - 2 * y])
    with pytest.raises(ValueError, match=r"SVM in primal form.*representation='dual'"):
        ManyTasks(SVM()).fit(X, Y)


@pytest.mark.filterwarnings("ignore:the relative duality gap")  # 1e-8 is possible, but far away
def test_a_tolerance_that_cannot_be_reached() -> None:
    X, y = problem(50, 3)
    with pytest.raises(ValueError, match=r"tol=1e-13 is below what sums over such rows can tell"):
        SVM(tol=1e-13).fit(X, y)
    mapped = SVM(kernel="Polynomial(2)", representation="primal", tol=1e-8)
    with pytest.raises(ValueError, match=r"tol=1e-08 is below"):
        mapped.fit(X.astype(np.float32), y)
    assert mapped.fit(X, y)


@pytest.mark.parametrize("loss", LOSSES)
def test_rows_that_are_too_large(loss: str) -> None:
    X, y = problem(50, 3)
    with pytest.raises(ValueError, match="scale the rows"):
        SVM(loss=loss).fit(1e200 * X, y)
