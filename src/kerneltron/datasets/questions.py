"""TREC questions: 5,452 to train on and 500 to test on, with what kind of answer they ask for.

The classes are ABBR (an abbreviation), DESC (a description), ENTY (a thing), HUM (a person), LOC (a place)
and NUM (a number). Two dependency trees come with each question, as Croce, Moschitti and Basili (2011) make
them: in the grammatical relation centred tree (grct) words hang below their part of speech and relation, in
the lexical centred tree (lct) these hang below the words.
"""

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Anything
from kerneltron.datasets.folder import find, found_folder, json_lines

PARTS = ("train", "test")
LEMMA = re.compile(r"\(LEX##([^()]+?)::")
KEYS = ("label", "text", "grct", "lct")
ORIGIN = (
    "The questions with their trees are among the examples of KeLP (github.com/SAG-KeLP, Apache-2.0), the "
    "questions alone at cogcomp.seas.upenn.edu/Data/QA/QC; write them as train.jsonl.gz and test.jsonl.gz, "
    f"one object per line with the keys {', '.join(KEYS)}."
)


class Questions(NamedTuple):
    """Questions to train on and to test on, as records, and their labels."""

    X: list[dict[str, Any]]
    y: Anything
    X_test: list[dict[str, Any]]
    y_test: Anything


def load_questions(folder: str | Path | None = None) -> Questions:
    """Return the questions in their usual split.

    A record is {"text": "Who was Galileo ?", "words": ["who", "was", "galileo", "?"], "lemmas": ["who", "be",
    "galileo"], "grct": "(SYNT##...", "lct": "(LEX##..."}. The words are those of the text in lower case, the
    lemmas those of the tree, in its order; the trees are texts in brackets.

    Parameters
    ----------
    folder
        Where train.jsonl and test.jsonl are, packed by gzip or not. None looks into `trec_questions` in the
        folder that the variable KERNELTRON_DATA names.
    """
    place = found_folder("trec_questions", folder, ORIGIN)
    (X, y), (X_test, y_test) = (_read(find(place, f"{part}.jsonl", ORIGIN)) for part in PARTS)
    return Questions(X, y, X_test, y_test)


def _read(path: Path) -> tuple[list[dict[str, Any]], Anything]:
    rows = json_lines(path, KEYS)
    records: list[dict[str, Any]] = [
        {
            "text": row["text"],
            "words": row["text"].lower().split(),
            "lemmas": LEMMA.findall(row["grct"]),
            "grct": row["grct"],
            "lct": row["lct"],
        }
        for row in rows
    ]
    return records, np.array([row["label"] for row in rows])
