"""Learning methods without scikit-learn: the same as the estimators, and quick to import."""

import subprocess
import sys
from dataclasses import fields

import numpy as np
import pytest
import scipy.sparse as sp

import kerneltron
from kerneltron._types import Visits
from kerneltron.learning.classes import columns_for
from kerneltron.learning.method import OnlineMethod
from kerneltron.learning.methods import METHODS, method
from kerneltron.learning.weighting import class_weights
from kerneltron.models.dual import Dual
from kerneltron.models.mapped import Mapped


def is_learner(thing):
    return isinstance(thing, type) and issubclass(thing, OnlineMethod)


WIDTH = 6
ESTIMATORS = [name for name in kerneltron.__all__ if is_learner(getattr(kerneltron, name))]


def stream(classes=2, n=40):
    generator = np.random.default_rng(0)
    X = sp.csr_matrix(generator.integers(0, 3, (n, WIDTH)).astype(np.float32))
    return X, np.arange(n) % classes


def state(model):
    """Return all that an untrained model is made of."""
    names = [name for name in vars(model) if name not in ("rule", "kernel", "map", "hypothesis")]
    plain = {name: getattr(model, name) for name in names if np.isscalar(getattr(model, name))}
    return type(model), model.rule, type(model.hypothesis), plain, getattr(model, "kernel", None)


def assert_equal_models(left, right):
    assert state(left) == state(right)
    for mine, other in zip(left.weights, right.weights, strict=True):
        np.testing.assert_array_equal(mine, other)
        assert mine.dtype == other.dtype


