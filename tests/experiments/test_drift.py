"""A rule that changes half way: the stream, the figures and the picture, on few rows."""

import numpy as np
import pytest

from kerneltron.experiments import drift
from kerneltron.experiments.experiment import Asked
from kerneltron.plots.progress_of_error import draw_progress

pytestmark = pytest.mark.slow

ROWS = 8000


def test_the_rule_changes_half_way_and_the_noise_stays():
    X, y = drift.stream(20_000)
    before, after = X[:, 0] * X[:, 1] > 0, np.abs(X[:, 0]) > np.abs(X[:, 1])
    halves = slice(0, 10_000), slice(10_000, None)
    errors = [[np.mean(y[half] != rule[half]) for rule in (before, after)] for half in halves]
    np.testing.assert_allclose(errors, [[0.05, 0.5], [0.5, 0.05]], atol=0.02)


def test_some_recover_from_the_change_and_stop_does_not():
    everyone = drift.learners(100)
    some = ("exact, PA-I", "stop", "forget", "project", "sketch")
    found = drift.run(ROWS, {name: everyone[name] for name in some}, Asked())
    stages = {name: drift.stages(progress.errors) for name, progress in found.items()}
    for name in ("exact, PA-I", "project", "sketch"):
        before, after, end = stages[name]
        assert after > before + 0.08, name
        assert end < before + 0.04, name
    assert stages["stop"][2] > 0.4
    before, after, end = stages["forget"]
    assert before < 0.35
    assert end < 0.35
    assert after < before + 0.1
    assert found["exact, PA-I"].remembered > 2000
    assert all(progress.remembered <= 100 for name, progress in found.items() if name != "exact, PA-I")


def test_the_table_and_the_picture_show_the_same_stream(monkeypatch):
    everyone = drift.learners(50)
    monkeypatch.setattr(
        drift, "learners", lambda budget: {name: everyone[name] for name in ("stop", "merge")}
    )
    outcome = drift.reproduce(Asked(quick=True))
    (table,) = outcome.tables
    assert list(table.columns[0].cells) == list(outcome.figures) == ["stop", "merge"]
    errors = outcome.figures["merge"].errors
    assert len(errors) == 4
    assert outcome.comparisons[1].ours == pytest.approx(100 * np.mean(errors[-2:]))
    axes = outcome.pictures["errors along the stream"]().axes[1]
    np.testing.assert_allclose(axes.lines[1].get_ydata(), 100 * np.array(errors))


def test_every_learner_has_a_panel():
    curves = {name: [0.1, 0.4, 0.2] for name in "abcde"}
    figure = draw_progress(curves, 1000, 1500, "five", columns=4, least=0.05)
    assert [axes.get_title() for axes in figure.axes] == list("abcde")
    assert all(len(axes.lines) == 5 + 2 for axes in figure.axes)
