"""One row at a time: the same as in pieces, whole or not at all, and no copies of what was learned before."""

import copy
import pickle
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from kerneltron import Arow, LogisticRegression, Mira, PassiveAggressive, Pegasos, Perceptron, Romma
from kerneltron.estimators import _input
from kerneltron.kernels import Gaussian, room
from kerneltron.kernels.pack import Memory
from kerneltron.kernels.room import Growing, Room
from kerneltron.kernels.vectors import vectors
from kerneltron.learning.method import Method
from kerneltron.models import dual, dual_state, dual_walk, kernel_expansion

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 4))
Y = (X[:, 0] * X[:, 1] > 0).astype(int) + (X[:, 2] > 0.5)
SPARSE = sp.csr_matrix(X * (RNG.random(X.shape) < 0.5))
DUAL = {"kernel": Gaussian(1.0)}
LEARNERS = {
    "perceptron": Perceptron(**DUAL),
    "last": Perceptron(hypothesis="last", **DUAL),
    "vote": Perceptron(hypothesis="vote", **DUAL),
    "random": Perceptron(hypothesis="random", **DUAL),
    "delta": PassiveAggressive(delta=0.5, **DUAL),
    "polynomial": PassiveAggressive(kernel="Polynomial(3)", representation="dual"),
    "joint": Mira(**DUAL),
    "folds": Pegasos(l2=3.0, **DUAL),
    "shrinks": LogisticRegression(schedule="constant", l2=0.9, **DUAL),
    "romma": Romma(delta=1.0, **DUAL),
    "budget": Perceptron(budget=15, when_full="forget", hypothesis="last", **DUAL),
    "primal": Perceptron(),
    "adaptive": LogisticRegression(),
}
every_learner = pytest.mark.parametrize("name", LEARNERS)


class InterruptionError(BaseException):
    """Stands for Ctrl-C."""


def learn(learner, rows, labels, size=1, begin=0):
    for first in range(begin, len(labels), size):
        learner.partial_fit(rows[first : first + size], labels[first : first + size])
    return learner


def begun(name, count=40):
    learner = clone(LEARNERS[name]).set_params(random_state=0)
    return learn(learner.partial_fit(X[:10], Y[:10], classes=[0, 1, 2]), X[:count], Y[:count], begin=10)


def content(learner, folder):
    path = folder / "learner.model"
    learner.save(path)
    return path.read_bytes()


# -- the same as in pieces -----------------------------------------------------------------------------


@every_learner
@pytest.mark.parametrize("rows", [X, X.astype(np.float32), SPARSE], ids=["dense", "single", "sparse"])
@pytest.mark.parametrize("labels", [Y, Y > 0], ids=["three", "two"])
def test_rows_one_by_one_are_rows_in_pieces(name, rows, labels):
    first = clone(LEARNERS[name]).set_params(random_state=0)
    first.partial_fit(rows[:10], labels[:10], classes=np.unique(labels))
    others = [learn(copy.deepcopy(first), rows, labels, size, begin=10) for size in (1, 7, 110)]
    for one, other in pairwise(others):
        assert one.mistakes_.tolist() == other.mistakes_.tolist()
        assert one.n_updates_ == other.n_updates_
        np.testing.assert_allclose(
            one.decision_function(rows), other.decision_function(rows), rtol=1e-3, atol=1e-4
        )
        if hasattr(one, "support_"):
            assert one.support_.tolist() == other.support_.tolist()


def test_labels_and_rows_may_be_lists():
    names = np.array(["no", "perhaps", "yes"])[Y]
    arrays, lists = (Perceptron(random_state=0, **DUAL).partial_fit(X[:10], names[:10]) for _ in range(2))
    for row, label in zip(X, names, strict=True):
        arrays.partial_fit(row[None], np.array([label]))
        lists.partial_fit([row.tolist()], [str(label)])
    np.testing.assert_array_equal(arrays.decision_function(X), lists.decision_function(X))
    assert arrays.classes_.dtype == lists.classes_.dtype


