"""Patterns over trees, chunked sentences and graphs: against an oracle, by hand, and with what is wrong."""

import pickle
from operator import itemgetter

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from kerneltron import Perceptron
from kerneltron.features import Patterns
from kerneltron.features._patterns.chunks import read_sentence
from kerneltron.features._patterns.syntax import PatternSyntaxError
from tests.oracle import patterns as oracle

WORDS = ["a", "b", "ab", "ba"]
labels = st.sampled_from(WORDS)
wanted = st.sampled_from(["a", "b", "*", "a*", "*b", "*a*", "a|ba", "b|*b", "aa*"])


def counts(patterns, X, **options):
    return Patterns(patterns, **options).transform(X).toarray().astype(int).tolist()


def count(pattern, x, **options):
    return counts([pattern], [x], **options)[0][0]


def rows_of(nodes):
    """Return rows of what patterns ask for, gaps among them, or None."""
    return st.none() | st.lists(nodes | st.just(oracle.GAP), min_size=1, max_size=5)


# -- trees -----------------------------------------------------------------------------------------------

trees = st.recursive(
    st.tuples(labels, st.just([])),
    lambda nodes: st.tuples(labels, st.lists(nodes, max_size=5)),
    max_leaves=12,
)
tree_patterns = st.recursive(
    st.tuples(wanted, st.none()), lambda nodes: st.tuples(wanted, rows_of(nodes)), max_leaves=6
)


def nested(tree):
    return (tree[0], *map(nested, tree[1]))


def tree_text(pattern):
    """Return a pattern as it is written, bare where it has no row."""
    if isinstance(pattern, str):
        return pattern
    label, row = pattern
    return label if row is None else f"({label} {' '.join(map(tree_text, row))})"


def in_brackets(text):
    return text if text.startswith("(") else f"({text})"


@settings(max_examples=120, deadline=None)
@given(st.lists(tree_patterns, min_size=1, max_size=4, unique_by=tree_text), st.lists(trees, max_size=3))
@example([("*", ["...", ("a", None), "...", ("a", None), "..."])], [("b", [("a", [])] * 3)])
def test_trees_are_searched_as_by_the_oracle(patterns, given_trees):
    texts = [in_brackets(tree_text(pattern)) for pattern in patterns]
    expected = [[oracle.count_in_tree(pattern, tree) for pattern in patterns] for tree in given_trees]
    assert counts(texts, map(nested, given_trees)) == expected


SENTENCE = "(S (NP (DT the) (JJ old) (NN man)) (VP (VBD saw) (NP (DT the) (NNS stars))))"


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("(NP)", 2),
        ("(*)", 16),
        ("(the)", 2),
        ("(NP ...)", 2),
        ("(NP *)", 0),
        ("(NP * *)", 1),
        ("(NP DT ... NN*)", 2),
        ("(NP ... (NN *))", 1),
        ("(NP ... (NN|NNS *))", 2),
        ("(NP (DT the) ... ...)", 2),
        ("(S ... (VP ... (NP ... stars)))", 0),  # a row asks for children, not for what is below them
        ("(S ... (VP ... (NP ... (* stars))))", 1),
        ("(S (NP ... man) VP)", 0),
        ("(NP|VP ...)", 3),
        ('("NP" ... "NNS")', 1),
        ('("N*")', 0),
        ("(VP VBD NP)", 1),
        ("(VP NP VBD)", 0),
        ("(man ...)", 1),
        ("(man *)", 0),
        ("  ( NP  DT\n... NN ) ", 1),
    ],
)
def test_a_tree_by_hand(pattern, expected):
    assert count(pattern, SENTENCE) == expected


def test_trees_are_given_as_for_the_kernels():
    as_tuples = ("S", ("NP", "John"), ("VP", 3))
    assert counts(["(S NP VP)", "(VP 3)"], [as_tuples, "(S(NP(John))(VP(3)))", "S"]) == [
        [1, 1],
        [1, 1],
        [0, 0],
    ]


def test_depth_and_width_do_no_harm():
    depth, width = 10_000, 100_000
    deep = "(a " * depth + "b" + ")" * depth
    wide = f"(a {'b ' * width})"
    gaps = f"(a {'... b ' * 30}... c)"
    assert counts(["(a (a *))", "(a b)", "(a ... b ...)", gaps], [deep, wide]) == [
        [depth - 1, 1, 1, 0],
        [0, 0, 1, 0],
    ]
    assert count("(a " * 100 + "*" + ")" * 100, deep) == depth - 99


