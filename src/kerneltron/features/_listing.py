"""The features of a kernel expression that can be listed: those of the kernels in it, side by side."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Floats
from kerneltron.kernels.bags import Bags, Found
from kerneltron.kernels.constant import Constant
from kerneltron.kernels.items import Items
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.listing import Listing
from kerneltron.kernels.normalized import Normalized
from kerneltron.kernels.on import On
from kerneltron.kernels.scaled import Scaled
from kerneltron.kernels.sum import Sum


class Leaf(NamedTuple):
    """A kernel in an expression whose features are listed, and the fields of records that lead to it."""

    kernel: Kernel
    fields: tuple[str, ...]

    def names(self, x: Any, places: Sequence[int]) -> list[str]:
        """Return what the features look like that were found in x at these places."""
        if isinstance(self.kernel, Listing):
            return self.kernel._names(x, places)
        return [f"{self.kernel.field}: missing" if isinstance(self.kernel, On) else "constant"]


class Listed(NamedTuple):
    """The features of one leaf that were found in the examples, to be multiplied by the scale of each."""

    leaf: Leaf
    examples: Any
    found: Found
    scale: Floats

    @property
    def squares(self) -> Floats:
        """The squared norm of each example."""
        return np.square(self.scale) * Bags.of(self.found).squares


def listed(kernel: Kernel, X: Any, fields: tuple[str, ...] = ()) -> list[Listed]:
    """Return the features of the examples X, of one leaf after the other; raise where a part has no list."""
    match kernel:
        case Listing():
            found = kernel._find(X)
            return [Listed(Leaf(kernel, fields), X, found, np.ones(found.starts.size - 1))]
        case Constant(c=c):
            size = len(Items(X))
            found = Found(np.zeros(size, np.uint64), np.arange(size + 1))
            return [Listed(Leaf(kernel, fields), X, found, np.full(size, np.sqrt(float(c))))]
        case Scaled(factor=factor, base=base):
            return _times(listed(base, X, fields), np.sqrt(float(factor)))
        case Normalized(base=base):
            parts = listed(base, X, fields)
            # Leaves have no feature in common: their squares add up.
            length = np.sqrt(np.sum([part.squares for part in parts], axis=0))
            return _times(parts, np.divide(1, length, out=np.zeros_like(length), where=length > 0))
        case Sum(left=left, right=right):
            return listed(left, X, fields) + listed(right, X, fields)
        case On():
            return _listed_on(kernel, X, fields)
    raise ValueError(
        f"{kernel} has no list of features. Kernels that count parts of examples have one, such as "
        "Spectrum(3), WeisfeilerLehman(2) and Subtrees(), and so have their sums, c * k, k.normalized() "
        "and On(field, k)."
    )


def _listed_on(kernel: On, X: Any, fields: tuple[str, ...]) -> list[Listed]:
    """Return the features of one field, and one for a missing value where such values count."""
    values, flags = kernel.read(X)
    below = (*fields, kernel.field)
    try:
        parts = listed(kernel.base, values, below)
    except (TypeError, ValueError) as error:
        raise type(error)(f"field {kernel.field!r}: {error}") from error
    if kernel.missing is None:
        return parts
    found = Found(np.zeros(flags.sum(), np.uint64), np.concatenate([[0], np.cumsum(flags)]))
    return [*parts, Listed(Leaf(kernel, below), values, found, np.ones(len(flags)))]


def _times(parts: list[Listed], factor: Any) -> list[Listed]:
    return [part._replace(scale=part.scale * factor) for part in parts]


def prefixes(leaves: Sequence[Leaf]) -> list[str]:
    """Return what stands before the names of each leaf: the fields, and the kernel if these do not tell."""
    listing = [leaf for leaf in leaves if isinstance(leaf.kernel, Listing)]
    if len(listing) <= 1:
        return ["" for _ in leaves]
    fields = [leaf.fields for leaf in listing]
    return [
        "".join(f"{part}: " for part in leaf.fields)
        + ("" if leaf.fields and fields.count(leaf.fields) == 1 else f"{leaf.kernel}: ")
        if leaf in listing
        else ""
        for leaf in leaves
    ]
