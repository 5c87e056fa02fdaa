"""Records: kernels on fields, in one expression, over dicts, data frames and structured rows."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score

from kerneltron import PassiveAggressive, Perceptron, load, save
from kerneltron.kernels import Gaussian, Kernel, Linear, On, PartialTrees, Polynomial, Spectrum, parse

MIXED = On("text", Spectrum(3)) + 0.5 * On("tree", PartialTrees()) * On("age", Gaussian(2))
TEXTS = ["the cake", "the carrot", "a cake", "carrots", "no cake at all"]
TREES = ["(S (NP John) (VP eats))", "(S (NP Mary) (VP eats))", "(S eats)", "(S (NP John))", "S"]
AGES = [30.0, 31.5, 12.0, 50.0, 30.0]
RECORDS = [
    {"text": text, "tree": tree, "age": age} for text, tree, age in zip(TEXTS, TREES, AGES, strict=True)
]


def test_one_expression_mixes_strings_trees_and_numbers():
    ages = np.array(AGES)[:, None]
    expected = Spectrum(3)(TEXTS) + 0.5 * PartialTrees()(TREES) * Gaussian(2)(ages)
    np.testing.assert_allclose(MIXED(RECORDS), expected, rtol=1e-14)
    np.testing.assert_allclose(MIXED(RECORDS[:2], RECORDS[2:]), expected[:2, 2:], rtol=1e-12)
    assert (
        repr(MIXED) == "On('text', Spectrum(3)) + 0.5 * On('tree', PartialTrees()) * On('age', Gaussian(2))"
    )
    assert parse(repr(MIXED)) == MIXED
    assert parse('On("text", Spectrum(3).normalized())').base == Spectrum(3).normalized()
    assert MIXED.domain == "records"


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_data_frames_are_records(make):
    frame = make({"text": TEXTS, "tree": TREES, "age": AGES})
    np.testing.assert_array_equal(MIXED(frame), MIXED(RECORDS))
    with pytest.raises(ValueError, match=r"no field 'words'; the columns are text, tree, age"):
        On("words", Spectrum(2))(frame)


def test_structured_rows_are_records():
    rows = np.array(
        list(zip(TEXTS, TREES, AGES, strict=True)), [("text", object), ("tree", "U40"), ("age", np.float64)]
    )
    np.testing.assert_array_equal(MIXED(rows), MIXED(RECORDS))
    np.testing.assert_array_equal(MIXED(list(rows)), MIXED(RECORDS))
    with pytest.raises(ValueError, match=r"no field 'words'; the columns are text, tree, age"):
        On("words", Spectrum(2))(rows)


def test_fields_may_hold_vectors():
    rows = np.random.default_rng(0).normal(size=(5, 3))
    records = [{"row": row.tolist()} for row in rows]
    np.testing.assert_allclose(On("row", Polynomial(2))(records), Polynomial(2)(rows))
    np.testing.assert_allclose(On("row", Linear())([{"row": row} for row in rows]), Linear()(rows))


def test_kernels_on_one_field_share_what_they_read():
    k = On("row", Linear()) + On("row", Polynomial(2)) * On("row", Gaussian(1.0))
    pack = k.pack([{"row": [1.0, 2.0]}, {"row": [0.5, 1.0]}])
    assert list(pack.parts) == [("on", "row")]
    assert list(pack.parts["on", "row"].parts) == ["vectors"]


@pytest.mark.parametrize(
    ("k", "records", "error", "match"),
    [
        (
            On("text", Spectrum(2)),
            [*RECORDS, {"tree": "S"}],
            ValueError,
            r"X\[5\] has no field 'text'; it has 'tree'",
        ),
        (On("text", Spectrum(2)), [{}], ValueError, r"X\[0\] has no field 'text'; it has none"),
        (On("text", Spectrum(2)), ["ab", "cd"], TypeError, r"X\[0\] is a str, not a record"),
        (On("text", Spectrum(2)), {"text": TEXTS}, TypeError, r"X\[0\] is a str, not a record"),
        (
            On("age", Linear()),
            [{"age": 1}, {"age": None}],
            ValueError,
            r"X\[1\] holds None in the field 'age'",
        ),
        (
            On("age", Linear()),
            [{"age": 1}, {"age": float("nan")}],
            ValueError,
            r"X\[1\] holds nan in the field 'age'",
        ),
        (On("age", Linear()), [{"age": 1}, {"age": "old"}], ValueError, r"field 'age': X\[1\] holds 'old'"),
        (On("age", Linear()), [{"agee": 1}], ValueError, "no field 'age'.*did you mean 'agee'"),
        (On("age", Linear()), [{"age": "old"}], ValueError, "field 'age': X holds .*not numbers"),
        (On("age", Linear()), [{"age": [1, 2]}, {"age": [1]}], ValueError, r"X\[1\] holds 1 numbers"),
        (On("tree", PartialTrees()), [{"tree": "(S"}], ValueError, r"field 'tree': .*X\[0\]"),
    ],
)
def test_what_is_wrong_is_named(k, records, error, match):
    with pytest.raises(error, match=match):
        k(records)


def test_missing_values_are_a_value_and_a_feature_of_their_own():
    ages, words = [30.0, None, 12.0, np.nan], ["ab", "abb", None, "b"]
    k = On("age", Gaussian(9.0), missing=20) + On("word", Spectrum(1), missing="")
    gone = np.array([[0, 0], [1, 0], [0, 1], [1, 0]])
    expected = Gaussian(9.0)([[30.0], [20.0], [12.0], [20.0]]) + Spectrum(1)(["ab", "abb", "", "b"])
    expected = expected + gone @ gone.T
    for frame in (
        [{"age": age, "word": word} for age, word in zip(ages, words, strict=True)],
        pd.DataFrame({"age": ages, "word": words}),
        pl.DataFrame({"age": ages, "word": words}, strict=False),
        pd.DataFrame({"age": ages, "word": words}).convert_dtypes(),
    ):
        np.testing.assert_allclose(k(frame), expected, rtol=1e-14)
        np.testing.assert_allclose(k(frame[:1], frame[1:]), expected[:1, 1:], rtol=1e-14)
        np.testing.assert_allclose(k.diag(frame), np.diag(expected), rtol=1e-14)
        distances = np.diag(expected)[:, None] + np.diag(expected) - 2 * expected
        np.testing.assert_allclose(Gaussian(3.0, over=k)(frame), np.exp(-distances / 18), rtol=1e-12)
    assert parse(repr(k)) == k
    both = On("age", Linear(), missing=1.0) + On("age", Linear(), missing=2.0)
    assert both([{"age": None}])[0, 0] == 1 + 1 + 4 + 1
    with pytest.raises(ValueError, match="missing='old' is not a finite number"):
        On("age", Linear(), missing="old")
    with pytest.raises(ValueError, match="missing=3 is not a text"):
        On("age", Spectrum(2), missing=3)


def test_dates_are_days():
    moments = pd.to_datetime(["1970-01-02 00:00", "1970-01-01 12:00", "1969-12-31 00:00"])
    expected = np.outer([1.0, 0.5, -1.0], [1.0, 0.5, -1.0])
    for values in (moments, moments.tz_localize("UTC").tz_convert("Asia/Tokyo"), moments - moments[0]):
        shift = 1.0 if values.dtype.kind == "m" else 0.0
        days = np.array([1.0, 0.5, -1.0]) - shift
        for X in (pd.DataFrame({"day": values}), [{"day": value} for value in values]):
            np.testing.assert_allclose(On("day", Linear())(X), np.outer(days, days))
    np.testing.assert_allclose(
        On("day", Linear())(pl.DataFrame({"day": moments.to_pydatetime().tolist()})), expected
    )
    with pytest.raises(ValueError, match=r"field 'day': X\[1\] holds 3, where others hold dates"):
        On("day", Linear())([{"day": moments[0]}, {"day": 3}])


def test_fields_and_kernels_are_checked():
    with pytest.raises(TypeError, match="field=3 is not a text"):
        On(3, Linear())
    with pytest.raises(TypeError, match="base='linear' is not a kernel"):
        On("a", "linear")
    with pytest.raises(ValueError, match=r"one domain.*On\(\"field\", k\)"):
        On("a", Linear()) + Linear()


def test_learners_searches_and_files_take_records(tmp_path):
    rng = np.random.default_rng(0)
    records = [
        {"text": "".join(rng.choice([*"ab"], 8)), "age": float(rng.normal(30, 10)), "tree": TREES[i % 5]}
        for i in range(120)
    ]
    y = np.array([("aba" in record["text"]) ^ (record["age"] > 35) for record in records])
    k: Kernel = On("text", Spectrum(3).normalized()) * On("age", Gaussian(5.0)) + On("tree", PartialTrees())
    learner = PassiveAggressive(kernel=k, passes=5, random_state=0)
    assert cross_val_score(learner, records, y, cv=4).mean() > max(y.mean(), 1 - y.mean()) + 0.1
    grid = GridSearchCV(learner, {"kernel__left__right__base__sigma": [2.0, 5.0], "C": [0.1, 1.0]}, cv=3)
    grid.fit(records, y)
    assert grid.best_estimator_.kernel.left.right.base.sigma in (2.0, 5.0)
    frame = pd.DataFrame(records)
    np.testing.assert_array_equal(
        learner.fit(frame, y).predict(frame), learner.fit(records, y).predict(records)
    )
    save(learner, tmp_path / "mixed.model")
    again = load(tmp_path / "mixed.model")
    assert again.decision_function(records).tobytes() == learner.decision_function(records).tobytes()
    for one in (learner, again):
        one.partial_fit(records[:20], ~y[:20])
    assert again.decision_function(records).tobytes() == learner.decision_function(records).tobytes()


def test_a_stream_of_records_grows_with_what_is_remembered():
    learner = Perceptron(kernel=On("text", Spectrum(2)))
    rng = np.random.default_rng(0)
    for _ in range(50):
        records = [{"text": "".join(rng.choice([*"abcdefgh"], 6))} for _ in range(4)]
        learner.partial_fit(records, [record["text"] < "d" for record in records], classes=[False, True])
    held = learner.model_.remembered.memory.packs
    kept = sum(len(pack.parts["on", "text"].parts[Spectrum(2)].vocabulary) for pack in held)
    assert kept <= 5 * sum(map(len, held))
