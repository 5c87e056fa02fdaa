import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kerneltron import Hasher, PassiveAggressive, Perceptron, load, save
from kerneltron.features import Scaler
from kerneltron.scaling.column_scaler import ABSENT_IS_UNKNOWN, ColumnScaler, joined
from tests.oracle.running_scales import counted as counted_by_book
from tests.oracle.scaling import scaled

ROWS = st.lists(
    st.lists(st.none() | st.integers(-4, 4).map(float), min_size=3, max_size=3), min_size=1, max_size=12
)


def matrix(rows, dtype=np.float64):
    """Return rows as a CSR matrix that holds all that is not None, zeros too."""
    there = [(i, j, x) for i, row in enumerate(rows) for j, x in enumerate(row) if x is not None]
    i, j, x = zip(*there, strict=True) if there else ((), (), ())
    starts = np.searchsorted(np.array(i), np.arange(len(rows) + 1))
    return sp.csr_matrix((np.array(x, dtype), np.array(j, np.int32), starts), shape=(len(rows), 3))


@settings(deadline=None)  # the first example compiles
@given(ROWS, st.sampled_from(["zero", "missing"]), st.booleans(), st.data())
def test_each_row_is_scaled_as_the_book_says(rows, absent, divides, data):
    weights = data.draw(st.lists(st.sampled_from([0.0, 1.0, 2.5]), min_size=len(rows), max_size=len(rows)))
    if not any(weights):
        weights[0] = 1.0
    scaler = Scaler(absent=absent, with_std=divides, robust=False)
    found = scaler.partial_fit_transform(matrix(rows), sample_weight=weights)
    for i, row in enumerate(rows):
        known = scaled(rows[: i + 1], weights[: i + 1], absent, absent == "missing", divides)
        for j, x in enumerate(row):
            if x is not None:
                centre, factor = known[j]
                assert found[i, j] == pytest.approx(float((x - centre) * factor), abs=1e-9)
    known = scaled(rows, weights, absent, absent == "missing", divides)
    assert_allclose(1.0 / scaler.scale_, np.array([float(f) for _, f in known]), rtol=1e-9)


@settings(deadline=None)
@given(ROWS, st.integers(0, 12), st.sampled_from(["zero", "missing"]))
def test_how_rows_are_cut_into_calls_does_not_change_a_bit(rows, cut, absent):
    X = matrix(rows)
    whole, parts = Scaler(absent=absent).fit(X), Scaler(absent=absent)
    for part in (X[:cut], X[cut:]):
        if part.shape[0]:
            parts.partial_fit(part)
    assert_array_equal(whole.transform(X).toarray(), parts.transform(X).toarray())
    assert whole.n_samples_seen_ == parts.n_samples_seen_ == len(rows)


@settings(deadline=None)
@given(st.lists(ROWS, min_size=1, max_size=4))
def test_moments_of_parts_are_those_of_all_rows(parts):
    exact = ABSENT_IS_UNKNOWN._replace(is_robust=False)
    whole, each = ColumnScaler(3, exact), [ColumnScaler(3, exact) for _ in parts]
    for rows, scaler in zip(parts, each, strict=True):
        whole.count(matrix(rows))
        scaler.count(matrix(rows))
    found, whole = joined(each).moments, whole.moments
    assert found.total == whole.total
    assert_array_equal(found.weights, whole.weights)
    assert_allclose(found.means, whole.means, atol=1e-12)
    assert_allclose(found.squares, whole.squares, atol=1e-9)


