"""What hashing costs: norms, inner products and distances over many hash functions, and accuracy.

Beside the measurements stand four published results: hashed inner products are unbiased with a known
variance, and three bounds of which it is drawn where they hold as printed and where they do not. Accuracies
are those on the newsgroups, if KERNELTRON_DATA names a folder that has them, else on generated mail.
"""

import os
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from rich.table import Table

from kerneltron._types import Floats
from kerneltron.experiments.experiment import THEORY, Asked, Comparison, Outcome
from kerneltron.experiments.hashed_documents import Accuracy, accuracies, mail, newsgroups
from kerneltron.experiments.hashed_vectors import (
    Case,
    HashFunctions,
    deviation,
    distance_curve,
    norm_curve,
    product_curve,
    spread,
)
from kerneltron.plots.hashing import Deviation, Spread, TailCurve, TailDisplay, draw_hashing
from kerneltron.theory.hashing import distances_tail, peak

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAIR = 1000  # features of vectors whose inner products and distances are taken
EQUAL = 10_000  # equal entries of the counter-example
EPSILONS = tuple(np.geomspace(0.001, 1.0, 13).round(6).tolist())  # 0.1 is among them
DELTAS = tuple(np.geomspace(0.001, 0.8, 11).round(6).tolist())
EPSILON = 0.1  # of the counter-example to theorem 3
ABOVE = 0.05  # of the hash functions are above the band of distances


class Scale(NamedTuple):
    """How much is measured."""

    bits: tuple[int, ...]
    words: tuple[int, ...]  # distinct features of a vector
    points: tuple[int, ...]  # whose distances are compared
    functions: int  # hash functions that deviations and distances are taken over
    tail_functions: int  # hash functions that frequencies are taken over
    accuracy_bits: tuple[int, ...]


STANDARD = Scale(
    bits=(6, 8, 10, 12, 14, 16, 18),
    words=(100, 1000, 10_000),
    points=(10, 100, 200),
    functions=200,
    tail_functions=4000,
    accuracy_bits=(10, 12, 14, 16, 18, 20),
)
QUICK = Scale((6, 10), (100, 1000), (5, 20), functions=200, tail_functions=400, accuracy_bits=(8, 18))


class Results(NamedTuple):
    """Deviations by number of bits."""

    norms: dict[int, dict[int, Deviation]]  # and by number of features
    signed: dict[int, Deviation]
    unsigned: dict[int, Deviation]
    distances: dict[int, dict[int, Spread]]  # the largest relative error of all pairs, by number of points
    printed: dict[int, float]  # what corollary 5 says of it, for all points and 95 % of the functions


class Curves(NamedTuple):
    """Three published bounds beside measurements."""

    norms: list[TailCurve]
    products: list[TailCurve]
    distances: list[TailCurve]


def zipf_vector(random: np.random.Generator, n: int) -> Floats:
    """Return a vector of length 1 whose entries fall like those of word counts, in a random order."""
    x = random.permutation(1 / np.sqrt(np.arange(1, n + 1)))
    return np.asarray(x / np.linalg.norm(x))


def deviations(scale: Scale, seed: int) -> Results:
    """Measure how far hashed norms, inner products and distances are off."""
    random = np.random.default_rng(seed)
    vectors = {n: zipf_vector(random, n) for n in scale.words}
    functions = {n: HashFunctions(n, scale.functions) for n in {*scale.words, PAIR}}
    x, z = zipf_vector(random, PAIR), zipf_vector(random, PAIR)
    points = np.stack([zipf_vector(random, PAIR) for _ in range(max(scale.points))])
    errors = {size: functions[PAIR].largest_errors(points, 2**size, scale.points) for size in scale.bits}
    distances = {
        n: {size: spread(found[:, column]) for size, found in errors.items()}
        for column, n in enumerate(scale.points)
    }
    norms = {
        n: {size: deviation(v, v, functions[n], 2**size) for size in scale.bits} for n, v in vectors.items()
    }
    signed, unsigned = (
        {size: deviation(x, z, functions[PAIR], 2**size, signed=is_signed) for size in scale.bits}
        for is_signed in (True, False)
    )
    eta = max(peak(a - b) for a, b in combinations(points, 2))
    printed = {size: distances_tail(len(points), eta, 2**size, ABOVE).error for size in scale.bits}
    return Results(norms, signed, unsigned, distances, printed)


