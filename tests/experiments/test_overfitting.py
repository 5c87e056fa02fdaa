"""Expressiveness and overfitting, in small: the turn is there."""

import json

import numpy as np
import pytest

from kerneltron.experiments import overfitting
from kerneltron.experiments.experiment import Asked
from kerneltron.experiments.overfitting import Errors, Setting
from kerneltron.kernels import Conjunctions, Gaussian, Polynomial

SEEDS = range(2)


def curve(settings):
    pairs = np.array([[overfitting.errors(setting, seed) for seed in SEEDS] for setting in settings])
    return Errors(pairs[:, :, 0].tolist(), pairs[:, :, 1].tolist())


@pytest.mark.parametrize(
    "settings",
    [
        [Setting(Polynomial(degree), 4) for degree in (1, 2, 5)],
        [Setting(Gaussian(width), 4) for width in (8.0, 1.0, 0.125)],
        [Setting(Conjunctions(size=size).normalized(), is_boolean=True) for size in (1, 3, 5)],
    ],
    ids=["degree", "width", "size"],
)
def test_the_test_error_falls_and_rises_while_the_training_error_goes_on_falling(settings):
    found = curve(settings)
    turn = overfitting.turn([1, 2, 3], found)
    assert turn.is_there
    assert turn.value == 2
    assert turn.first - turn.least > 0.05
    assert turn.last - turn.least > 0.02
    training = np.mean(found.training, axis=1)
    assert training[0] > training[1] + 0.02
    assert training[1] > training[2] + 0.01


def test_irrelevant_columns_are_what_there_is_to_overfit():
    found = curve([Setting(Polynomial(3), columns) for columns in (0, 4, 16)])
    assert (np.diff(np.mean(found.test, axis=1)) > 0.05).all()
    assert (np.diff(np.mean(found.training, axis=1)) < -0.02).all()


def test_more_examples_close_the_gap():
    found = curve([Setting(Polynomial(2), 4, examples) for examples in (40, 160, 640)])
    gaps = np.mean(found.test, axis=1) - np.mean(found.training, axis=1)
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 0.05


@pytest.mark.parametrize("draw", [overfitting.disc, overfitting.formula])
def test_one_label_in_ten_is_flipped_and_added_columns_tell_nothing(draw):
    few, more = (draw(Setting(Polynomial(1), irrelevant), 3) for irrelevant in (0, 5))
    columns = few.X.shape[1]
    np.testing.assert_array_equal(few.X, more.X[:, :columns])
    correlations = np.corrcoef(np.column_stack([more.X_test, more.y_test]).T)[-1]
    assert np.abs(correlations[columns:-1]).max() < 0.1
    inside = np.hypot(*few.X_test[:, :2].T) < 0.5
    if draw is overfitting.disc:
        assert abs(np.mean(few.y_test != np.where(inside, 1, -1)) - overfitting.NOISE) < 0.02


@pytest.mark.slow
def test_the_experiment_has_numbers_tables_and_a_picture(monkeypatch):
    monkeypatch.setattr(overfitting, "TEST", 200)
    monkeypatch.setattr(overfitting, "EXAMPLES", (30, 60))
    monkeypatch.setattr(overfitting, "DEGREES", (1, 2, 4))
    outcome = overfitting.reproduce(Asked(quick=True))
    json.dumps(outcome.figures)
    assert [table.row_count for table in outcome.tables] == [2, 4, 3, 4, 1]
    assert len(outcome.comparisons) == 6
    assert len(outcome.pictures["overfitting"]().axes) == 5