@pytest.mark.slow
@settings(deadline=None)
@given(ROWS, ROWS, ROWS)
def test_rows_of_a_base_count_once(common, left, right):
    def counted(*pieces):
        scaler = ColumnScaler(3, ABSENT_IS_UNKNOWN._replace(is_robust=False))
        for rows in pieces:
            scaler.count(matrix(rows))
        return scaler

    found = joined([counted(common, left), counted(common, right)], counted(common)).moments
    whole = counted(common, left, right).moments
    assert_array_equal(found.weights, whole.weights)
    assert_allclose(found.means, whole.means, atol=1e-9)
    assert_allclose(found.squares, whole.squares, atol=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_it_agrees_with_scikit_learn_on_wines(dtype):
    X = load_wine().data.astype(dtype)
    mine, theirs = Scaler(robust=False), StandardScaler()
    for part in np.array_split(X, 7):
        mine.partial_fit(part)
        theirs.partial_fit(part)
    for name in ("mean_", "var_", "scale_", "n_samples_seen_"):
        assert_allclose(
            getattr(mine, name), getattr(theirs, name), rtol=1e-5 if dtype is np.float32 else 1e-12
        )
    assert mine.transform(X).dtype == dtype
    assert_allclose(mine.transform(X), theirs.transform(X), atol=1e-4 if dtype is np.float32 else 1e-9)
    assert_allclose(mine.inverse_transform(mine.transform(X)), X, rtol=1e-4 if dtype is np.float32 else 1e-9)
    sparse = sp.csr_matrix(np.where(np.median(X, axis=0) < X, X, 0))
    mine, theirs = Scaler(robust=False).fit(sparse), StandardScaler(with_mean=False).fit(sparse)
    assert_allclose(mine.var_, theirs.var_, rtol=1e-4)
    assert_allclose(mine.transform(sparse).toarray(), theirs.transform(sparse).toarray(), rtol=1e-4)


@pytest.mark.parametrize("size", [1e3, 1e15])
@pytest.mark.parametrize("place", [0, 1, 2, 100])
def test_an_outlier_counts_as_the_book_says_and_no_more(size, place):
    X = load_wine().data.copy()
    X[place] = size * np.where(np.arange(13) % 2, 1.0, -1.0)
    scaler, clean = Scaler().fit(X), Scaler(robust=False).fit(load_wine().data)
    assert (scaler.scale_ < 2.1 * clean.scale_).all()
    if place >= 2:  # of the first two entries, the larger one leaves few digits of the other
        entries = counted_by_book(X)  # which has no zeros
        assert_allclose(scaler.mean_, [np.mean(column) for column in entries], rtol=1e-9)
        assert_allclose(scaler.var_, [np.var(column) for column in entries], rtol=1e-9)


@pytest.mark.parametrize(("offset", "dtype"), [(1e8, np.float64), (1e12, np.float64), (1e4, np.float32)])
def test_a_large_mean_costs_no_digits(offset, dtype):
    rng = np.random.default_rng(0)
    X = (offset + rng.normal(size=(5000, 2))).astype(dtype)
    deviation = X.astype(np.longdouble).std(axis=0)
    scaler = Scaler(robust=False)
    for part in np.array_split(X, 50):
        scaler.partial_fit(part)
    assert_allclose(scaler.scale_, deviation.astype(float), rtol=1e-6 + 1e-17 * offset)
    assert_allclose(scaler.transform(X).std(axis=0), 1.0, atol=1e-3)
    assert abs(scaler.transform(X.astype(np.float64)).mean()) < 1e-15 * offset + 1e-6


def test_the_unit_of_a_column_does_not_matter():
    X = load_wine().data
    units = 10.0 ** np.arange(-6, 7)
    one, other = Scaler().partial_fit_transform(X), Scaler().partial_fit_transform(X * units)
    assert_allclose(one, other, rtol=1e-9, atol=1e-9)


def test_a_weight_of_two_is_a_row_twice():
    X, weight = load_wine().data, np.random.default_rng(0).integers(0, 4, 178)
    weighted = Scaler(robust=False).fit(X, sample_weight=weight)
    repeated = Scaler(robust=False).fit(np.repeat(X, weight, axis=0))
    assert_allclose(weighted.transform(X), repeated.transform(X), rtol=1e-9, atol=1e-9)
    assert weighted.n_samples_seen_ == repeated.n_samples_seen_ == weight.sum()


def test_constant_columns_and_a_first_row_are_not_divided():
    assert_array_equal(Scaler().fit_transform([[3.0, 1e8], [3.0, 1e8]]), [[0.0, 0.0], [0.0, 0.0]])
    assert_array_equal(Scaler(with_mean=False).fit_transform([[3.0], [3.0]]), [[3.0], [3.0]])
    assert_array_equal(Scaler().partial_fit_transform([[0.1, -7.0]]), [[0.0, 0.0]])


def test_words_stay_as_they_are_and_numbers_are_scaled():
    rows = [{"text": "cheap pills", "price": 3000.0}, {"text": "cheap talk", "price": 1000.0}]
    X = Hasher(bits=10).fit_transform(rows)
    found = Scaler(absent="missing").fit_transform(X)
    price = Hasher(bits=10).transform([{"price": 1.0}]).indices[0]
    others = np.setdiff1d(np.unique(X.indices), price)
    assert_array_equal(found[:, others].toarray(), X[:, others].toarray())
    assert_allclose(np.abs(found[:, price].toarray()), 1.0)
    assert found.nnz == X.nnz


def test_what_cannot_be_scaled_is_refused_and_nothing_is_counted():
    scaler = Scaler().fit([[1.0, 2.0], [2.0, 4.0]])
    for X, why in (
        ([[np.nan, 1.0]], r"NaN \(row 0, column 0\)"),
        ([[1.0, np.inf]], "infinity"),
        ([[1e200, 1.0]], "beyond"),
        (sp.csr_matrix([[1.0, 0.0]]), "cannot be centred"),
        ([[1.0]], "features"),
        (np.empty((0, 2)), "0 sample"),
        ([["a", "b"]], "could not convert"),
    ):
        for call in (scaler.partial_fit, scaler.partial_fit_transform):
            with pytest.raises(ValueError, match=why):
                call(X)
    assert scaler.n_samples_seen_ == 2
    with pytest.raises(ValueError, match="cannot be centred"):
        Scaler(with_mean=True).fit(sp.csr_matrix([[1.0]]))
    with pytest.raises(ValueError, match="with_mean='yes' is not known"):
        Scaler(with_mean="yes").fit([[1.0]])
    with pytest.raises(ValueError, match="absent='none' is not known"):
        Scaler(absent="none").fit([[1.0]])


def test_repeated_and_unsorted_entries_are_summed():
    X = sp.csr_matrix((np.array([1.0, 2.0, 4.0]), np.array([1, 0, 1]), np.array([0, 3])), shape=(1, 2))
    assert_array_equal(Scaler().fit(X).mean_, [2.0, 5.0])


def test_names_of_columns_go_through():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"price": [1.0, 2.0], "size": [3.0, 5.0]})
    assert Scaler().fit(frame).get_feature_names_out().tolist() == ["price", "size"]


