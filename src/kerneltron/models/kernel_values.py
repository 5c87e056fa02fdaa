"""Where the dual form gets its kernel values from: it asks for rows and blocks, and does not ask how."""

from typing import Protocol

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.kernels.cost import are_worth_threads
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.threads import side_by_side

WORTH = 256  # rows that are worth two threads
TOGETHER = 512  # dense examples that one thread compares with


class KernelValues(Protocol):
    """A source of kernel values: computed, or kept from earlier."""

    def diagonal(self, pack: Pack) -> Floats:
        """Return k(x, x) of each example."""

    def rows(self, pack: Pack, asked: Integers) -> Floats:
        """Return those rows of the examples' own Gram matrix that are asked for."""

    def block(self, pack: Pack, others: Pack) -> Floats:
        """Return k(x, z) for each example x and each other z."""


class Computed:
    """Values that the kernel computes whenever they are asked for.

    A precomputed Gram matrix is one of these, too: its kernel looks the values up.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def diagonal(self, pack: Pack) -> Floats:
        """Return k(x, x)."""
        return self.kernel.diag(pack)

    def rows(self, pack: Pack, asked: Integers) -> Floats:
        """Return k(x, z) for the examples asked for, and all."""
        rows = pack[asked]
        if are_worth_threads(pack, len(rows) * len(pack)):
            parts = (pack[first : first + TOGETHER] for first in range(0, len(pack), TOGETHER))
            return np.concatenate([*side_by_side(lambda some: self.kernel.gram(rows, some), parts)], axis=1)
        if len(rows) < WORTH:
            return self.kernel.gram(rows, pack)
        half = len(rows) // 2
        halves = side_by_side(lambda some: self.kernel.gram(some, pack), (rows[:half], rows[half:]))
        return np.concatenate([*halves])

    def block(self, pack: Pack, others: Pack) -> Floats:
        """Return k(x, z) for both packs."""
        return self.kernel.gram(pack, others)
