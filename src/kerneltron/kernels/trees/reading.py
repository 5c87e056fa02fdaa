"""Trees as people hand them over: bracketed text, nested tuples, or objects shaped like those of NLTK."""

import re
import reprlib
from collections.abc import Iterator, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

TOKEN = re.compile(r"\(\s*[^\s()]*|\)|[^\s()]+")  # an opening bracket with its label, a closing one, a word
PLAIN = re.compile(r"[^\s()]+")  # labels that stand in bracketed text as they are
UNNAMED = " ("  # an opening bracket without a label
GIVE = 'give text as "(S (NP John) (VP joins))", tuples as ("S", ("NP", "John")), or trees of NLTK'


class Tree(NamedTuple):
    """A tree in post-order: every node comes after its children, and these from left to right.

    Node i is the root of the nodes i - size + 1 to i, and the last node is the root of all. The last child of
    node i, where it has one, is i - 1; `children_of` finds the others.

    Attributes
    ----------
    labels
        The label of each node, as it was given: text, bytes or a number.
    counts
        How many children each node has; 0 makes it a leaf.
    """

    labels: list[Any]
    counts: list[int]


class Open(NamedTuple):
    """A node whose children are being read."""

    label: Any
    children: Iterator[Any]
    node: Any
    first: int  # where the children begin when the node is indexed


def read_tree(x: Any, name: str = "the tree") -> Tree:
    """Return a tree in post-order; errors call it by this name.

    Bracketed text holds the label of a node after each opening bracket; a word that follows is a leaf, as is
    a bracket without children: "(S (NP John) (VP joins))" and "(S(NP(John))(VP(joins)))" are the same tree.
    The outermost label alone may be left out, as in the Penn treebank: "( (S ...))". A tuple or a list holds
    the label first. Any other object with a method `label` is iterated over for its children. Strings, bytes
    and numbers among the children are leaves.

    Time and memory are linear in the nodes, and trees may have any depth. Errors count characters from 0.

    Examples
    --------
    >>> from kerneltron.kernels.trees.reading import read_tree
    >>> read_tree("(S (NP John) (VP joins))")
    Tree(labels=['John', 'NP', 'joins', 'VP', 'S'], counts=[0, 1, 0, 1, 2])
    >>> read_tree(("S", ("NP", "John"), ("VP", "joins"))) == _
    True
    """
    if isinstance(x, str):
        return _read_text(x, name)
    if isinstance(x, Tree):
        return _checked(x, name)
    return _read_nested(x, name)


def text_of(tree: Tree) -> str:
    """Return a tree as bracketed text.

    Examples
    --------
    >>> from kerneltron.kernels.trees.reading import read_tree, text_of
    >>> text_of(read_tree("(S(NP(John))(VP(joins)))"))
    '(S (NP John) (VP joins))'
    """
    backwards = []
    unfinished: list[tuple[str, int]] = []  # nodes with the number of their children that are still to come
    for label, count in zip(reversed(tree.labels), reversed(tree.counts), strict=True):
        if unfinished:
            name, left = unfinished.pop()
            unfinished.append((name, left - 1))
        if count:
            backwards.append(")")
            unfinished.append((UNNAMED if label == "" and not unfinished else f" ({_shown(label)}", count))
        elif unfinished and unfinished[-1][0] == UNNAMED:
            backwards.append(f" ({_shown(label)})")  # a bare word would be read as the missing label
        else:
            backwards.append(f" {_shown(label)}")
        while unfinished and unfinished[-1][1] == 0:
            backwards.append(unfinished.pop()[0])
    return "".join(reversed(backwards)).lstrip()


def children_of(tree: Tree) -> list[list[int]]:
    """Return the children of each node, from left to right.

    Examples
    --------
    >>> from kerneltron.kernels.trees.reading import children_of, read_tree
    >>> children_of(read_tree("(S (NP John) (VP joins))"))
    [[], [0], [], [2], [1, 3]]
    """
    children: list[list[int]] = []
    roots: list[int] = []
    for i, count in enumerate(tree.counts):
        first = len(roots) - count
        children.append(roots[first:])
        roots[first:] = [i]
    return children


def _checked(tree: Tree, name: str) -> Tree:
    """Return a tree that is in post-order already; raise if it is not: compiled code relies on it."""
    roots = 0
    for i, count in enumerate(tree.counts):
        if not 0 <= count <= roots:
            raise ValueError(
                f"{name} is not a tree in post-order: {roots} nodes wait for node {i}, not {count}."
            )
        roots += 1 - count
    if roots != 1 or len(tree.labels) != len(tree.counts):
        raise ValueError(f"{name} is not a tree in post-order: {len(tree.labels)} labels, {roots} roots.")
    return tree


