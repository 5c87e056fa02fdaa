"""Kernels over trees: against listed fragments, against plain dynamic programmes, and on hostile input."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron import Perceptron
from kerneltron.kernels import On, Pack, PartialTrees, SubsetTrees, Subtrees, check, parse
from kerneltron.kernels.trees import comparing
from kerneltron.kernels.trees.reading import Tree, children_of, read_tree, text_of
from kerneltron.kernels.trees.trees import KEY, Trees
from tests.oracle import trees as oracle

JOHN, MARY = "(S (NP John) (VP joins))", "(S (NP Mary) (VP joins))"
KERNELS = [
    Subtrees(),
    Subtrees(0.5, max_size=3),
    SubsetTrees(),
    SubsetTrees(0.5),
    SubsetTrees(0.5, max_size=2),
    PartialTrees(),
    PartialTrees(0.7, 0.6, terminal_factor=5.0),
    PartialTrees(0.7, 0.6, terminal_factor=0.2),
    PartialTrees(0.7, 0.6, terminal_factor=2.0, max_size=3),
]
every_kernel = pytest.mark.parametrize("k", KERNELS, ids=repr)


def nested(tree):
    """Return a tree as nested tuples in which leaves are tuples, too."""
    built = []
    for label, children in zip(tree.labels, children_of(tree), strict=True):
        built.append((label, *(built[child] for child in children)))
    return built[-1]


def random_tree(generator, nodes, labels="ab", arity=4):
    """Return nested tuples with up to `arity` children; a label stands on leaves and on inner nodes."""
    trees = []
    for _ in range(nodes):
        count = min(int(generator.integers(0, arity + 1)), len(trees))
        children, trees = trees[len(trees) - count :], trees[: len(trees) - count]
        trees.append((str(generator.choice(list(labels))), *children))
    return ("r", *trees)


def random_trees(count, seed=0, largest=12, **options):
    generator = np.random.default_rng(seed)
    return [random_tree(generator, int(generator.integers(1, largest)), **options) for _ in range(count)]


def by_definition(k, x, z):
    """Return k(x, z) from all fragments of both trees."""
    most = np.inf if k.max_size is None else k.max_size
    if isinstance(k, Subtrees):
        left, right = oracle.subtrees(x), oracle.subtrees(z)
        return oracle.weighted_sum(
            left, right, lambda f: k.decay ** oracle.size(f) * (oracle.size(f) <= most)
        )
    if isinstance(k, SubsetTrees):
        left, right = oracle.subset_fragments(x), oracle.subset_fragments(z)
        return oracle.weighted_sum(
            left, right, lambda f: k.decay ** oracle.productions(f) * (oracle.productions(f) <= most)
        )
    left, right = (oracle.partial_fragments(tree, k.gap_decay, k.terminal_factor) for tree in (x, z))

    def weight(fragment):
        value, nodes = oracle.partial_weight(fragment, k.decay, k.gap_decay, k.terminal_factor)
        return value * (nodes <= most)

    return oracle.weighted_sum(left, right, weight)


def by_programme(k, x, z):
    """Return k(x, z) of nodes by the plain dynamic programmes."""
    if isinstance(k, SubsetTrees):
        return oracle.subset_trees(x, z, k.decay)
    return oracle.partial_trees(x, z, k.decay, k.gap_decay, k.terminal_factor)


# -- reading -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        JOHN,
        "(S(NP(John))(VP(joins)))",
        "  ( S\n(NP John)\t(VP  joins ) )",
        "(S (NP (John)) (VP joins))",
    ],
)
def test_ways_to_write_brackets(text):
    assert read_tree(text) == Tree(["John", "NP", "joins", "VP", "S"], [0, 1, 0, 1, 2])


class Node(list):
    """As NLTK's trees are: a list of children with a label."""

    def __init__(self, label, children):
        super().__init__(children)
        self._label = label

    def label(self):
        return self._label


