"""The command line as data: commands, and what they print."""

import errno
import gzip
import json
import os
import re
import shlex
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from kerneltron._version import __version__
from kerneltron.learning.stream_model import StreamModel
from kerneltron.training.checkpoints import Checkpoints

SPAM = ("free", "prize", "win", "cash", "claim", "now")
HAM = ("lunch", "at", "noon", "see", "you", "home")
USERS = ("ann", "bob")
QUICK = "--bits 10"


def message(number):
    """One line: every third message is spam; two of its four words come from the kind's own vocabulary."""
    random = np.random.default_rng(number)
    kind = "spam" if number % 3 == 0 else "ham"
    words = [*random.choice(SPAM if kind == "spam" else HAM, 3), *random.choice(SPAM + HAM, 1)]
    return f"{kind} 1 'm{number}|user {USERS[number % 2]} |text {' '.join(words)}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    import zstandard

    folder = tmp_path_factory.mktemp("command line")
    lines = [message(number) for number in range(90)]
    text = "\n".join(lines) + "\n"
    (folder / "mail.vw").write_text(text)
    (folder / "new.vw").write_text("\n".join(line[line.index("|") :] for line in lines[:4]) + "\n")
    (folder / "mail.vw.gz").write_bytes(gzip.compress(text.encode()))
    (folder / "mail.vw.zst").write_bytes(zstandard.ZstdCompressor().compress(text.encode()))
    (folder / "day-1.vw").write_text("\n".join(lines[:50]) + "\n")
    (folder / "day-2.vw").write_text("\n".join(lines[50:]) + "\n")
    (folder / "bad.vw").write_text("\n".join([lines[0], lines[1], "spam no bar here", *lines[2:30]]) + "\n")
    (folder / "one.vw").write_text("\n".join(lines[:30:3]) + "\n")
    (folder / "empty.vw").write_text("")
    (folder / "été ☃.vw").write_text(text)
    (folder / "cut.vw.gz").write_bytes(gzip.compress(text.encode())[:-40])
    (folder / "other.vw").write_text("|user ann |text free\nsports |text lunch\n")
    return folder


@pytest.fixture
def shell(folder, monkeypatch, call_command):
    """Runs a command in the folder; returns its code and what it printed."""
    monkeypatch.chdir(folder)
    monkeypatch.delenv("KERNELTRON_DEBUG", raising=False)
    monkeypatch.setattr("kerneltron.files.format.path_of_code", lambda: "CODE")  # that of this processor

    def call(command):
        code, printed, complaints = call_command(command)
        steady = re.sub(r"seconds( +)[\d.]+", r"seconds\g<1>?", printed)
        return code, steady.replace(__version__, "VERSION"), complaints

    return call


@pytest.fixture
def model(shell, folder):
    if not (folder / "mail.model").exists():
        assert shell(f"train mail.vw {QUICK} -o mail.model")[0] == 0
    return "mail.model"


# -- what commands print -----------------------------------------------------------------------------


def transcript():
    """Return commands and what they print, as tests/golden/commands.txt has them."""
    text = (Path(__file__).parents[1] / "golden" / "commands.txt").read_text()
    parts = [part.partition("\n") for part in text.split("$ kerneltron ")[1:]]
    return [(command, printed) for command, _, printed in parts]


# What commands say on standard error beside that.
SAID = {
    "evaluate mail.model other.vw --json": "kerneltron: 1 example has a label that the model does not know, "
    "which counts as an error: 'sports'. Its classes are 'ham', 'spam'; labels are compared as they are "
    "written.\n"
}


@pytest.mark.parametrize(("command", "expected"), transcript(), ids=lambda text: text.split("\n")[0][:60])
def test_a_command_prints_what_it_always_did(shell, model, command, expected):
    code, printed, complaints = shell(command)
    assert (code, complaints) == (0, SAID.get(command, ""))
    assert printed.strip() == expected.strip()


# -- what commands refuse ----------------------------------------------------------------------------

