import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from kerneltron.cli.running import run
from kerneltron.jobs.job import Job
from kerneltron.jobs.merging import merge
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import method
from kerneltron.learning.stream_model import StreamModel
from kerneltron.models.late import beginning
from kerneltron.stream.formats.vowpal import Vowpal
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels
from kerneltron.stream.reader import Reader
from kerneltron.training import windows
from tests.additive_rules import ADAGRAD, PEGASOS

MONDAY = ("spam |t free prize free", "ham |t lunch at noon", "spam |t prize money now", "ham |t see you")
TUESDAY = (
    "ham |t lunch tomorrow",
    "spam |t money prize",
    "ham |t free tomorrow",
    "spam |t now or never",
    "ham |t so",
)
NEWS = ("news |t prime minister", "ham |t lunch", "spam |t free", "news |t election at noon")
SPORT = ("sport |t match at noon", "news |t election", "sport |t free kick", "news |t prime time")
ALL = (*MONDAY, *TUESDAY, *NEWS, *SPORT)
PUBLISHED = {"logistic": ADAGRAD, "pegasos": PEGASOS}
LEARNERS = (
    ("perceptron", {}),
    ("perceptron", {"hypothesis": "last", "fit_intercept": False}),
    ("perceptron", {"hypothesis": "random"}),
    ("logistic", {}),
    ("logistic", {"hypothesis": "last", "fit_intercept": False}),
    ("logistic", {"kernel": "Gaussian(2)"}),
    ("logistic", {"kernel": "Gaussian(2)", "hypothesis": "random"}),
    ("pegasos", {"l2": 0.1}),
    ("romma", {}),
    ("perceptron", {"kernel": "Polynomial(2)", "representation": "primal"}),
    ("perceptron", {"kernel": "Gaussian(2)"}),
    ("romma", {"kernel": "Polynomial(2)", "representation": "dual"}),
)


def trained(
    folder: Path, lines, learner="perceptron", hashing=None, before=None, **parameters
) -> StreamModel:
    path = folder / "data.vw"
    path.write_text("\n".join(lines) + "\n")
    settings = Hashing(**{"bits": 8, "signed": learner != "winnow", **(hashing or {})})
    new = Learner(
        method(learner)(random_state=0, **{**PUBLISHED.get(learner, {}), **parameters}), settings.slots
    )
    made = before.learner if before else new
    job = Job(made, settings, Vowpal(), [str(path)], keep_names=True, before=before)
    training = job.training()
    training.run()
    return job.model(training)


def scores(model: StreamModel, folder: Path) -> dict[str, np.ndarray]:
    path = folder / "all.vw"
    path.write_text("\n".join(ALL) + "\n")
    (window,) = Reader([str(path)], Vowpal(), model.hashing, Labels()).windows()
    found, classes = windows.scores(model.learner, window), model.learner.known
    if len(classes) == 2:
        return {classes[0]: -found[:, 0], classes[1]: found[:, 0]}
    return dict(zip(classes, found.T, strict=True))


def unknown(model: StreamModel, found: dict[str, np.ndarray]) -> np.ndarray:
    """Return the scores of a class that a model does not know: the mean, and a prior if they are log-odds."""
    inner = model.learner.model
    added = inner.hypothesis.added(beginning(inner.rule, inner.bias, inner.ticks))
    return np.mean(list(found.values()), axis=0) + added


def assert_mixed(merged, parts, shares, folder):
    found, each = scores(merged, folder), [scores(part, folder) for part in parts]
    assert set(found) == {label for part in each for label in part}
    for label, column in found.items():
        expected = sum(
            share * part.get(label, unknown(model, part))
            for share, part, model in zip(shares, each, parts, strict=True)
        )
        np.testing.assert_allclose(column, expected, atol=2e-6 * (1 + np.abs(expected).max()))


