"""Spambase: 4,601 e-mails as 57 numbers each, and whether they are spam.

The numbers are the frequencies of 48 words and of 6 characters in percent, and the mean, the largest and the
total length of runs of capital letters. 1,813 e-mails are spam (1), the others are not (0).
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron.datasets.folder import find, folder_of, lines_of

COLUMNS = 57
ADVICE = "give the folder of UCI's spambase.data, or unset KERNELTRON_DATA to have it downloaded from OpenML."


class Emails(NamedTuple):
    """E-mails, one row each, and their labels: 1 is spam."""

    X: Floats
    y: Anything


def load_spambase(folder: str | Path | None = None) -> Emails:
    """Return the e-mails in the order of the file: first spam, then the others.

    Parameters
    ----------
    folder
        Where UCI's spambase.data is, packed by gzip or not. None looks into `spambase` in the folder that the
        variable KERNELTRON_DATA names; if it is not set, the data are downloaded from OpenML, once.
    """
    place = folder_of("spambase", folder)
    return download() if place is None else read(find(place, "spambase.data", ADVICE))


def read(path: Path) -> Emails:
    """Return what a file holds, one line of 57 numbers and a label per e-mail."""
    rows = [
        _numbers(line, f"{path}, line {number}")
        for number, line in enumerate(lines_of(path), 1)
        if line.strip()
    ]
    table = np.array(rows, float).reshape(-1, COLUMNS + 1)
    return Emails(table[:, :-1], table[:, -1].astype(int))


def _numbers(line: str, place: str) -> list[float]:
    try:
        numbers = [float(field) for field in line.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != COLUMNS + 1 or not np.isfinite(numbers).all() or numbers[-1] not in (0, 1):
        raise ValueError(
            f"{place}: {line[:60]!r} is not {COLUMNS} numbers and 0 or 1, with commas in between."
        )
    return numbers


def download() -> Emails:
    """Return the e-mails from OpenML; scikit-learn keeps them in its own folder."""
    from sklearn.datasets import fetch_openml

    try:
        X, y = fetch_openml("spambase", version=1, return_X_y=True, as_frame=False, parser="liac-arff")
    except OSError as error:
        raise OSError(
            f"spambase could not be downloaded from OpenML ({error}). Put UCI's spambase.data into a folder "
            "and give that, or let KERNELTRON_DATA name a folder with it in `spambase`."
        ) from error
    return Emails(np.asarray(X, float), np.asarray(y, float).astype(int))
