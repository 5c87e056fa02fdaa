"""Where genes are spliced: string kernels on DNA of 60 letters, three classes, ten-fold cross-validation.

Run as `python -m kerneltron.experiments.splice [--folder F] [--distinct] [--quick] [--json PATH]`.

The table shows the accuracy of each kernel with each learner: averages, three passes, no intercept, folds
stratified and shuffled with a fixed seed. Who takes the best of it has looked at the test folds. So the line
below tells what comes out when kernel and learner are chosen without them, in each fold anew, by three-fold
cross-validation on its training part. The list of kernels itself was made with an eye on these data.

Gram matrices are computed once, and folds are cut out of them: the learners do what they would with the
kernel itself. Some strings are there twice, and may be on both sides of a split; `--distinct` keeps one of
each. All takes some ten minutes on one core, `--quick` seconds.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

from kerneltron import PassiveAggressive, Perceptron
from kerneltron._types import Anything, Floats, Integers
from kerneltron.datasets.splice import Strings, load_splice
from kerneltron.kernels import Gaussian, Kernel, Spectrum, WeightedDegree

FOLDS, INNER, SEED = 10, 3, 0
PASSES = 3
LEARNERS: dict[str, Any] = {"Perceptron": Perceptron, "PA-I": PassiveAggressive}
KERNELS: tuple[Kernel, ...] = (
    Spectrum(4).normalized(),  # does not know where the middle is
    Spectrum(6, blended=True).normalized(),
    *(WeightedDegree(k).normalized() for k in (1, 3, 5, 10, 20)),
    *(WeightedDegree(k).normalized() ** 2 for k in (1, 3, 5, 10, 20)),
    *(WeightedDegree(k).normalized() ** 3 for k in (1, 3)),
    *(Gaussian(0.5, over=WeightedDegree(k).normalized()) for k in (3, 5)),
)
QUICK = (Spectrum(4).normalized(), WeightedDegree(3).normalized(), WeightedDegree(3).normalized() ** 2)
QUICK_STRINGS = 600

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


def table(results: Results) -> Table:
    """Lay the accuracies out."""
    out = Table(title="Accuracy in %, and its deviation over the folds", box=box.SIMPLE, padding=0)
    out.add_column("kernel", no_wrap=True)
    for learner in LEARNERS:
        out.add_column(learner, justify="right", no_wrap=True)
    best = max(results.table.values(), key=lambda found: float(np.mean(found)))
    for kernel in dict.fromkeys(kernel for kernel, _ in results.table):
        rows = [results.table[kernel, learner] for learner in LEARNERS]
        out.add_row(kernel, *(f"[bold]{spread(row)}[/]" if row is best else spread(row) for row in rows))
    return out


def main() -> None:
    """Print the table and, if asked, save the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folder", type=Path, help="the folder of splice.data")
    parser.add_argument("--distinct", action="store_true", help="learn from each string once")
    parser.add_argument("--quick", action="store_true", help="fewer strings, kernels and folds")
    parser.add_argument("--json", type=Path, help="save the figures here")
    arguments = parser.parse_args()
    try:
        data = load_splice(arguments.folder)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    if arguments.distinct:
        data = distinct(data)
    if arguments.quick:
        few = np.random.default_rng(SEED).permutation(len(data.y))[:QUICK_STRINGS]
        data = Strings([data.X[place] for place in few], data.y[few])
    console, progress = Console(), Console(stderr=True)
    results = run(
        data,
        QUICK if arguments.quick else KERNELS,
        3 if arguments.quick else FOLDS,
        lambda work: track(work, "Folds", console=progress, transient=True),
    )
    console.print(table(results))
    times = Counter(f"{learner}, {kernel}" for kernel, learner in results.chosen).most_common()
    console.print(f"{len(data.y):,} strings; chosen within each fold: {spread(results.nested)} %")
    for name, count in times:
        console.print(f"  in {count} of {len(results.nested)}: {name}", highlight=False)
    if arguments.json:
        content = {
            "table": {f"{learner}, {kernel}": found for (kernel, learner), found in results.table.items()},
            "chosen": results.chosen,
            "nested": results.nested,
        }
        arguments.json.write_text(json.dumps(content, indent=1) + "\n")
        console.print(f"Figures saved as {arguments.json}")


if __name__ == "__main__":
    main()
