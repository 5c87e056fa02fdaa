"""Model files: what is saved comes back, predicts the same, and learns on as if nothing had been."""

import json
import os
import stat
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

import kerneltron
from kerneltron import (
    Hasher,
    LogisticRegression,
    ManyTasks,
    Mira,
    PassiveAggressive,
    Pegasos,
    Perceptron,
    Romma,
    Winnow,
    load,
    save,
)
from kerneltron.engine.machine.shipped import path_of_code
from kerneltron.features import RandomFourier, Scaler
from kerneltron.files.format import Contents, read, write
from kerneltron.kernels import (
    AllSubsets,
    Conjunctions,
    Constant,
    FromFunction,
    Gaussian,
    Linear,
    MonotoneConjunctions,
    Polynomial,
    QuadraticForm,
)
from kerneltron.learning.learner import Learner
from tests.strategies import LAYOUTS

GOLDEN = Path(__file__).parents[1] / "golden"
GENERATOR = np.random.default_rng(0)
X = np.abs(np.round(GENERATOR.normal(size=(150, 4)), 2))
X[::7, 1] = 0
BOOLEANS = (X > 0.7).astype(float)
y = (X[:, 0] * X[:, 1] > X[:, 2] * X[:, 3]).astype(int) + (X[:, 2] > 1)
EVERY = [Perceptron, PassiveAggressive, Romma, Mira, LogisticRegression, Pegasos, Winnow]
HYPOTHESES = ("last", "average", "random", "vote")
FORM = QuadraticForm(np.diag([1.0, 2.0, 0.0, 0.5]) + 0.25)
SPACES = {
    "primal": {},
    "mapped": {"kernel": "Polynomial(2)", "representation": "primal"},
    "dual": {"kernel": Gaussian(1.0) + 0.5 * Polynomial(2).normalized() + FORM, "representation": "dual"},
}


def allowed(learner, hypothesis, space):
    if learner is Winnow and space != "primal":
        return False
    return not (hypothesis == "vote" and learner.method_type.refuses_moves)


COMBINATIONS = [
    pytest.param(learner, hypothesis, space, id=f"{learner.__name__}-{hypothesis}-{space}")
    for learner in EVERY
    for hypothesis in HYPOTHESES
    for space in SPACES
    if allowed(learner, hypothesis, space)
]


def new(learner, hypothesis, space):
    return learner(hypothesis=hypothesis, random_state=3, **({} if learner is Winnow else SPACES[space]))


def saved(thing, folder, name="some.model", resumable=True):
    path = folder / name
    save(thing, path, resumable)
    return path


def scores(learner, rows=X):
    return learner.decision_function(rows).tobytes()


@pytest.mark.parametrize(("learner", "hypothesis", "space"), COMBINATIONS)
def test_a_learner_goes_on_after_loading_as_if_it_had_never_been_saved(learner, hypothesis, space, tmp_path):
    first = new(learner, hypothesis, space).fit(X[:60], y[:60])
    first.partial_fit(X[60:80], y[60:80])
    second = load(saved(first, tmp_path))
    assert type(second) is type(first)
    assert second.get_params(deep=False) == first.get_params(deep=False)
    assert scores(first) == scores(second)
    before = [one.partial_fit_predict(X[80:120], y[80:120]).tobytes() for one in (first, second)]
    assert before[0] == before[1]
    for one in (first, second):
        one.partial_fit(X[120:], y[120:])
    assert scores(first) == scores(second)
    files = [saved(one, tmp_path, name).read_bytes() for one, name in ((first, "a"), (second, "b"))]
    assert files[0] == files[1]


