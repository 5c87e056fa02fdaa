"""How time and memory grow with the number of examples, and what theory says.

`kerneltron reproduce scaling` draws rows as they are learned from: two classes, told apart by the sign of a
function of columns and pairs of columns, and a tenth of the labels is wrong. Four learners see them once:

linear  weights of the columns themselves: an example takes as long as it has columns
map     weights of random features of a kernel: as long as there are features
budget  the kernel, with at most a given number of remembered examples: as long as these are many
dual    the kernel itself, whose remembered examples grow: each example is compared with all of them

Each learns in a process of its own, so that the most memory that it took can be told. The exponent of the
time is 1 plus the slope of the logarithm of the time that an example takes against the logarithm of its
place, over the last nine tenths of the examples.
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from rich.table import Table

from kerneltron import PassiveAggressive
from kerneltron._types import Floats, Integers
from kerneltron.experiments.experiment import THEORY, Asked, Comparison, Outcome
from kerneltron.experiments.memory import most_megabytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS, NOISE = 20, 0.1
PIECE, PIECES = 2000, 20  # rows of a call of partial_fit, at most, and calls, at least
EVERY = 0.25  # of the rows so far, about ten times for each tenfold length: then the learner is looked at
KERNEL = "Gaussian(4)"
QUICK = 50  # times fewer rows, to see whether it runs
FULL = 4  # times as many
ABOUT = 0.15  # as far as an exponent may be from that of theory: shorter blocks and caches have their say


class Way(NamedTuple):
    """A learner, how many examples it sees, and the exponents of theory for time and model."""

    settings: Mapping[str, Any]
    rows: int
    time: float
    model: float
    reason: str


SAME_COST = "each example costs the same"
WAYS = {
    "linear": Way({}, 1_000_000, 1, 0, SAME_COST),
    "map": Way(
        {"kernel": KERNEL, "representation": "RandomFourier(500)"},
        400_000,
        1,
        0,
        SAME_COST,
    ),
    "budget": Way(
        {"kernel": KERNEL, "budget": 200, "when_full": "project"},
        200_000,
        1,
        0,
        "once the budget is spent, each example costs the same",
    ),
    "dual": Way(
        {"kernel": KERNEL, "representation": "dual"},
        100_000,
        2,
        1,
        "at most, where every example is remembered",
    ),
}
PARTS = tuple(WAYS)


class Stage(NamedTuple):
    """How far a stream has come: CPU time so far, and what has become of the learner."""

    rows: int
    seconds: float
    bytes: int  # of the model that predicts, as a file
    megabytes: float  # the most that the process has had
    error: float  # progressive, since the last stage
    remembered: int


def pieces(rows: int, seed: int = 0) -> Iterator[tuple[Floats, Integers]]:
    """Yield rows and labels, some at a time."""
    rng = np.random.default_rng(seed)
    piece = min(PIECE, rows // PIECES)
    for first in range(0, rows, piece):
        X = rng.normal(size=(min(piece, rows - first), COLUMNS)).astype(np.float32)
        truth = X.sum(axis=1) + (X[:, ::2] * X[:, 1::2]).sum(axis=1) > 0
        yield X, (truth ^ (rng.random(len(X)) < NOISE)).astype(np.int64)


def run(name: str, rows: int, seed: int = 0) -> list[Stage]:
    """Learn from the stream, and look at the learner about ten times for each tenfold length."""
    learner, other = (
        PassiveAggressive(C=0.1, scale=False, hypothesis="average", random_state=seed, **WAYS[name].settings)
        for _ in range(2)
    )
    for X, y in pieces(PIECE, seed + 1):  # what is compiled is not counted
        other.partial_fit(X, y)
    stages: list[Stage] = []
    seconds, seen, mistakes, since = 0.0, 0, 0, 0
    for X, y in pieces(rows, seed):
        before = process_time()  # to draw the rows takes time, too, which is not counted
        learner.partial_fit(X, y)
        seconds += process_time() - before
        seen, since = seen + len(y), since + len(y)
        missed = int(learner.mistakes_[-1]) - mistakes
        if since >= EVERY * seen or seen == rows:
            remembered = len(learner.support_) if hasattr(learner, "support_") else 0
            memory = most_megabytes()
            stages.append(Stage(seen, seconds, saved_bytes(learner), memory, missed / since, remembered))
            mistakes, since = int(learner.mistakes_[-1]), 0
    return stages


def saved_bytes(learner: Any) -> int:
    """Return the size of a learner that predicts, as a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scaling.model"
        learner.save(path, resumable=False)
        return path.stat().st_size


