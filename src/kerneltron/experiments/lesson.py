"""A lesson: one picture of the lectures, and the numbers that it rests on."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from kerneltron.experiments.experiment import Comparison

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Lesson(NamedTuple):
    """What is learned from a picture, in a sentence, with its numbers; it is drawn when it is called."""

    says: str
    figures: Mapping[str, Any]
    picture: "Callable[[], Figure]"
    comparisons: Sequence[Comparison] = ()
