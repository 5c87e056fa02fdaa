"""Running scaling of streams: the book's scales, whatever the pieces; saved, resumed, merged, explained."""

import csv
import json
from itertools import chain

import numpy as np
import pytest
from scipy.sparse.linalg import norm

import kerneltron
from kerneltron.cli.running import run
from kerneltron.explaining.streams import explain_text
from kerneltron.files.contents import ModelFileError
from kerneltron.files.format import read, write
from kerneltron.jobs.job import Job
from kerneltron.jobs.merging import merge
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import method
from kerneltron.learning.scaler_choice import scaler_of_stream
from kerneltron.learning.stream_model import StreamModel
from kerneltron.stream.declared import Declared
from kerneltron.stream.formats.finding import format_for
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels
from kerneltron.stream.reader import Reader
from kerneltron.training import windows
from tests.additive_rules import ADAGRAD, PEGASOS
from tests.additive_rules import PUBLISHED as AS_THEY_ARE
from tests.oracle.running_scales import with_entry
from tests.oracle.scaling import scaled

HASHING = Hashing(bits=10)
PUBLISHED = {
    "arow": AS_THEY_ARE,
    "logistic": ADAGRAD,
    "mira": AS_THEY_ARE,
    "passive-aggressive": AS_THEY_ARE,
    "pegasos": PEGASOS,
}  # columns are scaled by the stream, not inside of the model
NUMBERS = ("tiny", "plain", "large", "far", "rare")


