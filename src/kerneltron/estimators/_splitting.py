"""The part of the data that early stopping holds out."""

import numpy as np

from kerneltron._types import Anything


def split(labels: Anything, fraction: float, seed: int) -> tuple[Anything, Anything]:
    """Return the places of the rows to train on and of those held out, stratified by class."""
    from sklearn.model_selection import StratifiedShuffleSplit

    splitter = StratifiedShuffleSplit(1, test_size=fraction, random_state=seed)
    try:
        training, held_out = next(splitter.split(np.zeros((len(labels), 1)), labels))
    except ValueError as error:
        raise ValueError(
            f"early_stopping cannot hold out validation_fraction={fraction} of {len(labels)} rows with some "
            f"of each class: {error} Give more rows or another fraction."
        ) from error
    return np.sort(training), np.sort(held_out)
