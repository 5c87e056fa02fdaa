"""kernel="gaussian": asked for and found are kept apart, through fits, streams, maps, files and searches."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kerneltron import SVM, LogisticRegression, ManyTasks, PassiveAggressive, Perceptron, load
from kerneltron.features import RandomFourier
from kerneltron.kernels import Gaussian, Linear, ScaledColumns, propose_sigma
from kerneltron.models.budgets import POLICIES

X, y = load_wine(return_X_y=True)
ORDER = np.random.default_rng(0).permutation(len(y))
X, y = X[ORDER], y[ORDER]


def test_raw_columns_are_scaled_where_that_is_better():
    learner = SVM(kernel="gaussian", random_state=0).fit(X[:120], y[:120])
    assert learner.kernel == "gaussian"
    assert learner.get_params()["kernel"] == "gaussian"
    assert isinstance(learner.kernel_.over, ScaledColumns)
    assert learner.score(X[120:], y[120:]) > 0.94
    plain = SVM(kernel=Gaussian(propose_sigma(X)), random_state=0).fit(X[:120], y[:120])
    assert plain.score(X[120:], y[120:]) < 0.8


def test_what_was_found_is_what_would_have_been_given():
    found = SVM(kernel=Gaussian("auto"), random_state=0).fit(X, y)
    given = SVM(kernel=found.kernel_, random_state=0).fit(X, y)
    assert (found.decision_function(X) == given.decision_function(X)).all()
    again = clone(found).fit(X, y)
    assert again.kernel_ == found.kernel_
    assert clone(found).kernel == Gaussian("auto")


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"representation": "RandomFourier(200)"},
        {"representation": "Nystrom(60)"},
        {"budget": 40},
        {"budget": 40, "when_full": "merge"},
        {"kernel": "Gaussian('auto') + Polynomial(2)"},
        {"delta": "auto"},
    ],
    ids=str,
)
def test_files_hold_both(parameters, tmp_path):
    asked = {"kernel": "gaussian", "random_state": 0, "passes": 3} | parameters
    learner = Perceptron(**asked).fit(X, y)
    learner.save(tmp_path / "model")
    other = load(tmp_path / "model")
    assert other.kernel == asked["kernel"]
    assert other.kernel_ == learner.kernel_
    assert (other.decision_function(X) == learner.decision_function(X)).all()
    if not parameters.get("delta"):
        assert (
            other.partial_fit(X, y).decision_function(X) == learner.partial_fit(X, y).decision_function(X)
        ).all()


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("layout", [np.asarray, sp.csr_array])
def test_budgets_scale_columns_as_the_exact_form_does(name, layout, tmp_path, capsys):
    """As if the rows had been scaled before, mistake for mistake; so do files that go on."""
    options = {"budget": 12, "when_full": name, "passes": 2, "random_state": 0}
    options |= {"sketch": "RandomFourier(20)"} if name == "sketch" else {}
    learner = PassiveAggressive(kernel="gaussian", verbose=1, **options).fit(layout(X[:120]), y[:120])
    kernel = learner.kernel_
    assert isinstance(kernel.over, ScaledColumns)
    exact = PassiveAggressive(kernel="gaussian", random_state=0).fit(layout(X[:120]), y[:120])
    assert kernel == exact.kernel_
    assert "divides columns by their standard deviation, found by all 120" in capsys.readouterr().err
    before = layout(X[:120] * kernel.over.factors)
    scaled = PassiveAggressive(kernel=Gaussian(kernel.sigma), **options).fit(before, y[:120])
    assert learner.mistakes_.tolist() == scaled.mistakes_.tolist()
    expected = scaled.decision_function(layout(X * kernel.over.factors))
    np.testing.assert_allclose(learner.decision_function(layout(X)), expected, rtol=1e-6, atol=1e-6)
    learner.save(tmp_path / "model")
    other = load(tmp_path / "model")
    for each in (other, learner):
        each.partial_fit(layout(X[120:]), y[120:])
    np.testing.assert_array_equal(other.decision_function(X), learner.decision_function(X))


def test_a_stream_with_a_budget_is_scaled_by_its_first_rows(capsys):
    learner = Perceptron(kernel="gaussian", budget=40, random_state=0, verbose=1)
    kernel = learner.partial_fit(X[:60], y[:60]).kernel_
    np.testing.assert_allclose(kernel.over.factors, 1 / X[:60].std(axis=0))
    assert "found by the first 60 examples" in capsys.readouterr().err
    assert learner.partial_fit(X[60:120], y[60:120]).kernel_ == kernel
    assert learner.score(X[120:], y[120:]) > 0.85


def test_streams_find_the_width_in_the_first_call():
    learner = PassiveAggressive(kernel="gaussian", random_state=0).partial_fit(X[:100], y[:100])
    found = learner.kernel_
    learner.partial_fit(X[100:101], y[100:101])
    assert learner.kernel_ == found
    assert learner.set_params(kernel=found).partial_fit(X[101:], y[101:]).kernel_ == found
    with pytest.raises(ValueError, match="kernel cannot change"):
        learner.set_params(kernel="Gaussian(7.5)").partial_fit(X, y)


@pytest.mark.parametrize("rows", [slice(0, 20), np.flatnonzero(y == 1)])
def test_streams_that_begin_with_too_few_are_refused(rows):
    with pytest.raises(ValueError, match=r"at least 50 of two classes or more.*Gaussian\(2\.0\)"):
        Perceptron(kernel="gaussian").partial_fit(X[rows], y[rows], classes=[0, 1, 2])


def test_weights_of_0_do_not_exist():
    weight = np.where(np.arange(len(y)) < 100, 1.0, 0.0)
    noisy = X.copy()
    noisy[100:] *= 1e6
    with_weights = SVM(kernel="gaussian", random_state=0).fit(noisy, y, sample_weight=weight)
    assert with_weights.kernel_ == SVM(kernel="gaussian", random_state=0).fit(X[:100], y[:100]).kernel_


def test_pipelines_searches_and_sparse_rows():
    pipeline = make_pipeline(StandardScaler(), SVM(kernel="gaussian", random_state=0))
    assert pipeline.fit(X, y).score(X, y) > 0.97
    iris = load_iris(return_X_y=True)
    search = GridSearchCV(SVM(random_state=0), {"kernel": ["Gaussian(9)", "gaussian"], "C": [1, 10]}, cv=3)
    assert search.fit(*iris).best_score_ > 0.95
    sparse = SVM(kernel="gaussian", random_state=0).fit(sp.csr_matrix(X), y)
    assert sparse.score(sp.csr_matrix(X), y) > 0.97
    single = SVM(kernel="gaussian", random_state=0).fit(X.astype(np.float32), y)
    assert single.score(X.astype(np.float32), y) > 0.97


def test_a_part_of_the_kernel_can_be_set():
    learner = SVM(kernel="gaussian", random_state=0).set_params(kernel__over=Linear())
    assert learner.fit(X, y).kernel_.over == Linear()
    assert learner.set_params(kernel__sigma=3.0).fit(X, y).kernel_ == Gaussian(3.0, over=Linear())


def test_little_data_find_something():
    learner = SVM(kernel="gaussian", random_state=0).fit([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], [0, 1, 1])
    assert learner.kernel_.sigma > 0
    same = SVM(kernel="gaussian", random_state=0).fit(np.ones((4, 2)), [0, 1, 0, 1])
    assert same.kernel_.sigma > 0


def test_who_has_no_single_labels_is_told():
    with pytest.raises(ValueError, match="one label each"):
        ManyTasks(Perceptron(kernel="gaussian")).fit(X, np.where(np.c_[y == 0, y == 1], 1, -1))
    with pytest.raises(ValueError, match="a map does not see"):
        RandomFourier(kernel="gaussian", n_components=10).fit(X)


def test_the_cost_depends_on_the_kernel():
    method = SVM(kernel="gaussian")._method()
    assert (method.C, method.cost) == ("auto", 10.0)
    assert SVM()._method().cost == 1.0
    assert SVM(kernel="gaussian", C=3)._method().cost == 3.0
    with pytest.raises(ValueError, match="C=0 must be"):
        SVM(C=0).fit(X, y)
    with pytest.raises((TypeError, ValueError), match="C='large'"):
        SVM(C="large").fit(X, y)


def test_learners_with_features_only_say_so():
    with pytest.raises(ValueError, match="features that can be listed"):
        LogisticRegression(kernel="gaussian", representation="primal", random_state=0).fit(X, y)
