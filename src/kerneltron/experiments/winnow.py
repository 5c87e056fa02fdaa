"""Mistakes by the number of irrelevant attributes: Winnow's logarithm, the perceptron's straight line.

In the first problem the label is the disjunction of k of n attributes, and each of the others is there in
half of the examples. Winnow's mistakes grow with log n, the perceptron's in proportion to n. In the second
problem all attributes matter, by about as much, and three are there in an example: there Winnow makes more
mistakes than the perceptron, with all factors that are tried. Examples are drawn until next to nothing is
left to learn, and each is predicted before it is learned from.

Littlestone, Learning quickly when irrelevant attributes abound (1988). Kivinen, Warmuth and Auer, The
perceptron algorithm versus Winnow (1997).
"""

from collections.abc import Iterable, Iterator, Mapping
from math import log2
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from rich.table import Table

from kerneltron import Perceptron, Winnow
from kerneltron._types import Floats, Integers
from kerneltron.datasets.generators import dense_target
from kerneltron.experiments.experiment import THEORY, Asked, Comparison, Outcome

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RELEVANT = 4  # attributes of the disjunction
ACTIVE = 3  # attributes of an example, where all matter
ROWS_PER_ATTRIBUTE, FEWEST_ROWS = 24, 2000
PIECE = 1000  # rows of a call of partial_fit_predict
FACTORS = (2.0, 1.5, 1.2, 1.1, 1.05)  # of Winnow, where all attributes matter
WINNOW, PERCEPTRON, BEST_WINNOW = "Winnow", "Perceptron", "Winnow, best of five factors"

Examples = Iterable[tuple[Any, Integers]]


class Growth(NamedTuple):
    """How many mistakes each learner makes, by the number of attributes (first) and the seed (second)."""

    attributes: tuple[int, ...]
    mistakes: dict[str, list[list[int]]]

    def means(self, learner: str) -> Floats:
        """Return the mean over seeds for each number of attributes."""
        return np.mean(self.mistakes[learner], axis=1)  # type: ignore[no-any-return]


class Shapes(NamedTuple):
    """Two curves through the same points: a + b log2(n), and c n^e, with how much of the variance each tells.

    Of the power it is the variance of the logarithms.
    """

    start: float
    per_doubling: float
    explained_by_logarithm: float
    factor: float
    exponent: float
    explained_by_power: float

    def logarithm(self, attributes: Any) -> Floats:
        """Return the first curve at these numbers of attributes."""
        return self.start + self.per_doubling * np.log2(attributes)  # type: ignore[no-any-return]

    def power(self, attributes: Any) -> Floats:
        """Return the second one."""
        return self.factor * np.asarray(attributes, float) ** self.exponent


def few_relevant(attributes: int, seed: int) -> Iterator[tuple[Floats, Integers]]:
    """Draw examples of a disjunction, half of them positive: exactly one relevant attribute is then there."""
    rng = np.random.default_rng(seed)
    relevant = rng.choice(attributes, RELEVANT, replace=False)
    for _ in range(0, _rows(attributes), PIECE):
        X = rng.integers(0, 2, (PIECE, attributes), dtype=np.uint8).astype(np.float32)
        y = rng.choice([-1, 1], PIECE)
        X[:, relevant] = 0
        X[y > 0, rng.choice(relevant, int(np.sum(y > 0)))] = 1
        yield X, y


def all_relevant(attributes: int, seed: int) -> Iterator[tuple[Any, Integers]]:
    """Draw examples in which few attributes are there, but all matter."""
    data = dense_target(_rows(attributes), d=attributes, active=ACTIVE, seed=seed)
    for first in range(0, len(data.y), PIECE):
        yield data.X[first : first + PIECE], data.y[first : first + PIECE]


def _rows(attributes: int) -> int:
    return max(FEWEST_ROWS, ROWS_PER_ATTRIBUTE * attributes)


def mistakes(learner: Any, examples: Examples) -> int:
    """Let a learner predict and learn, and count where it was wrong."""
    return sum(int(np.sum((learner.partial_fit_predict(X, y) > 0) != (y > 0))) for X, y in examples)


