"""Mixing beside serial training: the files, the figures and the picture, on little mail."""

import io

import numpy as np
import pytest
from rich.console import Console

pytest.importorskip("distributed")

from kerneltron.experiments import mixing, mixing_data, mixing_tables
from kerneltron.experiments import mixing_runs as runs
from kerneltron.experiments.experiment import Asked
from kerneltron.experiments.mixing_runs import Course, Setting, Verdict
from kerneltron.plots.mixing import draw_mixing
from kerneltron.stream.hashing import Hashing

pytestmark = pytest.mark.slow

PERCEPTRON = Setting("perceptron", {})


@pytest.fixture(scope="module")
def client():
    with mixing.client_here() as started:
        yield started


@pytest.fixture(scope="module")
def problem(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mixing") / "mail"
    return mixing_data.written("mail", mixing_data.mail(users=60), Hashing(bits=12), folder)


def test_files_are_shuffled_and_nothing_is_lost(tmp_path):
    lines = mixing_data.Lines([f"{n // 50} | w{n}" for n in range(100)], ["0 | w0", "1 | w1"])
    made = mixing_data.written("sorted", lines, Hashing(bits=10), tmp_path / "here")
    texts = [(tmp_path / "here" / f"{part}.vw").read_text() for part in ("training", "validation", "test")]
    training, validation, test = (text.splitlines() for text in texts)
    assert sorted(training + validation) == sorted(lines.training)
    assert (len(training), len(validation), test) == (90, 10, list(lines.test))
    assert {line[0] for line in training[:20]} == {"0", "1"}
    assert made.classes() == ["0", "1"]


def test_one_shard_is_the_same_mixed_or_averaged_once(problem, client):
    course = Course(2, 1, "test")
    mixed = runs.follow(problem, PERCEPTRON, course, client)
    assert mixed == runs.averaged_once(problem, PERCEPTRON, course)
    assert mixed[-1].error < 0.25


def test_the_first_round_is_an_average_and_later_ones_are_not(problem, client):
    # The last vectors: averages over all vectors are weighted by examples if mixed, by shards if not.
    course, last = Course(3, 4, "test"), Setting("perceptron", {"hypothesis": "last"})
    mixed = runs.follow(problem, last, course, client)
    once = runs.averaged_once(problem, last, course)
    assert mixed[0].error == once[0].error
    assert mixed[-1] != once[-1]
    assert max(mixed[-1].error, once[-1].error) < 0.25


def test_settings_are_chosen_without_a_look_at_test_examples(problem, client, monkeypatch):
    settings = runs.LEARNERS["winnow"]  # which reads features without signs
    errors = [runs.follow(problem, each, Course(1, 1, "validation"), client)[-1].error for each in settings]
    seen, held_out = [], problem.held_out

    def watched(part, signed):
        seen.append(part)
        return held_out(part, signed)

    classes = problem.classes()
    monkeypatch.setattr(problem, "classes", lambda: classes)
    monkeypatch.setattr(problem, "held_out", watched)
    assert runs.best_by_error(problem, settings, 1) == settings[np.argmin(errors)]
    assert set(seen) == {"validation"}


def test_the_round_is_that_from_which_on_the_goal_is_met():
    assert runs.reached([0.3, 0.2], 0.1) is None
    assert runs.reached([0.1, 0.2], 0.1) is None
    assert runs.reached([0.1, 0.1], 0.1) == 1
    verdict = Verdict("perceptron", PERCEPTRON, 0.1, {"uniform": [0.2, 0.102], "mistakes": [0.2, 0.2]})
    assert (verdict.reached("uniform"), verdict.reached("mistakes")) == (2, None)
    assert mixing_tables.table_of_verdicts("mail", [verdict], 1).row_count == 1


def test_all_parts_are_done_and_drawn(problem, tmp_path, monkeypatch):
    few = {name: runs.LEARNERS[name] for name in ("perceptron, average", "romma")}
    smaller = {"COMPARED": 2, "LEARNERS": few, "ADAPTIVE": runs.ADAPTIVE[2:3], "AROW": runs.AROW[1:2]}
    for name, value in smaller.items():
        monkeypatch.setattr(runs, name, value)
    monkeypatch.setattr(mixing, "QUICK", mixing.Size(2, 2, (1, 2), ()))
    monkeypatch.setattr(mixing, "problem_of", lambda name, folder, quick: problem)
    outcome = mixing.reproduce(Asked(quick=True, parts=("mail", *mixing.WORK)))
    assert list(outcome.figures["mail"]) == list(mixing.WORK)
    console = Console(file=io.StringIO(), width=150)
    for table in outcome.tables:
        console.print(table)
    for words in ("averaged once", "romma", "rate x sqrt(S)", "AROW"):
        assert words in console.file.getvalue()
    errors = outcome.figures["mail"]["rounds"]
    serial, mixed, once = (comparison.ours for comparison in outcome.comparisons)
    assert serial == 100 * errors["mixed"][1][-1]
    assert (mixed, once) == (100 * errors["mixed"][2][-1], 100 * errors["averaged once"][2][-1])
    assert len(outcome.pictures["parallel"]().axes) == 2


def test_data_that_are_missing_are_left_out(tmp_path, monkeypatch):
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))
    monkeypatch.setattr(mixing, "QUICK", mixing.Size(1, 1, (1, 8), ()))
    outcome = mixing.reproduce(Asked(quick=True))
    assert list(outcome.figures) == ["mail"]
    assert list(outcome.left_out) == ["a9a"]
    with pytest.raises(FileNotFoundError, match="newsgroups"):
        mixing.reproduce(Asked(quick=True, parts=("newsgroups",)))


@pytest.mark.parametrize(
    ("asked", "work", "data"),
    [
        (Asked(), ["rounds"], ["mail", "a9a"]),
        (Asked(full=True), list(mixing.WORK), list(mixing_data.NAMES)),
        (Asked(parts=("a9a", "squares")), ["squares"], ["a9a"]),
        (Asked(parts=("newsgroups",)), ["rounds"], ["newsgroups"]),
        (Asked(parts=("precisions",), full=True), ["precisions"], list(mixing_data.NAMES)),
    ],
)
def test_work_and_data_are_named_together(asked, work, data):
    assert mixing.chosen(asked, mixing.WORK, mixing.USUAL_WORK) == work
    assert mixing.chosen(asked, mixing_data.NAMES, mixing.USUAL_DATA) == data


def test_errors_or_losses_may_be_missing():
    errors = {"mail": {"mixed": {1: [0.2, 0.1], 2: [0.3, 0.2]}, "averaged once": {2: [0.3, 0.3]}}}
    losses = {name: {"added": [0.5, 0.4], "averaged": [0.5, 0.3], "serial": [0.3, 0.2]} for name in "ab"}
    assert [len(axes.lines) for axes in draw_mixing(errors, {}, 2).axes] == [3]
    assert [len(axes.lines) for axes in draw_mixing(errors, losses, 2).axes] == [3, 3, 3]


@pytest.mark.soak
@pytest.mark.real_data
def test_shards_of_a9a_reach_the_serial_error(data_folder, tmp_path, client):
    """From a few thousand rows."""
    lines = mixing_data.a9a(data_folder / "a9a")
    some = mixing_data.Lines(lines.training[:6000], lines.test[:4000])
    problem = mixing_data.written("a9a", some, Hashing(bits=10), tmp_path / "a9a")
    serial = runs.follow(problem, PERCEPTRON, Course(3, 1, "test"), client)
    mixed = runs.follow(problem, PERCEPTRON, Course(5, 8, "test"), client)
    assert mixed[-1].error < serial[-1].error + 0.005
