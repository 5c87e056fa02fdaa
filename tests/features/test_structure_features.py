"""N-grams, conjunctions and the features of structured kernels: what is counted, names, and scikit-learn."""

import pickle
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline, make_union

from kerneltron import Hasher, Perceptron
from kerneltron.datasets.graphs import load_graphs
from kerneltron.features import NGrams, Substructures, WordPairs
from kerneltron.features._counted import distinct
from kerneltron.features._words import words
from kerneltron.kernels import (
    Constant,
    Gaussian,
    KernelSyntaxError,
    Linear,
    Mismatch,
    On,
    ShortestPaths,
    Spectrum,
    Subtrees,
    WeightedDegree,
    WeisfeilerLehman,
)
from kerneltron.kernels.bags import Found
from kerneltron.kernels.counting import Counting
from kerneltron.kernels.labels import label_ids
from kerneltron.kernels.ragged import starts_of
from tests.oracle import tables
from tests.texts import TEXTS

# -- words -----------------------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.booleans())
@example("don't 'quote' rock'n'roll dogs' '", True)
@example("İstanbul ẞ ǅ ΑΣ", True)
def test_words_are_those_of_streams(text, lowercase):
    # tests/stream/test_words.py holds the compiled code to the same oracle.
    assert words(text, lowercase) == tables.words(text, lowercase)


@settings(max_examples=30, deadline=None)
@given(TEXTS)
def test_words_are_those_of_the_hasher(text):
    hasher = Hasher(bits=16)
    assert abs(hasher.transform([text]) - hasher.transform([words(text)])).max() == 0


# -- n-grams and conjunctions ----------------------------------------------------------------------------

tokens = st.sampled_from(["a", "b", "aa", "É", 1, 2.5, b"a"])
rows = st.lists(st.lists(tokens, max_size=9), min_size=1, max_size=6)


def runs(row, shortest, longest):
    """List the runs of neighbours, by where they begin, then end."""
    return [
        tuple(row[i:j])
        for i in range(len(row))
        for j in range(i + shortest, i + longest + 1)
        if j <= len(row)
    ]


def pairs(row, window):
    return [(row[i], row[j]) for i in range(len(row)) for j in range(i + 1, len(row)) if j <= i + window]


def expected_counts(lists, others):
    """Count what is listed, with columns in the order in which it comes in `lists`."""
    columns = list(dict.fromkeys(feature for features in lists for feature in features))
    return [[Counter(features)[column] for column in columns] for features in others]


@settings(max_examples=100, deadline=None)
@given(rows, rows, st.integers(1, 4), st.integers(0, 20))
def test_ngrams_count_runs(X, Z, shortest, more):
    ngrams = NGrams(shortest, shortest + more).fit(X)
    listed = [[runs(row, shortest, shortest + more) for row in rows] for rows in (X, Z)]
    for given_rows, features in zip((X, Z), listed, strict=True):
        np.testing.assert_array_equal(
            ngrams.transform(given_rows).toarray(),
            np.reshape(expected_counts(listed[0], features), (len(given_rows), -1)),
        )


@settings(max_examples=100, deadline=None)
@given(rows, rows, st.integers(1, 12))
def test_conjunctions_count_pairs(X, Z, window):
    conjunctions = WordPairs(window).fit(X)
    listed = [[pairs(row, window) for row in rows] for rows in (X, Z)]
    for given_rows, features in zip((X, Z), listed, strict=True):
        np.testing.assert_array_equal(
            conjunctions.transform(given_rows).toarray(),
            np.reshape(expected_counts(listed[0], features), (len(given_rows), -1)),
        )


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from("abc"), max_size=9), min_size=1, max_size=6), st.integers(1, 3))
def test_names_are_those_of_what_is_counted(X, size):
    for transformer, found in [
        (NGrams(size, size + 2), [runs(row, size, size + 2) for row in X]),
        (WordPairs(size), [pairs(row, size) for row in X]),
    ]:
        names = ["_".join(feature) for features in found for feature in features]
        assert transformer.fit(X).get_feature_names_out().tolist() == list(dict.fromkeys(names))