def test_tuples_lists_objects_and_text_are_the_same_tree():
    expected = read_tree("(S (NP John) (VP joins))")
    assert read_tree(("S", ("NP", "John"), ("VP", "joins"))) == expected
    assert read_tree(["S", ["NP", ["John"]], ("VP", "joins")]) == expected
    assert read_tree(Node("S", [Node("NP", ["John"]), Node("VP", [Node("joins", [])])])) == expected
    assert read_tree(expected) is expected
    assert read_tree(Node("S", [("NP", "John"), Node("VP", ["joins"])])) == expected


def test_single_nodes_and_a_root_without_label():
    assert read_tree("S") == read_tree("(S)") == read_tree(("S",)) == Tree(["S"], [0])
    assert read_tree("( (S a))") == Tree(["a", "S", ""], [0, 1, 1])
    assert read_tree("((S a))") == read_tree("( (S a))")
    assert read_tree((1, (2.5, b"x"), 1)) == Tree([b"x", 2.5, 1, 1], [0, 1, 0, 2])


def test_text_of_trees_is_read_back():
    for tree in random_trees(20):
        read = read_tree(tree)
        assert read_tree(text_of(read)) == read
        assert nested(read) == tree
    assert text_of(read_tree("(S(NP(John))(VP(joins)))")) == JOHN
    assert text_of(read_tree("( (S a))")) == "( (S a))"
    assert text_of(read_tree("((a)(b c))")) == "( (a) (b c))"
    assert text_of(read_tree(("a b", 3, "x)", ""))) == "('a b' 3 'x)' '')"


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ("", "X[1] is an empty text"),
        (" \n", "X[1] is an empty text"),
        ("(S (NP John)", "a closing bracket is missing at its end, character 12; the bracket at character 0"),
        (
            "(S (NP (N John",
            "3 closing brackets are missing at its end, character 14; the bracket at character 7",
        ),
        ("(S a))", "at character 5, ')' closes no bracket"),
        (")", "at character 0, ')' closes no bracket"),
        ("(S a) (T b)", "at character 6, '(T' comes after the end"),
        ("S T", "at character 2, 'T' comes after the end"),
        ("()", "at character 0, a bracket has no label"),
        ("(S (a) ( ))", "at character 7, a bracket has no label"),
        ("(S ((NP a)))", "at character 3, a bracket has no label"),
        ((), "X[1] is empty"),
        (("S", ("NP", [])), "X[1][1][1] is empty"),
        (("S", ("NP", None)), "X[1][1][1] is None"),
        ((("S",), "a"), "X[1] has the label ('S',)"),
        (Node("S", ["a", Node(None, [])]), "X[1][1] has the label None"),
        (None, "X[1] is None, which is not a tree: give text as"),
        (3.0, "X[1] is 3.0"),
        ({"S": 1}, "X[1] is {'S': 1}"),
        (np.zeros(3), "X[1] is array"),
        (Tree(["a", "b"], [0, 2]), "X[1] is not a tree in post-order: 1 nodes wait for node 1, not 2"),
        (Tree(["a", "b"], [0, 0]), "X[1] is not a tree in post-order: 2 labels, 2 roots"),
        (Tree(["a"], [0, 1]), "X[1] is not a tree in post-order: 1 labels"),
        (Tree(["a"], [-1]), "X[1] is not a tree in post-order"),
        (("S", "a", float("nan")), "X[1], node 1 in post-order: nan is not a label"),
    ],
)
@pytest.mark.parametrize("k", [Subtrees(), PartialTrees()], ids=repr)
def test_errors_name_the_example_and_the_place(k, x, message):
    with pytest.raises((ValueError, TypeError)) as error:
        k.pack([JOHN, x])
    assert message in str(error.value)


def test_a_tree_that_contains_itself():
    tree = ["S", "a"]
    tree.append(["NP", tree])
    with pytest.raises(ValueError, match=r"X\[0\]\[2\]\[1\] is a node above itself"):
        SubsetTrees()([tree])
    shared = ("NP", "a")
    assert read_tree(("S", shared, shared)).counts == [0, 1, 0, 1, 2]  # twice is no cycle


