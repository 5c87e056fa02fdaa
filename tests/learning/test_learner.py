"""Learners without scikit-learn: the same as the estimators that hold one, and quick to import."""

import subprocess
import sys
from contextlib import suppress
from dataclasses import fields

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.utils import check_random_state

import kerneltron
from kerneltron._types import Visits
from kerneltron.estimators._input import data_of
from kerneltron.kernels import grammar
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import METHODS, method
from kerneltron.learning.space import STREAM
from kerneltron.learning.targets.classification import columns_for
from kerneltron.learning.weighting import class_weights
from kerneltron.models.dual import Dual
from kerneltron.models.mapped import Mapped
from kerneltron.training import windows

WIDTH = 6
ESTIMATORS = [entry.estimator for entry in METHODS.values()]


def begun(name, columns=1, dtype=np.float32, width=5, **options):
    """Return a learner that has met classes and begun, as one of a stream does."""
    learner = Learner(method(name)(**{"random_state": 3, **options}), width)
    learner.meet(np.arange(max(2, columns)))
    windows.begin(learner, dtype)
    return learner


def stream(classes=2, n=40):
    generator = np.random.default_rng(0)
    X = sp.csr_matrix(generator.integers(0, 3, (n, WIDTH)).astype(np.float32))
    return X, np.arange(n) % classes


def state(model):
    """Return all that an untrained model is made of."""
    asked = [getattr(model, name, None) for name in ("bias", "delta", "kernel", "width", "working_memory")]
    return type(model), model.rule, type(model.hypothesis), asked


def assert_equal_models(left, right):
    assert state(left) == state(right)
    for mine, other in zip(left.weights, right.weights, strict=True):
        np.testing.assert_array_equal(mine, other)
        assert mine.dtype == other.dtype


