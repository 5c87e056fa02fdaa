"""The hasher: what examples become, the same slots as elsewhere, and scikit-learn's contract."""

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.feature_extraction import FeatureHasher
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

import kerneltron
from kerneltron import Hasher, LogisticRegression
from kerneltron.files.contents import ModelFileError
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import method
from kerneltron.learning.stream_model import StreamModel
from kerneltron.stream.formats import named
from kerneltron.stream.formats.columns import Columns
from kerneltron.stream.formats.json_lines import JsonLines
from kerneltron.stream.formats.vowpal import Vowpal
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels
from kerneltron.stream.reader import Reader
from kerneltron.training import windows
from kerneltron.training.pass_plan import PassPlan
from kerneltron.training.streaming import StreamTraining
from tests.oracle import murmur as oracle

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
values = st.integers(-16, 16).map(lambda value: value / 4)
pairs = st.lists(st.lists(st.tuples(names, values), max_size=8), min_size=1, max_size=6)


def same(X, Z):
    assert X.shape == Z.shape
    assert abs(X - Z).max() == 0


def rows_of_file(path, format, **settings):
    """Return a file's rows as the stream reads them."""
    (window,) = Reader([str(path)], format, Hashing(**settings), Labels()).windows()
    return sp.csr_matrix((window.values, window.indices, window.starts), (window.size, 2 ** settings["bits"]))


# -- the slots of others -------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(pairs, st.sampled_from([1, 5, 18]), st.booleans())
def test_pairs_have_the_slots_and_signs_of_scikit_learn(rows, bits, signed):
    theirs = FeatureHasher(2**bits, input_type="pair", alternate_sign=signed)
    same(Hasher(bits=bits, signed=signed).transform(rows), theirs.transform(rows))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.dictionaries(names, values, max_size=6), min_size=1, max_size=6))
def test_dicts_of_numbers_have_the_slots_and_signs_of_scikit_learn(rows):
    same(Hasher(columns={}).transform(rows), FeatureHasher(2**18).transform(rows))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(names, max_size=8), min_size=1, max_size=6))
def test_names_have_the_slots_and_signs_of_scikit_learn(rows):
    same(Hasher(bits=10).transform(rows), FeatureHasher(2**10, input_type="string").transform(rows))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"cross": ["user*text"]},
        {"ngrams": 2, "skips": 1},
        {"binary": True, "normalize": True},
        {"damped": True, "normalize": True},
        {"copies": 4, "signed": False},
        {"lowercase": False},
    ],
)
def test_dicts_are_what_json_lines_are_to_a_stream(tmp_path, options):
    rows = [
        {"user": "ann", "text": "Win a PRIZE, a prize!", "length": 4.5, "kind": "offer"},
        {"user": "bob lee", "text": 'Straße\n"quoted" \\ 日本 😀', "length": 0, "kind": None},
        {"text": "", "user": "ann", "new": True},
    ]
    path = tmp_path / "mail.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    format = JsonLines(Columns(labelled=False))
    same(Hasher(bits=12, **options).fit_transform(rows), rows_of_file(path, format, bits=12, **options))


def test_lines_of_vowpal_wabbit_are_read_as_from_a_file(tmp_path):
    lines = ["1 |u ann |t win:2 a prize", "-1 0.5 'tag|t hello", "|"]
    path = tmp_path / "mail.vw"
    path.write_text("\n".join(lines))
    hasher = Hasher(bits=12, strings="vw", cross=["u*t"])
    same(hasher.transform(lines), rows_of_file(path, Vowpal(), bits=12, cross=("u*t",)))


def test_names_with_a_namespace_equal_dicts_of_words():
    options = {"bits": 14, "cross": ["user*text"], "ngrams": 2}
    lists = Hasher(**options).transform([["user^ann"], ["text^win", "text^prize"]])
    dicts = Hasher(**options).transform([{"user": "ann"}, {"text": "win prize"}])
    same(lists, dicts)


# -- what a text becomes -------------------------------------------------------------------------------


def expected(words, bits=18):
    row = np.zeros(2**bits, np.float32)
    for word in words:
        slot, sign = oracle.place(oracle.murmur(word.encode()), bits)
        row[slot] += sign
    return row