@pytest.mark.parametrize("steps", [[Scaler()], [Hasher(bits=8), Scaler(absent="missing")]])
def test_pipelines_are_saved_and_go_on(tmp_path, steps):
    wines = load_wine()
    X = wines.data
    if len(steps) > 1:
        X = [dict(zip(wines.feature_names, row, strict=True)) for row in X.tolist()]
    pipeline = make_pipeline(*steps, PassiveAggressive(random_state=0)).fit(X, wines.target)
    save(pipeline, tmp_path / "wine.model")
    loaded = load(tmp_path / "wine.model")
    assert [name for name, _ in loaded.steps] == [name for name, _ in pipeline.steps]
    assert_array_equal(loaded.decision_function(X), pipeline.decision_function(X))
    assert loaded.score(X, wines.target) > 0.95
    rows = steps[0].transform(X[:50]) if len(steps) > 1 else X[:50]
    one, other = pipeline[-2].partial_fit(rows), loaded[-2].partial_fit(rows)
    assert np.abs(one.transform(rows[:5]) - other.transform(rows[:5])).max() == 0.0


def test_scalers_are_saved_and_go_on(tmp_path):
    X = load_wine().data
    for number, scaler in enumerate((Scaler(with_mean=False), Scaler())):
        path = tmp_path / f"{number}.model"
        scaler.fit(X[:90])
        save(scaler, path)
        loaded = load(path)
        assert loaded.get_params() == scaler.get_params()
        assert_array_equal(loaded.partial_fit(X[90:]).transform(X), scaler.partial_fit(X[90:]).transform(X))


def test_a_pipeline_of_something_else_is_refused(tmp_path):
    with pytest.raises(TypeError, match="Pipeline cannot be saved"):
        save(make_pipeline(Scaler(), Scaler(), Perceptron()), tmp_path / "twice.model")


def test_parameters_that_are_set_later_do_not_change_what_is_saved(tmp_path):
    X = load_wine().data
    scaler = Scaler().fit(X).set_params(robust=False, with_std=False, unit_rows=True)
    save(scaler, tmp_path / "a.model")
    assert_array_equal(load(tmp_path / "a.model").transform(X), scaler.transform(X))


def test_rows_of_length_1_have_lost_theirs():
    with pytest.raises(ValueError, match="use `unit_rows=False`"):
        Scaler(unit_rows=True).fit(np.eye(3)).inverse_transform(np.eye(3))
