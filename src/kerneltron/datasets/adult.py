"""Adult, as a9a: 32,561 incomes to learn from and 16,281 to test on, by 123 indicators."""

from pathlib import Path
from typing import Any

import numpy as np

from kerneltron._types import Anything
from kerneltron.datasets.folder import find, found_folder

COLUMNS = 123
ORIGIN = "a9a and a9a.t are among the LIBSVM data sets, www.csie.ntu.edu.tw/~cjlin/libsvmtools."


def load_adult(folder: str | Path | None = None) -> tuple[Any, Anything, Any, Anything]:
    """Return sparse rows and labels to learn from, then those to test on, in single precision.

    Parameters
    ----------
    folder
        Where a9a and a9a.t are, packed by gzip or not. None looks into `a9a` in the folder that the variable
        KERNELTRON_DATA names.
    """
    place = found_folder("a9a", folder, ORIGIN)
    (X, y), (X_test, y_test) = (read(find(place, name, ORIGIN)) for name in ("a9a", "a9a.t"))
    return X, y, X_test, y_test


def read(path: Path) -> tuple[Any, Anything]:
    """Return the rows and labels of a file; raise an error that names it if it holds something else."""
    from sklearn.datasets import load_svmlight_file

    try:
        X, y = load_svmlight_file(str(path), n_features=COLUMNS, dtype=np.float32)
        if not np.isin(y, (-1, 1)).all() or not y.size:
            raise ValueError("there are no labels, or others than +1 and -1")
    except (ValueError, EOFError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise ValueError(f"{path} is damaged ({str(error).rstrip('.')}): fetch it again. {ORIGIN}") from error
    return X, y
