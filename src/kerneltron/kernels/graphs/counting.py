"""Kernels that list what they find in each graph, and count it."""

from abc import abstractmethod
from typing import Any

from kerneltron._types import Floats
from kerneltron.kernels.bags import Bags, Found
from kerneltron.kernels.counting import Counting
from kerneltron.kernels.graphs.graphs import Graphs
from kerneltron.kernels.graphs.labelled import check_labelled, note
from kerneltron.kernels.graphs.reading import read
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair


class CountingInGraphs(Counting):
    """A kernel over graphs that counts patterns; of the graphs themselves nothing is kept."""

    domain = "graphs"

    @abstractmethod
    def _search(self, graphs: Graphs) -> Found:
        """Return the patterns in all graphs."""

    def _find(self, X: Any) -> Found:
        return self._search(read(X))

    def _fill(self, pack: Pack, X: Any) -> None:
        graphs = read(X)
        note(pack, graphs)
        pack.add(self, lambda: Bags.of(self._search(graphs)))

    def _block(self, pair: Pair) -> Floats:
        check_labelled(pair)
        return super()._block(pair)
