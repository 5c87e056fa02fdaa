"""The table of the defaults, on sets that are generated."""

import json

import numpy as np
import pytest

from benchmarks.defaults import case, command_line, measuring, ours, peers, sets
from benchmarks.defaults.before import keep, load_before
from benchmarks.defaults.evaluating import errors_of
from benchmarks.defaults.page import page
from benchmarks.settings import Settings
from kerneltron import LogisticRegression
from kerneltron.datasets.messages import messages

QUICK = Settings(repeats=1, quick=True)


@pytest.fixture(scope="module")
def rows():
    return case.defaults(QUICK, ["awkward scales"])


@pytest.mark.slow
def test_the_quick_run_measures_ours_and_peers(rows):
    figures = rows[0].raw
    assert set(ours.defaults(sets.load("awkward scales", quick=True))) == set(figures["ours"])
    assert 0 <= figures["ours"]["LogisticRegression()"]["error"] <= 1
    assert figures["ours"]["LogisticRegression()"]["log_loss"] > 0
    assert "negative" in figures["ours"]["Winnow()"]["without"]
    assert "error" in figures["peers"]["SVC"]
    assert set(figures["passes"]) == {"1", "2", "5", "10", "20"}
    json.dumps([row._asdict() for row in rows])


def test_each_goal_has_a_row_with_its_share(rows):
    questions = [row for row in rows if row.target is not None]
    assert len(questions) >= 5
    assert all(row.figure is None or 0 <= row.figure <= 1 for row in questions)


def test_a_set_without_data_is_told_of_and_left_out(tmp_path, monkeypatch):
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))
    sets.load.cache_clear()
    first, *_ = case.defaults(QUICK, ["sms"])
    assert first.figure is None
    assert "no data" in first.theirs


def test_peers_that_are_not_installed_say_so(monkeypatch):
    monkeypatch.setattr(peers, "find_spec", lambda name: None)
    found = {peer.name: peer for peer in peers.peers(sets.load("letters", quick=True))}
    assert found["VW"].make is None
    assert found["river PAClassifier"].reason == "not installed"
    assert found["SVC"].make is not None


def test_candidates_never_see_the_test_rows():
    seen = []

    class Spy(LogisticRegression):
        def fit(self, X, y):
            seen.extend(map(tuple, X))
            return super().fit(X, y)

        def predict(self, X):
            seen.extend(map(tuple, X))
            return super().predict(X)

    found = errors_of(Spy, quick=True, names=["label noise"])
    assert list(found) == ["label noise"]
    split = sets.load("label noise", quick=True).splits[0]
    assert set(seen) == set(map(tuple, split.X))


def test_errors_are_repeatable_though_learners_have_no_seed():
    first, second = (errors_of(LogisticRegression, quick=True, names=["letters"]) for _ in range(2))
    assert first["letters"].error == second["letters"].error


def test_a_stream_is_predicted_before_it_is_learned_from():
    class Cheat:
        """Know all that has been learned, and nothing else."""

        def __init__(self):
            self.known = {}

        def partial_fit(self, X, y, classes):
            self.known[X.tobytes()] = y[0]

        def predict(self, X):
            return np.array([self.known.get(X.tobytes(), -1)])

    found = errors_of(Cheat, kind="streams", quick=True, names=["drift"])
    assert found["drift"].error == 1


def test_the_best_is_chosen_for_each_split_on_its_training_rows():
    data = sets.load("letters", quick=True)
    good = ours.Candidate("good", lambda: LogisticRegression(passes=5), True)
    bad = ours.Candidate("bad", lambda: LogisticRegression(passes=0.05), False)
    best, linear = measuring.best_of([bad, good], data)
    assert best.chosen == ["good"]
    assert linear is not None
    assert linear.outcome.error == best.outcome.error
    assert measuring.best_of([bad], data)[1] is None


@pytest.mark.slow
def test_the_command_line_learns_texts():
    labels, _, texts = zip(*messages(200), strict=True)
    learner = command_line.CommandLine("--ngrams", "2").fit(texts[:150], np.array(labels[:150]))
    likely = learner.predict_proba(texts[150:])
    assert np.mean(learner.predict(texts[150:]) == np.array(labels[150:])) > 0.7
    assert np.allclose(likely.sum(axis=1), 1, atol=1e-5)
    other = command_line.CommandLine("--learner", "perceptron").fit(texts[:150], np.array(labels[:150]))
    assert np.allclose(other.predict_proba(texts[150:]).sum(axis=1), 1, atol=1e-5)


def test_the_command_line_refuses_what_it_does_not_know():
    with pytest.raises(RuntimeError, match="code 2"):
        command_line.CommandLine("--no-such-option").fit(["a", "b"], np.array(["x", "y"]))


def test_the_page_shows_before_beside_now(rows, tmp_path):
    figures = [row.raw for row in rows if "verdicts" in row.raw]
    path = tmp_path / "before.json"
    keep(figures, path)
    before = load_before(path)
    before["awkward scales"]["ours"]["LogisticRegression()"]["error"] = 0.4321
    written = page(figures, before, {"versions": {"numpy": "2.0"}})
    lines = written.splitlines()
    assert "Measured with numpy 2.0." in lines
    assert any(line.startswith("| awkward scales | 43.2 ±") for line in lines)
    assert "Left out for want of data: spambase" in written
    assert all(line.count("|") > 2 for line in lines if line.startswith("|"))


def test_without_figures_before_the_page_has_dashes(rows):
    figures = [row.raw for row in rows if "verdicts" in row.raw]
    assert "| awkward scales | - |" in page(figures, {}, {"versions": {}})
