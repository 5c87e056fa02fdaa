"""The machine as its users meet it: going on, warm starts, files, searches, callbacks, errors in words."""

import pickle
from threading import Thread

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks

from kerneltron import SVM, ManyTasks, load, save
from kerneltron.kernels import FromFunction, Gaussian, On, Spectrum, SubsetTrees, WeisfeilerLehman

generator = np.random.default_rng(0)
X = generator.normal(size=(60, 3))
NOISY = X[:, 0] + 0.5 * generator.normal(size=60)
y = (NOISY > 0).astype(int)
THREE = np.digitize(NOISY, [-0.5, 0.5])
Z = generator.normal(size=(20, 3))
STRINGS = ["".join(generator.choice([*("ACGT", "AACG", "GGTA")[label]], 12)) for label in THREE]
TREES = [f"(S (NP {s[0]}) (VP (V {s[1]}) (NP {s[2]} {s[3]})))" for s in STRINGS]
GRAPHS = [(np.stack([np.arange(11), np.arange(1, 12)], axis=1), [*string]) for string in STRINGS]
RECORDS = [{"text": string, "size": float(x)} for string, x in zip(STRINGS, NOISY, strict=True)]
STRUCTURED = {
    Spectrum(2).normalized(): STRINGS,
    SubsetTrees(0.5).normalized(): TREES,
    WeisfeilerLehman(2).normalized(): GRAPHS,
    On("text", Spectrum(3).normalized()) + On("size", Gaussian(1.0)): RECORDS,
}


def machine(**options):
    return SVM(**{"kernel": Gaussian(1.0), "random_state": 0} | options)


def saved(learner, path, **options):
    save(learner, path, **options)
    return path.read_bytes()


def tight(**options):
    return machine(**{"tol": 1e-5, "passes": 5000} | options)


# -- going on ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("fits_first", [False, True])
@pytest.mark.parametrize("labels", [y, THREE], ids=["two", "three"])
def test_to_go_on_after_a_file_equals_never_having_stopped(fits_first, labels, tmp_path):
    learner = machine(tol=1e-8, passes=3) if fits_first else machine(tol=1e-8)
    if fits_first:
        with pytest.warns(ConvergenceWarning):
            learner.fit(X[:30], labels[:30])
    else:
        learner.partial_fit(X[:30], labels[:30])
    saved(learner, tmp_path / "a.model")
    again = load(tmp_path / "a.model")
    for part in (slice(30, 45), slice(45, 60)):
        for one in (learner, again):  # single precision is too little for tol, which is none of a stream's
            one.partial_fit(X[part].astype(np.float32), labels[part])
    assert saved(learner, tmp_path / "b.model") == saved(again, tmp_path / "c.model")
    assert learner.decision_function(Z).tobytes() == again.decision_function(Z).tobytes()


def test_a_warm_start_from_a_file_equals_one_from_memory(tmp_path):
    learner = machine(warm_start=True, C=0.5).fit(X, THREE)
    saved(learner, tmp_path / "a.model")
    again = load(tmp_path / "a.model")
    for one in (learner, again):
        one.set_params(C=2.0).fit(X, THREE)
    assert saved(learner, tmp_path / "b.model") == saved(again, tmp_path / "c.model")
    saved(learner, tmp_path / "d.model", resumable=False)
    only_predicts = load(tmp_path / "d.model")
    for one in (learner, only_predicts):
        one.set_params(C=1.0).fit(X, THREE)
    np.testing.assert_allclose(only_predicts.decision_function(Z), learner.decision_function(Z), atol=1e-9)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("other", [{"C": 0.2}, {"C": 4.0}, {"class_weight": {0: 2.0}}, {"tol": 1e-6}])
def test_a_warm_start_reaches_the_optimum_of_a_cold_one(loss, other):
    warm = tight(loss=loss, warm_start=True).fit(X, y).set_params(**other).fit(X, y)
    cold = tight(loss=loss).set_params(**other).fit(X, y)
    assert np.isclose(warm.objective_[-1], cold.objective_[-1], rtol=2e-5)
    np.testing.assert_allclose(warm.decision_function(Z), cold.decision_function(Z), atol=0.02)


