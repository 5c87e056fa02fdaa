"""Rows of kernel values are kept only where moves come again, and cores do not change results."""

from unittest.mock import patch

import numpy as np
import pytest

from kerneltron import PassiveAggressive
from kerneltron.kernels import Gaussian, Polynomial, threads
from kerneltron.models.kept_rows import SURE, KeptRows

ROWS, COLUMNS = 600, 100


def drawn(wrong, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(ROWS, COLUMNS))
    y = X[:, 0] + X[:, 1] > 0
    return X.astype(np.float32), np.where(rng.random(ROWS) < wrong, ~y, y)


def kept(share, passes, pass_number=2):
    """Return how many rows are kept for `share` of the visits being moves, when moves are counted."""
    kernel = Gaussian(5.0)
    pack = kernel.pack(drawn(0.0)[0])
    rows = KeptRows(kernel, pack, 2**30, passes)
    every, moving = np.arange(ROWS), np.arange(int(share * ROWS))
    rows._has_moved[:] = True
    rows._visits, rows._met, rows._again = ROWS, SURE, int(SURE * share)
    for _ in range(pass_number):
        rows.admit(every, moving)
    return rows.count


@pytest.mark.parametrize(
    ("share", "passes", "are_kept"), [(0.5, 10, True), (0.02, 10, False), (0.5, 2, False)]
)
def test_rows_are_kept_where_they_will_be_used_again(share, passes, are_kept):
    assert (kept(share, passes) > 0) is are_kept


def test_learners_that_move_often_keep_the_rows_of_most_examples():
    X, y = drawn(0.2)
    learner = PassiveAggressive(kernel=Polynomial(2), representation="dual", passes=10, random_state=0).fit(
        X, y
    )
    assert learner.model_.reuse.kept_rows > 0.8 * learner.model_.count


def test_results_do_not_depend_on_the_number_of_cores():
    X, y = drawn(0.1)
    learner = PassiveAggressive(kernel=Gaussian(5.0), passes=3, random_state=0)
    wide = np.tile(X, 8)  # enough to be shared
    shared = learner.fit(wide, y).decision_function(wide)
    with patch.object(threads, "CORES", 1):
        alone = learner.fit(wide, y).decision_function(wide)
    np.testing.assert_array_equal(shared, alone)