def bound(attributes: int) -> float:
    """Return 3k (log2(n) + 1) + 2: the most mistakes that Winnow makes on a disjunction of k attributes.

    With factors 2 and 1/2 and threshold n, a relevant weight is doubled only while it is at most n, so at
    most log2(n) + 1 times, and never halved: there are p <= k (log2(n) + 1) promotions. All weights together
    begin with n, gain at most n by a promotion, lose at least n/2 by a demotion and stay positive: there are
    fewer than 2p + 2 demotions.

    Examples
    --------
    >>> bound(1024)
    134.0
    """
    return 3 * RELEVANT * (log2(attributes) + 1) + 2


def shapes(attributes: Iterable[int], counts: Iterable[float]) -> Shapes:
    """Fit both curves by least squares.

    Examples
    --------
    >>> found = shapes([16, 64, 256], [20, 40, 60])
    >>> round(found.per_doubling), round(found.explained_by_logarithm, 2)
    (10, 1.0)
    """
    x, y = np.log2(list(attributes)), np.asarray(list(counts), float)
    slope, start = np.polyfit(x, y, 1)
    exponent, factor = np.polyfit(x, np.log2(y), 1)
    explained = [
        1 - float(np.var(of - (a + b * x)) / np.var(of))
        for of, a, b in ((y, start, slope), (np.log2(y), factor, exponent))
    ]
    return Shapes(float(start), float(slope), explained[0], float(2**factor), float(exponent), explained[1])


def grow_irrelevant(sizes: tuple[int, ...], seeds: range, asked: Asked) -> Growth:
    """Count mistakes on disjunctions."""
    found: dict[str, list[list[int]]] = {WINNOW: [], PERCEPTRON: []}
    for n in asked.show(sizes, "Irrelevant attributes"):
        for name, learner in ((WINNOW, Winnow), (PERCEPTRON, Perceptron)):
            found[name].append(
                [mistakes(learner(hypothesis="last"), few_relevant(n, seed)) for seed in seeds]
            )
    return Growth(sizes, found)


def grow_relevant(sizes: tuple[int, ...], seeds: range, asked: Asked) -> Growth:
    """Count mistakes where all attributes matter; of the factors, the best is chosen after the fact."""
    found: dict[str, list[list[int]]] = {WINNOW: [], PERCEPTRON: [], BEST_WINNOW: []}
    for n in asked.show(sizes, "Relevant attributes"):
        examples = [list(all_relevant(n, seed)) for seed in seeds]
        additive = [Perceptron(hypothesis="last", fit_intercept=False) for _ in seeds]
        found[PERCEPTRON].append(list(map(mistakes, additive, examples)))
        counts = [[mistakes(_signed_winnow(factor), each) for each in examples] for factor in FACTORS]
        found[WINNOW].append(counts[0])
        found[BEST_WINNOW].append(np.min(counts, axis=0).tolist())
    return Growth(sizes, found)


def _signed_winnow(factor: float) -> Winnow:
    """Return one whose weights may have either sign, like those of the target."""
    return Winnow(hypothesis="last", balanced=True, threshold=0, promotion=factor, demotion=1 / factor)


def table(title: str, growth: Growth) -> Table:
    """Lay the mistakes out, mean and standard deviation over seeds, and the curves through the means."""
    out = Table(title=title, title_justify="left")
    out.add_column("attributes", justify="right")
    for learner in growth.mistakes:
        out.add_column(learner, justify="right")
    for number, n in enumerate(growth.attributes):
        counts = [found[number] for found in growth.mistakes.values()]
        out.add_row(f"{n:,}", *(f"{np.mean(each):,.0f} ± {np.std(each):,.0f}" for each in counts))
    out.add_section()
    fits = [shapes(growth.attributes, growth.means(learner)) for learner in growth.mistakes]
    out.add_row("mistakes per doubling of n", *(f"{fit.per_doubling:,.1f}" for fit in fits))
    out.add_row("variance told by a + b log n", *(f"{fit.explained_by_logarithm:.3f}" for fit in fits))
    out.add_row("exponent e of c n^e", *(f"{fit.exponent:.2f}" for fit in fits))
    out.add_row("variance told by c n^e, of logarithms", *(f"{fit.explained_by_power:.3f}" for fit in fits))
    return out


