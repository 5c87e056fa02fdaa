"""Shakespeare by pairs of words: comedy or tragedy, Hamlet or Falstaff, by hashing and by a kernel.

`kerneltron reproduce shakespeare` counts the words of the plays, beside the counts of a lecture, and lets
two learners tell sentences apart. Both see the same sentences of ten words or more, as words and pairs of
adjacent words, scaled to length 1: one hashes them into 2^b slots and keeps a weight for each, the other
compares sentences by `Spectrum(2, blended=True)` and remembers some. They differ by the collisions of slots
alone.

A quarter of the scenes is kept to test on, and no scene is on both sides. In one problem these are whole
plays: then the names of persons and places, which tell much within a play, tell nothing. The rule and the
number of passes are chosen for each way by the errors on a quarter of the training scenes (or plays), after
learning from the others; then it learns from all of them. The test part has no say in that.

With `--full` there are more passes to choose from.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from rich import box
from rich.table import Table

from kerneltron import Hasher, PassiveAggressive, Perceptron
from kerneltron.datasets.plays import (
    COMEDY,
    TRAGEDY,
    Census,
    Speech,
    census,
    load_plays,
    sentences,
    speeches,
    words,
)
from kerneltron.experiments.experiment import Asked, Comparison, Outcome
from kerneltron.kernels import Spectrum

LEAST_WORDS = 10  # of a sentence that is learned from
TEST = 1 / 4  # of the scenes or plays
PASSES = (1, 3, 10)
BITS = (12, 16, 20)
KERNEL = Spectrum(2, blended=True).normalized()
PUBLISHED: dict[str, Any] = {"scale": False, "hypothesis": "average"}
RULES: dict[str, Any] = {"Perceptron": Perceptron, "PA-I": partial(PassiveAggressive, **PUBLISHED)}
PERSONS = ("HAMLET", "FALSTAFF")
QUICK = 4  # plays of each genre
LECTURE = {"N": 884_647, "V": 29_066, "V^2": 844_000_000}  # all that it says, the last one rounded
COUNTS_CLOSE = 0.01  # of a count, as far as ours may be from it
EDITIONS = "the lecture does not say which edition it counts, nor what a word is"
CHOSEN = "Rule and passes were chosen by the errors on a quarter of the training scenes or plays."


class Unit(NamedTuple):
    """A sentence to learn from or to test on."""

    words: list[str]
    label: str
    group: tuple[str, int]  # the play, and the scene if scenes are kept apart, else 0


class Problem(NamedTuple):
    """Units of two kinds to be told apart."""

    name: str
    training: list[Unit]
    test: list[Unit]

    @property
    def majority(self) -> float:
        """The test error of the label that is more frequent in training."""
        labels = [unit.label for unit in self.training]
        usual = max(sorted(set(labels)), key=labels.count)
        return float(np.mean([unit.label != usual for unit in self.test]))


class Way(NamedTuple):
    """How sentences are compared: as hashed rows, or by the kernel if there is no hasher."""

    name: str
    hasher: Hasher | None

    def read(self, units: Sequence[Unit]) -> Any:
        """Return what the learner is handed."""
        texts = [unit.words for unit in units]
        return texts if self.hasher is None else self.hasher.transform(texts)

    def learner(self, rule: str, passes: int, callback: Any = None) -> Any:
        """Return a learner."""
        form: dict[str, Any] = {"kernel": KERNEL, "representation": "dual"} if self.hasher is None else {}
        return RULES[rule](passes=passes, random_state=0, callback=callback, **form)


class Figures(NamedTuple):
    """What became of one way with the setting that was chosen for it."""

    way: str
    rule: str
    passes: int
    training_error: float
    test_error: float
    remembered: int | None  # sentences; None where weights are kept
    seconds: float  # to hash or to compare, and to learn


def units_of(
    said: Iterable[Speech], label: Callable[[Speech], str | None], whole_plays: bool = False
) -> list[Unit]:
    """Return the long sentences of the speeches that have a label."""
    found = []
    for speech in said:
        answer = label(speech)
        if answer is not None:
            group = (speech.play, 0 if whole_plays else speech.scene)
            texts = [words(sentence) for sentence in sentences(speech.text)]
            found += [Unit(text, answer, group) for text in texts if len(text) >= LEAST_WORDS]
    return found


def parted(units: Sequence[Unit], share: float = TEST, seed: int = 0) -> tuple[list[Unit], list[Unit]]:
    """Return the units outside and inside of groups drawn until they hold a share of each label's units."""
    sizes: dict[str, Counter[tuple[str, int]]] = {}
    for unit in units:
        sizes.setdefault(unit.label, Counter())[unit.group] += 1
    random = np.random.default_rng(seed)
    drawn: set[tuple[str, int]] = set()
    for label in sorted(sizes):
        groups, wanted = sorted(sizes[label]), share * sizes[label].total()
        for place in random.permutation(len(groups)).tolist():
            if sum(sizes[label][group] for group in drawn) < wanted:
                drawn.add(groups[place])
    outside = [unit for unit in units if unit.group not in drawn]
    return outside, [unit for unit in units if unit.group in drawn]


