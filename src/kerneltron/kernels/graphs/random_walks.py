"""The geometric random-walk kernel."""

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.engine.graphs.radius import radii
from kerneltron.engine.graphs.walks import Labelled, compare_walks, own_walks
from kerneltron.kernels.graphs.graphs import KEY, Graphs
from kerneltron.kernels.graphs.labelled import check_labelled, note
from kerneltron.kernels.graphs.reading import read
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.parameters import positive
from kerneltron.kernels.threads import in_threads

ROUNDS = (
    2_000  # of the search for the radius of a graph: one will do where its largest degree allows the decay
)
VECTORS = 6  # that conjugate gradients need


@dataclass(frozen=True, repr=False)
class RandomWalks(Kernel):
    """k(x, z) = sum over l of decay^l times the number of pairs of walks of l steps with the same labels.

    That is 1 (I - decay W)^-1 1, W the adjacency of the direct product of both graphs, whose nodes are the
    pairs of nodes with the same label. The sum is finite where decay < 1 / rho^2 for the spectral radius rho
    of each graph, which is at most its largest degree. Values are exact to 12 digits. One takes some ten
    steps of conjugate gradients, O(n_x n_z degree) each, and O(n_x n_z) memory: 20 microseconds for two
    molecules of 20 to 30 atoms.

    Parameters
    ----------
    decay
        How much a walk that is one step longer counts. Large graphs with hubs need a small one.

    References
    ----------
    Gaertner, Flach and Wrobel (2003), On graph kernels, COLT, section 4; Vishwanathan et al. (2010), Graph
    kernels, JMLR 11, section 4, for the solution by conjugate gradients.

    Examples
    --------
    >>> from kerneltron.kernels import RandomWalks
    >>> methanol = [(0, 1)], ["C", "O"]
    >>> RandomWalks(0.5)([methanol])  # of each length, two walks that both have: 2 (1 + 1/2 + 1/4 + ...)
    array([[4.]])
    """

    decay: float = 0.1

    domain = "graphs"

    def __post_init__(self) -> None:
        positive("decay", self.decay)

    def _fill(self, pack: Pack, X: Any) -> None:
        graphs = pack.add(KEY, lambda: read(X))
        note(pack, graphs)
        self._check(graphs)
        pack.numbers[self] = self._own(graphs)

    def _check(self, graphs: Graphs) -> None:
        """Raise an error that names the first graph for which the sum has no end."""
        bounds = np.empty(len(graphs))
        enough = sqrt(1 / self.decay)

        def work(first: int, end: int) -> None:
            nodes = int(graphs.nodes.lengths[first:end].max(initial=0))
            radii(graphs.adjacency, first, end, enough, ROUNDS, np.empty(nodes), np.empty(nodes), bounds)

        in_threads(work, len(graphs), 64)
        wrong = np.flatnonzero(self.decay * bounds**2 >= 1)
        if wrong.size:
            bound = bounds[wrong[0]]
            raise ValueError(
                f"decay={self.decay!r} is too large for X[{wrong[0]}]: the sum over its walks is infinite. "
                f"Give less than {1 / bound**2:.6g}, 1 over the square of its spectral radius {bound:.6g}."
            )

    def _own(self, graphs: Graphs) -> Floats:
        own, diagonal = Labelled(graphs.adjacency, graphs.labels), np.empty(len(graphs))

        def work(first: int, end: int) -> None:
            vectors = np.empty((VECTORS, int(graphs.nodes.lengths[first:end].max(initial=0)) ** 2))
            own_walks(own, first, end, float(self.decay), vectors, diagonal)

        in_threads(work, len(graphs), 16)
        return diagonal

    def _diag(self, pack: Pack) -> Floats:
        return pack.numbers[self]

    def _block(self, pair: Pair) -> Floats:
        check_labelled(pair)
        left: Any = pair.left.parts[KEY]
        right: Any = pair.right.parts[KEY]
        sides = [Labelled(graphs.adjacency, graphs.labels) for graphs in (left, right)]
        widest, block = int(right.nodes.lengths.max(initial=0)), np.empty(pair.shape)

        def work(first: int, end: int) -> None:
            vectors = np.empty((VECTORS, int(left.nodes.lengths[first:end].max(initial=0)) * widest))
            compare_walks(sides[0], first, end, sides[1], float(self.decay), vectors, block)

        in_threads(work, len(left))
        return block
