"""What an example counts: weights per class, weights per row, and learners that know whole examples only."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron._validate import check_sample_weight


def class_weights(given: Mapping[Any, float] | None, classes: Anything, whole: bool) -> Floats:
    """Return one weight per class of a stream; classes that are not named have the weight 1.

    Examples
    --------
    >>> import numpy as np
    >>> class_weights({"spam": 5}, np.array(["ham", "spam"]), whole=False)
    array([1., 5.])
    """
    if not given:
        return np.ones(len(classes))
    named = given
    return checked(given, np.array([float(named.get(label, 1.0)) for label in classes.tolist()]), whole)


def checked(given: Any, weight: Floats, whole: bool) -> Floats:
    """Return the weights of the classes, brought to 0 and 1 where examples are whole; raise on others."""
    if not (np.isfinite(weight) & (weight >= 0)).all():
        raise ValueError(f"class_weight={given!r} must hold finite weights of at least 0.")
    return whole_weights("class_weight", weight) if whole else weight


def sample_weights(given: Any, n: int, whole: bool) -> Floats | None:
    """Return one weight per row, or None where there are none."""
    weight = check_sample_weight(given, n)
    return whole_weights("sample_weight", weight) if whole and weight is not None else weight


def whole_weights(name: str, weight: Floats) -> Floats:
    """Return 0 or 1 for whole weights; refuse others."""
    broken = weight[weight != np.floor(weight)]
    if broken.size:
        raise ValueError(
            f"{name} holds {broken[0]:g}, but this learner repairs an example at once: it is there or not, "
            "weight 1 or 0, and a whole number of times is the same as once."
        )
    return np.minimum(weight, 1.0)