@pytest.mark.parametrize("X", [JOHN, Node("S", []), {"a": JOHN}, 5, read_tree(JOHN)], ids=repr)
def test_what_is_no_list_of_trees(X):
    with pytest.raises(TypeError):
        SubsetTrees()._fill(Pack(1), X)


@given(st.text(alphabet="ab() \n", max_size=12))
def test_any_text_is_a_tree_or_has_a_clear_error(text):
    try:
        tree = read_tree(text)
    except ValueError:
        with pytest.raises(ValueError, match=r"^X\[7\] is "):
            read_tree(text, "X[7]")
    else:
        assert read_tree(text_of(tree)) == tree
        assert text.count("(") == text.count(")")
        assert sum(tree.counts) == len(tree.labels) - 1


# -- values --------------------------------------------------------------------------------------------


def test_fragments_listed_by_hand():
    # NP -> John, VP -> joins, S -> NP VP, and S with NP, with VP, with both expanded.
    assert SubsetTrees()([JOHN])[0, 0] == 6
    assert [SubsetTrees(max_size=most)([JOHN])[0, 0] for most in (1, 2, 3, 9)] == [3, 5, 6, 6]
    assert SubsetTrees()([JOHN], [MARY])[0, 0] == 3  # VP -> joins, S -> NP VP, and both
    np.testing.assert_allclose(SubsetTrees(0.5)([JOHN], [MARY]), [[0.5 + 0.5 + 0.25]])
    # Five nodes, (NP John), (VP joins), and S with NP, (NP John), VP, (VP joins), or both in four ways.
    counts = PartialTrees(1.0, 1.0)
    assert counts([JOHN])[0, 0] == 15
    assert [counts.replace(max_size=most)([JOHN])[0, 0] for most in (1, 2, 3, 4, 5)] == [5, 9, 12, 14, 15]
    assert counts([JOHN], [MARY])[0, 0] == 10
    # Five complete subtrees: two leaves, two of two nodes, one of five.
    assert Subtrees()([JOHN])[0, 0] == 5
    assert Subtrees()([JOHN], [MARY])[0, 0] == 2
    np.testing.assert_allclose(Subtrees(0.5)([JOHN])[0, 0], 2 * 0.5 + 2 * 0.25 + 0.5**5)
    assert Subtrees(max_size=2)([JOHN])[0, 0] == 4


def test_gaps_between_children():
    k = PartialTrees(decay=1.0, gap_decay=0.5)
    alone = 0.25  # of a single node
    # The root alone, a and b alone, (r a), (r b); and (r a b), which skips one child in the second tree.
    expected = alone + 2 * alone + 2 * alone + 0.5 * alone**2
    np.testing.assert_allclose(k(["(r a b)"], ["(r a c b)"]), [[expected]])


def test_leaves_weigh_more_or_less():
    alone = 0.4 * 0.4**2
    for factor in (0.25, 1.0, 5.0):
        k = PartialTrees(terminal_factor=factor)
        np.testing.assert_allclose(k(["a"]), [[alone * factor]])
        np.testing.assert_allclose(k(["a"], ["(a b)"]), [[alone * min(1, factor)]])


def test_an_order_of_children_matters_and_labels_are_compared_by_content():
    assert SubsetTrees()(["(S a b)"], ["(S b a)"])[0, 0] == 0
    assert SubsetTrees()([("S", 1, 2)], [("S", 1.0, 2.0)])[0, 0] == 1
    assert SubsetTrees()([("S", 1, 2)], ["(S 1 2)"])[0, 0] == 0
    assert SubsetTrees()(["S"])[0, 0] == 0  # a leaf has no production
    assert SubsetTrees()(["(S (A x))"], ["(S A)"])[0, 0] == 1  # A is a leaf there