REFUSED = [
    ("train nothing.vw -o x.model", "There is no file 'nothing.vw'."),
    ("train 'no-*.vw' -o x.model", "No file matches 'no-*.vw'."),
    ("train mail.vw", "Missing option"),
    ("train -o x.model", "Missing argument 'INPUT...'."),
    ("train mail.vw -o x.model --bogus 1", "No such option: --bogus"),
    ("train mail.vw -o x.model --passes many", "Invalid value for '--passes'"),
    ("train mail.vw -o x.model --passes 1.5", "Invalid value for '--passes'"),
    ("train mail.vw -o x.model --passes 0", "--passes 0 must be"),
    ("train mail.vw -o x.model --learner pegasus", "did you mean 'pegasos'?"),
    ("train mail.vw -o x.model --learner svm", "streams use --representation dual, which keeps examples"),
    ("train mail.vw -o x.model --margin 1", "logistic has no margin: perceptron has it."),
    ("train mail.vw -o x.model --C 1", "logistic has no C: mira, passive-aggressive, svm have it."),
    ("train mail.vw -o x.model --learner winnow --l2 1", "winnow has no l2: logistic, pegasos have it."),
    ("train mail.vw -o x.model --learning-rate -1", "--learning-rate -1.0 must be"),
    ("train mail.vw -o x.model --kernel 'Gauss(2)'", "there is no kernel Gauss: did you mean Gaussian?"),
    ("train mail.vw -o x.model --kernel 'Gaussian(2)' --representation primal", "primal"),
    ("train mail.vw -o x.model --hypothesis vote", "--hypothesis vote is not possible"),
    ("train mail.vw -o x.model --class-weight spam", "--class-weight spam=5,ham=1"),
    ("train mail.vw -o x.model --class-weight spam=x", "'x', the weight of 'spam', is not a number"),
    ("train mail.vw -o x.model --class-weight balanced", "needs all labels at once"),
    ("train mail.vw -o x.model --early-stopping", "Early stopping chooses among passes"),
    ("train mail.vw -o x.model --bits 40", "--bits 40 must be from 1 to 30"),
    ("train mail.vw -o x.model --cross user", "--cross user is not a pair"),
    ("train mail.vw -o x.model --format cvs", "There is no format 'cvs'"),
    ("train mail.vw -o x.model --on-error ignore", "Choose stop or skip"),
    ("train mail.vw -o x.model --role text", "--role: 'text' is not of the form NAME=VALUE"),
    ("train mail.vw -o x.model --label kind", "has no columns"),
    ("train bad.vw -o x.model", "bad.vw, line 3, byte 1: no '|' before the features"),
    ("train cut.vw.gz -o x.model", "cut.vw.gz: damaged or cut off"),
    ("train empty.vw -o x.model --format vw", "no labelled example in empty.vw"),
    ("train new.vw -o x.model", "no labelled example in new.vw"),
    ("train mail.vw -o .", "is a folder"),
    ("train bad.vw -o nowhere/x.model", "nowhere: there is no such folder"),
    ("train mail.vw -o x.model --from nothing.model", "nothing.model: No such file or directory"),
    ("train mail.vw -o x.model --from mail.vw", "mail.vw is not a model file"),
    ("train mail.vw -o x.model --from small.model", "the model only predicts"),
    ("train mail.vw -o x.model --from mail.model --bits 11", "bits=10 and bits=11"),
    ("train mail.vw -o x.model --from mail.model --learner mira", "trained by logistic, not by mira"),
    ("train mail.vw -o x.model --from mail.model --l2 3", "trained with l2=0.0001, not 3.0"),
    ("train mail.vw -o x.model --from mail.model --margin 3", "logistic, which has no margin"),
    ("train mail.vw -o x.model --cache nowhere --passes 2", "No cache can be written in nowhere"),
    ("predict nothing.model new.vw", "nothing.model: No such file or directory"),
    ("predict mail.vw new.vw", "mail.vw is not a model file"),
    ("predict mail.model nothing.vw", "There is no file 'nothing.vw'."),
    ("predict mail.model bad.vw", "bad.vw, line 3"),
    ("predict mail.model new.vw --ngrams 2", "ngrams=1 and ngrams=2"),
    ("predict mail.model", "Missing argument 'INPUT...'."),
    ("evaluate mail.model new.vw", "no labelled example in new.vw"),
    ("evaluate mail.model", "No input was given"),
    ("evaluate mail.model mail.vw --binary", "binary=False and binary=True"),
    ("evaluate mail.model mail.vw --learner mira", "belong to --folds"),
    ("evaluate mail.vw --folds 1", "folds"),
    ("evaluate - --folds 2 --format vw", "standard input can be read only once"),
    ("inspect nothing.model", "nothing.model: No such file or directory"),
    ("inspect mail.vw", "mail.vw is not a model file"),
    ("tarin mail.vw", "No such command 'tarin'"),
]