@pytest.mark.parametrize(("learner", "parameters"), LEARNERS, ids=str)
@pytest.mark.parametrize(
    "days", [(MONDAY, TUESDAY), (MONDAY, NEWS), (MONDAY, SPORT)], ids=["2", "2+3", "2+2"]
)
def test_the_scores_of_the_mix_are_the_mixed_scores(tmp_path, learner, parameters, days):
    parts = [trained(tmp_path, day, learner, **parameters) for day in days]
    assert_mixed(merge(parts, [0.75, 0.25]), parts, [0.75, 0.25], tmp_path)
    assert_mixed(merge(parts, [6, 2]), parts, [0.75, 0.25], tmp_path)
    total = sum(len(day) for day in days)
    assert_mixed(merge(parts), parts, [len(day) / total for day in days], tmp_path)


@pytest.mark.parametrize(("learner", "parameters"), LEARNERS, ids=str)
def test_one_model_and_twice_the_same_one_are_that_model(tmp_path, learner, parameters):
    model = trained(tmp_path, NEWS, learner, **parameters)
    assert_mixed(merge([model]), [model], [1.0], tmp_path)
    assert_mixed(merge([model, model]), [model], [1.0], tmp_path)


@pytest.mark.parametrize(("learner", "parameters"), LEARNERS, ids=str)
def test_order_does_not_matter(tmp_path, learner, parameters):
    parts = [trained(tmp_path, day, learner, **parameters) for day in (MONDAY, TUESDAY, NEWS)]
    expected = scores(merge(parts), tmp_path)
    for order in permutations(parts):
        for label, column in scores(merge(order), tmp_path).items():
            np.testing.assert_allclose(column, expected[label], atol=1e-5)


@pytest.mark.parametrize(("learner", "parameters"), LEARNERS, ids=str)
def test_models_for_prediction_merge_into_one_for_prediction(tmp_path, learner, parameters):
    parts = [trained(tmp_path, day, learner, **parameters) for day in (MONDAY, NEWS)]
    expected = scores(merge(parts), tmp_path)
    parts[0].save(tmp_path / "small.model", resumable=False)
    parts[0] = StreamModel.load(tmp_path / "small.model")
    for order in (parts, parts[::-1]):
        merged = merge(order)
        assert not merged.is_resumable
        merged.save(tmp_path / "merged.model", resumable=False)
        for label, column in scores(StreamModel.load(tmp_path / "merged.model"), tmp_path).items():
            np.testing.assert_allclose(column, expected[label], atol=1e-5)


@pytest.mark.parametrize(("learner", "parameters"), LEARNERS, ids=str)
def test_learning_goes_on_from_a_mix_and_the_parts_stay_as_they_were(tmp_path, learner, parameters):
    parts = [trained(tmp_path, day, learner, **parameters) for day in (MONDAY, NEWS)]
    before = [scores(part, tmp_path) for part in parts]
    model = trained(tmp_path, SPORT * 20, learner, before=merge(parts), **parameters)
    assert model.learner.known == ["ham", "news", "spam", "sport"]
    assert all(np.isfinite(column).all() for column in scores(model, tmp_path).values())
    for part, old in zip(parts, before, strict=True):
        for label, column in scores(part, tmp_path).items():
            assert (column == old[label]).all()


def test_the_average_goes_on_as_if_the_mix_had_been_there_for_the_sum_of_both_times(tmp_path):
    parts = [trained(tmp_path, day) for day in (MONDAY, TUESDAY)]
    merged = merge(parts)
    average, now = merged.learner.model.vectors().copy(), merged.learner.model.weights.v.copy()
    nothing = ("spam |none",)  # the constant feature alone moves, if anything does
    after = trained(tmp_path, nothing, before=merged).learner.model.vectors()
    expected = (9 * average[:-1, 0] + now[:-1]) / 10
    np.testing.assert_allclose(after[:-1, 0], expected, atol=1e-6)


def test_clocks_updates_squares_and_names_add_up(tmp_path):
    parts = [trained(tmp_path, day, "logistic") for day in (MONDAY, TUESDAY)]
    weights = [part.learner.model.weights for part in parts]
    merged = merge(parts)
    found = merged.learner.model.weights
    assert found.clock.tolist() == [9]
    assert found.updates == weights[0].updates + weights[1].updates
    np.testing.assert_allclose(found.kept, weights[0].kept + weights[1].kept, rtol=1e-6)
    np.testing.assert_allclose(found.norm, [np.square(found.v, dtype=float).sum()])
    assert merged.examples == 9
    counts = dict(zip(merged.names.texts, merged.names.counts.tolist(), strict=True))
    assert counts[b"t^free"] == 3
    assert counts[b"t^lunch"] == 2
    assert counts[b"t^never"] == 1
    assert (np.diff(merged.names.keys.astype(np.int64)) > 0).all()