def test_a_warm_start_at_the_optimum_stays_there():
    learner = machine(warm_start=True, tol=1e-4, passes=1000).fit(X, THREE)
    support, coefficients, gap = learner.support_, learner.dual_coef_, learner.gap_
    assert gap.size > 5
    learner.fit(X, THREE)
    assert learner.gap_.size == learner.mistakes_.size == 1
    assert np.isclose(learner.gap_[0], gap[-1], rtol=2e-5)
    np.testing.assert_array_equal(learner.support_, support)
    np.testing.assert_array_equal(learner.dual_coef_, coefficients)
    with pytest.warns(ConvergenceWarning):
        half = machine(warm_start=True, tol=1e-4, passes=5).fit(X, THREE)
    fewer = half.set_params(passes=1000).fit(X, THREE).gap_.size
    assert fewer < gap.size
    cold = half.set_params(warm_start=False).fit(X, THREE)
    assert saved_coefficients(cold) == saved_coefficients(machine(tol=1e-4, passes=1000).fit(X, THREE))


def saved_coefficients(learner):
    return learner.support_.tolist(), learner.dual_coef_.tobytes()


def test_a_warm_start_takes_other_labels_and_what_a_stream_has_left():
    other = np.where(np.arange(60) % 5, y, 1 - y)
    learner = tight(warm_start=True, C=0.5).fit(X, y).fit(X, other)
    assert np.isclose(learner.objective_[-1], tight(C=0.5).fit(X, other).objective_[-1], rtol=2e-5)
    stream = tight(warm_start=True, C=0.5).partial_fit(X[:20], y[:20]).partial_fit(X[20:], y[20:])
    with pytest.raises(AttributeError, match="gap_"):
        stream.gap_  # noqa: B018
    stream.fit(X, y)
    assert np.isclose(stream.objective_[-1], tight(C=0.5).fit(X, y).objective_[-1], rtol=2e-5)
    assert stream.gap_[-1] <= 1e-5


@pytest.mark.parametrize(
    ("change", "data", "message"),
    [
        ({}, (X[:50], y[:50]), "there were 60 and are 50 now: use `warm_start=False`"),
        ({}, (X, y + 1), "goes on with the same classes: use `warm_start=False`"),
        ({"kernel": Gaussian(2.0)}, (X, y), "goes on in the same kernel and form: use `warm_start=False`"),
        ({"fit_intercept": False}, (X, y), "use `warm_start=False`"),
    ],
    ids=["examples", "classes", "kernel", "intercept"],
)
def test_a_warm_start_that_makes_no_sense_is_refused_and_changes_nothing(change, data, message):
    learner = machine(warm_start=True).fit(X, y)
    before = learner.decision_function(Z)
    learner.set_params(**change)
    with pytest.raises(ValueError, match=message):
        learner.fit(*data)
    np.testing.assert_array_equal(learner.set_params(kernel=Gaussian(1.0)).decision_function(Z), before)
    learner.set_params(**change, warm_start=False).fit(*data)


def test_a_class_may_come_late():
    learner = machine().partial_fit(X[:40], y[:40])
    with pytest.warns(UserWarning, match="2"):
        learner.partial_fit(X[40:], np.where(np.arange(20) % 4, y[40:], 2))
    assert learner.classes_.tolist() == [0, 1, 2]
    assert np.isfinite(learner.decision_function(Z)).all()
    scores = machine().partial_fit_predict(X, THREE)
    assert scores.shape == (60, 3)
    assert not np.nan_to_num(scores[0]).any()


# -- files, copies, searches -------------------------------------------------------------------------


@pytest.mark.parametrize("labels", [y, THREE], ids=["two", "three"])
def test_files_pickles_and_clones(labels, tmp_path):
    learner = machine(C=2.0).fit(X, labels)
    scores = learner.decision_function(Z)
    for resumable in (True, False):
        saved(learner, tmp_path / "a.model", resumable=resumable)
        again = load(tmp_path / "a.model")
        np.testing.assert_allclose(again.decision_function(Z), scores, atol=1e-12)
        np.testing.assert_array_equal(again.gap_, learner.gap_)
        np.testing.assert_array_equal(again.support_, learner.support_)
    with pytest.raises(ValueError, match="prediction only"):
        again.partial_fit(X, labels)
    copied = pickle.loads(pickle.dumps(learner))
    np.testing.assert_array_equal(copied.decision_function(Z), scores)
    assert len(pickle.dumps(learner)) < len(pickle.dumps(learner.fit(X, labels))) + 100
    assert saved_coefficients(clone(learner).fit(X, labels)) == saved_coefficients(learner)
    assert saved(copied, tmp_path / "b.model") == saved(learner, tmp_path / "c.model")


def test_nothing_as_long_as_the_data_stays_behind():
    sizes = [
        sum(value.nbytes for value in vars(fitted.model_).values() if isinstance(value, np.ndarray))
        for fitted in (machine().fit(X, y), machine().fit(np.repeat(X, 20, axis=0), np.repeat(y, 20)))
    ]
    assert sizes[0] == sizes[1] == 0


