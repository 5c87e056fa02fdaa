"""What mixing is tried on: files of lines that are shuffled, so that any part of them has all classes."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kerneltron.datasets.folder import find, found_folder, json_lines, lines_of
from kerneltron.datasets.mail import Mail, generate_mail, records
from kerneltron.experiments.origins import advice
from kerneltron.stream.formats.vowpal import Vowpal
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels
from kerneltron.stream.reader import Reader
from kerneltron.stream.window import Window, taken

SEED = 0
HELD_OUT = 10  # every tenth training example is left out, to choose settings by
TESTED = 5  # every fifth generated mail
USERS = 1500  # of the generated mail
QUICK_USERS, QUICK_ROWS = 60, 1500  # to see whether it runs
WORD = re.compile(r"\w+|[!?$%]")


class HeldOut(NamedTuple):
    """Examples that nobody learns from, and the names behind the numbers of their labels."""

    windows: list[Window]
    labels: Labels


class Lines(NamedTuple):
    """Examples in Vowpal Wabbit's format."""

    training: Sequence[str]
    test: Sequence[str]


class Problem:
    """A file to learn from, and two to be judged on.

    Parameters
    ----------
    name
        What tables call it.
    folder
        Where the files `training.vw`, `validation.vw` and `test.vw` are.
    hashing
        How words become features.
    """

    def __init__(self, name: str, folder: Path, hashing: Hashing) -> None:
        self.name, self.folder, self._hashing = name, folder, hashing
        self._read: dict[tuple[str, bool], HeldOut] = {}

    @property
    def training(self) -> str:
        """The file to learn from."""
        return str(self.folder / "training.vw")

    def hashing(self, signed: bool) -> Hashing:
        """Return how words become features; Winnow takes no negative ones."""
        return replace(self._hashing, signed=signed)

    def held_out(self, part: str, signed: bool) -> HeldOut:
        """Return the examples of "validation" or "test", which are read once."""
        key = part, signed
        if key not in self._read:
            labels = Labels()
            reader = Reader([str(self.folder / f"{part}.vw")], Vowpal(), self.hashing(signed), labels)
            windows = [taken(window, np.arange(window.size)) for window in reader.windows()]
            self._read[key] = HeldOut(windows, labels)
        return self._read[key]

    def classes(self) -> list[str]:
        """Return all labels."""
        return sorted(self.held_out("test", True).labels.names)


def written(name: str, lines: Lines, hashing: Hashing, folder: Path) -> Problem:
    """Write the files of a problem, in a random order that is always the same.

    The order decides which shard an example belongs to, as shards are parts of the file: newsgroups come
    sorted by group, and a shard of one group would forget all others.
    """
    folder.mkdir(parents=True)
    order = np.random.default_rng(SEED).permutation(len(lines.training))
    shuffled = [lines.training[i] for i in order.tolist()]
    count = len(shuffled) // HELD_OUT
    parts = {"validation": shuffled[:count], "training": shuffled[count:], "test": lines.test}
    for part, some in parts.items():
        (folder / f"{part}.vw").write_text("".join(f"{line}\n" for line in some), encoding="utf-8")
    return Problem(name, folder, hashing)


def mail(users: int = USERS) -> Lines:
    """Return generated mail, with the user and the words of each; every fifth is to test on.

    The test mail of the generator would not do: spammers' accounts have no part in it. What they vouch for
    is 2 % of the training mail, and a learner that is mixed of 8 shards may miss nearly all of that (AROW 90
    %, serially 19 %), so that it would look as good as serial training where it is not.
    """
    lines = _mail_lines(generate_mail(users=users, seed=SEED).training)  # in a random order
    count = len(lines) // TESTED
    return Lines(lines[count:], lines[:count])


def _mail_lines(some: Mail) -> list[str]:
    return [
        f"{2 * label - 1} |u {record['user']} |t {record['text']}"
        for label, record in zip(some.labels.tolist(), records(some), strict=True)
    ]


def newsgroups(folder: Path) -> Lines:
    """Return the words of the newsgroups, split by date."""

    def lines(part: str) -> list[str]:
        documents = json_lines(find(folder, f"{part}.jsonl", advice("newsgroups")), ("label", "text"))
        return [f"{each['label']} | {' '.join(WORD.findall(each['text'].lower()))}" for each in documents]

    return Lines(lines("train"), lines("test"))


def a9a(folder: Path) -> Lines:
    """Return the rows of Adult, which have a few features each, all of value 1."""

    def lines(part: str) -> list[str]:
        rows = lines_of(find(folder, part, advice("a9a")))
        return [row.strip().replace(" ", " | ", 1) for row in rows]

    return Lines(lines("a9a"), lines("a9a.t"))


FROM_FOLDERS: dict[str, tuple[Callable[[Path], Lines], Hashing]] = {
    "newsgroups": (newsgroups, Hashing(bits=16, normalize=True)),
    "a9a": (a9a, Hashing(bits=14)),
}
NAMES = ("mail", *FROM_FOLDERS)


def problem_of(name: str, folder: Path, quick: bool = False) -> Problem:
    """Write the files of generated mail, or of data below KERNELTRON_DATA, into a folder; fewer if quick."""
    if name == "mail":
        return written(name, mail(QUICK_USERS if quick else USERS), Hashing(bits=18), folder / name)
    read, hashing = FROM_FOLDERS[name]
    lines = read(found_folder(name, None, advice(name)))
    if quick:
        lines = Lines(lines.training[:QUICK_ROWS], lines.test[:QUICK_ROWS])
    return written(name, lines, hashing, folder / name)