def test_a_linear_model_needs_neither_scikit_learn_nor_scipys_matrices():
    program = (
        "import sys\n"
        "from kerneltron.learning.methods import METHODS, method\n"
        "from kerneltron.learning.learner import Learner\n"
        "assert not any(m.startswith(('sklearn', 'scipy', 'numba')) for m in sys.modules)\n"
        "from kerneltron.training import windows\n"
        "for name in METHODS:\n"
        "    if name != 'svm':  # which has no streams in primal form\n"
        "        windows.meet(Learner(method(name)(random_state=0), 1000), ['a', 'b', 'c'])\n"
        "unwanted = ('sklearn', 'scipy.sparse', 'kerneltron.estimators')\n"
        "wrong = [module for module in sys.modules if module.startswith(unwanted)]\n"
        "assert not wrong, wrong\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_dual_model_needs_no_scikit_learn():
    program = (
        "import sys\n"
        "from kerneltron.learning.methods import method\n"
        "from kerneltron.training import windows\n"
        "from kerneltron.learning.learner import Learner\n"
        "windows.meet(Learner(method('perceptron')(kernel='Gaussian(2.0)'), 1000), ['a', 'b'])\n"
        "assert not any(m.startswith('sklearn') for m in sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_estimator_is_its_method_with_the_same_parameters(name):
    estimator, its_method = getattr(kerneltron, name), method(name)
    assert estimator.method_type is its_method
    defaults = {field.name: field.default for field in fields(its_method)}
    assert estimator().get_params() == defaults


def test_every_estimator_has_a_name_on_the_command_line():
    assert set(ESTIMATORS) <= set(kerneltron.__all__)
    for name, (_, estimator) in METHODS.items():
        assert method(name) is method(estimator)


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(
        ValueError, match=r"no learner 'logistc': did you mean 'logistic'\?.*perceptron.*winnow"
    ):
        method("logistc")
    with pytest.raises(ValueError, match=r"no learner 'zzz'\. Choose one of .*perceptron"):
        method("zzz")


@pytest.mark.parametrize("random_state", [0, 7, np.int64(42), 2**32 - 1])
def test_a_number_gives_the_seed_that_scikit_learn_would(random_state):
    seed = check_random_state(random_state).randint(np.iinfo(np.int32).max)
    assert method("romma")(random_state=random_state).seed() == seed


def test_a_generator_or_none_gives_another_seed_each_time():
    same = method("romma")(random_state=np.random.RandomState(1))
    assert same.seed() != same.seed()
    np.random.seed(5)  # noqa: NPY002, what scikit-learn's users do
    first = method("romma")().seed()
    np.random.seed(5)  # noqa: NPY002
    assert method("romma")().seed() == first != method("romma")().seed()


@pytest.mark.parametrize("random_state", ["abc", -1, 2**32, 1.5])
def test_what_is_no_seed_is_refused_by_name(random_state):
    with pytest.raises(ValueError, match=r"random_state=.* is not a seed: give a whole number"):
        method("romma")(random_state=random_state).seed()


OPTIONS = [
    ("Perceptron", {}),
    ("Perceptron", {"init_scale": 0.5, "hypothesis": "last", "fit_intercept": False}),
    ("Perceptron", {"hypothesis": "vote", "margin": 0.5}),
    ("Perceptron", {"kernel": "Polynomial(2)"}),
    ("Perceptron", {"kernel": "Polynomial(2)", "representation": "dual", "delta": 0.5}),
    ("Perceptron", {"delta": 0.25}),
    ("PassiveAggressive", {"variant": "II", "kernel": "Gaussian(1.5)", "hypothesis": "random"}),
    ("Romma", {"aggressive": True}),
    ("Mira", {"C": 0.5}),
    ("LogisticRegression", {}),
    ("LogisticRegression", {"kernel": "Gaussian(1.5)", "working_memory": 100}),
    ("Pegasos", {"l2": 0.01}),
    ("Winnow", {"balanced": True}),
]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_a_stream_begins_as_partial_fit_does(name, options, classes):
    X, y = stream(classes)
    theirs = Learner(getattr(kerneltron, name)(random_state=3, **options)._method(), WIDTH)
    theirs.meet(y)
    theirs.begin(data_of(theirs, X, STREAM), theirs.method.seed())
    mine = begun(name, columns_for(classes), X.dtype, WIDTH, **options)
    assert_equal_models(mine.model, theirs.model)
    assert mine.space == theirs.space


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_a_learner_learns_as_partial_fit_does(name, options):
    X, y = stream(3)
    mine = begun(name, 3, X.dtype, WIDTH, **options)
    mine.begin_pass()
    mine.begin_stream()
    with mine.visiting(mine.model.read(X)):
        mine.learn(Visits(np.arange(y.size), y, np.ones(y.size)))
    learner = getattr(kerneltron, name)(random_state=3, **options).partial_fit(X, y)
    assert mine.mistakes.tolist() == learner.mistakes_.tolist()
    np.testing.assert_array_equal(mine.scores(X), learner.decision_function(X))
    np.testing.assert_array_equal(mine.labels(mine.scores(X)), learner.predict(X))


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_visits_that_fail_leave_a_learner_as_it_was(name, options):
    X, y = stream(3)
    mine = begun(name, 3, X.dtype, WIDTH, **options)
    mine.begin_pass()
    examples = mine.examples(y)
    with mine.visiting(mine.model.read(X)):
        mine.learn(examples.visits(np.arange(20)))
    before, contents = mine.model, mine.state()
    tensors = {key: np.array(value) for key, value in contents.tensors.items()}
    with suppress(KeyError), mine.visiting(mine.model.read(X)):
        mine.learn(examples.visits(np.arange(20, 40)))
        raise KeyError
    again = mine.state()
    assert mine.model is before
    assert again.header == contents.header
    assert tensors.keys() == again.tensors.keys()
    for key, value in tensors.items():
        np.testing.assert_array_equal(value, again.tensors[key])


def test_a_copy_goes_its_own_way():
    X, y = stream(3)
    mine = begun("perceptron", 3, X.dtype, WIDTH)
    mine.begin_pass()
    other = mine.copy()
    with mine.visiting(mine.model.read(X)):
        mine.learn(mine.examples(y).visits(np.arange(40)))
    assert mine.model.weights.updates.any()
    assert not other.model.weights.updates.any()
    assert other.mistakes.tolist() == [0]


def test_a_stream_chooses_its_form():
    assert isinstance(begun("perceptron", kernel="Gaussian(1.0)").model, Dual)
    assert isinstance(begun("perceptron", kernel="Polynomial(2)").model, Mapped)


def test_a_stream_allows_early_stopping_which_is_an_affair_of_passes():
    assert begun("perceptron", early_stopping=True, passes=5).model.columns == 1


def test_a_kernel_is_parsed_once(monkeypatch):
    parsed = []
    original = grammar.parse

    def parse(text):
        parsed.extend([text] if isinstance(text, str) else [])
        return original(text)

    monkeypatch.setattr(grammar, "parse", parse)
    X, y = stream()
    learner = kerneltron.Perceptron(kernel="Gaussian(1.5)").fit(X, y)
    assert parsed == ["Gaussian(1.5)"]
    learner.predict(X)
    assert len(parsed) == 1


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("perceptron", {"delta": "auto"}, "delta='auto' looks at all examples"),
        ("perceptron", {"kernel": "precomputed"}, "not of a stream"),
        ("perceptron", {"kernel": "Constant(1.0)"}, "a stream holds rows of numbers"),
        ("perceptron", {"class_weight": "balanced"}, "needs all labels at once"),
        ("logistic", {"hypothesis": "vote"}, "Use `hypothesis='average'`"),
        ("logistic", {"kernel": "Gaussian(1.0)", "schedule": "adaptive"}, "schedule='inverse'"),
        ("winnow", {"promotion": 0.5}, "promotion=0.5 must be"),
    ],
)
def test_a_stream_refuses_what_makes_no_sense_there(name, options, message):
    with pytest.raises(ValueError, match=message):
        begun(name, **options)


def test_class_weights_of_a_stream_name_some_classes():
    classes = np.array(["a", "b", "c"])
    assert class_weights({"b": 3}, classes, whole=False).tolist() == [1, 3, 1]
    assert class_weights({"b": 3, "c": 0}, classes, whole=True).tolist() == [1, 1, 0]
    assert class_weights(None, classes, whole=True).tolist() == [1, 1, 1]
    with pytest.raises(ValueError, match="finite weights of at least 0"):
        class_weights({"b": -1}, classes, whole=False)
