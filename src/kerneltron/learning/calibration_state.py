"""Calibrations as contents of a file, and back."""

from math import isfinite
from typing import Any

import numpy as np

from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.learning.calibration import LARGEST, SHARPNESS, SUMS, UNIT, Calibration

LOSSES = ("fresh", "said")
LATER = ("earlier_weight", "earlier_size")  # that older files lack, whose `weight` and `size` are of all
MOST = 2**62  # that a sum of losses, or a number of visits, may be: those that come must fit, too
assert LARGEST / UNIT < MOST


def state(calibration: Calibration, resumable: bool) -> Contents:
    """Return what is to be saved: the temperature and, to go on learning, what it follows from.

    Examples
    --------
    >>> known = Calibration().held_out(np.array([[2.0], [-2.0], [1.0]]), np.array([1, 0, 0]))
    >>> restore(state(known, resumable=False)).temperature == known.temperature
    True
    """
    if not resumable:
        return Contents({"temperature": calibration.temperature}, {})
    losses = {name: getattr(calibration, name) for name in LOSSES}
    numbers = {name: getattr(calibration, name) for name in SUMS}
    return Contents({"seen": calibration.seen, **numbers}, losses)


def restored(whole: Contents) -> Calibration | None:
    """Return the calibration that stands in the contents of a learner; None in those of older versions."""
    return restore(whole.part("calibration_")) if "calibration_" in whole.header else None


def restore(contents: Contents) -> Calibration:
    """Return the calibration; raise unless its sums can be those of some scores."""
    if "temperature" in contents.header:
        temperature = contents.number("temperature", 0.0)
        if not (isfinite(temperature) and temperature > 0):
            raise ModelFileError("the temperature of the calibration is not a positive number")
        return Calibration(given=temperature)
    losses = {name: contents.array(name, np.int64, (SHARPNESS.size,)) for name in LOSSES}
    there = [name for name in SUMS if name in contents.header or name not in LATER]
    numbers: dict[str, Any] = {name: contents.number(name, 0.0) for name in there}
    are_sums = all(((array >= 0) & (array < MOST)).all() for array in losses.values())
    are_bounded = numbers["weight"] < MOST and numbers["share"] <= 1  # a number of visits, and a part
    if not are_sums or not all(map(isfinite, numbers.values())) or not are_bounded:
        raise ModelFileError("the sums of the calibration are not those of any scores")
    return Calibration(contents.whole("seen"), **losses, **numbers)
