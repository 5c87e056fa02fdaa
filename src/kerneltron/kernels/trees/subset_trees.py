"""Fragments of trees that keep all children of a node, or none."""

from dataclasses import dataclass
from typing import Any

from kerneltron.engine.trees.subset import SizedSubset, Subset
from kerneltron.kernels.parameters import positive, whole
from kerneltron.kernels.trees.comparing import Comparing
from kerneltron.kernels.trees.forest import Codes, Forest


@dataclass(frozen=True, repr=False)
class SubsetTrees(Comparing):
    """k(x, z) = sum over fragments f of decay^|f| count_f(x) count_f(z), |f| its number of productions.

    A fragment is a node with all its children, some of which are fragments again: a piece of a derivation
    that breaks no rule of the grammar. The kernel is the sum over all pairs of nodes of C(n, m): 0 unless
    both have the same production (equal labels, and children with equal labels in the same order; leaves have
    none), and else decay * product over the children of (1 + C(n_i, m_i)).

    Time is linear in the pairs of nodes with equal productions, where a complete subtree that occurs often on
    the right side of a block counts once; `max_size` costs its square. No matrix of all pairs is kept.

    Parameters
    ----------
    decay
        What a fragment weighs less for each production in it; 1 counts them.
    max_size
        The most productions in a fragment, or None for all.

    References
    ----------
    Collins and Duffy (2002), New Ranking Algorithms for Parsing and Tagging, section 2.

    Examples
    --------
    >>> from kerneltron.kernels import SubsetTrees
    >>> SubsetTrees()(["(S (NP John) (VP joins))", "(S (NP Mary) (VP joins))"])  # 6 fragments each, 3 in both
    array([[6., 3.],
           [3., 6.]])
    """

    decay: float = 1.0
    max_size: int | None = None

    def __post_init__(self) -> None:
        positive("decay", self.decay)
        if self.max_size is not None:
            whole("max_size", self.max_size, 1)

    def _codes(self, forest: Forest) -> Codes:
        return forest.by_production

    def _rule(self, largest: int, widest: int) -> Any:
        if self.max_size is None or self.max_size >= largest:
            return Subset(float(self.decay))
        return SizedSubset(float(self.decay), int(self.max_size))
