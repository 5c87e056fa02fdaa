"""Malformed matrices and learners that were tampered with: an error, and never a look anywhere in memory."""

import numpy as np
import pytest
import scipy.sparse as sp

from kerneltron import LogisticRegression, ManyTasks, Mira, Pegasos, Perceptron, Winnow
from kerneltron._bounds import check_rows, check_visits
from kerneltron._types import Sparse, Trace, Visits
from kerneltron.kernels import AllSubsets, Gaussian, Linear, Polynomial, QuadraticForm, check

RNG = np.random.default_rng(0)
DENSE = np.abs(np.round(RNG.normal(size=(60, 6)), 2)) * (RNG.random((60, 6)) < 0.5)
y = np.arange(60) % 3


def with_index(value):
    def damage(X):
        X.indices[7] = value

    return damage


def with_short_data(X):
    X.data = X.data[:-3]


def with_short_starts(X):
    X.indptr = X.indptr[:-5]


def with_long_starts(X):
    X.indptr = np.append(X.indptr, X.indptr[-1])


def with_late_end(X):
    X.indptr[-1] += 1000


def with_falling_starts(X):
    X.indptr[3] = X.indptr[5] + 4


def with_early_start(X):
    X.indptr[0] = -5


def with_fractions(X):
    X.indices = X.indices.astype(float)


DAMAGES = {
    "negative index": with_index(-3),
    "huge index": with_index(10**9),
    "next index": with_index(6),
    "short data": with_short_data,
    "short starts": with_short_starts,
    "long starts": with_long_starts,
    "late end": with_late_end,
    "falling starts": with_falling_starts,
    "early start": with_early_start,
    "fractions": with_fractions,
}
FORMS = {
    "primal": Perceptron(random_state=0),
    "adaptive": LogisticRegression(random_state=0),
    "mapped": Perceptron(kernel="Polynomial(2)", representation="primal", random_state=0),
    "vote": Perceptron(hypothesis="vote", random_state=0),
    "mapped vote": Perceptron(
        kernel="Polynomial(2)", representation="primal", hypothesis="vote", random_state=0
    ),
    "dual": Perceptron(kernel="Gaussian(1)", representation="dual", random_state=0),
    "dual vote": Perceptron(kernel=Polynomial(2), representation="dual", hypothesis="vote", random_state=0),
    "delta": Perceptron(delta=0.5, random_state=0),
    "joint": Mira(random_state=0),
    "winnow": Winnow(random_state=0),
}
every_form = pytest.mark.parametrize("form", FORMS)
every_damage = pytest.mark.parametrize("damage", DAMAGES)


def damaged(name, layout=sp.csr_matrix):
    X = layout(DENSE)
    DAMAGES[name](X)
    return X


@every_damage
@every_form
def test_a_damaged_matrix_is_refused_by_every_call(form, damage):
    learner = FORMS[form].fit(sp.csr_matrix(DENSE), y)
    before = learner.decision_function(DENSE)
    for call in (
        learner.predict,
        learner.decision_function,
        lambda X: learner.score(X, y),
        lambda X: learner.fit(X, y),
        lambda X: learner.partial_fit(X, y),
        lambda X: learner.partial_fit_predict(X, y),
    ):
        with pytest.raises(ValueError, match=r"X is damaged, not a valid CSR matrix"):
            call(damaged(damage))
    np.testing.assert_array_equal(learner.decision_function(DENSE), before)


@pytest.mark.parametrize("damage", ["negative index", "huge index", "short data", "late end"])
@pytest.mark.parametrize("layout", [sp.csc_matrix, sp.csr_array, sp.csc_array])
def test_other_layouts_are_looked_at_before_scipy_converts_them(layout, damage):
    with pytest.raises(ValueError, match="X is damaged"):
        Perceptron().fit(damaged(damage, layout), y)


@pytest.mark.parametrize("value", [-3, 60, 10**8])
@pytest.mark.parametrize("axis", [0, 1])
def test_damaged_coordinates_are_refused(axis, value):
    X = sp.coo_array(DENSE)
    X.coords[axis][4] = value
    with pytest.raises(ValueError, match=rf"X is damaged, not a valid COO matrix: coords\[{axis}\]"):
        Perceptron().fit(X, y)


def test_damaged_blocks_are_refused():
    X = sp.bsr_matrix(DENSE, blocksize=(2, 2))
    X.indices[0] = 10**6
    with pytest.raises(ValueError, match="X is damaged, not a valid BSR matrix"):
        Perceptron().fit(X, y)


def test_rows_of_lists_that_point_outside_are_refused():
    X = sp.lil_matrix(DENSE)
    X.rows[0], X.data[0] = [10**6], [1.0]
    with pytest.raises(ValueError, match="damaged"):
        Perceptron().fit(X, y)