@every_kernel
def test_values_are_sums_over_listed_fragments(k):
    trees = random_trees(14, seed=1)
    expected = [[by_definition(k, x, z) for z in trees] for x in trees]
    np.testing.assert_allclose(k(trees), expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("k", [k for k in KERNELS[2:] if k.max_size is None], ids=repr)
@pytest.mark.parametrize("labels", ["a", "ab", "abcdefgh"])
def test_values_are_those_of_the_plain_programme(k, labels):
    trees = random_trees(12, seed=2, largest=40, labels=labels, arity=6)
    nodes = [oracle.Nodes(tree) for tree in trees]
    expected = [[by_programme(k, x, z) for z in nodes] for x in nodes]
    np.testing.assert_allclose(k(trees, trees), expected, rtol=1e-12)
    np.testing.assert_allclose(k.diag(trees), np.diagonal(expected), rtol=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 3), st.sampled_from(KERNELS))
def test_any_two_trees(seed, letters, k):
    x, z = random_trees(2, seed=seed, largest=8, labels="abc"[:letters])
    np.testing.assert_allclose(k([x], [z]), [[by_definition(k, x, z)]], rtol=1e-12, atol=1e-14)


def test_a_limit_that_leaves_nothing_out_changes_nothing():
    trees = random_trees(10, seed=3)
    for k in (Subtrees(0.5), SubsetTrees(0.5), PartialTrees(terminal_factor=3.0)):
        for most in (11, 12, 13, 1000):
            np.testing.assert_allclose(k.replace(max_size=most)(trees), k(trees), rtol=1e-12)


@pytest.mark.parametrize("gap", [0.4, 0.99, 1.0])
@pytest.mark.parametrize("labels", [3, 60, 400])
def test_many_children_by_both_ways_of_summing(gap, labels):
    """Few pairs of many children match: then a tree of sums is used."""
    generator = np.random.default_rng(4)
    wide = [("r", *((f"w{i}",) for i in generator.integers(0, labels, size))) for size in (70, 120, 300)]
    nodes = [oracle.Nodes(tree) for tree in wide]
    decay = 0.01
    k = PartialTrees(decay, gap)

    def all_lengths(x, z):
        """Return the kernel with the sums over all earlier pairs written out."""
        alone = decay * gap**2
        left, right = x.labels[:-1], z.labels[:-1]
        ends = np.zeros((len(left), len(right)))
        rows, columns = gap ** np.arange(len(left)), gap ** np.arange(len(right))
        for i, j in np.argwhere(np.array(left)[:, None] == np.array(right)):
            before = rows[:i][::-1] @ ends[:i, :j] @ columns[:j][::-1]
            ends[i, j] = alone * (1 + before)
        matching = sum(label == other for label in left for other in right)
        return matching * alone + alone + decay * ends.sum()

    expected = [[all_lengths(x, z) for z in nodes[:2]] for x in nodes]
    np.testing.assert_allclose(k(wide, wide[:2]), expected, rtol=1e-11)


# -- laws ----------------------------------------------------------------------------------------------


@every_kernel
def test_it_is_a_kernel_for_any_trees(k):
    trees = random_trees(60, seed=5, largest=15)
    gram = k(trees)
    assert check(k, trees).is_kernel
    assert (
        np.linalg.eigvalsh(gram / np.sqrt(np.outer(gram.diagonal(), gram.diagonal()) + 1e-300)).min() > -1e-9
    )
    np.testing.assert_allclose(k(trees, trees), k(trees, trees).T, rtol=1e-12)
    np.testing.assert_allclose(k.diag(trees), gram.diagonal(), rtol=1e-12)


def test_a_factor_between_leaves_and_inner_nodes_would_be_no_kernel():
    """Why the smaller of the factor and 1 holds there: with the factor itself this matrix is not PSD."""
    k = PartialTrees(terminal_factor=5.0)
    gram = k(["a", *(f"(a b{i})" for i in range(30))])
    assert np.linalg.eigvalsh(gram).min() > 0
    gram[0, 1:] *= 5
    gram[1:, 0] *= 5
    assert np.linalg.eigvalsh(gram).min() < -0.1


