"""A kernel after a change of representation."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from kerneltron.kernels.composed import OfImages
from kerneltron.kernels.kernel import ANYTHING, ATOM, Kernel, text
from kerneltron.kernels.pack import Pack


@dataclass(frozen=True, repr=False)
class After(OfImages):
    """k(x, z) = base(phi(x), phi(z)): the base compares what phi makes of the examples.

    Parameters
    ----------
    base
        The kernel.
    phi
        Takes all examples and returns the same number, in the domain of the base. The same examples must
        give the same result each time.
    domain
        What phi takes.

    Examples
    --------
    >>> import numpy as np
    >>> from kerneltron.kernels import Linear
    >>> def lengths(words):
    ...     return np.array([[len(word)] for word in words])
    >>> Linear().after(lengths)(["one", "three"])
    array([[ 9., 15.],
           [15., 25.]])
    """

    base: Kernel
    phi: Callable[[Any], Any]
    domain: str = ANYTHING

    def __post_init__(self) -> None:
        if not callable(self.phi):
            raise TypeError(f"phi={self.phi!r} is not a function: it takes all examples and returns as many.")
        if not isinstance(self.domain, str):
            raise TypeError(f"domain={self.domain!r} is not a text such as 'vectors'.")

    @property
    def _key(self) -> Hashable:
        """Kernels after the same phi share one pack inside."""
        return "after", self.phi

    def _seen_inside(self, X: Any) -> Any:
        return self._images(X, X.shape[0] if hasattr(X, "shape") else len(X))

    def _fill_inner(self, inner: Pack, X: Any) -> None:
        self.base._enter(inner, self._images(X, len(inner)))

    def _images(self, X: Any, size: int) -> Any:
        """Return phi(X), as many examples as X has."""
        images = self.phi(X)
        if not hasattr(images, "__len__") or getattr(images, "shape", None) == ():
            raise TypeError(
                f"{text(self.phi)} returned {type(images).__name__}: it is called once with all examples and "
                "must return as many, as a matrix or a list."
            )
        count = images.shape[0] if hasattr(images, "shape") else len(images)
        if count != size:
            raise ValueError(
                f"{text(self.phi)} made {count} examples of {size}: it is called once with all examples and "
                "must return as many, in the same order."
            )
        return images

    def _when_normalized(self) -> Kernel:
        return After(self.base.normalized(), self.phi, self.domain)

    def __repr__(self) -> str:
        domain = "" if self.domain == ANYTHING else f", domain={self.domain!r}"
        return f"{self.base._bracketed(ATOM)}.after({text(self.phi)}{domain})"
