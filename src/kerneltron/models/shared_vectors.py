"""The vectors that predict, and who may read or write what they are made of."""

from collections.abc import Callable
from typing import Any, TypeVar

from kerneltron._process_lock import process_lock
from kerneltron._types import Floats

Made = TypeVar("Made")


class SharedVectors:
    """What models that share their weights have worked out of them, the last of them by its hypothesis.

    A model in primal form and its successor share weights while the successor learns. The lock lets a loop
    and those who predict in other threads take turns, so that these see the weights as they are between
    two loops. It is not part of the state: a copy or a pickle of a model has a lock of its own, and nothing
    worked out.

    Attributes
    ----------
    are_lent
        Whether an independent model reads the same weights: whoever is to change them takes a copy first.
    """

    def __init__(self, are_lent: bool = False) -> None:
        self.lock = process_lock()
        self.are_lent = are_lent
        self._found: tuple[Any, Floats] | None = None
        self._made: tuple[Floats, Any] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return SharedVectors, ()

    def get(self, hypothesis: Any, work_out: Callable[[], Floats]) -> Floats:
        """Return the vectors of a hypothesis, worked out if they are not known."""
        with self.lock:
            if self._found is None or self._found[0] is not hypothesis:
                self._found = hypothesis, work_out()
            return self._found[1]

    def made_of(self, vectors: Floats, work_out: Callable[[], Made]) -> Made:
        """Return what follows from these vectors, worked out if it is not known."""
        made = self._made
        if made is None or made[0] is not vectors:
            self._made = made = vectors, work_out()
        found: Made = made[1]
        return found

    def forget(self) -> None:
        """Let the vectors, and what follows from them, be worked out anew."""
        self._found = self._made = None
