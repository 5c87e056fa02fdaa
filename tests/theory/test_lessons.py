"""Slips that are found in print."""

from itertools import combinations_with_replacement

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from kerneltron.theory.lessons import monomials, positive_diagonal, strict_update

rows = hnp.arrays(np.float64, (5, 2), elements=st.integers(-3, 3).map(float))
labels = hnp.arrays(np.int64, 5, elements=st.sampled_from([-1, 1]))


@given(rows, labels)
def test_a_strict_condition_never_moves_from_zero(X, y):
    found = strict_update(X, y)
    assert found.with_less == 0
    assert found.with_less_or_equal > 0


def test_a_positive_diagonal_is_not_enough():
    matrix, found = positive_diagonal()
    assert (np.diag(matrix) > 0).all()
    assert not found.is_kernel
    assert np.array([1, -1]) @ matrix @ np.array([1, -1]) == -2


@given(st.integers(1, 5), st.integers(1, 4))
def test_monomials_are_as_many_as_can_be_listed(columns, degree):
    found = monomials(columns, degree)
    listed = [len(list(combinations_with_replacement(range(columns), each))) for each in range(degree + 1)]
    assert (found.up_to, found.exactly) == (sum(listed), listed[-1])


def test_the_numbers_of_the_lecture():
    assert monomials()[2:] == (1_705_904_746, 1_609_344_100)
