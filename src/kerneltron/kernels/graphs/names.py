"""How patterns in graphs are written: with the labels of nodes as the user wrote them."""

from typing import Any

from kerneltron.kernels.graphs.reading import Given, listed

LONGEST_NAME = 80  # characters, without the number that ends a longer name
ANY = "*"  # a node without a label


def node_names(graph: Given) -> list[str]:
    """Return how each node is written."""
    if graph.labels is None:
        return [ANY] * graph.size
    return [label_name(label) for label in listed(graph.labels)]


def label_name(label: Any) -> str:
    """Return how a label is written: a text in quotes where it could be taken for something else.

    Examples
    --------
    >>> label_name("C"), label_name(6), label_name("6"), label_name("C(O)")
    ('C', '6', "'6'", "'C(O)'")
    """
    text = str(label)
    if isinstance(label, str) and (_is_number(text) or text in ("", ANY) or set(text) & set("(),'")):
        return repr(text)
    return text


def shortened(name: str, id: int) -> str:
    """Return a name that is not too long; two that begin alike then differ in their ids."""
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}...#{id:016x}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