def problems(said: Sequence[Speech], persons: tuple[str, str] = PERSONS) -> list[Problem]:
    """Return the three problems."""

    def genre(speech: Speech) -> str | None:
        return speech.genre if speech.genre in (COMEDY, TRAGEDY) else None

    def person(speech: Speech) -> str | None:
        return speech.speaker if speech.speaker in persons else None

    either = " or ".join(person.title() for person in persons)
    by_problem = {
        "Comedy or tragedy, scenes kept apart": units_of(said, genre),
        "Comedy or tragedy, plays kept apart": units_of(said, genre, whole_plays=True),
        f"{either}, scenes kept apart": units_of(said, person),
    }
    return [Problem(name, *parted(units)) for name, units in by_problem.items()]


def ways(bits: Sequence[int] = BITS) -> list[Way]:
    """Return what is compared."""
    hashers = {size: Hasher(bits=size, ngrams=2, normalize=True, lowercase=False) for size in bits}
    return [*(Way(f"hashed, {size} bits", hasher) for size, hasher in hashers.items()), Way("kernel", None)]


def choose(way: Way, problem: Problem, passes: Sequence[int] = PASSES) -> tuple[str, int]:
    """Return the rule and the number of passes with the fewest errors on held-out training units."""
    training, held_out = parted(problem.training, seed=1)
    X, y = way.read(training), [unit.label for unit in training]
    X_held, y_held = way.read(held_out), [unit.label for unit in held_out]
    errors: dict[tuple[str, int], float] = {}
    for rule in RULES:

        def look(fitted: Any, report: Any, rule: str = rule) -> None:
            if report.number in passes:
                errors[rule, report.number] = 1 - fitted.score(X_held, y_held)

        way.learner(rule, max(passes), look).fit(X, y)
    return min(errors, key=errors.__getitem__)


def judge(way: Way, problem: Problem, passes: Sequence[int] = PASSES) -> Figures:
    """Choose a setting, learn with it from all training units, and test."""
    rule, number = choose(way, problem, passes)
    y, y_test = ([unit.label for unit in part] for part in (problem.training, problem.test))
    start = perf_counter()  # all is compiled by now
    X = way.read(problem.training)
    learner = way.learner(rule, number).fit(X, y)
    seconds = perf_counter() - start
    return Figures(
        way.name,
        rule,
        number,
        training_error=1 - float(learner.score(X, y)),
        test_error=1 - float(learner.score(way.read(problem.test), y_test)),
        remembered=learner.support_.size if way.hasher is None else None,
        seconds=seconds,
    )


