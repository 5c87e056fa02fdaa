"""Text as sparse rows: newsgroups where KERNELTRON_DATA names their folder, else words drawn after Zipf."""

import gzip
import json
import os
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.feature_extraction.text import HashingVectorizer, TfidfTransformer

ROWS = 11_314
WIDTH = 2**14  # columns that words are hashed to: dense, the rows take 0.7 GB
TOPICS = 20
WORDS = 200  # in a generated document


class Text(NamedTuple):
    """A CSR matrix of float32 rows of length 1, and a topic for each."""

    name: str
    X: Any
    y: NDArray[Any]


@lru_cache(maxsize=1)
def text(rows: int) -> Text:
    """Return at most `rows` documents, in a random order."""
    path = Path(os.environ.get("KERNELTRON_DATA", ""), "newsgroups", "train.jsonl.gz")
    return _read(path, rows) if path.is_file() else generated_text(rows)


def generated_text(rows: int) -> Text:
    """Return documents whose words are drawn, whatever data there are."""
    return _weighted(*_generate(rows), rows)


def _weighted(name: str, counts: Any, y: NDArray[Any], rows: int) -> Text:
    """Return some documents in a random order, as tf-idf rows."""
    chosen = np.random.default_rng(0).permutation(len(y))[:rows]
    X = TfidfTransformer(sublinear_tf=True).fit_transform(counts[chosen])
    return Text(name, sp.csr_matrix(X, dtype=np.float32), y[chosen])


def _read(path: Path, rows: int) -> Text:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        documents = [json.loads(line) for line in file]
    hashing = HashingVectorizer(n_features=WIDTH, alternate_sign=False, norm=None)
    counts = hashing.transform(document["text"] for document in documents)
    return _weighted("newsgroups", counts, np.array([document["label"] for document in documents]), rows)


def _generate(rows: int) -> tuple[str, Any, NDArray[Any]]:
    """Draw words by 1 / rank, each third one from ranks that the topic has shuffled for itself."""
    random = np.random.default_rng(0)
    frequencies = 1 / np.arange(1, WIDTH + 1)
    words = random.choice(WIDTH, (rows, WORDS), p=frequencies / frequencies.sum())
    y = random.integers(0, TOPICS, rows)
    ranks = np.array([random.permutation(WIDTH) for _ in range(TOPICS)])
    words[:, ::3] = ranks[y[:, None], words[:, ::3]]
    places = np.repeat(np.arange(rows), WORDS), words.ravel()
    return "generated text", sp.csr_matrix((np.ones(words.size), places), (rows, WIDTH)), y