@pytest.mark.parametrize(("learner", "hypothesis", "space"), COMBINATIONS)
def test_a_file_for_prediction_predicts_the_same_and_learns_no_more(learner, hypothesis, space, tmp_path):
    first = new(learner, hypothesis, space).fit(X[:100], y[:100])
    path = saved(first, tmp_path, resumable=False)
    assert read(path).header["model_"]["purpose"] == "predict"
    second = load(path)
    assert scores(first) == scores(second)
    assert second.predict(X).tolist() == first.predict(X).tolist()
    assert second.n_updates_ == first.n_updates_
    for labels in (y, y + 5):
        with pytest.raises(ValueError, match=r"for prediction only .*resumable=True"):
            second.partial_fit(X, labels)
    with pytest.raises(ValueError, match="for prediction only"):
        second.save(tmp_path / "again.model")
    assert saved(second, tmp_path, "again.model", resumable=False).read_bytes() == path.read_bytes()
    assert scores(first) == scores(second)
    second.fit(X, y)
    assert second.save(path) is None


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("hypothesis", ["average", "vote"])
def test_every_layout_of_rows_comes_back(hypothesis, space, layout, tmp_path):
    rows = LAYOUTS[layout](X)
    first = new(Perceptron, hypothesis, space).fit(rows[:80], y[:80])
    second = load(saved(first, tmp_path))
    smaller = load(saved(first, tmp_path, resumable=False))
    assert scores(first, rows) == scores(second, rows) == scores(smaller, rows)
    for one in (first, second):
        one.partial_fit(rows[80:], y[80:])
    assert scores(first, rows) == scores(second, rows)


def test_rows_whose_entries_stand_in_no_order_come_back_as_they_are(tmp_path):
    rows = sp.csr_matrix(X)
    for start, end in zip(rows.indptr[:-1], rows.indptr[1:], strict=True):
        rows.indices[start:end], rows.data[start:end] = (
            rows.indices[start:end][::-1].copy(),
            rows.data[start:end][::-1].copy(),
        )
    rows.has_sorted_indices = False
    first = Perceptron(kernel="Gaussian(1)", random_state=0).fit(rows, y)
    assert scores(first) == scores(load(saved(first, tmp_path)))


def test_a_prediction_only_dual_file_holds_the_examples_that_have_coefficients(tmp_path):
    # The second label of a row undoes what the first one did.
    learner = Perceptron(kernel="Gaussian(1)", hypothesis="last", fit_intercept=False, margin=10.0)
    learner.partial_fit(X[:20], y[:20] > 0)
    model = learner.model_
    model.learned.state.weights.v[:5] = 0.0
    model.forget_vectors()
    contents = read(saved(learner, tmp_path, resumable=False))
    assert contents.tensors["model_.vectors"].shape == (15, 1)
    assert contents.tensors["model_.memory.pack0.part0.rows"].shape[0] <= 15
    again = load(tmp_path / "some.model")
    assert scores(again) == scores(learner)
    assert again.support_.tolist() == learner.support_.tolist() == list(range(5, 20))


KERNELS = {
    "subsets": (AllSubsets(2) + Linear().exp(), X),
    "series": (Linear().polynomial([1, 0.5, 2]) * Gaussian(3.0, over=Polynomial(2)), X),
    "normalized": ((Polynomial(3) * Linear() + Constant(2)).normalized(), X),
    "form": (FORM, X),
    "normalized form": (FORM.normalized() ** 2 + Linear(), X),
    "conjunctions": (Conjunctions() + MonotoneConjunctions(2), BOOLEANS),
    "normalized conjunctions": (Conjunctions().normalized(), BOOLEANS),
}


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("form", ["dual", "primal"])
def test_every_kernel_is_learned_with_after_loading(name, form, tmp_path):
    kernel, rows = KERNELS[name]
    if form == "primal" and kernel.feature_map(rows.shape[1]) is None:
        return
    for matrix in (rows, sp.csr_matrix(rows.astype(np.float32))):
        first = Perceptron(kernel=kernel, representation=form, random_state=0).fit(matrix[:60], y[:60])
        second = load(saved(first, tmp_path))
        assert second.kernel == second.kernel_ == kernel
        for one in (first, second):
            one.partial_fit(matrix[60:], y[60:])
        assert scores(first, matrix) == scores(second, matrix)


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_and_their_feature_maps_are_saved_alone(name, tmp_path):
    kernel, rows = KERNELS[name]
    path = saved(kernel, tmp_path)
    assert load(path) == kernel
    assert load(path)(rows).tobytes() == kernel(rows).tobytes()
    phi = kernel.feature_map(rows.shape[1])
    if phi is not None:
        again = load(saved(phi, tmp_path))
        assert again(rows).tobytes() == phi(rows).tobytes()
        assert list(again.features()) == list(phi.features())


