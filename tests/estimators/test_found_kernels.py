"""kernel="auto": the kernel is found for what examples are, and kept apart from what was asked for."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV, cross_val_score

from kerneltron import SVM, Arow, LogisticRegression, ManyTasks, PassiveAggressive, Pegasos, Perceptron, load
from kerneltron.kernels import diagnose, parse, propose
from kerneltron.kernels.fields import fields_of

generator = np.random.default_rng(0)
X, y = load_wine(return_X_y=True)
ORDER = np.random.default_rng(0).permutation(len(y))
X, y = X[ORDER], y[ORDER]

WORDS = ["".join(generator.choice(list("abcd"), size=generator.integers(6, 14))) for _ in range(80)]
HAS_PAIR = np.array(["yes" if "ab" in word else "no" for word in WORDS])
TREES = [f"(S (A a{n % 7}) ({'B' if n % 3 else 'C'} b{n % 5}))" for n in range(60)]
HAS_B = np.arange(60) % 3 > 0
GRAPHS = [
    ([(i, (i + 1) % size) for i in range(size - n % 2)], list("CN" * size)[:size])
    for n, size in enumerate(list(range(3, 18)) * 4)
]
IS_RING = np.arange(60) % 2 == 0
RECORDS = [{"word": word, "age": float(n % 9), "note": None} for n, word in enumerate(WORDS)]
STRUCTURES = {
    "strings": (WORDS, HAS_PAIR),
    "trees": (TREES, HAS_B),
    "graphs": (GRAPHS, IS_RING),
    "records": (RECORDS, HAS_PAIR),
    "vectors": (X, y),
}


@pytest.mark.parametrize("domain", STRUCTURES)
def test_asked_and_found_stay_apart(domain, tmp_path):
    examples, labels = STRUCTURES[domain]
    learner = SVM(kernel="auto", random_state=0).fit(examples, labels)
    assert learner.kernel == "auto"
    assert learner.get_params()["kernel"] == "auto"
    assert learner.kernel_.domain == domain
    assert learner.learner_.space.C == 10.0
    assert learner.score(examples, labels) > 0.9
    learner.save(tmp_path / "model")
    other = load(tmp_path / "model")
    assert (other.kernel, other.C) == ("auto", "auto")
    assert other.kernel_ == learner.kernel_
    assert other.learner_.space.C == 10.0
    assert (other.decision_function(examples) == learner.decision_function(examples)).all()


@pytest.mark.parametrize("domain", STRUCTURES)
def test_the_kernel_is_a_function_of_examples_labels_and_seed(domain):
    examples, labels = STRUCTURES[domain]
    first = SVM(kernel="auto", random_state=3).fit(examples, labels)
    again = clone(first).fit(examples, labels)
    assert again.kernel_ == first.kernel_
    assert (again.decision_function(examples) == first.decision_function(examples)).all()
    given = SVM(kernel=first.kernel_, C=10.0, random_state=3).fit(examples, labels)
    assert (given.decision_function(examples) == first.decision_function(examples)).all()


@pytest.mark.parametrize("learner", [Perceptron, PassiveAggressive, Pegasos, LogisticRegression])
def test_other_learners_find_it_too(learner):
    found = learner(kernel="auto", random_state=0).fit(WORDS, HAS_PAIR)
    assert found.kernel_.domain == "strings"
    assert found.score(WORDS, HAS_PAIR) > 0.85


def test_what_is_proposed_is_what_is_found():
    for domain in ("strings", "trees", "graphs", "records"):
        examples, labels = STRUCTURES[domain]
        assert (
            propose(examples, labels).best == SVM(kernel="auto", random_state=0).fit(examples, labels).kernel_
        )


def test_where_nothing_is_wrong_the_simplest_is_taken():
    found = propose(TREES, HAS_B)
    without_errors = [str(row.kernel) for row in found.rows if row.error == 0]
    assert len(without_errors) > 1
    assert min(map(len, without_errors)) >= len(str(found.best)) - 20
    assert "exp" not in str(found.best)
    assert "+" not in str(found.best)


def test_units_of_columns_do_not_matter():
    rows = np.random.default_rng(1).normal(size=(400, 6))
    labels = rows @ [3.0, -2.0, 1.0, 1.0, 0.0, 0.0] + np.random.default_rng(2).normal(size=400) > 0
    learner = SVM(kernel="auto", random_state=0).fit(rows * [1e-4, 1e3, 1, 1, 10, 1e5], labels)
    assert "ScaledColumns" in str(learner.kernel_)
    large = SVM(kernel="auto", random_state=0).fit(1024.0 * X, y)
    assert large.score(1024.0 * X, y) == SVM(kernel="auto", random_state=0).fit(X, y).score(X, y)


def test_sparse_rows_and_budgets():
    assert SVM(kernel="auto", random_state=0).fit(sp.csr_matrix(X), y).score(sp.csr_matrix(X), y) > 0.95
    wide = sp.random(60, 500, 0.05, format="csr", random_state=0)
    found = SVM(kernel="auto", random_state=0).fit(wide, np.arange(60) % 2).kernel_
    assert "ScaledColumns" not in str(found)
    limited = Perceptron(kernel="auto", budget=30, random_state=0).fit(X, y)
    assert limited.score(X, y) > 0.9


def test_streams_find_the_kernel_in_the_first_call():
    for learner in (SVM(kernel="auto", random_state=0), PassiveAggressive(kernel="auto", random_state=0)):
        found = learner.partial_fit(X[:100], y[:100]).kernel_
        assert learner.partial_fit(X[100:], y[100:]).kernel_ == found
    strings = PassiveAggressive(kernel="auto", random_state=0).partial_fit(WORDS, HAS_PAIR)
    found = strings.kernel_
    assert strings.partial_fit(WORDS[:1], HAS_PAIR[:1]).kernel_ == found
    with pytest.raises(ValueError, match="kernel cannot change"):
        strings.set_params(kernel="Spectrum(9)").partial_fit(WORDS, HAS_PAIR)
    with pytest.raises(ValueError, match=r"kernel='auto' is found by the first.*at least 50"):
        PassiveAggressive(kernel="auto").partial_fit(WORDS[:10], HAS_PAIR[:10])


def test_linear_data_on_a_stream_keep_their_examples():
    rows = np.random.default_rng(1).normal(size=(300, 3)) * [1.0, 1e3, 1.0]
    labels = rows[:, 0] + np.random.default_rng(2).normal(size=300) / 10 > 0
    learner = SVM(kernel="auto", random_state=0).partial_fit(rows, labels)
    assert learner.representation_.form == "dual"
    assert learner.partial_fit(rows, labels).score(rows, labels) > 0.9


@pytest.mark.slow
def test_searches_over_structures():
    search = GridSearchCV(SVM(random_state=0), {"kernel": ["auto", "Spectrum(1)"]}, cv=3)
    assert search.fit(WORDS, HAS_PAIR).best_params_ == {"kernel": "auto"}
    assert cross_val_score(SVM(kernel="auto", random_state=0), RECORDS, HAS_PAIR, cv=3).mean() > 0.8


def test_tables_with_words_are_records():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"word": WORDS, "age": np.arange(80) % 9, "half": np.arange(80) % 2})
    learner = SVM(kernel="auto", random_state=0).fit(frame, np.arange(80) % 2)
    assert "half" in str(learner.kernel_)
    assert learner.score(frame, np.arange(80) % 2) == 1.0
    numbers = SVM(kernel="auto", random_state=0).fit(frame[["age", "half"]], np.arange(80) % 2)
    assert numbers.kernel_.domain == "vectors"
    assert list(numbers.feature_names_in_) == ["age", "half"]


NUMBERS = np.random.default_rng(3).normal(size=100)
IS_HIGH = NUMBERS > 0
OTHER = ["".join(np.random.default_rng(n).choice([*"abcdef"], 3)) for n in range(100)]
DATES = (np.datetime64("2024-05-01T12:00", "ms") + (NUMBERS * 1e9).astype("m8[ms]")).astype(object).tolist()
GAPS = {
    "numbers": [np.nan if n % 20 == 3 else number for n, number in enumerate(NUMBERS)],
    "dates": [None if n % 20 == 3 else date for n, date in enumerate(DATES)],
    "categories": [None if n % 20 == 3 else "yes" if is_high else "no" for n, is_high in enumerate(IS_HIGH)],
}


@pytest.mark.parametrize("content", GAPS)
def test_fields_with_missing_values_and_dates_are_never_dropped(content):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    columns = {"a": GAPS[content], "word": OTHER}
    frame = pandas.DataFrame(columns)
    learner = SVM(kernel="auto", random_state=0).fit(frame[:60], IS_HIGH[:60])
    assert "On('a'" in str(learner.kernel_)
    known = np.arange(60, 100) % 20 != 3
    assert (learner.predict(frame[60:]) == IS_HIGH[60:])[known].mean() > 0.9
    rows = list(zip(GAPS[content], OTHER, strict=True))
    for other in (
        polars.DataFrame(columns),
        frame.to_dict("records"),
        frame.convert_dtypes(),
        np.array(rows, [("a", object), ("word", "U5")]),
    ):
        assert fields_of(other) == fields_of(frame)
        np.testing.assert_array_equal(learner.predict(other), learner.predict(frame))


def test_missing_values_that_come_later_are_named():
    learner = SVM(kernel="auto", random_state=0)
    learner.fit([{"a": a, "word": word} for a, word in zip(NUMBERS, OTHER, strict=True)], IS_HIGH)
    with pytest.raises(ValueError, match=r"X\[1\] holds nan in the field 'a'.*fill it, drop the record"):
        learner.predict([{"a": 1.0, "word": "x"}, {"a": np.nan, "word": "y"}])


@pytest.mark.parametrize(
    ("field", "match"),
    [
        ([1.0] * 30 + ["plus"] + [2.0] * 69, r"field 'odd': X\[30\] is a text where X\[0\] is a number"),
        ([None, *[1.5] * 50, np.inf, *[2.0] * 48], r"field 'odd': X contains infinity \(row 51"),
        ([object()] * 100, r"field 'odd': X\[0\] holds <object"),
        ([{"x": 1}] * 100, "field 'odd': X\\[0\\] holds a record"),
        ([None, *["(S a)", "(S b)"] * 49, "(S c)"], r"field 'odd': X\[0\] holds none of the trees"),
    ],
    ids=["mixed", "infinite", "objects", "records", "trees"],
)
def test_fields_that_cannot_be_compared_are_named(field, match):
    records = [{"word": word, "odd": value} for word, value in zip(OTHER, field, strict=True)]
    with pytest.raises((TypeError, ValueError), match=match):
        SVM(kernel="auto").fit(records, IS_HIGH)
    with pytest.raises((TypeError, ValueError), match=match):
        propose(records, IS_HIGH)
    assert propose(
        records, IS_HIGH, kernels=["On('word', Spectrum(1))"]
    ).rows  # it does not look at that field


def test_records_that_lack_a_field_are_named():
    records = [{"word": word} for word in OTHER]
    records[7]["age"] = 3.0
    with pytest.raises(ValueError, match=r"X\[0\] has no field 'age'"):
        SVM(kernel="auto").fit(records, IS_HIGH)


def test_fields_are_told_with_the_reason(capsys):
    records = [
        {"a": a, "word": word, "same": 1, "none": None} for a, word in zip(NUMBERS, OTHER, strict=True)
    ]
    said = (
        "Fields compared: a (numbers). Left out: word (strings, no fewer errors with it), none (missing in "
        "all records), same (the same in all records)."
    )
    assert propose(records, IS_HIGH).fields == said
    SVM(kernel="auto", random_state=0, verbose=1).fit(records, IS_HIGH)
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("kernel", ["linear", "auto"])
def test_what_is_not_a_number_is_named_by_row_and_column(kernel):
    table = np.array([[1.0, 2.0], [3.0, "plus"], [2.0, 1.0]], object)
    with pytest.raises(ValueError, match=r"X\[1\] holds 'plus' in column 1, which is not a number"):
        SVM(kernel=kernel).fit(table, [0, 1, 0])
    if kernel == "linear":
        import pandas as pd

        with pytest.raises(ValueError, match=r"X\[1\] holds 'plus' in the column 'charge'"):
            SVM(kernel=kernel).fit(pd.DataFrame(table, columns=["mass", "charge"]), [0, 1, 0])


def test_columns_that_do_not_vary_and_huge_ones():
    for rows in (np.zeros((30, 2)), np.ones((30, 2)), 1e100 * generator.normal(size=(30, 2))):
        learner = SVM(kernel="auto", random_state=0).fit(rows, np.arange(30) % 2)
        assert np.isfinite(learner.decision_function(rows)).all()


def test_little_data_find_something():
    for examples, labels in STRUCTURES.values():
        some = [np.flatnonzero(labels == label)[:2] for label in np.unique(labels)]
        rows = np.concatenate(some)
        few = examples[rows] if isinstance(examples, np.ndarray) else [examples[row] for row in rows]
        assert SVM(kernel="auto", random_state=0).fit(few, labels[rows]).score(few, labels[rows]) > 0.4


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        ([], "no examples that tell"),
        ([[], []], "no examples that tell"),
        (["a", 3.0], r"X\[1\] is a number or a row of numbers where X\[0\] is a text"),
        ([{"a": 1.0}, ([(0, 1)], 2)], r"X\[1\] is a graph where X\[0\] is a record"),
        ([{"a": None}, {"a": None}], "no field holds"),
        ([{"a": 1.0}, {"b": 1.0}], r"X\[1\] has no field 'a'; it has 'b'"),
        ("GATTACA", "give a sequence of examples"),
    ],
)
def test_what_is_no_collection_of_one_kind_is_refused(examples, message):
    with pytest.raises((TypeError, ValueError), match=message):
        SVM(kernel="auto").fit(examples, ["no", "yes"][: len(examples)])


def test_auto_stands_alone():
    with pytest.raises(ValueError, match="'auto' stands alone"):
        SVM(kernel="auto + Linear()").fit(X, y)
    with pytest.raises(ValueError, match="found when a learner is fitted"):
        parse(" auto ")(X)
    with pytest.raises(ValueError, match=r"kernels\.propose"):
        diagnose("auto", X, y)
    with pytest.raises(ValueError, match="leave it out"):
        propose(X, y, kernels=["auto"])
    with pytest.raises(ValueError, match="one label each"):
        ManyTasks(Perceptron(kernel="auto")).fit(X, np.where(np.c_[y == 0, y == 1], 1, -1))
    with pytest.raises(ValueError, match="Arow needs these: it keeps a variance"):
        Arow(kernel="auto").fit(X, y)
    with pytest.raises(ValueError, match="no parameter 'sigma'"):
        SVM(kernel="auto").set_params(kernel__sigma=2.0)


def test_normalised_kernels_cost_10_and_old_files_1(tmp_path):
    assert SVM(kernel="Spectrum(2).normalized()").fit(WORDS, HAS_PAIR).learner_.space.C == 10.0
    assert SVM(kernel="0.05 * Spectrum(2)").fit(WORDS, HAS_PAIR).learner_.space.C == 1.0
    assert SVM(kernel="0.05 * Spectrum(2)", C=3.0).fit(WORDS, HAS_PAIR).learner_.space.C is None
    learner = SVM(kernel="Spectrum(2).normalized()", random_state=0).fit(WORDS, HAS_PAIR).learner_
    contents = learner.state()
    assert contents.header["C_"] == 10.0
    assert type(learner).restore(contents)._rule_of(learner.method) == learner.model.rule
    del contents.header["C_"]  # as versions wrote it that gave such kernels a C of 1
    assert type(learner).restore(contents)._rule_of(learner.method)[0] == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("size", [1e3, 1e9, 1e15])
@pytest.mark.parametrize("form", [{}, {"budget": 100}, {"representation": "Nystrom(100)"}], ids=str)
def test_one_outlier_ruins_no_gaussian(form, size):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1200, 4)) * [1.0, 1000.0, 1.0, 1.0]
    y = X[:, 0] * X[:, 1] > 0
    far, rows = X.copy(), slice(0, 700)
    far[17, 0] = far[900, 2] = size  # where it is learned from, and where it is predicted
    make = PassiveAggressive(kernel="gaussian", random_state=0, **form)
    clean = make.fit(X[rows], y[rows]).score(X[700:], y[700:])
    assert clone(make).fit(far[rows], y[rows]).score(far[700:], y[700:]) > clean - 0.03 > 0.85
