"""Splice: 3,190 pieces of human DNA of 60 letters, and whether their middle is a border of an exon.

EI is a border from exon to intron (a donor), IE one from intron to exon (an acceptor), N neither: 767, 768
and 1,655 of them. Some letters are not known for sure: D, N, S and R stand for more than one of A, C, G and
T. Only 3,005 strings differ; one stands there with two labels.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from kerneltron._types import Anything
from kerneltron.datasets.folder import find, folder_of, lines_of

LENGTH = 60
CLASSES = ("EI", "IE", "N")
ADVICE = "give the folder of UCI's splice.data, or unset KERNELTRON_DATA to have it downloaded from OpenML."


class Strings(NamedTuple):
    """Strings and their labels."""

    X: list[str]
    y: Anything


def load_splice(folder: str | Path | None = None) -> Strings:
    """Return the strings in the order of the file: first EI, then IE, then N.

    Parameters
    ----------
    folder
        Where UCI's splice.data is, packed by gzip or not. None looks into `splice` in the folder that the
        variable KERNELTRON_DATA names; if it is not set, the data are downloaded from OpenML, once.
    """
    place = folder_of("splice", folder)
    return download() if place is None else read(find(place, "splice.data", ADVICE))


def read(path: Path) -> Strings:
    """Return what a file holds, one line `class, name, letters` per string."""
    rows = []
    for number, line in enumerate(lines_of(path), 1):
        if not line.strip():
            continue
        label, _, letters = ([field.strip() for field in line.split(",")] + ["", ""])[:3]
        if label not in CLASSES or len(letters) != LENGTH:
            raise ValueError(
                f"{path}, line {number}: {line[:60]!r} is not a class among {', '.join(CLASSES)}, a name and "
                f"{LENGTH} letters, with commas in between."
            )
        rows.append((letters, label))
    return Strings([letters for letters, _ in rows], np.array([label for _, label in rows]))


def download() -> Strings:
    """Return the strings from OpenML, where each letter is a column; scikit-learn keeps them, once."""
    from sklearn.datasets import fetch_openml

    try:
        data = fetch_openml("splice", version=1, as_frame=False, parser="liac-arff")
    except OSError as error:
        raise OSError(
            f"splice could not be downloaded from OpenML ({error}). Put UCI's splice.data into a folder and "
            "give that, or let KERNELTRON_DATA name a folder with it in `splice`."
        ) from error
    # Without pandas a letter is its place among the categories of its column.
    columns = data.feature_names[-LENGTH:]
    codes = data.data[:, -LENGTH:].astype(int)
    letters = [np.array(data.categories[name])[codes[:, place]] for place, name in enumerate(columns)]
    return Strings(["".join(row) for row in zip(*letters, strict=True)], np.array(data.target, str))
