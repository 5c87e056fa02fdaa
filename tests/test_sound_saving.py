"""Saving, killing and going on: the same bytes again, nothing left behind, and code that is compiled anew."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from kerneltron import Hasher, Perceptron, load, save
from kerneltron.cli.running import run
from kerneltron.jobs.stream_model import StreamModel

# -- models of the command line ----------------------------------------------------------------------------

CSV = "label,user,text,age\n" + "".join(
    f"{'ab'[i % 2]},u{i % 3},\"word{i % 5}, more{i % 2}\",{i}\n" for i in range(40)
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
    train(path, model, "--names")
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
