"""Sparse matrices whose arrays contradict each other or their shape."""

import numpy as np
import scipy.sparse as sp

from tests.fuzzing.learners import GOOD, LABELS, WIDTH, refused_or_sound, some_learner, use

QUICK = 150
EDGES = [-(2**31), -7, -1, 0, 1, WIDTH - 1, WIDTH, WIDTH + 1, 40, 41, 10**6, 2**31 - 1]
LAYOUTS = [
    sp.csr_matrix,
    sp.csr_array,
    sp.csc_matrix,
    sp.coo_array,
    sp.bsr_array,
    sp.lil_matrix,
    sp.dia_array,
]


def damage(rng, X):
    """Change an array of X, or its length, or its type."""
    names = [name for name in ("data", "indices", "indptr", "row", "col", "offsets") if hasattr(X, name)]
    name = str(rng.choice(names))
    array = np.array(getattr(X, name))
    if not array.size or array.dtype.kind not in "if":
        return
    way = rng.integers(0, 5)
    if way == 0:
        array.flat[rng.integers(0, array.size)] = rng.choice(EDGES).astype(array.dtype)
    elif way == 1:
        array = array[: rng.integers(0, array.shape[0] + 1)]
    elif way == 2:
        array = np.concatenate([array, array[-rng.integers(1, 4) :]])
    elif way == 3:
        array = rng.permutation(array)
    else:
        array = array.astype(rng.choice(["i2", "i8", "u4", "f4", "f8", "?"]))
    try:
        setattr(X, name, array)
    except (AttributeError, ValueError, TypeError):
        getattr(X, name).flat[0] = -1


def case(rng, folder):
    learner = some_learner(rng)
    layout = LAYOUTS[rng.integers(0, len(LAYOUTS))]
    dense = GOOD * (rng.random(GOOD.shape) < 0.5)
    if rng.random() < 0.2:
        dense = np.pad(dense, ((0, 0), (0, int(rng.integers(0, 3)))))
    X = layout(dense.astype(rng.choice(["f4", "f8"])))
    for _ in range(rng.integers(0, 4)):
        damage(rng, X)
    with refused_or_sound(learner):
        use(learner, rng, X, LABELS)
