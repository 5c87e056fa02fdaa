"""Spambase: a decision tree, the averaged perceptron, and the averaged perceptron on random kitchen sinks.

Run as `kerneltron reproduce spam`. The e-mails are looked for in the folder that KERNELTRON_DATA names, or
else downloaded. They are split at random, by 20 seeds, into 3,065 to learn from and
1,536 to test on. All learners get the same numbers: log(1 + 10 x) of each frequency and length x,
standardised by the training part. The width sigma, the number of random features and the margin were chosen
once, by five folds of the training parts of other seeds, 100 to 103, and the factor 10 by those of 100. These
have rows in common with the test parts of the 20; the part `searched`, which --full adds, chooses sigma and
margin inside each training part instead.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from rich.table import Table
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from kerneltron import Perceptron
from kerneltron.datasets.digits import Split
from kerneltron.datasets.spambase import Emails, load_spambase
from kerneltron.experiments.beside import draw_beside
from kerneltron.experiments.experiment import Asked, Comparison, Outcome
from kerneltron.features import RandomFourier
from kerneltron.kernels import Gaussian

SPLITS, QUICK_SPLITS, TRAINING = 20, 2, 3065
# Errors in % of the folds of seeds 100 to 103, with the numbers as below; the perceptron without sinks 6.21.
#   sigma, components    margin 0     1      3      10
#   10, 1,000              5.55   5.47   5.42   5.59
#    8, 2,000              5.42   5.34   5.29   5.41
#   10, 2,000              5.43   5.30   5.33   5.56
#   13, 2,000              5.41   5.41   5.56   5.54
#   10, 4,000              5.39   5.31   5.33   5.45
# Seed 100 alone, sigma 8 to 18 and margin 0 to 30: 5.5 to 5.9, but 6.0 to 6.6 with the factor 1.
FACTOR, SIGMA, COMPONENTS, MARGIN = 10.0, 8.0, 2000, 3.0
LINEAR_PASSES, SINKS_PASSES = 128, 64
CANDIDATES = tuple(product((6.0, 8.0, 12.0), (0.0, 1.0, 3.0)))  # sigma and margin, for `searched`
INNER_FOLDS = 3
TREE, LINEAR, SINKS, SEARCHED = (
    "decision tree",
    f"averaged perceptron, {LINEAR_PASSES} passes",
    f"on kitchen sinks, {SINKS_PASSES} passes",
    "the same, chosen inside",
)
PARTS, USUAL = ("tree", "linear", "sinks", "searched"), ("tree", "linear", "sinks")
LEARNER_OF = dict(zip(PARTS, (TREE, LINEAR, SINKS, SEARCHED), strict=True))
PUBLISHED = {TREE: 0.093, LINEAR: 0.0827, SINKS: 0.0612}
SOURCE = "a lecture's table of Spambase, 3,065 training and 1,536 test messages"
REASONS = {
    LINEAR: "our inputs are logarithms; raw frequencies are harder for a linear learner.",
    SINKS: "the same inputs, and settings that folds of other splits chose.",
}


class Row(NamedTuple):
    """Test errors of a learner, one for each split, and the seconds that it took."""

    learner: str
    errors: list[float]
    seconds: float


def splits(data: Emails, factor: float, seeds: Iterable[int]) -> Iterator[Split]:
    """Yield the numbers that learners get, split by these seeds."""
    X = np.log1p(factor * data.X)
    for seed in seeds:
        rows = np.random.default_rng(seed).permutation(len(data.y))
        here, there = rows[:TRAINING], rows[TRAINING:]
        scaler = StandardScaler().fit(X[here])
        learn, test = (scaler.transform(X[part]).astype(np.float32) for part in (here, there))
        yield Split(learn, data.y[here], test, data.y[there])


def sinks(seed: int, sigma: float = SIGMA, margin: float = MARGIN) -> Any:
    """Return the averaged perceptron on random Fourier features, which are computed once for all passes."""
    features = RandomFourier(COMPONENTS, kernel=Gaussian(sigma), random_state=seed)
    return make_pipeline(features, Perceptron(margin=margin, passes=SINKS_PASSES, random_state=seed))


def searched(seed: int, split: Split) -> Any:
    """Return the same with the candidate that is best in folds of the training part."""

    def accuracy(candidate: tuple[float, float]) -> float:
        return float(cross_val_score(sinks(seed, *candidate), split.X, split.y, cv=INNER_FOLDS).mean())

    return sinks(seed, *max(CANDIDATES, key=accuracy))


LEARNERS: dict[str, Callable[[int, Split], Any]] = {
    TREE: lambda seed, _: DecisionTreeClassifier(random_state=seed),
    LINEAR: lambda seed, _: Perceptron(passes=LINEAR_PASSES, random_state=seed),
    SINKS: lambda seed, _: sinks(seed),
    SEARCHED: searched,
}


def run(parts: Iterable[Split], learners: Iterable[str], first_seed: int = 0) -> list[Row]:
    """Train and test each learner on each split."""
    found = {name: Row(name, [], 0.0) for name in learners}
    for seed, split in enumerate(parts, first_seed):
        for name, row in found.items():
            start = perf_counter()
            fitted = LEARNERS[name](seed, split).fit(split.X, split.y)
            row.errors.append(1 - float(fitted.score(split.X_test, split.y_test)))
            found[name] = row._replace(seconds=row.seconds + perf_counter() - start)
    return list(found.values())


def table(rows: list[Row], factor: float) -> Table:
    """Lay the rows out: mean and deviation, and the splits on which a learner beats the one above it."""
    count = len(rows[0].errors)
    title = f"Spambase: test error in %, {count} splits; inputs log(1 + {factor:g} x), standardised"
    out = Table(title=title, title_justify="left")
    out.add_column("learner", no_wrap=True)
    for column in ("error", "splits", "published", "wins", "s"):
        out.add_column(column, justify="right", no_wrap=True)
    above: list[float] = []
    for row in rows:
        published = PUBLISHED.get(row.learner)
        wins = sum(mine < other for mine, other in zip(row.errors, above, strict=False))
        out.add_row(
            row.learner,
            f"{100 * np.mean(row.errors):.2f}",
            f"±{100 * np.std(row.errors):.2f}",
            "" if published is None else f"{100 * published:.2f}",
            f"{wins}/{count}" if above else "",
            f"{row.seconds / count:.2f}",
        )
        above = row.errors
    return out


def reproduce(asked: Asked) -> Outcome:
    """Compare the learners of the lecture on many splits, since the published one is not known."""
    names = asked.chosen(PARTS, PARTS if asked.full else USUAL)
    count = QUICK_SPLITS if asked.quick else SPLITS
    parts = splits(load_spambase(), FACTOR, range(asked.seed, asked.seed + count))
    rows = run(asked.show(list(parts), "Splits"), [LEARNER_OF[name] for name in names], asked.seed)
    comparisons = [compared(row) for row in rows]
    return Outcome(
        comparisons=comparisons,
        tables=[table(rows, FACTOR)],
        pictures={"errors": lambda: draw_beside(comparisons, "Spambase: test error", "test error in %")},
        notes=[
            f"Means over {count} random splits. The published errors are of one that is not known: ours are "
            "called the same within two standard deviations over splits.",
            "--full adds a row whose settings are chosen inside each training part.",
            "All learners get log(1 + 10 x) of each number, standardised; the lecture does not say what its "
            "own got.",
        ],
        figures=rows,
    )


def compared(row: Row) -> Comparison:
    """Return the mean error beside the published one."""
    published = PUBLISHED.get(row.learner)
    errors = 100 * np.array(row.errors)
    spread = float(errors.std())
    return Comparison(
        row.learner,
        float(errors.mean()),
        None if published is None else 100 * published,
        spread=spread,
        close=2 * spread,
        reason=REASONS.get(row.learner, ""),
        source=SOURCE if published is not None else "",
    )
