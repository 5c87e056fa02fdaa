"""The prediction game: what small concept classes cost at worst, and learners against an adversary.

All numbers of the classes are exact, by looking at everything that can happen.
"""

from math import inf
from typing import Any, NamedTuple

from rich.table import Table

from kerneltron import Arow, PassiveAggressive, Pegasos, Perceptron
from kerneltron.experiments.experiment import THEORY, Asked, Comparison, Outcome
from kerneltron.plots.games import GamesDisplay, WorstCases
from kerneltron.theory.concept_classes import (
    ConceptClass,
    conjunctions,
    decision_lists,
    decision_trees,
    monotone_conjunctions,
)
from kerneltron.theory.games import Orthonormal, WorstCase, play
from kerneltron.theory.version_spaces import Halving, Optimal
from kerneltron.theory.worst_cases import halving_mistakes, optimal_mistakes, vc_dimension

BITS = 3
EXAMPLES = (4, 16, 64, 256)  # (R / gamma)^2 of the adversary with orthonormal examples
QUICK_EXAMPLES = (4, 16)


class Paid(NamedTuple):
    """Mistakes of each learner against the adversary of a bound, or of a class."""

    bound: int
    mistakes: dict[str, int]


def classes(is_quick: bool) -> dict[str, ConceptClass]:
    """Return those that are compared."""
    found = {
        f"monotone conjunctions, n = {BITS}": monotone_conjunctions(BITS),
        f"conjunctions, n = {BITS}": conjunctions(BITS),
        f"decision lists, n = {BITS}": decision_lists(BITS),
        f"trees of 2 tests, n = {BITS}": decision_trees(BITS, 2),
        f"trees of 3 tests, n = {BITS}": decision_trees(BITS, 3),
    }
    return found if is_quick else found | {"conjunctions, n = 4": conjunctions(4)}


def worst_cases(concepts: ConceptClass) -> WorstCases:
    """Compute the numbers of a class."""
    found = vc_dimension(concepts), optimal_mistakes(concepts), halving_mistakes(concepts)
    return WorstCases(len(concepts), *found)


def learners(fit_intercept: bool) -> dict[str, Any]:
    """Return learners that have learned nothing yet."""
    options: dict[str, Any] = {"hypothesis": "last", "fit_intercept": fit_intercept, "random_state": 0}
    return {
        "perceptron": Perceptron(**options),
        "passive-aggressive": PassiveAggressive(scale=False, **options),
        "Pegasos": Pegasos(learning_rate=inf, scale=False, **options),
        "AROW": Arow(scale=False, **options),
    }


def against_orthonormal(examples: int) -> Paid:
    """Let everybody play against orthonormal examples: the bound is their number."""
    found = {
        name: play(learner, Orthonormal(examples**-0.5)).mistakes for name, learner in learners(False).items()
    }
    return Paid(examples, found)


def against_class(concepts: ConceptClass, n: int) -> Paid:
    """Let everybody play against the worst case of a class."""
    players = {"best learner": Optimal(concepts), "halving": Halving(concepts), **learners(True)}
    X = concepts.bits(n)
    found = {name: play(player, WorstCase(concepts, X)).mistakes for name, player in players.items()}
    return Paid(optimal_mistakes(concepts), found)


def table_of_classes(found: dict[str, WorstCases]) -> Table:
    """Lay the numbers of the classes out."""
    out = Table(title="Worst-case mistakes of concept classes over n bits", title_justify="left")
    out.add_column("class")
    for column in ("concepts", "VC dimension", "best learner", "halving", "log2 |C|"):
        out.add_column(column, justify="right")
    for name, each in found.items():
        numbers = each.vc_dimension, each.optimal, each.halving
        out.add_row(name, f"{each.size:,}", *map(str, numbers), f"{each.log_size:.2f}")
    return out


def table_of_games(title: str, first: str, least: str, found: dict[str, Paid]) -> Table:
    """Lay games out, one row each."""
    out = Table(title=title, title_justify="left")
    out.add_column(first)
    players = next(iter(found.values())).mistakes
    for column in (least, *players):
        out.add_column(column, justify="right")
    for name, each in found.items():
        out.add_row(name, str(each.bound), *(str(each.mistakes[player]) for player in players))
    return out


def reproduce(asked: Asked) -> Outcome:
    """Compute the worst cases, and let learners play."""
    some = classes(asked.quick)
    numbers = {name: worst_cases(some[name]) for name in asked.show(some, "Classes")}
    sizes = QUICK_EXAMPLES if asked.quick else EXAMPLES
    straight = {f"{n}": against_orthonormal(n) for n in asked.show(sizes, "Games")}
    small = {name: each for name, each in some.items() if each.points == 1 << BITS}
    games = {name: against_class(each, BITS) for name, each in small.items()}
    most = straight[f"{sizes[-1]}"]
    return Outcome(
        comparisons=[
            Comparison(
                f"mistakes of the perceptron on {most.bound} orthonormal examples, beside (R / gamma)^2",
                most.mistakes["perceptron"],
                most.bound,
                unit="",
                higher_is_better=None,
                close=0,
                source="no learner makes fewer mistakes, and the perceptron no more than (R / gamma)^2",
                kind=THEORY,
            )
        ],
        tables=[
            table_of_classes(numbers),
            table_of_games("Mistakes against orthonormal examples", "examples", "bound", straight),
            table_of_games("Mistakes against the worst case of a class", "class", "unavoidable", games),
        ],
        pictures={"worst-cases": lambda: GamesDisplay(numbers).plot().figure_},
        notes=[
            "VC dimension <= mistakes of the best learner <= mistakes of halving <= log2 |C|: the VC "
            "dimension is a lower bound of the mistakes, not an upper one.",
            "The adversary of a class is the best one against the best learner; against the others there "
            "may be a better one.",
        ],
        figures={
            "classes": {name: each._asdict() for name, each in numbers.items()},
            "orthonormal": {name: each._asdict() for name, each in straight.items()},
            "games": {name: each._asdict() for name, each in games.items()},
        },
    )
