"""What kernels that are made of others have in common: of one, and of two."""

from typing import Any

from kerneltron.kernels.kernel import Kernel, common_domain
from kerneltron.kernels.pack import Pack


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