# -- chunked sentences -----------------------------------------------------------------------------------

chunk_patterns = st.tuples(st.just("["), wanted, rows_of(wanted))
elements = labels | st.tuples(labels, st.lists(labels, max_size=4))
sentence_patterns = st.lists(chunk_patterns | wanted | st.just(oracle.GAP), min_size=1, max_size=5).filter(
    lambda row: oracle.GAP not in (row[0], row[-1]) and any(isinstance(item, tuple) for item in row)
)


def chunk_text(item):
    if isinstance(item, str):
        return item
    return f"[{' '.join([item[1], *(item[2] or [])])}]"


def sentence_text(row):
    return " ".join(map(chunk_text, row))


@settings(max_examples=120, deadline=None)
@given(
    st.lists(sentence_patterns, min_size=1, max_size=4, unique_by=sentence_text),
    st.lists(st.lists(elements, max_size=7), max_size=3),
)
def test_sentences_are_searched_as_by_the_oracle(patterns, sentences):
    texts = [sentence_text(row) for row in patterns]
    expected = [[oracle.count_in_sentence(row, sentence) for row in patterns] for sentence in sentences]
    assert counts(texts, sentences) == expected
    written = [
        " ".join(x if isinstance(x, str) else f"[{' '.join([x[0], *x[1]])}]" for x in sentence)
        for sentence in sentences
    ]
    assert counts(texts, written) == expected


QUESTION = "[NP Which type] [PP of] [NP submarine] was bought [ADVP recently] [PP by] [NP South Korea] ?"


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("[NP which *] [PP of] [NP *]", 1),
        ("[NP]", 3),
        ("[NP ...]", 3),
        ("[NP *]", 1),
        ("[NP * *]", 2),
        ("[NP ... korea]", 1),
        ("[NP] [PP]", 1),
        ("[NP] ... [PP]", 2),
        ("[PP] ... [NP] ... [NP]", 1),
        ("[*]", 6),
        ("[NP|ADVP]", 4),
        ("[*P *o*]", 1),
        ("was * [ADVP]", 1),
        ("was ... [NP]", 1),
        ('[NP] "?"', 1),
        ("[NP] ?", 1),
        ("* [ADVP]", 1),
        ("* [PP]", 0),  # a bare star is a word outside of chunks
        ("[* was]", 0),
    ],
)
def test_a_sentence_by_hand(pattern, expected):
    assert count(pattern, QUESTION) == expected


def test_sentences_are_text_or_lists():
    assert read_sentence("[NP a b]c[X]") == [("NP", ["a", "b"]), "c", ("X", [])]
    pairs = [("NP", ["Which", "["]), "of", ["NP", ("submarine",)]]
    assert counts(["[NP which *] of [NP]", '[NP * "["]'], [pairs, [], "", "of"]) == [
        [1, 1],
        [0, 0],
        [0, 0],
        [0, 0],
    ]


def test_long_sentences_and_many_gaps():
    pattern = "[NP] " + "... [NP] " * 40
    assert count(pattern, "[NP a] b " * 2000) == 2000 - 40
    assert count(pattern + "... [X]", "[NP a] " * 2000) == 0


# -- graphs ----------------------------------------------------------------------------------------------


@st.composite
def graphs(draw, most=6):
    size = draw(st.integers(0, most))
    pairs = [(a, b) for a in range(size) for b in range(a, size)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=10)) if pairs else []
    return edges, draw(st.lists(labels, min_size=size, max_size=size))


@st.composite
def graph_patterns(draw):
    """Return a connected graph of a few nodes: a tree, and some edges more."""
    size = draw(st.integers(1, 4))
    edges = [(draw(st.integers(0, node - 1)), node) for node in range(1, size)]
    pairs = [(a, b) for a in range(size) for b in range(a, size)]
    edges += draw(st.lists(st.sampled_from(pairs), max_size=2))
    return edges, draw(st.lists(wanted, min_size=size, max_size=size))


