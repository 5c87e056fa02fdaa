"""Saving, killing and going on: the same bytes again, nothing left behind, and code that is compiled anew."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from sklearn.pipeline import make_pipeline

from kerneltron import Hasher, Perceptron, load, save
from kerneltron.cli.running import run
from kerneltron.files.format import read, write
from kerneltron.jobs.job import Job
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import method
from kerneltron.learning.stream_model import StreamModel
from kerneltron.stream.formats.vowpal import Vowpal
from kerneltron.stream.hashing import Hashing
from kerneltron.training import checkpoints

# -- models of the command line ----------------------------------------------------------------------------

CSV = "label,user,text,age\n" + "".join(
    f'{"ab"[i % 2]},u{i % 3},"word{i % 5}, more{i % 2}",{i}\n' for i in range(40)
)
FILES = {
    "some.vw": "".join(f"{'ab'[i % 2]} |t w{i % 5} v{i % 2} |u x:{i}\n" for i in range(40)),
    "some.svm": "".join(f"{i % 2} 1:{i} {i % 7 + 2}:1\n" for i in range(40)),
    "some.csv": CSV,
    "some.tsv": CSV.replace('"', "").replace(", ", " ").replace(",", "\t"),
    "some.jsonl": "".join(
        f'{{"label": "{"ab"[i % 2]}", "text": "word{i % 5} more", "n": {i}}}\n' for i in range(40)
    ),
}
OPTIONS = {
    "plain": [],
    "names": ["--names"],
    "winnow": ["--learner", "winnow", "--names"],
    "passes": ["--learner", "logistic", "--passes", "3", "--hypothesis", "last"],
    "kernel": ["--learner", "perceptron", "--kernel", "Gaussian(2.0)", "--names"],
    "predict": ["--names", "--prediction-only"],
}


def train(source, target, *options):
    assert run(["train", str(source), "-o", str(target), "--bits", "8", "-q", *options]) == 0


@pytest.mark.parametrize(
    ("source", "option"),
    [*((source, "names") for source in FILES), *(("some.vw", option) for option in OPTIONS)],
)
def test_a_model_of_the_command_line_is_saved_as_it_was(source, option, tmp_path, capsys):
    path, model, again = tmp_path / source, tmp_path / "cli.model", tmp_path / "again.model"
    path.write_text(FILES[source])
    label = ["--label", "label"] if "label" in FILES[source] else []
    train(path, model, *OPTIONS[option], *label)
    save(load(model), again, resumable=option != "predict")
    assert again.read_bytes() == model.read_bytes()


def test_examples_that_were_learned_from_after_loading_are_counted(tmp_path, capsys):
    path, model, again = tmp_path / "some.vw", tmp_path / "cli.model", tmp_path / "again.model"
    path.write_text(FILES["some.vw"])
    train(path, model, "--names", "--passes", "1")
    pipeline = load(model)
    rows = pipeline[0].transform(["| w1 w2", "| v0"])
    pipeline[-1].partial_fit(rows, ["a", "b"])
    save(pipeline, again)
    assert StreamModel.load(again).examples == 42
    assert len(StreamModel.load(again).names) == len(StreamModel.load(model).names)


def test_a_pipeline_that_reads_otherwise_is_no_model_of_the_command_line(tmp_path, capsys):
    path, model, again = tmp_path / "some.vw", tmp_path / "cli.model", tmp_path / "again.model"
    path.write_text(FILES["some.vw"])
    train(path, model)
    pipeline = load(model)
    pipeline.set_params(hasher__lowercase=not pipeline[0].lowercase)
    save(pipeline, again)
    assert load(again)[0].lowercase == pipeline[0].lowercase
    save(make_pipeline(Hasher(bits=8), Perceptron()).fit(["a b", "c d"], [0, 1]), again)
    assert load(again).predict(["a b"]).tolist() == [0]


# -- checkpoints within a window -------------------------------------------------------------------------


def begun(source, name, options, every=None):
    learner = Learner(method(name)(random_state=0, **options), 256)
    job = Job(learner, Hashing(bits=8, signed=False), Vowpal(), [str(source)])
    training = job.training()
    training.every = every
    return job, training


LEARNERS = [
    ("perceptron", {"passes": 2}),
    ("perceptron", {"hypothesis": "random"}),
    ("perceptron", {"hypothesis": "last", "delta": 0.5}),
    ("perceptron", {"shuffle": False}),
    ("perceptron", {"kernel": "Polynomial(2)", "representation": "primal"}),
    ("logistic", {"passes": 3, "early_stopping": True}),
    ("logistic", {"schedule": "inverse"}),
    ("romma", {}),
    ("mira", {}),
    ("winnow", {"balanced": True}),
]


@pytest.mark.parametrize(("name", "options"), LEARNERS)
def test_a_training_goes_on_from_within_a_window(name, options, tmp_path):
    labels = "ab" if "kernel" in options else "abc"  # mapped rows of three classes go in blocks
    lines = [
        f"{labels[i % len(labels)] if i % 11 else ''} |t w{i * 7 % 23} v{i % 5} u{i % 3}\n"
        for i in range(300)
    ]
    source = tmp_path / "some.vw"
    source.write_text("".join(lines))
    if "kernel" in options:
        source.write_text("".join(lines[:120]))
    job, whole = begun(source, name, options)
    whole.run()
    job.model(whole).save(tmp_path / "whole.model")
    kept = []

    def keep(training):
        kept.append(tmp_path / f"{len(kept)}.checkpoint")
        write(kept[-1], checkpoints.state(training, {}))

    job, watched = begun(source, name, options, every=37)
    watched.run(keep)
    assert max(read(path).header["visits"] for path in kept) > 37
    for number, path in enumerate(kept[:: max(1, len(kept) // 5)]):
        job, resumed = begun(source, name, options, every=37 if number % 2 else 50)
        checkpoints.restore(read(path), resumed, {})
        resumed.run()
        assert resumed.progress.examples == whole.progress.examples
        assert resumed.findings.unlabelled == whole.findings.unlabelled
        job.model(resumed).save(tmp_path / "resumed.model")
        assert (tmp_path / "resumed.model").read_bytes() == (tmp_path / "whole.model").read_bytes()


@pytest.mark.parametrize(
    "options",
    [
        {"hypothesis": "vote"},
        {"kernel": "Gaussian(2.0)"},
        {"kernel": "Gaussian(2.0)", "representation": "RandomFourier(20)"},
        {"kernel": "Polynomial(2)", "representation": "primal"},
    ],
)
def test_where_the_cutting_shows_it_goes_on_after_windows(options, tmp_path):
    """Where examples are remembered, and where mapped rows of three classes are learned in blocks."""
    source = tmp_path / "some.vw"
    source.write_text("".join(f"{'abc'[i % 3]} | w{i % 23}\n" for i in range(100)))
    _, training = begun(source, "perceptron", options, every=10)
    seen = []
    training.run(lambda training: seen.append((training.batches_done, training.visits)))
    assert seen == [(1, 0), (0, 0)]


def test_a_checkpoint_is_written_every_so_many_examples(tmp_path, monkeypatch):
    source = tmp_path / "some.vw"
    source.write_text("".join(f"{'ab'[i % 2]} | w{i % 23}\n" for i in range(1000)))
    _, training = begun(source, "perceptron", {})
    writer, seen = checkpoints.Checkpoints(str(tmp_path / "some.model"), 100, {}), []
    monkeypatch.setattr(
        checkpoints.files, "write", lambda path, contents: seen.append(contents.header["progress"][0])
    )
    writer.begin(training, resume=False)
    training.run(writer.write_when_due)
    assert seen == list(range(100, 1001, 100))


# -- rests of processes that were killed -----------------------------------------------------------------

WRITING = """
import sys, time
from kerneltron.files.atomic import replacing
with replacing(sys.argv[1]) as file:
    file.write(b"half of it")
    file.flush()
    print("begun", flush=True)
    time.sleep(60)
