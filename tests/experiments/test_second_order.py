"""AROW beside other learners: how parameters are chosen and errors are laid out, on few rows."""

import gzip

import numpy as np
import pytest

from kerneltron import Arow, Perceptron
from kerneltron.datasets.adult import load_adult
from kerneltron.experiments import second_order
from kerneltron.experiments.experiment import Asked
from kerneltron.experiments.second_order import Candidate, Errors, Split

pytestmark = pytest.mark.slow


def split(seed=0, rows=400):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(2 * rows, 6))
    y = (X @ [3.0, -2, 1, 0, 0, 0] + rng.normal(size=2 * rows) > 0).astype(int)
    return Split(X[:rows], y[:rows], X[rows:], y[rows:])


def test_the_parameter_is_chosen_without_the_test_rows():
    data = split()
    candidate = Candidate(Arow, "r", (1.0, 0.001, 1000.0))
    found = second_order.compare(data, candidate, passes=2)
    hidden = data._replace(X_test=data.X, y_test=1 - data.y)
    assert second_order.compare(hidden, candidate, passes=2).value == found.value
    fitted = Arow(r=found.value, passes=2, random_state=0).fit(data.X, data.y)
    assert found.chosen == pytest.approx(1 - fitted.score(data.X_test, data.y_test))


def test_a_chosen_default_is_not_learned_twice():
    tried = []

    def make(**parameters):
        tried.append(parameters["margin"])
        return Perceptron(**parameters)

    found = second_order.compare(split(), Candidate(make, "margin", (0.0, 1e9)), passes=1)
    assert found.default == found.chosen
    assert tried == [0.0, 1e9, 0.0]


def test_newsgroups_at_random_stand_beside_published_accuracies():
    errors = {name: [Errors(0.2, 0.1, 1.0)] for name in second_order.LEARNERS}
    compared = second_order.comparisons("at-random", errors)
    published = {each.what.split(", ")[1]: each for each in compared if each.published}
    assert {name.split(" with")[0]: each.published for name, each in published.items()} == {
        "Perceptron": 79.8,
        "PassiveAggressive II": 80.1,
        "Arow": 86.0,
    }
    assert {each.ours for each in published.values()} == {80.0}  # with the default
    assert not any(each.published for each in second_order.comparisons("by-date", errors))
    folds = {name: [Errors(0.2, 0.1, 1.0), Errors(0.2, 0.3, 1.0)] for name in second_order.LEARNERS}
    assert [each.spread for each in second_order.comparisons("sms", folds)] == pytest.approx([10.0] * 6)


def written(folder, rng, rows=60):
    """Write a table as LIBSVM does, of indicators that tell the label."""
    folder.mkdir()
    for name in ("a9a", "a9a.t"):
        labels = rng.choice([-1, 1], rows)
        lines = [f"{label:+d} {1 + (label > 0)}:1 {rng.integers(3, 124)}:1" for label in labels]
        with gzip.open(folder / f"{name}.gz", "wt") as file:
            file.write("".join(f"{line}\n" for line in lines))


def test_what_is_there_is_compared_and_what_is_missing_is_said(tmp_path, monkeypatch):
    written(tmp_path / "a9a", np.random.default_rng(0))
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))
    outcome = second_order.reproduce(Asked(quick=True))
    assert list(outcome.figures) == ["a9a"]
    assert list(outcome.figures["a9a"]) == list(second_order.LEARNERS)
    assert list(outcome.left_out) == ["by-date", "at-random", "sms"]
    assert all(comparison.ours < 10 for comparison in outcome.comparisons)
    (table,) = outcome.tables
    assert [column.header for column in table.columns] == ["learner", "a9a"]
    with pytest.raises(FileNotFoundError, match="newsgroups"):
        second_order.reproduce(Asked(quick=True, parts=("by-date",)))


SOUND = "+1 1:1 3:1\n-1 2:1\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a9a", b"nonsense\n"),
        ("a9a", b"+1 1:1 200:1\n"),
        ("a9a", b""),
        ("a9a", b"7 1:1\n"),
        ("a9a.gz", b"\x1f\x8bno"),
        ("a9a.gz", gzip.compress(SOUND.encode(), mtime=0)[:-9]),
    ],
    ids=["nonsense", "wide", "empty", "label", "no gzip", "cut"],
)
def test_a_damaged_file_of_incomes_is_named_with_what_to_do(tmp_path, name, content):
    (tmp_path / "a9a.t").write_text(SOUND)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=r"is damaged \(.+\): fetch it again\. a9a and a9a\.t are") as caught:
        load_adult(tmp_path)
    assert str(tmp_path / name) in str(caught.value)


def test_incomes_are_read(tmp_path):
    for name in ("a9a", "a9a.t"):
        (tmp_path / name).write_text(SOUND)
    X, y, X_test, _ = load_adult(tmp_path)
    assert X.shape == X_test.shape == (2, 123)
    assert y.tolist() == [1, -1]
    assert X.toarray()[0, :3].tolist() == [1, 0, 1]