def table(n, seed=0, units=(1e-3, 1.0, 1e3, 1.0, 50.0), offsets=(0.0, 0.0, 0.0, 1e4, 0.0)):
    """Draw labelled examples with numbers on awkward scales, one of them often missing, and words."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    labels = X @ [1.0, -2.0, 1.5, 1.0, 0.5] + 0.3 * rng.normal(size=n) > 0
    for x, label in zip(X * units + offsets, labels, strict=True):
        cells = [f"{value:.10g}" for value in x]
        if rng.random() < 0.5:
            cells[-1] = ""
        yield ["yes" if label else "no", *cells, rng.choice(["red blue", "green", "red"])]


def written(path, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([["label", *NUMBERS, "text"], *rows])
    return str(path)


def trained(path, name="logistic", before=None, scales=True, hashing=HASHING, threads=2, **parameters):
    learner = (
        before.learner
        if before
        else Learner(method(name)(random_state=0, **{**PUBLISHED.get(name, {}), **parameters}), hashing.slots)
    )
    if scales and before is None:
        learner.scaler = scaler_of_stream(hashing, learner.method)
    declared = Declared(roles={"text": "text", **dict.fromkeys(NUMBERS, "number")})
    job = Job(learner, hashing, format_for([path], declared), [path], before=before, threads=threads)
    training = job.training()
    training.run()
    return job.model(training)


def all_rows(model, path):
    return list(Reader([path], model.format, model.hashing, Labels(), threads=1).windows())


def scores(model, path):
    return np.concatenate([windows.scores(model.learner, window) for window in all_rows(model, path)])


def saved(model):
    contents = model.contents()
    return contents.header, {name: array.tobytes() for name, array in contents.tensors.items()}


@pytest.fixture
def small_windows(monkeypatch):
    monkeypatch.setattr("kerneltron.stream.window.ROWS", 70)


def as_counted(values):
    """Return a column as it counts, where some of the first entries are limited by chance; None stays."""
    there = []
    for rows, x in enumerate(values, 1):
        if x is not None:
            there = with_entry(there, x, is_centred=len(there) + 1 == rows)
    counted = iter(there)
    return [None if x is None else next(counted) for x in values]


def test_rows_are_scaled_as_the_book_says(tmp_path):
    path = written(tmp_path / "some.csv", table(200))
    model = trained(path)
    (window,) = all_rows(model, path)
    raw = [
        dict(zip(window.indices[a:b].tolist(), window.values[a:b].tolist(), strict=True))
        for a, b in zip(window.starts, window.starts[1:], strict=False)
    ]
    slots = sorted({slot for row in raw for slot in row})
    columns = [as_counted([row.get(slot) for row in raw]) for slot in slots]
    known = scaled(list(zip(*columns, strict=True)), [1.0] * 200, "missing", True)
    found = model.learner.scaled(windows.matrix(model.learner, window))
    for i, row in enumerate(raw):
        for slot, x in row.items():
            centre, factor = known[slots.index(slot)]
            assert found[i, slot] == pytest.approx(float((x - centre) * factor), rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("name", ["logistic", "arow"])
def test_one_outlier_costs_at_most_a_point(tmp_path, name):
    test = written(tmp_path / "test.csv", table(1000, seed=1))
    labels = np.array([row[0] == "yes" for row in table(1000, seed=1)])

    def error(rows):
        model = trained(written(tmp_path / "some.csv", rows), name)
        return np.mean((scores(model, test)[:, 0] > 0) != labels)

    plain = error(table(500))
    for place, size in ((0, 1e15), (2, 100.0), (400, -1e4)):
        rows = list(table(500))
        rows[place][2] = str(size)
        assert error(rows) <= plain + 0.01


def test_units_and_offsets_of_columns_change_little(tmp_path):
    one = written(tmp_path / "one.csv", table(1500))
    other = written(tmp_path / "other.csv", table(1500, units=(1e5, 1e-4, 1.0, 7.0, 1e4), offsets=[0.0] * 5))
    a, b = trained(one), trained(other)
    np.testing.assert_allclose(scores(a, one), scores(b, other), atol=0.02)
    labels = np.array([row[0] == "yes" for row in table(1500)])
    for model, path in ((a, one), (b, other)):
        assert np.mean((scores(model, path)[:, 0] > 0) == labels) > 0.93
    assert np.mean((scores(trained(one, scales=False), one)[:, 0] > 0) == labels) < 0.8


@pytest.mark.usefixtures("small_windows")
@pytest.mark.parametrize("name", ["logistic", "passive-aggressive", "arow", "winnow"])
def test_the_same_bytes_whatever_the_chunks_and_threads(tmp_path, name, monkeypatch):
    path = written(tmp_path / "some.csv", table(400, offsets=(5.0, 9.0, 9e3, 1e4, 400.0)))
    hashing = Hashing(bits=10, signed=name != "winnow")
    expected = saved(trained(path, name, hashing=hashing, passes=2))
    assert expected == saved(trained(path, name, hashing=hashing, passes=2, threads=1))
    monkeypatch.setattr("kerneltron.stream.chunks.CHUNK", 512)
    assert expected == saved(trained(path, name, hashing=hashing, passes=2))


def test_winnow_takes_no_negative_features_so_nothing_is_centred(tmp_path):
    path = written(tmp_path / "some.csv", table(300, offsets=(5.0, 9.0, 9e3, 1e4, 400.0)))
    model = trained(path, "winnow", hashing=Hashing(bits=10, signed=False))
    (window,) = all_rows(model, path)
    assert model.learner.scaled(windows.matrix(model.learner, window)).min() >= 0.0


@pytest.mark.usefixtures("small_windows")
def test_going_on_counts_further_examples_and_further_passes_do_not(tmp_path):
    paths = [written(tmp_path / f"{seed}.csv", table(300, seed)) for seed in (0, 1)]
    whole = written(tmp_path / "whole.csv", [*table(300, 0), *table(300, 1)])
    model = trained(paths[0], passes=3)
    assert model.learner.scaler.moments.total == 300
    model.save(tmp_path / "first.model")
    again = trained(paths[1], before=StreamModel.load(tmp_path / "first.model"))
    expected = trained(whole).learner.scaler.moments
    for name in ("weights", "means", "squares"):
        np.testing.assert_array_equal(getattr(again.learner.scaler.moments, name), getattr(expected, name))


def test_an_interrupted_training_leads_to_the_same_bytes(tmp_path, monkeypatch):
    path = written(tmp_path / "some.csv", table(900))
    command = ["train", path, "--scale", "--bits", "10", "--passes", "2", "--checkpoint-every", "100", "-q"]
    assert run([*command, "-o", str(tmp_path / "whole.model")]) == 0
    from kerneltron.training.checkpoints import Checkpoints

    write_one, count = Checkpoints.write_when_due, 0

    def interrupted(self, training):
        nonlocal count
        count += 1
        write_one(self, training)
        if count == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(Checkpoints, "write_when_due", interrupted)
    again = [*command, "-o", str(tmp_path / "part.model")]
    assert run(again) != 0
    assert run([*again, "--resume"]) == 0
    assert (tmp_path / "part.model").read_bytes() == (tmp_path / "whole.model").read_bytes()


# -- merging -------------------------------------------------------------------------------------------------


def everywhere(n, seed, **more):
    """Rows that lack nothing: there, scores of the mix are mixed scores, wherever columns are centred."""
    return [[*row[:5], row[5] or "0", row[6]] for row in table(n, seed, **more)]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("logistic", {}),
        ("logistic", {"hypothesis": "last"}),
        ("perceptron", {}),
        ("pegasos", {"l2": 0.01}),
        ("arow", {}),
    ],
    ids=str,
)
def test_the_scores_of_the_mix_are_the_mixed_scores(tmp_path, name, parameters):
    rows = [everywhere(300, 0), everywhere(500, 1, units=(2e-3, 3.0, 500.0, 9.0, 60.0))]
    paths = [written(tmp_path / f"{i}.csv", part) for i, part in enumerate(rows)]
    parts = [trained(path, name, **parameters) for path in paths]
    mixed = merge(parts, [0.75, 0.25])
    for path in paths:
        expected = 0.75 * scores(parts[0], path) + 0.25 * scores(parts[1], path)
        np.testing.assert_allclose(scores(mixed, path), expected, rtol=1e-3, atol=2e-3)
    whole = trained(written(tmp_path / "whole.csv", chain(*rows)), name, **parameters)
    for attribute in ("weights", "means", "squares"):
        found = getattr(mixed.learner.scaler.moments, attribute)
        np.testing.assert_allclose(found, getattr(whole.learner.scaler.moments, attribute), rtol=1e-9)
    parts[0].save(tmp_path / "small.model", resumable=False)
    small = merge([StreamModel.load(tmp_path / "small.model"), parts[1]], [0.75, 0.25])
    np.testing.assert_allclose(scores(small, paths[0]), scores(mixed, paths[0]), rtol=1e-3, atol=2e-3)


def test_examples_of_a_base_count_once(tmp_path):
    rows = [everywhere(200, seed) for seed in range(3)]
    paths = [written(tmp_path / f"{i}.csv", part) for i, part in enumerate(rows)]
    trained(paths[0]).save(tmp_path / "base.model")
    base, one, two = (StreamModel.load(tmp_path / "base.model") for _ in range(3))
    mixed = merge([trained(paths[1], before=one), trained(paths[2], before=two)], None, base)
    whole = trained(written(tmp_path / "whole.csv", chain(*rows))).learner.scaler.moments
    assert mixed.learner.scaler.moments.total == 600
    np.testing.assert_allclose(mixed.learner.scaler.moments.means, whole.means, rtol=1e-9)
    np.testing.assert_allclose(mixed.learner.scaler.moments.squares, whole.squares, rtol=1e-9)
    labels = np.array([row[0] == "yes" for row in rows[0]])
    assert np.mean((scores(mixed, paths[0])[:, 0] > 0) == labels) > 0.9


def test_what_cannot_be_merged_is_refused(tmp_path):
    paths = [written(tmp_path / f"{seed}.csv", table(100, seed)) for seed in (0, 1)]
    with pytest.raises(ValueError, match="some were trained with `scale`"):
        merge([trained(paths[0]), trained(paths[1], scales=False)])
    with pytest.raises(ValueError, match="only where each column has a weight"):
        merge([trained(path, "perceptron", kernel="Gaussian(2)") for path in paths])
    with pytest.raises(ValueError, match="without a constant feature"):
        merge([trained(path, fit_intercept=False) for path in paths])
    model = trained(paths[0], "perceptron", kernel="Gaussian(2)")
    assert merge([model, model]).learner.scaler.moments.total == 200


# -- files, explanations and commands ------------------------------------------------------------------------


def test_a_loaded_pipeline_says_the_same_and_is_saved_as_it_was(tmp_path):
    path = written(tmp_path / "some.csv", table(300))
    model = trained(path)
    model.save(tmp_path / "one.model")
    pipeline = kerneltron.load(tmp_path / "one.model")
    rows = [dict(zip(["label", *NUMBERS, "text"], row, strict=True)) for row in table(300)]
    examples = [
        {name: float(value) if name in NUMBERS else value for name, value in row.items() if value != ""}
        for row in rows
    ]
    np.testing.assert_allclose(
        pipeline.decision_function(examples), scores(model, path)[:, 0], rtol=1e-4, atol=1e-5
    )
    kerneltron.save(pipeline, tmp_path / "again.model")
    assert (tmp_path / "again.model").read_bytes() == (tmp_path / "one.model").read_bytes()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("counts", lambda a: a - 1e9),
        ("counts", lambda a: a + 1e9),
        ("squares", lambda a: a - 1e12),
        ("packed.slots", lambda a: a[::-1].copy()),
        ("packed.slots", lambda a: a + 2000),
        ("means", lambda a: a[:-1]),
        ("means", lambda a: a.astype(np.float32)),
    ],
)
def test_damaged_scales_are_refused(tmp_path, name, change):
    path = tmp_path / "one.model"
    trained(written(tmp_path / "some.csv", table(50))).save(path)
    contents = read(path)
    key = f"learner.scale_.columns.{name}"
    write(path, contents._replace(tensors={**contents.tensors, key: change(contents.tensors[key])}))
    with pytest.raises(ModelFileError):
        StreamModel.load(path)


def test_a_version_that_cannot_scale_would_refuse_the_file(tmp_path):
    contents = trained(written(tmp_path / "some.csv", table(50))).contents()
    parameters = contents.part("learner").part("parameters").header
    assert parameters.pop("stream_scale") is True
    with pytest.raises(ModelFileError, match="does not agree with itself"):
        StreamModel.restore(contents)


@pytest.mark.parametrize("copies", [1, 3])
def test_contributions_add_up_to_the_score(tmp_path, copies):
    model = trained(written(tmp_path / "some.csv", table(300)), hashing=Hashing(bits=4, copies=copies))
    (found,) = explain_text(model, "yes,0.002,1.5,900,10002,30,red blue", top=None)
    assert sum(row.contribution for row in found.rows) == pytest.approx(found.score, rel=1e-3)
    assert all(row.contribution == pytest.approx(row.value * row.weight) for row in found.rows)


def test_rows_get_length_1_behind_the_scaler(tmp_path, capsys):
    paths = [written(tmp_path / f"{seed}.csv", table(300, seed)) for seed in (0, 1)]
    files = [str(tmp_path / f"{name}.model") for name in ("one", "other", "both")]
    for path, file in zip(paths, files, strict=False):
        assert run(["train", path, "--scale", "--normalize", "-q", "--bits", "10", "-o", file]) == 0
    model = StreamModel.load(files[0])
    (window,) = all_rows(model, paths[0])
    raw, scaler = windows.matrix(model.learner, window), model.learner.scaler
    found = model.learner.scaled(raw)
    np.testing.assert_allclose(norm(found, axis=1), 1.0, rtol=1e-6)
    scaler.unit_rows = False
    plain = scaler.matrix(raw)
    scaler.unit_rows = True
    np.testing.assert_allclose(found.toarray(), plain.toarray() / norm(plain, axis=1)[:, None], rtol=1e-5)
    pipeline = kerneltron.load(files[0])
    rows = [dict(zip(("text", *NUMBERS), (row[-1], *row[1:-1]), strict=True)) for row in list(table(300))[:3]]
    rows = [{key: float(x) if key in NUMBERS else x for key, x in row.items() if x != ""} for row in rows]
    np.testing.assert_allclose(pipeline.decision_function(rows), scores(model, paths[0])[:3, 0], rtol=1e-4)
    (explained,) = explain_text(model, "yes,0.002,1.5,900,10002,30,red blue", top=None)
    assert sum(row.contribution for row in explained.rows) == pytest.approx(explained.score, rel=1e-3)
    assert run(["merge", *files[:2], "-o", files[2]]) == 0
    assert run(["evaluate", files[2], paths[0], "--normalize", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["error"] < 0.2
    assert run(["predict", files[2], paths[0], "--no-normalize"]) == 2


def test_commands_scale_and_refuse_what_contradicts_them(tmp_path, capsys):
    path, model = written(tmp_path / "some.csv", table(300)), str(tmp_path / "m.model")
    plain = str(tmp_path / "plain.model")
    assert run(["train", path, "--scale", "-o", model, "-q", "--bits", "10"]) == 0
    assert run(["train", path, "--no-scale", "-o", plain, "-q", "--bits", "10"]) == 0
    assert run(["predict", model, path, "--scale"]) == run(["evaluate", model, path]) == 0
    assert run(["evaluate", path, "--folds", "2", "--scale", "--bits", "10", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["error"] < 0.15
    for command, why in (
        (["predict", model, path, "--no-scale"], "trained with --scale"),
        (["predict", plain, path, "--scale"], "trained without --scale"),
        (["train", path, "--from", plain, "--scale", "-o", model], "trained without --scale"),
        (["train", path, "--scale", "--binary", "-o", model], "--scale or --binary, not both"),
        (["merge", model, plain, "-o", model], "some were trained with --scale"),
    ):
        assert run(command) == 2
        assert why in capsys.readouterr().err
