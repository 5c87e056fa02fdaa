"""The dual form beside the matrix product that it is made of, and ten classes beside one."""

from collections.abc import Callable
from threading import Lock
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

from benchmarks.compare import longer
from benchmarks.digits import Digits, digits
from benchmarks.measure import Timings, take_turns
from benchmarks.settings import Settings
from benchmarks.table import Row, Target
from kerneltron import Perceptron
from kerneltron.kernels import Polynomial
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.models.kernel_expansion import PIECE, VISITS

PASSES = 10
EARLY = 2  # the first passes, which find most of the mistakes
PRODUCTS = 50  # plain ones a turn
ONE, TEN, PLAIN = "ten passes, degree 4, 9 against the rest", "ten passes, degree 4, ten classes", "plain"


class Fit(NamedTuple):
    """A turn of the learner: the seconds of each pass."""

    passes: list[float]

    @property
    def later(self) -> float:
        """How long the passes after the early ones took, beside those."""
        return sum(self.passes[EARLY:]) / sum(self.passes[:EARLY])


def learner(passes: float = PASSES, **parameters: Any) -> Perceptron:
    """Return the averaged perceptron of the published table, with the kernel (1 + <x, z>)^4."""
    fixed: dict[str, Any] = {"representation": "dual", "shuffle": False, "fit_intercept": False}
    return Perceptron(kernel=Polynomial(4), passes=passes, **fixed, **parameters)


def dual(settings: Settings) -> list[Row]:
    """Set ten passes beside plain matrix products, later passes beside the first, ten classes beside one."""
    data = digits(settings.dense_rows)
    fits: list[Fit] = []

    def fit_one(data: Digits) -> None:
        passes: list[float] = []
        learner(callback=lambda _, report: passes.append(report.seconds)).fit(data.X, data.nine)
        fits.append(Fit(passes))

    contestants: dict[str, Callable[[Digits], object]] = {
        ONE: fit_one,
        PLAIN: multiply,
        TEN: lambda data: learner().fit(data.X, data.y),
    }
    for contestant in contestants.values():
        contestant(data.head(2000))
    fits.clear()
    timings = take_turns(contestants, lambda: data, settings.repeats)
    steady = min(fits, key=lambda fit: sum(fit.passes))
    return [
        _speed(timings, data, evaluations(data)),
        _later(steady, fits),
        longer(timings, TEN, ONE, Target("at most", 4.0)),
    ]


def evaluations(data: Digits) -> int:
    """Count the kernel values that one fit computes."""
    count, lock, gram = 0, Lock(), Kernel.gram

    def counted(self: Kernel, A: Pack, B: Pack) -> Any:
        nonlocal count
        with lock:  # pieces are computed in threads
            count += len(A) * len(B)
        return gram(self, A, B)

    with patch.object(Kernel, "gram", counted):
        learner().fit(data.X, data.nine)
    return count


def multiply(data: Digits) -> None:
    """Multiply a block by pieces of remembered examples, as the walk does, and do nothing else."""
    block, piece = data.X[:VISITS], data.X[-PIECE:]
    out = np.empty((len(block), len(piece)), np.float32)
    for _ in range(PRODUCTS):
        np.matmul(block, piece.T, out=out)


def _speed(timings: Timings, data: Digits, count: int) -> Row:
    width = data.X.shape[1]
    needed, plain = 2 * width * count, 2 * width * min(VISITS, len(data.X)) * min(PIECE, len(data.X))
    ours, theirs = needed / timings.best(ONE), PRODUCTS * plain / timings.best(PLAIN)
    shown = f"{timings.best(ONE):.3f} s, {ours / 1e9:.1f} GFLOP/s", f"{theirs / 1e9:.1f} GFLOP/s"
    raw = {"seconds": timings.of(ONE, PLAIN), "operations": needed, "plain operations": PRODUCTS * plain}
    beside = f"plain products, {VISITS} x {width} x {PIECE}"
    target = Target("at least", 0.5)
    return Row(f"{ONE}, {data.name}", beside, *shown, ours / theirs, "of its speed", raw, target)


def _later(fit: Fit, fits: list[Fit]) -> Row:
    early, later = sum(fit.passes[:EARLY]), sum(fit.passes[EARLY:])
    shown, raw = (f"{later:.3f} s", f"{early:.3f} s"), {"passes": [fit.passes for fit in fits]}
    target = Target("below", 1.0)
    return Row("passes 3 to 10 together", "passes 1 and 2", *shown, fit.later, "times as long", raw, target)
