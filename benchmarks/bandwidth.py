"""How near a pass comes to the speed at which one core can read memory at all."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

from benchmarks.measure import take_turns
from benchmarks.problem import Problem, sparse_problem
from benchmarks.settings import Settings
from benchmarks.table import Row
from kerneltron import Perceptron

MEGABYTES = 256  # several times what the caches hold


def _add_up(words: Any) -> Any:
    total = np.uint64(0)
    for word in words:  # integers may be added in any order, so this is done in vector registers
        total += word
    return total


_total: Callable[[Any], object] = njit(_add_up)


def bandwidth(settings: Settings) -> list[Row]:
    """Set a pass of the Perceptron, shuffled and in the given order, beside reading the same bytes once."""
    problem = sparse_problem(settings.rows)
    words = np.ones(MEGABYTES * 2**20 // 8, np.uint64)
    contestants: dict[str, Callable[[Problem], object]] = {
        "shuffled": _learn(shuffle=True),
        "in the given order": _learn(shuffle=False),
        "reading": lambda _: _total(words),
    }
    for contestant in contestants.values():
        contestant(problem.head(1000))
    timings = take_turns(contestants, problem.anew, settings.repeats)
    speed = words.nbytes / timings.best("reading")
    needed = problem.X.data.nbytes + problem.X.indices.nbytes + problem.X.indptr.nbytes

    def row(name: str) -> Row:
        attained = needed / timings.best(name)
        shown = f"{attained / 1e9:.2f} GB/s", f"{speed / 1e9:.2f} GB/s"
        raw = {"seconds": timings.of(name, "reading"), "bytes": needed, "bytes read": words.nbytes}
        title, beside = f"Perceptron, last, {name}", f"reading {needed / 1e6:.0f} MB with one core"
        return Row(title, beside, *shown, 100 * attained / speed, "% of it", raw)

    return [row("shuffled"), row("in the given order")]


def _learn(shuffle: bool) -> Callable[[Problem], object]:
    learner = Perceptron(hypothesis="last", shuffle=shuffle, random_state=0)
    return lambda problem: learner.fit(problem.X, problem.two)
