"""Remembered examples: released, replaced, and who follows them."""

import numpy as np
import pytest

from kerneltron import Perceptron, Romma
from kerneltron.kernels import Gaussian
from kerneltron.models.support_set import NO_ORIGIN, SupportSet

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 3))
Y = RNG.integers(0, 3, 80)
KERNEL = Gaussian(1.5)


class Follower:
    def move_slots(self, places):
        self.places = places


def filled():
    found = SupportSet()
    for numbers in (np.arange(10), np.arange(10, 13), np.arange(13, 20)):
        found.append(KERNEL.pack(X[numbers]), numbers)
    return found


def rows_of(found):
    return np.concatenate(
        [KERNEL.gram(pack, KERNEL.pack(X)) for _, pack in found.pieces(np.arange(len(found)), 4)]
    )


def test_released_slots_leave_no_gap_and_followers_are_told():
    found, follower = filled(), Follower()
    before = rows_of(found)
    places = found.release(np.array([0, 11, 12]), [follower])
    stays = np.setdiff1d(np.arange(20), [0, 11, 12])
    assert places[stays].tolist() == list(range(17))
    assert (places[[0, 11, 12]] == -1).all()
    assert follower.places is places
    assert found.origins.tolist() == stays.tolist()
    np.testing.assert_allclose(rows_of(found), before[stays], rtol=1e-12)


def test_slots_can_be_rearranged_and_hold_other_examples():
    found, before = filled(), rows_of(filled())
    found.rearrange(np.array([3, 20, 0, 22, 21]), KERNEL.pack(X[60:63]), np.array([50, NO_ORIGIN, 51]))
    np.testing.assert_allclose(
        rows_of(found), [before[3], *(KERNEL(X[[60]], X)), before[0], *KERNEL(X[[62, 61]], X)]
    )
    assert found.origins.tolist() == [3, 50, 0, 51, NO_ORIGIN]
    found.rearrange(np.arange(6), KERNEL.pack(X[:1]), np.array([52]))
    assert found.origins.tolist() == [3, 50, 0, 51, NO_ORIGIN, 52]
    found.rearrange(np.array([4]), None, np.empty(0, np.int64))
    np.testing.assert_allclose(rows_of(found), KERNEL(X[[61]], X))
    found.rearrange(np.empty(0, np.int64), None, np.empty(0, np.int64))
    assert len(found) == found.origins.size == 0


@pytest.mark.parametrize("hypothesis", ["last", "average", "random"])
def test_examples_without_coefficients_can_be_released_from_a_model(hypothesis, tmp_path):
    learner = Perceptron(kernel=KERNEL, hypothesis=hypothesis, random_state=0, passes=3).fit(X, Y)
    model = learner.model_
    before, count = learner.decision_function(X), model.count
    v = model.weights.v.reshape(-1, 3)
    v[5] = v[9] = 0.0
    if hypothesis == "average":
        model.weights.u.reshape(-1, 3)[[5, 9]] = 0.0
    if hypothesis == "random":
        model.hypothesis.drawn[[5, 9]] = 0.0
    model.forget_vectors()
    without = learner.decision_function(X)
    assert np.abs(without - before).max() > 0
    model.release(np.array([5, 9]))
    assert model.count == count - 2 == len(model.remembered)
    np.testing.assert_allclose(learner.decision_function(X), without, atol=1e-12)
    learner.partial_fit(X, Y)
    assert np.isfinite(learner.decision_function(X)).all()
    learner.save(tmp_path / "some.model")


def test_an_example_that_has_a_say_stays_and_norms_are_measured_anew():
    vote = Perceptron(kernel=KERNEL, hypothesis="vote", random_state=0).fit(X, Y)
    before = vote.decision_function(X)
    with pytest.raises(ValueError, match="has a say in a vote cannot be forgotten"):
        vote.model_.release(np.array([0]))
    np.testing.assert_array_equal(vote.decision_function(X), before)
    romma = Romma(kernel=KERNEL, hypothesis="last", random_state=0).fit(X, Y == 0)
    romma.model_.release(np.array([0, 1]))
    romma.model_.begin(romma.model_.read(X))
    slots, alpha = romma.model_.support()
    gram = KERNEL(X[romma.model_.remembered.origins[slots]]) + 1
    assert romma.model_.weights.norm[0] == pytest.approx(float(alpha[:, 0] @ gram @ alpha[:, 0]))
    with pytest.raises(RuntimeError, match="between calls"):
        romma.model_.release(np.array([0]))


def test_a_vote_follows_its_rows():
    learner = Perceptron(kernel=KERNEL, hypothesis="vote", random_state=0).fit(X, Y)
    before, model = learner.decision_function(X), learner.model_
    # One more row, that no move speaks of.
    model.learned.make_room(1)
    model.learned.state.counts[0] += 1
    model.remembered.append(KERNEL.pack(X[:1]), np.array([0]))
    model.release(np.array([model.count - 1]))
    np.testing.assert_array_equal(learner.decision_function(X), before)