def test_a_text_is_its_words():
    X = Hasher(bits=8).transform(["It's FREE, free!", "", "Größe"])
    assert X.dtype == np.float32
    assert X.has_sorted_indices
    np.testing.assert_array_equal(X[0].toarray()[0], expected(["it's", "free", "free", "!"], 8))
    np.testing.assert_array_equal(X[2].toarray()[0], expected(["größe"], 8))
    assert X[1].nnz == 0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), min_size=1, max_size=5))
def test_a_text_equals_the_words_of_a_column_but_for_the_namespace(texts):
    # The words of a column are those of the text alone, under other keys: as many, with the same counts.
    plain = Hasher(bits=20, signed=False).transform(texts)
    column = Hasher(bits=20, signed=False, columns={"t": "text"}).transform([{"t": text} for text in texts])
    np.testing.assert_array_equal(plain.sum(axis=1), column.sum(axis=1))


def test_many_texts_and_long_ones_are_cut_into_batches():
    texts = [f"word{i} common" for i in range(10_000)] + [
        "again " * 100_000,
        " ".join(map(str, range(200_000))),
    ]
    X = Hasher(bits=10, signed=False).transform(texts)
    sums = np.asarray(X.sum(axis=1)).ravel()
    np.testing.assert_array_equal(sums, [2] * 10_000 + [100_000, 200_000])
    same(X[4090:4100], Hasher(bits=10, signed=False).transform(texts[4090:4100]))


def test_a_string_is_the_only_text_column():
    hasher = Hasher(columns={"body": "text", "label": "ignore"})
    same(hasher.transform(["free prize"]), hasher.transform([{"body": "free prize", "label": "spam"}]))


# -- where examples come from --------------------------------------------------------------------------


def test_sequences_of_any_kind():
    texts = ["free prize", "see you"]
    X = Hasher().transform(texts)
    for other in (tuple(texts), np.array(texts), np.array(texts, object), pd.Series(texts), pl.Series(texts)):
        same(X, Hasher().transform(other))
    same(X, Hasher().transform(text for text in texts))


def test_data_frames_are_dicts():
    rows = [{"text": "free prize", "size": 2.5}, {"text": "see you", "size": None}]
    X = Hasher().transform(rows)
    same(X, Hasher().transform(pd.DataFrame(rows)))
    same(X, Hasher().transform(pl.DataFrame(rows)))


def test_missing_values_are_the_same_in_frames_and_dicts():
    rows = [{"text": "free prize", "size": 2.5}, {"text": np.nan, "size": None}, {"text": None, "size": 3}]
    X = Hasher(bits=8).fit(rows).transform(rows)
    for frame in (pd.DataFrame(rows), pd.DataFrame(rows).to_dict("records")):
        hasher = Hasher(bits=8).fit(frame)
        same(X, hasher.transform(frame))
        assert hasher.columns_["size"] == "number"
    same(X[1], Hasher(bits=8).transform([{"text": pd.NA, "size": pd.NaT}]))


def test_an_example_without_a_known_column_is_refused_and_the_nearest_one_named(tmp_path):
    rows = [{"body": "free prize", "size": 2.5}, {"body": None, "size": 1, "more": 2}] * 3
    pipeline = make_pipeline(Hasher(bits=8), LogisticRegression()).fit(rows, [1, 0] * 3)
    kerneltron.save(pipeline, tmp_path / "pipeline.model")
    for each in (pipeline, kerneltron.load(tmp_path / "pipeline.model")):
        with pytest.raises(ValueError, match=r"X\[1\] has none of the columns 'body', 'size'.*it has none"):
            each.predict([{"size": 3}, {}])
        with pytest.raises(ValueError, match="it has 'Size': did you mean 'size'"):
            each.predict([{"Size": 3}])
        with pytest.raises(ValueError, match=r"'bdoy', which fit has not met.*'body'.*did you mean 'body'\?"):
            each.predict([{"bdoy": "free", "size": 3}])
    counts = Hasher(bits=8).fit([{"cat": 1}, {"dog": 2}])  # no column is in all of them
    assert counts.transform([{}, {"fish": 1}]).nnz == 1


