"""Hashed words beside a dictionary of the same words: the same documents, the same learner."""

import gzip
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kerneltron import Hasher, LogisticRegression
from kerneltron._types import Anything
from kerneltron.datasets.mail import generate_mail, records

WORD = re.compile(r"\w+|[!?$%]")


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


def accuracies(data: Documents, bits: Sequence[int]) -> Accuracy:
    """Compare hashed words with a dictionary of the same words."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.preprocessing import normalize

    dictionary = CountVectorizer(analyzer=list, dtype=np.float32)
    exact = [normalize(dictionary.fit_transform(data.X)), normalize(dictionary.transform(data.X_test))]

    def accuracy(X: Any, X_test: Any) -> float:
        learner = LogisticRegression(
            learning_rate=0.5, passes=5, scale=False, hypothesis="average", random_state=0
        ).fit(X, data.y)
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