def cases(seed: int, turned: float) -> list[Case]:
    """Return pairs of vectors: where all entries are equal, some signs of the second are turned."""
    random = np.random.default_rng(seed)

    def equal(d: int, slots: int) -> Case:
        x = np.full(d, d**-0.5)
        return Case(_name_of_equal(d, slots), x, np.where(np.arange(d) < turned * d, -x, x), slots)

    words = zipf_vector(random, PAIR), zipf_vector(random, PAIR)
    return [
        equal(EQUAL, 16),
        equal(EQUAL, 1024),
        equal(100, 16),
        Case(f"{PAIR:,} as of words, 1,024 slots", *words, 1024),
    ]


def _name_of_equal(d: int, slots: int) -> str:
    return f"{d:,} equal, {slots:,} slots"


def curves(scale: Scale, seed: int) -> Curves:
    """Measure how often the errors of the published bounds are exceeded.

    Vectors whose products are taken are close to each other, and so is Delta to its least value; those whose
    distance is taken are opposite to each other, so that all features enter.
    """
    near, far = cases(seed, turned=0.01), cases(seed, turned=1.0)
    functions = {case.x.size: HashFunctions(case.x.size, scale.tail_functions) for case in near}
    return Curves(
        [norm_curve(case, functions[case.x.size], EPSILONS) for case in near],
        [product_curve(case, functions[case.x.size], EPSILONS) for case in near],
        [distance_curve(case, functions[case.x.size], DELTAS) for case in far],
    )


def table_of_products(results: Results) -> Table:
    """Lay the inner products out."""
    out = Table(title="Inner product of two vectors of length 1 with 1,000 features", title_justify="left")
    for column in ("bits", "signed: bias", "deviation", "predicted", "unsigned: bias"):
        out.add_column(column, justify="right")
    for size, found in results.signed.items():
        numbers = (*found, results.unsigned[size].bias)
        out.add_row(f"{size}", *(f"{number:.4f}" for number in numbers))
    return out


def table_of_distances(results: Results) -> Table:
    """Lay the distances out, beside the bound of corollary 5 for the most points."""
    out = Table(
        title="Largest relative error of a squared distance: median, and 5 % to 95 % of hash functions",
        title_justify="left",
    )
    out.add_column("bits", justify="right")
    for column in (*(f"{n:,} points" for n in results.distances), "corollary 5, 95 %"):
        out.add_column(column, justify="right")
    for size, bound in results.printed.items():
        found = (by_bits[size] for by_bits in results.distances.values())
        cells = (f"{each.middle:.3f} ({each.low:.3f} to {each.high:.3f})" for each in found)
        out.add_row(f"{size}", *cells, f"{bound:,.0f}")
    return out


def table_of_bounds(found: Curves) -> Table:
    """Say where the bounds hold as printed, and where they are broken the most."""
    out = Table(title="Published bounds, as printed", title_justify="left")
    out.add_column("result")
    out.add_column("vectors")
    for column in ("holds at", "broken at", "worst at", "measured", "printed"):
        out.add_column(column, justify="right")
    names = ("theorem 3, norms", "corollary 4, products", "corollary 5, two points")
    for name, some in zip(names, found, strict=True):
        for curve in some:
            out.add_row(name, curve.name, *_verdict(curve))
    return out


def _verdict(curve: TailCurve) -> list[str]:
    """Return how many settings a bound holds at, and where it is off the most."""
    broken = [number for number, is_broken in enumerate(curve.is_broken) if is_broken]
    counts = [f"{len(curve.settings) - len(broken)} of {len(curve.settings)}", f"{len(broken)}"]
    if not broken:
        return [*counts, "", "", ""]
    worst = max(broken, key=lambda number: curve.measured[number] / curve.printed[number])
    numbers = curve.settings[worst], curve.measured[worst], curve.printed[worst]
    return [*counts, *(f"{number:.2g}" for number in numbers)]


