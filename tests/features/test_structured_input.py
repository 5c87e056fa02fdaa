"""Structures, columns and names as new users hand them over: understood, or told what was not read."""

import json
import warnings

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline

import kerneltron
from kerneltron import Hasher, LogisticRegression, Perceptron
from kerneltron._validate import check_finite
from kerneltron.explaining.streams import explain_model
from kerneltron.features import NGrams, Patterns, Substructures
from kerneltron.jobs.job import Job
from kerneltron.kernels import (
    Mismatch,
    PartialTrees,
    RandomWalks,
    ShortestPaths,
    Spectrum,
    Subsequences,
    SubsetTrees,
    Substrings,
    Subtrees,
    WeightedDegree,
    WeisfeilerLehman,
)
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import on_stream
from kerneltron.stream.formats import named
from kerneltron.stream.hashing import Hashing

GRAPHS = [WeisfeilerLehman(1), ShortestPaths(), RandomWalks(0.1)]
STRINGS = [Spectrum(2), Substrings(), Subsequences(2, 0.5), Mismatch(2, 1, "ACGT"), WeightedDegree(2)]
TREES = [Subtrees(), SubsetTrees(), PartialTrees()]


# -- graphs --------------------------------------------------------------------------------------------


def molecule(attribute):
    """Return water, whose atoms are called by this attribute."""
    graph = nx.Graph()
    for node, name in enumerate("OHH"):
        graph.add_node(node, **{attribute: name})
    graph.add_edges_from([(0, 1), (0, 2)])
    return graph


@pytest.mark.parametrize("kernel", GRAPHS, ids=str)
@pytest.mark.parametrize("attribute", ["symbol", "element"])
def test_attributes_that_are_not_read_are_told(kernel, attribute):
    graph = molecule(attribute)
    with pytest.warns(UserWarning, match=rf"'{attribute}'.*no 'label'.*set_node_attributes") as told:
        kernel([graph, molecule(attribute)])
    assert len(told) == 1
    nx.set_node_attributes(graph, nx.get_node_attributes(graph, attribute), "label")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        labelled = kernel([graph])
        assert labelled[0, 0] == kernel([molecule("label")])[0, 0]
        kernel([nx.path_graph(3)])  # nodes without any attribute are alike, and meant to be


def test_patterns_of_graphs_tell_of_attributes_too():
    with pytest.warns(UserWarning, match="symbol"), pytest.raises(ValueError, match="label"):
        Patterns(["O-H"]).fit_transform([molecule("symbol")])


# -- one column of an array ----------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", STRINGS, ids=str)
@pytest.mark.parametrize("kind", ["U", "O", "S"])
def test_strings_may_stand_in_the_one_column_of_an_array(kernel, kind):
    strings = np.array(["GATTACAG", "TACGATTA", "CCCCGGGG"]).astype(kind)
    np.testing.assert_array_equal(kernel(strings[:, None]), kernel(strings.tolist()))


@pytest.mark.parametrize("kernel", TREES, ids=str)
def test_trees_may_stand_in_the_one_column_of_an_array(kernel):
    trees = np.array(["(S (NP John) (VP joins))", "(S (NP Mary) (VP joins))"])
    np.testing.assert_array_equal(kernel(trees[:, None]), kernel(trees.tolist()))


@pytest.mark.parametrize("kernel", GRAPHS, ids=str)
def test_graphs_may_stand_in_the_one_column_of_an_array(kernel):
    graphs = np.empty((2, 1), object)
    graphs[:, 0] = [molecule("label"), molecule("label")]
    np.testing.assert_array_equal(kernel(graphs), kernel(list(graphs[:, 0])))


def test_learners_and_features_take_the_one_column_too():
    strings, y = np.array([["abab"], ["cdcd"], ["abba"], ["cddc"]]), [0, 1, 0, 1]
    learner = Perceptron(kernel="Spectrum(2)", passes=5, random_state=0).fit(strings, y)
    assert learner.score(strings, y) == 1.0
    features = Substructures("Spectrum(2)")
    column = features.fit_transform(strings).toarray()
    assert features.get_feature_names_out().tolist() == ["ab", "ba", "cd", "dc", "bb", "dd"]
    np.testing.assert_array_equal(column, Substructures("Spectrum(2)").fit_transform(strings[:, 0]).toarray())
    assert NGrams().fit_transform(np.array([["a b"], ["b c"]])).shape == (2, 5)


def test_a_row_of_tokens_is_a_sequence():
    tokens = np.array([["a", "b", "a"], ["b", "a", "b"]])
    np.testing.assert_array_equal(Spectrum(1)(tokens), Spectrum(1)(tokens.tolist()))
    with pytest.raises(TypeError, match="column"):
        Spectrum(1)(pd.DataFrame({"text": ["a"]}))


# -- names in explanations -----------------------------------------------------------------------------


