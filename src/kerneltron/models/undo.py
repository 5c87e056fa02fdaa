"""What primal weights were before a call, so that a call that fails leaves no trace in them.

A copy of all weights for each example of a stream would cost more than learning from it: the weights of 2^18
features and 20 classes are 60 MB. A loop changes the weights of the features that occur in its rows, and all
of them only when it folds the scale into them, which is foreseen. So that is all that is copied.
"""

from typing import Any

import numpy as np

from kerneltron._types import Anything, Dense, Rows, Weights
from kerneltron.engine.columns import TINY
from kerneltron.engine.declared import declared
from kerneltron.models.weights import BY_FEATURE, copy

SORTING = 8  # finding the features that occur takes as long, per entry, as copying this many


class Undo:
    """A copy of what one visit to each of `rows` may change in the weights; all of them if `rows` is None."""

    def __init__(self, weights: Weights, rule: Any, rows: Rows | None) -> None:
        columns = weights.scale.size
        self._places = None
        if rows is not None and not isinstance(rows, Dense):
            features = weights.v.size // columns
            is_sparse = SORTING * rows.indices.size < features
            if is_sparse and not may_fold(weights, rule, rows.starts.size - 1):
                self._places = np.append(np.unique(rows.indices), features - 1)
        if self._places is None:
            self._kept = copy(weights)
        else:
            self._kept = Weights(
                **{name: self._part(name, getattr(weights, name), columns) for name in Weights._fields}
            )

    def restore(self, weights: Weights) -> None:
        """Bring the weights back to what they were."""
        for name, kept in self._kept._asdict().items():
            if self._places is not None and name in BY_FEATURE and kept.size:
                getattr(weights, name).reshape(-1, weights.scale.size)[self._places] = kept
            else:
                getattr(weights, name)[:] = kept

    def _part(self, name: str, array: Anything, columns: int) -> Anything:
        """Return a copy of what may change in an array of the weights."""
        if name not in BY_FEATURE or not array.size:
            return array.copy()
        return np.asarray(array.reshape(-1, columns)[self._places])


def may_fold(weights: Weights, rule: Any, visits: int) -> bool:
    """Return whether the scale of a column can fall below `TINY` in this many visits."""
    shrink = declared(rule).least_shrink(rule, int(weights.clock.min()) + 1)
    return bool(weights.scale.min() * shrink**visits < 2 * TINY)
