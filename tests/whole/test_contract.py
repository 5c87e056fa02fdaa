"""scikit-learn's own checks, over every learner, the options that change its code path, and transformers."""

import pytest
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

import kerneltron
from kerneltron import LogisticRegression, Mira, PassiveAggressive, Pegasos, Perceptron, Romma, Winnow
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

WEIGHTS = "an online learner visits a row of weight 2 once with twice the step, not twice"
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": WEIGHTS,
    "check_sample_weight_equivalence_on_sparse_data": WEIGHTS,
}
NO_STREAM = "a matrix of similarities of one set of examples is no stream: partial_fit refuses it"
NO_GRAM = "the check hands over a matrix that is not one of similarities"
EXPECTED_OF_PRECOMPUTED = EXPECTED | {
    "check_fit_score_takes_y": NO_STREAM,
    "check_n_features_in_after_fitting": NO_STREAM,
    "check_estimators_partial_fit_n_features": NO_STREAM,
    "check_estimators_nan_inf": NO_GRAM,
    "check_positive_only_tag_during_fit": NO_GRAM,
    "check_classifiers_one_label_sample_weights": NO_GRAM,
    "check_decision_proba_consistency": NO_GRAM,
}

NO_EXAMPLES = "weights keep no examples, which an optimum is made of: partial_fit refuses"
EXPECTED_OF_MACHINES = EXPECTED | {
    "check_fit_score_takes_y": NO_EXAMPLES,
    "check_n_features_in_after_fitting": NO_EXAMPLES,
    "check_estimators_partial_fit_n_features": NO_EXAMPLES,
}

# ManyTasks learns a matrix of labels, -1, 0 and +1, which the checks do not know.
OTHER_LEARNERS = [
    *(getattr(kerneltron, name)() for _, name in METHODS.values() if name != "Perceptron"),
    # With enough passes, the checks also ask for accuracy.
    Perceptron(passes=1000, random_state=0),
    Perceptron(passes=100, random_state=0, hypothesis="last", margin=0.1),
    PassiveAggressive(passes=100, random_state=0),
    PassiveAggressive(passes=100, random_state=0, variant="II", hypothesis="last"),
    Mira(passes=100, random_state=0),
    Pegasos(passes=100, random_state=0, hypothesis="last"),
    LogisticRegression(passes=1000, random_state=0, learning_rate=0.01, schedule="inverse"),
    LogisticRegression(passes=100, random_state=0),
    Romma(passes=100, random_state=0, aggressive=True),
    # Other code paths.
    Perceptron(random_state=0, hypothesis="vote"),
    Perceptron(random_state=0, hypothesis="random", fit_intercept=False),
    Pegasos(random_state=0, schedule="constant", learning_rate=0.1, init_scale=0.01),
    Winnow(random_state=0, balanced=True),
    # In dual form.
    Perceptron(kernel="Gaussian(1.0)", passes=20, random_state=0),
    Perceptron(kernel="Gaussian(1.0)", random_state=0, hypothesis="vote"),
    Perceptron(kernel="Gaussian(1.0)", random_state=0, hypothesis="random", delta=0.5),
    PassiveAggressive(kernel="Polynomial(2)", representation="dual", passes=20, random_state=0, C=1e-3),
    PassiveAggressive(kernel="Polynomial(2)", representation="primal", passes=20, random_state=0, C=1e-3),
    LogisticRegression(kernel="Gaussian(1.0)", passes=20, random_state=0),
    Pegasos(kernel="Gaussian(1.0)", l2=0.01, passes=20, random_state=0),
    Romma(kernel="Gaussian(1.0)", passes=20, random_state=0),
    Mira(kernel="Gaussian(1.0) + Linear().normalized()", passes=20, random_state=0),
    Perceptron(kernel="precomputed", passes=20, random_state=0),
    Perceptron(delta=0.5, random_state=0),
]


def expected(learner):
    """Return which checks cannot pass, and why."""
    if isinstance(learner, Winnow):
        return EXPECTED | {"check_decision_proba_consistency": "the check hands over negative numbers"}
    is_precomputed = getattr(learner, "kernel", None) == "precomputed"
    if isinstance(learner, kerneltron.SVM) and learner.kernel == "linear":
        return EXPECTED_OF_MACHINES
    return EXPECTED_OF_PRECOMPUTED if is_precomputed else EXPECTED


@parametrize_with_checks([Perceptron()], expected_failed_checks=expected)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the relative duality gap")  # of SVM, on rows of a hundred units
@parametrize_with_checks(OTHER_LEARNERS, expected_failed_checks=expected)
def test_scikit_learn_checks_of_other_learners(estimator, check):
    check(estimator)


# The input of these is no matrix, which most checks hand over.
CHECKS_OF_TRANSFORMERS = [
    estimator_checks.check_estimator_cloneable,
    estimator_checks.check_estimator_repr,
    estimator_checks.check_estimator_tags_renamed,
    estimator_checks.check_get_params_invariance,
    estimator_checks.check_no_attributes_set_in_init,
    estimator_checks.check_set_params,
    estimator_checks.check_valid_tag_types,
]
TRANSFORMERS = [
    Hasher(bits=6),
    NGrams(),
    Nystrom(kernel="Spectrum(2)"),
    Patterns(["(NP)"]),
    Substructures("Spectrum(2)"),
    WordPairs(),
]


@pytest.mark.parametrize("transformer", TRANSFORMERS, ids=repr)
@pytest.mark.parametrize("check", CHECKS_OF_TRANSFORMERS, ids=lambda check: check.__name__)
def test_scikit_learn_checks_of_transformers(transformer, check):
    check(type(transformer).__name__, transformer)


# The input of these is a matrix: they pass all checks.
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
OF_MATRICES = [
    Scaler(),
    RandomFourier(20, kernel="Gaussian(1.0)"),
    RandomProjection(8),
    RandomProjection(8, density=0.4),
    TensorSketch(16, kernel="Polynomial(2)"),
]


@parametrize_with_checks(
    OF_MATRICES,
    expected_failed_checks=lambda each: EXPECTED_OF_WAVES if isinstance(each, RandomFourier) else {},
)
def test_scikit_learn_checks_of_transformers_of_matrices(estimator, check):
    check(estimator)


def test_a_hasher_can_be_made_without_parameters():
    estimator_checks.check_parameters_default_constructible("Hasher", Hasher(bits=6))
