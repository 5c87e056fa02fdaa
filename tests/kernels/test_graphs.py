"""Kernels over graphs: against their definitions, across packs that were made apart, and on bad input."""

import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron import Perceptron
from kerneltron.kernels import On, Pack, RandomWalks, ShortestPaths, WeisfeilerLehman, check
from kerneltron.kernels.graphs.graphs import Graphs
from kerneltron.kernels.graphs.reading import read
from tests.oracle import graphs as oracle

# Edges that are given twice are a part of what is drawn.
pytestmark = pytest.mark.filterwarnings("ignore:.*more than once.*:UserWarning")

KERNELS = [
    WeisfeilerLehman(),
    WeisfeilerLehman(h=0),
    WeisfeilerLehman(h=2),
    ShortestPaths(),
    RandomWalks(0.01),
]
every_kernel = pytest.mark.parametrize("k", KERNELS, ids=repr)
ETHANOL = ([(0, 1), (1, 2)], ["C", "C", "O"])
ETHER = ([(0, 1), (1, 2)], ["C", "O", "C"])
METHANOL = ([(0, 1)], ["C", "O"])
BUTANE = ([(0, 1), (1, 2), (2, 3)], ["C"] * 4)
PATH = ([(0, 1), (1, 2)], 3)  # without labels
NOTHING = ([], [])
MOLECULES = [ETHANOL, ETHER, METHANOL, BUTANE, NOTHING, ([], ["O"]), ([(0, 0)], ["C"])]


class Network:
    """As much of networkx as is asked for."""

    def __init__(self, nodes, edges, directed=False):
        self.nodes, self.edges, self._directed = nodes, edges, directed

    def is_directed(self):
        return self._directed


@st.composite
def graphs(draw, labels=("C", "N", "", "CO", "1", 1, 1.5, -1, "\0", 10**30, b"C"), most=7):
    """A graph with loops, edges given twice and both ways, lonely nodes; or one without nodes."""
    n = draw(st.integers(0, most))
    node = st.integers(0, max(n - 1, 0))
    edges = draw(st.lists(st.tuples(node, node), max_size=12)) if n else []
    again = [(v, u) for u, v in edges[::3]] + edges[1::4]
    return edges + again, draw(st.lists(st.sampled_from(labels), min_size=n, max_size=n))


sides = st.tuples(st.lists(graphs(), max_size=5), st.lists(graphs(), max_size=5))


def unlabelled(X):
    return [(edges, len(labels)) for edges, labels in X]


def alike(X):
    return [(edges, ["alike"] * len(labels)) for edges, labels in X]


# -- what the kernels are ------------------------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(sides, st.integers(0, 4))
def test_weisfeiler_lehman_counts_nested_neighbourhoods(sides, h):
    X, Z = sides
    k, slow = WeisfeilerLehman(h), lambda x, z: oracle.weisfeiler_lehman(x, z, h)
    np.testing.assert_array_equal(k(X, Z), oracle.gram(slow, X, Z))
    np.testing.assert_array_equal(k.diag(X), [slow(x, x) for x in X])
    np.testing.assert_array_equal(k(unlabelled(X), unlabelled(Z)), oracle.gram(slow, alike(X), alike(Z)))


@settings(deadline=None, max_examples=60)
@given(sides)
def test_shortest_paths_are_counted_by_ends_and_length(sides):
    X, Z = sides
    k = ShortestPaths()
    np.testing.assert_array_equal(k(X, Z), oracle.gram(oracle.shortest_paths, X, Z))
    np.testing.assert_array_equal(k.diag(X), [oracle.shortest_paths(x, x) for x in X])
    expected = oracle.gram(oracle.shortest_paths, alike(X), alike(Z))
    np.testing.assert_array_equal(k(unlabelled(X), unlabelled(Z)), expected)