@pytest.mark.parametrize(("command", "reason"), REFUSED, ids=[command for command, _ in REFUSED])
def test_what_cannot_be_is_refused_with_exit_code_2_and_a_reason(shell, model, others, command, reason):
    code, printed, complaints = shell(command)
    assert (code, printed) == (2, "")
    assert complaints.startswith("kerneltron: error: ")
    assert complaints.count("\n") == 1 or "^" in complaints  # which points at a place in a kernel's text
    assert reason in complaints


@pytest.fixture
def others(shell, model, folder):
    """Models that some refusals need: one that only predicts, one without probabilities."""
    if not (folder / "small.model").exists():
        assert shell(f"train mail.vw {QUICK} -o small.model --prediction-only")[0] == 0
        assert shell(f"train mail.vw {QUICK} -o perceptron.model --learner perceptron")[0] == 0


def test_without_a_command_the_help_is_shown(shell):
    code, printed, complaints = shell("")
    assert code in (0, 2)  # which one depends on typer's version
    assert "train" in printed + complaints
    assert "error" not in complaints


@pytest.mark.parametrize("command", ["train", "predict", "evaluate", "inspect"])
def test_help_teaches_with_examples(shell, command):
    code, printed, _ = shell(f"{command} --help")
    assert code == 0
    assert f"kerneltron {command}" in printed.split("Examples:")[1]


def test_the_help_shows_the_defaults_that_the_methods_have(shell):
    from dataclasses import fields

    from kerneltron.cli.options.learning import Learning
    from kerneltron.cli.options.words import Words
    from kerneltron.learning.methods import METHODS, method
    from kerneltron.stream.hashing import Hashing

    shown = {}
    for group in (Learning, Words):
        for name, hint in group.__annotations__.items():
            if name != "title":
                shown[name] = hint.__metadata__[0].show_default
    different = {"binary": "counts", "random_state": "0"}
    for home in (*map(method, METHODS), Hashing):
        for field in fields(home):
            about = field.metadata.get("parameter")
            if about is not None and not about.brief:  # the stream's own option may have its name
                continue
            if field.name not in shown or (field.default in (None, ()) and field.name not in different):
                continue
            truth = ("no", "yes")[field.default] if isinstance(field.default, bool) else None
            words = different.get(field.name, truth or str(field.default).removesuffix(".0"))
            in_words = about.brief_default if about is not None else ""
            is_shown = words in shown[field.name] or (in_words and in_words in shown[field.name])
            assert is_shown, (home, field.name)


# -- training ----------------------------------------------------------------------------------------


def test_how_the_same_examples_come_makes_no_difference(shell, folder, model):
    whole = (folder / model).read_bytes()
    for inputs in ("mail.vw.gz", "mail.vw.zst", "'day-*.vw'", "day-1.vw day-2.vw", "'été ☃.vw'"):
        assert shell(f"train {inputs} {QUICK} -o again.model")[0] == 0
        assert (folder / "again.model").read_bytes() == whole, inputs


