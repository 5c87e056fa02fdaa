"""What an example counts: weights per class, weights per row, and learners that know whole examples only."""

from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_class_weight

from kerneltron._types import Anything, Floats
from kerneltron._validate import check_sample_weight


def class_weights(given: Any, classes: Anything, y: Anything | None, whole: bool) -> Floats:
    """Return a weight per class; in a stream (no y), classes that are not named have the weight 1."""
    if given is None:
        return np.ones(len(classes))
    if y is None:
        weight = np.array([float(given.get(label, 1.0)) for label in classes.tolist()])
    else:
        weight = np.asarray(compute_class_weight(given, classes=classes, y=y), float)
    if not (np.isfinite(weight) & (weight >= 0)).all():
        raise ValueError(f"class_weight={given!r} must hold finite weights of at least 0.")
    return _whole("class_weight", weight) if whole else weight


def sample_weights(given: Any, n: int, whole: bool) -> Floats | None:
    """Return a weight per row, or None where there are none."""
    weight = check_sample_weight(given, n)
    return _whole("sample_weight", weight) if whole and weight is not None else weight


def _whole(name: str, weight: Floats) -> Floats:
    """Return 0 or 1 for whole weights; refuse others."""
    broken = weight[weight != np.floor(weight)]
    if broken.size:
        raise ValueError(
            f"{name} holds {broken[0]:g}, but this learner repairs an example at once: it is there or not, "
            "weight 1 or 0, and a whole number of times is the same as once."
        )
    return np.minimum(weight, 1.0)
