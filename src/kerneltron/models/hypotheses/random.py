"""One of the vectors that w has been, drawn by how many examples each was used for."""

from typing import Any, TypeVar

import numpy as np

from kerneltron._types import Floats, Trace, Visits, Weights
from kerneltron.engine.order import last_drawn
from kerneltron.models.hypothesis import Hypothesis, Learning
from kerneltron.models.late import ColumnOrigin, Start, rearranged
from kerneltron.models.weights import current

Tuple = TypeVar("Tuple", Visits, Trace)


class Random(Hypothesis):
    """The vector that one of the examples was predicted by, each example as likely as any other.

    A vector is drawn by how many examples it was *used for*, before it learned from them: of ten examples of
    which the 1st, 4th, 8th and 10th are mistakes, the vectors w_0 to w_4 were used for 1, 3, 4, 2 and 0. So
    the vector that the last example led to is never drawn, and k mistakes in one pass over m examples drawn
    at random mean a probability of error of k/m, in expectation over samples and draws (ties are mistakes).
    `average` and `vote` count the vector after each example instead: 0, 3, 4, 2 and 1.
    """

    name = "random"
    brief = "one of them, drawn by how many examples it was used for"
    follows_weights = False
    needs_one_clock = True

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.seen = 0
        self.drawn: Floats | None = None
        self.drawn_offsets: Floats | None = None  # where the constant feature is not among the others

    def follow(self, model: Learning, visits: Visits, trace: Trace) -> Any:
        """Stop before the tick that is drawn, if it is among these, and copy the vectors there."""
        count = visits.order.size
        split = last_drawn(self.seed, self.seen, count)
        self.seen += count
        if split < 0:
            return model.step(visits, trace)
        mistakes = 0
        if split > 0:
            mistakes = model.step(_part(visits, slice(split)), _part(trace, slice(split)))
        self.drawn = current(model.weights)
        self.drawn_offsets = None if model.constants is None else current(model.constants)
        return mistakes + model.step(_part(visits, slice(split, None)), _part(trace, slice(split, None)))

    def vectors(self, weights: Weights) -> Floats:
        """Return the drawn ones."""
        return current(weights) if self.drawn is None else self.drawn

    def offsets(self, constants: Weights) -> Floats:
        """Return those that were drawn with the vectors."""
        return current(constants) if self.drawn_offsets is None else self.drawn_offsets

    def narrow(self, width: int) -> None:
        """Forget features of the drawn vectors."""
        if self.drawn is not None:
            self.drawn = np.concatenate([self.drawn[:width], self.drawn[-1:]])

    def move_slots(self, places: Any) -> None:
        """Let the coefficients of the drawn vectors follow their examples."""
        if self.drawn is not None:
            kept = np.flatnonzero(places[: len(self.drawn)] >= 0)
            moved = np.zeros((int((places >= 0).sum()), self.drawn.shape[1]), self.drawn.dtype)
            moved[places[kept]] = self.drawn[kept]
            self.drawn = moved

    def regroup(self, column_origins: list[ColumnOrigin], ticks: int, begins: Start) -> None:
        """Rearrange the drawn vectors; a late class is the mean of those, too."""
        if self.drawn is None:
            return
        if self.drawn_offsets is None:
            self.drawn = rearranged(self.drawn, column_origins, begins.now)
        else:
            self.drawn = rearranged(self.drawn, column_origins)
            self.drawn_offsets = rearranged(self.drawn_offsets, column_origins, begins.now)

    def become_mix(self, parts: list[Any], base: Any, vectors: Floats, offsets: Floats | None) -> None:
        """Take the mix of what was drawn; all examples that the parts saw count as seen."""
        self.drawn, self.drawn_offsets = vectors, None if offsets is None else offsets[None]
        self.seen = sum(part.seen for part in parts)
        if base is not None:
            self.seen -= (len(parts) - 1) * base.seen

    def state(self, resumable: bool) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what the next draws depend on; to predict, the vectors are enough."""
        if not resumable:
            return {}, {}
        drawn = {} if self.drawn is None else {"drawn": self.drawn}
        if self.drawn_offsets is not None and self.drawn_offsets.any():
            drawn["drawn_offsets"] = self.drawn_offsets
        return {"seed": self.seed, "seen": self.seen}, drawn

    def restore(self, contents: Any, shape: tuple[int, int], remembered: int | None) -> None:
        """Take it back. Vectors of a dual form may be older than some of the examples."""
        if "seed" not in contents.header:
            return
        features, columns = shape
        self.seed, self.seen = contents.whole("seed"), contents.whole("seen")
        if "drawn" in contents.tensors:
            self.drawn = contents.array("drawn", (np.float32, np.float64), (None, columns))
            rows = len(self.drawn)
            if rows > features or (remembered is None and rows != features):
                contents.refuse(f"the vectors drawn have {rows} rows for {features} features")
            if remembered is not None:
                self.drawn_offsets = np.zeros((1, columns))
        if "drawn_offsets" in contents.tensors:
            self.drawn_offsets = contents.array("drawn_offsets", np.float64, (1, columns))


def _part(arrays: Tuple, where: slice) -> Tuple:
    return type(arrays)._make(array[where] for array in arrays)
