"""AROW is its formula, in every layout, and keeps the contract of a learner."""

from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp

import kerneltron
from kerneltron import ManyTasks, load
from kerneltron.cli.running import run
from kerneltron.training.combining import combine
from tests.additive_rules import PUBLISHED

Arow = partial(kerneltron.Arow, **PUBLISHED)
COLUMNS = {2: 1, 3: 3}


def data(classes=3, n=120, d=6, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (n, d)) * rng.choice([-1.0, 1.0], (n, d))
    return X, (X @ rng.normal(size=(d, classes))).argmax(axis=1)


def formula(X, y, classes, r=1.0, weight=None, bias=1.0):
    """Figure 1 of the paper, with matrices; of the inverse of Sigma only the diagonal stays.

    Return the vectors after each example, and the last precisions.
    """
    X = np.column_stack([X, np.full(len(X), bias)])
    columns = COLUMNS[classes]
    mu = np.zeros((columns, X.shape[1]))
    inverse = np.stack([np.eye(X.shape[1])] * columns)
    history = []
    for i, (x, label) in enumerate(zip(X, y, strict=True)):
        now_r = r if weight is None else r / weight[i]
        for c in range(columns):
            side = 1 if label == (1 if columns == 1 else c) else -1
            sigma = np.linalg.inv(inverse[c])
            if side * (mu[c] @ x) < 1:
                beta = 1 / (x @ sigma @ x + now_r)
                mu[c] = mu[c] + (1 - side * (mu[c] @ x)) * beta * side * sigma @ x
                inverse[c] += np.diag(np.diag(np.outer(x, x) / now_r))
        history.append(mu.copy())
    return np.array(history), np.diagonal(inverse, axis1=1, axis2=2)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("layout", [np.asarray, sp.csr_matrix])
@pytest.mark.parametrize("r", [0.1, 1.0, 7.5])
def test_it_is_the_formula(classes, layout, r):
    X, y = data(classes)
    history, precision = formula(X, y, classes, r)
    for hypothesis, expected in (("last", history[-1]), ("average", history.mean(axis=0))):
        learner = Arow(r=r, hypothesis=hypothesis, shuffle=False).fit(layout(X), y)
        np.testing.assert_allclose(learner.coef_, expected[:, :-1], atol=1e-12)
        np.testing.assert_allclose(learner.intercept_, expected[:, -1], atol=1e-12)
    kept = learner.model_.weights.kept.reshape(-1, COLUMNS[classes]).T
    np.testing.assert_allclose(kept, precision)


def test_a_sample_weight_divides_r():
    X, y = data(2)
    weight = np.random.default_rng(1).integers(1, 5, len(y)).astype(float)
    history, _ = formula(X, y, 2, weight=weight)
    learner = Arow(hypothesis="last", shuffle=False).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(learner.coef_[0], history[-1, 0, :-1])
    by_class = Arow(hypothesis="last", shuffle=False, class_weight={0: 1, 1: 3}).fit(X, y)
    by_row = Arow(hypothesis="last", shuffle=False).fit(X, y, sample_weight=1 + 2.0 * y)
    np.testing.assert_array_equal(by_class.coef_, by_row.coef_)


def test_one_feature_at_a_time_the_diagonal_is_exact():
    rng = np.random.default_rng(2)
    X = np.eye(5)[rng.integers(0, 5, 60)] * rng.normal(size=(60, 1))
    y = rng.integers(0, 2, 60)
    sigma, mu = np.eye(5), np.zeros(5)
    for x, label in zip(X, 2 * y - 1, strict=True):
        if label * (mu @ x) < 1:
            beta = 1 / (x @ sigma @ x + 1)
            mu = mu + (1 - label * (mu @ x)) * beta * label * sigma @ x
            sigma = sigma - beta * np.outer(sigma @ x, sigma @ x)  # all of the matrix, as published
    learner = Arow(hypothesis="last", shuffle=False, fit_intercept=False).fit(X, y)
    np.testing.assert_allclose(learner.coef_[0], mu)