def comparisons(irrelevant: Growth, relevant: Growth) -> list[Comparison]:
    """Put our mistakes beside what the theorems say of their growth."""
    winnow, perceptron = (
        shapes(irrelevant.attributes, irrelevant.means(name)) for name in (WINNOW, PERCEPTRON)
    )
    most = irrelevant.attributes[-1]
    reached = max(np.max(each) / bound(n) for n, each in zip(*_pairs(irrelevant, WINNOW), strict=True))
    more = {name: relevant.means(name)[-1] / relevant.means(PERCEPTRON)[-1] for name in (WINNOW, BEST_WINNOW)}
    plain: Mapping[str, Any] = {"unit": "", "higher_is_better": None}
    return [
        Comparison(
            "few relevant: exponent of the perceptron's growth",
            perceptron.exponent,
            1.0,
            source="it grows in proportion to n, Kivinen, Warmuth and Auer (1997)",
            kind=THEORY,
            **plain,
        ),
        Comparison(
            f"few relevant: Winnow's mistakes per doubling of n; the bound has {3 * RELEVANT}",
            winnow.per_doubling,
            **plain,
        ),
        Comparison(
            f"few relevant: Winnow's mistakes, the most for n up to {most:,}",
            100 * reached,
            unit="% of the bound",
        ),
        Comparison(
            f"few relevant, n = {most:,}: perceptron's mistakes over Winnow's",
            irrelevant.means(PERCEPTRON)[-1] / irrelevant.means(WINNOW)[-1],
            **plain,
        ),
        *(
            Comparison(
                f"all relevant, n = {relevant.attributes[-1]:,}: times the perceptron's mistakes, {name}",
                ratio,
                **plain,
            )
            for name, ratio in more.items()
        ),
    ]


def _pairs(growth: Growth, learner: str) -> tuple[tuple[int, ...], list[list[int]]]:
    return growth.attributes, growth.mistakes[learner]


def picture(irrelevant: Growth, relevant: Growth) -> "Figure":
    """Draw both problems, with the curve that fits each learner and Winnow's bound."""
    from kerneltron.plots.winnow import GrowthDisplay, draw_winnow

    winnow, perceptron = (
        shapes(irrelevant.attributes, irrelevant.means(name)) for name in (WINNOW, PERCEPTRON)
    )
    additive = shapes(relevant.attributes, relevant.means(PERCEPTRON))
    few = {
        f"{perceptron.factor:.1f} n^{perceptron.exponent:.2f}": lambda n: float(perceptron.power(n)),
        f"{winnow.start:.0f} + {winnow.per_doubling:.1f} log2 n": lambda n: float(winnow.logarithm(n)),
        "Winnow's bound": bound,
    }
    all_ = {f"{additive.factor:.1f} n^{additive.exponent:.2f}": lambda n: float(additive.power(n))}
    return draw_winnow(GrowthDisplay(*irrelevant, few), GrowthDisplay(*relevant, all_), RELEVANT)


def reproduce(asked: Asked) -> Outcome:
    """Count mistakes on both problems."""
    doublings = 5 if asked.quick else 9
    seeds = range(asked.seed, asked.seed + (2 if asked.quick else 10 if asked.full else 3))
    irrelevant = grow_irrelevant(tuple(16 * 2**i for i in range(doublings)), seeds, asked)
    relevant = grow_relevant(tuple(16 * 2**i for i in range(doublings - 3)), seeds, asked)

    return Outcome(
        comparisons(irrelevant, relevant),
        [
            table(f"Mistakes where {RELEVANT} attributes matter", irrelevant),
            table(f"Mistakes where all attributes matter, {ACTIVE} are there", relevant),
        ],
        {"winnow": lambda: picture(irrelevant, relevant)},
        [
            f"Winnow's factors are 2 and 1/2, its threshold n; a proof gives it at most 3k (log2(n) + 1) + 2 "
            f"mistakes on a disjunction of k = {RELEVANT} attributes.",
            "Where all attributes matter, Winnow keeps two vectors, for weights of either sign. Of the "
            f"factors {', '.join(f'{factor:g}' for factor in FACTORS)} the best is chosen after the fact.",
        ],
        {"irrelevant": irrelevant._asdict(), "relevant": relevant._asdict()},
    )
