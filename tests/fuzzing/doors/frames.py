"""Data frames of pandas and polars: columns of all types, missing, renamed, in another order, twice."""

import numpy as np
import pandas as pd
import polars as pl

from tests.fuzzing.learners import GOOD, LABELS, WIDTH, refused_or_sound, some_learner, use

QUICK = 100
NAMES = [f"c{j}" for j in range(WIDTH)]


def columns(rng):
    """Return named columns, some of them strange."""
    found = {name: GOOD[:, j] for j, name in enumerate(NAMES)}
    for _ in range(rng.integers(0, 3)):
        name = str(rng.choice(NAMES))
        found[name] = {
            0: lambda: rng.choice(["a", "bc", ""], 40).tolist(),
            1: lambda: [None, *GOOD[1:, 0].tolist()],
            2: lambda: rng.integers(0, 2, 40).astype(bool),
            3: lambda: np.array(["2020-01-01"] * 40, "M8[ns]"),
            4: lambda: [{"a": 1}] * 40,
            5: lambda: GOOD[:, 0].astype("f4"),
            6: lambda: np.full(40, np.inf),
            7: lambda: [1, *[2**62] * 39],
        }[int(rng.integers(0, 8))]()
    return found


def frame(rng):
    """Return a frame, perhaps rearranged."""
    content = columns(rng)
    names = list(content)
    match int(rng.integers(0, 5)):
        case 0:
            names = rng.permutation(names).tolist()
        case 1:
            names = names[:-1]
        case 2:
            content = {f"{name}é": values for name, values in content.items()}
            names = list(content)
    if rng.random() < 0.5:
        return pl.DataFrame({name: content[name] for name in names}, strict=False)
    made = pd.DataFrame({name: content[name] for name in names})
    if rng.random() < 0.2:
        made = made.set_axis(["same"] * made.shape[1], axis=1)
    if rng.random() < 0.2:
        made.index = rng.integers(0, 3, 40)
    if rng.random() < 0.2:
        made = made.convert_dtypes()
    if rng.random() < 0.1:
        made["c9"] = pd.Categorical(rng.choice(["a", "b"], 40))
    return made


def case(rng, folder):
    learner = some_learner(rng)
    if rng.random() < 0.5:
        with refused_or_sound(learner):
            learner.partial_fit(pd.DataFrame(GOOD, columns=NAMES), LABELS)
    X = frame(rng)
    y = [LABELS, pd.Series(LABELS, index=np.arange(40)[::-1]), pl.Series(LABELS)][rng.integers(0, 3)]
    with refused_or_sound(learner):
        use(learner, rng, X, y)
