"""What kernels that are made of others have in common: of one, of two, and of one over something else."""

from abc import abstractmethod
from collections.abc import Hashable
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.kernels.kernel import Kernel, common_domain
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair


class OfOne(Kernel):
    """A kernel made of another one, its `base`."""

    base: Kernel

    @property
    def domain(self) -> str:
        """That of the base."""
        return self.base.domain

    def _fill(self, pack: Pack, X: Any) -> None:
        self.base._enter(pack, X)


class OfTwo(Kernel):
    """A kernel made of two others, `left` and `right`, over the same domain."""

    left: Kernel
    right: Kernel

    def __post_init__(self) -> None:
        common_domain(self.left, self.right)

    @property
    def domain(self) -> str:
        """That of both."""
        return common_domain(self.left, self.right)

    def _fill(self, pack: Pack, X: Any) -> None:
        self.left._enter(pack, X)
        self.right._enter(pack, X)


class OfImages(Kernel):
    """A kernel whose `base` compares what is made of the examples, in a pack inside the pack."""

    base: Kernel

    @property
    @abstractmethod
    def _key(self) -> Hashable:
        """The name of the pack inside: kernels of the same images share it."""

    @abstractmethod
    def _fill_inner(self, inner: Pack, X: Any) -> None:
        """Put what the base needs of the images of X into the pack inside."""

    def _fill(self, pack: Pack, X: Any) -> None:
        is_first = not pack.parts
        inner = pack.add(self._key, lambda: Pack(len(pack)))
        self._fill_inner(inner, X)
        pack.dtype = inner.dtype if is_first else np.result_type(pack.dtype, inner.dtype)
        pack.largest = max(pack.largest, inner.largest)
        pack.needs_double |= inner.needs_double

    def _diag(self, pack: Pack) -> Floats:
        inner: Any = pack.parts[self._key]
        return self.base._diag(inner)

    def _block(self, pair: Pair) -> Floats:
        return self.base._block(pair.inside(self._key)).astype(pair.dtype, copy=False)
