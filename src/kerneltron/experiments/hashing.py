"""What hashing costs: norms, inner products and distances against the number of slots, and accuracy.

Run as `python -m kerneltron.experiments.hashing [--picture PATH]`. Accuracies are those on the newsgroups, if
KERNELTRON_DATA names a folder that has them, else on generated mail.
"""

import argparse
import gzip
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from kerneltron import Hasher, LogisticRegression
from kerneltron._types import Anything, Floats, Integers
from kerneltron.datasets.mail import generate_mail, records
from kerneltron.engine.text.hashing import hash_texts
from kerneltron.plots.hashing import Deviation

BITS = tuple(range(6, 19, 2))
WORDS = (100, 1000, 10_000)  # distinct features of a vector
FUNCTIONS = 200  # hash functions that a deviation is taken over
PAIR = 1000  # features of vectors whose inner products and distances are taken
POINTS = (10, 100, 1000)  # whose distances are compared
WORD = re.compile(r"\w+|[!?$%]")


class Results(NamedTuple):
    """Deviations by number of bits."""

    norms: dict[int, dict[int, Deviation]]  # and by number of features
    signed: dict[int, Deviation]
    unsigned: dict[int, Deviation]
    distances: dict[int, dict[int, float]]  # the largest relative error of all pairs, by number of points


class Accuracy(NamedTuple):
    """Test accuracy with a dictionary of this many words, and hashed by number of bits."""

    data: str
    words: int
    exact: float
    hashed: dict[int, float]


class Documents(NamedTuple):
    """The words and the label of each document to train on and to test on."""

    name: str
    X: list[list[str]]
    y: Anything
    X_test: list[list[str]]
    y_test: Anything


def zipf_vector(random: np.random.Generator, n: int) -> Floats:
    """Return a vector of length 1 whose entries fall like those of word counts, in a random order."""
    x = random.permutation(1 / np.sqrt(np.arange(1, n + 1)))
    return np.asarray(x / np.linalg.norm(x))


def hash_functions(n: int) -> Integers:
    """Return the hash of features 0 .. n - 1 by each of many functions; the namespace chooses one."""
    names = [f"{function}^{i}".encode() for function in range(FUNCTIONS) for i in range(n)]
    return hash_texts(names).astype(np.int32).astype(np.int64).reshape(FUNCTIONS, n)


def hashed(x: Floats, h: Integers, bits: int, signed: bool = True) -> Floats:
    """Return the hashed form of a vector."""
    return np.asarray(
        np.bincount(np.abs(h) % 2**bits, np.where((h < 0) & signed, -x, x), 2**bits), np.float64
    )


def predicted(x: Floats, z: Floats, bits: int) -> float:
    """Return sqrt((1/m)(sum over i != j of x_i^2 z_j^2 + x_i z_i x_j z_j)), the standard deviation."""
    total = np.sum(x**2) * np.sum(z**2) + (x @ z) ** 2 - 2 * np.sum(x**2 * z**2)
    return float(np.sqrt(total / 2**bits))


def inner_product(x: Floats, z: Floats, functions: Integers, bits: int, signed: bool = True) -> Deviation:
    """Compare the inner product of two vectors with that of their hashed forms."""
    found = [hashed(x, h, bits, signed) @ hashed(z, h, bits, signed) - x @ z for h in functions]
    return Deviation(float(np.mean(found)), float(np.std(found)), predicted(x, z, bits))


def largest_error(points: Floats, h: Integers, bits: int) -> float:
    """Return the largest relative error of a squared distance, over all pairs and one hash function."""
    slots, signs = np.abs(h) % 2**bits, np.where(h < 0, -1.0, 1.0)
    meeting = (slots[:, None] == slots) * signs[:, None] * signs
    errors = []
    for products in (points @ points.T, points @ meeting @ points.T):
        squares = np.diag(products)
        errors.append(squares[:, None] + squares - 2 * products)
    above = np.triu_indices(len(points), 1)
    return float(np.max(np.abs(errors[1][above] / errors[0][above] - 1)))


