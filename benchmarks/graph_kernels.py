"""The Weisfeiler-Lehman Gram matrix of the NCI1 molecules beside GraKeL's."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.compare import Work, faster
from benchmarks.measure import with_slow_ones
from benchmarks.settings import Settings
from benchmarks.table import Row, Target
from kerneltron.datasets.graphs import load_graphs
from kerneltron.kernels import WeisfeilerLehman

ROUNDS = 5


def graph_kernels(settings: Settings) -> list[Row]:
    """Set the whole matrix, from graphs as pairs of arrays, beside GraKeL's, from graphs as it takes them."""
    ours, theirs = f"WeisfeilerLehman({ROUNDS}), Gram matrix of NCI1", "GraKeL's, the same values"
    if find_spec("grakel") is None:
        return [Row(ours, theirs, "", "not installed: pip install grakel", None, "", {})]
    try:
        graphs = load_graphs("NCI1").graphs[: 411 if settings.quick else None]
    except FileNotFoundError:
        return [Row(ours, theirs, "", "no data: set KERNELTRON_DATA", None, "", {})]
    grakel: Any = import_module("grakel")
    given = [for_grakel(edges, labels) for edges, labels in graphs]

    kernel = WeisfeilerLehman(ROUNDS)
    kernel(graphs[:200])
    if not np.array_equal(kernel(graphs[:300]), peer_of(grakel, given[:300])):
        raise AssertionError("the values differ from GraKeL's")
    slow = {theirs: lambda _: peer_of(grakel, given)}
    timings = with_slow_ones({ours: kernel}, slow, lambda: graphs, settings.repeats)
    work = Work(len(graphs) ** 2, "pairs")
    return [faster(timings, ours, theirs, work, Target("at least", 10.0, aim=20.0))]


def peer_of(grakel: Any, graphs: Any) -> Any:
    """Return GraKeL's Gram matrix."""
    kernel = grakel.WeisfeilerLehman(n_iter=ROUNDS, base_graph_kernel=grakel.VertexHistogram)
    return kernel.fit_transform(graphs)


def for_grakel(edges: Any, labels: Any) -> Any:
    """Return a graph as GraKeL takes it: sets of edges in both directions, and labels by node."""
    pairs = {(int(a), int(b)) for a, b in edges}
    return [pairs | {(b, a) for a, b in pairs}, dict(enumerate(labels.tolist()))]