ODD = {
    "nan": (np.full((1, 4), np.nan), [0]),
    "wide": (np.zeros((1, 5)), [0]),
    "no rows": (np.zeros((0, 4)), []),
    "one dimension": (np.zeros(4), [0]),
    "matrix": (np.matrix(np.zeros((1, 4))), [0]),
    "text": (np.full((1, 4), "a"), [0]),
    "too few labels": (np.zeros((2, 4)), [0]),
    "labels in a column": (X[:2], Y[:2, None]),
    "half a label": (X[:1], [0.5]),
    "text among numbers": (X[:1], ["a"]),
    "no label": (X[:1], [None]),
    "mixed": (X[:2], [0, "a"]),
    "unknown": (X[:1], [7]),
    "bool": (X[:2], [True, False]),
    "float labels": (X[:2], [1.0, 0.0]),
    "small numbers": (X[:1], np.array([1], np.int8)),
    "columns first": (np.asfortranarray(X[:5]), Y[:5]),
    "whole numbers": (np.arange(4)[None], [1]),
    "single": (X[:3].astype(np.float32), Y[:3]),
    "sparse columns": (sp.csc_matrix(X[:3]), Y[:3]),
    "sparse array": (sp.csr_array(X[:3]), Y[:3]),
    "sparse nan": (sp.csr_matrix(np.full((1, 4), np.nan)), [0]),
}


@pytest.mark.filterwarnings("ignore:A column-vector y")
@pytest.mark.parametrize("case", ODD)
@pytest.mark.parametrize("name", ["perceptron", "primal"])
def test_what_is_plain_or_not_goes_through_the_same_door(name, case, tmp_path, monkeypatch):
    def outcome():
        learner = begun(name)
        try:
            return content(learner.partial_fit(*ODD[case]), tmp_path)
        except (ValueError, TypeError) as error:
            return type(error), str(error)

    quick = outcome()
    monkeypatch.setattr(_input, "is_plain_matrix", lambda X, dtypes: False)
    assert quick == outcome()


# -- whole or not at all -------------------------------------------------------------------------------


def failing_after(function):
    def broken(*arguments, **options):
        function(*arguments, **options)
        raise InterruptionError

    return broken


PLACES = [
    (dual_walk, "walk"),
    (kernel_expansion, "with_room"),
    (dual.Dual, "step"),
    (dual.Dual, "finish"),
    (Growing, "append"),
]


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES, ids=[name for _, name in PLACES])
@pytest.mark.parametrize("name", [name for name in LEARNERS if name not in ("primal", "adaptive", "budget")])
def test_a_row_that_fails_halfway_leaves_no_trace_then_or_later(name, place, tmp_path, monkeypatch):
    learner, untouched = begun(name), begun(name)
    before, scores = content(learner, tmp_path), learner.decision_function(X)
    with monkeypatch.context() as patch:
        patch.setattr(*place, failing_after(getattr(*place)))
        failed = 0
        for i in range(40, 60):  # so that some of them have moved a vector
            try:
                learner.partial_fit(X[i : i + 1], Y[i : i + 1])
            except InterruptionError:
                failed += 1
                assert content(learner, tmp_path) == before
                np.testing.assert_array_equal(learner.decision_function(X), scores)
            else:
                before, scores = content(learner, tmp_path), learner.decision_function(X)
                untouched.partial_fit(X[i : i + 1], Y[i : i + 1])
    assert failed
    for one in (learner, untouched):
        learn(one, X, Y, begin=60)
    assert content(learner, tmp_path) == content(untouched, tmp_path)


@pytest.mark.slow
@every_learner
@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda learner: pickle.loads(pickle.dumps(learner))]
)
def test_learners_that_part_go_their_own_ways(name, copied, tmp_path):
    if name in ("primal", "adaptive") and copied is copy.copy:
        pytest.skip("a shallow copy shares weights")
    learner, alone = begun(name), begun(name)
    other, other_alone = copied(learner), begun(name)
    opposite = 2 - Y
    for i in range(40, 100):
        learner.partial_fit(X[i : i + 1], Y[i : i + 1])
        other.partial_fit(X[i : i + 1], opposite[i : i + 1])
    learn(alone, X[:100], Y[:100], begin=40)
    learn(other_alone, X[:100], opposite[:100], begin=40)
    assert content(learner, tmp_path) == content(alone, tmp_path)
    assert content(other, tmp_path) == content(other_alone, tmp_path)


def test_one_who_predicts_sees_what_the_model_before_the_call_knew():
    learner = begun("shrinks")
    seen = []
    for i in range(40, 120):
        before = learner.model_
        scores = before.scores(X)
        learner.partial_fit(X[i : i + 1], Y[i : i + 1])
        before.forget_vectors()
        np.testing.assert_array_equal(before.scores(X), scores)
        seen.append(before.count)
    assert seen[-1] > seen[0]


