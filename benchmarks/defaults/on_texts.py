"""Which settings suit texts: `python -m benchmarks.defaults.on_texts [LEARNER ...]`.

Each learner is tried with some settings on held-out training rows of nine sets of texts. Settings are then
chosen on all sets but one, for each one (`evaluating.leaving_out`): what does the choice cost on that one?
Texts become rows as on the command line, in 2^18 slots. docs/texts.md has the figures.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import kerneltron
from benchmarks.defaults import sets, texts
from benchmarks.defaults.evaluating import Outcome, leaving_out, log_error, outcome_of
from benchmarks.defaults.sets import ROWS, TEXT, DataSet
from kerneltron.datasets import Split
from kerneltron.features import Hasher
from kerneltron.learning.methods import METHODS, method

# How words become features: one by one, and with pairs of neighbours.
WORDS: dict[str, Any] = {"damped": True, "normalize": True}
PAIRS = {**WORDS, "ngrams": 2}
# What is tried beside the defaults of a stream: values by parameter, all combinations of which are tried.
TRIED: dict[str, dict[str, Sequence[Any]]] = {
    "alma": {"alpha": (0.5, 0.9)},
    "arow": {"r": (0.1, 1.0, 10.0)},
    "logistic": {"learning_rate": (0.3, 1.0, 3.0)},
    "mira": {"C": (0.1, 1.0)},
    "passive-aggressive": {"C": (0.1, 1.0)},
    "pegasos": {"learning_rate": (0.3, 1.0, 3.0)},
    "perceptron": {"margin": (0.0, 0.3, 1.0)},
    "romma": {"aggressive": (False, True)},
    "winnow": {"balanced": (True,), "threshold": (0.0,), "promotion": (1.5, 2.0)},
}
PASSES = (1, 5, 10)
NEWSGROUPS = {
    "PC or Mac": ("comp.sys.ibm.pc.hardware", "comp.sys.mac.hardware"),
    "guns or politics": ("talk.politics.guns", "talk.politics.misc"),
    "atheism or religion": ("alt.atheism", "talk.religion.misc"),
    "cars or motorcycles": ("rec.autos", "rec.motorcycles"),
    "electronics or space": ("sci.electronics", "sci.space"),
}


def text_sets() -> Iterator[DataSet]:
    """Yield the sets of texts, and pairs of newsgroups: training rows alone, a part of which is tested on."""
    yield from (sets.held_out(data) for data in sets.available(TEXT))
    letters, y, *_ = texts.newsgroups()
    for name, pair in NEWSGROUPS.items():
        places = np.flatnonzero(np.isin(y, pair))[:ROWS]
        some: Any = [letters[place] for place in places]
        yield sets.held_out(DataSet(name, TEXT, (Split(some, y[places], some[:0], y[:0]),)))


def hashed(data: DataSet, words: Mapping[str, Any], signed: bool) -> DataSet:
    """Return a set of texts as rows of features."""
    hasher = Hasher(signed=signed, **words)
    split = data.splits[0]
    rows = [hasher.transform(part) for part in (split.X, split.X_test)]
    return data._replace(splits=(Split(rows[0], split.y, rows[1], split.y_test),))


def candidates(name: str) -> Iterator[tuple[str, Mapping[str, Any], dict[str, Any]]]:
    """Yield what is tried for a learner: a title, how words become features, and parameters."""
    kind = method(name)
    plain = {**kind.on_streams, "passes": 1}
    yield "counts of words, one pass", {}, plain
    tried = TRIED[name]
    for (title, words), values in product(
        (("words", WORDS), ("pairs", PAIRS)), product(*tried.values(), PASSES)
    ):
        given = dict(zip((*tried, "passes"), values, strict=True))
        yield f"{title}, {', '.join(f'{a}={b}' for a, b in given.items())}", words, {**plain, **given}


def study(name: str, data: Sequence[DataSet]) -> dict[str, dict[str, Outcome]]:
    """Return what each candidate makes of each set."""
    make, signed = getattr(kerneltron, METHODS[name].estimator), not method(name).non_negative_only
    ready = {str(words): [hashed(each, words, signed) for each in data] for words in ({}, WORDS, PAIRS)}
    found = {}
    for title, words, parameters in candidates(name):
        learner = partial(make, random_state=0, **parameters)
        found[title] = {each.name: outcome_of(learner, each) for each in ready[str(words)]}
    return found


def show(name: str, found: Mapping[str, Mapping[str, Outcome]]) -> None:
    """Print the errors, their geometric means, and what is chosen where a set is left out."""
    left_out, console = leaving_out(found), Console()
    logs = np.array([[log_error(outcome) for outcome in each.values()] for each in found.values()])
    costs = np.exp((logs - logs.min(axis=0)).mean(axis=1))
    table = Table(name, *left_out, "mean", "times the least")
    for title, mean, cost in zip(found, np.exp(logs.mean(axis=1)), costs, strict=True):
        errors = [outcome.error for outcome in found[title].values()]
        table.add_row(title, *(f"{100 * error:.1f}" for error in (*errors, mean)), f"{cost:.2f}")
    console.print(table)
    for each, (title, cost) in left_out.items():
        console.print(f"without {each}: {title}, which has {cost:.2f} times the least error there")
    mean = np.exp(np.mean([np.log(cost) for _, cost in left_out.values()]))
    console.print(f"what is chosen so has {mean:.2f} times the least error, as the geometric mean")


def main() -> None:
    """Study the learners that are named, or all."""
    data = list(text_sets())
    for name in sys.argv[1:] or TRIED:
        show(name, study(name, data))


if __name__ == "__main__":
    main()
