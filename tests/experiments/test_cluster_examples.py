"""The experiments about clusters that need no real data."""

import sys

import pytest

from kerneltron.experiments import counter_example, mixing, two_workers
from kerneltron.experiments.experiment import AS_THEORY, Asked

pytestmark = pytest.mark.slow


def test_averaging_once_fails_whatever_the_shares_and_rounds_do_not():
    results = counter_example.run()
    assert ((results.once <= 0).sum(axis=1) >= 1).all()
    assert (results.mixed[1:] > 0).all()


def test_the_counter_example_is_as_published_and_drawn():
    outcome = counter_example.reproduce(Asked())
    assert [comparison.verdict for comparison in outcome.comparisons] == [AS_THEORY, AS_THEORY]
    assert next(iter(outcome.tables[0].columns[1].cells)) == "1 to 2"
    assert [len(axes.lines) for axes in outcome.pictures["counter-example"]().axes] == [5, 5]


@pytest.mark.soak
def test_the_end_of_the_demo_learns_on_two_processes():
    outcome = two_workers.reproduce(Asked(quick=True))
    rounds, test = outcome.tables
    assert rounds.title.startswith("kerneltron train mail.vw --workers 2 --rounds 3")
    assert rounds.row_count == two_workers.ROUNDS
    assert test.row_count == len(two_workers.NAMES)
    (error,) = outcome.comparisons
    assert error.what.startswith("2 processes")
    assert error.ours == 100 * outcome.figures["test"]["error"] < 10


def test_a_command_that_fails_is_named(monkeypatch):
    monkeypatch.setattr(two_workers, "WORDS", ("kerneltron", "train", two_workers.TRAINING, "--format", "?"))
    with pytest.raises(RuntimeError, match=r"`kerneltron train mail.vw --format .* ended with exit code 2"):
        two_workers.run(users=2)


@pytest.mark.parametrize("experiment", [mixing, two_workers])
def test_what_is_missing_without_dask_is_said(experiment, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ValueError, match=r"pip install 'kerneltron\[cluster\]'"):
        experiment.reproduce(Asked(quick=True))