def test_winnow_is_mixed_as_the_others_are_if_classes_are_the_same(tmp_path):
    for balanced in (False, True):
        parts = [
            trained(tmp_path, day, "winnow", balanced=balanced, threshold=2.0) for day in (MONDAY, TUESDAY)
        ]
        merged = merge(parts, [0.5, 0.5])
        assert_mixed(merged, parts, [0.5, 0.5], tmp_path)
        assert (merged.learner.model.weights.v[:-1] > 0).all()
        with pytest.raises(ValueError, match="only if they know the same classes"):
            merge([parts[0], trained(tmp_path, NEWS, "winnow", balanced=balanced, threshold=2.0)])


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        ({"hashing": {"bits": 9}}, {}, "bits=9 and bits=8"),
        ({}, {"hashing": {"ngrams": 2}}, "ngrams=1 and ngrams=2"),
        (
            {},
            {"learner": "logistic"},
            "different learners cannot be merged: Perceptron and LogisticRegression",
        ),
        ({"margin": 0.5}, {}, "margin=0.5 and margin=0.0"),
        ({"hypothesis": "last"}, {}, "hypothesis='last' and hypothesis='average'"),
        ({"fit_intercept": False}, {}, "fit_intercept=False and fit_intercept=True"),
        ({"kernel": "Gaussian(2)"}, {}, "form dual and primal"),
        ({"kernel": "Gaussian(2)"}, {"kernel": "Gaussian(3)"}, r"kernel Gaussian\(2\) and Gaussian\(3\)"),
        ({"hypothesis": "vote"}, {"hypothesis": "vote"}, "vote of many vectors cannot be merged"),
    ],
    ids=str,
)
def test_models_that_differ_are_refused_by_what_differs(tmp_path, one, other, message):
    with pytest.raises(ValueError, match=message):
        merge([trained(tmp_path, MONDAY, **one), trained(tmp_path, TUESDAY, **other)])


def test_the_command_line_merges_files(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, day in (("a.model", MONDAY), ("b.model", NEWS)):
        trained(tmp_path, day).save(name)
    assert run(["merge", "a.model", "b.model", "-o", "c.model", "--weights", "3,1"]) == 0
    assert capsys.readouterr().out == (
        "model     c.model (resumable)\n"
        "merged    0.75 a.model + 0.25 b.model\n"
        "examples  8\n"
        "classes   ham, news, spam\n"
    )
    assert_mixed(
        StreamModel.load("c.model"),
        [StreamModel.load("a.model"), StreamModel.load("b.model")],
        [0.75, 0.25],
        tmp_path,
    )
    assert run(["merge", "a.model", "b.model", "-o", "d.model", "--prediction-only", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["merged"] == [{"model": "a.model", "share": 0.5}, {"model": "b.model", "share": 0.5}]
    assert not StreamModel.load("d.model").is_resumable


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a.model", "b.model", "--weights", "1"], "1 weights for 2 models"),
        (["a.model", "b.model", "--weights", "1,x"], "'1,x' is not a list of numbers"),
        (["a.model", "b.model", "--weights", "1,-1"], "at least 0"),
        (["a.model", "b.model", "--weights", "0,0"], "all weights are 0"),
        (["a.model", "nowhere.model"], "nowhere.model"),
        (["a.model", "wide.model"], "bits=8 and bits=9"),
        (["data.vw"], "not a model file"),
    ],
)
def test_what_cannot_be_merged_exits_with_2_and_writes_nothing(tmp_path, capsys, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    for name in ("a.model", "b.model"):
        trained(tmp_path, MONDAY).save(name)
    trained(tmp_path, MONDAY, hashing={"bits": 9}).save("wide.model")
    assert run(["merge", *words, "-o", "c.model"]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "c.model").exists()
