"""Rows brought into few dimensions in which inner products and distances stay about the same."""

from dataclasses import dataclass
from math import ceil, log, sqrt
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron._validate import is_sparse
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.parameters import is_number, whole
from kerneltron.kernels.threads import in_threads
from kerneltron.maps.approximation import Approximation
from kerneltron.maps.of_rows import MapOfRows, refuse, width_of
from kerneltron.maps.random_matrix import BYTES, DrawnMatrix, StoredMatrix, normal_matrix
from kerneltron.maps.sketching import add_sketch

STREAM = 2  # of random numbers
ADDITIONS = 2**16  # that are worth a thread
# Dense rows are multiplied with a matrix that has a larger share of entries than this, zeros and all: to add
# 36 of 1,000 took three times as long as to multiply with all of them.
FULL = 1 / 64


@dataclass(frozen=True, repr=False)
class RandomProjection(Approximation):
    """phi(x) = x R with a random matrix R of m columns: for the linear kernel, beside the hash kernel.

    <phi(x), phi(z)> is <x, z> on average, with a variance of at most (|x|^2 |z|^2 + <x, z>^2) / m. So among n
    rows all squared distances keep within 1 +- error of themselves with m = `components_for(n, error)`: the
    law of Johnson and Lindenstrauss, in which the number of columns does not occur.

    Parameters
    ----------
    n_components
        Number of features m, at least 1.
    density
        Share of the entries of R that are not 0. 1.0 draws them from the normal distribution with variance
        1 / m. Below, each column of X has a share of round(density m) entries +-sqrt(1 / (density m)), one in
        each of as many equal parts of the features, and a row costs O(density m) for each of its non-zeros.
        "auto" is 1 / sqrt(columns of X). The sparsest, 1 / m, is the hash kernel.
    random_state
        Seed; None leaves it to whoever asks for the map.

    Notes
    -----
    Of a Gaussian R at most 64 MB are kept, and of a sparse one nothing for sparse rows: entries are functions
    of the seed. Sparse entries need rows whose length does not come from a few columns alone.

    References
    ----------
    D. Achlioptas, Database-friendly random projections, JCSS 66 (2003). P. Li, T. Hastie and K. Church, Very
    sparse random projections, KDD 2006. D. Kane and J. Nelson, Sparser Johnson-Lindenstrauss transforms, JACM
    61 (2014): entries spread over parts. S. Dasgupta and A. Gupta, An elementary proof of a theorem of
    Johnson and Lindenstrauss (2003).

    Examples
    --------
    >>> from kerneltron.kernels import Linear
    >>> from kerneltron.maps import RandomProjection
    >>> X = [[3.0, 4.0], [1.0, 0.0]]
    >>> phi = RandomProjection(20_000, random_state=0).fit(Linear(), X)
    >>> (phi(X) @ phi(X).T).round()  # Linear()(X)
    array([[25.,  3.],
           [ 3.,  1.]])
    """

    n_components: int
    density: float | str = 1.0
    random_state: int | None = None

    def __post_init__(self) -> None:
        whole("n_components", self.n_components, 1)
        density: Any = self.density
        if not (density == "auto" if isinstance(density, str) else is_number(density) and 0 < density <= 1):
            raise ValueError(f'density={self.density!r} must be above 0 and at most 1, or "auto".')

    @classmethod
    def _found_type(cls) -> type["ProjectionMap"]:
        return ProjectionMap

    def _fit(self, kernel: Kernel, X: Any, seed: int) -> "ProjectionMap":
        return ProjectionMap(self, kernel, width_of(X), seed)

    def entries(self, columns: int) -> int | None:
        """Return how many features a column is a part of; None if of all, with normal numbers."""
        density = 1 / sqrt(max(columns, 1)) if isinstance(self.density, str) else float(self.density)
        return None if density == 1 else max(1, round(density * self.n_components))


class ProjectionMap(MapOfRows):
    """Rows times the random matrix; see `RandomProjection`."""

    def __init__(self, asked: RandomProjection, kernel: Kernel, inputs: int, seed: int) -> None:
        super().__init__(asked, kernel, inputs, seed)
        if not isinstance(kernel, Linear):
            raise refuse(asked, "Linear()", kernel)
        self.entries = asked.entries(inputs)
        self._matrix: StoredMatrix | DrawnMatrix | None = None

    @property
    def width(self) -> int:
        """The number of features."""
        return int(self.asked.n_components)  # type: ignore[attr-defined]

    def names(self) -> list[str]:
        """Return projection0, projection1, ...: each is a sum over many columns."""
        return [f"projection{number}" for number in range(self.width)]

    def __call__(self, X: Any) -> Floats:
        """Return phi(x) for each row: at once, as nothing is held beside the features."""
        return self._mapped(self.read(X))

    def _mapped(self, examples: Any) -> Floats:
        if self.entries is not None and (is_sparse(examples) or not self._is_full(self.entries)):
            out = self._sums(examples, self.entries)
        else:
            out = np.empty((examples.shape[0], self.width), examples.dtype)
            self._numbers().multiply(examples, out)
        out *= 1 / sqrt(self.entries or self.width)
        return out

    def _is_full(self, entries: int) -> bool:
        return entries > FULL * self.width and 4 * self.width * self.inputs <= BYTES

    def _sums(self, X: Any, entries: int) -> Floats:
        """Return sums of numbers with their signs."""
        out = np.zeros((X.shape[0], self.width), X.dtype)
        scales = np.ones(len(out), X.dtype)
        a_row = (X.nnz / max(len(out), 1) if is_sparse(X) else self.inputs) * entries

        def work(first: int, end: int) -> None:
            add_sketch(X, self.seed, STREAM, entries, scales, first, end, out)

        in_threads(work, len(out), ceil(ADDITIONS / max(a_row, 1)))
        return out

    def _numbers(self) -> StoredMatrix | DrawnMatrix:
        """Return the matrix, which is made when first asked for: of entries, their signs."""
        if self._matrix is None:
            if self.entries is None:
                self._matrix = normal_matrix(self.seed, STREAM, self.inputs, self.width)
            else:
                from scipy.sparse import identity

                units = identity(self.inputs, np.float32, "csr")
                self._matrix = StoredMatrix(self._sums(units, self.entries))
        return self._matrix


def components_for(examples: int, error: float) -> int:
    """Return how many components keep all squared distances of so many rows within 1 +- error, in most draws.

    It is 4 ln n / (error^2 / 2 - error^3 / 3).

    Examples
    --------
    >>> components_for(10_000, 0.1), components_for(10_000_000, 0.1)
    (7895, 13816)
    """
    whole("examples", examples, 2)
    if not (is_number(error) and 0 < error < 1):
        raise ValueError(f"error={error!r} must be above 0 and below 1.")
    return ceil(4 * log(examples) / (error**2 / 2 - error**3 / 3))
