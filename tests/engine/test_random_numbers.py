"""Random numbers that are looked up: their distribution, their independence, and their bits."""

import numpy as np
import pytest
from scipy import stats

from kerneltron.engine.random_numbers import words_of
from kerneltron.maps.random_matrix import draw, normal_numbers

SEED = 7
# Of 1,000 x 2,000 normal numbers, drawn once.
TABLE = normal_numbers(SEED, 1, 1000, 2000).astype(np.float64)


def test_the_bits_are_those_of_model_files():
    words = np.empty(3, np.uint64)
    words_of(np.uint64(SEED), 1, 1, words)
    assert words.tolist() == [0xDC9B6C95811193E2, 0xCD118F7420F30057, 0x6F4A488B4AD92B75]
    expected = [[3201948557, 1063763298, 3157304513], [3156963656, 3213576739, 1051207780]]
    assert normal_numbers(SEED, 1, 2, 3).view(np.uint32).tolist() == expected


def test_numbers_are_quantiles_of_the_normal_distribution():
    words = np.empty(1000, np.uint64)
    words_of(np.uint64(SEED), 1, 5, words)
    bits = words.view(np.uint32)  # a sign, and 31 bits of a share of the middle
    shares = ((bits & 0x7FFFFFFF) + 0.5) / 2**31
    expected = np.where(bits >> 31, -1, 1) * stats.norm.ppf((1 + shares) / 2)
    assert TABLE[5] == pytest.approx(expected, abs=2e-6)


def test_moments_and_distribution():
    numbers = TABLE.ravel()
    n = numbers.size
    assert abs(numbers.mean()) < 4 / np.sqrt(n)
    assert abs(numbers.var() - 1) < 4 * np.sqrt(2 / n)
    assert abs(np.mean(numbers**3)) < 4 * np.sqrt(15 / n)
    assert abs(np.mean(numbers**4) - 3) < 4 * np.sqrt(96 / n)
    assert stats.kstest(numbers, "norm").pvalue > 1e-3


@pytest.mark.parametrize("bound", [2.0, 3.0, 4.0])
@pytest.mark.parametrize("sign", [-1, 1])
def test_tails(bound, sign):
    expected = TABLE.size * stats.norm.sf(bound)
    assert abs((sign * TABLE > bound).sum() - expected) < 4 * np.sqrt(expected)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("power", [1, 2])
def test_neighbours_are_independent(axis, power):
    """Rows and components next to each other, and the two numbers of a word, in size as well as in sign."""
    left, right = np.delete(TABLE, -1, axis), np.delete(TABLE, 0, axis)
    correlation = np.corrcoef(left.ravel() ** power, right.ravel() ** power)[0, 1]
    assert abs(correlation) < 4 / np.sqrt(left.size)


def test_the_correlations_of_all_rows_are_those_of_independent_ones():
    products = TABLE[:300] @ TABLE[:300].T / np.sqrt(TABLE.shape[1])
    assert stats.kstest(products[np.triu_indices(300, 1)], "norm").pvalue > 1e-3


@pytest.mark.parametrize("other", [(SEED + 1, 1), (SEED, 2)])
def test_seeds_and_streams_have_nothing_to_do_with_each_other(other):
    numbers = normal_numbers(*other, 300, 2000)
    assert abs(np.corrcoef(numbers.ravel(), TABLE[:300].ravel())[0, 1]) < 4 / np.sqrt(numbers.size)


def test_a_number_does_not_depend_on_the_others_that_are_drawn():
    assert np.array_equal(normal_numbers(SEED, 1, 40, 77), TABLE[:40, :77].astype(np.float32))
    later = np.empty((3, 2000), np.float32)
    draw(np.uint64(SEED), 1, 700, later)
    assert np.array_equal(later, TABLE[700:703])
