"""Why models are mixed in every round: averaging them once, in the end, fails on separable data.

`kerneltron reproduce counter-example` shows it. The four examples of McDonald, Hall and Mann (2010, section
3.1) lie in two shards, and the vector (1, -2, 1) separates them. A perceptron that has converged on either
shard alone is right there; but whatever the share of each, their mean is wrong about an example. Mixed in
every round, they soon make no mistake.
"""

from typing import Any, NamedTuple

import numpy as np
from rich.table import Table

from kerneltron._types import Floats, Integers
from kerneltron.experiments.experiment import THEORY, Asked, Comparison, Outcome
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import method
from kerneltron.learning.space import Data
from kerneltron.training.arrays import Arrays
from kerneltron.training.combining import combine
from kerneltron.training.pass_plan import PassPlan
from kerneltron.training.trainer import Trainer

X: Floats = np.array([[1.0, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 0]])
Y: Integers = np.array([0, 1, 0, 1])
SHARDS = (slice(0, 2), slice(2, 4))
ALONE = 100  # passes over a shard, more than it needs
ROUNDS = 6
PAPER = "McDonald, Hall and Mann (2010), section 3.1"
SHARES: Floats = np.linspace(0.0, 1.0, 41)


class Results(NamedTuple):
    """Margins y w x of the four examples, which are to be above 0."""

    shares: Floats  # of the first shard
    once: Floats  # one row per share, one column per example
    mixed: Floats  # one row per round


def run() -> Results:
    """Average once with every share, and mix in rounds."""
    alone = [_learned(_blank(), rows, ALONE) for rows in SHARDS]
    once = [_margins(combine(alone, np.array([share, 1 - share]))) for share in SHARES]
    mixed, rounds = _blank(), []
    for _ in range(ROUNDS):
        parts = [_learned(mixed, rows, 1) for rows in SHARDS]
        mixed = combine(parts, np.array([0.5, 0.5]), mixed)
        rounds.append(_margins(mixed))
    return Results(SHARES, np.array(once), np.array(rounds))


def _blank() -> Learner:
    """Return a perceptron that has seen nothing."""
    plain: dict[str, Any] = {"hypothesis": "last", "fit_intercept": False, "random_state": 0}
    learner = Learner(method("perceptron")(**plain), inputs=3)
    learner.meet(Y)
    learner.begin(Data(len(Y), inputs=3), seed=0)
    return learner


def _learned(base: Learner, rows: slice, passes: int) -> Learner:
    """Return a learner that went on from another, with some passes over a shard."""
    learner = base.copy()
    plan = PassPlan(passes, seed=None)
    Trainer(learner, Arrays(X[rows], learner.examples(Y[rows]), concludes=False), plan).run()
    return learner


def _margins(learner: Learner) -> Floats:
    return np.asarray(np.where(Y == 1, 1.0, -1.0) * learner.scores(X)[:, 0])


def table(results: Results) -> Table:
    """Lay out how many of the four examples are wrong."""
    out = Table(title="How many of the four examples are wrong", title_justify="left")
    out.add_column("")
    out.add_column("wrong", justify="right")
    wrong = (results.once <= 0).sum(axis=1)
    out.add_row("averaged once, whatever the shares", f"{wrong.min()} to {wrong.max()}")
    for number, margins in enumerate(results.mixed, 1):
        out.add_row(f"mixed, round {number}", f"{(margins <= 0).sum()}")
    return out


def reproduce(asked: Asked) -> Outcome:
    """Count mistakes of shards that are averaged once, and mixed in rounds; `asked` changes nothing."""
    results = run()
    once, mixed = (results.once <= 0).sum(axis=1), (results.mixed <= 0).sum(axis=1)

    def draw() -> Any:
        from kerneltron.plots.counter_example import draw_counter_example

        return draw_counter_example(*results)

    return Outcome(
        [
            Comparison(
                "wrong of 4, averaged once with the best shares",
                int(once.min()),
                1,
                unit="",
                source=f"at least one is wrong, {PAPER}",
                kind=THEORY,
            ),
            Comparison(
                f"wrong of 4, mixed in {ROUNDS} rounds",
                int(mixed[-1]),
                0,
                unit="",
                source=f"mixing in every round converges, {PAPER}",
                kind=THEORY,
            ),
        ],
        [table(results)],
        {"counter-example": draw},
        figures={name: found.tolist() for name, found in results._asdict().items()},
    )