USES = {
    "linear": Linear(),
    "subsets": AllSubsets(2),
    "gaussian": Gaussian(1.0),
    "form": QuadraticForm(np.eye(6)),
    "map": Polynomial(2).feature_map(6),
    "right side": lambda X: Linear()(DENSE, X),
    "diagonal": lambda X: Linear().diag(X),
    "check": lambda X: check(Linear(), X),
}


@every_damage
@pytest.mark.parametrize("use", USES)
def test_kernels_and_maps_refuse_a_damaged_matrix(use, damage):
    with pytest.raises(ValueError, match="X is damaged"):
        USES[use](damaged(damage))


@every_damage
def test_labels_of_many_tasks_are_looked_at_too(damage):
    Y = sp.csr_matrix(np.sign(RNG.integers(-1, 2, (60, 6))).astype(float))
    DAMAGES[damage](Y)
    with pytest.raises(ValueError, match="Y is damaged"):
        ManyTasks(Perceptron()).fit(DENSE, Y)


# -- the second line ---------------------------------------------------------------------------------


@pytest.mark.parametrize("wide", [4, 40, 100_000])
@pytest.mark.parametrize("layout", [np.asarray, sp.csr_matrix])
@every_form
def test_a_changed_width_is_noticed_in_front_of_the_loops(form, layout, wide):
    learner = FORMS[form].fit(DENSE, y)
    learner.n_features_in_ = wide
    X = layout(np.ones((3, wide)))
    with pytest.raises(ValueError):  # noqa: PT011 - whoever notices first
        learner.partial_fit(X, [0, 1, 2])
    with pytest.raises(ValueError):  # noqa: PT011
        learner.predict(X)


@pytest.mark.parametrize("name", ["primal", "adaptive", "joint", "winnow", "delta", "vote"])
def test_a_callback_that_changes_the_matrix_is_found_out(name):
    X = sp.csr_matrix(DENSE)

    def spoil(learner, report):
        X.indices[5] = 10**9

    with pytest.raises(ValueError, match=r"X is damaged.*10{9}"):
        FORMS[name].__class__(**{**FORMS[name].get_params(), "callback": spoil, "passes": 3}).fit(X, y)


def sparse(starts=(0, 1, 2), indices=(0, 1), values=(1.0, 1.0), width=2):
    return Sparse(np.array(values), np.array(indices), np.array(starts), width, 1.0)


@pytest.mark.parametrize(
    "rows",
    [
        sparse(width=3),
        sparse(width=1),
        sparse(values=(1.0,)),
        sparse(starts=()),
        sparse(starts=(0, 1, 3)),
        sparse(starts=(1, 1, 2)),
        sparse(starts=(0, 1, -2)),
    ],
)
def test_rows_that_do_not_fit_are_refused(rows):
    assert check_rows(sparse(), 2) == 2
    with pytest.raises(ValueError, match="rows"):
        check_rows(rows, 2)


def visits(order=(0, 1), codes=(0, 1), importance=(1.0, 1.0)):
    return Visits(np.array(order), np.array(codes), np.array(importance))


@pytest.mark.parametrize(
    "wrong",
    [
        visits(order=(0, 2)),
        visits(order=(-1, 0)),
        visits(codes=(0, 3)),
        visits(codes=(-1, 0)),
        visits(codes=(0,)),
        visits(importance=(1.0,)),
        visits(codes=((1, -1), (1, 1))),
    ],
)
def test_visits_to_what_is_not_there_are_refused(wrong):
    none = np.empty((0, 3))
    trace = Trace(none, none, none, none, np.empty(0, np.int64), none, none)
    check_visits(visits(), trace, 2, 3)
    with pytest.raises(ValueError, match="visits are damaged"):
        check_visits(wrong, trace, 2, 3)
    with pytest.raises(ValueError, match="visits are damaged"):
        check_visits(visits(), trace._replace(scores=np.empty((1, 3))), 2, 3)


def test_codes_of_two_classes_are_for_one_column():
    none = np.empty((0, 1))
    trace = Trace(none, none, none, none, np.empty(0, np.int64), none, none)
    check_visits(visits(), trace, 2, 1)
    with pytest.raises(ValueError, match="visits are damaged"):
        check_visits(visits(codes=(0, 2)), trace, 2, 1)


def test_weights_that_were_tampered_with_are_refused():
    learner = Pegasos(random_state=0).fit(DENSE, y)
    model = learner.model_
    for field in ("v", "u", "scale", "mass", "clock"):
        whole = model._weights
        model._weights = whole._replace(**{field: getattr(whole, field)[:1]})
        with pytest.raises(ValueError, match=r"damaged|columns"):
            learner.partial_fit(DENSE, y)
        model._weights = whole
    learner.partial_fit(DENSE, y)
