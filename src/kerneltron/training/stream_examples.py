"""The examples of a stream, pass by pass: first as they are read, later from a cache on disk."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from kerneltron._types import Integers
from kerneltron.stream.cache import Cache
from kerneltron.stream.reader import Reader
from kerneltron.stream.window import NO_LABEL, Window, taken
from kerneltron.training.pass_plan import PassPlan


class StreamExamples:
    """What passes over a stream visit, and what they leave out because it is held out.

    Attributes
    ----------
    held_out
        The examples that early stopping scores, where there is any; complete once all was read.
    is_read
        Whether the end of the stream was reached: later passes need no input.
    consumed
        Bytes of input so far, in the first pass.
    counts
        How many examples were read of each label, as the reader numbers labels.
    when_read
        Called after each window that was read, in the first pass.
    """

    def __init__(self, reader: Reader, plan: PassPlan, folder: str | Path | None = None) -> None:
        self.reader, self.plan = reader, plan
        self.is_read = False
        self.consumed = 0
        self.counts: Integers = np.zeros(0, np.int64)
        self.when_read: Callable[[], object] = lambda: None
        is_kept = plan.passes > 1 or plan.looks_first
        self._cache = Cache(folder) if is_kept else None
        self.held_out = Cache(folder) if plan.held_out else None

    def windows(self, number: int) -> Iterator[Window]:
        """Yield the examples of a pass, from 0."""
        if number == 0 and not self.plan.looks_first:
            return self._as_read()
        self.read()
        assert self._cache is not None
        return self._cache.windows(self._block_order(number), in_background=self.reader.threads > 1)

    def are_kept(self) -> bool:
        """Read to the end of the stream, and tell whether there was room for all of it in the cache."""
        self.read()
        return self._cache is not None

    @property
    def size(self) -> int:
        """Bytes on disk that later passes are read from."""
        return sum(cache.size for cache in (self._cache, self.held_out) if cache is not None)

    def read(self, look: Callable[[Window], object] | None = None) -> None:
        """Read to the end of the stream, if that was not done before, and `look` at what is to be learned."""
        if not self.is_read:
            for window in self._as_read():
                if look is not None:
                    look(window)

    def _as_read(self) -> Iterator[Window]:
        share = round(self.plan.held_out * 2**32)
        for window in self.reader.windows():
            self.consumed = window.consumed
            self._count(window)
            self.when_read()
            mine = window
            if share:
                held = (window.digests < share) & (window.labels != NO_LABEL)
                assert self.held_out is not None
                self.held_out.add(window, np.flatnonzero(held))
                mine = taken(window, np.flatnonzero(~held))
            if self._cache is not None:
                self._cache.add(mine)
                if self.plan.room is not None and self._cache.size > self.plan.room:
                    self._cache = None
            yield mine
        self.is_read = True

    def _count(self, window: Window) -> None:
        counts = np.bincount(window.labels + 1)[1:]
        counts[: self.counts.size] += self.counts[: counts.size]
        self.counts = np.concatenate([counts, self.counts[counts.size :]])

    def _block_order(self, number: int) -> Integers | None:
        assert self._cache is not None
        if self.plan.seed is None or number == 0:
            return None
        return np.random.default_rng([self.plan.seed, number]).permutation(len(self._cache.blocks))
