"""A vector that a run is compared with, as the theorems see it."""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats


class Compared(NamedTuple):
    """A vector w*, scaled so that examples are to have y <w*, x> >= 1, beside the examples of a run.

    gamma is 1 / ||w*||: the margin of the unit vector u = w* / ||w*||.
    """

    margins: Floats  # y <w*, x> of each example
    norm: float  # ||w*||
    lengths: Floats  # ||x|| of each example, the constant feature counted
    visits: float = 1.0  # to each example: sums over examples are sums over visits

    @property
    def radius(self) -> float:
        """R, the largest length."""
        return float(self.lengths.max(initial=0.0))

    @property
    def short(self) -> Floats:
        """How much each example lacks: max(0, 1 - y <w*, x>)."""
        return np.asarray(np.maximum(0.0, 1.0 - self.margins))

    @property
    def separates(self) -> bool:
        """Whether all examples have the margin."""
        return bool(self.margins.size == 0 or self.margins.min() >= 1.0)

    def scaled(self, factor: float) -> "Compared":
        """Return the vector times a factor: a smaller one asks for a larger margin gamma."""
        return self._replace(margins=factor * self.margins, norm=factor * self.norm)

    def with_own_features(self, delta: float) -> "Compared":
        """Return the vector beside examples that each have a feature of their own, of value delta.

        Its entry there makes up for what the example lacks: so it separates them all. One entry serves all
        visits to its example.
        """
        short = self.short
        return Compared(
            np.maximum(1.0, self.margins),
            float(np.sqrt(self.norm**2 + np.square(short).sum() / delta**2)),
            np.sqrt(np.square(self.lengths) + delta**2),
            self.visits,
        )