def deviations(bits: Sequence[int] = BITS, words: Sequence[int] = WORDS) -> Results:
    """Measure everything."""
    random = np.random.default_rng(0)
    vectors = {n: zipf_vector(random, n) for n in words}
    functions = {n: hash_functions(n) for n in {*words, PAIR}}
    x, z = zipf_vector(random, PAIR), zipf_vector(random, PAIR)
    points = np.stack([zipf_vector(random, PAIR) for _ in range(max(POINTS))])
    return Results(
        {n: {size: inner_product(v, v, functions[n], size) for size in bits} for n, v in vectors.items()},
        {size: inner_product(x, z, functions[PAIR], size) for size in bits},
        {size: inner_product(x, z, functions[PAIR], size, signed=False) for size in bits},
        {n: {size: largest_error(points[:n], functions[PAIR][0], size) for size in bits} for n in POINTS},
    )


def accuracies(data: Documents, bits: Sequence[int]) -> Accuracy:
    """Compare hashed words with a dictionary of the same words: the same data, the same learner."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.preprocessing import normalize

    dictionary = CountVectorizer(analyzer=list, dtype=np.float32)
    exact = [normalize(dictionary.fit_transform(data.X)), normalize(dictionary.transform(data.X_test))]

    def accuracy(X: Any, X_test: Any) -> float:
        learner = LogisticRegression(passes=5, random_state=0).fit(X, data.y)
        return float(learner.score(X_test, data.y_test))

    hashers = {size: Hasher(bits=size, normalize=True) for size in bits}
    found = {
        size: accuracy(*map(hasher.transform, (data.X, data.X_test))) for size, hasher in hashers.items()
    }
    return Accuracy(data.name, len(dictionary.vocabulary_), accuracy(*exact), found)


def newsgroups(folder: Path) -> Documents:
    """Return the words of the newsgroups, split by date."""
    parts: list[Any] = []
    for name in ("train", "test"):
        with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
            documents = [json.loads(line) for line in file]
        words = [WORD.findall(document["text"].lower()) for document in documents]
        parts += [words, np.array([document["label"] for document in documents])]
    return Documents("newsgroups", *parts)


def mail() -> Documents:
    """Return the words of generated mail."""
    corpus = generate_mail(users=500, seed=0)
    parts: list[Any] = []
    for part in (corpus.training, corpus.test):
        parts += [[record["text"].split() for record in records(part)], part.labels]
    return Documents("generated mail", *parts)


def tables(results: Results, accuracy: Accuracy) -> list[Table]:
    """Lay the results out."""
    first = Table(title="Inner product of two vectors of length 1 with 1,000 features", title_justify="left")
    for column in ("bits", "signed: bias", "deviation", "predicted", "unsigned: bias"):
        first.add_column(column, justify="right")
    for size, (bias, deviation, expected) in results.signed.items():
        numbers = (bias, deviation, expected, results.unsigned[size].bias)
        first.add_row(f"{size}", *(f"{number:.4f}" for number in numbers))
    second = Table(
        title=f"Test accuracy on {accuracy.data}, {accuracy.words:,} words, with a dictionary "
        f"{100 * accuracy.exact:.2f} %",
        title_justify="left",
    )
    for column in ("bits", "hashed", "points"):
        second.add_column(column, justify="right")
    for size, found in accuracy.hashed.items():
        second.add_row(f"{size}", f"{100 * found:.2f} %", f"{100 * (found - accuracy.exact):+.2f}")
    return [first, second]


def main() -> None:
    """Print the tables and, if asked, save the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", type=Path, help="save a picture of the deviations here")
    arguments = parser.parse_args()
    folder = Path(os.environ.get("KERNELTRON_DATA", ""), "newsgroups")
    data = newsgroups(folder) if folder.is_dir() else mail()
    results, accuracy = deviations(), accuracies(data, (10, 12, 14, 16, 18, 20))
    console = Console()
    for table in tables(results, accuracy):
        console.print(table)
    if arguments.picture:
        from kerneltron.plots.hashing import draw_hashing

        arguments.picture.parent.mkdir(parents=True, exist_ok=True)
        figure = draw_hashing(results.norms, results.signed, results.unsigned, results.distances)
        figure.savefig(arguments.picture)
        console.print(f"Picture saved as {arguments.picture}")


if __name__ == "__main__":
    main()
