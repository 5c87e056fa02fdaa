"""A kernel as it is without one column of the rows, for every column, from the same inner products.

<x, z> without column m is <x, z> - x_m z_m: one matrix product serves as many kernels as there are columns.
"""

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron._validate import is_sparse
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.vectors import KEY, Vectors, vectors


class Removable:
    """Examples of a kernel, ready to be looked at without one of their columns."""

    def __init__(self, kernel: Kernel, pack: Pack) -> None:
        self.kernel, self.pack = kernel, pack
        rows = vectors(pack)
        self.squares = rows.squares()
        self._columns = rows.X.tocsc() if is_sparse(rows.X) else rows.X

    def column(self, m: int) -> Floats:
        """Return the values of column m."""
        values = self._columns[:, [m]]
        return np.asarray(values.toarray() if is_sparse(values) else values).ravel()

    def without(self, m: int) -> Pack:
        """Return the examples without column m, as the kernel packs them."""
        rest = Pack(len(self.pack))
        wide = self.column(m).astype(np.float64)
        # Of the rows themselves, only the norms are looked at: inner products are put into a pair.
        squares = np.maximum(self.squares - wide * wide, 0.0)
        rest.parts[KEY] = Vectors(vectors(self.pack).X, squares)
        self.kernel._enter(rest, None)  # which finds its part made, and adds its numbers
        return rest

    def products(self, other: "Removable") -> Floats:
        """Return the inner products of whole rows, in double precision: a column will be subtracted."""
        pair = Pair(self.pack, other.pack, shared=False, least=np.float64)
        return pair.products(KEY)

    def gram(self, other: "Removable", products: Floats, m: int, chosen: Integers) -> Floats:
        """Return the Gram block of the `chosen` others without column m, from the products of whole rows."""
        pair = Pair(self.without(m), other.without(m)[chosen], shared=True, least=products.dtype)
        x, z = self.column(m).astype(products.dtype), other.column(m)[chosen].astype(products.dtype)
        pair.put(KEY, products[:, chosen] - x[:, None] * z)
        return self.kernel._block(pair)


def check_removable(kernel: Kernel) -> None:
    """Raise unless the kernel can be had without a column."""
    if not kernel.is_of_products:
        raise ValueError(
            f"{kernel} cannot be derived from inner products of rows, so it cannot leave out a column: use "
            "Linear, Polynomial, Gaussian, and sums, products, powers and the like of these."
        )