def graph_text(pattern):
    """Return the edges as paths of two nodes, each with its label where it comes first."""
    edges, own = pattern
    if not edges:
        return own[0]
    met, paths = set(), []
    for edge in edges:
        ends = []
        for node in edge:
            ends.append(f"#{node}" if node in met else f"{own[node]}#{node}")
            met.add(node)
        paths.append("-".join(ends))
    return ", ".join(paths)


@settings(max_examples=120, deadline=None)
@given(
    st.lists(graph_patterns(), min_size=1, max_size=3, unique_by=graph_text), st.lists(graphs(), max_size=3)
)
def test_graphs_are_searched_as_by_the_oracle(patterns, given_graphs):
    expected = [[oracle.count_in_graph(pattern, graph) for pattern in patterns] for graph in given_graphs]
    assert counts([graph_text(pattern) for pattern in patterns], given_graphs) == expected


ETHANOL = [(0, 1), (1, 2)], ["C", "C", "O"]
BENZENE = [(i, (i + 1) % 6) for i in range(6)], ["C"] * 6
TRIANGLE = [(0, 1), (1, 2), (0, 2)], ["a", "b", "c"]


@pytest.mark.parametrize(
    ("pattern", "graph", "expected"),
    [
        ("C", ETHANOL, 2),
        ("*", ETHANOL, 3),
        ("C-C", ETHANOL, 1),
        ("C-*", ETHANOL, 2),
        ("*-*", ETHANOL, 2),
        ("O-C-C", ETHANOL, 1),
        ("C-O-C", ETHANOL, 0),
        ("*-C-*", ETHANOL, 1),
        ("C|N-O", ETHANOL, 1),
        ("C - O", ETHANOL, 1),
        ("C-C", BENZENE, 6),
        ("C-C-C", BENZENE, 6),
        ("C#1-C-C-C-C-C-#1", BENZENE, 1),
        ("C#1-C-C-C-C-#1", BENZENE, 0),
        ("C#a-C, #a-C, #a-C", BENZENE, 0),
        ("*-*-*", TRIANGLE, 3),  # two of the three edges
        ("*#1-*-*-#1", TRIANGLE, 1),
        ("a#x-b, #x-c", TRIANGLE, 1),
        ("*#1-#1", TRIANGLE, 0),
        ("*#1-#1", ([(0, 0), (0, 1)], ["a", "a"]), 1),
        ('"-1"-2', ([(0, 1), (1, 2)], [-1, 2, np.float64(-1)]), 2),
        ("*-*-*", ([(0, 1), (1, 2)], None), 1),
        ("**-a|*", ([(0, 1)], 2), 1),
        ("*", ([], 0), 0),
        ('"a b"-"#"', ([(0, 1)], ["a b", "#"]), 1),
    ],
)
def test_a_graph_by_hand(pattern, graph, expected):
    assert count(pattern, graph) == expected


def test_labels_of_graphs_are_abstracted():
    molecules = [([(0, 1)], np.array([0, 2])), ([(0, 1)], [0, 0])]
    atoms = {0: "C", 2: "O"}
    assert counts(["C-O", "C"], molecules, abstract=atoms) == [[1, 1], [0, 2]]
    assert counts(["C-O", "C"], molecules, abstract=lambda label: atoms[label]) == [[1, 1], [0, 2]]
    assert counts(["0-2"], molecules) == [[1], [0]]


# -- abstraction -----------------------------------------------------------------------------------------

LEMMAS = {"joins": "join", "joined": "join", "leaves": "leave", "left": "leave"}
AS_TREES = [
    "(S (NP John) (VP (MD will) (VB join)))",
    "(S (NP John) (VP (VBZ joins)))",
    "(S (NP John) (VP (VBD joined)))",
]
AS_CHUNKS = ["[NP John] [VP will join]", "[NP John] [VP joins]", "[NP John] [VP joined]"]


def test_john_will_join_joins_and_joined_meet():
    trees = ["(S (NP John) (VP ... (VB join)))", "(VB *)", "(VB leave)", "(S * *)"]
    chunks = ["[NP john] [VP ... join]", "[VP ... leave]", "[NP] ... [VP]"]
    tag = itemgetter(slice(2))
    assert counts(trees, AS_TREES, lemma=LEMMAS, abstract=tag) == [[1, 1, 0, 1]] * 3
    assert counts(chunks, AS_CHUNKS, lemma=lambda word: LEMMAS.get(word, word)) == [[1, 0, 1]] * 3
    # Without abstraction only the first does.
    assert [row[0] for row in counts(trees, AS_TREES)] == [1, 0, 0]
    assert [row[0] for row in counts(chunks, AS_CHUNKS)] == [1, 0, 0]


