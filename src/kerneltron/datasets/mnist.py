"""MNIST: 70,000 handwritten digits of 28 x 28 pixels, 60,000 to train on and 10,000 to test on."""

from pathlib import Path
from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron.datasets.digits import Split
from kerneltron.datasets.folder import find, folder_of, unpacked

PARTS = ("train", "t10k")
MEMBERS = ("images-idx3-ubyte", "labels-idx1-ubyte")
ADVICE = (
    "give the folder that holds the four files of MNIST, or unset KERNELTRON_DATA to have them downloaded "
    "from OpenML."
)
BYTES = 8  # the code of unsigned bytes in the third byte of an idx file
TRAINING = 60_000  # the first rows of OpenML's copy are those of the training files, in their order


def load_mnist(folder: str | Path | None = None) -> Split:
    """Return the digits in their usual order and split, with pixels between 0 and 1 in single precision.

    Parameters
    ----------
    folder
        Where the four idx files are (`train-images-idx3-ubyte.gz` and so on, or unpacked). None looks into
        `mnist` in the folder that the variable KERNELTRON_DATA names; if it is not set, the digits are
        downloaded from OpenML, once.
    """
    place = folder_of("mnist", folder)
    if place is None:
        return download()
    (X, y), (X_test, y_test) = (read_part(place, part) for part in PARTS)
    return Split(X, y, X_test, y_test)


def read_part(folder: Path, part: str) -> tuple[Floats, Anything]:
    """Return the images, one row each, and the labels of the training or the test part."""
    images, labels = (read_idx(find(folder, f"{part}-{member}", ADVICE)) for member in MEMBERS)
    if len(images) != len(labels):
        raise ValueError(
            f"{folder}: the {part} files hold {len(images):,} images but {len(labels):,} labels. They do not "
            "belong together: fetch both again."
        )
    rows = images.reshape(len(images), -1).astype(np.float32)
    rows /= 255
    return rows, labels


def read_idx(path: Path) -> Any:
    """Return the array of unsigned bytes that an idx file holds.

    Such a file begins with two bytes 0, a code of the type and the number of dimensions; then come the
    dimensions, four bytes each with the largest first, and the entries.
    """
    content = unpacked(path)
    if len(content) < 4 or content[:2] != b"\0\0" or content[2] != BYTES:
        raise ValueError(
            f"{path} is not an idx file of bytes: it begins with {content[:4].hex(' ') or 'nothing'} instead "
            "of 00 00 08 and the number of dimensions."
        )
    start = 4 + 4 * content[3]
    shape = np.frombuffer(content[4:start].ljust(start - 4, b"\0"), ">u4").tolist()
    wanted = start + int(np.prod(shape, dtype=object))
    if len(content) != wanted:
        raise ValueError(
            f"{path} is damaged: it promises {' x '.join(map(str, shape))} entries in {wanted:,} bytes, "
            f"but there are {len(content):,}. Fetch it again."
        )
    return np.frombuffer(content, np.uint8, offset=start).reshape(shape)


def download() -> Split:
    """Return the digits from OpenML; scikit-learn keeps them in its own folder."""
    from sklearn.datasets import fetch_openml

    try:
        X, y = fetch_openml("mnist_784", version=1, return_X_y=True, as_frame=False, parser="liac-arff")
    except OSError as error:
        raise OSError(
            f"MNIST could not be downloaded from OpenML ({error}). Put its four idx files into a folder and "
            "give that, or let KERNELTRON_DATA name a folder with them in `mnist`."
        ) from error
    rows = X.astype(np.float32)
    rows /= 255
    labels = y.astype(np.uint8)
    return Split(rows[:TRAINING], labels[:TRAINING], rows[TRAINING:], labels[TRAINING:])
