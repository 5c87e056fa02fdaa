"""A long stream with a map: memory stays as it is, and time grows as the number of examples.

Run as `python -m kerneltron.experiments.long_stream [--rows N] [--map TEXT] [--exact]`. Rows are drawn as
they are learned from: two classes, told apart by the sign of a function of pairs of columns, and a tenth of
the labels is wrong. The exponent is 1 plus the slope of the logarithm of the time that an example takes
against the logarithm of its place.
"""

import argparse
import resource
import sys
from collections.abc import Iterator
from time import process_time
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from kerneltron import PassiveAggressive
from kerneltron._types import Floats, Integers

COLUMNS, NOISE, SEED = 20, 0.1, 0
PIECE = 10_000  # rows of a call of partial_fit
KERNEL, MAP = "Gaussian(4)", "RandomFourier(1000)"


class Stage(NamedTuple):
    """How far a stream has come: CPU time and the most memory so far, and errors since the last stage."""

    rows: int
    seconds: float
    megabytes: float
    error: float


def pieces(rows: int) -> Iterator[tuple[Floats, Integers]]:
    """Yield rows and labels, without end if none is set."""
    rng = np.random.default_rng(SEED)
    for first in range(0, rows, PIECE):
        X = rng.normal(size=(min(PIECE, rows - first), COLUMNS)).astype(np.float32)
        truth = (X[:, ::2] * X[:, 1::2]).sum(axis=1) > 0
        yield X, (truth ^ (rng.random(len(X)) < NOISE)).astype(np.int64)


def run(rows: int, representation: str = MAP) -> list[Stage]:
    """Learn from the stream, and look at it about ten times for each tenfold length."""
    learner = PassiveAggressive(kernel=KERNEL, representation=representation, C=0.1, random_state=SEED)
    for X, y in pieces(2000):  # what is compiled is not counted
        PassiveAggressive(kernel=KERNEL, representation=representation).partial_fit(X, y, classes=[0, 1])
    stages: list[Stage] = []
    seconds, seen, missed, since = 0.0, 0, 0, 0
    for X, y in pieces(rows):
        before = process_time()  # to draw the rows takes time, too, which is not counted
        scores = learner.partial_fit_predict(X, y)
        seconds += process_time() - before
        seen, since = seen + len(y), since + len(y)
        missed += int(((scores > 0) != (y == 1)).sum())
        if since >= max(PIECE, 0.2 * seen) or seen == rows:
            stages.append(Stage(seen, seconds, memory(), missed / since))
            missed = since = 0
    return stages


def memory() -> float:
    """Return the most memory that this process has had, in megabytes."""
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def exponent(stages: list[Stage]) -> float:
    """Return b where the time of n examples grows as n^b."""
    rows = np.array([stage.rows for stage in stages], float)
    rates = np.diff([stage.seconds for stage in stages]) / np.diff(rows)
    middles = (rows[1:] + rows[:-1]) / 2
    return 1.0 + float(np.polyfit(np.log(middles), np.log(rates), 1)[0])


def table(stages: list[Stage], title: str) -> Table:
    """Lay the stages out."""
    out = Table(title=title, title_justify="left")
    for column in ("examples", "CPU s", "µs each", "most MB", "progressive error"):
        out.add_column(column, justify="right")
    before = None
    for stage in stages:
        each = ""
        if before is not None:
            each = f"{1e6 * (stage.seconds - before.seconds) / (stage.rows - before.rows):.1f}"
        figures = f"{stage.seconds:.1f}", each, f"{stage.megabytes:.0f}", f"{100 * stage.error:.2f} %"
        out.add_row(f"{stage.rows:,}", *figures)
        before = stage
    return out


def main() -> None:
    """Print the table and the exponent."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=10**6, help="length of the stream")
    parser.add_argument("--map", default=MAP, help="the map, such as 'Nystrom(500)'")
    parser.add_argument("--exact", action="store_true", help="the exact dual model instead of a map")
    given = parser.parse_args()
    representation = "dual" if given.exact else given.map
    stages = run(given.rows, representation)
    console = Console()
    console.print(table(stages, f"PA-I with {KERNEL}, {representation}"))
    console.print(f"Time grows as n^{exponent(stages):.2f}")


if __name__ == "__main__":
    main()