def test_case_is_folded_in_words_alone():
    assert counts(["(NP JOHN)", "(np john)"], ["(NP John)"]) == [[1, 0]]
    assert counts(["(NP JOHN)", "(NP John)"], ["(NP John)"], lowercase=False) == [[0, 1]]
    assert count("[NP Ship]", "[NP BOATS]", lemma={"boats": "SHIP"}) == 1
    assert count("[NP Ship]", "[NP BOATS]", lemma={"BOATS": "SHIP"}, lowercase=False) == 0


@pytest.mark.parametrize("kind", ["trees", "chunks"])
def test_a_learner_learns_who_joins_from_forms_that_it_has_not_met(kind):
    # The label tells joining from leaving. Trained on one form of the verbs, tested on the others.
    names = ["John", "Mary", "Ann", "Bob"]
    forms = {"will": ("will join", "will leave"), "s": ("joins", "leaves"), "ed": ("joined", "left")}
    patterns = {
        "trees": ["(VP ... (* join))", "(VP ... (* leave))"],
        "chunks": ["[VP ... join]", "[VP ... leave]"],
    }

    def sentence(name, verb):
        *modal, main = verb.split()
        if kind == "chunks":
            return f"[NP {name}] [VP {verb}]"
        return f"(S (NP {name}) (VP {' '.join(f'(MD {word})' for word in modal)} (VB {main})))"

    X = {form: [sentence(name, verb) for name in names for verb in verbs] for form, verbs in forms.items()}
    y = [1, -1] * len(names)
    model = make_pipeline(Patterns(patterns[kind]), Perceptron(passes=3, random_state=0))
    search = GridSearchCV(model, {"patterns__lemma": [None, LEMMAS]}, cv=2).fit(X["s"] + X["will"], y + y)
    assert search.best_params_ == {"patterns__lemma": LEMMAS}
    assert search.score(X["ed"], y) == 1.0


# -- what is wrong ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "column", "reason"),
    [
        ("", 1, "empty"),
        ("  ", 1, "empty"),
        ("(S (NP *)", 1, "not closed"),
        ("(S (NP *", 4, "not closed"),
        ("(S))", 4, "over"),
        ("(S) (NP)", 5, "over"),
        ("(S) NP", 5, "over"),
        ("(", 1, "label"),
        ("()", 1, "label"),
        ("(S ((NP)))", 4, "label"),
        ("(... NP)", 1, "label"),
        ("(S NP|)", 7, "alternative"),
        ("(S |NP)", 4, "alternative"),
        ("(S NP||N)", 7, "alternative"),
        ('(S "NP)', 4, "quote"),
        ("[NP *", 1, "not closed"),
        ("[NP *]]", 7, "closes no chunk"),
        ("[NP [NP]]", 5, "inside another"),
        ("[]", 1, "label"),
        ("[", 1, "label"),
        ("[NP] [...]", 6, "label"),
        ("... [NP]", 1, "begins anywhere"),
        ("[NP] ...", 6, "ends anywhere"),
        ("C--O", 3, "node is missing"),
        ("-C", 1, "node is missing"),
        ("C-", 2, "node is missing"),
        ("C-O,", 4, "node is missing"),
        ("C O", 3, "joined by '-'"),
        ("C-...-O", 3, "'...' is for trees"),
        ("C#-O", 2, "mark"),
        ("#1-C", 1, "no label"),
        ("C#1-O, C#1-N", 8, "mark alone"),
        ("C-O, N", 6, "connected"),
        ("C-O|", 5, "alternative"),
        ('C-"O', 3, "quote"),
    ],
)
def test_an_error_in_a_pattern_points_at_its_column(pattern, column, reason):
    good = {"(": "(A)", "[": "[A]", "]": "[A]"}
    kind = next((sign for sign in "([]" if sign in pattern), "")
    with pytest.raises(PatternSyntaxError) as caught:
        Patterns([good.get(kind, "A"), pattern]).fit()
    assert f"patterns[1], column {column}:" in str(caught.value)
    assert reason in caught.value.reason
    lines = str(caught.value).splitlines()
    assert lines[-1].index("^") == column - 1 + 4
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_errors_in_long_patterns_show_the_place():
    with pytest.raises(PatternSyntaxError) as caught:
        Patterns(["(S " + "word " * 100 + "|NP " + "word " * 100 + ")"]).fit()
    *_, shown, caret = str(caught.value).splitlines()
    assert len(shown) < 120
    assert shown[caret.index("^") :].startswith("|NP")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"patterns": "(NP)"}, TypeError, r"give \['\(NP\)'\]"),
        ({"patterns": 3}, TypeError, "list of texts"),
        ({"patterns": []}, ValueError, "empty"),
        ({"patterns": ["(NP)", 3]}, TypeError, r"patterns\[1\] is 3"),
        (
            {"patterns": ["(NP)", "[NP]"]},
            ValueError,
            r"patterns\[0\] is for trees and patterns\[1\] for chunked",
        ),
        ({"patterns": ["(NP)", "C-O"]}, ValueError, "needs Patterns of its own"),
        ({"patterns": ["C", "O", "C"]}, ValueError, r"patterns\[2\], 'C', is there before"),
        ({"patterns": ["C"], "lemma": {}}, ValueError, "abstract"),
        ({"patterns": ["(NP)"], "lemma": 3}, TypeError, "lemma=3 must be a function"),
        ({"patterns": ["(NP)"], "abstract": "VB"}, TypeError, "abstract='VB' must be a function"),
    ],
)
def test_parameters_are_checked_by_fit(options, error, message):
    with pytest.raises(error, match=message):
        Patterns(**options).fit()


