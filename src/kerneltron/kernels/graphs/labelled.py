"""Whether nodes have labels: graphs with labels are not compared with graphs without."""

import numpy as np

from kerneltron.kernels.graphs.graphs import ALIKE, KEY, Graphs
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair


def note(pack: Pack, graphs: Graphs) -> None:
    """Let the pack know of each graph: its nodes have labels (1), have none (-1), or there are none (0)."""
    signs = np.zeros(len(graphs))
    there = graphs.nodes.lengths > 0
    signs[there] = np.where(graphs.labels[graphs.nodes.starts[:-1][there]] == ALIKE, -1.0, 1.0)
    pack.numbers[KEY] = signs


def check_labelled(pair: Pair) -> None:
    """Raise if one side has labels where the other has none."""
    left, right = pair.left.numbers[KEY], pair.right.numbers[KEY]
    for one, other in ((left, right), (right, left)):
        if one.max(initial=0.0) > 0 > other.min(initial=0.0):
            raise ValueError(
                "Graphs with node labels are compared with graphs without: give labels to the nodes of all "
                "graphs, or of none."
            )
