"""The vectors that predict, and who may read or write what they are made of."""

from collections.abc import Callable
from threading import Lock
from typing import Any

from kerneltron._types import Floats


class SharedVectors:
    """What models that share their weights have worked out of them, one for each hypothesis.

    A model in primal form and its successor share weights while the successor learns. The lock lets a loop
    and those who predict in other threads take turns, so that these see the weights as they are between
    two loops. It is no state: a copy or a pickle of a model has a lock of its own, and nothing worked out.
    """

    def __init__(self) -> None:
        self.lock = Lock()
        self._found: tuple[Any, Floats] | None = None

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return SharedVectors, ()

    def get(self, hypothesis: Any, work_out: Callable[[], Floats]) -> Floats:
        """Return the vectors of a hypothesis, worked out if they are not known."""
        with self.lock:
            found = self.of(hypothesis)
            if found is None:
                found = work_out()
                self._found = hypothesis, found
            return found

    def of(self, hypothesis: Any) -> Floats | None:
        """Return the vectors of a hypothesis, if they are known."""
        found = self._found
        return found[1] if found is not None and found[0] is hypothesis else None

    def set(self, hypothesis: Any, vectors: Floats | None) -> None:
        """Note the vectors of a hypothesis; None forgets what is known."""
        self._found = None if vectors is None else (hypothesis, vectors)