LEARNERS = [
    "--learner logistic --schedule inverse --learning-rate 0.3 --l2 0.01 --class-weight spam=5,ham=1",
    "--learner perceptron --margin 0.5 --hypothesis last --no-fit-intercept --init-scale 0.1",
    "--learner passive-aggressive --variant II --C 0.5 --no-shuffle",
    "--learner romma --aggressive",
    "--learner mira --C 2 --random-state 3",
    "--learner pegasos --l2 0.1",
    "--learner winnow --promotion 1.5 --demotion 0.8 --threshold 5 --balanced",
    "--learner perceptron --kernel 'Polynomial(2)' --representation dual --working-memory 64 --delta 0.1",
    "--learner perceptron --hypothesis vote",
]


@pytest.mark.parametrize("options", LEARNERS)
def test_every_learner_learns_the_mail_with_its_own_parameters(shell, folder, options):
    code, printed, complaints = shell(f"train mail.vw {QUICK} --passes 4 {options} -o any.model --json")
    assert (code, complaints) == (0, "")
    assert json.loads(printed)["progressive_error"] < 0.3
    said = json.loads(shell("inspect any.model --json")[1])
    words = shlex.split(options)
    for name, value in pairwise(words):
        if (
            name.startswith("--")
            and not value.startswith("--")
            and name not in ("--learner", "--class-weight")
        ):
            assert str(said["parameters"][name[2:].replace("-", "_")]).removesuffix(".0") == value
    right = json.loads(shell("evaluate any.model mail.vw --json")[1])["accuracy"]
    assert right > 0.8


@pytest.mark.parametrize(
    "options",
    [
        "--binary --normalize",
        "--ngrams 2 --skips 1 --no-lowercase",
        "--copies 2",
        "--cross 'user*text' --cross 'text*text'",
    ],
)
def test_hash_settings_are_kept_with_the_model(shell, options):
    assert shell(f"train mail.vw {QUICK} {options} -o any.model")[0] == 0
    assert shell("predict any.model new.vw")[0] == 0
    assert shell(f"predict any.model new.vw {QUICK} {options}")[0] == 0
    other = "--counts --no-normalize --ngrams 3 --copies 3 --lowercase"
    code, _, complaints = shell(f"predict any.model new.vw {other}")
    assert code == 2
    assert "other hash settings" in complaints


def test_bad_lines_can_be_skipped_and_are_counted(shell):
    code, printed, _ = shell(f"train bad.vw {QUICK} -o any.model --on-error skip --json")
    result = json.loads(printed)
    assert (code, result["examples"], result["skipped"]) == (0, 30, 1)
    assert result["first_skipped"] == "bad.vw, line 3, byte 1: no '|' before the features"
    code, printed, complaints = shell("predict any.model bad.vw --on-error skip")
    assert (code, printed.count("\n")) == (0, 30)
    assert "1 bad line was skipped" in complaints


def test_announced_classes_are_known_before_they_come(shell):
    assert shell(f"train one.vw {QUICK} -o one.model --classes ham,spam,sports")[0] == 0
    said = json.loads(shell("inspect one.model --json")[1])
    assert said["classes"] == ["ham", "spam", "sports"]


def test_going_on_from_a_model_equals_having_learned_all_at_once(shell, folder, model):
    (folder / "first.vw").write_text("spam | only here\nham | both\n")
    (folder / "second.vw").write_text("spam | only there\nham | both\n")
    options = f"{QUICK} --no-text --no-shuffle --learner perceptron --names --classes ham,spam"
    assert shell(f"train first.vw second.vw {options} -o whole.model")[0] == 0
    assert shell(f"train first.vw {options} -o part.model")[0] == 0
    assert shell("train second.vw --from part.model --learner perceptron --no-shuffle -o part.model")[0] == 0
    whole, part = (StreamModel.load(folder / name) for name in ("whole.model", "part.model"))
    np.testing.assert_array_equal(part.learner.model.vectors(), whole.learner.model.vectors())
    assert part.examples == whole.examples == 4
    assert (part.names.texts, part.names.counts.tolist()) == (whole.names.texts, whole.names.counts.tolist())


