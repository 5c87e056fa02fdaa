"""Where genes are spliced: string kernels on DNA of 60 letters, three classes, ten-fold cross-validation.

`kerneltron reproduce splice` shows the accuracy of each kernel with each learner: averages, three passes, no
intercept, folds stratified and shuffled with a fixed seed. Who takes the best of it has looked at the test
folds. So the comparison is about what comes out when kernel and learner are chosen without them, in each fold
anew, by three-fold cross-validation on its training part. The list of kernels itself was made with an eye on
these data.

Gram matrices are computed once, and folds are cut out of them: the learners do what they would with the
kernel itself. Some strings are there twice, and may be on both sides of a split; `--only distinct` keeps one
of each. `--full` has all kernels, which takes some ten minutes on one core.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from rich import box
from rich.table import Table

from kerneltron import PassiveAggressive, Perceptron
from kerneltron._types import Anything, Floats, Integers
from kerneltron.datasets.splice import Strings, load_splice
from kerneltron.experiments.experiment import Asked, Comparison, Outcome
from kerneltron.experiments.joining import joined
from kerneltron.kernels import Gaussian, Kernel, Spectrum, WeightedDegree

FOLDS, INNER, SEED = 10, 3, 0
PASSES = 3
PUBLISHED: dict[str, Any] = {"scale": False, "hypothesis": "average"}
LEARNERS: dict[str, Any] = {"Perceptron": Perceptron, "PA-I": partial(PassiveAggressive, **PUBLISHED)}
KERNELS: tuple[Kernel, ...] = (
    Spectrum(4).normalized(),  # does not know where the middle is
    Spectrum(6, blended=True).normalized(),
    *(WeightedDegree(k).normalized() for k in (1, 3, 5, 10, 20)),
    *(WeightedDegree(k).normalized() ** 2 for k in (1, 3, 5, 10, 20)),
    *(WeightedDegree(k).normalized() ** 3 for k in (1, 3)),
    *(Gaussian(0.5, over=WeightedDegree(k).normalized()) for k in (3, 5)),
)
FEWER = (
    Spectrum(4).normalized(),
    *(WeightedDegree(k).normalized() for k in (3, 5)),
    *(WeightedDegree(k).normalized() ** 2 for k in (3, 5)),
)
QUICK = (Spectrum(4).normalized(), WeightedDegree(3).normalized(), WeightedDegree(3).normalized() ** 2)
QUICK_STRINGS, QUICK_FOLDS = 600, 3
LISTED = "The kernels to choose from were listed with an eye on these data."
ALL, DISTINCT = PARTS = ("all", "distinct")

Candidate = tuple[str, str]  # a kernel and a learner
Fold = tuple[Integers, Integers]  # the places to learn from, and those to test on


class Results(NamedTuple):
    """Accuracies, one entry per fold."""

    table: dict[Candidate, list[float]]
    chosen: list[Candidate]
    nested: list[float]  # of the chosen


def distinct(data: Strings) -> Strings:
    """Return each string once, with its first label."""
    places = sorted({letters: place for place, letters in reversed([*enumerate(data.X)])}.values())
    return Strings([data.X[place] for place in places], data.y[places])


def splits(y: Anything, folds: int, seed: int = SEED) -> list[Fold]:
    """Return folds with the same share of each class."""
    from sklearn.model_selection import StratifiedKFold

    return list(StratifiedKFold(folds, shuffle=True, random_state=seed).split(y, y))


def accuracy(gram: Floats, y: Anything, learner: str, fold: Fold) -> float:
    """Learn from one part of the examples and test on the other."""
    training, test = fold
    fitted = LEARNERS[learner](
        kernel="precomputed", passes=PASSES, fit_intercept=False, random_state=SEED
    ).fit(gram[np.ix_(training, training)], y[training])
    return float(fitted.score(gram[np.ix_(test, training)], y[test]))


def choose(grams: Mapping[str, Floats], y: Anything, places: Integers) -> Candidate:
    """Return the kernel and the learner that do best in cross-validation within some examples."""
    inner = [(places[a], places[b]) for a, b in splits(y[places], INNER, SEED + 1)]
    candidates = [(kernel, learner) for kernel in grams for learner in LEARNERS]

    def mean(candidate: Candidate) -> float:
        kernel, learner = candidate
        return float(np.mean([accuracy(grams[kernel], y, learner, fold) for fold in inner]))

    return max(candidates, key=mean)


def run(
    data: Strings,
    kernels: Sequence[Kernel] = KERNELS,
    folds: int = FOLDS,
    show: Callable[[Any], Iterable[Any]] = iter,
) -> Results:
    """Compare all kernels and learners, and choose among them within each fold."""
    grams = {repr(kernel): kernel(data.X).astype(np.float32) for kernel in kernels}
    table: dict[Candidate, list[float]] = {(kernel, learner): [] for kernel in grams for learner in LEARNERS}
    chosen = []
    for fold in show(splits(data.y, folds)):
        for (kernel, learner), found in table.items():
            found.append(accuracy(grams[kernel], data.y, learner, fold))
        chosen.append(choose(grams, data.y, fold[0]))
    return Results(table, chosen, [table[candidate][place] for place, candidate in enumerate(chosen)])


def spread(found: Sequence[float]) -> str:
    """Return mean and standard deviation in percent."""
    return f"{100 * np.mean(found):.2f} +- {100 * np.std(found):.2f}"


def table(results: Results, what: str) -> Table:
    """Lay the accuracies out."""
    title = f"Splice sites, {what}: accuracy in %, and its deviation over the folds"
    out = Table(title=title, title_justify="left", box=box.SIMPLE, padding=0)
    out.add_column("kernel", no_wrap=True)
    for learner in LEARNERS:
        out.add_column(learner, justify="right", no_wrap=True)
    best = max(results.table.values(), key=lambda found: float(np.mean(found)))
    for kernel in dict.fromkeys(kernel for kernel, _ in results.table):
        rows = [results.table[kernel, learner] for learner in LEARNERS]
        out.add_row(kernel, *(f"[bold]{spread(row)}[/]" if row is best else spread(row) for row in rows))
    return out


def fewer(data: Strings) -> Strings:
    """Return some of the strings, to see whether it runs."""
    few = np.random.default_rng(SEED).permutation(len(data.y))[:QUICK_STRINGS]
    return Strings([data.X[place] for place in few], data.y[few])


def outcome(results: Results, what: str) -> Outcome:
    """Return the accuracies, and which kernel and learner were chosen how often."""
    times = Counter(f"{learner} with {kernel}" for kernel, learner in results.chosen).most_common()
    chosen = "; ".join(f"{name} in {count}" for name, count in times)
    return Outcome(
        [
            Comparison(
                f"{what}, chosen within each fold: accuracy",
                100 * float(np.mean(results.nested)),
                spread=100 * float(np.std(results.nested)),
                higher_is_better=True,
            )
        ],
        [table(results, what)],
        notes=[f"Chosen within each of {len(results.nested)} folds of {what}: {chosen}."],
        figures={
            "table": {f"{learner}, {kernel}": found for (kernel, learner), found in results.table.items()},
            "chosen": results.chosen,
            "nested": results.nested,
        },
    )


def reproduce(asked: Asked) -> Outcome:
    """Compare kernels and learners, and choose among them within each fold; with `full`, all kernels."""
    data = fewer(load_splice()) if asked.quick else load_splice()
    kernels = KERNELS if asked.full else QUICK if asked.quick else FEWER

    def one(part: str) -> Outcome:
        strings = distinct(data) if part == DISTINCT else data
        what = f"{len(strings.y):,} {'distinct ' if part == DISTINCT else ''}strings"
        folds = QUICK_FOLDS if asked.quick else FOLDS
        return outcome(run(strings, kernels, folds, lambda work: asked.show(work, "Folds")), what)

    found = joined(asked.chosen(PARTS, None if asked.full else (ALL,)), one)
    few = [] if asked.full else [f"{len(kernels)} of {len(KERNELS)} kernels are compared; --full has all."]
    return found._replace(notes=[*found.notes, LISTED, *few])