@pytest.mark.slow
def test_searches_calibration_and_pipelines():
    search = GridSearchCV(machine(), {"C": [1e-3, 1.0], "kernel__sigma": [1.0, 50.0]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.7
    assert search.best_estimator_.kernel_.sigma == search.best_params_["kernel__sigma"]
    calibrated = CalibratedClassifierCV(machine(), cv=3).fit(X, THREE)
    np.testing.assert_allclose(calibrated.predict_proba(Z).sum(axis=1), 1)
    pipeline = make_pipeline(StandardScaler(), machine()).fit(100 * X, y)
    alone = machine().fit(pipeline[0].transform(100 * X), y)
    np.testing.assert_array_equal(pipeline.predict(100 * Z), alone.predict(pipeline[0].transform(100 * Z)))
    matrix = Gaussian(1.0)(X)
    given = GridSearchCV(SVM(kernel="precomputed", random_state=0), {"C": [1e-3, 1.0]}, cv=3).fit(matrix, y)
    assert given.best_score_ > 0.7


class Scores(SVM):
    """A machine that has scores alone: probabilities follow from parts of the examples, drawn at random."""

    @property
    def predict_proba(self):
        raise AttributeError("predict_proba")


@pytest.mark.parametrize("layout", ["dense", "sparse"])
def test_the_checks_of_scikit_learn_find_that_a_weight_is_a_repetition(layout):
    # Scores differ by sqrt(2 gap q): they ask for nine digits, which the squared hinge cannot promise.
    check = getattr(estimator_checks, f"check_sample_weight_equivalence_on_{layout}_data")
    check("SVM", Scores(**machine(tol=1e-12, passes=20_000).get_params(deep=False)))


@pytest.mark.slow
@pytest.mark.parametrize(("k", "examples"), STRUCTURED.items(), ids=[repr(k) for k in STRUCTURED])
def test_strings_trees_graphs_and_records(k, examples, tmp_path):
    learner = SVM(kernel=k, C=1.0, random_state=0, tol=1e-6, passes=5000).fit(examples, THREE)
    assert learner.gap_[-1] <= 1e-6
    matrix = SVM(kernel="precomputed", C=1.0, random_state=0, tol=1e-6, passes=5000).fit(k(examples), THREE)
    assert np.isclose(learner.objective_[-1], matrix.objective_[-1], rtol=1e-5)
    np.testing.assert_allclose(
        learner.decision_function(examples), matrix.decision_function(k(examples)), atol=0.02
    )
    saved(learner, tmp_path / "a.model")
    scores = load(tmp_path / "a.model").decision_function(examples[:9])
    np.testing.assert_array_equal(scores, learner.decision_function(examples[:9]))


def test_tasks_stop_by_the_same_gap():
    Y = np.stack([np.where(c == THREE, 1, -1) for c in range(3)], axis=1)
    reports = []
    options = {"callback": lambda tasks, report: reports.append(report)}
    tasks = ManyTasks(machine(**options)).fit(X, Y)
    assert reports[-1].gap <= 0.01 < reports[-2].gap
    learner = machine().fit(X, THREE)
    assert np.isclose(reports[-1].objective, learner.objective_[-1], rtol=0.02)
    assert (tasks.predict(X) == Y).mean() > 0.8


# -- watching ----------------------------------------------------------------------------------------


def test_a_callback_sees_the_gap_and_may_predict_save_and_stop(tmp_path):
    seen = []

    def watch(learner, report):
        scores = learner.decision_function(Z)
        saved(learner, tmp_path / "a.model")
        np.testing.assert_allclose(load(tmp_path / "a.model").decision_function(Z), scores, atol=1e-12)
        assert report.gap == (report.objective - report.dual_objective) / report.objective
        assert learner.gap_.size == learner.mistakes_.size == report.number
        seen.append(report)
        return report.number == 4

    learner = machine(tol=1e-6, callback=watch).fit(X, THREE)
    assert [report.number for report in seen] == [1, 2, 3, 4]
    for name in ("gap", "objective", "dual_objective"):
        np.testing.assert_array_equal(getattr(learner, f"{name}_"), [getattr(each, name) for each in seen])
    assert learner.objective_[0] > learner.objective_[-1] > learner.dual_objective_[-1]
    silent = machine(tol=1e-3).fit(X, THREE)
    watched = machine(tol=1e-3, callback=lambda one, report: saved(one, tmp_path / "b.model") and None)
    assert saved_coefficients(watched.fit(X, THREE)) == saved_coefficients(silent)


def test_a_warning_carries_the_gap_that_was_reached():
    with pytest.warns(ConvergenceWarning, match=r"kerneltron\.kernels\.check") as caught:
        learner = machine(tol=1e-6, passes=2).fit(X, y)
    assert f"the relative duality gap is {learner.gap_[-1]:.2g} after 2 passes" in str(caught[0].message)
    assert caught[0].filename == __file__
    assert learner.gap_.size == learner.objective_.size == learner.dual_objective_.size == 2


def test_an_interrupted_fit_leaves_the_learner_as_it_was():
    learner = machine(warm_start=True).fit(X, y)
    before = saved_coefficients(learner), learner.gap_.tobytes()

    def interrupt(one, report):
        if report.number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learner.set_params(callback=interrupt, tol=1e-6).fit(X, y)
    assert (saved_coefficients(learner), learner.gap_.tobytes()) == before
    learner.set_params(callback=None, tol=0.01).fit(X, y)
    assert (saved_coefficients(learner)) == before[0]


def test_threads_predict_while_another_machine_is_fitted():
    fitted = machine().fit(X, y)
    expected, wrong = fitted.decision_function(Z), []

    def predict():
        for _ in range(50):
            wrong.extend([1] * (not np.array_equal(fitted.decision_function(Z), expected)))

    threads = [Thread(target=predict) for _ in range(2)]
    for thread in threads:
        thread.start()
    learner = machine(tol=1e-4, passes=1000).fit(X, y)
    for thread in threads:
        thread.join()
    assert not wrong
    assert saved_coefficients(learner) == saved_coefficients(machine(tol=1e-4, passes=1000).fit(X, y))


# -- bad input ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"C": 0}, "C=0 must be finite, greater than 0"),
        ({"C": -1.0}, "C=-1.0 must be"),
        ({"C": np.inf}, "C=inf must be finite"),
        ({"C": np.nan}, "C=nan must be finite"),
        ({"tol": 0}, "tol=0 must be finite, greater than 0, less than 1"),
        ({"tol": 1.0}, "tol=1.0 must be"),
        ({"tol": 1e-17}, "tol=1e-17 is below what float64 can tell"),
        ({"loss": "logistic"}, "loss='logistic' is not known"),
        ({"C": 1e308}, "beyond what float64 can hold: C is too large"),
        ({"class_weight": {0: 0, 1: 0}}, "weight 0: there is nothing to learn from"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        machine(**options).fit(X, y)


def test_single_precision_has_a_least_tolerance():
    with pytest.raises(ValueError, match="tol=1e-08 is below what float32 can tell, 1e-06"):
        machine(tol=1e-8).fit(X.astype(np.float32), y)


@pytest.mark.parametrize(
    ("examples", "labels", "message"),
    [
        (X, np.zeros(60), "one class only"),
        (X[:0], y[:0], "0 sample"),
        (np.where(X > 2, np.nan, X), y, "NaN"),
        (X, None, "y"),
        (X, y[:50], "inconsistent"),
    ],
)
def test_data_that_make_no_sense_are_refused(examples, labels, message):
    with pytest.raises(ValueError, match=message):
        machine().fit(examples, labels)


def indefinite(seed):
    """A symmetric matrix that is no Gram matrix, though its diagonal looks like one."""
    matrix = np.random.default_rng(seed).normal(size=(60, 60))
    matrix += matrix.T
    np.fill_diagonal(matrix, 1.0)
    return matrix


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("C", [1e-3, 1.0, 1000.0])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_what_is_not_positive_semi_definite_ends_in_words(loss, C, fit_intercept):
    options = {"loss": loss, "C": C, "fit_intercept": fit_intercept, "random_state": 0, "passes": 50}
    learner = SVM(kernel="precomputed", **options)
    if C < 1:  # ||w||^2 is then positive where all coefficients are at their bounds
        assert learner.fit(indefinite(0), y).gap_[-1] <= 0.01
        assert np.isfinite(learner.decision_function(indefinite(0))).all()
        return
    with pytest.raises((ValueError, ConvergenceWarning), match=r"kerneltron\.kernels\.check"):
        learner.fit(indefinite(0), y)


def test_a_function_that_is_not_a_kernel_is_named():
    with pytest.raises(ValueError, match=r"not positive semi-definite.*kerneltron\.kernels\.check"):
        SVM(kernel=FromFunction(lambda a, b: float(np.abs(a - b).sum()))).fit([*X], y)


def test_much_working_memory_is_not_used_up_and_little_is_refused():
    wide = np.hstack([X] * 30)
    learner = machine(working_memory=1e9).fit(wide, y)
    assert saved_coefficients(learner) == saved_coefficients(machine().fit(wide, y))
    with pytest.raises(ValueError, match="working_memory=1"):
        machine(working_memory=1).fit(X, y)