def test_early_stopping_restores_the_best_pass(shell):
    options = "--passes 30 --early-stopping --validation-fraction 0.3 --patience 2"
    result = json.loads(shell(f"train mail.vw {QUICK} {options} -o any.model --json")[1])
    scores = result["validation_scores"]
    assert result["best_pass"] == scores.index(max(scores)) + 1
    assert result["passes"] == len(scores) <= result["best_pass"] + 2
    assert "best pass" in shell("inspect any.model")[1]


def test_a_test_set_is_evaluated_after_training(shell, model):
    command = f"train mail.vw {QUICK} -o any.model --test day-1.vw --test day-2.vw"
    result = json.loads(shell(f"{command} --json")[1])
    assert result["test"] == json.loads(shell("evaluate any.model mail.vw --json")[1])
    assert "accuracy" in shell(f"{command} --cache . --quiet")[1]


def test_a_full_disk_leaves_the_old_model_and_is_a_failure(shell, folder, monkeypatch):
    (folder / "old.model").write_bytes(b"the old model")

    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    code, printed, complaints = shell(f"train mail.vw {QUICK} -o old.model")
    assert (code, printed) == (1, "")
    assert complaints.startswith("kerneltron: error: old.model: No space left on device")
    assert (folder / "old.model").read_bytes() == b"the old model"


def test_folds_and_early_stopping_go_together(shell):
    code, printed, _ = shell(f"evaluate mail.vw {QUICK} --folds 2 --passes 3 --early-stopping --json")
    result = json.loads(printed)
    assert (code, result["examples"], len(result["folds"])) == (0, 90, 2)
    assert result["accuracy"] > 0.8


def test_weights_of_classes_shift_the_balance_of_errors(shell):
    def found(weight):
        words = f"train mail.vw {QUICK} --class-weight spam={weight} -o any.model --test mail.vw --json"
        classes = json.loads(shell(words)[1])["test"]["classes"]
        return next(row["predicted"] for row in classes if row["label"] == "spam")

    assert found(0.2) < found(1) < found(20)


# -- what files say ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["winnow-last-1", "perceptron-gaussian-dual-1", "logistic-adaptive-average-1"]
)
def test_models_that_python_saved_can_be_inspected(shell, name):
    path = Path(__file__).parents[1] / "golden" / f"{name}.model"
    said = json.loads(shell(f"inspect '{path}' --json")[1])
    assert said["learner"].lower().startswith(name.split("-")[0])
    assert said["resumable"]
    assert "examples seen" in shell(f"inspect '{path}'")[1]


def test_a_checkpoint_can_be_inspected(shell, folder, monkeypatch):
    monkeypatch.setattr(Checkpoints, "end", lambda self: None)
    assert shell(f"train mail.vw {QUICK} --passes 3 --checkpoint-every 50 -o kept.model")[0] == 0
    said = json.loads(shell("inspect kept.model.checkpoint --json")[1])
    assert (said["kind"], said["options"]["passes"]) == ("checkpoint", 3)
    assert "checkpoint" in shell("inspect kept.model.checkpoint")[1]


# -- prediction --------------------------------------------------------------------------------------


def test_predictions_go_to_a_file_whole_or_not_at_all(shell, folder, model):
    printed = shell(f"predict {model} mail.vw --scores")[1]
    assert shell(f"predict {model} mail.vw --scores -o answers.txt")[1] == ""
    assert (folder / "answers.txt").read_text() == printed
    assert shell(f"predict {model} bad.vw -o answers.txt")[0] == 2
    assert (folder / "answers.txt").read_text() == printed


def test_predictions_of_nothing_are_nothing(shell, model):
    assert shell(f"predict {model} empty.vw") == (0, "", "")


def test_labels_with_special_signs_are_written_as_json(shell, folder):
    (folder / "signs.vw").write_text('100% |a x\nsay"é |a y\n' * 3)
    assert shell(f"train signs.vw {QUICK} -o signs.model")[0] == 0
    printed = shell("predict signs.model signs.vw --json --scores")[1]
    assert {answer["label"] for answer in map(json.loads, printed.splitlines())} <= {"100%", 'say"é'}
    assert set(json.loads(printed.splitlines()[0])["scores"]) == {"100%", 'say"é'}
