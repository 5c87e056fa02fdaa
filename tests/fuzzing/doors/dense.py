"""Dense rows, labels and weights of any shape, type and value."""

import warnings

import numpy as np

from tests.fuzzing.learners import GOOD, LABELS, REFUSALS, WIDTH, refused_or_sound, some_learner, use

QUICK = 200
VALUES = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-320, 1e-30, -1e30, 1e150, 1.7e308, 2.0**53 + 2]
ODD = [
    "text",
    b"bytes",
    None,
    True,
    1 + 2j,
    "é",
    "\udcff",
    object,
    [1, 2],
    np.datetime64("2020-01-01"),
    10**400,
]


def rows(rng):
    """Return something like rows."""
    X = GOOD.copy()
    for _ in range(rng.integers(0, 3)):
        X[rng.integers(0, len(X)), rng.integers(0, WIDTH)] = rng.choice(VALUES)
    odd = X.astype(object)
    odd[0, 0] = ODD[rng.integers(0, len(ODD))]
    kind = str(rng.choice(["f2", "f4", "i1", "u1", "i8", "?", "c16", "U8", "S8", "O"]))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ways = [
            X,
            X,
            X.astype(kind),
            X[:, : rng.integers(0, WIDTH + 1)],
            np.hstack([X, X]),
            X.ravel()[: rng.integers(0, 20)],
            X.reshape(5, 8, WIDTH),
            X.tolist()[: rng.integers(0, 41)],
            odd,
            [[1.0] * int(k) for k in rng.integers(0, 7, 40)],
            np.asfortranarray(X)[::-1],
            np.ma.masked_array(X, X > 1),
            odd[0, 0],
        ]
    return ways[rng.integers(0, len(ways))]


def labels(rng):
    """Return something like labels."""
    ways = [
        LABELS,
        LABELS,
        rng.choice(["a", "b", "é", ""], 40),
        [ODD[i] for i in rng.integers(0, len(ODD), 40)],
        rng.choice(VALUES, 40),
        LABELS[: rng.integers(0, 41)],
        np.eye(3)[LABELS],
        LABELS[:, None],
        LABELS * 10**17,
        LABELS.astype(object),
    ]
    return ways[rng.integers(0, len(ways))]


def case(rng, folder):
    learner = some_learner(rng)
    X, y = rows(rng), labels(rng)
    if rng.random() < 0.2:
        weight = rng.choice([0.0, 1.0, 2.0, -1.0, np.nan, 1e300], 40)
        with refused_or_sound(learner):
            learner.partial_fit(X, y, sample_weight=weight)
        return
    with refused_or_sound(learner):
        try:
            use(learner, rng, X, y)
        except AttributeError as error:  # scikit-learn's own, of what is not even a sequence
            raise REFUSALS[1](str(error)) from error