def table_of_accuracy(accuracy: Accuracy) -> Table:
    """Lay the accuracies out."""
    out = Table(
        title=f"Test accuracy on {accuracy.data}, {accuracy.words:,} words, with a dictionary "
        f"{100 * accuracy.exact:.2f} %",
        title_justify="left",
    )
    for column in ("bits", "hashed", "points"):
        out.add_column(column, justify="right")
    for size, found in accuracy.hashed.items():
        out.add_row(f"{size}", f"{100 * found:.2f} %", f"{100 * (found - accuracy.exact):+.2f}")
    return out


def draw_bounds(found: Curves) -> "Figure":
    """Draw the three bounds; rings are where they do not hold."""
    from kerneltron.plots.style import new_figure

    figure = new_figure((13.2, 4.4))
    figure.suptitle(
        "How often an error is exceeded: printed bound (line), measured (points), broken (ringed)"
    )
    panels = (
        ("epsilon", "theorem 3: squared norm"),
        ("epsilon", "corollary 4: inner product"),
        ("delta", "corollary 5: distance of two points"),
    )
    for axes, some, (name, title) in zip(figure.subplots(1, 3), found, panels, strict=True):
        TailDisplay(some, name, title).plot(axes)
    return figure


def comparisons(found: Curves, results: Results) -> list[Comparison]:
    """Put the variance and the counter-example beside what the theorems say."""
    curve = next(curve for curve in found.norms if curve.name == _name_of_equal(EQUAL, 16))
    measured = curve.measured[curve.settings.index(EPSILON)]
    ratios = [each.deviation / each.predicted for each in results.signed.values()]
    return [
        Comparison(
            "deviation of hashed inner products, relative to the formula",
            float(np.mean(ratios)),
            1.0,
            unit="",
            higher_is_better=None,
            source="the variance of hashed inner products, Weinberger et al. (2009)",
            kind=THEORY,
        ),
        Comparison(
            f"frequency beside theorem 3, {curve.name}, epsilon = {EPSILON}",
            100 * measured,
            100 * curve.printed[curve.settings.index(EPSILON)],
            spread=100 * float(np.sqrt(measured * (1 - measured) / curve.functions)),
            higher_is_better=None,
            reason="as printed, the theorem does not hold here.",
            source="theorem 3 of Weinberger et al. (2009), an upper bound",
            kind=THEORY,
        ),
    ]


def reproduce(asked: Asked) -> Outcome:
    """Measure everything."""
    scale = QUICK if asked.quick else STANDARD
    results, found = deviations(scale, asked.seed), curves(scale, asked.seed)
    folder = Path(os.environ.get("KERNELTRON_DATA", ""), "newsgroups")
    documents = newsgroups(folder) if folder.is_dir() and not asked.quick else mail()
    accuracy = accuracies(documents, scale.accuracy_bits)
    return Outcome(
        comparisons=comparisons(found, results),
        tables=[
            table_of_products(results),
            table_of_distances(results),
            table_of_bounds(found),
            table_of_accuracy(accuracy),
        ],
        pictures={"deviations": lambda: draw_hashing(*results[:4]), "bounds": lambda: draw_bounds(found)},
        notes=[
            "Hashed inner products are unbiased, with the variance of the formula, everywhere. The three "
            "bounds are drawn as printed: they hold for few or heavy features, where they say little, and "
            "are broken by many equal ones, the more so in few slots.",
            "A bound counts as broken where the measured frequency is above it by more than three standard "
            "errors.",
        ],
        figures={
            "norms": _plain(results.norms),
            "signed": {size: each._asdict() for size, each in results.signed.items()},
            "unsigned": {size: each._asdict() for size, each in results.unsigned.items()},
            "distances": _plain(results.distances),
            "distances_printed": results.printed,
            "bounds": {name: [curve._asdict() for curve in getattr(found, name)] for name in found._fields},
            "accuracy": accuracy._asdict(),
        },
    )


def _plain(found: Mapping[int, Mapping[int, Deviation | Spread]]) -> dict[int, dict[int, dict[str, float]]]:
    return {n: {size: each._asdict() for size, each in by_bits.items()} for n, by_bits in found.items()}
