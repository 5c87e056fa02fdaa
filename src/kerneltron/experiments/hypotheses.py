"""Last, random, average and vote: which of a perceptron's vectors should predict, by the number of passes.

A perceptron moves with every mistake, so its last vector is as good as the last examples were kind. The mean
of all vectors, and their vote, remember the good ones for as long as they survived. Where labels are noise in
part, the last vector never comes to rest, and averaging matters most. A vector drawn at random, by how many
examples it was used for, is what the theory of online learning speaks about, and what nobody should use.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from rich.table import Table

from kerneltron import Perceptron
from kerneltron.datasets.digits import Split, load_digits
from kerneltron.datasets.folder import VARIABLE, folder_of
from kerneltron.datasets.generators import noisy_logistic
from kerneltron.datasets.mnist import load_mnist
from kerneltron.experiments.experiment import INCOMPARABLE, PUBLISHED, Asked, Comparison, Outcome, listed
from kerneltron.experiments.mnist import LECTURE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PASSES = (0.1, 1, 2, 4, 10)
HYPOTHESES = ("last", "random", "average", "vote")
NOISY_ROWS, NOISY_COLUMNS, NOISY_SCALE = 2000, 50, 2.0
MNIST_ROWS = 5000  # of 60,000, to train on, unless everything is asked for

Errors = dict[str, list[list[float]]]  # by hypothesis, number of passes and seed


class Problem(NamedTuple):
    """How the examples of a seed come about, the kernel, and what the lecture says of the average."""

    examples: Callable[[int], Split]
    kernel: str = "Linear()"
    published: Mapping[float, float] = {}  # error in % of the average, by passes
    least: float | None = None  # the error that nobody can beat


def nine(data: Split) -> Split:
    """Ask for each digit whether it is a nine."""
    return data._replace(y=data.y == 9, y_test=data.y_test == 9)


def noisy(seed: int) -> Split:
    """Draw points of two classes that no plane tells apart without errors."""
    X, y, *_ = noisy_logistic(3 * NOISY_ROWS, d=NOISY_COLUMNS, scale=NOISY_SCALE, seed=seed)
    return Split(X[:NOISY_ROWS], y[:NOISY_ROWS], X[NOISY_ROWS:], y[NOISY_ROWS:])


def problems(asked: Asked) -> dict[str, Problem]:
    """Return all problems whose data are there."""
    least = noisy_logistic(1, d=NOISY_COLUMNS, scale=NOISY_SCALE, seed=0).bayes_error
    found = {
        "noisy labels": Problem(noisy, least=least),
        "digits, a nine or not": Problem(lambda seed: nine(load_digits(seed=seed))),
        "digits, ten classes": Problem(lambda seed: load_digits(seed=seed)),
    }
    folder = folder_of("mnist")
    if asked.quick or folder is None or not folder.is_dir():
        return found
    whole = nine(load_mnist())
    data = whole if asked.full else whole._replace(X=whole.X[:MNIST_ROWS], y=whole.y[:MNIST_ROWS])
    linear = {0.1: 4.5, 1: 3.9, 2: 3.8, 4: 3.8, 10: 3.7}
    fourth = {0.1: 2.0, 1: 0.9, 2: 0.8, 4: 0.7, 10: 0.6}
    return found | {
        "MNIST, a nine or not, linear": Problem(lambda _: data, published=linear),
        "MNIST, a nine or not, degree 4": Problem(lambda _: data, "Polynomial(4)", fourth),
    }


def measure(problem: Problem, seeds: range) -> Errors:
    """Train with each hypothesis, number of passes and seed, which also decides about the order of rows."""
    samples = {seed: problem.examples(seed) for seed in seeds}
    return {
        hypothesis: [
            [_error(problem.kernel, hypothesis, passes, seed, samples[seed]) for seed in seeds]
            for passes in PASSES
        ]
        for hypothesis in HYPOTHESES
    }


def _error(kernel: str, hypothesis: str, passes: float, seed: int, data: Split) -> float:
    learner = Perceptron(kernel=kernel, hypothesis=hypothesis, passes=passes, random_state=seed)
    return 1 - float(learner.fit(data.X, data.y).score(data.X_test, data.y_test))


def table(name: str, errors: Errors) -> Table:
    """Lay the errors of a problem out, mean and standard deviation, the best mean of each column in bold."""
    out = Table(title=f"{name}: test error in % after this many passes", title_justify="left")
    out.add_column("hypothesis")
    for passes in PASSES:
        out.add_column(f"{passes:g}", justify="right")
    best = [min(float(np.mean(found[k])) for found in errors.values()) for k in range(len(PASSES))]
    for hypothesis, found in errors.items():
        cells = []
        for runs, least in zip(found, best, strict=True):
            mean = f"{100 * np.mean(runs):.1f}"
            cells.append(
                (f"[bold]{mean}[/]" if np.mean(runs) == least else mean) + f" ± {100 * np.std(runs):.1f}"
            )
        out.add_row(hypothesis, *cells)
    return out


def comparisons(name: str, problem: Problem, errors: Errors, asked: Asked) -> list[Comparison]:
    """Put the errors after all passes beside each other, and the average beside what the lecture has."""
    reason = "" if asked.full else f"ours learned from {MNIST_ROWS:,} of the 60,000 rows; --full takes all."
    found = [
        Comparison(
            f"{name}: {hypothesis}, {PASSES[-1]:g} passes",
            100 * float(np.mean(runs[-1])),
            spread=100 * float(np.std(runs[-1])),
        )
        for hypothesis, runs in errors.items()
        if hypothesis != "average"
    ]
    average = [
        Comparison(
            f"{name}: average, {passes:g} passes" if passes != 1 else f"{name}: average, 1 pass",
            100 * float(np.mean(errors["average"][PASSES.index(passes)])),
            problem.published.get(passes),
            spread=100 * float(np.std(errors["average"][PASSES.index(passes)])),
            reason=reason if problem.published else "",
            source=LECTURE if problem.published else "",
            kind=PUBLISHED if asked.full else INCOMPARABLE,
        )
        for passes in (1, 10)
    ]
    return average + found


def picture(results: Mapping[str, Errors], known: Mapping[str, Problem]) -> "Figure":
    """Draw one panel per problem."""
    from kerneltron.plots.hypotheses import HypothesesDisplay, draw_hypotheses

    shown = {
        name: HypothesesDisplay(PASSES, errors, least=known[name].least) for name, errors in results.items()
    }
    return draw_hypotheses(shown)


def reproduce(asked: Asked) -> Outcome:
    """Train everything on all problems."""
    known = problems(asked)
    results: dict[str, Errors] = {}
    for name, problem in asked.show(known.items(), "Problems"):
        many = 2 if asked.quick else 4 if problem.published else 10
        results[name] = measure(problem, range(asked.seed, asked.seed + many))
    return Outcome(
        [each for name in results for each in comparisons(name, known[name], results[name], asked)],
        [table(name, errors) for name, errors in results.items()],
        {"hypotheses": lambda: picture(results, known)},
        notes(asked, known, results),
        results,
    )


def notes(asked: Asked, known: Mapping[str, Problem], results: Mapping[str, Errors]) -> list[str]:
    """Say what the numbers are means of, and what is missing."""
    seeds = {name: len(errors[HYPOTHESES[0]][0]) for name, errors in results.items()}
    orders = {count for name, count in seeds.items() if known[name].published}
    samples = {count for name, count in seeds.items() if not known[name].published}
    counted = [
        *(f"{count} samples or splits" for count in samples),
        *(f"{count} orders of MNIST's rows" for count in orders),
    ]
    said = [
        f"Means and standard deviations over seeds: {listed(counted)}.",
        f"Nobody can be right about more than {100 * (1 - (known['noisy labels'].least or 0)):.1f} % of the "
        "noisy labels.",
        "`random` draws a vector by how many examples it was used for; `average` and `vote` count the vector "
        "after each example.",
    ]
    if not any(problem.published for problem in known.values()):
        why = (
            "a quick run leaves it out"
            if asked.quick
            else f"let {VARIABLE} name a folder with its four files in `mnist`"
        )
        said.append(f"Without MNIST: {why}.")
    return said
