"""A Python function as a kernel."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron._validate import is_sparse
from kerneltron.kernels.items import KEY, Items
from kerneltron.kernels.kernel import ANYTHING, Kernel, text
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair

PAIRS = 8  # pairs of examples on which symmetry is checked
TOGETHER = 16  # examples of which a vectorized function gives the diagonal at once


@dataclass(frozen=True, repr=False)
class FromFunction(Kernel):
    """k(x, z) = f(x, z), for a Python function that is an inner product in some feature space.

    That f is symmetric is checked on a few pairs. `kerneltron.kernels.check` looks for negative eigenvalues.

    Parameters
    ----------
    f
        Takes two examples and returns a number; with `vectorized`, takes two collections of examples and
        returns the matrix of all pairs. Examples come as they were given: rows of matrices as vectors.
    vectorized
        Whether f takes many examples at once.
    domain
        What f compares.

    Examples
    --------
    >>> from kerneltron.kernels import FromFunction
    >>> def common_letters(x, z):
    ...     return len(set(x) & set(z))
    >>> FromFunction(common_letters)(["one", "three"], ["net", "tree"])
    array([[2., 1.],
           [2., 3.]])
    """

    f: Callable[[Any, Any], Any]
    vectorized: bool = False
    domain: str = ANYTHING

    def __post_init__(self) -> None:
        if not callable(self.f):
            raise TypeError(f"f={self.f!r} is not a function of two examples.")
        if not isinstance(self.domain, str):
            raise TypeError(f"domain={self.domain!r} is not a text such as 'vectors'.")

    def _fill(self, pack: Pack, X: Any) -> None:
        items = pack.add(KEY, lambda: Items(X))
        step = TOGETHER if self.vectorized else 1
        parts = [(low, items[low : low + step]) for low in range(0, len(items), step)]
        blocks = [self._values(part, part, np.float64, (low, low)) for low, part in parts]
        squares = np.concatenate([np.zeros(0), *(block.diagonal() for block in blocks)])
        negative = np.flatnonzero(squares < 0)
        if len(negative):
            raise ValueError(
                f"{text(self.f)} gives k(x, x) = {squares[negative[0]]} for example {negative[0]}, but "
                "k(x, x) is a squared length and at least 0: this is not a kernel."
            )
        self._check_symmetry(items, np.sqrt(squares))
        pack.numbers[self] = squares

    def _check_symmetry(self, items: Items, lengths: Floats) -> None:
        """Raise if f(x, z) is not f(z, x), for a few pairs from all over the examples."""
        places = np.unique(np.linspace(0, max(len(items) - 1, 0), PAIRS + 1).astype(int))
        for i, j in pairwise(places):
            x, z = items[i : i + 1], items[j : j + 1]
            forth = self._values(x, z, np.float64, (i, j))[0, 0]
            back = self._values(z, x, np.float64, (j, i))[0, 0]
            if abs(forth - back) > 1e-6 * max(abs(forth), abs(back), lengths[i] * lengths[j]):
                raise ValueError(
                    f"{text(self.f)} is not symmetric, and so not a kernel: it gives {forth} for examples "
                    f"{i} and {j}, but {back} for {j} and {i}."
                )

    def _diag(self, pack: Pack) -> Floats:
        return pack.numbers[self]

    def _block(self, pair: Pair) -> Floats:
        left: Any = pair.left.parts[KEY]
        right: Any = pair.right.parts[KEY]
        return self._values(left, right, pair.dtype)

    def _values(self, left: Items, right: Items, dtype: Any, first: tuple[int, int] = (0, 0)) -> Floats:
        """Return the matrix of f(x, z), as finite numbers; `first` are the places of its first examples."""
        values = self._all_at_once(left, right) if self.vectorized else self._one_by_one(left, right)
        with np.errstate(over="ignore"):
            block = values.astype(dtype)
        bad = np.argwhere(~np.isfinite(block))
        if len(bad):
            i, j = bad[0]
            raise ValueError(
                f"{text(self.f)} returned {values[i, j]} for example {first[0] + i} on the left and example "
                f"{first[1] + j} on the right: a kernel is a finite number."
            )
        return block

    def _all_at_once(self, left: Items, right: Items) -> Anything:
        found = self.f(left.items, right.items)
        values = np.asarray(found.toarray() if is_sparse(found) else found)
        if values.shape != (len(left), len(right)) or values.dtype.kind not in "biuf":
            raise ValueError(
                f"{text(self.f)} returned the shape {values.shape} of {values.dtype} for {len(left)} and "
                f"{len(right)} examples: with vectorized=True it must return the matrix of all pairs, real "
                f"numbers of the shape {len(left), len(right)}."
            )
        return values

    def _one_by_one(self, left: Items, right: Items) -> Anything:
        others = list(right)
        values = [self._number(x, z) for x in left for z in others]
        return np.array(values, np.float64).reshape(len(left), len(right))

    def _number(self, x: Any, z: Any) -> float:
        value = self.f(x, z)
        if np.ndim(value) or np.asarray(value).dtype.kind not in "biuf":
            raise ValueError(
                f"{text(self.f)} returned {value!r} for two examples, which is not a real number. If it "
                "takes all examples at once, give vectorized=True."
            )
        return float(value)