def test_the_root_of_a_quadratic_form_is_the_one_that_was_learned_with(tmp_path, monkeypatch):
    learner = Perceptron(kernel=FORM, representation="dual", random_state=0).fit(X, y)
    mapped = Perceptron(kernel=FORM, representation="primal", random_state=0).fit(X, y)
    paths = saved(learner, tmp_path, "dual"), saved(mapped, tmp_path, "mapped")
    eigh = np.linalg.eigh

    def other_machine(A):
        values, directions = eigh(A)
        return values, -directions * np.array([1, -1, 1, -1])

    monkeypatch.setattr(np.linalg, "eigh", other_machine)
    for one, path in zip((learner, mapped), paths, strict=True):
        assert scores(load(path)) == scores(one)


def test_a_precomputed_kernel_is_saved_with_the_places_of_its_examples(tmp_path):
    gram = Gaussian(1.0)(X[:80])
    first = Perceptron(kernel="precomputed", random_state=0).fit(gram, y[:80])
    new_rows = Gaussian(1.0)(X[80:], X[:80])
    for resumable in (True, False):
        again = load(saved(first, tmp_path, resumable=resumable))
        assert scores(first, new_rows) == scores(again, new_rows)


@pytest.mark.parametrize(
    "kernel",
    [
        FromFunction(lambda x, z: float(x @ z)),
        Linear().after(lambda rows: rows[:, :2], "vectors"),
        Linear().weighted(lambda rows: rows[:, 0]) + Gaussian(1.0),
    ],
)
def test_a_kernel_with_a_python_function_says_that_it_cannot_be_saved(kernel, tmp_path):
    learner = Perceptron(kernel=kernel, random_state=0)
    for thing in (kernel, learner, learner.fit(X, y)):
        with pytest.raises(ValueError, match=r"cannot be saved: it holds a Python function"):
            save(thing, tmp_path / "some.model")
    assert list(tmp_path.iterdir()) == []


