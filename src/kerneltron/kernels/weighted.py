"""A kernel times one number per example."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.kernels.composed import OfOne
from kerneltron.kernels.kernel import ATOM, Kernel, text
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair


@dataclass(frozen=True, repr=False)
class Weighted(OfOne):
    """k(x, z) = f(x) base(x, z) f(z): all features of an example times its own number.

    Parameters
    ----------
    base
        The kernel.
    f
        Takes all examples as they were given and returns one finite number for each; any sign will do.

    Examples
    --------
    >>> import numpy as np
    >>> from kerneltron.kernels import Linear
    >>> def first(X):
    ...     return np.asarray(X)[:, 0]
    >>> Linear().weighted(first)([[2, 1]], [[3, 4]])
    array([[60.]])
    """

    base: Kernel
    f: Callable[[Any], Any]

    def __post_init__(self) -> None:
        if not callable(self.f):
            raise TypeError(
                f"f={self.f!r} is not a function: it takes all examples and returns one number for each."
            )

    def _fill(self, pack: Pack, X: Any) -> None:
        super()._fill(pack, X)
        pack.numbers[self] = self._weights(X, len(pack))

    def _weights(self, X: Any, size: int) -> Floats:
        """Return f(X) as `size` finite numbers."""
        weights = np.asarray(self.f(X))
        if weights.shape != (size,):
            raise ValueError(
                f"{text(self.f)} returned the shape {weights.shape} for {size} examples: it is called once "
                f"with all examples, and must return one number for each, the shape ({size},)."
            )
        if weights.dtype.kind not in "biuf":
            raise ValueError(f"{text(self.f)} returned {weights.dtype}, not real numbers.")
        weights = weights.astype(np.float64)
        bad = np.flatnonzero(~np.isfinite(weights))
        if len(bad):
            raise ValueError(
                f"{text(self.f)} returned {weights[bad[0]]} for example {bad[0]}: not a finite number."
            )
        return weights

    def _diag(self, pack: Pack) -> Floats:
        weights = pack.numbers[self]
        return weights * self.base._diag(pack) * weights

    def _block(self, pair: Pair) -> Floats:
        block = self.base._block(pair)
        for weights in pair.numbers(self):
            block *= weights
        return block

    def __repr__(self) -> str:
        return f"{self.base._bracketed(ATOM)}.weighted({text(self.f)})"
