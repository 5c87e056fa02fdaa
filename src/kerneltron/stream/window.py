"""Examples in memory, as many as a learner looks at before it goes on: sparse rows and their labels."""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Anything, Floats, Integers

FEATURES = 1 << 23  # of a window: all of the 20 newsgroups, so that they are shuffled as a whole
ROWS = 1 << 17
NO_LABEL = -1
NO_DIGESTS: Integers = np.empty(0, np.uint32)


class Window(NamedTuple):
    """Row i holds `values[starts[i]:starts[i + 1]]` in the slots `indices[...]`."""

    values: Floats
    indices: Integers
    starts: Integers
    labels: Integers  # as numbered by the stream's `Labels`, or NO_LABEL
    importance: Floats
    digests: Integers  # hashes of the examples' bytes; empty if not asked for
    tags: list[str]  # likewise
    consumed: int  # bytes of input, as they lie on disk, up to its end

    @property
    def size(self) -> int:
        """Number of examples."""
        return int(self.labels.size)


def part_of(window: Window, first: int, last: int) -> Window:
    """View the examples first .. last - 1 of a window."""
    begin, end = window.starts[first], window.starts[last]
    return window._replace(
        values=window.values[begin:end],
        indices=window.indices[begin:end],
        starts=window.starts[first : last + 1],
        labels=window.labels[first:last],
        importance=window.importance[first:last],
        digests=window.digests[first:last],
        tags=window.tags[first:last],
    )


def taken(window: Window, chosen: Integers) -> Window:
    """Return copies of some examples of a window."""
    lengths = np.diff(window.starts)[chosen]
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(window.starts.dtype)
    places = np.repeat(window.starts[:-1][chosen] - starts[:-1], lengths) + np.arange(starts[-1])
    return window._replace(
        values=window.values[places],
        indices=window.indices[places],
        starts=starts,
        labels=window.labels[chosen],
        importance=window.importance[chosen],
        digests=window.digests[chosen] if window.digests.size else NO_DIGESTS,
        tags=[window.tags[i] for i in chosen.tolist()] if window.tags else [],
    )


class WindowBuffer:
    """Where a window is gathered: arrays that are used again for a later one."""

    def __init__(self) -> None:
        self._arrays: dict[str, Anything] = {}
        self.begin()

    def begin(self) -> None:
        """Begin with an empty window."""
        self.rows = self.features = 0
        self.tags: list[str] = []

    @property
    def is_full(self) -> bool:
        """Return whether no further example is to be added."""
        return self.features >= FEATURES or self.rows >= ROWS

    def has_place(self, rows: int, features: int) -> bool:
        """Return whether this many more fit; into an empty window anything does."""
        return not self.rows or (self.rows + rows <= ROWS and self.features + features <= FEATURES)

    def fitting(self, part: Window, first: int) -> int:
        """Return how many examples of another window, from `first` on, fit into this one."""
        ends = part.starts[first + 1 :] - part.starts[first]
        count = min(int(np.searchsorted(ends, FEATURES - self.features, "right")), ROWS - self.rows)
        return count if count or self.rows else 1  # a single one may be larger than a window

    def add(self, part: Window) -> None:
        """Add some examples behind those that are there."""
        rows, features = self.rows + part.size, self.features + part.values.size
        for name, filled, size in (
            ("values", self.features, features),
            ("indices", self.features, features),
            ("starts", self.rows + 1, rows + 1),
            ("labels", self.rows, rows),
            ("importance", self.rows, rows),
            ("digests", self.rows, rows),
        ):
            array = getattr(part, name)
            if name == "digests" and not array.size:
                continue
            self._reserve(name, array.dtype, filled, size)[filled:size] = (
                array[1:] + (self.features - array[0]) if name == "starts" else array
            )
        self.tags += part.tags
        self.rows, self.features = rows, features

    def window(self, consumed: int) -> Window:
        """View what was gathered."""
        sizes = {"values": self.features, "indices": self.features, "starts": self.rows + 1}
        views = {name: array[: sizes.get(name, self.rows)] for name, array in self._arrays.items()}
        return Window(**{"digests": NO_DIGESTS, **views}, tags=self.tags, consumed=consumed)

    def _reserve(self, name: str, kind: np.dtype, filled: int, size: int) -> Anything:
        array = self._arrays.get(name)
        if array is None or array.size < size:
            usual = FEATURES if name in ("values", "indices") else ROWS + 1
            larger = np.zeros(max(size, usual), kind)  # room that is not used takes no memory
            if array is not None:
                larger[:filled] = array[:filled]
            self._arrays[name] = array = larger
        return array
