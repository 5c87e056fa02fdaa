"""Trainings whose model files are known byte for byte: a change of structure changes none of them.

`python -m tests.recorded_trainings` prints a line for each: its name and a checksum of the file it saves.
"""

import hashlib
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp

import kerneltron
from kerneltron.kernels import Gaussian

Training = Callable[[], Any]
LEARNERS: dict[str, list[dict[str, Any]]] = {
    "Perceptron": [{}, {"margin": 0.5}, {"hypothesis": "vote"}, {"class_weight": "balanced"}, {"delta": 0.5}],
    "PassiveAggressive": [{}, {"C": 0.1}, {"hypothesis": "random"}],
    "Romma": [{}, {"aggressive": True}],
    "Mira": [{}, {"hypothesis": "last"}],
    "LogisticRegression": [{}, {"schedule": "inverse"}, {"schedule": "constant", "learning_rate": 0.01}],
    "Pegasos": [{}, {"schedule": "adaptive", "learning_rate": 0.1}],
    "Winnow": [{}, {"balanced": True}],
}
KERNELS: list[dict[str, Any]] = [
    {"kernel": "Gaussian(2.0)"},
    {"kernel": "Gaussian(2.0)", "hypothesis": "last"},
    {"kernel": "Polynomial(2)", "representation": "primal"},
    {"kernel": Gaussian(3.0) * 2, "delta": "auto"},
    {"kernel": "linear", "representation": "dual", "fit_intercept": False},
]


def _rows(classes: int, dtype: Any = np.float64) -> tuple[Any, Any]:
    rng = np.random.default_rng(classes)
    X = rng.integers(0, 5, (300, 12)).astype(dtype)
    truth = rng.integers(-3, 4, (12, classes))
    return X, np.array(["a", "b", "c", "d"])[(X @ truth + rng.integers(0, 9, (300, classes))).argmax(axis=1)]


def _learner(name: str, **parameters: Any) -> Any:
    return getattr(kerneltron, name)(**{"random_state": 3, "passes": 2.5, **parameters})


def _fitted(name: str, classes: int, is_sparse: bool, dtype: Any, parameters: dict[str, Any]) -> Any:
    X, y = _rows(classes, dtype)
    return _learner(name, **parameters).fit(sp.csr_matrix(X) if is_sparse else X, y)


def _streamed(name: str, parameters: dict[str, Any]) -> Any:
    X, y = _rows(3)
    learner = _learner(name, **parameters)
    first = np.flatnonzero(y != "c")[:60]
    learner.partial_fit(X[first], y[first])
    learner.partial_fit(X[100:200], y[100:200])  # "c" comes late
    learner.partial_fit_predict(sp.csr_matrix(X[200:]), y[200:])
    return learner


def _continued(name: str) -> Any:
    X, y = _rows(2)
    return _learner(name).fit(X[:200], y[:200]).partial_fit(X[200:], y[200:])


def _stopped(name: str) -> Any:
    X, y = _rows(3)
    return _learner(name, passes=20, early_stopping=True, patience=2).fit(X, y, np.arange(300) % 3)


def _tasks(own: bool, **parameters: Any) -> Any:
    X, _ = _rows(2)
    rng = np.random.default_rng(5)
    Y = np.sign(X[:, :4] - 2).astype(int) * rng.integers(0, 2, (300, 4))
    tasks = kerneltron.ManyTasks(_learner("Perceptron", **parameters), exclude_own_column=own)
    return tasks.fit(X[:200], Y[:200]).partial_fit(X[200:], Y[200:])


def primal() -> Iterator[tuple[str, Training]]:
    """Yield trainings in primal form, whose bytes are the same on every machine."""
    for name, settings in LEARNERS.items():
        for number, parameters in enumerate(settings):
            for classes in (2, 4):
                for is_sparse, dtype in ((False, np.float64), (True, np.float32)):
                    title = f"{name}-{number}-{classes}-{'csr' if is_sparse else 'dense'}"
                    yield title, lambda a=(name, classes, is_sparse, dtype, parameters): _fitted(*a)
            if "balanced" not in parameters.values():
                yield f"{name}-{number}-stream", lambda a=(name, parameters): _streamed(*a)
        yield f"{name}-continued", lambda name=name: _continued(name)
        if name != "Romma":
            yield f"{name}-stopped", lambda name=name: _stopped(name)
    yield "tasks-primal", lambda: _tasks(False)


def dual() -> Iterator[tuple[str, Training]]:
    """Yield trainings in dual form or with a map: their bytes may depend on a machine's matrix products."""
    for name in ("Perceptron", "PassiveAggressive", "Romma", "Mira", "LogisticRegression", "Pegasos"):
        for number, kernel in enumerate(KERNELS):
            parameters = {**kernel, **({"schedule": "inverse"} if name == "Pegasos" else {})}
            for classes in (2, 4):
                title = f"{name}-kernel{number}-{classes}"
                yield title, lambda a=(name, classes, False, np.float64, parameters): _fitted(*a)
            if kernel.get("delta") != "auto":
                yield f"{name}-kernel{number}-stream", lambda a=(name, parameters): _streamed(*a)
    yield (
        "vote-dual",
        lambda: _fitted("Perceptron", 4, False, np.float64, {**KERNELS[0], "hypothesis": "vote"}),
    )
    yield "tasks-dual", lambda: _tasks(False, kernel="Gaussian(3.0)")
    yield "tasks-own", lambda: _tasks(True, kernel="Gaussian(3.0)")


def checksum(training: Training) -> str:
    """Return a checksum of what a training saves, for resuming and for prediction."""
    total = hashlib.sha256()
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        learner = training()
        for resumable in (True, False):
            path = os.path.join(folder, "some.model")
            kerneltron.save(learner, path, resumable)
            with open(path, "rb") as file:
                total.update(file.read())
    return total.hexdigest()[:16]


def main() -> None:
    """Print all of them."""
    for trainings in (primal, dual):
        for name, training in trainings():
            print(f"{name} {checksum(training)}", flush=True)


if __name__ == "__main__":
    main()