@settings(deadline=None, max_examples=60)
@given(sides, st.floats(0.01, 0.99))
def test_random_walks_solve_the_linear_system(sides, share):
    X, Z = sides
    for left, right, truth in ((X, Z, (X, Z)), (unlabelled(X), unlabelled(Z), (alike(X), alike(Z)))):
        radius = max([oracle.radius(*x) for x in X + Z], default=0.0)
        decay = share / max(radius, 1.0) ** 2
        k = RandomWalks(decay)
        expected = oracle.gram(lambda x, z, decay=decay: oracle.random_walks(x, z, decay), *truth)
        np.testing.assert_allclose(k(left, right), expected, rtol=1e-11)
        own = [oracle.random_walks(x, x, decay) for x in truth[0]]
        np.testing.assert_allclose(k.diag(left), own, rtol=1e-11)


def test_values_by_hand():
    np.testing.assert_array_equal(WeisfeilerLehman(0)([ETHANOL, METHANOL]), [[5, 3], [3, 2]])
    assert WeisfeilerLehman(1)([ETHANOL], [ETHER])[0, 0] == 2 * 2 + 1  # C and O; no C(O), no O(C,C) is there
    assert WeisfeilerLehman(2)([([], ["O"])])[0, 0] == 3  # each round once
    assert ShortestPaths()([BUTANE])[0, 0] == 3**2 + 2**2 + 1
    assert (
        ShortestPaths()([([], ["O", "O"]), ([(0, 0)], ["C"])]).sum() == 0
    )  # not connected; no path to itself
    assert RandomWalks(0.5)([([(0, 0)], 1)])[0, 0] == pytest.approx(2)  # one walk of every length
    assert RandomWalks(0.1)([([(0, 1)], 2)])[0, 0] == pytest.approx(4 / 0.9)
    assert RandomWalks(5.0)([([], 3)], [([], 2)])[0, 0] == 6  # no walk has a step: any decay will do


def test_loops_count_once_and_edges_are_a_set():
    plain = ([(0, 1), (1, 1)], ["a", "b"])
    noisy = ([(1, 0), (0, 1), (1, 1), (1, 1), (0, 1)], ["a", "b"])
    for k in KERNELS:
        np.testing.assert_array_equal(k([plain], [noisy]), k([plain]))


@every_kernel
def test_nodes_may_be_numbered_in_any_way(k):
    rng = np.random.default_rng(3)
    edges, labels = rng.integers(0, 12, (20, 2)), rng.choice(["C", "N", "O"], 12)
    places = rng.permutation(12)
    renumbered = places[edges], labels[np.argsort(places)]
    K = k([(edges, labels), renumbered])
    np.testing.assert_allclose(K, K[0, 0], rtol=1e-12)


def test_a_neighbour_whose_id_is_0_is_a_neighbour():
    with_it, without = ([(0, 1)], ["C", "\0"]), ([], ["C", "\0"])
    assert WeisfeilerLehman(1)([with_it], [without])[0, 0] == 2


