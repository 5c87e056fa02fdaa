"""Running scaling inside a learner of streams: numbers come to one scale, words stay as they are."""

from typing import Any, Self

import numpy as np

from kerneltron._matrices import frozen
from kerneltron._types import Entries, Floats, Scaling
from kerneltron.files import moments as files
from kerneltron.files.contents import Contents
from kerneltron.learning.method import Method
from kerneltron.models.moments import Moments, limit_entries, scaled_entries
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.window import NO_LABEL, Window


class Scale:
    """What a learner knows of the scale of each slot, and rows brought to it.

    A slot that every example held so far is centred and divided by its standard deviation; one that some
    lacked is divided by the root of the mean square of its values, and so is one that was constant: words
    that count 1 stay as they are. What an example does not hold adds nothing to its score, as if it were the
    mean. `add` comes before a window is learned from, so that its rows, which are visited in any order, are
    on one scale; which label an example has is not looked at. In later passes nothing is added. A value far
    from all others of its slot counts for less, and is learned from as if it were nearer: see
    `engine.outliers`.

    Parameters
    ----------
    columns
        Number of slots.
    centres
        Whether slots are centred: not for learners that take no negative features.

    Attributes
    ----------
    moments
        Of the values in each slot.
    """

    def __init__(self, columns: int, centres: bool = True) -> None:
        self.moments, self.scaling = Moments(columns), Scaling(absent_is_zero=False, centres=centres)
        self._found: tuple[Floats, Floats] | None = None

    def add(self, window: Window) -> None:
        """Count the labelled examples of a window."""
        weights = np.where(window.labels == NO_LABEL, 0.0, window.importance)
        rows = frozen(window.values, np.float32), frozen(window.indices, np.int32)
        entries = Entries(*rows, frozen(window.starts, np.int32), frozen(weights, np.float64))
        self.moments.add_entries(entries, self.scaling)
        self._found = None

    def values(self, window: Window, limits: bool = False) -> Floats:
        """Return the values of a window, scaled; with `limits`, as rows are learned from."""
        scaled = scaled_entries(window.values, window.indices, *self.found(), dtype=np.float32)
        if limits:
            limit_entries(scaled, window.indices, self.moments)
        return scaled

    def found(self) -> tuple[Floats, Floats]:
        """Return c and f for each slot: a value x becomes (x - c) f."""
        if self._found is None:
            self._found = self.moments.scales(self.scaling)
        return self._found

    def of(self, moments: Moments) -> Self:
        """Return the scale that scales in this way by other moments."""
        other = type(self)(0, self.scaling.centres)
        other.moments = moments
        return other

    def copy(self) -> Self:
        """Return a copy that goes its own way."""
        return self.of(self.moments.copy())

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_found": None}  # it follows from the moments

    def state(self) -> Contents:
        """Return what is to be saved."""
        contents = Contents({"centres": self.scaling.centres}, {})
        return contents.with_part("moments", files.state(self.moments))

    @classmethod
    def restore(cls, contents: Contents, columns: int) -> "Scale":
        """Return the scale of this many slots that `state` described."""
        blank = cls(0, contents.truth("centres"))
        return blank.of(files.restore(contents.part("moments"), columns))


def scale_for(hashing: Hashing, method: Method) -> Scale:
    """Return a scale that has counted nothing yet, for rows that are made in this way.

    Raises a ValueError where that leaves nothing to scale.
    """
    for name, why in (
        ("normalize", "brings rows to length 1 before their columns could be scaled"),
        ("binary", "makes every value 1, which leaves nothing to scale"),
    ):
        if getattr(hashing, name):
            raise ValueError(f"choose `scale` or `{name}`, not both: the latter {why}.")
    return Scale(hashing.slots, centres=not method.non_negative_only)
