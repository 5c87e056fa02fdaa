"""What a learner with a budget keeps of each place between calls: arrays that grow together."""

from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers


class Holdings(NamedTuple):
    """One entry per place, those of the sketch's features included, unless it says otherwise."""

    squares: Floats  # k(x, x), with the constant feature and delta^2
    ages: Integers  # the move that last added to it
    gram: Floats  # (places, places): what each two have in common; empty where nobody asks for it
    sketched: Floats  # (places, features): each in the features of the sketch
    spent: Floats  # (columns,): what forgetting has cost
    moves: Integers  # (1,): visits that have moved a vector


def nothing_yet(features: int, columns: int) -> Holdings:
    """Return what a learner holds that has seen nothing."""
    return Holdings(
        np.zeros(features),
        np.zeros(features, np.int64),
        np.zeros((0, 0)),
        np.zeros((0, features)),
        np.zeros(columns),
        np.zeros(1, np.int64),
    )


def with_room(held: Holdings, places: int, most: int, keeps_gram: bool) -> Holdings:
    """Let arrays have room for this many places, and for half as many again unless that is above `most`."""
    if held.squares.size >= places:
        return held
    size = max(places, min(most, 3 * places // 2))
    features = held.sketched.shape[1]
    return held._replace(
        squares=_enlarged(held.squares, (size,)),
        ages=_enlarged(held.ages, (size,)),
        gram=_enlarged(held.gram, (size, size)) if keeps_gram else held.gram,
        sketched=_enlarged(held.sketched, (size, features)) if features else held.sketched,
    )


def trimmed(held: Holdings, places: Integers) -> Holdings:
    """Return what is held of some places, in this order, and no more; arrays are copies."""
    return held._replace(
        squares=held.squares[places],
        ages=held.ages[places],
        gram=held.gram[np.ix_(places, places)] if held.gram.size else held.gram.copy(),
        sketched=held.sketched[places] if held.sketched.size else held.sketched.copy(),
        spent=held.spent.copy(),
        moves=held.moves.copy(),
    )


def move(held: Holdings, places: Integers, origins: Integers) -> None:
    """Let what is held of `origins` stand at `places`."""
    held.squares[places], held.ages[places] = held.squares[origins], held.ages[origins]
    if held.sketched.size:
        held.sketched[places] = held.sketched[origins]
    if held.gram.size:
        held.gram[places] = held.gram[origins]
        held.gram[:, places] = held.gram[:, origins]


def copied(held: Holdings) -> Holdings:
    """Return a deep copy."""
    return Holdings._make(array.copy() for array in held)


def _enlarged(array: Any, shape: tuple[int, ...]) -> Any:
    other = np.zeros(shape, array.dtype)
    other[tuple(slice(length) for length in array.shape)] = array
    return other