def test_numbers_of_numpy_are_numbers():
    row = {"size": np.float32(2.5), "count": np.int64(3)}
    same(Hasher().transform([row]), Hasher().transform([{"size": 2.5, "count": 3}]))


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        ("free prize", ValueError, r"single str.*\[X\]"),
        ([], ValueError, "empty"),
        (["free", None], TypeError, r"X\[1\] is None"),
        (["free", ["prize"]], TypeError, r"X\[1\].*one kind"),
        ([{"a": 1}, {"a": float("inf")}], ValueError, r"X\[1\]"),
        ([{"a": 1}, {"a": [float("nan")]}], ValueError, r"X\[1\]"),
        ([{"a": 1e300}], ValueError, r"X\[0\].*beyond 3.4e38, the largest number that can be stored"),
        ([{"a": object()}], TypeError, "neither a number nor text"),
        ([["a"], [("b", float("inf"))]], ValueError, r"X\[1\].*finite"),
        ([["a"], [3]], TypeError, r"X\[1\] is \[3\]"),
        ([["a"], 3], TypeError, r"X\[1\]"),
        (["half \ud800"], ValueError, r"X\[0\].*surrogate"),
        (np.ones((2, 3)), ValueError, "2 dimensions"),
    ],
)
def test_what_is_no_example_is_refused_by_its_number(X, error, message):
    with pytest.raises(error, match=message):
        Hasher().transform(X)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"bits": 0}, ValueError, "bits=0 must be from 1 to 30"),
        ({"bits": 2.5}, TypeError, "whole number"),
        ({"cross": "user*text"}, TypeError, "give a list"),
        ({"cross": ["user"]}, ValueError, "not a pair"),
        ({"strings": "csv"}, ValueError, "strings='csv' must be one of"),
        ({"columns": {"a": "words"}}, ValueError, "'words' is not a role"),
        ({"columns": ["a"]}, TypeError, "must be a dict"),
    ],
)
def test_parameters_are_checked_by_fit(options, error, message):
    with pytest.raises(error, match=message):
        Hasher(**options).fit()


def test_texts_have_no_columns_to_cross():
    with pytest.raises(ValueError, match="give dicts"):
        Hasher(cross=["user*text"]).transform(["free prize"])
    with pytest.raises(ValueError, match="give dicts"):
        Hasher(columns={"a": "text", "b": "text"}).transform(["free prize"])


def test_a_line_that_is_none_is_refused():
    with pytest.raises(ValueError, match=r"X\[1\], byte 1: no '\|'"):
        Hasher(strings="vw").transform(["|t a", "b"])
    with pytest.raises(ValueError, match=r"X\[0\].*not one line"):
        Hasher(strings="vw").transform(["|t a\n|t b"])
    with pytest.raises(ValueError, match="comment"):
        Hasher(strings="svmlight").transform(["# nothing", "1 2:3"])


# -- scikit-learn --------------------------------------------------------------------------------------


def test_it_can_be_cloned_pickled_and_put_into_unions():
    hasher = Hasher(bits=6, cross=["user*text"], columns={"user": "user", "text": "text"})
    for other in (clone(hasher), pickle.loads(pickle.dumps(hasher))):
        assert other.get_params() == hasher.get_params()
    union = FeatureUnion([("words", Hasher(bits=6)), ("pairs", Hasher(bits=7, ngrams=2))])
    assert union.fit_transform(["free prize"]).shape == (1, 64 + 128)
    assert Hasher(bits=2).get_feature_names_out().tolist() == ["slot0", "slot1", "slot2", "slot3"]


def test_a_pipeline_learns_from_texts():
    texts, labels = (
        ["free prize now", "see you at home", "win a prize", "home at six"] * 5,
        ["spam", "ham"] * 10,
    )
    model = make_pipeline(Hasher(bits=12), LogisticRegression(passes=5, random_state=0)).fit(texts, labels)
    assert model.predict(["a free prize", "you at home"]).tolist() == ["spam", "ham"]


def test_it_is_exported():
    assert "Hasher" in kerneltron.__all__
    assert kerneltron.Hasher is Hasher


# -- saving --------------------------------------------------------------------------------------------

TEXTS = ["Free prize now!", "see you at home", "win a PRIZE", "home at six", "", "a free home"]
MAIL = [
    {"user": user, "text": text, "size": size}
    for user, text, size in zip(["ann", "bob"] * 3, TEXTS, [1.5, 0, -2, 3, 4, 0.25], strict=True)
]
LABELS = ["spam", "ham"] * 3


