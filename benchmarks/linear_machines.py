"""Support vector machines in primal form beside LIBLINEAR, at the same objective."""

import os
import warnings
from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_svmlight_file
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from benchmarks.compare import Work, faster
from benchmarks.measure import take_turns
from benchmarks.settings import Settings
from benchmarks.table import Row, Target
from benchmarks.text import ROWS, text
from kerneltron import SVM

C = 1.0
LOSSES = ("hinge", "squared_hinge")
CLOSE = 1e-3  # relative distance to the optimum that both are to reach
# From loose to tight: the first that reaches it is what each is timed with.
OUR_TOLERANCES = (5e-3, 3e-3, 2.5e-3, 2e-3, 1.5e-3, 1e-3)
THEIR_TOLERANCES = (1.0, 0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 1e-3, 1e-4)
PASSES = 10_000


class Data(NamedTuple):
    """Sparse rows with their labels."""

    name: str
    X: Any
    y: NDArray[Any]


def linear_machines(settings: Settings) -> list[Row]:
    """Set SVM beside LinearSVC: seconds of CPU until the objective is close to the optimum."""
    return [_row(data, loss, settings.repeats) for data in _data(settings.quick) for loss in LOSSES]


def _data(quick: bool) -> list[Data]:
    documents = text(ROWS // 10 if quick else ROWS)
    found = [Data(documents.name, documents.X, documents.y)]
    path = Path(os.environ.get("KERNELTRON_DATA", ""), "a9a", "a9a.gz")
    if path.is_file():
        X, y = load_svmlight_file(str(path), n_features=123)
        X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
        found.append(Data("a9a", X[:: 10 if quick else 1], y[:: 10 if quick else 1]))
    return found


def _row(data: Data, loss: str, repeats: int) -> Row:
    optimum = _optimum(data, loss)
    mine, my_distance = _first_close(data, loss, optimum, _ours, OUR_TOLERANCES)
    other, other_distance = _first_close(data, loss, optimum, _theirs, THEIR_TOLERANCES)
    size = f"{data.name}, {loss}, {data.X.shape[0]:,} x {data.X.shape[1]:,}"
    ours = f"SVM(tol={mine:g}), {size}: {my_distance:.1e} above the optimum"
    theirs = f"LinearSVC(tol={other:g}): {other_distance:.1e}"
    contestants: dict[str, Callable[[None], object]] = {
        ours: lambda _: _ours(data, loss, mine),
        theirs: lambda _: _theirs(data, loss, other),
    }
    timings = take_turns(contestants, lambda: None, repeats, process_time)
    return faster(timings, ours, theirs, Work(data.X.nnz, "non-zeros"), Target("at least", 1.0))


def _ours(data: Data, loss: str, tol: float, **options: Any) -> Any:
    return SVM(C=C, loss=loss, tol=tol, passes=PASSES, random_state=0, **options).fit(data.X, data.y)


def _theirs(data: Data, loss: str, tol: float) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        learner = LinearSVC(C=C, loss=loss, tol=tol, dual=True, max_iter=PASSES, random_state=0)
        return learner.fit(data.X, data.y)


def _optimum(data: Data, loss: str) -> float:
    """Return a lower bound on the objective that is certainly close to the optimum."""
    bounds: list[float] = []
    _ours(data, loss, CLOSE / 20, callback=lambda _, report: bounds.append(report.dual_objective))
    return bounds[-1]


def _first_close(
    data: Data,
    loss: str,
    optimum: float,
    learn: Callable[[Data, str, float], Any],
    tolerances: Sequence[float],
) -> tuple[float, float]:
    """Return the loosest tolerance that brings the objective close to the optimum, and how close that is."""
    distance = inf
    for tol in tolerances:
        distance = _objective(data, loss, learn(data, loss, tol)) / optimum - 1
        if distance <= CLOSE:
            return tol, distance
    return tolerances[-1], distance


def _objective(data: Data, loss: str, learner: Any) -> float:
    """Return ||w||^2 / 2 + C times the losses, over all classes, in double precision."""
    W, b = learner.coef_.astype(np.float64), np.asarray(learner.intercept_, np.float64)
    classes = learner.classes_ if len(learner.classes_) > 2 else learner.classes_[1:]
    sides = np.where(data.y[:, None] == classes, 1.0, -1.0)
    xi = np.maximum(0.0, 1.0 - sides * (data.X.astype(np.float64) @ W.T + b))
    return float((np.square(W).sum() + np.square(b).sum()) / 2 + C * (xi if loss == "hinge" else xi**2).sum())
