"""Bad input: an error that names the parameter or the row and the remedy, and a model that is unchanged."""

import numpy as np
import pandas
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from kerneltron import LogisticRegression, Mira, PassiveAggressive, Pegasos, Perceptron, Romma, Winnow

X = np.abs(np.random.default_rng(0).normal(size=(12, 4)))
y = np.array([0, 1, 2] * 4)
EVERY = [Perceptron(), PassiveAggressive(), Romma(), Mira(), LogisticRegression(), Pegasos(), Winnow()]


def changed(array, value, place):
    array = array.copy()
    array[place] = value
    return array


BAD_DATA = {
    "NaN": (changed(X, np.nan, (3, 1)), y, r"X contains NaN \(row 3, column 1\).*Imputer"),
    "infinity": (changed(X, -np.inf, (7, 2)), y, r"X contains infinity \(row 7, column 2\)"),
    "sparse NaN": (sp.csr_matrix(changed(X, np.nan, (3, 1))), y, r"NaN \(row 3, column 1\)"),
    "one dimension": (X[0], y[:4], "Expected 2D array"),
    "lengths": (X, y[:5], "inconsistent numbers of samples"),
    "no rows": (X[:0], y[:0], "0 sample"),
    "no columns": (X[:, :0], y, r"0 feature\(s\)"),
    "one class": (X, np.zeros(12), "one class only, .*0.0.*partial_fit"),
    "mixed labels": (X, ["a", 1] * 6, r"mixes text and numbers \(text in row 0, a number in row 1\)"),
    "mixed object labels": (X, np.array(["a", 1] * 6, object), "mixes text and numbers"),
    "two columns of labels": (X, np.column_stack([y, y]), "1d array"),
    "numbers that are no labels": (X, X[:, 0], "Unknown label type: continuous"),
    "missing label": (X, changed(y.astype(float), np.nan, 2), "y holds NaN in row 2"),
    "None among labels": (X, [None, "a", "b"] * 4, "y holds None in row 0"),
    "no labels": (X, None, "requires y"),
    "text features": (np.full((12, 2), "x"), y, "could not convert string"),
}


@pytest.mark.parametrize("name", BAD_DATA)
@pytest.mark.parametrize("learner", EVERY, ids=str)
def test_bad_data_is_refused_and_changes_nothing(learner, name):
    bad_X, bad_y, message = BAD_DATA[name]
    fitted = clone(learner).set_params(random_state=0).fit(X, y)
    before = fitted.coef_.tobytes()
    with pytest.raises(ValueError, match=message):
        fitted.fit(bad_X, bad_y)
    if name != "one class":
        with pytest.raises(ValueError, match=r"X has \d+ features|" + message):
            fitted.partial_fit(bad_X, bad_y)
    assert fitted.coef_.tobytes() == before
    assert fitted.n_features_in_ == 4
    assert fitted.classes_.tolist() == [0, 1, 2]
    assert len(fitted.predict(X)) == 12


@pytest.mark.parametrize(
    ("missing", "name"),
    [
        (np.nan, "nan"),
        (None, "None"),
        (pandas.NA, "<NA>"),
        (pandas.NaT, "NaT"),
        (np.datetime64("NaT"), "NaT"),
    ],
)
@pytest.mark.parametrize("call", ["fit", "partial_fit"])
def test_a_missing_label_is_named_with_its_row(missing, name, call):
    told = f"^y holds {name} in row 2: drop the rows without a label.$"
    for labels in (["a", "b", missing], np.array(["a", "b", missing], object), [1, 2, missing]):
        with pytest.raises(ValueError, match=told):
            getattr(Perceptron(), call)(X[:3], labels)
    dates = np.array(["2020-01-01", "2020-01-02", "NaT"], "M8[D]")
    with pytest.raises(ValueError, match=r"^y holds NaT in row 2: drop"):
        getattr(Perceptron(), call)(X[:3], dates)


@pytest.mark.parametrize("text", ["nan", ""])
def test_text_that_stands_for_a_missing_label_is_a_class_with_a_warning(text):
    labels = np.array(["a", "b", text])  # NumPy makes 'nan' of NaN beside text
    for call in ("fit", "partial_fit"):
        with pytest.warns(UserWarning, match=f"y holds the text {text!r}.* missing label") as warned:
            learner = getattr(Perceptron(), call)(X[:3], labels)
        assert warned[0].filename == __file__
        assert text in learner.classes_
    learner.partial_fit(X[:3], labels)
    Perceptron().partial_fit(X[:3], labels, classes=["a", "b", text])


