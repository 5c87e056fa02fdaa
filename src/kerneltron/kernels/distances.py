"""What kernels of a distance share: they see |phi(x) - phi(z)|, in the features phi of any kernel."""

from abc import abstractmethod
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Floats
from kerneltron._validate import is_sparse
from kerneltron.engine.distances import to_exponents
from kerneltron.kernels.composed import OfOne
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.pack import SAFE, Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.parameters import positive

AUTO = "auto"  # the width that suits examples and labels
# Distances are differences of inner products, |x|^2 + |z|^2 - 2 <x, z>, so rounding leaves an error of about
# |x|^2 / sigma^2 units in the last place in the exponent. Beyond this ratio single precision would be off
# by more than 1e-5.
RATIO = 100.0
FAR = 1e-9  # an error of the exponent that is worth moving the rows
# In double precision, rows nearer to each other than rounding can tell are taken as the same.
EPSILON, LARGEST = float(np.finfo(np.float64).eps), float(np.finfo(np.float64).max)
SLACK = 8 * EPSILON


class Scales(NamedTuple):
    """Numbers of a kernel of distances: see `Terms`; squares are multiplied by `half`."""

    before: float
    after: float
    half: float


class Terms(NamedTuple):
    """The arguments of `engine.distances`: exponents are after * min(0, before * block - left - right)."""

    block: Floats
    left: Floats
    right: Floats
    before: float
    after: float


def exponents_of(terms: Terms) -> Floats:
    """Return -|phi(x) - phi(z)|^2 / (2 sigma^2) for all x and z, in the memory of the block."""
    with np.errstate(over="ignore"):  # what is infinitely far has the value 0
        to_exponents(*terms)
    return terms.block


class OfDistance(OfOne):
    """A kernel that is 1 for equal examples and falls with their distance, in the features of `over`.

    A subclass is a frozen dataclass with the fields `sigma` and `over`, and says in `_fallen` how it falls.
    """

    sigma: float | str
    over: Kernel | None

    _of_products = True

    def __post_init__(self) -> None:
        if not self.is_open:
            positive("sigma", self.sigma)
        if not (self.over is None or isinstance(self.over, Kernel)):
            raise TypeError(f"over={self.over!r} is not a kernel.")

    @property
    def is_open(self) -> bool:
        """Whether its width is to be found for examples, by `kernels.search`."""
        return isinstance(self.sigma, str) and self.sigma == AUTO

    @abstractmethod
    def _fallen(self, terms: Terms) -> Floats:
        """Return the values for what exponents are made of, in the memory of its block."""

    @property
    def base(self) -> Kernel:  # type: ignore[override]
        """The kernel whose features span the distance."""
        return Linear() if self.over is None else self.over

    def _fill(self, pack: Pack, X: Any) -> None:
        if self.is_open:
            raise ValueError(
                f"the width of {self} is found when a learner is fitted: give it to one as its kernel, or a "
                "number such as propose_sigma(X, y)."
            )
        super()._fill(pack, X)
        squares = pack.numbers[self.base] = self.base._diag(pack)
        variance = float(self.sigma) * float(self.sigma)
        if not 1 / SAFE <= variance <= SAFE or squares.max(initial=0.0) > RATIO * variance:
            pack.needs_double = True

    def _enter(self, pack: Pack, X: Any) -> None:
        self._fill(pack, X)
        pack.largest = max(pack.largest, 1.0)  # k(x, x) is 1: there is nothing to look for

    def _diag(self, pack: Pack) -> Floats:
        return np.ones(len(pack))

    def _block(self, pair: Pair) -> Floats:
        return self._fallen(self._terms(pair))

    def exponents(self, A: Pack, B: Pack) -> Floats:
        """Return -|phi(a) - phi(b)|^2 / (2 sigma^2) for all a and b."""
        return exponents_of(self._terms(Pair(A, B, self._atoms > 1)))

    @cached_property
    def scales(self) -> Scales:
        """What inner products, exponents and squares are multiplied by."""
        # 1 / sigma^2 may be 0 or infinite. A small one comes before the subtraction, where it tames large
        # numbers, and a large one after it, where a distance of 0 stays 0.
        scale = min(1 / float(self.sigma) / float(self.sigma), LARGEST)
        before, after = min(scale, 1.0), max(scale, 1.0)
        return Scales(before, after, 0.5 * before * (1 - SLACK))

    def are_far(self, *squares: Floats) -> bool:
        """Return whether rows of such squared norms are so far away that double precision loses distances."""
        before, after, _ = self.scales
        farthest = max(float(each.max(initial=0.0)) for each in squares)
        return EPSILON * farthest * before * after > FAR

    def _may_be_far(self, pair: Pair) -> bool:
        """Return False where the packs know without a look at all rows that these are near."""
        before, after, _ = self.scales
        return EPSILON * max(pair.left.largest, pair.right.largest) * before * after > FAR

    def _terms(self, pair: Pair) -> Terms:
        """Return what exponents are made of."""
        before, after, half = self.scales
        block, left, right = self._products(pair)
        return Terms(block, half * left[:, 0], half * right[0], before, after)

    def _products(self, pair: Pair) -> tuple[Floats, Floats, Floats]:
        """Return inner products and squared norms; rows far from the origin are moved there first.

        Distances stay as they are. Without that, distant rows would all look the same.
        """
        left, right = pair.numbers(self.base)
        key = self.base._rows
        if (
            key is not None
            and pair.dtype != np.float32
            and not pair.is_given(key)
            and self._may_be_far(pair)
            and self.are_far(left, right)
        ):
            mine: Any = pair.left.parts[key]
            theirs: Any = pair.right.parts[key]
            mine.check_width(theirs)
            rows, others = mine.X, theirs.X
            if not is_sparse(rows) and not is_sparse(others) and len(rows):
                # The median: one row that is far from all others would draw the mean after it, and the
                # distances between the others would be lost.
                shift = np.median(rows, axis=0).astype(np.float64)
                rows, others = rows - shift, others - shift
                squares = np.einsum("ij,ij->i", rows, rows), np.einsum("ij,ij->i", others, others)
                return rows @ others.T, squares[0][:, None], squares[1][None, :]
        return self.base._block(pair), left, right

    def _when_normalized(self) -> Kernel:
        return self
