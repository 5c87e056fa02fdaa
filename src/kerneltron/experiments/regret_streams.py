"""Streams of the experiment `regret`, and learners that go along them: by steps, hashed, budgeted, in drift.

Steps, margins and radii were set by hand.
"""

from typing import Any, NamedTuple

import numpy as np

from kerneltron import LogisticRegression, Perceptron
from kerneltron._types import Floats
from kerneltron.datasets.generators import multinomial_text, noisy_logistic
from kerneltron.experiments.hashed_vectors import HashFunctions
from kerneltron.kernels import Gaussian
from kerneltron.theory.hindsight import best_in_hindsight, full_gradient
from kerneltron.theory.regret import gradient_bound, online_gradient, regret, scores_before

COLUMNS, SCALE = 20, 3.0
RADIUS = 2 * SCALE  # of the ball: twice as long as the truth
WORDS, WORDS_OF_A_DOCUMENT, RADIUS_OF_WORDS = 300, 30, 40.0
SLOTS = (16, 64, 256)
KERNEL, RADIUS_OF_KERNEL, BUDGET = Gaussian(1.0), 20.0, 50
KEPT = 1e-9  # of the largest eigenvalue: directions below it are rounding
PASSES = 10
GRADIENT = "steps of 1 / sqrt(t)"


class Stream(NamedTuple):
    """Regret of some learners on one stream, and what bounds one of them."""

    title: str
    curves: dict[str, Floats]
    best_loss: float  # of the best vector, per example
    bound: Floats | None = None


class Gradients(NamedTuple):
    """The mean loss beyond that of the best vector, after each pass over all examples."""

    stochastic: Floats
    full: Floats


def logistic(**options: Any) -> LogisticRegression:
    """Return an online learner without an intercept or a penalty."""
    settings: dict[str, Any] = {"learning_rate": 0.5, "passes": 1, **options}
    return LogisticRegression(fit_intercept=False, hypothesis="last", l2=0.0, scale=False, **settings)


def by_steps(rows: int, seed: int) -> Stream:
    """Compare steps that shrink with steps that do not."""
    X, y, *_ = noisy_logistic(rows, d=COLUMNS, scale=SCALE, seed=seed)
    best = best_in_hindsight(X, y, radius=RADIUS)
    scores = {
        GRADIENT: online_gradient(X, y, radius=RADIUS),
        "AdaGrad": scores_before(logistic(), X, y),
        "constant steps": scores_before(logistic(schedule="constant", learning_rate=0.1), X, y),
    }
    bound = gradient_bound(rows, RADIUS, float(np.linalg.norm(X, axis=1).max()))
    curves = {name: regret(each, X @ best.vector, y) for name, each in scores.items()}
    return Stream("how steps shrink", curves, best.total_loss / rows, bound)


def by_gradient(rows: int, seed: int) -> Gradients:
    """Compare passes of a stochastic gradient with steps of the full one: each looks at all examples."""
    X, y, *_ = noisy_logistic(rows, d=COLUMNS, scale=SCALE, seed=seed)
    best = best_in_hindsight(X, y, radius=RADIUS, tolerance=1e-6)
    least = best.total_loss / rows
    learner = LogisticRegression(
        fit_intercept=False, l2=0.0, learning_rate=0.5, scale=False, hypothesis="average"
    )
    online = []
    for _ in range(PASSES):
        learner.partial_fit(X, y)
        online.append(np.logaddexp(0, -y * learner.decision_function(X)).mean() - least)
    full = full_gradient(X, y, radius=RADIUS, steps=PASSES)[1:] - least
    return Gradients(np.array(online), full)


def by_hashing(rows: int, seed: int) -> Stream:
    """Compare exact features with hashed ones; the best vector knows the exact ones."""
    documents = multinomial_text(rows, vocabulary=WORDS, length=WORDS_OF_A_DOCUMENT, seed=seed)
    X = documents.X.toarray() / np.sqrt(WORDS_OF_A_DOCUMENT)
    y = np.where(documents.y == 1, 1, -1)
    best = best_in_hindsight(X, y, radius=RADIUS_OF_WORDS)
    curves = {"exact": regret(scores_before(logistic(), X, y), X @ best.vector, y)}
    function = HashFunctions(WORDS, 1)
    for slots in reversed(SLOTS):
        scores = scores_before(logistic(), X @ _matrix(function, slots), y)
        curves[f"{slots} slots"] = regret(scores, X @ best.vector, y)
    return Stream(f"{WORDS:,} words, hashed", curves, best.total_loss / rows)


def _matrix(function: HashFunctions, slots: int) -> Floats:
    """Return the matrix that hashes rows: one sign in each row of it."""
    where, signs = next(function.places(slots))
    matrix = np.zeros((where.shape[1], slots))
    matrix[np.arange(len(matrix)), where[0]] = signs[0]
    return matrix


def by_budget(rows: int, seed: int) -> Stream:
    """Compare kernel learners that remember all updates with those that remember few, by the hinge loss."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 2))
    y = np.where((X[:, 0] * X[:, 1] > 0) ^ (rng.random(rows) < 0.05), 1, -1)
    features = _kernel_features(X)
    best = best_in_hindsight(features, y, loss="hinge", radius=RADIUS_OF_KERNEL, tolerance=2e-3)

    def scores(**options: Any) -> Floats:
        learner = Perceptron(
            kernel=KERNEL, representation="dual", fit_intercept=False, hypothesis="last", margin=1.0,
            learning_rate=0.3, random_state=seed, **options,
        )  # fmt: skip
        return scores_before(learner, X, y)

    found = {"exact": scores()}
    for when_full in ("project", "random", "stop"):
        found[f"{BUDGET}, {when_full}"] = scores(budget=BUDGET, when_full=when_full)
    curves = {name: regret(each, features @ best.vector, y, loss="hinge") for name, each in found.items()}
    return Stream("a Gaussian kernel, within a budget", curves, best.total_loss / rows)


def _kernel_features(X: Floats) -> Floats:
    """Return rows whose inner products are the kernel's values: the best vector lies in their span."""
    values, vectors = np.linalg.eigh(KERNEL(X, X))
    kept = values > KEPT * values[-1]
    return np.asarray(vectors[:, kept] * np.sqrt(values[kept]))


def by_drift(rows: int, seed: int) -> Stream:
    """Turn the truth around half way: no fixed vector is good, and whoever adapts may beat the best one."""
    X, y, *_ = noisy_logistic(rows, d=COLUMNS, scale=SCALE, seed=seed)
    half = rows // 2
    y = np.concatenate([y[:half], -y[half:]])
    best = best_in_hindsight(X, y, radius=RADIUS)
    two = [best_in_hindsight(X[part], y[part], radius=RADIUS).vector for part in _halves(half)]
    best_of_halves = np.concatenate([X[part] @ u for part, u in zip(_halves(half), two, strict=True)])
    found = {
        "AdaGrad": scores_before(logistic(), X, y),
        "constant steps": scores_before(logistic(schedule="constant", learning_rate=0.1), X, y),
        "best vector of each half": best_of_halves,
    }
    curves = {name: regret(scores, X @ best.vector, y) for name, scores in found.items()}
    return Stream("a truth that turns around half way", curves, best.total_loss / rows)


def _halves(half: int) -> tuple[slice, slice]:
    return slice(half), slice(half, None)