# -- no copies, no checks of what was looked at before -------------------------------------------------


@pytest.mark.parametrize("name", ["perceptron", "last", "polynomial", "joint"])
def test_what_was_learned_is_copied_as_often_as_its_size_doubles(name, monkeypatch):
    copies = []

    def counted(array, size):
        copies.append(len(array))
        return room.__dict__["original"](array, size)

    monkeypatch.setitem(room.__dict__, "original", room.enlarged)
    monkeypatch.setattr(room, "enlarged", counted)
    monkeypatch.setattr(dual_state, "enlarged", counted)
    learner = clone(LEARNERS[name]).set_params(random_state=0)
    rows, labels = RNG.normal(size=(600, 4)), RNG.integers(0, 3, 600)
    learner.partial_fit(rows[:3], [0, 1, 2])
    learn(learner, rows, labels, begin=3)
    assert learner.model_.count > 300
    large = [size for size in copies if size > 20]  # the log of a call, which has a row, is small
    assert len(large) < 3 * 2 * np.log2(600)
    assert sum(large) < 3 * 4 * 600 * learner.model_.columns


def test_a_row_shares_memory_with_the_rows_before_it():
    learner = begun("perceptron", 100)
    shared = {"v": 0, "u": 0, "origins": 0}
    for i in range(100, 120):
        before = learner.model_
        learner.partial_fit(X[i : i + 1], Y[i : i + 1])
        after = learner.model_
        for key in ("v", "u"):
            shared[key] += np.shares_memory(getattr(before.weights, key), getattr(after.weights, key))
        shared["origins"] += np.shares_memory(before.remembered.origins, after.remembered.origins)
    assert min(shared.values()) >= 18  # all but where it doubles


def test_the_moves_of_a_vote_are_kept_in_few_pieces():
    learner = begun("vote", 120)
    assert len(learner.model_.hypothesis.entries) < 10


@every_learner
def test_parameters_and_rows_are_checked_once(name, monkeypatch):
    calls = {"check": 0, "validate": 0}
    check, validate = Method.check, _input.validate_data

    def counted_check(self):
        calls["check"] += 1
        check(self)

    def counted_validate(*arguments, **options):
        calls["validate"] += 1
        return validate(*arguments, **options)

    monkeypatch.setattr(Method, "check", counted_check)
    monkeypatch.setattr(_input, "validate_data", counted_validate)
    begun(name)
    assert calls == {"check": 1, "validate": 1}


def test_parameters_that_are_set_between_calls_are_noticed():
    learner = begun("perceptron")
    with pytest.raises(ValueError, match="margin=-1"):
        learner.set_params(margin=-1.0).partial_fit(X[:1], Y[:1])
    learner.set_params(margin=0.0).partial_fit(X[:1], Y[:1])
    count = learner.n_updates_
    learner.set_params(margin=1e9).partial_fit(X[:1], Y[:1])
    assert learner.n_updates_ == count + 3
    with pytest.raises(ValueError, match="kernel cannot change"):
        learner.set_params(kernel=Gaussian(2.0)).partial_fit(X[:1], Y[:1])
    learner.set_params(kernel="Gaussian(1.0)").partial_fit(X[:1], Y[:1])
    with pytest.raises(ValueError, match="early_stopping"):
        learner.set_params(early_stopping=True, passes=3).partial_fit(X[:1], Y[:1])


def test_an_entry_of_a_dict_that_changes_is_noticed():
    weights = {0: 1.0}
    learner = Perceptron(class_weight=weights, **DUAL).partial_fit(X[:10], Y[:10])
    learner.partial_fit(X[:1], Y[:1])
    weights[0] = -1.0
    with pytest.raises(ValueError, match="class_weight"):
        learner.partial_fit(X[:1], Y[:1])


# -- what it is made of --------------------------------------------------------------------------------


def test_room_is_taken_by_one_alone():
    behind = Room(3)
    assert behind.take(3, 2)
    assert not behind.take(3, 1)
    behind.give_back(4)
    assert not behind.take(3, 1)
    assert not pickle.loads(pickle.dumps(behind)).take(3, 1)
    assert behind.take(4, 1)


