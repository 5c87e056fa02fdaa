"""The experiment on regret, in small."""

import json

import numpy as np
import pytest

from kerneltron.experiments import regret, regret_streams
from kerneltron.experiments.experiment import AS_THEORY, Asked


@pytest.fixture(scope="module")
def outcome():
    return regret.reproduce(Asked(quick=True))


def at_the_end(outcome, part):
    curves = outcome.figures["streams"][part]["regret"]
    return {name: curve[-1][1] for name, curve in curves.items()}


@pytest.mark.slow
def test_shrinking_steps_and_exact_learners_regret_least(outcome):
    hashing, budget, drift = (at_the_end(outcome, part) for part in ("hashing", "budget", "drift"))
    assert min(hashing, key=hashing.get) == "exact"
    assert max(hashing, key=hashing.get) in ("16 slots", "64 slots")
    assert min(budget, key=budget.get) == "exact"
    assert max(drift.values()) < 0  # whoever adapts beats every fixed vector
    assert min(drift, key=drift.get) == "best vector of each half"


@pytest.mark.slow
def test_a_stochastic_pass_gains_more_than_a_full_step(outcome):
    online, full = (np.array(losses) for losses in outcome.figures["gradients"].values())
    assert (online > 0).all()
    assert (online < full).all()


@pytest.mark.slow
def test_regret_can_be_printed_drawn_and_saved(outcome):
    first, exponent = outcome.comparisons
    assert first.verdict == AS_THEORY
    assert 0 < exponent.ours < 0.6
    assert [table.row_count for table in outcome.tables] == [14, regret_streams.PASSES]
    assert len(outcome.pictures["regret"]().axes) == 5
    json.dumps(outcome.figures)


def test_hashing_adds_features_up_in_their_slots():
    functions = regret_streams.HashFunctions(30, 1)
    x = np.random.default_rng(0).normal(size=30)
    hashed = x @ regret_streams._matrix(functions, 8)
    assert hashed @ hashed == pytest.approx(functions.products(x, x, 8)[0])


def test_kernel_features_have_the_products_of_the_kernel():
    X = np.random.default_rng(0).normal(size=(20, 2))
    features = regret_streams._kernel_features(X)
    np.testing.assert_allclose(features @ features.T, regret_streams.KERNEL(X, X), atol=1e-7)
