"""What the word "auto" requests: a kernel, or a width in one, that is found for examples and labels."""

from dataclasses import dataclass
from typing import Any, NoReturn

from kerneltron._types import Floats
from kerneltron.kernels.distances import OfDistance
from kerneltron.kernels.kernel import ANYTHING, Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair

WORD = "auto"


@dataclass(frozen=True, repr=False)
class Auto(Kernel):
    """What kernel="auto" requests of a learner: the kernel that suits its examples and labels.

    It compares nothing itself. `kernels.search` finds what takes its place.
    """

    domain = ANYTHING

    def _fill(self, pack: Pack, X: Any) -> None:
        self._refuse()

    def _diag(self, pack: Pack) -> Floats:
        self._refuse()

    def _block(self, pair: Pair) -> Floats:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise ValueError(
            f"kernel={WORD!r} is found when a learner is fitted: give it to one, or take "
            "kernels.propose(X, y).best."
        )

    def __repr__(self) -> str:
        return WORD


def has_open_width(kernel: Kernel) -> bool:
    """Return whether a width in an expression, or the kernel as a whole, is still to be found."""
    if isinstance(kernel, Auto):
        return True
    return (isinstance(kernel, OfDistance) and kernel.is_open) or any(map(has_open_width, kernel._parts()))
