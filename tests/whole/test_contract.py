"""scikit-learn's own checks, over each kind of model and transformer."""

import pytest
from sklearn.base import clone
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

import kerneltron
from kerneltron import SVM, LogisticRegression, Mira, PassiveAggressive, Pegasos, Perceptron, Romma, Winnow
from kerneltron.features import (
    Hasher,
    NGrams,
    Nystrom,
    Patterns,
    RandomFourier,
    RandomProjection,
    Scaler,
    Substructures,
    TensorSketch,
    WordPairs,
)
from kerneltron.learning.methods import METHODS

pytestmark = pytest.mark.filterwarnings(
    "ignore:the relative duality gap"
)  # of SVM, on rows of a hundred units

WEIGHTS = "an online learner visits a row of weight 2 once with twice the step, not twice"
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": WEIGHTS,
    "check_sample_weight_equivalence_on_sparse_data": WEIGHTS,
}
CHECKS_OF_PARAMETERS = [
    estimator_checks.check_estimator_cloneable,
    estimator_checks.check_estimator_repr,
    estimator_checks.check_estimator_tags_renamed,
    estimator_checks.check_get_params_invariance,
    estimator_checks.check_no_attributes_set_in_init,
    estimator_checks.check_set_params,
    estimator_checks.check_valid_tag_types,
]

# One for each kind of model: all checks. ManyTasks learns a matrix of labels, -1, 0 and +1, which the
# checks do not know.
OF_EACH_MODEL = {
    # With enough passes, the checks also ask for accuracy.
    "primal": Perceptron(passes=100, random_state=0, hypothesis="last", margin=0.1),
    "scaled": LogisticRegression(passes=100, random_state=0, scale=True),
    "mapped": PassiveAggressive(kernel="Polynomial(2)", representation="primal", passes=20, C=1e-3),
    "dual": Perceptron(kernel="Gaussian(1.0)", passes=20, random_state=0),
    "budget": Pegasos(kernel="Gaussian(1.0)", l2=0.01, passes=20, budget=30, random_state=0),
    "machine": SVM(kernel="Gaussian(1.0)"),
}


@pytest.mark.slow
@parametrize_with_checks([*OF_EACH_MODEL.values()], expected_failed_checks=lambda _: EXPECTED)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


# Of the others, what depends on their parameters, or on the rows and hypothesis that they learn with.
CHECKS_OF_LEARNERS = [
    *CHECKS_OF_PARAMETERS,
    estimator_checks.check_classifiers_one_label,
    estimator_checks.check_dict_unchanged,
    estimator_checks.check_estimators_dtypes,
    estimator_checks.check_estimators_overwrite_params,
    estimator_checks.check_estimators_pickle,
    estimator_checks.check_fit_idempotent,
]
OTHER_LEARNERS = [
    *(getattr(kerneltron, name)() for _, name in METHODS.values()),
    LogisticRegression(random_state=0, learning_rate=0.01, schedule="inverse"),
    Pegasos(random_state=0, schedule="constant", learning_rate=0.1, init_scale=0.01),
    Perceptron(random_state=0, hypothesis="vote"),
    Perceptron(random_state=0, hypothesis="random", fit_intercept=False, delta=0.5),
    Perceptron(kernel="Gaussian(1.0)", random_state=0, hypothesis="vote"),
    Perceptron(kernel="Gaussian(1.0)", random_state=0, hypothesis="random", delta=0.5),
    Perceptron(kernel="precomputed", passes=20, random_state=0),
    Mira(kernel="Gaussian(1.0) + Linear().normalized()", passes=20, random_state=0),
    Romma(random_state=0, aggressive=True, kernel="Gaussian(1.0)"),
    Winnow(random_state=0, balanced=True),
]


@pytest.mark.parametrize("learner", OTHER_LEARNERS, ids=repr)
def test_cheap_checks_of_other_learners(learner):
    for check in CHECKS_OF_LEARNERS:
        check(type(learner).__name__, clone(learner))


# The input of these is no matrix, which most checks hand over.
OTHER_TRANSFORMERS = [
    Hasher(bits=6),
    NGrams(),
    Nystrom(kernel="Spectrum(2)"),
    Patterns(["(NP)"]),
    RandomProjection(8, density=0.4),
    Substructures("Spectrum(2)"),
    WordPairs(),
]


@pytest.mark.parametrize("transformer", OTHER_TRANSFORMERS, ids=repr)
def test_cheap_checks_of_other_transformers(transformer):
    for check in CHECKS_OF_PARAMETERS:
        check(type(transformer).__name__, transformer)


# The input of these is a matrix.
PAIRS = "the check takes one component, and random waves come in pairs"
EXPECTED_OF_WAVES = dict.fromkeys(
    [
        "check_dont_overwrite_parameters",
        "check_fit2d_1feature",
        "check_fit2d_1sample",
        "check_fit2d_predict1d",
        "check_methods_sample_order_invariance",
        "check_methods_subset_invariance",
    ],
    PAIRS,
)
ONE_BY_ONE = "entries count one after the other, so that two are limited otherwise than one of weight 2"
EXPECTED_OF_ROBUST = dict.fromkeys(
    [
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weight_equivalence_on_sparse_data",
    ],
    ONE_BY_ONE,
)
OF_MATRICES = [
    Scaler(),
    Scaler(robust=False),
    RandomFourier(20, kernel="Gaussian(1.0)"),
    RandomProjection(8),
    TensorSketch(16, kernel="Polynomial(2)"),
]


def expected_of_transformer(transformer):
    """Return which checks cannot pass, and why."""
    if isinstance(transformer, RandomFourier):
        return EXPECTED_OF_WAVES
    return EXPECTED_OF_ROBUST if getattr(transformer, "robust", False) else {}


@parametrize_with_checks(
    OF_MATRICES,
    expected_failed_checks=expected_of_transformer,
)
def test_scikit_learn_checks_of_transformers_of_matrices(estimator, check):
    check(estimator)


def test_a_hasher_can_be_made_without_parameters():
    estimator_checks.check_parameters_default_constructible("Hasher", Hasher(bits=6))