def census_table(counted: Census) -> Table:
    """Lay the counts of the plays out, beside those that the lecture gives."""
    out = Table(title="How much is said in the plays", title_justify="left")
    out.add_column("")
    out.add_column("count", justify="right")
    out.add_column("in the lecture", justify="right")
    out.add_row("words (N)", f"{counted.tokens:,}", f"{LECTURE['N']:,}")
    out.add_row("different words (V)", f"{counted.types:,}", f"{LECTURE['V']:,}")
    out.add_row("possible pairs (V^2)", f"{counted.possible:,}", f"{LECTURE['V^2'] // 10**6} million")
    out.add_row("pairs seen", f"{counted.bigrams:,}", "")
    out.add_row("share of them", f"{100 * counted.bigrams / counted.possible:.3f} %", "")
    return out


def table(problem: Problem, rows: Sequence[Figures]) -> Table:
    """Lay the figures of one problem out."""
    out = Table(
        title=f"{problem.name}\n{len(problem.training):,} sentences to learn from, {len(problem.test):,} to "
        f"test on; majority {100 * problem.majority:.1f} %",
        title_justify="left",
        box=box.SIMPLE,
        padding=0,
    )
    out.add_column("", no_wrap=True)
    out.add_column("rule", no_wrap=True)
    for column in ("passes", "training", "test error", "remembered", "seconds"):
        out.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        out.add_row(
            row.way,
            row.rule,
            f"{row.passes}",
            f"{100 * row.training_error:.1f} %",
            f"{100 * row.test_error:.1f} %",
            "-" if row.remembered is None else f"{row.remembered:,}",
            f"{row.seconds:.1f}",
        )
    return out


def fewer(said: Sequence[Speech]) -> list[Speech]:
    """Return some plays: those with Hamlet and Falstaff, and of each genre enough to keep one apart."""
    plays: dict[str, list[str]] = {}
    for speech in said:
        if speech.play not in plays.setdefault(speech.genre, []):
            plays[speech.genre].append(speech.play)
    chosen = {play for genre in (COMEDY, TRAGEDY) for play in plays.get(genre, [])[:QUICK]}
    chosen |= {"hamlet", "1henryiv", "2henryiv"}
    return [speech for speech in said if speech.play in chosen]


def counts(counted: Census) -> list[Comparison]:
    """Set the counts of words beside those of the lecture."""

    def compared(what: str, ours: float, published: float, unit: str) -> Comparison:
        close = COUNTS_CLOSE * published
        return Comparison(
            what,
            ours,
            published,
            unit,
            higher_is_better=None,
            close=close,
            reason=EDITIONS,
            source="a lecture's counts",
        )

    return [
        compared("words (N)", counted.tokens, LECTURE["N"], ""),
        compared("different words (V)", counted.types, LECTURE["V"], ""),
        compared("possible pairs (V^2)", counted.possible / 1e6, LECTURE["V^2"] / 1e6, "million"),
    ]


def errors(problem: Problem, rows: Sequence[Figures]) -> list[Comparison]:
    """Return the test errors of the most bits and of the kernel, which nobody has published."""
    return [Comparison(f"{problem.name}, {row.way}: test error", 100 * row.test_error) for row in rows[-2:]]


def reproduce(asked: Asked) -> Outcome:
    """Count words, and tell sentences apart by hashing and by the kernel; `full` tries more passes."""
    said = [speech for play in load_plays() for speech in speeches(play)]
    counted = census(said)
    comparisons, tables, results = counts(counted), [census_table(counted)], {}
    for problem in problems(fewer(said) if asked.quick else said):
        work = asked.show(ways(), problem.name)
        rows = [judge(way, problem, PASSES if asked.full else PASSES[:2]) for way in work]
        comparisons += errors(problem, rows)
        tables.append(table(problem, rows))
        results[problem.name] = [row._asdict() for row in rows]
    figures = {"census": counted._asdict(), "problems": results}
    close = f"Counts are called the same within {100 * COUNTS_CLOSE:g} %."
    return Outcome(comparisons, tables, notes=[close, CHOSEN], figures=figures)