def test_texts_by_hand():
    texts = ["To be, or not to be!", "", "NOT to"]
    ngrams = NGrams(2, 3)
    X = ngrams.fit_transform(texts)
    names = ["to_be", "to_be_or", "be_or", "be_or_not", "or_not", "or_not_to", "not_to", "not_to_be"]
    assert ngrams.get_feature_names_out().tolist() == [*names, "to_be_!", "be_!"]
    assert X.toarray().tolist() == [[2, 1, 1, 1, 1, 1, 1, 1, 1, 1], [0] * 10, [0] * 6 + [1, 0, 0, 0]]
    assert X.format == "csr"
    assert X.has_sorted_indices
    assert X.dtype == np.float64
    as_it_is = NGrams(1, 1, lowercase=False).fit(texts).get_feature_names_out()
    assert as_it_is.tolist() == ["To", "be", "or", "not", "to", "!", "NOT"]


def test_what_fit_has_not_met_is_dropped():
    ngrams = NGrams(1, 1).fit(["a b", "b c"])
    assert ngrams.transform(["c d d a c", "d", ""]).toarray().tolist() == [[1, 0, 2], [0, 0, 0], [0, 0, 0]]
    assert ngrams.transform([]).shape == (0, 3)
    assert WordPairs().fit_transform(["word", ""]).shape == (2, 0)


def test_names_differ_where_features_do():
    X = [["ice", "ice_cream", "ice", "cream", "ice_cream#2"]]
    ngrams = NGrams(1, 2)
    assert ngrams.fit_transform(X).shape[1] == len(set(ngrams.get_feature_names_out()))
    assert distinct(["a", "a", "a#2", "a", "b"]).tolist() == ["a", "a#2", "a#2#2", "a#3", "b"]


def test_examples_from_anywhere():
    texts = ["a b", "b c a"]
    expected = NGrams().fit_transform(texts).toarray().tolist()
    frame = pd.Series(texts, index=[7, 3])
    for X in (tuple(texts), np.array(texts), np.array(texts, object), frame, iter(texts)):
        assert NGrams().fit_transform(X).toarray().tolist() == expected
    assert NGrams().fit(frame).get_feature_names_out().tolist() == ["a", "a_b", "b", "b_c", "c", "c_a"]
    for X in ([["a", "b"], ("b", "c", "a")], [np.array(["a", "b"]), np.array(["b", "c", "a"])]):
        assert NGrams().fit_transform(X).toarray().tolist() == expected
    table = np.array([["a", "b"], ["b", "a"]])
    assert NGrams(2, 2).fit_transform(table).toarray().tolist() == [[1, 0], [0, 1]]


def test_long_examples_and_large_windows():
    text = "a b " * 100_000
    ngrams = NGrams(1, 3).fit([text])
    counts = dict(zip(ngrams.get_feature_names_out(), ngrams.transform([text]).toarray()[0], strict=True))
    assert counts == {"a": 1e5, "a_b": 1e5, "a_b_a": 99_999, "b": 1e5, "b_a": 99_999, "b_a_b": 99_999}
    every = WordPairs(10**30).fit_transform(["a b c d", "d"])
    assert every.toarray().tolist() == [[1] * 6, [0] * 6]
    assert NGrams(10**30, 10**30).fit_transform(["a b"]).shape == (1, 0)


# -- what bags of words cannot tell apart ----------------------------------------------------------------


def likings(count, seed):
    """Return sentences that come in pairs with the same words; the label says whether sweets are liked."""
    generator = np.random.default_rng(seed)
    names, sweets, greens = ["John", "Mary", "Ann"], ["cake", "honey", "ice"], ["carrots", "leek", "peas"]
    texts, labels = [], []
    for _ in range(count):
        name, sweet, green = (generator.choice(choice) for choice in (names, sweets, greens))
        one, two = generator.permutation(["likes", "hates"])
        adverb = generator.choice(["", "only "])
        for first, second in ((sweet, green), (green, sweet)):
            texts.append(f"{name} {one} {adverb}{first} and {two} {second}")
            labels.append((one == "likes") == (first == sweet))
    return texts, np.array(labels)


def test_john_likes_cake():
    john = ["John likes cake and hates carrots", "John likes carrots and hates cake"]
    bags = NGrams(1, 1).fit_transform(john).toarray()
    assert (bags[0] == bags[1]).all()
    for transformer in (WordPairs(1), WordPairs(2), NGrams(1, 2)):
        first, second = transformer.fit_transform(john).toarray()
        names = transformer.get_feature_names_out()
        assert {"likes_cake", "hates_carrots"} <= set(names[first > second])
        assert {"likes_carrots", "hates_cake"} <= set(names[second > first])