@every_kernel
def test_blocks_slices_and_joined_packs_are_parts_of_the_gram_matrix(k):
    trees = random_trees(17, seed=6)
    gram, pack = k(trees), k.pack(trees)
    places = np.array([7, 0, 3, 7])
    np.testing.assert_allclose(k.gram(k.pack(trees[:6]), k.pack(trees[6:])), gram[:6, 6:], rtol=1e-12)
    np.testing.assert_allclose(k.gram(pack[2:6], pack[places]), gram[2:6][:, places], rtol=1e-12)
    np.testing.assert_allclose(k.gram(pack[::3], pack[4:].without_rows()), gram[::3, 4:], rtol=1e-12)
    joined = Pack.join([k.pack(trees[:4]), pack[4:9], pack[9:], k.pack(trees[:0])])
    np.testing.assert_allclose(k.gram(joined, pack), gram, rtol=1e-12)
    np.testing.assert_allclose(k.gram(joined.without_rows()[3:], joined), gram[3:], rtol=1e-12)
    np.testing.assert_allclose(k.diag(pack[places]), gram.diagonal()[places], rtol=1e-12)
    assert k(trees[:0], trees).shape == (0, 17)
    assert k.gram(pack, pack[:0]).shape == (17, 0)
    assert k([]).shape == (0, 0)


@pytest.mark.parametrize("k", KERNELS[2:], ids=repr)
def test_values_do_not_depend_on_the_other_trees_of_a_block(k):
    trees = random_trees(20, seed=7)
    whole = k(trees[:10], trees[10:])
    for i in range(10):
        np.testing.assert_array_equal(k([trees[i]], trees[10:])[0], whole[i])
        np.testing.assert_array_equal(k(trees[:10], [trees[10 + i]])[:, 0], whole[:, i])


@pytest.mark.parametrize("k", [SubsetTrees(0.5), PartialTrees(), PartialTrees(max_size=3)], ids=repr)
def test_right_sides_that_keep_too_many_values_are_cut(k, monkeypatch):
    trees = random_trees(23, seed=8, largest=40)
    expected = k(trees[:9], trees[9:])
    monkeypatch.setattr(comparing, "MOST_KEPT", 30)
    monkeypatch.setattr(comparing, "LEAST_PAIRS", 1)
    np.testing.assert_array_equal(k(trees[:9], trees[9:]), expected)


def test_threads_give_the_same_values(monkeypatch):
    trees = random_trees(64, seed=9, largest=30)
    k = PartialTrees()
    expected, diagonal = k(trees[:40], trees), k.diag(trees)
    monkeypatch.setattr(comparing, "LEAST_PAIRS", 1)
    monkeypatch.setattr(comparing, "LEAST_OWN", 4)
    np.testing.assert_array_equal(k(trees[:40], trees), expected)
    np.testing.assert_array_equal(k.diag(trees), diagonal)
    assert threading.active_count() < 50


def test_names_of_subtrees_are_bracketed_text():
    k = Subtrees()
    assert k._names(JOHN, range(5)) == ["John", "(NP John)", "joins", "(VP joins)", JOHN]
    assert Subtrees(max_size=2)._names(JOHN, [3, 1]) == ["(VP joins)", "(NP John)"]
    found = k._find([JOHN, MARY])
    names = k._names(JOHN, range(5)) + k._names(MARY, range(5))
    assert len(set(names)) == len(set(found.ids.tolist())) == 8
    weights = Subtrees(0.25)._find([JOHN]).weights
    np.testing.assert_allclose(weights, [0.5, 0.25, 0.5, 0.25, 0.5**5])


