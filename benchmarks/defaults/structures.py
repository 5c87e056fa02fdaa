"""Strings, graphs and trees, and kernels that compare them: the first as it comes, then others to try."""

from typing import Any

from benchmarks.defaults.tables import shuffled
from kerneltron.datasets import load_graphs, load_questions, load_splice
from kerneltron.kernels import (
    Kernel,
    On,
    PartialTrees,
    ShortestPaths,
    Spectrum,
    SubsetTrees,
    WeightedDegree,
    WeisfeilerLehman,
)

GRAPHS, TREES = 2_400, 1_500  # graphs in all, and trees to learn from

# Strings of one length are compared place by place. WeightedDegree has no default for k.
KERNELS: dict[str, tuple[Kernel, ...]] = {
    "splice": (
        WeightedDegree(5).normalized(),
        WeightedDegree(3).normalized(),
        WeightedDegree(10).normalized(),
        WeightedDegree(5).normalized() ** 2,
        Spectrum(4).normalized(),
    ),
    "nci1": (
        WeisfeilerLehman().normalized(),
        WeisfeilerLehman(2).normalized(),
        WeisfeilerLehman(10).normalized(),
        (6.0 * WeisfeilerLehman().normalized()).exp().normalized(),
        ShortestPaths().normalized(),
    ),
    "trees": (
        On("grct", PartialTrees().normalized()),
        On("grct", PartialTrees(0.4, 0.7, terminal_factor=5.0).normalized()),
        On("grct", PartialTrees(0.1).normalized()),
        On("grct", SubsetTrees().normalized()),
        On("grct", SubsetTrees(0.4).normalized()),
    ),
}


def splice() -> tuple[Any, Any]:
    """Return pieces of DNA."""
    return tuple(load_splice())  # type: ignore[return-value]


def molecules() -> tuple[Any, Any]:
    """Return graphs of atoms, active or not."""
    data = load_graphs("NCI1")
    order = shuffled(len(data.y))[:GRAPHS]
    return [data.graphs[place] for place in order], data.y[order]


def trees() -> tuple[Any, ...]:
    """Return the parse trees of questions."""
    data = load_questions()
    order = shuffled(len(data.y))[:TREES]
    return [data.X[place] for place in order], data.y[order], data.X_test, data.y_test
