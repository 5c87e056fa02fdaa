"""Rows that set one contestant's time beside another's; the contestants' names are what the table shows."""

from typing import NamedTuple

from benchmarks.measure import Timings
from benchmarks.table import Row, Target


class Work(NamedTuple):
    """How much a turn works through: the non-zeros or rows of a pass, say."""

    amount: int
    unit: str

    def rate(self, seconds: float) -> str:
        """Return the time, and the units a second with a fitting prefix."""
        a_second = self.amount / seconds
        size, prefix = next(
            pair for pair in ((1e9, "G"), (1e6, "M"), (1e3, "k"), (0, "")) if a_second >= pair[0]
        )
        return f"{seconds:.3f} s, {a_second / (size or 1):.3g} {prefix} {self.unit}/s"


def faster(timings: Timings, ours: str, theirs: str, work: Work, target: Target | None = None) -> Row:
    """Return the row that says how many times as fast `ours` is as `theirs`."""
    mine, other = timings.best(ours), timings.best(theirs)
    raw = {"seconds": timings.of(ours, theirs), **work._asdict()}
    return Row(ours, theirs, work.rate(mine), work.rate(other), other / mine, "times as fast", raw, target)


def longer(timings: Timings, ours: str, yardstick: str, target: Target | None = None) -> Row:
    """Return the row that says how many times as long `ours` takes as another of our own."""
    mine, other = timings.best(ours), timings.best(yardstick)
    raw = {"seconds": timings.of(ours, yardstick)}
    return Row(ours, yardstick, f"{mine:.3f} s", f"{other:.3f} s", mine / other, "times as long", raw, target)


def fewer_errors(ours: str, theirs: str, mine: float, other: float, target: Target | None = None) -> Row:
    """Return the row that sets one share of wrong predictions beside another; below 0 ours is the smaller."""
    shown, raw = (f"{100 * mine:.2f} %", f"{100 * other:.2f} %"), {"errors": {ours: mine, theirs: other}}
    title = f"test error of {ours}"
    return Row(title, theirs, *shown, round(100 * (mine - other), 2), "percentage points", raw, target)