def test_a_perceptron_learns_likings_from_conjunctions_and_not_from_words():
    (train, y), (test, z) = likings(150, 0), likings(100, 1)
    perceptron = Perceptron(passes=5, random_state=0)
    assert make_pipeline(WordPairs(2), perceptron).fit(train, y).score(test, z) == 1.0
    assert make_pipeline(NGrams(1, 1), perceptron).fit(train, y).score(test, z) == 0.5  # one of each pair
    both = make_union(NGrams(1, 1), WordPairs(2))
    assert make_pipeline(both, perceptron).fit(train, y).score(test, z) == 1.0


def test_the_window_is_found_by_a_search():
    train, y = likings(60, 0)
    model = make_pipeline(WordPairs(), Perceptron(passes=5, random_state=0))
    search = GridSearchCV(model, {"wordpairs__window": [1, 2]}, cv=3).fit(train, y)
    assert search.best_score_ > 0.9


# -- substructures ---------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Letters(Counting):
    """Counts letters, with a weight: the simplest kernel of the kind."""

    weight: float = 1.0

    domain = "strings"

    def _find(self, X):
        found = list("".join(X))
        ids = label_ids(found)
        return Found(ids, starts_of([len(x) for x in X]), np.full(len(found), self.weight))

    def _names(self, x, places):
        return [x[place] for place in places]


GENERATOR = np.random.default_rng(0)


def random_strings(count):
    return ["".join(GENERATOR.choice(list("ACGT"), GENERATOR.integers(0, 12))) for _ in range(count)]


def random_trees(count):
    def tree(depth):
        size = GENERATOR.integers(0, 3) if depth else 0
        return (str(GENERATOR.choice(["a", "b"])), *(tree(depth - 1) for _ in range(size)))

    return [tree(3) for _ in range(count)]


def random_graphs(count):
    def graph():
        size = int(GENERATOR.integers(0, 6))
        edges = [(a, b) for a in range(size) for b in range(a) if GENERATOR.random() < 0.4]
        return edges, GENERATOR.choice(["C", "N", "O"], size).tolist()

    return [graph() for _ in range(count)]


STRINGS, TREES, GRAPHS = random_strings(24), random_trees(24), random_graphs(24)
RECORDS = [
    {"text": text, "tree": tree, "graph": graph}
    for text, tree, graph in zip(STRINGS, TREES, GRAPHS, strict=True)
]
EXAMPLES = {"strings": STRINGS, "trees": TREES, "graphs": GRAPHS, "records": RECORDS}
ATOMS = [
    Letters(),
    Letters(0.5),
    Spectrum(2),
    Spectrum(3, blended=True),
    Mismatch(3, 1),
    WeightedDegree(3),
    Subtrees(),
    Subtrees(decay=0.5, max_size=3),
    WeisfeilerLehman(2),
    ShortestPaths(),
]
EXPRESSIONS = [
    2.5 * Spectrum(2),
    0 * Spectrum(2),
    Spectrum(2) + Spectrum(2),
    Spectrum(2) + 0.5 * Letters(),
    Spectrum(2) + 3,
    Constant(2.0) + Letters(),
    Spectrum(2).normalized(),
    (2 * Spectrum(2) + Spectrum(1)).normalized() + 0.25 * Letters().normalized(),
    (0 * Spectrum(2)).normalized() + Letters(),
    WeisfeilerLehman(1).normalized() + ShortestPaths(),
    On("text", Spectrum(2)),
    On("text", Spectrum(2)) + On("text", Letters()) + 0.5 * On("tree", Subtrees()).normalized(),
    (On("text", Spectrum(2).normalized()) + On("graph", 2 * WeisfeilerLehman(1))).normalized() + 1,
]


@pytest.mark.parametrize("kernel", [*ATOMS, *EXPRESSIONS], ids=repr)
def test_products_of_rows_are_values_of_the_kernel(kernel):
    examples = EXAMPLES[kernel.domain]
    met, new = examples[:16], examples[12:]
    parts = Substructures(kernel)
    phi = parts.fit_transform(met)
    np.testing.assert_allclose((phi @ phi.T).toarray(), kernel(met), atol=1e-12)
    np.testing.assert_allclose((parts.transform(new) @ phi.T).toarray(), kernel(new, met), atol=1e-12)
    names = parts.get_feature_names_out()
    assert len(set(names)) == len(names) == phi.shape[1]
    assert all(isinstance(name, str) for name in names)
    again = pickle.loads(pickle.dumps(parts))
    assert abs(again.transform(new) - parts.transform(new)).sum() == 0
    assert again.get_feature_names_out().tolist() == names.tolist()