def is_label(value: Any) -> bool:
    """Return whether a value can be the label of a node."""
    return isinstance(value, str | bytes | Real)


def _shown(label: Any) -> str:
    """Return a label as it stands in bracketed text, in quotes where it would be read as something else."""
    if not isinstance(label, str):
        return repr(label.item() if isinstance(label, np.generic) else label)
    return label if PLAIN.fullmatch(label) else repr(label)


# -- bracketed text ------------------------------------------------------------------------------------


def _read_text(text: str, name: str) -> Tree:
    """Read without looking where a token stands; what is wrong is found out afterwards."""
    labels: list[Any] = []
    counts: list[int] = []
    path: list[tuple[str, int]] = []  # open brackets: the label, and the number of siblings before
    count = 0  # children of the innermost bracket
    for token in TOKEN.findall(text):
        if token == ")":
            if not path:
                raise _fault(text, name)
            label, before = path.pop()
            labels.append(label)
            counts.append(count)
            count = before + 1
        elif token[0] == "(":
            path.append((token[1:].lstrip(), count))
            count = 0
        else:
            labels.append(token)
            counts.append(0)
            count += 1
    if path or count != 1 or "" in labels:
        fault = _fault(text, name)
        if fault is not None:
            raise fault
    return Tree(labels, counts)


def _fault(text: str, name: str) -> Any:
    """Return an error that says what is wrong with a text and where, or None if all is well."""
    path: list[int] = []
    ended = False
    for match in TOKEN.finditer(text):
        token, place = match.group(), match.start()
        where = f"{name} is not a tree: at character {place}"
        if token == ")" and not path:
            return ValueError(f"{where}, ')' closes no bracket; remove it, or add a '(' before.")
        if ended:
            return ValueError(f"{where}, {reprlib.repr(token)} comes after the end: an example is one tree.")
        if token == ")":
            path.pop()
        elif token[0] == "(":
            if not token[1:].strip() and (path or text[match.end() : match.end() + 1] != "("):
                return ValueError(f"{where}, a bracket has no label; write it directly after the '('.")
            path.append(place)
        ended = not path
    if path:
        missing = f"{len(path)} closing brackets are" if len(path) > 1 else "a closing bracket is"
        return ValueError(
            f"{name} is not a tree: {missing} missing at its end, character {len(text)}; the bracket at "
            f"character {path[-1]} is still open."
        )
    return None if ended else ValueError(f"{name} is an empty text: a tree has at least one node.")


# -- nested objects ------------------------------------------------------------------------------------


def _read_nested(x: Any, name: str) -> Tree:
    """Read tuples, lists and objects with labels, down a path of open nodes instead of by recursion."""
    labels: list[Any] = []
    counts: list[int] = []
    path = [_opened(x, name, [], [])]
    read = [0]  # how many children of each open node have been read
    inside = {id(x)}
    while path:
        child = next(path[-1].children, path)  # the path itself says that there is none: it is not a child
        if child is path:
            done = path.pop()
            inside.remove(id(done.node))
            labels.append(done.label)
            counts.append(read.pop())
            continue
        read[-1] += 1
        if is_label(child):
            labels.append(child)
            counts.append(0)
            continue
        if id(child) in inside:
            raise ValueError(f"{_place(name, path, read)} is a node above itself: a tree has no cycles.")
        path.append(_opened(child, name, path, read))
        read.append(0)
        inside.add(id(child))
    return Tree(labels, counts)


def _opened(node: Any, name: str, path: Sequence[Open], read: Sequence[int]) -> Open:
    """Return the label and the children of a node."""
    if callable(getattr(node, "label", None)) and hasattr(node, "__iter__"):  # lists in NLTK, too
        opened = Open(node.label(), iter(node), node, 0)
    elif not isinstance(node, tuple | list):
        raise TypeError(f"{_place(name, path, read)} is {reprlib.repr(node)}, which is not a tree: {GIVE}.")
    elif not node:
        raise ValueError(f"{_place(name, path, read)} is empty: a node holds at least its label.")
    else:
        opened = Open(node[0], iter(node[1:]), node, 1)
    if not is_label(opened.label):
        raise TypeError(
            f"{_place(name, path, read)} has the label {reprlib.repr(opened.label)}: give text, bytes or a "
            "number first, then the children."
        )
    return opened


def _place(name: str, path: Sequence[Open], read: Sequence[int]) -> str:
    """Return how one gets to the child that is being read."""
    steps = [opened.first + count - 1 for opened, count in zip(path, read, strict=True)]
    shown = "".join(f"[{step}]" for step in steps[:20])
    return f"{name}{shown}{' ... ' if len(steps) > 20 else ''}"
