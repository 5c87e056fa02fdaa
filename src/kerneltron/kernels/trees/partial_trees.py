"""Fragments of trees that keep any of the children of a node, in their order."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kerneltron.engine.trees.partial import Partial
from kerneltron.engine.trees.sized_partial import SizedPartial
from kerneltron.kernels.parameters import positive, whole
from kerneltron.kernels.trees.comparing import Comparing
from kerneltron.kernels.trees.forest import Codes, Forest


@dataclass(frozen=True, repr=False)
class PartialTrees(Comparing):
    """k(x, z) = sum over pairs of nodes of Delta(n, m), all common fragments that are rooted there.

    A fragment is a node with some of its children, in their order, which are fragments again. Delta is 0 for
    different labels, and else decay * (gap_decay^2 + sum over subsequences of children, equally long ones, of
    gap_decay^g * product of Delta(n_i, m_j)), where g counts the children that are left out between others,
    in both trees. Two leaves have decay * gap_decay^2 * terminal_factor.

    Time is O(|c(n)| |c(m)|), children times children, for each pair of nodes with equal labels, where a
    complete subtree that occurs often on the right side of a block counts once; `max_size` costs its square.
    No matrix of all pairs is kept.

    Parameters
    ----------
    decay
        What a fragment weighs less for each node in it (mu of the paper).
    gap_decay
        What it weighs less for each child that is left out, at most 1 (lambda of the paper).
    terminal_factor
        What a leaf weighs more. Between a leaf and an inner node of the same label, the smaller of this
        factor and 1 holds: so the kernel is positive semi-definite for every factor.
    max_size
        The most nodes in a fragment, or None for all.

    References
    ----------
    Moschitti (2006), Efficient Convolution Kernels for Dependency and Constituent Syntactic Trees, section 3.

    Notes
    -----
    The values are those of KeLP's PartialTreeKernel (mu, lambda, terminalFactor) while the factor is at most
    1; KeLP takes the factor itself between a leaf and an inner node, too, which is not a kernel beyond 1. As
    there, children side by side cost nothing; in the paper's formula the exponent is the whole span.

    Examples
    --------
    >>> from kerneltron.kernels import PartialTrees
    >>> k = PartialTrees(decay=1.0, gap_decay=1.0)  # counts: 5 nodes, NP and VP with a child, 8 with S
    >>> k(["(S (NP John) (VP joins))", "(S (VP joins))"])
    array([[15.,  6.],
           [ 6.,  6.]])
    """

    decay: float = 0.4
    gap_decay: float = 0.4
    terminal_factor: float = 1.0
    max_size: int | None = None

    def __post_init__(self) -> None:
        positive("decay", self.decay)
        positive("gap_decay", self.gap_decay)
        positive("terminal_factor", self.terminal_factor)
        if self.gap_decay > 1:
            raise ValueError(f"gap_decay={self.gap_decay!r} must be at most 1.")
        if self.max_size is not None:
            whole("max_size", self.max_size, 1)

    def _codes(self, forest: Forest) -> Codes:
        return forest.by_label

    def _rule(self, largest: int, widest: int) -> Any:
        decay, gap, factor = float(self.decay), float(self.gap_decay), float(self.terminal_factor)
        alone = decay * gap * gap
        powers = gap ** np.arange(widest + 2, dtype=np.float64)
        every = Partial(decay, gap, alone, alone * factor, alone * min(1.0, factor), powers)
        if self.max_size is None or self.max_size >= largest:
            return every
        return SizedPartial(every, int(self.max_size))