@pytest.mark.parametrize("learner", EVERY, ids=str)
def test_predicting_wrongly(learner):
    new = clone(learner)
    for call in (new.predict, new.decision_function):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            call(X)
    with pytest.raises(AttributeError, match="not fitted yet"):
        new.coef_  # noqa: B018
    fitted = new.fit(X, y)
    with pytest.raises(ValueError, match=r"X has 3 features, but .* is expecting 4"):
        fitted.predict(X[:, :3])
    with pytest.raises(ValueError, match=r"X contains NaN \(row 0, column 0\)"):
        fitted.predict(X * np.nan)
    with pytest.raises(ValueError, match="X has 5 features"):
        fitted.partial_fit(np.ones((2, 5)), [0, 1])


@pytest.mark.parametrize("make", [lambda X: X, sp.csr_matrix])
def test_winnow_refuses_negative_values(make):
    with pytest.raises(ValueError, match=r"Negative values .* -1.0 in row 5, column 2.*MinMaxScaler"):
        Winnow().fit(make(changed(X, -1.0, (5, 2))), y)
    fitted = Winnow().fit(X, y)
    with pytest.raises(ValueError, match="Negative values"):
        fitted.predict(make(-X))


BAD_PARAMETERS = [
    (Perceptron(hypothesis="mean"), ValueError, r"hypothesis='mean' is not known. Choose one of 'auto', 'av"),
    (Perceptron(passes=0), ValueError, "passes=0 must be finite, greater than 0"),
    (Perceptron(passes=np.inf), ValueError, "passes=inf must be finite"),
    (Perceptron(passes=1e308), ValueError, "passes=1e\\+308 must be finite, greater than 0, at most 1e\\+15"),
    (Perceptron(margin=10**400), ValueError, "must be finite, at least 0"),
    (Perceptron(learning_rate=np.inf), ValueError, "learning_rate=inf must be finite"),
    (Perceptron(class_weight="auto"), ValueError, "class_weight='auto' must be None, 'balanced' or a dict"),
    (Perceptron(class_weight=[1, 2, 3]), ValueError, "class_weight=.* must be None"),
    (Perceptron(early_stopping=True, passes=5), ValueError, "validation_fraction=0.1 of 12 rows.*more rows"),
    (Perceptron(passes=np.nan), ValueError, "passes=nan"),
    (Perceptron(passes="3"), TypeError, "passes='3' is not a number"),
    (Perceptron(learning_rate=-1), ValueError, "learning_rate=-1 must be finite, greater than 0"),
    (Perceptron(margin=-1), ValueError, "margin=-1 must be finite, at least 0"),
    (Perceptron(init_scale=-1), ValueError, "init_scale=-1 must be finite, at least 0"),
    (Perceptron(patience=0), ValueError, "patience=0"),
    (Perceptron(validation_fraction=1.0), ValueError, "validation_fraction=1.0 must be .* less than 1"),
    (Perceptron(early_stopping=True), ValueError, "Early stopping chooses among passes: .*passes=50"),
    (Perceptron(callback=3), TypeError, "callback=3 cannot be called"),
    (
        PassiveAggressive(variant="III"),
        ValueError,
        "variant='III' is not known. Choose one of '0', 'I'",
    ),
    (PassiveAggressive(C=0), ValueError, "C=0 must be greater than 0"),
    (PassiveAggressive(variant="0", class_weight={0: 0.5, 1: 1, 2: 1}), ValueError, "class_weight holds 0.5"),
    (Perceptron(class_weight={0: -1, 1: 1, 2: 1}), ValueError, "class_weight=.* at least 0"),
    (Perceptron(class_weight={7: 1}), ValueError, "not in class_weight"),
    (Mira(C=-1), ValueError, "C=-1"),
    (Mira(hypothesis="vote"), ValueError, "vote.*MIRA.*average"),
    (LogisticRegression(hypothesis="vote"), ValueError, "vote.*every example.*average"),
    (LogisticRegression(schedule="magic"), ValueError, "schedule='magic' is not known"),
    (LogisticRegression(l2=-1), ValueError, "l2=-1 must be finite, at least 0"),
    (
        LogisticRegression(learning_rate=np.inf),
        ValueError,
        "learning_rate=inf belongs to `schedule='inverse'`",
    ),
    (Pegasos(l2=0, learning_rate=np.inf), ValueError, "learning_rate=inf belongs to .* l2 > 0"),
    (Pegasos(schedule="constant", learning_rate=10, l2=1), ValueError, "keep it below 1"),
    (Winnow(promotion=1), ValueError, "promotion=1 must be finite, greater than 1"),
    (Winnow(demotion=1), ValueError, "demotion=1 must be .* less than 1"),
    (Winnow(hypothesis="vote"), ValueError, "vote.*multiplies"),
]


@pytest.mark.parametrize(("learner", "kind", "message"), BAD_PARAMETERS, ids=lambda value: str(value)[:60])
def test_bad_parameters(learner, kind, message):
    with pytest.raises(kind, match=message):
        learner.fit(X, y)


