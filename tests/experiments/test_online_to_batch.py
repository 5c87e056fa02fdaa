"""The experiment on k / m, in small."""

import json

import numpy as np
import pytest

from kerneltron.experiments import online_to_batch as experiment
from kerneltron.experiments.experiment import AS_THEORY, Asked
from kerneltron.theory.drawn_samples import Estimate


@pytest.mark.slow
def test_k_over_m_stands_beside_the_error_of_each_hypothesis():
    outcome = experiment.reproduce(Asked(quick=True))
    assert [comparison.verdict for comparison in outcome.comparisons] == [AS_THEORY] * 4
    assert [table.row_count for table in outcome.tables] == [2, 2, 2]
    assert list(outcome.tables[0].columns[3].cells) == ["4", "4"]
    assert outcome.figures["samples"][10]["counted_after"]["mean"] < 0.3
    errors = outcome.figures["problems"]["noisy labels"]["test"]
    assert np.mean(errors["average"]) < np.mean(errors["random"])
    json.dumps(outcome.figures)


def test_the_error_of_a_random_vector_is_k_over_m_on_many_noisy_splits(monkeypatch):
    monkeypatch.setattr(experiment, "NOISY_ROWS", 30)
    monkeypatch.setattr(experiment, "HYPOTHESES", ("random",))
    found = experiment.errors_of(experiment.noisy, range(300))
    gap = Estimate.of(np.array(found.mistake_rate) - np.array(found.test["random"]))
    assert abs(gap.mean) < 4 * gap.standard_error < 0.05