def test_a_hasher_is_saved_with_its_parameters(tmp_path):
    hasher = Hasher(bits=9, binary=True, cross=("user*text",), columns={"user": "user", "text": "text"})
    kerneltron.save(hasher, tmp_path / "hasher.model")
    loaded = kerneltron.load(tmp_path / "hasher.model")
    assert loaded.get_params() == {**hasher.get_params(), "cross": ["user*text"]}
    same(loaded.transform(MAIL), hasher.transform(MAIL))


@pytest.mark.parametrize("resumable", [True, False])
def test_a_pipeline_is_saved_whole(tmp_path, resumable):
    learner = LogisticRegression(passes=3, random_state=0)
    pipeline = Pipeline([("words", Hasher(bits=9)), ("model", learner)]).fit(TEXTS, LABELS)
    kerneltron.save(pipeline, tmp_path / "first.model", resumable)
    loaded = kerneltron.load(tmp_path / "first.model")
    assert [name for name, _ in loaded.steps] == ["words", "model"]
    np.testing.assert_array_equal(loaded.predict_proba(TEXTS), pipeline.predict_proba(TEXTS))
    kerneltron.save(loaded, tmp_path / "second.model", resumable)
    assert (tmp_path / "first.model").read_bytes() == (tmp_path / "second.model").read_bytes()


def test_a_pipeline_of_other_steps_is_refused(tmp_path):
    with pytest.raises(TypeError, match="Hasher, Scaler, pipelines of these, or one of them, and a learner"):
        kerneltron.save(make_pipeline(StandardScaler(), LogisticRegression()), tmp_path / "some.model")


def test_a_pipeline_whose_parts_do_not_fit_is_refused(tmp_path):
    pipeline = make_pipeline(Hasher(bits=9), LogisticRegression(random_state=0)).fit(TEXTS, LABELS)
    pipeline.set_params(hasher__bits=10)
    kerneltron.save(pipeline, tmp_path / "some.model")
    with pytest.raises(ModelFileError, match="512 columns, and a step before it 1024"):
        kerneltron.load(tmp_path / "some.model")


def lines_of(kind):
    """Return the mail as lines of a format, the first of them maybe a header."""
    if kind == "vw":
        return [
            f"{label} |user {row['user']} |text {row['text'].replace('!', '')} | size:{row['size']}"
            for row, label in zip(MAIL, LABELS, strict=True)
        ]
    if kind == "jsonl":
        return [json.dumps({**row, "label": label}) for row, label in zip(MAIL, LABELS, strict=True)]
    rows = [
        f"{label},{row['user']},{row['text']},{row['size']}" for row, label in zip(MAIL, LABELS, strict=True)
    ]
    return ["label,user,text,size", *rows]


@pytest.mark.parametrize("kind", ["vw", "jsonl", "csv"])
@pytest.mark.parametrize("name", ["logistic", "perceptron"])
def test_a_model_of_a_stream_is_loaded_as_a_pipeline_that_predicts_the_same(tmp_path, kind, name):
    path = tmp_path / f"mail.{kind}"
    path.write_text("\n".join(lines_of(kind)) + "\n")
    hashing, format = Hashing(bits=12, cross=("user*text",), ngrams=2), named(kind)()
    learner = Learner(method(name)(random_state=0), hashing.slots)
    training = StreamTraining(learner, Reader([str(path)], format, hashing, Labels()), PassPlan(passes=3))
    training.run()
    model = StreamModel(training.learner, hashing, format)
    model.save(tmp_path / "mail.model")
    (window,) = Reader([str(path)], format, hashing, Labels()).windows()
    scores = windows.scores(model.learner, window)[:, 0]

    pipeline = kerneltron.load(tmp_path / "mail.model")
    examples = lines_of(kind) if kind == "vw" else MAIL
    np.testing.assert_allclose(pipeline.decision_function(examples), scores, rtol=1e-6, atol=1e-7)
    expected = np.array(model.learner.known)[(scores > 0).astype(int)]
    assert pipeline.predict(examples).tolist() == expected.tolist()
    # The label is no feature, whether it is there or not.
    if kind != "vw":
        labelled = [{**row, "label": label} for row, label in zip(MAIL, LABELS, strict=True)]
        np.testing.assert_array_equal(pipeline.predict(labelled), pipeline.predict(MAIL))