def test_pieces_equal_at_once_and_files_go_on(tmp_path):
    X, y = data()
    whole = Arow(random_state=0).partial_fit(X, y, classes=[0, 1, 2])
    pieces = Arow(random_state=0)
    for part in np.array_split(np.arange(len(y)), 7):
        pieces.partial_fit(X[part], y[part], classes=[0, 1, 2])
        pieces.save(tmp_path / "arow.model")
        pieces = load(tmp_path / "arow.model")
    np.testing.assert_array_equal(pieces.coef_, whole.coef_)
    np.testing.assert_array_equal(pieces.model_.weights.kept, whole.model_.weights.kept)
    pieces.save(tmp_path / "small.model", resumable=False)
    np.testing.assert_array_equal(load(tmp_path / "small.model").predict(X), whole.predict(X))


def test_no_weight_outside_an_example_moves():
    X, y = data(2, d=50)
    learner = Arow().partial_fit(X, y)
    before = learner.model_.weights.kept.copy(), learner.model_.weights.v.copy()
    row = np.zeros((1, 50))
    row[0, 7] = 1.0
    learner.partial_fit(row, [1 - int(learner.predict(row)[0])])
    moved = [np.flatnonzero(a != b) for a, b in zip(before, learner.model_.weights[:4:3][::-1], strict=True)]
    assert [place.tolist() for place in moved] == [[7, 50], [7, 50]]


def test_precisions_add_up_when_models_are_merged():
    X, y = data()
    halves = [Arow(random_state=0).fit(X[part], y[part]).learner_ for part in (slice(60), slice(60, 120))]
    mixed = combine(halves, np.array([0.5, 0.5]))
    sums = sum(half.model.weights.kept - 1.0 for half in halves)
    np.testing.assert_allclose(mixed.model.weights.kept, 1.0 + sums)
    np.testing.assert_allclose(mixed.scores(X), np.mean([half.scores(X) for half in halves], axis=0))


def test_a_class_that_comes_late_wins_nowhere():
    X, y = data(3)
    learner = Arow().partial_fit(X[y < 2], y[y < 2])
    said = learner.predict(X)
    with pytest.warns(UserWarning, match="came late"):
        learner.partial_fit(X[y == 2][:1], [2])
    np.testing.assert_array_equal(learner.predict(X), said)


def test_it_learns_the_features_of_a_map_and_has_no_dual_form():
    X, y = data(2)
    squares = np.where(np.abs(X[:, 0]) > np.abs(X[:, 1]), 1, 0)
    learner = Arow(kernel="Polynomial(2)", passes=20, random_state=0).fit(X, squares)
    assert learner.representation_.form == "primal"
    assert learner.score(X, squares) > 0.95
    for wrong in ({"kernel": "Gaussian(1.0)"}, {"representation": "dual"}):
        with pytest.raises(
            ValueError, match=r"is not possible with Arow: it keeps a variance for each weight"
        ):
            Arow(**wrong).fit(X, y)
    with pytest.raises(ValueError, match=r"only the linear kernel.*Use `delta=0`"):
        Arow(kernel="Polynomial(2)", delta=0.5).fit(X, y)
    with pytest.raises(ValueError, match="not multiples of an example"):
        Arow(hypothesis="vote").fit(X, y)


def test_delta_gives_every_example_a_feature_of_variance_1():
    X, y = data(2)
    wide = np.column_stack([X, 0.5 * np.eye(len(X))])
    narrow = Arow(delta=0.5, hypothesis="last", shuffle=False).fit(sp.csr_matrix(X), y)
    by_hand = Arow(hypothesis="last", shuffle=False).fit(sp.csr_matrix(wide), y)
    np.testing.assert_allclose(narrow.coef_, by_hand.coef_[:, :6])


def test_many_tasks_and_the_command_line_have_it(tmp_path, capsys):
    X, y = data(2)
    tasks = ManyTasks(Arow(shuffle=False)).fit(X, np.column_stack([2 * y - 1, 1 - 2 * y]))
    np.testing.assert_allclose(
        tasks.decision_function(X)[:, 0], Arow(shuffle=False).fit(X, y).decision_function(X)
    )
    path, model = tmp_path / "some.vw", tmp_path / "some.model"
    path.write_text("".join(f"{label} | {' '.join(f'x{j}:{v:g}' for j, v in enumerate(row))}\n"
                            for label, row in zip(y, X, strict=True)))  # fmt: skip
    assert (
        run(["train", str(path), "-o", str(model), "--learner", "arow", "--r", "0.5", "--names", "-q"]) == 0
    )
    assert run(["explain", str(model), "--top", "3"]) == 0
    assert run(["evaluate", str(model), str(path)]) == 0
    assert "accuracy" in capsys.readouterr().out
