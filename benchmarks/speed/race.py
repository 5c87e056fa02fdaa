"""Two contestants that take turns, and the ratio of their best times."""

import gc
import resource
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

Work = Callable[[], object]


class Times(NamedTuple):
    """Seconds of one turn, or the best of several: CPU time of all threads and children, and wall time."""

    cpu: float
    wall: float

    def best(self, other: "Times") -> "Times":
        """Return the smaller of both times: a disturbance can only make a turn longer."""
        return Times(min(self.cpu, other.cpu), min(self.wall, other.wall))


class Contestants(NamedTuple):
    """Our side, the reference, and how many turns each gets; both have run once before."""

    ours: Work
    reference: Work
    turns: int = 5


class Race(NamedTuple):
    """A headline: what is measured, against what, and how to set it up.

    `clocks` names the ratios that are compared with the record: "cpu", "wall" or both.
    """

    name: str
    reference: str
    prepare: Callable[[], Contestants]
    clocks: tuple[str, ...] = ("cpu",)


class Measured(NamedTuple):
    """The best times of both sides so far."""

    ours: Times
    reference: Times

    def ratio(self, clock: str) -> float:
        """Return our time divided by the reference's: smaller is faster."""
        return float(getattr(self.ours, clock) / getattr(self.reference, clock))

    def best(self, other: "Measured") -> "Measured":
        """Return the best times of two measurements."""
        return Measured(self.ours.best(other.ours), self.reference.best(other.reference))


def measure(contestants: Contestants) -> Measured:
    """Time both sides in turns; each round starts with the other side."""
    found: Measured | None = None
    for turn in range(contestants.turns):
        if turn % 2:
            reference, ours = timed(contestants.reference), timed(contestants.ours)
        else:
            ours, reference = timed(contestants.ours), timed(contestants.reference)
        now = Measured(ours, reference)
        found = now if found is None else found.best(now)
    assert found is not None
    return found


def timed(work: Work) -> Times:
    """Run once; return what it took."""
    gc.collect()
    cpu, wall = _cpu_seconds(), perf_counter()
    work()
    return Times(_cpu_seconds() - cpu, perf_counter() - wall)


def repeated(work: Callable[[Any], object], items: Any) -> Work:
    """Return work that calls a function once for each item: single calls are too short to be timed."""

    def run() -> None:
        for item in items:
            work(item)

    return run


def _cpu_seconds() -> float:
    """Return the CPU seconds of this process, all of its threads, and its finished children."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