@pytest.mark.parametrize(
    ("pattern", "X", "error", "message"),
    [
        ("(NP)", "(NP a)", TypeError, r"single str.*\[X\]"),
        ("(NP)", ["(NP a)", "(NP a"], ValueError, r"X\[1\]"),
        ("(NP)", ["(NP a)", None], TypeError, r"X\[1\]"),
        ("[NP]", ["[NP a]", "[NP a"], ValueError, r"X\[1\], character 0: this '\[' is not closed"),
        ("[NP]", ["[NP a] b]"], ValueError, r"X\[0\], character 8: '\]' closes no chunk"),
        ("[NP]", ["[NP a [NP b]]"], ValueError, r"X\[0\], character 6: a chunk begins inside.*character 0"),
        ("[NP]", ["a []"], ValueError, r"X\[0\], character 3: the chunk has no label"),
        ("[NP]", [3], TypeError, r"X\[0\] is 3, which is not a chunked sentence"),
        ("[NP]", [["a", ("NP", "a")]], TypeError, r"X\[0\]\[1\]"),
        ("[NP]", [["a", 3]], TypeError, r"X\[0\]\[1\] is 3"),
        ("C-O", [([(0, 3)], ["C", "O"])], ValueError, r"X\[0\] has the edge \(0, 3\)"),
        ("C-O", [([(0, 1)], None)], ValueError, r"X\[0\] has no node labels, and patterns\[0\]"),
        ("C-O", ["C-O"], TypeError, r"X\[0\]"),
    ],
)
def test_what_is_no_example_is_refused_by_its_place(pattern, X, error, message):
    with pytest.raises(error, match=message):
        Patterns([pattern]).transform(X)


def test_what_is_no_text_is_refused():
    with pytest.raises(TypeError, match="lemma makes None of 'a'"):
        count("(NP)", "(NP a)", lemma=lambda word: None)


# -- scikit-learn ----------------------------------------------------------------------------------------


def test_it_can_be_cloned_and_pickled():
    patterns = Patterns(["(NP a)", "(NP ...)"], lemma={"b": "a"})
    for other in (clone(patterns), pickle.loads(pickle.dumps(patterns))):
        assert other.get_params() == patterns.get_params()
        assert other.fit_transform(["(NP b)"]).toarray().tolist() == [[1, 1]]
    assert patterns.get_feature_names_out().tolist() == ["(NP a)", "(NP ...)"]
    X = patterns.transform(["(S a)", "(NP b)"])
    assert X.format == "csr"
    assert X.dtype == np.float64
    assert patterns.transform([]).shape == (0, 2)
