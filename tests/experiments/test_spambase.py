"""The run on e-mails: on made-up data, and a small one on the real."""

import json
import sys

import numpy as np
import pytest

from kerneltron.datasets.spambase import Emails, load_spambase
from kerneltron.experiments import spambase

pytestmark = pytest.mark.slow


def made_up(rows=400, seed=0):
    """Draw rows whose label is whether two of three columns agree: no plane tells them apart."""
    X = np.random.default_rng(seed).exponential(size=(rows, 3))
    return Emails(X, ((X[:, 0] > 0.7) == (X[:, 1] > 0.7)).astype(int))


def test_splits_are_scaled_by_their_training_parts(monkeypatch):
    monkeypatch.setattr(spambase, "TRAINING", 300)
    data = made_up()
    first, second = spambase.splits(data, 10.0, 2)
    assert (first.X.shape, first.X_test.shape) == ((300, 3), (100, 3))
    np.testing.assert_allclose(first.X.mean(0), 0, atol=1e-6)
    np.testing.assert_allclose(first.X.std(0), 1, atol=1e-6)
    assert not np.array_equal(first.X, second.X)
    rows = np.random.default_rng(0).permutation(400)
    learn = np.log1p(10 * data.X[rows[:300]])
    wanted = (np.log1p(10 * data.X[rows[300:]]) - learn.mean(0)) / learn.std(0)
    np.testing.assert_allclose(first.X_test, wanted, rtol=1e-4, atol=1e-5)


def test_kitchen_sinks_learn_what_a_plane_cannot(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(spambase, "TRAINING", 300)
    monkeypatch.setattr(spambase, "CANDIDATES", ((0.5, 0.0), (50.0, 1.0)))
    monkeypatch.setattr(spambase, "load_spambase", lambda folder: made_up())
    path = tmp_path / "figures.json"
    monkeypatch.setattr(sys, "argv", ["spambase", "--quick", "--search", "--json", str(path)])
    spambase.main()
    out = capsys.readouterr().out
    assert "2 splits; inputs log(1 + 10 x)" in out
    assert "6.12" in out
    errors = {row["learner"]: row["errors"] for row in json.loads(path.read_text())}
    assert list(errors) == [spambase.TREE, spambase.LINEAR, spambase.SINKS, spambase.SEARCHED]
    assert {len(each) for each in errors.values()} == {2}
    assert min(errors[spambase.LINEAR]) > 0.25
    assert max(errors[spambase.SEARCHED]) < 0.2


@pytest.mark.parametrize(
    ("options", "message"), [(["--folder", "nowhere"], "is in nowhere"), (["--factor", "0"], "--factor 0")]
)
def test_the_command_says_what_is_wrong(monkeypatch, capsys, options, message):
    monkeypatch.setattr(sys, "argv", ["spambase", *options])
    with pytest.raises(SystemExit) as exit_:
        spambase.main()
    assert exit_.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.real_data
def test_the_order_of_the_lecture():
    """Published: 9.3, 8.27 and 6.12 %; `python -m kerneltron.experiments.spambase` has all splits."""
    names = (spambase.TREE, spambase.LINEAR, spambase.SINKS)
    rows = spambase.run(spambase.splits(load_spambase(), spambase.FACTOR, 3), names)
    tree, linear, sinks = (np.mean(row.errors) for row in rows)
    assert tree > linear > sinks
    assert linear < 0.0827
    assert sinks < 0.056
