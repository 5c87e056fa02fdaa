"""The kernel that is still to be found."""

from dataclasses import dataclass
from typing import Any, NoReturn

from kerneltron._types import Floats
from kerneltron.kernels.kernel import ANYTHING, Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair

WORD = "auto"


@dataclass(frozen=True, repr=False)
class Auto(Kernel):
    """What kernel="auto" asks a learner for: the kernel that suits examples and labels, once they are there.

    It compares nothing itself. `kernels.searching` finds what takes its place.
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
