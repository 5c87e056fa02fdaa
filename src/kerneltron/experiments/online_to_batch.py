"""What the mistakes of one pass promise about new examples: k / m beside the error of each hypothesis.

First many small samples whose error is known exactly, then splits of real and of noisy examples. The error of
a vector that is drawn by how many examples it was used for is k / m in expectation over samples and draws, so
means over many runs are compared, within their standard errors. The other hypotheses promise nothing of the
kind, and are better.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from rich.table import Table

from kerneltron import Perceptron
from kerneltron.datasets.digits import Split, load_digits
from kerneltron.datasets.generators import noisy_logistic
from kerneltron.experiments.experiment import THEORY, Asked, Comparison, Outcome
from kerneltron.theory.drawn_samples import Estimate, Samples, draw_samples
from kerneltron.theory.online_to_batch import counted_after, used_for

COLUMNS = 5
SIZES = (10, 100, 1000)  # examples of a sample
NOISY_ROWS, NOISY_COLUMNS, NOISY_SCALE = 300, 10, 4.0
HYPOTHESES = ("last", "random", "average", "vote")
LECTURE = (10, (1, 4, 8, 10))  # examples, and which of them were mistakes


class Errors(NamedTuple):
    """One number per split: k / m of the pass, and the test error by hypothesis."""

    mistake_rate: list[float]
    test: dict[str, list[float]]


def nine(seed: int) -> Split:
    """Ask for each digit whether it is a nine."""
    data = load_digits(seed=seed)
    return data._replace(y=np.where(data.y == 9, 1, -1), y_test=np.where(data.y_test == 9, 1, -1))


def noisy(seed: int) -> Split:
    """Draw points of two classes that no plane tells apart without errors."""
    X, y, *_ = noisy_logistic(4 * NOISY_ROWS, d=NOISY_COLUMNS, scale=NOISY_SCALE, seed=seed)
    return Split(X[:NOISY_ROWS], y[:NOISY_ROWS], X[NOISY_ROWS:], y[NOISY_ROWS:])


PROBLEMS: dict[str, Callable[[int], Split]] = {"digits, a nine or not": nine, "noisy labels": noisy}


def one_pass(split: Split, seed: int) -> tuple[float, dict[str, float]]:
    """Return k / m of a pass and the test error of each hypothesis; a score of 0 is an error, as in k."""
    rate, errors = 0.0, {}
    for hypothesis in HYPOTHESES:
        learner = Perceptron(hypothesis=hypothesis, random_state=seed).fit(split.X, split.y)
        rate = float(learner.mistakes_[0] / len(split.y))
        errors[hypothesis] = float(np.mean(split.y_test * learner.decision_function(split.X_test) <= 0))
    return rate, errors


def errors_of(problem: Callable[[int], Split], runs: range) -> Errors:
    """Go once through the training examples of many splits."""
    found = [one_pass(problem(seed), seed) for seed in runs]
    test = {name: [errors[name] for _, errors in found] for name in HYPOTHESES}
    return Errors([rate for rate, _ in found], test)


def table_of_counts() -> Table:
    """Lay the lecture's table out: what each vector was used for, and what it is counted for after."""
    visits, mistakes_at = LECTURE
    out = Table(
        title=f"{visits} examples, mistakes at {', '.join(map(str, mistakes_at))}: how often vectors count",
        title_justify="left",
    )
    out.add_column("count")
    counts = {"used for": used_for(visits, mistakes_at), "after": counted_after(visits, mistakes_at)}
    for number in range(len(mistakes_at) + 1):
        out.add_column(f"v_{number}", justify="right")
    for name, numbers in counts.items():
        out.add_row(name, *map(str, numbers))
    return out


def table_of_samples(samples: Mapping[int, Samples]) -> Table:
    """Lay the samples out."""
    out = Table(
        title="k / m beside the chance that a drawn vector errs, in %, with standard errors",
        title_justify="left",
    )
    for column in ("examples", "k / m", "drawn by use", "k / m minus it", "drawn by counting after"):
        out.add_column(column, justify="right")
    for size, found in samples.items():
        values = (
            found.mistake_rate,
            found.used_for,
            found.mistake_rate - found.used_for,
            found.counted_after,
        )
        out.add_row(f"{size:,}", *(_shown(Estimate.of(each)) for each in values))
    return out


def table_of_errors(problems: Mapping[str, Errors]) -> Table:
    """Lay the errors on splits out."""
    out = Table(title="One pass of the perceptron: k / m and test errors, in %", title_justify="left")
    out.add_column("examples")
    for column in ("k / m", *HYPOTHESES):
        out.add_column(column, justify="right")
    for name, found in problems.items():
        values = (found.mistake_rate, *found.test.values())
        out.add_row(name, *(_shown(Estimate.of(np.array(each))) for each in values))
    return out


def _shown(estimate: Estimate) -> str:
    return f"{100 * estimate.mean:.2f} ± {100 * estimate.standard_error:.2f}"


def comparisons(samples: Mapping[int, Samples], problems: Mapping[str, Errors]) -> list[Comparison]:
    """Put the errors of drawn vectors beside k / m, which is what theory expects of them."""
    pairs = {
        f"{size:,} examples, drawn by use": (found.used_for, found.mistake_rate)
        for size, found in samples.items()
    } | {
        f"{name}, hypothesis random": (np.array(found.test["random"]), np.array(found.mistake_rate))
        for name, found in problems.items()
    }
    out = []
    for name, (drawn, rate) in pairs.items():
        gap = Estimate.of(drawn - rate)
        out.append(
            Comparison(
                f"{name}: error, beside k / m",
                100 * float(drawn.mean()),
                100 * float(rate.mean()),
                spread=100 * gap.standard_error,
                higher_is_better=None,
                close=100 * 3 * gap.standard_error,
                source="the expected error of a vector drawn by use is k / m, that of the mistakes",
                kind=THEORY,
            )
        )
    return out


def reproduce(asked: Asked) -> Outcome:
    """Draw samples, and go once through many splits."""
    runs, splits = (2000, 10) if asked.quick else (40_000, 100)
    sizes = SIZES[:2] if asked.quick else SIZES
    samples = {
        size: draw_samples(size, COLUMNS, max(100, runs * SIZES[0] // size), asked.seed)
        for size in asked.show(sizes, "Samples")
    }
    seeds = range(asked.seed, asked.seed + splits)
    problems = {name: errors_of(PROBLEMS[name], seeds) for name in asked.show(PROBLEMS, "Problems")}
    return Outcome(
        comparisons=comparisons(samples, problems),
        tables=[table_of_counts(), table_of_samples(samples), table_of_errors(problems)],
        notes=[
            "An error counts as k / m if it is within three standard errors of their difference. Vectors "
            "that are counted after each example have seen one more, and err less.",
        ],
        figures={
            "samples": {
                size: {name: Estimate.of(values)._asdict() for name, values in found._asdict().items()}
                for size, found in samples.items()
            },
            "problems": {name: found._asdict() for name, found in problems.items()},
        },
    )
