"""The data sets of the table by kind, each parted into rows to learn from and rows to test on."""

from collections.abc import Callable, Collection, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit, train_test_split

from benchmarks.defaults import generated, structures, tables, texts
from kerneltron._validate import rows_of
from kerneltron.datasets import Split
from kerneltron.kernels import Kernel

TABLES, STREAMS, TEXT, STRUCTURES = KINDS = ("tables", "streams", "text", "structures")
ROWS, TEST_ROWS = 2_000, 2_000  # to learn from and to test on, at most
QUICK_ROWS = 150
SPLITS, QUICK_SPLITS = 10, 2  # of small sets
SMALL = 1_000  # rows below which a set is split several times
TESTED = 1 / 3  # of a set that comes in one piece
HELD_OUT = 1 / 4  # of the training rows, to choose by


class DataSet(NamedTuple):
    """A set with one split, or several of the same rows where these are few."""

    name: str
    kind: str
    splits: tuple[Split, ...]
    kernels: tuple[Kernel, ...] = ()  # over structures: the one that stands in the table, then others to try

    @property
    def classes(self) -> Any:
        """The labels of all training rows."""
        return np.unique(self.splits[0].y)


# Tables and strings come in one piece as (X, y), or parted as (X, y, X_test, y_test).
LOADERS: dict[str, dict[str, Callable[[], tuple[Any, ...]]]] = {
    TABLES: {
        "spambase": tables.spambase,
        "a9a": tables.a9a,
        "mnist": tables.mnist,
        "breast cancer": tables.breast_cancer,
        "wine": tables.wine,
        "iris": tables.iris,
        "digits": tables.digits,
        "awkward scales": generated.awkward_scales,
        "rare classes": generated.rare_classes,
        "label noise": generated.label_noise,
        "letters": generated.letters,
    },
    STREAMS: {"drift": generated.drift, "prices": generated.prices},
    TEXT: {
        "sms": texts.messages,
        "newsgroups": texts.newsgroups,
        "questions": texts.questions,
        "shakespeare": texts.plays,
    },
    STRUCTURES: {"splice": structures.splice, "nci1": structures.molecules, "trees": structures.trees},
}
GENERATED = ("awkward scales", "rare classes", "label noise", "letters", "drift", "prices")


def names(kind: str | None = None) -> list[str]:
    """Return the names of all sets, or of those of a kind."""
    if kind is not None and kind not in LOADERS:
        raise ValueError(f"kind={kind!r} is not one of {', '.join(KINDS)}.")
    return [name for each in LOADERS if kind in (None, each) for name in LOADERS[each]]


def available(
    kind: str | None = None, quick: bool = False, only: Collection[str] | None = None
) -> Iterator[DataSet]:
    """Yield the sets, or those of a kind or name; those whose data are not there are left out."""
    for name in names(kind):
        if only is None or name in only:
            try:
                yield load(name, quick)
            except FileNotFoundError:
                continue


@cache
def load(name: str, quick: bool = False) -> DataSet:
    """Return a set, in `quick` runs with few of its rows."""
    kind = next(kind for kind, loaders in LOADERS.items() if name in loaders)
    found = LOADERS[kind][name]()
    kernels = structures.KERNELS.get(name, ())
    rows, test_rows = (QUICK_ROWS, QUICK_ROWS) if quick else (ROWS, TEST_ROWS)
    splits = tuple(cut(split, rows, test_rows) for split in _parted(kind, found, quick))
    return DataSet(name, kind, splits, kernels)


def held_out(data: DataSet) -> DataSet:
    """Return a set that is made of the training rows alone: a part of them is tested on."""
    return data._replace(splits=tuple(_held_out(split, data.kind) for split in data.splits))


def _held_out(split: Split, kind: str) -> Split:
    places = np.arange(len(split.y))
    if kind == STREAMS:  # what comes later is tested on
        learn, test = np.split(places, [round((1 - HELD_OUT) * places.size)])
    else:
        learn, test = _stratified(places, split.y, HELD_OUT)
    return Split(rows_of(split.X, learn), split.y[learn], rows_of(split.X, test), split.y[test])


def _stratified(places: Any, y: Any, share: float) -> Any:
    """Part the places at random, with the same share of each class that has two members or more."""
    _, kinds, counts = np.unique(y, return_inverse=True, return_counts=True)
    kinds = np.where(counts[kinds] < 2, counts.argmax(), kinds)
    return train_test_split(places, test_size=share, random_state=1, stratify=kinds)


def _parted(kind: str, found: tuple[Any, ...], quick: bool) -> list[Split]:
    if len(found) == 4:
        return [Split(*found)]
    X, y = found
    if kind == STREAMS:
        half = len(y) // 2
        return [Split(X[:half], y[:half], X[half:], y[half:])]
    count = 1 if len(y) >= SMALL else QUICK_SPLITS if quick else SPLITS
    cut = StratifiedShuffleSplit(count, test_size=TESTED, random_state=0)
    return [Split(rows_of(X, a), y[a], rows_of(X, b), y[b]) for a, b in cut.split(np.zeros(len(y)), y)]


def cut(split: Split, rows: int, test_rows: int) -> Split:
    """Return the last rows to learn from and the first to test on: of a stream, those around its middle."""
    learn = np.arange(len(split.y))[-rows:]
    test = np.arange(len(split.y_test))[:test_rows]
    return Split(rows_of(split.X, learn), split.y[learn], rows_of(split.X_test, test), split.y_test[test])
