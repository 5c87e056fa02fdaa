"""Mistakes against the number of attributes, in small."""

import json

import numpy as np
import pytest

from kerneltron import Winnow
from kerneltron.experiments import winnow
from kerneltron.experiments.experiment import Asked
from kerneltron.experiments.winnow import BEST_WINNOW, PERCEPTRON, WINNOW


@pytest.fixture(scope="module")
def irrelevant():
    return winnow.grow_irrelevant((16, 64, 256), range(2), Asked())


def test_examples_follow_a_disjunction_of_four():
    pieces = list(winnow.few_relevant(40, seed=3))
    X, y = np.concatenate([X for X, _ in pieces]), np.concatenate([y for _, y in pieces])
    never = np.flatnonzero(X[y < 0].sum(axis=0) == 0)
    assert never.size == winnow.RELEVANT
    assert (X[y > 0][:, never].sum(axis=1) == 1).all()
    assert abs(np.delete(X, never, axis=1).mean() - 0.5) < 0.02


@pytest.mark.slow
def test_winnow_grows_with_the_logarithm_and_the_perceptron_with_the_number(irrelevant):
    few, many = (
        winnow.shapes(irrelevant.attributes, irrelevant.means(name)) for name in (WINNOW, PERCEPTRON)
    )
    assert few.exponent < 0.4
    assert few.explained_by_logarithm > 0.98
    assert 0.9 < many.exponent < 1.15
    assert many.explained_by_power > 0.99 > many.explained_by_logarithm


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("attributes", [8, 32, 100])
def test_winnow_keeps_to_its_bound(attributes, seed):
    made = winnow.mistakes(Winnow(hypothesis="last"), winnow.few_relevant(attributes, seed))
    assert 0 < made <= winnow.bound(attributes)


@pytest.mark.soak
def test_it_is_the_other_way_round_where_all_attributes_matter():
    found = winnow.grow_relevant((32, 128), range(2), Asked())
    assert (found.means(PERCEPTRON) < 0.95 * found.means(BEST_WINNOW)).all()
    assert (found.means(BEST_WINNOW) <= found.means(WINNOW)).all()


def test_shapes_are_told_apart():
    n = [16, 64, 256, 1024]
    straight = winnow.shapes(n, [3 * each for each in n])
    assert (straight.factor, straight.exponent) == pytest.approx((3, 1))
    np.testing.assert_allclose(straight.power(n), 3 * np.array(n))
    flat = winnow.shapes(n, [5 + 2 * np.log2(each) for each in n])
    assert (flat.start, flat.per_doubling, flat.explained_by_logarithm) == pytest.approx((5, 2, 1))
    np.testing.assert_allclose(flat.logarithm(256), 21)


@pytest.mark.slow
def test_the_experiment_has_numbers_tables_and_a_picture():
    outcome = winnow.reproduce(Asked(quick=True))
    json.dumps(outcome.figures)
    assert [table.row_count for table in outcome.tables] == [5 + 4, 2 + 4]
    assert outcome.comparisons[0].verdict == "as theory says"
    assert len(outcome.pictures["winnow"]().axes) == 2