"""


def rests(folder):
    return [name for name in os.listdir(folder) if name.endswith(".tmp")]


def test_what_a_killed_process_left_is_swept_out_and_what_is_being_written_is_not(tmp_path):
    fitted = Perceptron().fit([[0.0], [1.0]], [0, 1])
    command = [sys.executable, "-c", WRITING, str(tmp_path / "other.model")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "begun\n"
        (writing,) = rests(tmp_path)
        save(fitted, tmp_path / "some.model")
        assert rests(tmp_path) == [writing]  # it is locked
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert rests(tmp_path) == [writing]
    strange = [".kerneltron-short.tmp", "notes.tmp", ".kerneltron-0123456789abcdef.tmp.txt"]
    for name in strange:
        (tmp_path / name).write_text("not ours")
    save(fitted, tmp_path / "some.model")
    assert sorted(os.listdir(tmp_path)) == sorted(["some.model", *strange])


def test_many_writers_in_one_folder_do_not_sweep_each_other_out(tmp_path):
    fitted = Perceptron().fit([[0.0], [1.0]], [0, 1])
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: save(fitted, tmp_path / f"{i % 5}.model"), range(200)))
    assert sorted(os.listdir(tmp_path)) == [f"{i}.model" for i in range(5)]
    assert isinstance(load(tmp_path / "3.model"), Perceptron)
