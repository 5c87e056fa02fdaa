"""Tree kernels over the parse trees of the TREC questions beside a dynamic programme in plain Python."""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.compare import Work
from benchmarks.settings import Settings
from benchmarks.table import Row, Target
from kerneltron.datasets.questions import load_questions
from kerneltron.kernels import Kernel, PartialTrees, SubsetTrees
from kerneltron.kernels.trees.reading import read_tree
from tests.oracle.trees import Nodes, partial_trees, subset_trees

BLOCK = 1000  # trees on each side
THEIRS = "plain Python, some of the pairs"
SAMPLE = 400  # pairs that the dynamic programme is timed on
CONTESTANTS: dict[str, tuple[Kernel, Callable[..., float], tuple[float, ...]]] = {
    "SubsetTrees": (SubsetTrees(0.4), subset_trees, (0.4,)),
    "PartialTrees": (PartialTrees(0.4, 0.4), partial_trees, (0.4, 0.4)),
}


def tree_kernels(settings: Settings) -> list[Row]:
    """Compare pairs a second, on both kinds of trees that the questions have."""
    try:
        questions = load_questions().X
    except FileNotFoundError:
        return [Row("kernels over the TREC trees", THEIRS, "", "no data: set KERNELTRON_DATA", None, "", {})]
    return [
        _row(name, kind, [record[kind] for record in questions], settings)
        for name in CONTESTANTS
        for kind in ("grct", "lct")
    ]


def _row(name: str, kind: str, trees: list[str], settings: Settings) -> Row:
    kernel, oracle, parameters = CONTESTANTS[name]
    size = BLOCK // (4 if settings.quick else 1)
    left, right = kernel.pack(trees[:size]), kernel.pack(trees[size : 2 * size])
    kernel.gram(left[:10], right[:10])
    mine = min(_seconds(lambda: kernel.gram(left, right)) for _ in range(settings.repeats))
    gram, rng = kernel.gram(left, right), np.random.default_rng(0)
    pairs = rng.integers(0, size, (SAMPLE, 2)).tolist()
    read = [(Nodes(_nested(trees[i])), Nodes(_nested(trees[size + j]))) for i, j in pairs]
    start = perf_counter()
    values = [oracle(x, z, *parameters) for x, z in read]
    other = (perf_counter() - start) / SAMPLE
    np.testing.assert_allclose([gram[i, j] for i, j in pairs], values, rtol=1e-10)
    ours, a_pair = f"{name}, {size:,} x {size:,} TREC trees, {kind}", mine / size**2
    raw = {"seconds a pair": {ours: a_pair, THEIRS: other}}
    shown = Work(size**2, "pairs").rate(mine), Work(SAMPLE, "pairs").rate(other * SAMPLE)
    return Row(ours, THEIRS, *shown, other / a_pair, "times as fast", raw, Target("at least", 200.0))


def _nested(text: str) -> Any:
    """Return a tree as nested tuples."""
    stack: list[Any] = []
    tree = read_tree(text)
    for label, count in zip(tree.labels, tree.counts, strict=True):
        stack[len(stack) - count :] = [(label, *stack[len(stack) - count :])]
    return stack[0]


def _seconds(work: Callable[[], Any]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start