def test_kernels_in_expressions_share_what_they_read():
    k = SubsetTrees(0.5).normalized() + 0.1 * PartialTrees() * SubsetTrees()
    trees = random_trees(8, seed=10)
    assert set(k.pack(trees).parts) == {KEY}
    a, b, c = SubsetTrees(0.5).normalized()(trees), PartialTrees()(trees), SubsetTrees()(trees)
    np.testing.assert_allclose(k(trees), a + 0.1 * b * c, rtol=1e-12)
    on = On("tree", PartialTrees())
    np.testing.assert_allclose(on([{"tree": tree} for tree in trees]), b, rtol=1e-12)


@every_kernel
def test_the_text_is_read_back(k):
    assert parse(repr(k)) == k


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (Subtrees, {"decay": 0}),
        (Subtrees, {"max_size": 0}),
        (SubsetTrees, {"decay": -1.0}),
        (SubsetTrees, {"decay": "1"}),
        (SubsetTrees, {"max_size": 2.5}),
        (PartialTrees, {"gap_decay": 1.5}),
        (PartialTrees, {"gap_decay": 0}),
        (PartialTrees, {"terminal_factor": 0}),
        (PartialTrees, {"decay": float("nan")}),
        (PartialTrees, {"max_size": -3}),
    ],
)
def test_parameters_are_checked(kind, wrong):
    (name,) = wrong
    with pytest.raises((ValueError, TypeError), match=name):
        kind(**wrong)


def test_overflow_is_an_error():
    bush = ("a",)
    for _ in range(14):
        bush = ("a", bush, bush)
    with pytest.raises(ValueError, match="overflows"):
        SubsetTrees()([bush])
    assert np.isfinite(SubsetTrees(1e-3)([bush])).all()


# -- depth and width -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_deep_trees():
    depth = 10_000
    chain = "x"
    for i in range(depth):
        chain = (f"n{i}", chain)  # one pair of nodes for each
    text = "".join(f"(n{i}" for i in reversed(range(depth))) + "(x" + ")" * (depth + 1)
    assert read_tree(chain) == read_tree(text)
    assert Subtrees()([chain, text]).tolist() == [[depth + 1] * 2] * 2
    value = total = 0.0
    for _ in range(depth):
        value = 0.5 * (1 + value)
        total += value
    np.testing.assert_allclose(SubsetTrees(0.5)([chain], [text, "x"]), [[total, 0]], rtol=1e-12)
    value = total = 0.064
    for _ in range(depth):
        value = 0.064 + 0.4 * value
        total += value
    np.testing.assert_allclose(PartialTrees()([chain], [text, "x"]), [[total, 0.064]], rtol=1e-12)
    assert text_of(read_tree(chain)).count("(") == depth


def test_deep_trees_of_one_label():
    depth = 1_500
    trees = ["(a" * depth + ")" * depth, "(a(b)" * depth + ")" * depth]
    k = SubsetTrees(0.5)
    # (a a) at two of depth - 1 nodes with m and n productions below them: 1 - 2^-min(m, n).
    smaller = np.minimum.outer(np.arange(1, depth), np.arange(1, depth))
    np.testing.assert_allclose(k([trees[0]])[0, 0], (1 - 0.5**smaller).sum(), rtol=1e-12)
    assert np.isfinite(PartialTrees()(trees)).all()


@pytest.mark.slow
def test_wide_trees():
    width = 100_000
    wide = "(r " + " ".join(f"w{i}" for i in range(width)) + ")"
    same = ("r", *["w"] * width)
    assert Subtrees()([wide, same]).tolist() == [[width + 1, 0], [0, width**2 + 1.0]]
    assert SubsetTrees(0.5)([wide, same]).tolist() == [[0.5, 0], [0, 0.5]]
    alone = 0.064
    value = PartialTrees()([wide], ["(r w7 w8 w10)", wide])
    narrow = alone + 3 * alone + 0.4 * (3 * alone + alone**2 * (1 + 0.4 + 0.4**3) + alone**3 * 0.4)
    np.testing.assert_allclose(value[0, 0], narrow, rtol=1e-12)
    # Of itself: a pair (i, i) after pairs (j, j) with weight 0.16^(i - j - 1).
    before = total = 0.0
    for _ in range(width):
        ending = alone * (1 + before)
        total += ending
        before = 0.16 * before + ending
    np.testing.assert_allclose(value[0, 1], alone * (width + 1) + 0.4 * total, rtol=1e-11)


