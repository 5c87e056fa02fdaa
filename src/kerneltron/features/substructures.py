"""The features of structured kernels, listed: substrings, subtrees, neighbourhoods of nodes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from kerneltron.features._counted import Counted, Group
from kerneltron.features._listing import Leaf, listed, prefixes
from kerneltron.kernels.grammar import parse
from kerneltron.kernels.items import Items
from kerneltron.kernels.routing import RoutesToKernel


@dataclass(eq=False, repr=False)
class Substructures(RoutesToKernel, Counted):
    """Turn strings, trees or graphs into sparse rows phi(x) with <phi(x), phi(z)> = k(x, z).

    A kernel that counts parts of its examples has a map to as many columns as there are different parts. With
    it the learners need no kernel: they keep weights (primal form) instead of examples, take the same
    decisions, and say which parts weigh most. The kernel is met exactly where one side is what `fit` has
    seen. A part that `fit` has not met has no column, though it counts in the length of a normalized row.

    Finding the parts costs what a pack of the kernel costs, and a row has an entry for each different part.

    Parameters
    ----------
    kernel
        A kernel that counts, such as `Spectrum(3)`, `Mismatch(4, 1)`, `Subtrees()`, `WeisfeilerLehman(2)` or
        `ShortestPaths()`; an expression of such: `c * k` (every column times the root of c), `k1 + k2`
        (side by side), `k.normalized()` (rows of length 1) and `On(field, k)`; or the text of one.
        `kernel__k` and the like set its parameters.

    Attributes
    ----------
    kernel_ : the kernel that `kernel` describes

    Examples
    --------
    >>> from kerneltron.features import Substructures
    >>> parts = Substructures("Spectrum(2)")
    >>> phi = parts.fit_transform(["abab", "bab"])
    >>> (phi @ phi.T).toarray()  # Spectrum(2)(["abab", "bab"])
    array([[5., 3.],
           [3., 2.]])
    >>> parts.get_feature_names_out().tolist()
    ['ab', 'ba']
    """

    kernel: Any

    def _check(self) -> None:
        self.kernel_ = parse(self.kernel)

    def _groups(self, X: Any) -> list[Group]:
        parts = listed(self.kernel_, X)
        return [
            Group(part.found, list(Items(part.examples)), partial(_names, prefix, part.leaf), part.scale)
            for part, prefix in zip(parts, prefixes([part.leaf for part in parts]), strict=True)
        ]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.dict = True
        return tags


def _names(prefix: str, leaf: Leaf, x: Any, places: Sequence[int]) -> list[str]:
    return [prefix + name for name in leaf.names(x, places)]