def rates(stages: Sequence[Stage]) -> tuple[Floats, Floats]:
    """Return places in the stream, in the middle of two stages, and the seconds of an example there."""
    rows = np.array([stage.rows for stage in stages], float)
    seconds = np.diff([stage.seconds for stage in stages]) / np.diff(rows)
    return (rows[1:] + rows[:-1]) / 2, seconds


def exponent(at: Floats, values: Floats) -> float:
    """Return b where values grow as n^b, over the last nine tenths of the places.

    Examples
    --------
    >>> at = np.array([1.0, 100.0, 300.0, 1000.0])
    >>> exponent(at, at**1.5)
    1.5
    """
    late = at >= at[-1] / 10
    slope = float(np.polyfit(np.log(at[late]), np.log(values[late]), 1)[0])
    return round(slope, 3) + 0.0  # and no -0.0


def sizes_of(stages: Sequence[Stage]) -> tuple[Floats, Floats]:
    """Return numbers of examples, and the bytes of the model then."""
    return np.array([stage.rows for stage in stages], float), np.array(
        [stage.bytes for stage in stages], float
    )


def growth(stages: Sequence[Stage]) -> tuple[float, float]:
    """Return the exponents of the time and of the size of the model.

    Of the time of all examples so far: that of a few is too short to be measured.
    """
    rows, sizes = sizes_of(stages)
    return exponent(rows, np.array([stage.seconds for stage in stages])), exponent(rows, sizes)


def comparisons(found: Mapping[str, Sequence[Stage]]) -> list[Comparison]:
    """Set the exponents beside those of theory."""
    rows = []
    for name, stages in found.items():
        way = WAYS[name]
        for what, ours, theory in zip(
            ("time", "model's size"), growth(stages), (way.time, way.model), strict=True
        ):
            close = ABOUT if name != "dual" else 1.0  # less than all may be remembered
            text = f"{name}: exponent of the {what}"
            rows.append(
                Comparison(
                    text,
                    ours,
                    theory,
                    unit="",
                    higher_is_better=None,
                    close=close,
                    source=way.reason,
                    kind=THEORY,
                )
            )
    return rows


def table(name: str, stages: Sequence[Stage]) -> Table:
    """Lay the stages out."""
    settings = ", ".join(f"{key}={value}" for key, value in WAYS[name].settings.items())
    out = Table(title=f"{name}: PassiveAggressive({settings})", title_justify="left")
    for column in ("examples", "CPU s", "µs each", "model", "most MB", "remembered", "progressive error"):
        out.add_column(column, justify="right")
    each = ["", *(f"{1e6 * rate:.1f}" for rate in rates(stages)[1])]
    for stage, microseconds in zip(stages, each, strict=True):
        out.add_row(
            f"{stage.rows:,}",
            f"{stage.seconds:.2f}",
            microseconds,
            f"{stage.bytes / 1e3:,.1f} kB",
            f"{stage.megabytes:.0f}",
            f"{stage.remembered:,}",
            f"{100 * stage.error:.1f} %",
        )
    return out


def picture(found: Mapping[str, Sequence[Stage]]) -> "Figure":
    """Draw the time that an example takes, and the size of the model, against the number of examples."""
    from kerneltron.plots.scaling import ScalingDisplay
    from kerneltron.plots.style import new_figure

    places = {name: rates(stages) for name, stages in found.items()}
    powers = {name: growth(stages) for name, stages in found.items()}
    times = {name: (at, 1e6 * seconds) for name, (at, seconds) in places.items()}
    sizes = {name: sizes_of(stages) for name, stages in found.items()}
    panels = {
        "microseconds per example": (times, {name: time - 1 for name, (time, _) in powers.items()}),
        "bytes of the model": (sizes, {name: model for name, (_, model) in powers.items()}),
    }
    figure = new_figure((9.6, 4.2))
    for ax, (of, (curves, exponents)) in zip(figure.subplots(1, 2), panels.items(), strict=True):
        ScalingDisplay(curves=curves, exponents=exponents, of=of).plot(ax)
    return figure


def reproduce(asked: Asked) -> Outcome:
    """Let each learner see its rows, in a process of its own, and fit the exponents."""
    times = 1 / QUICK if asked.quick else FULL if asked.full else 1
    found: dict[str, list[Stage]] = {}
    for name in asked.show(asked.chosen(PARTS), "Learners"):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            found[name] = pool.submit(run, name, int(times * WAYS[name].rows), asked.seed).result()
    return Outcome(
        comparisons(found),
        [table(name, stages) for name, stages in found.items()],
        {"scaling": partial(picture, found)},
        [f"Exponents are as theory says within {ABOUT:g}, that of dual within {3 * ABOUT:g}."],
        figures={name: [stage._asdict() for stage in stages] for name, stages in found.items()},
    )
