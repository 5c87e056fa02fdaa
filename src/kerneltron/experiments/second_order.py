"""A second-order learner beside the others: test errors of AROW on texts and on a table.

`kerneltron reproduce second-order` looks for newsgroups, sms_spam and a9a in the folder that KERNELTRON_DATA
names; `--only` picks some of the data. The parameter of each learner is chosen on a fifth of the training
examples that is held out; then it learns from all of them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from math import inf
from typing import Any, NamedTuple

import numpy as np
from rich.table import Table

from kerneltron import Arow, Hasher, LogisticRegression, PassiveAggressive, Pegasos, Perceptron
from kerneltron._types import Anything
from kerneltron.datasets.adult import load_adult
from kerneltron.datasets.folder import find, found_folder, json_lines, lines_of
from kerneltron.experiments.experiment import INCOMPARABLE, Asked, Comparison, Outcome
from kerneltron.experiments.joining import joined
from kerneltron.experiments.origins import advice

PASSES = 10
HELD_OUT = 0.2
FOLDS = 5  # of the messages, which have no test file
QUICK_ROWS, QUICK_PASSES = 1500, 2


class Candidate(NamedTuple):
    """A learner, the parameter to be chosen, and its values; the first is the default."""

    make: Callable[..., Any]
    parameter: str
    values: tuple[float, ...]


LEARNERS = {
    "Perceptron": Candidate(Perceptron, "margin", (0.0, 0.01, 0.1, 1.0)),
    "PassiveAggressive I": Candidate(
        partial(PassiveAggressive, scale=False, hypothesis="average"), "C", (1.0, 0.01, 0.1, 10.0)
    ),
    "PassiveAggressive II": Candidate(
        lambda **more: PassiveAggressive(variant="II", scale=False, hypothesis="average", **more),
        "C",
        (1.0, 0.01, 0.1, 10.0),
    ),
    "LogisticRegression": Candidate(
        lambda **more: LogisticRegression(
            **{"learning_rate": 0.5, **more}, scale=False, hypothesis="average"
        ),
        "learning_rate",
        (0.5, 0.05, 0.1, 2.0),
    ),
    "Pegasos": Candidate(
        lambda **more: Pegasos(learning_rate=inf, scale=False, hypothesis="average", **more),
        "l2",
        (1e-4, 1e-6, 1e-5, 1e-3),
    ),
    "Arow": Candidate(partial(Arow, scale=False, hypothesis="average"), "r", (1.0, 0.01, 0.1, 10.0)),
}


class Split(NamedTuple):
    """Rows to learn from and to test on."""

    X: Any
    y: Anything
    X_test: Any
    y_test: Anything


class Errors(NamedTuple):
    """Test errors of a learner, with the default parameter and the chosen one, and which that is."""

    default: float
    chosen: float
    value: float


def newsgroups(by_date: bool) -> Split:
    """Return newsgroups, hashed: split by date, or at random, four fifths to learn from."""
    folder = found_folder("newsgroups", None, advice("newsgroups"))
    parts = [
        json_lines(find(folder, f"{name}.jsonl", advice("newsgroups")), ("label", "text"))
        for name in ("train", "test")
    ]
    X = Hasher(binary=True, normalize=True).transform([line["text"] for part in parts for line in part])
    y = np.array([line["label"] for part in parts for line in part])
    order = np.arange(y.size) if by_date else np.random.default_rng(0).permutation(y.size)
    size = len(parts[0]) if by_date else round(0.8 * y.size)
    return Split(X[order[:size]], y[order[:size]], X[order[size:]], y[order[size:]])


def messages() -> Iterator[Split]:
    """Yield folds of short messages, hashed with pairs of words."""
    origin = advice("sms_spam")
    path = find(found_folder("sms_spam", None, origin), "SMSSpamCollection", origin)
    labels, texts = zip(*(line.split("\t", 1) for line in lines_of(path)), strict=True)
    X, y = Hasher(ngrams=2, binary=True, normalize=True).transform(list(texts)), np.array(labels)
    fold = np.random.default_rng(0).permutation(y.size) % FOLDS
    for number in range(FOLDS):
        yield Split(X[fold != number], y[fold != number], X[fold == number], y[fold == number])


def adult() -> Split:
    """Return a9a, whose columns are indicators."""
    return Split(*load_adult())


DATA: dict[str, Callable[[], Iterable[Split]]] = {
    "by-date": lambda: [newsgroups(by_date=True)],
    "at-random": lambda: [newsgroups(by_date=False)],
    "sms": messages,
    "a9a": lambda: [adult()],
}
PARTS = tuple(DATA)
TITLES = {
    "by-date": "newsgroups by date",
    "at-random": "newsgroups at random",
    "sms": f"SMS, {FOLDS} folds",
    "a9a": "a9a",
}
GONLINE = "gonline's README: news20, ten unshuffled passes"
HEADERS = (
    "other features and another split: ours read headers, too, and what one author wrote is on both sides of "
    "a split at random."
)
PUBLISHED = {"Perceptron": 79.8, "PassiveAggressive II": 80.1, "Arow": 86.0}  # accuracies in % on news20


def compare(split: Split, candidate: Candidate, passes: int) -> Errors:
    """Choose the parameter on held-out training rows, and test both the default and the chosen one."""
    held_out = np.random.default_rng(1).random(split.y.size) < HELD_OUT

    def error(value: float, X: Any, y: Anything, X_test: Any, y_test: Anything) -> float:
        learner = candidate.make(**{candidate.parameter: value}, passes=passes, random_state=0)
        return 1.0 - float(learner.fit(X, y).score(X_test, y_test))

    here = split.X[~held_out], split.y[~held_out], split.X[held_out], split.y[held_out]
    best = min(candidate.values, key=lambda value: error(value, *here))
    default = error(candidate.values[0], *split)
    return Errors(default, default if best == candidate.values[0] else error(best, *split), best)


def few(split: Split) -> Split:
    """Return some of the rows, to see whether it runs."""
    rows = np.random.default_rng(0).permutation(split.y.size)[:QUICK_ROWS]
    return Split(split.X[rows], split.y[rows], split.X_test[:QUICK_ROWS], split.y_test[:QUICK_ROWS])


def errors_of(name: str, asked: Asked) -> dict[str, list[Errors]]:
    """Return the errors of each learner on a data set, one for each split."""
    splits = [few(split) if asked.quick else split for split in DATA[name]()]
    passes = QUICK_PASSES if asked.quick else PASSES
    return {
        learner: [compare(split, candidate, passes) for split in splits]
        for learner, candidate in asked.show(list(LEARNERS.items()), TITLES[name])
    }


def table(found: dict[str, dict[str, list[Errors]]]) -> Table:
    """Lay the errors out: default / chosen, in percent; the best of each data set is bold."""
    out = Table(title="Test error in %: default parameter / chosen on held-out training examples (which)")
    out.add_column("learner")
    for name in found:
        out.add_column(TITLES[name], justify="right")
    for learner in LEARNERS:
        cells = []
        for by_learner in found.values():
            mean = {key: np.mean([each.chosen for each in errors]) for key, errors in by_learner.items()}
            default = np.mean([each.default for each in by_learner[learner]])
            values = sorted({each.value for each in by_learner[learner]})
            text = f"{100 * default:.2f} / {100 * mean[learner]:.2f} ({', '.join(f'{v:g}' for v in values)})"
            cells.append(f"[bold]{text}[/]" if mean[learner] == min(mean.values()) else text)
        out.add_row(learner, *cells)
    return out


def comparisons(name: str, found: Mapping[str, list[Errors]]) -> list[Comparison]:
    """Return the errors with chosen parameters; newsgroups at random stand beside published accuracies."""
    rows = []
    for learner, errors in found.items():
        chosen = [100 * each.chosen for each in errors]
        spread = float(np.std(chosen)) if len(chosen) > 1 else None
        what = f"{TITLES[name]}, {learner}: test error"
        rows.append(Comparison(what, float(np.mean(chosen)), spread=spread))
        if name == "at-random" and learner in PUBLISHED:
            ours = 100 - 100 * errors[0].default
            what = f"{TITLES[name]}, {learner} with its default: accuracy"
            rows.append(
                Comparison(
                    what,
                    ours,
                    PUBLISHED[learner],
                    higher_is_better=True,
                    reason=HEADERS,
                    source=GONLINE,
                    kind=INCOMPARABLE,
                )
            )
    return rows


def reproduce(asked: Asked) -> Outcome:
    """Choose the parameter of each learner on held-out training examples, and test it."""
    found: dict[str, dict[str, list[Errors]]] = {}

    def one(name: str) -> Outcome:
        found[name] = errors_of(name, asked)
        rows = {learner: [each._asdict() for each in errors] for learner, errors in found[name].items()}
        return Outcome(comparisons(name, found[name]), figures=rows)

    outcome = joined(asked.chosen(PARTS), one)
    return outcome._replace(tables=[table(found)])
