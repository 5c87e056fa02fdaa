"""Products of all features, and of those of a limited size: the ANOVA kernel."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kerneltron._matrices import as_rows, compressed
from kerneltron._types import Floats
from kerneltron._validate import is_sparse
from kerneltron.engine import subsets
from kerneltron.kernels import vectors
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.parameters import whole


@dataclass(frozen=True, repr=False)
class AllSubsets(Kernel):
    """k(x, z) = product over i of (1 + x_i z_i): one feature for each set of columns, the product of them.

    With a size it is the ANOVA kernel: the sets of at most (or exactly) this many columns. A value costs
    O(columns), with a size O(size columns); of CSR rows only the columns in which both have an entry count.

    Parameters
    ----------
    size
        The most columns in a set, or None for all.
    exact
        Only the sets of exactly `size` columns.

    References
    ----------
    Shawe-Taylor and Cristianini (2004), Kernel Methods for Pattern Analysis, section 9.2.

    Examples
    --------
    >>> from kerneltron.kernels import AllSubsets
    >>> AllSubsets()([[1, 2, 3]], [[4, 5, 6]])  # 5 * 11 * 19
    array([[1045.]])
    >>> AllSubsets(2, exact=True)([[1, 2, 3]], [[4, 5, 6]])  # 4 * 10 + 4 * 18 + 10 * 18
    array([[292.]])
    """

    size: int | None = None
    exact: bool = False

    domain = "vectors"

    def __post_init__(self) -> None:
        if self.size is not None:
            whole("size", self.size, 1)
        elif self.exact:
            raise ValueError("exact=True asks for sets of exactly `size` columns: give a size.")

    def _fill(self, pack: Pack, X: Any) -> None:
        vectors.fill(pack, X)

    def _diag(self, pack: Pack) -> Floats:
        X, diagonal = vectors.vectors(pack).X, np.empty(len(pack))
        rows, entries = as_rows(X, 0.0), _entries(X)
        if self._is_limited(entries):
            subsets.sized_of_own(rows, self.exact, np.empty(self._most(entries) + 1), diagonal)
        else:
            subsets.all_of_own(rows, diagonal)
        return diagonal

    def _block(self, pair: Pair) -> Floats:
        left, right = vectors.vectors(pair.left), vectors.vectors(pair.right)
        left.check_width(right)
        block = np.empty(pair.shape, pair.dtype)
        entries = min(_entries(left.X), _entries(right.X))
        sizes = self._most(entries) + 1
        if is_sparse(left.X) or is_sparse(right.X):
            import scipy.sparse as sp

            rows = compressed(sp.csr_matrix(left.X), np.float64)
            columns = compressed(sp.csc_matrix(right.X), np.float64)
            if self._is_limited(entries):
                subsets.sized_of_sparse(rows, columns, self.exact, np.empty((len(right), sizes)), block)
            else:
                subsets.all_of_sparse(rows, columns, np.empty(len(right)), block)
        else:
            X, Z = left.X.astype(np.float64), right.X.T.astype(np.float64, order="C")
            if self._is_limited(entries):
                subsets.sized_of_dense(X, Z, self.exact, np.empty((sizes, len(right))), block)
            else:
                subsets.all_of_dense(X, Z, np.empty(len(right)), block)
        return block

    def _is_limited(self, entries: int) -> bool:
        """Return whether some of the sets of this many columns are left out."""
        return self.size is not None and (self.exact or self.size < entries)

    def _most(self, entries: int) -> int:
        """Return a size that leaves out the same sets; there are none of more than all columns."""
        return entries if self.size is None else min(int(self.size), entries + 1)

    def _map(self, width: int) -> Any:
        from kerneltron.maps.subsets import Subsets

        return Subsets(width, None if self.size is None else int(self.size), self.exact)


def _entries(X: Any) -> int:
    """Return the most columns in which a row has an entry: the others are in no product that counts."""
    return int(np.diff(X.indptr).max(initial=0)) if is_sparse(X) else int(X.shape[1])
