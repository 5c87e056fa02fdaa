"""Class weights that look at all labels, as "balanced" does."""

from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_class_weight

from kerneltron._types import Anything, Floats
from kerneltron.learning.weighting import checked, class_weights


def weights_for(given: Any, classes: Anything, y: Anything | None, whole: bool) -> Floats:
    """Return a weight per class, from all labels y; without them (None), as a stream has it."""
    if given is None or y is None:
        return class_weights(given, classes, whole)
    return checked(given, np.asarray(compute_class_weight(given, classes=classes, y=y), float), whole)
