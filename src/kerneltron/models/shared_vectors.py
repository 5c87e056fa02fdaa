"""The vectors that predict, and who may read or write what they are made of."""

from collections.abc import Callable
from typing import Any

from kerneltron._process_lock import process_lock
from kerneltron._types import Floats


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

    def __reduce__(self) -> tuple[Any, ...]:
        return SharedVectors, ()

    def get(self, hypothesis: Any, work_out: Callable[[], Floats]) -> Floats:
        """Return the vectors of a hypothesis, worked out if they are not known."""
        with self.lock:
            if self._found is None or self._found[0] is not hypothesis:
                self._found = hypothesis, work_out()
            return self._found[1]

    def forget(self) -> None:
        """Let the vectors be worked out anew."""
        self._found = None