LABELS = {
    "text": np.array(["ham", "spam", "żółw"])[y % 3],
    "wide text": np.array(["ham", "spam"], "U300")[y % 2],
    "bytes": np.array([b"ham", b"sp\xe9m"])[y % 2],
    "objects": np.array(["a", "b\ud800", ""], dtype=object)[y % 3],
    "truths": y > 0,
    "small": (y - 1).astype(np.int8),
    "unsigned": y.astype(np.uint64) + np.uint64(2**63),
    "floats": (y % 2).astype(np.float32) - 0.0,
    "negative": -1 - y,
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_keep_their_values_and_their_type(name, tmp_path):
    labels = LABELS[name]
    learner = Perceptron(random_state=0)
    with pytest.warns(UserWarning, match="y holds the text ''") if name == "objects" else nullcontext():
        learner.partial_fit(X, labels)
    again = load(saved(learner, tmp_path))
    assert again.classes_.tolist() == learner.classes_.tolist()
    assert again.classes_.dtype == learner.classes_.dtype or name == "wide text"
    assert again.predict(X).tolist() == learner.predict(X).tolist()
    assert again.partial_fit(X, labels).classes_.tolist() == learner.classes_.tolist()


def test_all_that_fit_leaves_behind_comes_back(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=["a", "b", "c", "żółw"])
    learner = Perceptron(
        early_stopping=True,
        passes=12,
        random_state=0,
        delta="auto",
        kernel=Gaussian(2.0),
        class_weight={0: 1, 1: np.float64(2.5), 2: 1},
    ).fit(frame, y)
    again = load(saved(learner, tmp_path))
    for name in ("mistakes_", "validation_scores_", "feature_names_in_", "support_", "dual_coef_"):
        np.testing.assert_array_equal(getattr(again, name), getattr(learner, name))
    for name in ("best_pass_", "n_features_in_", "delta_", "representation_", "kernel_", "n_updates_"):
        assert getattr(again, name) == getattr(learner, name)
    assert again.get_params() == learner.get_params()
    with pytest.raises(ValueError, match="feature names"):
        again.predict(frame.rename(columns={"a": "z"}))
    assert not hasattr(clone(again), "model_")


def test_a_number_of_features_beyond_64_bits_comes_back(tmp_path):
    # The number of features of this map, 2^600, is no 64-bit number.
    rows = np.tile(BOOLEANS, (1, 150))
    learner = Perceptron(kernel="MonotoneConjunctions().normalized()").fit(rows, y)
    assert load(saved(learner, tmp_path)).representation_ == learner.representation_


@pytest.mark.parametrize("learner", EVERY)
def test_a_learner_that_has_learned_nothing_is_refused_and_older_files_of_it_load(learner, tmp_path):
    one, path = learner(passes=2.5, hypothesis="last", random_state=5), tmp_path / "some.model"
    with pytest.raises(NotFittedError, match=f"This {learner.__name__} is not fitted yet: call fit first"):
        save(one, path)
    contents = Learner(one._method()).state()
    write(path, contents._replace(header={**contents.header, "kind": learner.__name__}))
    again = load(path)
    assert again.get_params() == one.get_params()
    assert scores(again.fit(X, y)) == scores(one.fit(X, y))


@pytest.mark.parametrize(
    ("thing", "unfitted"),
    [
        (ManyTasks(Perceptron()), "ManyTasks"),
        (Scaler(), "Scaler"),
        (make_pipeline(Hasher(), Perceptron()), "Perceptron"),
        (make_pipeline(Scaler().fit(X), Perceptron()), "Perceptron"),
        (make_pipeline(Scaler(), Perceptron().fit(X, y)), "Scaler"),
        (RandomFourier(), "RandomFourier"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_not_fitted_is_not_saved(thing, unfitted, tmp_path):
    with pytest.raises(NotFittedError, match=f"This {unfitted} is not fitted yet: call fit first, then save"):
        save(thing, tmp_path / "some.model")
    assert list(tmp_path.iterdir()) == []
    save(Hasher(), tmp_path / "hasher.model")  # has nothing to learn


def test_a_callback_is_left_out_and_a_random_state_becomes_none(tmp_path):
    learner = Perceptron(callback=lambda *_: False, random_state=np.random.RandomState(0)).fit(X, y)
    again = load(saved(learner, tmp_path))
    assert again.callback is None
    assert again.random_state is None
    for one in (learner, again):
        one.partial_fit(X, y)
    assert scores(again) == scores(learner)


def test_infinite_parameters_stand_in_valid_json(tmp_path):
    learner = Pegasos(l2=0.01, learning_rate=np.inf, random_state=0).fit(X, y)
    aggressive = PassiveAggressive(variant="0", C=np.inf, random_state=0).fit(X, y)
    for one in (learner, aggressive):
        path = saved(one, tmp_path)
        text = safetensors.safe_open(path, framework="numpy").metadata()["kerneltron"]
        json.loads(text, parse_constant=pytest.fail)
        assert load(path).get_params() == one.get_params()


@pytest.mark.parametrize(
    "parameters",
    [{"delta": 0.5}, {"init_scale": 0.1, "hypothesis": "vote"}, {"fit_intercept": False, "delta": 0.3}],
)
def test_delta_and_random_first_weights_come_back(parameters, tmp_path):
    first = Perceptron(random_state=0, passes=3, **parameters).fit(X[:100], y[:100])
    second = load(saved(first, tmp_path))
    for one in (first, second):
        one.partial_fit(X[100:], y[100:])
    assert scores(first) == scores(second)


@pytest.mark.parametrize("kernel", ["linear", "Gaussian(1)"])
@pytest.mark.parametrize("hypothesis", HYPOTHESES)
def test_classes_may_come_late_after_loading(hypothesis, kernel, tmp_path):
    first = Perceptron(hypothesis=hypothesis, kernel=kernel, random_state=0)
    first.partial_fit(X[:5], np.zeros(5))
    second = load(saved(first, tmp_path))
    for labels in (y[5:60] % 2, y[60:]):
        rows = X[5:60] if len(labels) == 55 else X[60:]
        for one in (first, second):
            with nullcontext() if labels.max() < 2 else pytest.warns(UserWarning, match="came late"):
                one.partial_fit(rows, labels.astype(float))
        second = load(saved(second, tmp_path))
    assert scores(first) == scores(second)


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("hypothesis", HYPOTHESES)
def test_a_callback_may_save_after_each_pass(hypothesis, space, tmp_path):
    def keep(learner, report):
        learner.save(tmp_path / f"{report.number}.model")

    learner = new(Perceptron, hypothesis, space).set_params(passes=2, callback=keep, delta=0.0).fit(X, y)
    # `mistakes_` are told of at the end, so the files are compared by what they predict.
    last = load(tmp_path / "2.model")
    np.testing.assert_allclose(last.decision_function(X), learner.decision_function(X), atol=1e-12)
    first = load(tmp_path / "1.model")
    assert first.model_.weights.clock.max() == len(y)
    assert first.partial_fit(X, y).model_.weights.clock.max() == 2 * len(y)


# -- many tasks ----------------------------------------------------------------------------------------


Y = np.column_stack([np.where(y == k, 1, -1) for k in range(3)])
Y[::5, 1] = 0
TASKS = {
    "together": ManyTasks(Perceptron(kernel=Gaussian(1.0), random_state=0)),
    "vote": ManyTasks(Perceptron(kernel=Gaussian(1.0), random_state=0, hypothesis="vote")),
    "apart": ManyTasks(LogisticRegression(random_state=0)),
    "without": ManyTasks(Perceptron(kernel="Polynomial(2)", random_state=0), exclude_own_column=True),
}


@pytest.mark.parametrize("name", TASKS)
def test_many_tasks_go_on_after_loading(name, tmp_path):
    first = clone(TASKS[name])
    first.fit(X[:60], Y[:60]).partial_fit(X[60:90], Y[60:90])
    second = load(saved(first, tmp_path))
    assert repr(second.get_params(deep=False)) == repr(first.get_params(deep=False))
    smaller = load(saved(first, tmp_path, resumable=False))
    assert scores(first) == scores(second) == scores(smaller)
    with pytest.raises(ValueError, match="for prediction only"):
        smaller.partial_fit(X, Y)
    for one in (first, second):
        one.partial_fit(X[90:], Y[90:])
    assert scores(first) == scores(second)
    np.testing.assert_array_equal(first.mistakes_, second.mistakes_)
    assert first.representation_ == second.representation_
    assert saved(first, tmp_path, "a").read_bytes() == saved(second, tmp_path, "b").read_bytes()


def test_tasks_without_labels_come_back(tmp_path):
    labels = Y.copy()
    labels[:, 2] = 0
    first = ManyTasks(LogisticRegression(random_state=0)).partial_fit(X, labels)
    second = load(saved(first, tmp_path))
    for one in (first, second):
        one.partial_fit(X, Y)
    assert scores(first) == scores(second)


# -- learners, without scikit-learn ---------------------------------------------------------------------


def test_a_learner_and_its_estimator_read_each_others_files(tmp_path):
    learner = LogisticRegression(random_state=0).fit(X, y)
    path = saved(learner, tmp_path)
    again = Learner.restore(read(path))
    assert again.scores(X).tobytes() == scores(learner)
    write(path, again.state())
    assert scores(load(path)) == scores(learner)


def test_reading_a_linear_model_needs_neither_scikit_learn_nor_scipys_matrices(tmp_path):
    learner = LogisticRegression(random_state=0).fit(X, np.array(["a", "b", "c"])[y])
    path = saved(learner, tmp_path)
    program = (
        "import sys\n"
        "from kerneltron.learning.learner import Learner\n"
        "from kerneltron.files.format import restored\n"
        "import numpy as np\n"
        "learner = restored(sys.argv[1], Learner.restore)\n"
        "print(learner.labels(learner.scores(np.ones((1, 4))))[0])\n"
        "unwanted = ('sklearn', 'scipy.sparse', 'kerneltron.estimators')\n"
        "wrong = [module for module in sys.modules if module.startswith(unwanted)]\n"
        "assert not wrong, wrong\n"
    )
    run = subprocess.run([sys.executable, "-c", program, path], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == learner.predict(np.ones((1, 4)))[0]


# -- the file ------------------------------------------------------------------------------------------


CONTENTS = Contents(
    {"b": [1, 2.5, None, "żółw\ud800"], "a": {"z": True}},
    {
        "wide": np.arange(6.0).reshape(2, 3).T,
        "narrow": np.array([1, -2], ">i2"),
        "flags": np.array([True, False]),
        "none": np.empty((0, 3), np.float32),
        "../../name": np.array([2**40]),
    },
)


def test_contents_come_back_as_they_were(tmp_path):
    write(tmp_path / "some.model", CONTENTS)
    contents = read(tmp_path / "some.model")
    written_by = {"format": 1, "library": kerneltron.__version__, "code": path_of_code()}
    assert contents.header == {**CONTENTS.header, **written_by}
    assert contents.tensors.keys() == CONTENTS.tensors.keys()
    for name, array in CONTENTS.tensors.items():
        np.testing.assert_array_equal(contents.tensors[name], array)
        assert contents.tensors[name].dtype == array.dtype.newbyteorder("=")
        assert contents.tensors[name].flags.writeable
    assert [file.name for file in tmp_path.iterdir()] == ["some.model"]


def test_the_bytes_are_those_of_the_safetensors_library_and_do_not_depend_on_the_order(tmp_path):
    write(tmp_path / "a", CONTENTS)
    other = Contents(
        dict(reversed(CONTENTS.header.items())),
        {name: np.ascontiguousarray(array) for name, array in reversed(CONTENTS.tensors.items())},
    )
    write(tmp_path / "b", other)
    raw = (tmp_path / "a").read_bytes()
    assert raw == (tmp_path / "b").read_bytes()
    with safetensors.safe_open(tmp_path / "a", framework="numpy") as file:
        metadata = file.metadata()
    assert list(metadata) == ["kerneltron"]
    tensors = {k: v.astype(v.dtype.newbyteorder("=")) for k, v in other.tensors.items()}
    assert raw == safetensors.numpy.save(tensors, metadata)


@pytest.mark.slow
def test_the_same_learner_gives_the_same_bytes_in_another_process(tmp_path):
    program = (
        "import sys, numpy as np, kerneltron\n"
        "X = np.arange(40.0).reshape(10, 4) % 7\n"
        "learner = kerneltron.Perceptron(kernel='Gaussian(2.0)', random_state=0).fit(X, np.arange(10) % 3)\n"
        "kerneltron.save(learner, sys.argv[1])\n"
    )
    paths = tmp_path / "a", tmp_path / "b"
    for number, path in enumerate(paths):
        environment = {**os.environ, "PYTHONHASHSEED": str(number)}
        subprocess.run([sys.executable, "-c", program, path], check=True, env=environment)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_new_files_follow_the_umask_and_old_ones_keep_their_permissions(tmp_path):
    path = tmp_path / "some.model"
    before = os.umask(0o027)
    try:
        write(path, CONTENTS)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o604)
        write(path, CONTENTS)
        assert stat.S_IMODE(path.stat().st_mode) == 0o604
    finally:
        os.umask(before)


def test_the_target_of_a_link_is_replaced_and_the_link_stays(tmp_path):
    (tmp_path / "folder").mkdir()
    link, target = tmp_path / "link.model", tmp_path / "folder" / "real.model"
    link.symlink_to(target)
    write(link, CONTENTS)
    write(link, Contents({"new": 1}, {}))
    assert link.is_symlink()
    assert read(target).header["new"] == 1
    assert [file.name for file in (tmp_path / "folder").iterdir()] == ["real.model"]


def test_what_is_none_of_ours_is_refused_by_name(tmp_path):
    class Mine(Perceptron):
        pass

    for thing in (Mine(), {"a": 1}, np.zeros(3), ManyTasks(Mine()).fit(X, Y)):
        with pytest.raises((TypeError, ValueError), match="cannot be saved"):
            save(thing, tmp_path / "some.model")
    assert list(tmp_path.iterdir()) == []


def test_a_parameter_that_has_no_place_in_a_file_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"class_weight=.* cannot be saved"):
        save(Perceptron().fit(X, y).set_params(class_weight={0: object()}), tmp_path / "some.model")


def test_a_model_that_has_diverged_is_not_saved(tmp_path):
    learner = Perceptron(hypothesis="last", random_state=0).fit(X, y)
    learner.model_.weights.v[0] = np.nan
    with pytest.raises(ValueError, match=r"'model_.weights.v' holds NaN or infinity: the model has diverged"):
        learner.save(tmp_path / "some.model")
    assert list(tmp_path.iterdir()) == []


# -- golden files: what was saved once must load for ever ----------------------------------------------


@pytest.mark.parametrize("case", json.loads((GOLDEN / "models.json").read_text()), ids=lambda c: c["file"])
def test_a_golden_model_predicts_what_it_always_did(case):
    learner = load(GOLDEN / case["file"])
    rows = np.array(case["rows"])
    assert type(learner).__name__ == case["learner"]
    np.testing.assert_allclose(learner.decision_function(rows), case["scores"], rtol=1e-9, atol=1e-12)
    assert learner.predict(rows).tolist() == case["labels"]
    learner.partial_fit(rows, case["labels"])
    assert learner.model_.weights.clock.max() == case["examples"] + len(rows)