def test_bad_weights():
    for weight, message in (
        (np.ones(5), r"shape \(5,\), but X has 12 rows"),
        (changed(np.ones(12), -1, 3), r"sample_weight\[3\] is -1.0"),
        (changed(np.ones(12), np.nan, 3), r"sample_weight\[3\] is nan"),
        (np.zeros(12), "zero for every row"),
    ):
        with pytest.raises(ValueError, match=message):
            Perceptron().fit(X, y, sample_weight=weight)
    with pytest.raises(ValueError, match="one class only"):
        Perceptron().fit(X, y, sample_weight=(y == 1).astype(float))
    for learner in (Romma(), PassiveAggressive(variant="0")):
        with pytest.raises(ValueError, match=r"sample_weight holds 0.5, .* repairs an example at once"):
            learner.fit(X, y, sample_weight=np.full(12, 0.5))


def test_streams_refuse_what_needs_all_data():
    with pytest.raises(ValueError, match=r"class_weight='balanced' needs all labels.*class_weight={0: 1"):
        Perceptron(class_weight="balanced").partial_fit(X, y)
    with pytest.raises(ValueError, match="early_stopping needs several passes"):
        Perceptron(early_stopping=True, passes=5).partial_fit(X, y)
    with pytest.raises(ValueError, match=r"y holds .*2.*not among classes=\[0, 1\]"):
        Perceptron().partial_fit(X, y, classes=[0, 1])
    learner = Perceptron().partial_fit(X, y)
    with pytest.raises(ValueError, match="y holds text, but earlier labels were numbers"):
        learner.partial_fit(X, ["a", "b", "c"] * 4)
    assert learner.classes_.tolist() == [0, 1, 2]


def test_unknown_names():
    with pytest.raises(TypeError, match="margn"):
        Perceptron(margn=1)
    with pytest.raises(ValueError, match="Invalid parameter 'margn'"):
        Perceptron().set_params(margn=1)
    import kerneltron

    with pytest.raises(AttributeError, match="no attribute 'Perceptrn'"):
        kerneltron.Perceptrn  # noqa: B018
    assert "Perceptron" in dir(kerneltron)


def test_extreme_numbers_stay_finite():
    huge = np.array([[1e150, 1.0], [-1e150, 1.0], [1e-150, 0.0], [0.0, 0.0]])
    labels = np.array([0, 1, 0, 1])
    for learner in EVERY[:-1]:
        fitted = clone(learner).set_params(passes=3, random_state=0).fit(huge, labels)
        assert np.isfinite(fitted.coef_).all(), learner
    fitted = Winnow(passes=3, balanced=True).fit(
        np.array([[1100.0, 1], [1, 1100], [1100, 2], [2, 1100]]), labels
    )
    assert np.isfinite(fitted.coef_).all()
    assert np.isfinite(fitted.decision_function(X[:, :2])).all()


@pytest.mark.parametrize("damage", ["indices", "negative", "indptr"])
def test_damaged_sparse_matrices_are_refused(damage):
    bad = sp.csr_matrix(X)
    if damage == "indices":
        bad.indices[5] = 1_000_000
    elif damage == "negative":
        bad.indices[0] = -7
    else:
        bad.indptr[3], bad.indptr[4] = bad.indptr[4], bad.indptr[3]
    with pytest.raises(ValueError, match="damaged"):
        Perceptron().fit(bad, y)
    fitted = Perceptron().fit(X, y)
    with pytest.raises(ValueError, match="damaged"):
        fitted.partial_fit(bad, y)


def test_of_data_frames_the_column_is_named():
    frame = pandas.DataFrame(changed(X, np.nan, (3, 1)), columns=list("abcd"))
    with pytest.raises(ValueError, match=r"X contains NaN \(row 3, column 'b'\)"):
        Perceptron().fit(frame, y)
    with pytest.raises(ValueError, match="y holds NaN in row 2"):
        Perceptron().fit(X, pandas.DataFrame({"y": changed(y.astype(float), np.nan, 2)}))
    with pytest.raises(ValueError, match="y is masked in row 2"):
        Perceptron().fit(X, np.ma.masked_array(y, mask=np.arange(12) == 2))


def test_rows_at_odd_addresses_and_of_either_name_of_this_byte_order():
    at_odd = np.frombuffer(b"-" + X.tobytes(), np.float64, X.size, 1).reshape(X.shape)
    turned = X.astype(">f8")
    by_name = turned.byteswap().view(turned.dtype.newbyteorder())
    assert not at_odd.flags.aligned
    for make in (Perceptron, Mira, lambda **more: PassiveAggressive(kernel="Gaussian(2)", **more)):
        learner = make(random_state=0).fit(X, y)
        for same in (at_odd, by_name):
            other = make(random_state=0).fit(same, y)
            np.testing.assert_array_equal(other.decision_function(same), learner.decision_function(X))
            np.testing.assert_array_equal(other.predictor().predict(by_name), learner.predict(X))
