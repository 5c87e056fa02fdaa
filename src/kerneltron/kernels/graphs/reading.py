"""What users hand over as graphs becomes typed arrays, with errors that name the graph and the place."""

import warnings
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.graphs.adjacency import Edges, first_stray
from kerneltron.kernels.examples import one_column
from kerneltron.kernels.graphs.graphs import ALIKE, Graphs
from kerneltron.kernels.graphs.parallel import INSTEAD_OF_LABELS, warn_of_parallel
from kerneltron.kernels.labels import label_id, label_ids
from kerneltron.kernels.ragged import starts_of

FORMS = "give a pair (edges, labels) of an m x 2 array and the labels of the nodes, or a networkx graph"
NONE = np.empty((0, 2), np.int64)
MOST_PLACES = 2**31  # numbers of nodes and places of neighbours have 32 bits


class Given(NamedTuple):
    """One graph as it was given: pairs of node numbers, how many nodes, and their labels or None."""

    edges: Integers
    size: int
    labels: Any
    unread: tuple[str, ...] = ()  # attributes of nodes that were not looked at, for want of a label
    unread_of_edges: tuple[str, ...] = ()  # attributes of edges, which are never looked at


def read(X: Iterable[Any]) -> Graphs:
    """Return the graphs in X, each a pair (edges, labels) or an object with the methods of networkx."""
    graphs = [given(x, place) for place, x in enumerate(one_column(X))]
    warn_of_unread(graphs)
    sizes = np.array([graph.size for graph in graphs], np.int64)
    pairs = np.concatenate([NONE, *(graph.edges for graph in graphs)], dtype=np.int64, casting="same_kind")
    edges = Edges(starts_of([len(graph.edges) for graph in graphs]), pairs)
    _check_edges(edges, sizes)
    found = Graphs.of(sizes, _label_ids(graphs, int(sizes.sum())), edges)
    warn_of_parallel(edges, found)
    return found


def given(x: Any, place: int = 0) -> Given:
    """Return the graph x, which is X[place]."""
    if isinstance(x, tuple | list) and len(x) == 2:
        edges, labels = _edges(x[0], place), x[1]
        if isinstance(labels, list) or (isinstance(labels, np.ndarray) and labels.ndim == 1):
            return Given(edges, len(labels), labels)
        return _with_other_labels(edges, labels, place)
    if all(hasattr(x, name) for name in ("nodes", "edges", "is_directed")):
        return _from_networkx(x, place)
    raise TypeError(f"X[{place}] is {_short(x)}, not a graph: {FORMS}.")


def warn_of_unread(graphs: Sequence[Given]) -> None:
    """Warn of attributes of edges, and of those of nodes where none is the label: all would be alike."""
    unread = sorted({name for graph in graphs for name in graph.unread})
    if unread:
        names = ", ".join(map(repr, unread[:10]))
        warnings.warn(
            f"The nodes of X carry {names}, but no 'label', so that all nodes are alike. If one of these is "
            f"the label, copy it: networkx.set_node_attributes(G, networkx.get_node_attributes(G, "
            f"{unread[0]!r}), 'label').",
            stacklevel=2,
        )
    of_edges = sorted({name for graph in graphs for name in graph.unread_of_edges})
    if of_edges:
        names = ", ".join(map(repr, of_edges[:10]))
        warnings.warn(
            f"The edges of X carry {names}, which kernels over graphs do not read: edges that differ in "
            f"nothing else are alike. {INSTEAD_OF_LABELS}.",
            stacklevel=2,
        )


def listed(labels: Any) -> list[Any]:
    """Return the labels of nodes as a list of what Python itself knows, where they are in an array."""
    return labels.tolist() if isinstance(labels, np.ndarray) else list(labels)


def _with_other_labels(edges: Integers, labels: Any, place: int) -> Given:
    if labels is None:
        return Given(edges, int(edges.max(initial=-1)) + 1, None)
    if isinstance(labels, Integral) and not isinstance(labels, bool):
        if labels < 0:
            raise ValueError(f"X[{place}] has {labels} nodes: give 0 or more.")
        return Given(edges, int(labels), None)
    is_row = hasattr(labels, "__len__") and getattr(labels, "ndim", 1) == 1
    if not is_row or isinstance(labels, str | bytes | Mapping | Set):
        raise TypeError(
            f"X[{place}] has {_short(labels)} for node labels: give a list or an array with a label for "
            "each node in its order, or their number if they have no labels, or None."
        )
    return Given(edges, len(labels), list(labels))


