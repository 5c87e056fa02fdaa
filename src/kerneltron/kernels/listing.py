"""Kernels whose features can be listed for each example, though there are infinitely many in all."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from kerneltron.kernels.bags import Found
from kerneltron.kernels.kernel import Kernel


class Listing(Kernel):
    """k(x, z) = sum over features f of phi_f(x) phi_f(z), with few features in each example.

    It finds features, 64-bit content hashes, and can say what each of them is.
    """

    @abstractmethod
    def _find(self, X: Any) -> Found:
        """Return the features of all examples."""

    @abstractmethod
    def _names(self, x: Any, places: Sequence[int]) -> list[str]:
        """Return what the features at some places, among those that `_find` finds in x alone, look like."""