def test_features_without_names_are_not_called_named():
    texts, y = ["free prize", "see you", "win a prize", "at home"], [1, 0, 1, 0]
    pipeline = make_pipeline(Hasher(bits=18), LogisticRegression(random_state=0)).fit(texts, y)
    found = pipeline[-1].explain()
    assert found.coverage is None
    assert "Named" not in str(found)
    assert "x0 is the first column" in str(found)


def test_features_of_a_data_frame_are_named():
    frame = pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "size": [0.0, 1.0, 0.0, 1.0]})
    found = Perceptron(random_state=0).fit(frame, [0, 1, 0, 1]).explain()
    assert found.coverage == 1.0
    assert {row.name for row in found.rows} <= {"age", "size"}
    mapped = Perceptron(kernel="Polynomial(2)", random_state=0).fit(frame, [0, 1, 0, 1]).explain()
    assert mapped.coverage == 1.0
    nameless = Perceptron(kernel="Polynomial(2)", random_state=0).fit(frame.to_numpy(), [0, 1, 0, 1])
    assert nameless.explain().coverage is None


@pytest.mark.parametrize("keep_names", [True, False])
def test_products_of_slots_are_named_as_far_as_their_slots_are(tmp_path, keep_names):
    path = tmp_path / "a.vw"
    path.write_text("a | x y\nb | y z\na | x z\nb | z\n")
    method = on_stream("perceptron", {"kernel": "Polynomial(2)", "representation": "primal", "passes": 3})
    job = Job(Learner(method, 16), Hashing(bits=4), named("vw")(), [str(path)], keep_names=keep_names)
    training = job.training()
    training.run()
    model = job.model(training)
    found = explain_model(model)
    assert found.rows
    assert (found.coverage == 1.0) if keep_names else (found.coverage < 0.01)  # the product of nothing is 1
    if keep_names:  # forget one
        index = model.names
        kept = [n for n, text in enumerate(index.texts) if text != b"x"]
        index.keys, index.counts = index.keys[kept], index.counts[kept]
        index.texts, index._by_slot = [index.texts[n] for n in kept], None
        assert 0.0 < explain_model(model).coverage < 1.0


# -- columns of the hasher -----------------------------------------------------------------------------


def same(A, B):
    """Check that two sparse matrices are equal."""
    assert A.shape == B.shape
    assert (A != B).nnz == 0


ROWS = [{"city": "Rome", "n": 1}, {"city": "New York", "n": 2}, {"city": "Oslo"}, {"city": None, "n": 0.5}]


def test_a_column_is_text_or_category_as_a_whole():
    hasher = Hasher(bits=20).fit(ROWS)
    assert hasher.columns_["city"] == "text"
    same(hasher.transform(ROWS), Hasher(bits=20, columns={"city": "text", "n": "number"}).transform(ROWS))
    names = Hasher(bits=20).fit([{"city": "Rome"}, {"city": "Oslo"}])
    assert names.columns_["city"] == "category"
    whole = names.transform([{"city": "New York"}])  # one feature, not two words
    assert whole.nnz == 1


@pytest.mark.parametrize("frame", [list, pd.DataFrame, pl.DataFrame])
def test_pieces_have_the_slots_of_the_whole(frame):
    hasher = Hasher(bits=12, ngrams=2).fit(frame(ROWS))
    whole = hasher.transform(frame(ROWS))
    for number, row in enumerate(ROWS):
        same(hasher.transform(frame([row])), whole[number])


def test_a_string_whose_column_was_not_decided_is_refused():
    with pytest.raises(ValueError, match=r"X\[1\] has 'Rome' in the column 'city'.*columns=.*fit"):
        Hasher().transform([{"n": 1}, {"city": "Rome"}])
    hasher = Hasher().fit(ROWS)
    with pytest.raises(ValueError, match=r"'day', which fit has not met"):
        hasher.transform([{"city": "Rome", "day": "Monday"}])
    same(hasher.partial_fit([{"day": "Monday"}]).transform(ROWS), Hasher().fit(ROWS).transform(ROWS))
    assert hasher.columns_["day"] == "category"
    assert hasher.partial_fit([{"day": "a Monday"}]).columns_["day"] == "category"
    # Numbers, truths and lists are what they are.
    Hasher().transform([{"n": 1.5, "b": True, "words": ["a", "b"], "text": "as ever", "user": "Ann"}])


def test_decisions_are_saved_with_a_pipeline(tmp_path):
    rows = [{"city": "Rome", "kind": "a b"}, {"city": "Oslo", "kind": "c"}] * 3
    pipeline = make_pipeline(Hasher(bits=9), LogisticRegression(random_state=0)).fit(rows, [0, 1] * 3)
    pipeline_file = tmp_path / "pipeline.model"
    kerneltron.save(pipeline, pipeline_file)
    loaded = kerneltron.load(pipeline_file)
    assert loaded[0].columns_ == pipeline[0].columns_
    np.testing.assert_array_equal(loaded.decision_function(rows[:1]), pipeline.decision_function(rows[:1]))