def _edges(edges: Any, place: int) -> Integers:
    try:
        array = edges if isinstance(edges, np.ndarray) else np.asarray(list(edges))
    except (TypeError, ValueError):
        _check_labelled_edges(edges, place)
        raise TypeError(f"X[{place}] has {_short(edges)} for edges: {FORMS}.") from None
    if array.size == 0:
        return NONE
    if array.ndim != 2 or array.shape[1] != 2:
        if array.shape[0] != 2:
            _check_labelled_edges(edges, place)
        turned = "; are they turned? Give edges.T" if array.ndim == 2 and array.shape[0] == 2 else ""
        raise ValueError(f"X[{place}] has edges of the shape {array.shape}, not m x 2{turned}.")
    if array.dtype.kind not in "iu":
        raise TypeError(
            f"X[{place}] has edges of {array.dtype}: give whole numbers, the places of two nodes."
        )
    return array


def _check_labelled_edges(edges: Any, place: int) -> None:
    """Raise if an edge has a label after the numbers of its two nodes."""
    for number, edge in enumerate(edges if isinstance(edges, Sequence) else ()):
        if isinstance(edge, tuple | list) and len(edge) == 3:
            raise ValueError(
                f"X[{place}] has the edge {tuple(edge)!r:.60} at place {number}: kernels over graphs read "
                f"pairs of nodes, and no labels of edges. {INSTEAD_OF_LABELS}."
            )


def _from_networkx(x: Any, place: int) -> Given:
    if x.is_directed():
        raise ValueError(f"X[{place}] is a directed graph: give X[{place}].to_undirected().")
    numbers = {node: number for number, node in enumerate(x.nodes)}
    try:  # edges of multigraphs have a key at the end
        edges = [(numbers[edge[0]], numbers[edge[1]]) for edge in x.edges]
    except KeyError as error:
        raise ValueError(f"X[{place}] has an edge to {error}, which is not among its nodes.") from None
    labels = [x.nodes[node].get("label") for node in numbers]
    missing = [node for node, label in zip(numbers, labels, strict=True) if label is None]
    if 0 < len(missing) < len(labels):
        raise ValueError(
            f"X[{place}] has no label for the node {missing[0]!r}, but for others: label all nodes, or none."
        )
    unread = {str(name) for node in missing for name in x.nodes[node]}
    pairs = np.array(edges, np.int64).reshape(-1, 2)
    with_data = x.edges(data=True) if callable(x.edges) else ()
    of_edges = {str(name) for *_, attributes in with_data for name in attributes}
    return Given(pairs, len(labels), None if missing else labels, tuple(unread - {"label"}), tuple(of_edges))


def _check_edges(edges: Edges, sizes: Integers) -> None:
    """Raise unless all edges end at nodes, and name the first that does not."""
    if max(sizes.max(initial=0), 2 * np.diff(edges.starts).max(initial=0)) >= MOST_PLACES:
        raise ValueError(
            f"a graph has {MOST_PLACES:,} nodes, or half as many edges, or more: that is too large."
        )
    stray = first_stray(edges, starts_of(sizes))
    if stray < len(edges.pairs):
        place = int(np.searchsorted(edges.starts, stray, side="right")) - 1
        size, number = int(sizes[place]), stray - int(edges.starts[place])
        ends = tuple(edges.pairs[stray].tolist())
        there = f"numbered from 0 to {size - 1}" if size else "so it can have no edge"
        raise ValueError(f"X[{place}] has the edge {ends} at place {number}, but {size} nodes, {there}.")


def _label_ids(graphs: Sequence[Given], total: int) -> Integers:
    """Return the ids of the labels of all nodes."""
    labelled = [place for place, graph in enumerate(graphs) if graph.labels is not None and graph.size]
    if not labelled:
        return np.full(total, ALIKE, np.uint64)
    for place, graph in enumerate(graphs):
        if graph.labels is None and graph.size:
            raise ValueError(
                f"X[{place}] has no node labels, but X[{labelled[0]}] has: give labels to the nodes of all "
                "graphs, or of none."
            )
    values = [graphs[place].labels for place in labelled]
    if all(isinstance(labels, np.ndarray) and np.can_cast(labels.dtype, np.int64) for labels in values):
        return label_ids(np.concatenate(values, dtype=np.int64))
    lists = [listed(labels) for labels in values]
    try:
        return label_ids(chain.from_iterable(lists))
    except TypeError:
        for place, labels in zip(labelled, lists, strict=True):
            _check_labels(labels, place)
        raise


def _check_labels(labels: Sequence[Any], place: int) -> None:
    """Raise an error that names the first node whose label is not a label."""
    for node, label in enumerate(labels):
        try:
            label_id(label)
        except TypeError:
            what = "no label" if label is None else f"{_short(label)} for a label"
            raise TypeError(
                f"X[{place}] has {what} at node {node}: give every node a text or a number."
            ) from None


def _short(value: Any) -> str:
    """Return what an error says of something that is not as it should be."""
    text = repr(value) if isinstance(value, str | bytes | int | float) else f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."
