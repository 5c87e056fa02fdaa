"""What the dimension does to mistakes and their bound: nothing; what the length of examples does: much.

The same examples, turned at random and laid into 10 to 10^5 dimensions, then all points of n bits with the
conjunction kernel, whose examples have the squared length 2^n.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.table import Table

from kerneltron import Perceptron
from kerneltron.datasets.generators import separable
from kerneltron.experiments.experiment import THEORY, Asked, Comparison, Outcome
from kerneltron.kernels import Conjunctions
from kerneltron.plots.dimensions import DimensionsDisplay
from kerneltron.theory.bounds import separable_bound
from kerneltron.theory.dimensions import ConjunctionRun, conjunction_run, embedded

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS, ROWS, MARGIN = 10, 100, 0.05
DIMENSIONS, QUICK_DIMENSIONS = (10, 100, 1000, 10_000, 100_000), (10, 100, 1000)
BITS, QUICK_BITS = range(2, 13), range(2, 8)
SIZE = 2  # of the conjunction that is the truth
PASSES = 40  # more than are needed until no mistake is left


class Embedding(NamedTuple):
    """The mistakes on the same examples in some number of dimensions, and their bound."""

    dimensions: int
    mistakes: int
    last_pass: int  # mistakes of the last pass
    bound: float


def in_dimensions(dimensions: int, seed: int) -> Embedding:
    """Learn the same examples in so many dimensions until no mistake is left."""
    X, y, _, truth, _ = separable(ROWS, d=COLUMNS, margin=MARGIN, seed=seed)
    learner = Perceptron(hypothesis="last", fit_intercept=False, passes=PASSES, random_state=seed)
    found = learner.fit(embedded(X, dimensions, seed), y).mistakes_
    bound = separable_bound(truth.radius, truth.margin)
    return Embedding(dimensions, int(found.sum()), int(found[-1]), bound)


def with_conjunctions(n: int, seed: int) -> ConjunctionRun:
    """Learn a conjunction of some of n bits from all points, with the kernel of all conjunctions."""
    learner = Perceptron(
        kernel=Conjunctions(), representation="dual", hypothesis="last", fit_intercept=False, passes=PASSES,
        random_state=seed,
    )  # fmt: skip
    return conjunction_run(learner, n, SIZE)


def tables(embeddings: Sequence[Embedding], runs: Sequence[ConjunctionRun]) -> list[Table]:
    """Lay the results out."""
    first = Table(
        title=f"The same {ROWS} examples with R = 1 and gamma = {MARGIN:g}",
        title_justify="left",
    )
    for column in ("dimensions", "mistakes", "in the last pass", "(R / gamma)^2"):
        first.add_column(column, justify="right")
    for each in embeddings:
        first.add_row(f"{each.dimensions:,}", str(each.mistakes), str(each.last_pass), f"{each.bound:,.0f}")
    second = Table(
        title=f"A conjunction of {SIZE} of n bits, with the conjunction kernel",
        title_justify="left",
    )
    for column in ("n", "R^2", "mistakes", "bound 5 * 2^n", "by striking out, n + 1"):
        second.add_column(column, justify="right")
    for run in runs:
        numbers = run.squared_radius, run.mistakes, run.bound, run.n + 1
        second.add_row(str(run.n), *(f"{number:,.0f}" for number in numbers))
    return [first, second]


def picture(embeddings: Sequence[Embedding], runs: Sequence[ConjunctionRun]) -> "Figure":
    """Draw mistakes and bounds against the dimension, and against the number of bits."""
    from kerneltron.plots.style import new_figure

    figure = new_figure((9.2, 3.6))
    left, right = figure.subplots(1, 2)
    DimensionsDisplay(
        [each.dimensions for each in embeddings], [each.mistakes for each in embeddings],
        [each.bound for each in embeddings], "dimensions", is_logarithmic=True,
    ).plot(left)  # fmt: skip
    DimensionsDisplay(
        [run.n for run in runs], [run.mistakes for run in runs], [run.bound for run in runs], "bits"
    ).plot(right)
    left.set_title("the same examples", fontsize="medium")
    right.set_title("all conjunctions as features", fontsize="medium")
    return figure


def reproduce(asked: Asked) -> Outcome:
    """Learn in more and more dimensions."""
    dimensions, bits = (QUICK_DIMENSIONS, QUICK_BITS) if asked.quick else (DIMENSIONS, BITS)
    embeddings = [in_dimensions(each, asked.seed) for each in asked.show(dimensions, "Dimensions")]
    runs = [with_conjunctions(n, asked.seed) for n in asked.show(bits, "Bits")]
    return Outcome(
        comparisons=[
            Comparison(
                f"mistakes that {dimensions[-1]:,} dimensions cost beyond those in {dimensions[0]}",
                embeddings[-1].mistakes - embeddings[0].mistakes,
                0,
                unit="",
                higher_is_better=None,
                close=0,
                source="the bound does not depend on the dimension",
                kind=THEORY,
            )
        ],
        tables=tables(embeddings, runs),
        pictures={"bounds": lambda: picture(embeddings, runs)},
        notes=[
            "A bound that grows says that mistakes may grow, not that they do: those on a conjunction stay "
            "far below it.",
        ],
        figures={
            "dimensions": [each._asdict() for each in embeddings],
            "conjunctions": [run._asdict() for run in runs],
        },
    )