def test_what_is_ignored_is_not_looked_at():
    rows = [{"text": "a b", "day": pd.Timestamp("2024-05-01"), "x": object()}]
    hasher = Hasher(columns={"text": "text", "day": "ignore", "x": "ignore"})
    same(hasher.transform(rows), hasher.transform([{"text": "a b"}]))
    same(hasher.fit_transform(pd.DataFrame(rows)), hasher.transform([{"text": "a b"}]))
    with pytest.raises(TypeError, match=r"X\[0\], column 'day'.*'ignore'"):
        Hasher(columns={"text": "text", "x": "ignore"}).fit_transform(rows)


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ({"cross": ["usr*text"]}, [{"user": "ann", "text": "a b"}]),
        ({"cross": ["user*text"]}, [{"text": "a b"}]),
        ({"cross": ["usr*text"]}, [["user^ann", "text^a"]]),
        ({"cross": ["usr*text"], "strings": "vw"}, ["1 |user ann |text a b"]),
        ({"cross": ["usr*text"], "strings": "svmlight"}, ["1 3:1"]),
        ({"cross": ["user*text"], "columns": {"user": "ignore", "text": "text"}}, [{"text": "a b"}]),
    ],
    ids=str,
)
def test_a_cross_that_pairs_nothing_is_refused(options, rows):
    for call in ("fit", "transform", "fit_transform"):
        with pytest.raises(ValueError, match=r"cross=.*us"):
            getattr(Hasher(**options), call)(rows)


def test_a_fitted_hasher_takes_examples_without_the_column_of_a_cross():
    hasher = Hasher(cross=["user*text"]).fit([{"user": "ann", "text": "a"}, {"text": "b"}])
    assert hasher.transform([{"text": "b"}]).nnz == 1
    said = Hasher(cross=["user*text"], columns={"user": "user", "text": "text"})
    assert said.transform([{"text": "b"}]).nnz == 1


def test_whole_numbers_name_columns_as_well():
    frame = pd.DataFrame([["Rome", 1.0], ["New York", 2.0]])
    rows = [{"0": "Rome", "1": 1.0}, {"0": "New York", "1": 2.0}]
    same(Hasher(bits=8).fit_transform(frame), Hasher(bits=8).fit_transform(rows))
    with pytest.raises(ValueError, match="two columns of the name '1'"):
        Hasher().transform([{1: 2.0, "1": 3.0}])
    with pytest.raises(ValueError, match="two columns of the name 'a': rename"):
        Hasher().transform(pd.DataFrame([[1.0, 2.0]], columns=["a", "a"]))
    with pytest.raises(TypeError, match="name of a column is a text"):
        Hasher().transform([{(1, 2): 2.0}])


def test_a_loaded_model_of_a_stream_decides_as_the_stream_did(tmp_path):
    path = tmp_path / "a.jsonl"
    rows = [{"label": "ab"[n % 2], "city": ["Rome", "New York"][n % 2], "n": n} for n in range(20)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    job = Job(Learner(on_stream("perceptron", {}), 256), Hashing(bits=8), named("jsonl")(), [str(path)])
    training = job.training()
    training.run()
    job.model(training).save(tmp_path / "a.model")
    pipeline = kerneltron.load(tmp_path / "a.model")
    whole = pipeline.decision_function(rows)
    np.testing.assert_array_equal([pipeline.decision_function([row])[0] for row in rows], whole)


# -- numbers that are none -----------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "name"), [(np.nan, "NaN"), (np.inf, "infinity"), (-np.inf, "infinity")])
def test_the_remedy_for_a_value_works(value, name):
    X = np.array([[1.0, 2.0], [3.0, value]])
    with pytest.raises(ValueError, match=rf"X contains {name} \(row 1, column 1\)") as told:
        check_finite(X)
    if name == "NaN":
        assert "SimpleImputer" in str(told.value)
        check_finite(SimpleImputer().fit_transform(X))
    else:
        assert "numpy.clip(X, -1e6, 1e6)" in str(told.value)
        check_finite(np.clip(X, -1e6, 1e6))
        with pytest.raises(ValueError, match="infinity"):
            SimpleImputer().fit_transform(X)


@pytest.mark.parametrize(
    ("rows", "options", "error", "message"),
    [
        ([["a"], [("f",)]], {}, TypeError, r"X\[1\] is .*pairs"),
        ([[3]], {"cross": ["a*b"]}, ValueError, "cross="),
        ([{"\ud800": 1.0}], {"columns": {"\ud800": "number"}}, ValueError, "column .* of X has half"),
        ([{"a": 1}, {"a": [1, float("inf")]}], {}, ValueError, r"X\[1\], column 'a': .*not finite"),
    ],
    ids=str,
)
def test_examples_that_are_none_are_refused_with_their_place(rows, options, error, message):
    with pytest.raises(error, match=message):
        Hasher(**options).transform(rows)


def test_records_may_stand_in_the_one_column_of_an_array():
    kernel = kerneltron.kernels.parse('On("text", Spectrum(2))')
    records = [{"text": "abab"}, {"text": "bab"}]
    column = np.empty((2, 1), object)
    column[:, 0] = records
    np.testing.assert_array_equal(kernel(column), kernel(records))