def test_a_linear_model_needs_neither_scikit_learn_nor_scipys_matrices():
    program = (
        "import sys\n"
        "from kerneltron.learning.methods import METHODS, method\n"
        "from kerneltron.learning.classes import columns_for\n"
        "import kerneltron.learning.weighting\n"
        "for name in METHODS:\n"
        "    method(name)(random_state=0).begin(1000, columns_for(3), 'float32', 0)\n"
        "unwanted = ('sklearn', 'scipy.sparse', 'kerneltron.estimators')\n"
        "wrong = [module for module in sys.modules if module.startswith(unwanted)]\n"
        "assert not wrong, wrong\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_dual_model_needs_no_scikit_learn():
    program = (
        "import sys\n"
        "from kerneltron.learning.methods import method\n"
        "method('perceptron')(kernel='Gaussian(2.0)').begin(1000, 1, 'float32', 0)\n"
        "assert not any(m.startswith('sklearn') for m in sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_estimator_is_its_method_with_the_same_parameters(name):
    estimator, its_method = getattr(kerneltron, name), method(name)
    assert issubclass(estimator, its_method)
    assert estimator._rule is its_method._rule
    defaults = {field.name: field.default for field in fields(its_method)}
    assert estimator().get_params() == defaults


def test_every_estimator_has_a_name_on_the_command_line():
    assert sorted(estimator for _, estimator in METHODS.values()) == sorted(ESTIMATORS)
    for name, (_, estimator) in METHODS.items():
        assert method(name) is method(estimator)


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(
        ValueError, match=r"no learner 'logistc': did you mean 'logistic'\?.*perceptron.*winnow"
    ):
        method("logistc")
    with pytest.raises(ValueError, match=r"no learner 'zzz'\. Choose one of perceptron, passive-aggressive"):
        method("zzz")


@pytest.mark.parametrize("random_state", [0, 7, np.int64(42), 2**32 - 1])
def test_an_integer_gives_method_and_estimator_the_same_seed(random_state):
    mine = method("romma")(random_state=random_state)._seed()
    assert mine == kerneltron.Romma(random_state=random_state)._seed()


@pytest.mark.parametrize("random_state", ["abc", -1, 2**32, 1.5])
def test_what_is_no_seed_is_refused_by_name(random_state):
    with pytest.raises(ValueError, match=r"random_state=.* is no seed: give a whole number"):
        method("romma")(random_state=random_state)._seed()


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
def test_begin_gives_the_model_that_partial_fit_starts_with(name, options, classes):
    X, y = stream(classes)
    its_method = method(name)(random_state=3, **options)
    columns = columns_for(classes)
    begun = its_method.begin(WIDTH, columns, X.dtype, its_method._seed())
    learner = getattr(kerneltron, name)(random_state=3, **options)
    learner.classes_ = np.arange(classes)
    started = learner._new_model(X, y, learner._seed(), None, streaming=True)
    assert_equal_models(begun, started)
    assert getattr(its_method, "representation_", None) == getattr(learner, "representation_", None)


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_a_begun_model_learns_as_partial_fit_does(name, options):
    X, y = stream(3)
    its_method = method(name)(random_state=3, **options)
    model = its_method.begin(WIDTH, 3, X.dtype, its_method._seed())
    model.begin(model.read(X))
    mistakes, _ = model.learn(Visits(np.arange(y.size), y, np.ones(y.size)))
    model.finish()
    learner = getattr(kerneltron, name)(random_state=3, **options).partial_fit(X, y)
    assert mistakes == learner.mistakes_[0]
    np.testing.assert_array_equal(model.scores(X), learner.decision_function(X))


def test_begin_chooses_the_form_of_a_stream():
    assert isinstance(method("perceptron")(kernel="Gaussian(1.0)").begin(5, 1, np.float32, 0), Dual)
    assert isinstance(method("perceptron")(kernel="Polynomial(2)").begin(5, 1, np.float32, 0), Mapped)


def test_begin_forgets_what_was_chosen_before():
    logistic = method("logistic")(kernel="Gaussian(1.0)")
    dual = logistic.begin(5, 1, np.float32, 0)
    logistic.kernel, logistic.schedule = "linear", "adaptive"
    primal = logistic.begin(5, 1, np.float32, 0)
    assert isinstance(dual, Dual)
    assert not isinstance(primal, Dual)


def test_begin_allows_early_stopping_which_is_an_affair_of_passes():
    stopping = method("perceptron")(early_stopping=True, passes=5)
    assert stopping.begin(5, 1, np.float32, 0).columns == 1


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("perceptron", {"delta": "auto"}, "delta='auto' looks at all examples"),
        ("perceptron", {"kernel": "precomputed"}, "not of a stream"),
        ("perceptron", {"kernel": "Constant(1.0)"}, "a stream holds rows of numbers"),
        ("perceptron", {"class_weight": "balanced"}, "needs all labels at once"),
        ("logistic", {"hypothesis": "vote"}, "Use hypothesis='average'"),
        ("logistic", {"kernel": "Gaussian(1.0)", "schedule": "adaptive"}, "schedule='inverse'"),
        ("winnow", {"promotion": 0.5}, "promotion=0.5 must be"),
    ],
)
def test_begin_refuses_what_makes_no_sense_in_a_stream(name, options, message):
    with pytest.raises(ValueError, match=message):
        method(name)(**options).begin(5, 1, np.float32, 0)


def test_begin_after_a_number_for_delta_still_refuses_auto():
    perceptron = method("perceptron")(delta=0.5)
    perceptron.begin(5, 1, np.float32, 0)
    perceptron.delta = "auto"
    with pytest.raises(ValueError, match="looks at all examples"):
        perceptron.begin(5, 1, np.float32, 0)


def test_class_weights_of_a_stream_name_some_classes():
    classes = np.array(["a", "b", "c"])
    assert class_weights({"b": 3}, classes, whole=False).tolist() == [1, 3, 1]
    assert class_weights({"b": 3, "c": 0}, classes, whole=True).tolist() == [1, 1, 0]
    assert class_weights(None, classes, whole=True).tolist() == [1, 1, 1]
    with pytest.raises(ValueError, match="finite weights of at least 0"):
        class_weights({"b": -1}, classes, whole=False)