@pytest.mark.parametrize("kernel", ATOMS[:1] + ATOMS[2:4] + ATOMS[6:7] + ATOMS[8:], ids=repr)
@pytest.mark.parametrize("hypothesis", ["last", "average"])
def test_learners_decide_the_same_with_the_kernel_and_with_its_features(kernel, hypothesis):
    X = EXAMPLES[kernel.domain]
    y = GENERATOR.choice(["first", "second", "third"], len(X))
    options = {"passes": 4, "random_state": 0, "hypothesis": hypothesis}
    dual = Perceptron(kernel=kernel, representation="dual", **options).fit(X, y)
    primal = make_pipeline(Substructures(kernel), Perceptron(**options)).fit(X, y)
    assert primal[-1].representation_.form == "primal"
    np.testing.assert_array_equal(primal[-1].mistakes_, dual.mistakes_)
    assert primal[-1].n_updates_ == dual.n_updates_
    np.testing.assert_allclose(primal.decision_function(X), dual.decision_function(X), rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(primal.predict(X), dual.predict(X))


def molecules(_):
    data = load_graphs("MUTAG")
    return data.graphs, data.y, WeisfeilerLehman(3)


def trees_of_questions(questions):
    lines = questions("test")
    return [line["grct"] for line in lines], [line["label"] for line in lines], Subtrees()


def words_of_questions(questions):
    lines = questions("test")
    words = [line["text"].split() for line in lines]
    return words, [line["label"] for line in lines], Spectrum(2, blended=True)


@pytest.mark.real_data
@pytest.mark.parametrize("load", [molecules, trees_of_questions, words_of_questions])
def test_both_ways_agree_on_real_data(questions, load):
    X, y, kernel = load(questions)
    options = {"passes": 5, "random_state": 0}
    dual = Perceptron(kernel=kernel, representation="dual", **options).fit(X, y)
    primal = make_pipeline(Substructures(kernel), Perceptron(**options)).fit(X, y)
    np.testing.assert_array_equal(primal[-1].mistakes_, dual.mistakes_)
    np.testing.assert_array_equal(primal.predict(X), dual.predict(X))


def test_names_by_hand():
    def names(kernel, X):
        return Substructures(kernel).fit(X).get_feature_names_out().tolist()

    assert names("Spectrum(2)", ["abc", "bcd"]) == ["ab", "bc", "cd"]
    assert names("2 * Spectrum(2).normalized()", ["abc"]) == ["ab", "bc"]
    assert names("Spectrum(2) + 1", ["abc"]) == ["ab", "bc", "constant"]
    assert names("Spectrum(2) + 2 * Spectrum(1)", ["ab"]) == [
        "Spectrum(2): ab",
        "Spectrum(1): a",
        "Spectrum(1): b",
    ]
    assert names(Spectrum(1) + Spectrum(1), ["a"]) == ["Spectrum(1): a", "Spectrum(1): a#2"]
    records = [{"one": "a", "two": "a"}]
    assert names("On('one', Spectrum(1))", records) == ["a"]
    assert names("On('one', Spectrum(1)) + On('two', Spectrum(1))", records) == ["one: a", "two: a"]
    several = "On('one', Spectrum(1)) + On('two', Spectrum(1) + Spectrum(1, blended=True))"
    assert names(several, pd.DataFrame(records)) == [
        "one: a",
        "two: Spectrum(1): a",
        "two: Spectrum(1, blended=True): a",
    ]
    assert names("Subtrees()", ["(S (NP John))"]) == ["John", "(NP John)", "(S (NP John))"]
    assert names("WeisfeilerLehman(1)", [([(0, 1)], ["C", "O"])]) == ["C", "O", "C(O)", "O(C)"]


def test_what_fit_has_not_met_counts_in_lengths():
    parts = Substructures(Letters().normalized()).fit(["a"])
    np.testing.assert_allclose(parts.transform(["ab", "b", ""]).toarray(), [[0.5**0.5], [0], [0]])


def test_parameters_of_the_kernel_are_set():
    parts = Substructures("Spectrum(2)").set_params(kernel__k=3)
    assert parts.kernel == Spectrum(3)
    assert clone(parts).get_params()["kernel__k"] == 3
    with pytest.raises(ValueError, match="no parameter 'sigma'"):
        parts.set_params(kernel__sigma=2)
    texts = ["abc", "acb", "cab", "bca", "bab", "aac"] * 5
    y = ["ab" in text for text in texts]
    model = make_pipeline(Substructures(Spectrum(1)), Perceptron(passes=5, random_state=0))
    search = GridSearchCV(model, {"substructures__kernel__k": [1, 2]}, cv=3).fit(texts, y)
    assert search.best_params_ == {"substructures__kernel__k": 2}
    search.best_estimator_[0].set_params(kernel=Linear())  # what was fitted stays
    assert search.score(texts, y) == 1.0


@pytest.mark.parametrize(
    ("kernel", "error", "message"),
    [
        (Gaussian(1.0), ValueError, r"Gaussian\(1.0\) has no list of features"),
        (Spectrum(2) * Spectrum(3), ValueError, r"Spectrum\(2\) \* Spectrum\(3\) has no list"),
        (Spectrum(2) + 2 * Spectrum(3).exp(), ValueError, r"Spectrum\(3\)\.exp\(\) has no list"),
        (On("text", Linear()), ValueError, r"field 'text': Linear\(\) has no list"),
        (On("none", Spectrum(2)), ValueError, "no field 'none'"),
        ("Spectrum(2", KernelSyntaxError, "column"),
        (3, TypeError, "kernel=3 is neither a kernel nor its text"),
    ],
)
def test_kernels_without_a_list_of_features_are_refused(kernel, error, message):
    with pytest.raises(error, match=message):
        Substructures(kernel).fit(RECORDS if "On" in repr(kernel) else STRINGS)


# -- errors and scikit-learn -----------------------------------------------------------------------------

TRANSFORMERS = [NGrams(), WordPairs(), Substructures("Spectrum(2)")]


@pytest.mark.parametrize("transformer", TRANSFORMERS, ids=repr)
def test_what_holds_no_examples_is_refused(transformer):
    for X in ("text", {"a": "text"}, 3, None):
        with pytest.raises(TypeError, match=r"give a sequence of examples, such as \[X\]"):
            transformer.fit(X)
    with pytest.raises(ValueError, match="X is empty"):
        transformer.fit([])
    with pytest.raises(NotFittedError):
        clone(transformer).transform(["text"])
    with pytest.raises(NotFittedError):
        clone(transformer).get_feature_names_out()


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (["a", None], r"X\[1\] is None: an example is a text, or a list of tokens"),
        (["a", b"a"], r"X\[1\] is b'a'"),
        (["a", 3], r"X\[1\] is 3"),
        ([["a"], ["a", None]], r"X\[1\]\[1\]: None is not a label"),
        ([["a", ["b"]]], r"X\[0\]\[1\]"),
        ([["a", float("nan")]], r"X\[0\]\[1\]"),
        (sp.csr_matrix(np.eye(2)), r"X\[0\]"),
        (pd.DataFrame({"text": ["a"]}), "one of its columns"),
    ],
)
def test_what_is_no_text_is_refused_by_its_place(X, message):
    for transformer in (NGrams(), WordPairs()):
        with pytest.raises(TypeError, match=message):
            transformer.fit(X)


@pytest.mark.parametrize(
    ("transformer", "error", "message"),
    [
        (NGrams(0), ValueError, "shortest=0 must be at least 1"),
        (NGrams(3, 2), ValueError, "longest=2 must be at least shortest=3"),
        (NGrams(1, 1.5), TypeError, "longest=1.5 is not a whole number"),
        (WordPairs(0), ValueError, "window=0 must be at least 1"),
        (WordPairs("2"), TypeError, "window='2' is not a whole number"),
    ],
)
def test_parameters_are_checked_by_fit(transformer, error, message):
    with pytest.raises(error, match=message):
        transformer.fit(["a b"])


@pytest.mark.parametrize("transformer", [NGrams(1, 3), WordPairs(3)], ids=repr)
def test_they_can_be_cloned_pickled_and_fitted_again(transformer):
    texts = ["to be or not to be", "", "be"]
    fitted = clone(transformer).fit(texts)
    again = pickle.loads(pickle.dumps(fitted))
    assert again.get_feature_names_out().tolist() == fitted.get_feature_names_out().tolist()
    assert abs(again.transform(texts) - fitted.fit_transform(texts)).sum() == 0
    assert set(fitted.fit(["a b"]).get_feature_names_out()).isdisjoint(again.get_feature_names_out())