# -- model files ---------------------------------------------------------------------------------------


def test_trees_are_restored_from_their_tensors():
    trees = Trees.of(random_trees(12, seed=11))
    for part in (trees, trees[3:7], trees[np.array([5, 2])], trees[:0]):
        tensors = part.tensors()
        assert all(tensor.ndim == 1 for tensor in tensors.values())
        again = Trees.restored(tensors)
        k, left, right = PartialTrees(), Pack(len(part)), Pack(12)
        left.parts[KEY], right.parts[KEY] = again, trees
        expected = Pack(len(part))
        expected.parts[KEY] = part
        np.testing.assert_array_equal(k.gram(left, right), k.gram(expected, right))
        assert {name: tensor.tolist() for name, tensor in again.tensors().items()} == {
            name: tensor.tolist() for name, tensor in tensors.items()
        }
    assert trees[3:4].tensors()["labels"].size < trees.tensors()["labels"].size


def damaged():
    """Yield arrays that compiled code must not be given."""
    sound = Trees.of([JOHN, MARY]).tensors()
    for name, array in sound.items():
        yield {key: value for key, value in sound.items() if key != name}
        yield {**sound, name: array.astype(np.float64)}
        yield {**sound, name: array.reshape(1, -1)}
    for name in ("labels", "starts", "children"):
        yield {**sound, name: sound[name][:-1]}
        yield {**sound, name: np.append(sound[name], sound[name][-1:])}
    for name, place, value in (
        ("roots", 0, -1),
        ("roots", 1, 1000),
        ("starts", 0, 1),
        ("starts", 3, -1),
        ("starts", 3, 100),
        ("children", 0, -1),
        ("children", 0, 7),
        ("children", -1, 2**31 - 1),
    ):
        array = sound[name].copy()
        array[place] = value
        yield {**sound, name: array}
    doubled = np.repeat(np.arange(60, dtype=np.int32), 2)  # a tree of 2^61 nodes
    yield {
        "roots": np.array([60], np.int32),
        "labels": np.zeros(61, np.uint64),
        "starts": np.append(0, np.arange(0, 121, 2)),
        "children": doubled,
    }
    yield {**sound, "starts": np.empty(0, np.int64), "labels": np.empty(0, np.uint64)}


def test_damaged_tensors_are_refused():
    for tensors in damaged():
        with pytest.raises(ValueError, match=r"\w"):
            Trees.restored(tensors)


# -- real data -----------------------------------------------------------------------------------------


@pytest.mark.real_data
@pytest.mark.parametrize("key", ["grct", "lct"])
@pytest.mark.parametrize("k", [SubsetTrees(0.4), PartialTrees()], ids=repr)
def test_questions_against_the_plain_programme(questions, key, k):
    texts = [question[key] for question in questions("test")[:60]]
    nodes = [oracle.Nodes(nested(read_tree(text))) for text in texts]
    block = k(texts[:20], texts)
    expected = [[by_programme(k, x, z) for z in nodes] for x in nodes[:20]]
    np.testing.assert_allclose(block, expected, rtol=1e-12)


@pytest.mark.real_data
def test_questions_are_learned_from_their_trees(questions):
    train, test = questions("train")[:800], questions("test")
    learner = Perceptron(kernel=PartialTrees().normalized(), passes=3, random_state=0)
    learner.fit([question["grct"] for question in train], [question["label"] for question in train])
    accuracy = learner.score(
        [question["grct"] for question in test], [question["label"] for question in test]
    )
    assert accuracy > 0.7