def test_arrays_that_grow_from_one_root_part():
    root = Growing(np.arange(3))
    one = root.copy()
    one.append(np.array([7]))
    other, third = one.copy(), root.copy()
    one.append(np.array([8, 9]))
    other.append(np.array([1]))
    third.append(np.array([2]))
    assert [each.array.tolist() for each in (root, one, other, third)] == [
        [0, 1, 2], [0, 1, 2, 7, 8, 9], [0, 1, 2, 7, 1], [0, 1, 2, 2],
    ]  # fmt: skip
    assert np.shares_memory(one.array, one.copy().array)


@pytest.mark.parametrize("most", [1, 3, 8, 64, 1000])
def test_pieces_of_all_that_is_remembered_are_those_of_some(most):
    kernel, memory = Gaussian(1.0), Memory()
    everything = kernel.pack(X)
    first = 0
    for size in RNG.integers(1, 12, 20).tolist():
        memory.append(kernel.pack(X[first : first + size]))
        memory, first = memory.copy(), min(first + size, len(X))
        cut = list(memory.pieces(np.arange(first), most))
        assert all(len(piece) <= most for _, piece in cut)
        assert [where.stop for where, _ in cut][-1] == first
        for where, piece in cut:
            np.testing.assert_array_equal(piece.parts["vectors"].X, everything[where].parts["vectors"].X)
        again = list(memory.pieces(np.arange(first), most))
        assert all(one is other for (_, one), (_, other) in zip(cut, again, strict=True))


# -- the same bytes, and nothing that grows ------------------------------------------------------------

WITH_WEIGHTS = {
    "perceptron": Perceptron(),
    "last": PassiveAggressive(hypothesis="last"),
    "average": Pegasos(hypothesis="average"),
    "auto": LogisticRegression(),
    "arow": Arow(),
}


@pytest.mark.parametrize("name", WITH_WEIGHTS)
@pytest.mark.parametrize("labels", [Y, Y > 0], ids=["three", "two"])
def test_weights_are_the_same_bytes_however_rows_come(name, labels, tmp_path):
    rows, labels = np.tile(X, (5, 1)), np.tile(labels, 5)  # so that sums of `auto` are halved twice
    labels[300:] = labels[300:][::-1]  # and the last vector is ahead at times
    first = clone(WITH_WEIGHTS[name]).set_params(random_state=0)
    first.partial_fit(rows[:3], labels[:3], classes=np.unique(labels))
    one, other = (learn(copy.deepcopy(first), rows, labels, size, begin=3) for size in (1, 16))
    assert content(one, tmp_path) == content(other, tmp_path)
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))


def test_pieces_grow_by_one_example_and_hold_what_was_appended():
    kernel, most, memory = Gaussian(1.0), 32, Memory()
    for i in range(len(X)):
        memory.append(kernel.pack(X[i : i + 1]))
        if i % 3 == 0:  # also after several were added
            found = [pack for _, pack in memory.pieces(np.arange(i + 1), most)]
            np.testing.assert_array_equal(np.concatenate([vectors(pack).X for pack in found]), X[: i + 1])
            squares = np.concatenate([vectors(pack).squares() for pack in found])
            np.testing.assert_array_equal(squares, vectors(kernel.pack(X[: i + 1])).squares())
            assert max(map(len, found)) <= most


def test_memories_that_part_extend_their_last_piece_on_their_own():
    kernel, one = Gaussian(1.0), Memory()
    one.append(kernel.pack(X[:20]))
    for i in range(20, 60):
        list(one.pieces(np.arange(len(one)), 64))
        failed = one.copy()
        failed.append(kernel.pack(-X[i : i + 1]))
        [(_, wrong)] = failed.pieces(np.arange(len(failed)), 64)
        one.append(kernel.pack(X[i : i + 1]))
        [(_, right)] = one.pieces(np.arange(len(one)), 64)
        np.testing.assert_array_equal(vectors(wrong).X, np.vstack([X[:i], -X[i : i + 1]]))
        np.testing.assert_array_equal(vectors(right).X, X[: i + 1])


def test_a_prediction_of_one_row_takes_no_more_memory_than_a_row_of_kernel_values():
    rows, labels = RNG.normal(size=(3000, 8)), RNG.integers(0, 2, 3000)
    learner = PassiveAggressive(random_state=0, **DUAL).partial_fit(rows, labels)
    count = learner.model_.count
    assert count > 2500
    learner.predict(rows[:1])
    tracemalloc.start()
    try:
        learner.predict(rows[:1])
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        learner.predict(rows[1:2])
        assert tracemalloc.get_traced_memory()[1] - before < 8 * count + 10_000
    finally:
        tracemalloc.stop()
