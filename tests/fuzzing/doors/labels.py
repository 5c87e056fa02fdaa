"""Streams of labels, known, new, mistyped and refused: no class wins that has not been learned."""

import warnings

import numpy as np
from sklearn.base import clone

from kerneltron import LogisticRegression, Mira, PassiveAggressive, Pegasos, Perceptron, Romma, Winnow, load

QUICK = 25
LEARNERS = (
    Perceptron(),
    Perceptron(fit_intercept=False, margin=0.5),
    PassiveAggressive(variant="0"),
    PassiveAggressive(),
    Romma(),
    Mira(),
    Pegasos(l2=0.01),
    LogisticRegression(),
    LogisticRegression(schedule="inverse"),
    LogisticRegression(schedule="constant", fit_intercept=False),
    Winnow(),
    Winnow(balanced=True, threshold=2.0),
)
ALPHABET = ["", "a", "b", "c", "é", "zz", "\n"]


def case(rng, folder):
    """Hand labels over call by call, and look at each call."""
    learner = clone(LEARNERS[rng.integers(len(LEARNERS))]).set_params(random_state=0)
    if not learner.method_type.refuses_moves and rng.random() < 0.3:
        learner.set_params(hypothesis="vote")
    elif rng.random() < 0.6:
        learner.set_params(hypothesis=str(rng.choice(["last", "random"])))
    is_winnow, is_gradient = isinstance(learner, Winnow), getattr(learner, "schedule", "") == "auto"
    if not is_winnow and rng.random() < 0.5:
        learner.set_params(kernel=str(rng.choice(["linear", "Polynomial(2)", "Gaussian(1)"])))
        learner.set_params(representation="auto" if is_gradient else "dual")
    seen = 0
    for _ in range(rng.integers(2, 7)):
        X, y = rows(rng, is_winnow), rng.choice(ALPHABET[: rng.integers(2, 8)], 5)
        given = sorted(rng.choice(ALPHABET, 4)) if rng.random() < 0.1 else None
        seen += learned(learner, X, y, given, folder)
        if seen and rng.random() < 0.3:
            learner.save(folder / "again.model")
            again = load(folder / "again.model")
            assert again.decision_function(X).tobytes() == learner.decision_function(X).tobytes()
            learner = again
        if seen and len(learner.classes_) > 1 and not learner.closed_:
            introduced(learner, rows(rng, is_winnow), f"new {len(learner.classes_)}")


def rows(rng, positive):
    """Return rows of small numbers, some of them empty and some twice."""
    X = rng.integers(0 if positive else -2, 3, (5, 4)).astype(float)
    X[rng.random(5) < 0.2] = 0.0
    return X[rng.integers(0, 5, 5)]


def learned(learner, X, y, given, folder):
    """Hand rows over; where they are refused, nothing has changed."""
    known = hasattr(learner, "model_")
    if known:
        learner.save(folder / "before.model")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            learner.partial_fit(X, y, classes=given)
        except ValueError as error:
            assert "is not among" in str(error)  # noqa: PT017 - the one reason to refuse
            if known:
                learner.save(folder / "after.model")
                assert (folder / "after.model").read_bytes() == (folder / "before.model").read_bytes()
            return False
    assert np.isfinite(learner.decision_function(X)).all()
    assert learner.classes_.tolist() == sorted(set(learner.classes_.tolist()))
    assert len(set(learner.model_.weights.clock.tolist())) == 1
    return True


def introduced(learner, X, label):
    """Introduce a class by a single example: no prediction that was not a tie has changed."""
    scores, before = learner.decision_function(X), learner.predict(X)
    two = np.column_stack([-scores, scores]) if scores.ndim == 1 else scores
    clear = two.max(axis=1) > two.mean(axis=1) + 1e-9
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        learner.partial_fit(X[:1], [label])
    assert (learner.predict(X) == before)[clear].all()
    assert label in learner.classes_