def test_weisfeiler_lehman_sees_what_degrees_do_not_and_not_all():
    hexagon = [(i, (i + 1) % 6) for i in range(6)]
    triangles = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]
    k = WeisfeilerLehman(5)
    assert len({*k([(hexagon, 6), (triangles, 6)]).ravel()}) == 1  # known to be beyond it
    assert ShortestPaths()([(hexagon, 6)], [(triangles, 6)])[0, 0] < ShortestPaths().diag([(hexagon, 6)])[0]
    spider, path = [(0, 1), (1, 2), (1, 3), (3, 4)], [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert k([(spider, 5)], [(path, 5)])[0, 0] < k.diag([(path, 5)])[0]


def test_walks_that_hardly_fade_are_still_summed_up():
    ring = ([(i, (i + 1) % 8) for i in range(8)], 8)
    decay = 0.25 * (1 - 1e-9)  # the radius is 2
    assert RandomWalks(decay)([ring])[0, 0] == pytest.approx(64 / 1e-9, rel=1e-6)
    path = ([(i, i + 1) for i in range(30)], 31)
    radius = 2 * np.cos(np.pi / 32)
    value = RandomWalks(0.999999 / radius**2)([path])[0, 0]
    assert value == pytest.approx(
        oracle.random_walks(*[(path[0], [0] * 31)] * 2, 0.999999 / radius**2), rel=1e-6
    )


# -- laws ----------------------------------------------------------------------------------------------


@every_kernel
def test_the_gram_matrix_is_positive_semi_definite(k):
    assert check(k, MOLECULES).is_kernel
    assert check(k.normalized(), MOLECULES).is_kernel


@every_kernel
def test_packs_made_apart_and_joined_are_blocks_of_the_gram_matrix(k):
    X = MOLECULES
    gram, pack = k(X), k.pack(X)
    np.testing.assert_allclose(k(X[:2], X[2:]), gram[:2, 2:], rtol=1e-12)
    np.testing.assert_allclose(k([X[3]], X), gram[3:4], rtol=1e-12)
    places = np.array([5, 0, 3])
    np.testing.assert_allclose(k.gram(pack[places], pack[4:][::2]), gram[places][:, 4::2], rtol=1e-12)
    joined = Pack.join([k.pack(X[:1]), k.pack(X[1:4]), k.pack([]), k.pack(X[4:])])
    np.testing.assert_allclose(k.gram(joined, pack), gram, rtol=1e-12)
    np.testing.assert_allclose(k.diag(joined[2:6]), gram.diagonal()[2:6], rtol=1e-12)
    assert k([]).shape == (0, 0)
    assert k([], X).shape == (0, len(X))


def test_learners_and_records_take_graphs():
    records = [{"molecule": x} for x in MOLECULES]
    k = On("molecule", WeisfeilerLehman(2)) + On("molecule", RandomWalks(0.1))
    np.testing.assert_allclose(k(records), (WeisfeilerLehman(2) + RandomWalks(0.1))(MOLECULES), rtol=1e-12)
    y = [len(edges) > 1 for edges, _ in MOLECULES]
    for kernel in (WeisfeilerLehman(2), ShortestPaths(), RandomWalks(0.1)):
        assert set(Perceptron(kernel=kernel, passes=3).fit(MOLECULES, y).predict(MOLECULES)) <= {True, False}


# -- names ---------------------------------------------------------------------------------------------


def names(k, x):
    return k._names(x, range(k._find([x]).ids.size))


def test_names_are_patterns_of_labels():
    assert names(WeisfeilerLehman(2), METHANOL) == ["C", "O", "C(O)", "O(C)", "C(O(C))", "O(C(O))"]
    assert names(WeisfeilerLehman(1), ETHANOL)[3:] == ["C(C)", "C(C,O)", "O(C)"]
    assert names(WeisfeilerLehman(2), ([], ["6"])) == ["'6'", "'6'()", "'6'()()"]
    assert names(WeisfeilerLehman(1), ([(0, 1)], np.array([6, 8]))) == ["6", "8", "6(8)", "8(6)"]
    assert names(WeisfeilerLehman(1), ([(0, 0)], 2)) == ["*", "*", "*(*)", "*()"]
    assert names(WeisfeilerLehman(3), NOTHING) == []
    assert names(ShortestPaths(), ETHANOL) == ["C-1-C", "C-2-O", "C-1-O"]
    assert names(ShortestPaths(), ([(0, 1), (1, 2), (2, 3)], 4)) == ["*-1-*", "*-2-*", "*-3-*"]
    assert WeisfeilerLehman(1)._names(METHANOL, [3, 0]) == ["O(C)", "C"]


@settings(deadline=None, max_examples=60)
@given(graphs(), graphs(), st.integers(0, 5))
def test_names_are_equal_where_features_are(x, z, h):
    for k in (WeisfeilerLehman(h), ShortestPaths()):
        found: dict[int, str] = {}
        for graph in (x, z):
            for id, name in zip(k._find([graph]).ids.tolist(), names(k, graph), strict=True):
                assert found.setdefault(id, name) == name
        assert len(set(found.values())) == len(found)
        assert all(len(name) <= 110 for name in found.values())


def test_long_names_end_in_a_number_that_tells_them_apart():
    star = ([(0, i) for i in range(1, 60)], ["C"] * 60)
    other = ([(0, i) for i in range(1, 59)], ["C"] * 59)
    first, second = (names(WeisfeilerLehman(1), x)[len(x[1])] for x in (star, other))
    assert first[:80] == second[:80]
    assert first != second
    assert re.fullmatch(r"C\((C,)+C?\.\.\.#[0-9a-f]{16}", first)


# -- what may be handed over ---------------------------------------------------------------------------


def test_networks_and_pairs_are_read_alike():
    nodes = {"x": {"label": "C"}, "y": {"label": "C"}, "z": {"label": "O"}}
    network = Network(nodes, [("x", "y"), ("y", "z", 0)])  # an edge of a multigraph has a key
    bare = Network({"x": {}, "y": {}}, [("x", "y")])
    for k in KERNELS:
        np.testing.assert_array_equal(k([network], [ETHANOL]), k([ETHANOL]))
        np.testing.assert_array_equal(k([bare], [([(0, 1)], None)]), k([([(0, 1)], 2)]))


@every_kernel
def test_attributes_of_edges_and_parallel_edges_are_told_once(k):
    networkx = pytest.importorskip("networkx")
    for name in ("label", "bond", "order", "weight"):
        bonds = [networkx.Graph([(0, 1, {name: order})]) for order in (1, 2)]
        with pytest.warns(UserWarning, match=rf"edges of X carry '{name}', which .* do not read") as told:
            k(bonds)
        assert len(told) == 1
    double = networkx.MultiGraph([("x", "y"), ("y", "z"), ("y", "z")])
    for graph in (double, ([(0, 1), (1, 2), (1, 2)], 3), ([(0, 1), (1, 0), (1, 2), (1, 2)], 3)):
        with pytest.warns(UserWarning, match=r"X\[1\] has the edge \(1, 2\).*more than once") as told:
            k([PATH, graph, graph])
        assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        k([([(0, 1), (1, 0), (1, 2), (2, 1), (0, 0), (0, 0)], 3), PATH])  # one edge in each direction
    for edges in ([(0, 1, "double")], [(0, 1), (1, 2, "single")], [(0, 1, 2)]):
        with pytest.raises(ValueError, match=r"X\[1\] has the edge .*no labels of edges.*put a node"):
            k([PATH, (edges, 3)])


def test_graphs_of_networkx():
    networkx = pytest.importorskip("networkx")
    network = networkx.Graph([("x", "y"), ("y", "z")])
    for node, label in zip("xyz", "CCO", strict=True):
        network.nodes[node]["label"] = label
    for k in KERNELS:
        np.testing.assert_array_equal(
            k([network, networkx.MultiGraph(network)], [ETHANOL]), [[k([ETHANOL])[0, 0]]] * 2
        )
        assert k([networkx.petersen_graph()]) > 0
    with pytest.raises(ValueError, match=r"X\[0\] is a directed graph: give X\[0\].to_undirected\(\)"):
        read([networkx.DiGraph([(0, 1)])])


@pytest.mark.parametrize(
    "edges", [np.array([[0, 1], [1, 2]], np.uint8), [[0, 1], [1, 2]], ((0, 1), (1, 2)), {(0, 1), (1, 2)}]
)
@pytest.mark.parametrize(
    "labels", [np.array(["C", "C", "O"]), ("C", "C", "O"), np.array(["C", "C", "O"], object)]
)
def test_edges_and_labels_may_be_arrays_lists_and_tuples(edges, labels):
    for k in KERNELS:
        np.testing.assert_array_equal(k([(edges, labels)], [ETHANOL]), k([ETHANOL]))
        np.testing.assert_array_equal(k([[edges, labels]], [ETHANOL]), k([ETHANOL]))


def test_numbers_are_labels_in_arrays_and_in_lists():
    k = WeisfeilerLehman(1)
    ways = [np.array([6, 8], np.int16), np.array([6.0, 8.0]), [6, 8], [6.0, 8], np.array([6, 8], np.uint64)]
    X = [([(0, 1)], labels) for labels in ways]
    assert (k(X) == 4).all()
    assert all(k([x])[0, 0] == 4 for x in X)
    assert (k(X, [([(0, 1)], ["6", "8"])]) == 0).all()


def test_empty_graphs_go_with_all():
    for k in KERNELS:
        assert k([NOTHING, ([], 0), ([], None)], [METHANOL, NOTHING]).sum() == 0
        assert k([NOTHING, ([(0, 1)], 2), ([], 0)]).shape == (3, 3)


BAD = [
    ([METHANOL, ([(0, 1), (1, 2)], 2)], r"X\[1\] has the edge \(1, 2\) at place 1, but 2 nodes, numbered"),
    ([([(0, -1)], 3)], r"X\[0\] has the edge \(0, -1\) at place 0, but 3 nodes"),
    ([([(-1, 0)], None)], r"X\[0\] has the edge \(-1, 0\)"),
    ([([(0, 0)], [])], r"X\[0\] has the edge \(0, 0\) at place 0, but 0 nodes, so it can have no edge"),
    ([METHANOL, ([], 2)], r"X\[1\] has no node labels, but X\[0\] has"),
    ([([], 2), METHANOL], r"X\[0\] has no node labels, but X\[1\] has"),
    ([([], -1)], r"X\[0\] has -1 nodes"),
    ([METHANOL, ([], ["C", None])], r"X\[1\] has no label at node 1: give every node a text or a number"),
    ([([], ["C", float("nan")])], r"X\[0\] has nan for a label at node 1"),
    ([([], [["C"]])], r"X\[0\] has a list for a label at node 0"),
    ([([], "CO")], r"X\[0\] has 'CO' for node labels: give a list or an array"),
    ([([], {0: "C"})], r"X\[0\] has a dict for node labels"),
    ([([], True)], r"X\[0\] has True for node labels"),
    ([([], 1.5)], r"X\[0\] has 1.5 for node labels"),
    ([([], np.eye(2))], r"X\[0\] has a ndarray for node labels"),
    ([(np.ones((2, 3), int), None)], r"X\[0\] .* shape \(2, 3\), not m x 2; are they turned\? Give edges.T"),
    ([([0, 1], 2)], r"X\[0\] has edges of the shape \(2,\), not m x 2"),
    ([([(0.0, 1.5)], 2)], r"X\[0\] has edges of float64: give whole numbers"),
    ([([(0, 1), (1,)], 2)], r"X\[0\] has a list for edges"),
    ([(3, 2)], r"X\[0\] has 3 for edges"),
    ([METHANOL, "CCO"], r"X\[1\] is 'CCO', not a graph: give a pair \(edges, labels\)"),
    ([np.eye(3)], r"X\[0\] is a ndarray, not a graph"),
    ([METHANOL, Network({0: {}}, [], directed=True)], r"X\[1\] is a directed graph: give .*to_undirected"),
    ([Network({"a": {}, "b": {"label": "C"}}, [])], r"X\[0\] has no label for the node 'a', but for others"),
    ([Network({"a": {}}, [("a", "b")])], r"X\[0\] has an edge to 'b', which is not among its nodes"),
]  # fmt: skip


@pytest.mark.parametrize(("X", "message"), BAD, ids=[message for _, message in BAD])
def test_errors_name_the_graph_and_the_place(X, message):
    for k in (WeisfeilerLehman(), ShortestPaths(), RandomWalks()):
        with pytest.raises((TypeError, ValueError), match=message):
            k.pack(X)


@every_kernel
def test_graphs_with_labels_are_not_compared_with_graphs_without(k):
    with pytest.raises(ValueError, match="Graphs with node labels are compared with graphs without"):
        k([METHANOL], [([(0, 1)], 2)])
    with pytest.raises(ValueError, match="Graphs with node labels are compared with graphs without"):
        k([([(0, 1)], 2)], [NOTHING, METHANOL])


def test_parameters_are_checked():
    for h in (-1, 1.5, "3", None, True):
        with pytest.raises((TypeError, ValueError), match="h="):
            WeisfeilerLehman(h)
    for decay in (0, -0.1, float("nan"), float("inf"), "x"):
        with pytest.raises((TypeError, ValueError), match="decay="):
            RandomWalks(decay)


@settings(deadline=None, max_examples=60)
@given(graphs(most=9))
def test_the_largest_decay_is_named_and_is_right(x):
    radius = oracle.radius(*x)
    if radius:
        with pytest.raises(ValueError, match=r"decay=.* is too large for X\[1\]") as error:
            RandomWalks(1.01 / radius**2).pack([NOTHING, x])
        largest = float(re.search(r"Give less than ([0-9.e-]+),", str(error.value))[1])
        assert largest == pytest.approx(1 / radius**2, rel=1e-3)
        assert RandomWalks(0.999 * largest)([x])[0, 0] > 0


# -- parts: slices, joining, files ---------------------------------------------------------------------


@settings(deadline=None, max_examples=40)
@given(st.lists(graphs(), max_size=6), st.lists(graphs(), max_size=3), st.data())
def test_parts_are_what_reading_some_graphs_gives(X, more, data):
    part = read(X)
    places = data.draw(st.lists(st.integers(0, len(X) - 1), max_size=4)) if X else []
    assert same(part[np.array(places, np.int64)], read([X[place] for place in places]))
    assert same(part[1:4], read(X[1:4]))
    assert same(part[::-2], read(X[::-2]))
    assert same(Graphs.join([part, read(more)]), read(X + more))
    assert same(Graphs.restored(part.tensors()), part)
    for number, (edges, labels) in enumerate(X):
        arcs = part[number : number + 1]
        ends = np.concatenate([[0], arcs.nodes.flat.ends])
        found = [arcs.arcs.flat.neighbours[ends[v] : ends[v + 1]].tolist() for v in range(len(labels))]
        assert [sorted(each) for each in found] == [sorted(each) for each in oracle.neighbours(edges, labels)]


def same(one, other):
    ours, theirs = one.tensors(), other.tensors()
    return list(ours) == list(theirs) and all(np.array_equal(ours[name], theirs[name]) for name in ours)


def damages():
    """Yield names of tensors and values that cannot be."""
    good = read([METHANOL, NOTHING, BUTANE]).tensors()
    for name, array in good.items():
        yield name, None
        yield name, array.astype(np.float32)
        yield name, array[:-1]
        yield name, np.append(array, array[-1:])
        yield name, array.reshape(1, -1)
        if name != "labels":
            for place in range(array.size):
                for value in (-1, 0, 1, 2, 3, 7, 2**31 - 1):
                    wrong = array.copy()
                    wrong[place] = value
                    if value != array[place]:
                        yield name, wrong


def test_damaged_tensors_are_refused():
    good = read([METHANOL, NOTHING, BUTANE]).tensors()
    count = 0
    for name, value in damages():
        tensors = {key: array for key, array in good.items() if key != name or value is not None}
        if value is not None:
            tensors[name] = value
        with pytest.raises(ValueError, match=r"."):
            Graphs.restored(tensors)
        count += 1
    assert count > 100


# -- real molecules ------------------------------------------------------------------------------------


@pytest.mark.real_data
def test_molecules_are_compared_and_told_apart():
    from kerneltron.datasets.graphs import load_graphs

    data = load_graphs("MUTAG")
    order = np.random.default_rng(0).permutation(len(data.y))
    X, y = [data.graphs[i] for i in order], data.y[order]
    some = [(edges.tolist(), labels.tolist()) for edges, labels in X[:9]]
    for k, slow in (
        (WeisfeilerLehman(3), lambda x, z: oracle.weisfeiler_lehman(x, z, 3)),
        (ShortestPaths(), oracle.shortest_paths),
        (RandomWalks(0.1), lambda x, z: oracle.random_walks(x, z, 0.1)),
    ):
        np.testing.assert_allclose(k(X[:9]), oracle.gram(slow, some, some), rtol=1e-11)
    for k in (WeisfeilerLehman(), ShortestPaths()):  # two thirds are of one class
        learner = Perceptron(kernel=k.normalized(), passes=5, random_state=0).fit(X[:120], y[:120])
        assert np.mean(learner.predict(X[120:]) == y[120:]) > 0.75
