"""Labelled graphs in the format of the TU Dortmund collection (https://chrsmrrs.github.io/datasets)."""

import re
import warnings
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Anything, Integers
from kerneltron.datasets.folder import find, found_folder, unpacked

ORIGIN = "The data sets are at https://chrsmrrs.github.io/datasets (TUDataset); `load_tu` reads any folder."
ADVICE = (
    "give the folder with the files of a data set, and what their names begin with where that is not the "
    "name of the folder."
)
WHOLE = re.compile(rb"\s*[+-]?[0-9]{1,18}\s*")


class GraphData(NamedTuple):
    """Graphs, each a pair of edges and node labels as kernels over graphs take it, and their classes."""

    graphs: list[tuple[Integers, Any]]
    y: Anything
    name: str


def load_graphs(name: str) -> GraphData:
    """Return the graphs in `graphs/NAME` ("MUTAG", "NCI1") of the folder that KERNELTRON_DATA names.

    Parameters
    ----------
    name
        The name of the folder and what its files begin with.
    """
    return load_tu(found_folder(f"graphs/{name}", None, ORIGIN), name)


def load_tu(folder: str | Path, name: str | None = None) -> GraphData:
    """Return the graphs that a folder in TU format holds; NCI1, of 4,110 graphs, takes 0.3 s.

    Line i of `NAME_graph_indicator.txt` is the number of the graph to which node i belongs, and line i of
    `NAME_node_labels.txt`, if there is one, its label. `NAME_A.txt` holds two nodes per line, mostly both
    ways round, and `NAME_graph_labels.txt` the class of each graph. Any file may be packed (.gz). Labels of
    several columns become texts such as "3,1"; graphs without labels come with their numbers of nodes. Labels
    of edges are not read: kernels over graphs do not compare them.

    Parameters
    ----------
    folder
        Where the files are.
    name
        What their names begin with; None is the name of the folder.
    """
    folder = Path(folder)
    name = folder.resolve().name if name is None else name
    classes, owners, pairs = (
        find(folder, f"{name}_{member}.txt", ADVICE) for member in ("graph_labels", "graph_indicator", "A")
    )
    y, owner, edges = table(classes, 1)[:, 0], table(owners, 1)[:, 0] - 1, table(pairs, 2) - 1
    _check_between(owners, owner, len(y), f"{classes.name} holds the classes of {len(y)} graphs")
    _check_between(pairs, edges, len(owner), f"{owners.name} holds the graphs of {len(owner)} nodes")
    across = np.flatnonzero(owner[edges[:, 0]] != owner[edges[:, 1]])
    if across.size:
        raise ValueError(f"{_line(pairs, across[0])} joins nodes of two graphs.")
    return GraphData(_split(owner, edges, _node_labels(folder, name, owners, len(owner)), len(y)), y, name)


def table(path: Path, columns: int | None = None) -> Integers:
    """Return the whole numbers that stand in a file, separated by commas, one row per line."""
    content = unpacked(path)
    if not content.strip():
        return np.empty((0, columns or 1), np.int64)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # numpy would make 3 of 3.7, and warn
            rows = np.loadtxt(BytesIO(content), np.int64, comments=None, delimiter=",", ndmin=2)
    except (ValueError, DeprecationWarning) as error:
        _check_lines(path, content, columns)
        raise ValueError(f"{path} is damaged: {error}") from error
    if columns not in (None, rows.shape[1]):
        _check_lines(path, content, columns)
    return rows


def _check_lines(path: Path, content: bytes, columns: int | None) -> None:
    """Raise an error that names the first line without this many whole numbers; None: those of line 1."""
    for number, line in enumerate(content.splitlines(), start=1):
        words = line.split(b",") if line.strip() else []
        for word in words:
            if not WHOLE.fullmatch(word):
                shown = word.strip()[:40].decode("ascii", "backslashreplace")
                raise ValueError(f"{path}, line {number}: {shown!r} is not a whole number.")
        columns = columns or len(words)
        if words and len(words) != columns:
            raise ValueError(f"{path}, line {number} should hold {columns} numbers, and holds {len(words)}.")


def _check_between(path: Path, numbers: Integers, count: int, reason: str) -> None:
    """Raise an error that names the first line whose number, here from 0 on, is not below `count`."""
    wrong = np.argwhere((numbers < 0) | (numbers >= count))
    if wrong.size:
        number = int(numbers[tuple(wrong[0])]) + 1
        raise ValueError(f"{_line(path, wrong[0][0])} holds {number}, but {reason}, numbered from 1.")


def _line(path: Path, row: int) -> str:
    """Return the file and the line of a row; empty lines hold none."""
    filled = [number for number, line in enumerate(unpacked(path).splitlines(), start=1) if line.strip()]
    return f"{path}, line {filled[row]}"


def _node_labels(folder: Path, name: str, owners: Path, count: int) -> Anything | None:
    try:
        path = find(folder, f"{name}_node_labels.txt", ADVICE)
    except FileNotFoundError:
        return None
    labels = table(path)
    if len(labels) != count:
        raise ValueError(
            f"{path} holds labels of {len(labels)} nodes, but {owners.name} the graphs of {count}: they do "
            "not belong together."
        )
    return labels[:, 0] if labels.shape[1] == 1 else np.array([",".join(map(str, row)) for row in labels])


def _split(
    owner: Integers, edges: Integers, labels: Anything | None, count: int
) -> list[tuple[Integers, Any]]:
    """Return the edges and the labels of each graph, whose nodes are numbered from 0."""
    nodes, owner_of_edge = np.argsort(owner, kind="stable"), owner[edges[:, 0]]
    sizes = np.bincount(owner, minlength=count)
    ends = np.cumsum(sizes)
    numbers = np.empty(len(owner), np.int64)
    numbers[nodes] = np.arange(len(owner)) - np.repeat(ends - sizes, sizes)
    by_graph = numbers[edges[np.argsort(owner_of_edge, kind="stable")]]
    each = _pieces(by_graph, np.cumsum(np.bincount(owner_of_edge, minlength=count)))
    return list(zip(each, sizes.tolist() if labels is None else _pieces(labels[nodes], ends), strict=True))


def _pieces(array: Anything, ends: Integers) -> list[Anything]:
    """Return the piece of the array in front of each end."""
    return np.split(array, ends)[:-1]
