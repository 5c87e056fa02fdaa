"""Strings, trees, graphs and records, damaged: the values of a kernel, or an error that names the place."""

import re
import warnings

import networkx as nx
import numpy as np

from kerneltron.kernels import parse

QUICK = 150
KERNELS = {
    "strings": [
        "Spectrum(2)",
        "Substrings()",
        "Subsequences(2, 0.5)",
        'Mismatch(2, 1, "ACGT")',
        "WeightedDegree(2)",
    ],
    "trees": ["Subtrees()", "SubsetTrees()", "PartialTrees()", "PartialTrees().normalized()"],
    "graphs": [
        "WeisfeilerLehman(2)",
        "ShortestPaths()",
        "RandomWalks(0.05)",
        "WeisfeilerLehman(1).normalized()",
    ],
    "records": ['On("text", Spectrum(2))', 'On("age", Gaussian(2)) * On("text", Substrings())'],
}
STRINGS = [
    "GATTACA",
    "",
    "a",
    "ab" * 20,
    "é😀",
    "\ud800",
    b"bytes",
    b"",
    ["a", "b"],
    ("a", 1),
    [],
    np.array([1, 2, 3]),
]
STRINGS += [
    None,
    3,
    2.5,
    {"a"},
    [None],
    [["a"]],
    np.array([[1, 2]]),
    bytearray(b"x"),
    [float("nan")],
    range(3),
]
TREES = [
    "(S (NP John) (VP joins))",
    "(S)",
    "S",
    "",
    "(",
    ")",
    "(S (NP",
    "((S x))",
    "( (S x))",
    "(S x) y",
    "()",
    "(S ())",
]
TREES += [
    ("S", ("NP", "John")),
    ("S",),
    (),
    ["S", ["NP"]],
    ("S", 1, 2.5),
    (("S",), "x"),
    ("S", None),
    3,
    None,
    b"(S x)",
]
TREES += [("S", (b"b", float("nan"))), "(" * 500 + ")" * 500, "(S " * 200 + "x" + ")" * 200]
LABELS = ["C", "O", 1, 2.5, b"x", "", None, float("nan"), ("a",), 10**30, True, np.int64(4), "é"]


def case(rng, folder):
    domain = pick(rng, list(KERNELS))
    kernel = parse(pick(rng, KERNELS[domain]))
    examples = [MAKERS[domain](rng) for _ in range(int(rng.integers(0, 5)))]
    X = shaped(rng, examples)
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("error", RuntimeWarning)
            warnings.simplefilter("always", UserWarning)  # of what is not read
            K = kernel(X)
            about_edges = [str(each.message) for each in told if "The edges of X carry" in str(each.message)]
            diagonal = kernel.diag(kernel.pack(X))
            alone = [kernel(X[i : i + 1])[0, 0] for i in range(len(examples))]
    except (ValueError, TypeError) as error:
        if not re.search(r"\bX\b|cross=|there is no field", str(error)):
            raise  # it does not say where
        return
    assert len(about_edges) == any(carries_data(example) for example in examples)
    assert K.shape == (len(examples), len(examples))
    assert np.isfinite(K).all()
    np.testing.assert_allclose(K, K.T, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(np.diag(K), diagonal, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(alone, diagonal, rtol=1e-6, atol=1e-9)
    if len(K):
        assert np.linalg.eigvalsh(K.astype(float)).min() >= -1e-5 * max(1.0, np.abs(K).max())


def shaped(rng, examples):
    """Return the examples as a list, or as an array of one or two axes."""
    way = rng.random()
    if way < 0.7:
        return examples
    array = np.empty(len(examples), object)
    for place, example in enumerate(examples):
        array[place] = example
    return array if way < 0.85 else array[:, None]


def string(rng):
    if rng.random() < 0.6:
        return "".join(pick(rng, "ACGT") for _ in range(int(rng.integers(0, 12))))
    return pick(rng, STRINGS[:7] if rng.random() < 0.5 else STRINGS)


def tree(rng):
    if rng.random() < 0.5:
        return grown(rng, 3)
    text = pick(rng, TREES if rng.random() < 0.5 else TREES[:3])
    if isinstance(text, str) and rng.random() < 0.5:
        place = int(rng.integers(0, len(text) + 1))
        text = text[:place] + pick(rng, ["(", ")", " ", "x", "", "\n", "\0"]) + text[place + 1 :]
    return text


def grown(rng, depth):
    """Return a random tree of nested tuples."""
    children = int(rng.integers(0, 3)) if depth else 0
    return (pick(rng, "SNV"), *(grown(rng, depth - 1) for _ in range(children)))


def graph(rng):
    size = int(rng.integers(0, 5))
    damaged = rng.random() < 0.3
    edges = [
        tuple(rng.integers(0, max(1, size + damaged), 2).tolist()) for _ in range(int(rng.integers(0, 6)))
    ]
    labels = [pick(rng, LABELS if damaged else ["C", "O"]) for _ in range(size)]
    way = rng.random()
    if way < 0.4:
        return networked(rng, size, edges, labels, damaged)
    if way < 0.8:
        return edges if size else [], labels
    strange = [
        None,
        3,
        "C-O",
        (),
        ([], []),
        ([(0, 1)], None),
        ([(0, 1)], 5),
        ([(0, 1, 2)], ["C"]),
        ([(0.5, 1)], 3),
        ([(0, 1, "double")], 2),
        ([(0, 1), (1, 0), (0, 1)], 2),
    ]
    return pick(
        rng, [*strange, (np.array(edges).T, labels), (edges, "CO"), (edges, -1), ([("a", "b")], None)]
    )


def networked(rng, size, edges, labels, damaged):
    """Return a graph of networkx, with labels, other attributes, or some of both."""
    kind = pick(rng, [nx.Graph, nx.MultiGraph, nx.DiGraph] if damaged else [nx.Graph])
    made = kind()
    name = pick(rng, ["label", "label", "symbol", "element", 7])
    for node, label in enumerate(labels):
        made.add_node(node)
        if not damaged or rng.random() < 0.8:
            made.nodes[node][name] = label
    has_data = rng.random() < 0.5
    for edge in edges if size else []:
        data = {pick(rng, ["label", "bond", "order", 7]): pick(rng, [1, 2, "double"])} if has_data else {}
        made.add_edges_from([(*edge, data)])
    return made


def carries_data(example):
    """Return whether an edge of a graph of networkx has an attribute."""
    return isinstance(example, nx.Graph) and any(data for _, _, data in example.edges(data=True))


def record(rng):
    age = pick(rng, [1, 2.5, 30, None, "old", float("nan"), [1, 2]] if rng.random() < 0.2 else [1, 2.5, 30])
    made = {"text": string(rng), "age": age, "more": object()}
    if rng.random() < 0.1:
        del made[pick(rng, ["text", "age"])]
    return made if rng.random() < 0.95 else pick(rng, [None, 3, "text", ["text"]])


MAKERS = {"strings": string, "trees": tree, "graphs": graph, "records": record}


def pick(rng, choices):
    return choices[int(rng.integers(len(choices)))]
