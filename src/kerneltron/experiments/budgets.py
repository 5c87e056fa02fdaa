"""Budgets of remembered examples: what each way to stay within one costs, beside published figures.

Run as `kerneltron reproduce budgets`. Needs no data: the demo of the DOGMA library. Two columns of the
standard normal distribution, a random line through zero, a tenth of the labels flipped, also those of the
test rows. DOGMA compares the squared residual with 0.01; `eta` is its length, hence 0.1. All figures are
means over several seeds, with the standard deviation: strategies that drop examples depend much on the order
of the rows.

References
----------
Orabona, Keshet and Caputo, Bounded kernel-based online learning (2009).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from kerneltron import PassiveAggressive, Perceptron
from kerneltron.experiments.experiment import INCOMPARABLE, SUSPICIOUS, Asked, Outcome
from kerneltron.experiments.second_order import Split
from kerneltron.experiments.ways import Problem, Way, outcome
from kerneltron.kernels import Gaussian

FLIPPED, ROWS, SIZE = 0.1, 10_000, 106
DEMO = "the demo of the DOGMA library, one run"
REASON = "DOGMA drew other rows, once, and a way that drops examples depends on which come last."
NOTES = ("A tenth of the test labels is flipped: no rule can be expected to err on less than 10 %.",)


def flipped_rows(seed: int, rows: int = ROWS) -> Split:
    """Return rows on both sides of a line, a tenth of them with the wrong label; as many for the test."""
    rng = np.random.default_rng(seed)
    X, normal = rng.normal(size=(2 * rows, 2)), rng.normal(size=2)
    y = np.where((X @ normal > 0) ^ (rng.random(2 * rows) < FLIPPED), 1, -1)
    return Split(X[:rows], y[:rows], X[rows:], y[rows:])


def flipped() -> Problem:
    """Return the ways of DOGMA's demo, and the others at the size that its Projectron ends with."""

    def make(method: Callable[..., Any] = Perceptron, **more: Any) -> Any:
        kernel = Gaussian.from_gamma(1.0)
        fixed: dict[str, Any] = {"fit_intercept": False, "shuffle": False, "passes": 1}
        return method(kernel=kernel, representation="dual", **fixed, **more)

    def way(learner: Any, published: float | None = None) -> Way:
        return Way({"": learner}, {} if published is None else {"": published})

    def full(when_full: str, method: Callable[..., Any] = Perceptron, **more: Any) -> Any:
        return make(method, budget=SIZE, when_full=when_full, **more)

    ways = {
        "perceptron, average": way(make(), 10.11),
        "Projectron, average": way(make(eta=0.1), 9.96),
        "Projectron++, average": way(make(eta=0.1, margin=1.0), 10.03),
        "perceptron, last": way(make(hypothesis="last")),
        "random, last": way(full("random", hypothesis="last"), 29.39),
        # Ours are from 13 to 25 % by the seed: one run of theirs cannot be told from any of these.
        "forget, last": way(full("forget", hypothesis="last"), 25.34)._replace(kind=INCOMPARABLE),
        "smallest, last": way(full("smallest", hypothesis="last")),
        "merge, last": way(full("merge", hypothesis="last")),
        "stop, average": way(full("stop")),
        "sketch, average": way(full("sketch")),
        "project, average": way(full("project")),
        "bpa, PA-I, last": way(full("bpa", PassiveAggressive, C=0.1, hypothesis="last")),
        "merge, PA-I, last": way(full("merge", PassiveAggressive, C=0.1, hypothesis="last")),
        "sketch, PA-I, average": way(full("sketch", PassiveAggressive, C=0.1, hypothesis="average")),
        "project, PA-I, average": way(full("project", PassiveAggressive, C=0.1, hypothesis="average")),
    }
    title = f"A line, 10 % of the labels flipped, budget {SIZE} or eta; PA-I has C = 0.1"
    return Problem(title, flipped_rows, ways, usual_seeds=10, all_seeds=10, source=DEMO)


def reproduce(asked: Asked) -> Outcome:
    """Run the ways of DOGMA's demo, and the others."""
    found = outcome(flipped(), asked, REASON, NOTES)
    return found._replace(notes=[*found.notes, *unexplained(found)])


def unexplained(found: Outcome) -> list[str]:
    """Say of figures that are far better than the published ones how much ours vary by the seed."""
    said = []
    for each in found.comparisons:
        if each.verdict == SUSPICIOUS:
            errors = [100 * result.error for result in found.figures[each.what][""]]
            said.append(
                f"{each.what}: of {len(errors)} runs of ours the errors are {min(errors):.2f} to "
                f"{max(errors):.2f} %, so other rows and another order alone do not explain "
                f"{each.published:.2f} %; what does is not known."
            )
    return said
