"""The command line as a process: signals, pipes, full disks, and what it imports."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

pytestmark = pytest.mark.slow

SLOW = ["sklearn", "scipy.sparse", "rich", "pandas", "pyarrow"]
KERNELTRON = [sys.executable, "-m", "kerneltron"]
LONG = ["train", "long.vw", "--bits", "10", "--passes", "400", "-o", "long.model"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("process")
    random = np.random.default_rng(0)
    rows = random.integers(0, 500, (2000, 20))
    lines = [
        f"{1 if row[0] + row[1] > 500 else -1} | {' '.join(f'w{n}' for n in row)}" for row in rows.tolist()
    ]
    (folder / "long.vw").write_text("\n".join(lines) + "\n")
    called(folder, "train", "long.vw", "--bits", "10", "-o", "short.model")
    return folder


def called(folder, *words, text=None, code=0):
    """Run a command; return what it printed, and check its code."""
    done = subprocess.run(
        [*KERNELTRON, *words], cwd=folder, input=text, capture_output=True, timeout=300, check=False
    )
    assert done.returncode == code, done.stderr.decode()
    return done.stdout.decode(), done.stderr.decode()


def written(folder):
    """Return when the checkpoint was written, None if there is none."""
    checkpoint = folder / "long.model.checkpoint"
    return checkpoint.stat().st_mtime_ns if checkpoint.exists() else None


def interrupted(folder, how, *more):
    """Begin a long training, send a signal once there is a new checkpoint; return code and complaints."""
    before = written(folder)
    command = [*KERNELTRON, *LONG, "--checkpoint-every", "1000", *more]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while written(folder) == before and process.poll() is None:
        time.sleep(0.002)
    process.send_signal(how)
    _, complaints = process.communicate(timeout=60)
    return process.returncode, complaints.decode()


@pytest.fixture(scope="module")
def whole(folder):
    """The model of a training that nothing interrupted."""
    called(folder, *LONG)
    model = (folder / "long.model").read_bytes()
    (folder / "long.model").unlink()
    return model


def test_a_killed_training_leaves_the_old_model_and_goes_on_to_the_same_bytes(folder, whole):
    model, checkpoint = folder / "long.model", folder / "long.model.checkpoint"
    model.write_bytes(b"the old model")
    code, _ = interrupted(folder, signal.SIGKILL)
    assert code == -signal.SIGKILL
    assert model.read_bytes() == b"the old model"
    assert checkpoint.exists()

    _, complaints = called(folder, *LONG, code=2)
    assert "go on with it by --resume, or remove it" in complaints
    _, complaints = called(folder, *LONG, "--resume", "--l2", "0.5", code=2)
    assert "begun with l2=0.0001, not 0.5" in complaints

    called(folder, *LONG, "--resume")
    assert model.read_bytes() == whole
    assert not checkpoint.exists()


def test_an_interrupted_training_says_how_to_go_on(folder, whole):
    model = folder / "long.model"
    model.write_bytes(b"the old model")
    code, complaints = interrupted(folder, signal.SIGINT)
    assert code == 130
    assert complaints == (
        "kerneltron: interrupted. long.model is as it was. long.model.checkpoint is there: the same command "
        "with --resume goes on from it.\n"
    )
    assert model.read_bytes() == b"the old model"
    # A second interruption on the way changes nothing.
    assert interrupted(folder, signal.SIGINT, "--resume")[0] == 130
    assert model.read_bytes() == b"the old model"
    called(folder, *LONG, "--resume")
    assert model.read_bytes() == whole
    assert sorted(path.name for path in folder.iterdir() if path.name.startswith(".")) == []


def test_a_checkpoint_that_is_damaged_is_named(folder):
    checkpoint = folder / "broken.model.checkpoint"
    checkpoint.write_bytes(b"nonsense")
    _, complaints = called(folder, "train", "long.vw", "-o", "broken.model", "--resume", code=2)
    assert "broken.model.checkpoint" in complaints


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_standard_input_is_as_good_as_a_file(folder, pack):
    text = (folder / "long.vw").read_bytes()
    called(folder, "train", "-", "--bits", "10", "-o", "piped.model", text=pack(text))
    assert (folder / "piped.model").read_bytes() == (folder / "short.model").read_bytes()
    printed, _ = called(folder, "predict", "short.model", "-", text=pack(text))
    assert printed == called(folder, "predict", "short.model", "long.vw")[0]


def test_a_vote_is_refused_on_standard_input(folder):
    words = ("train", "-", "--format", "vw", "--learner", "perceptron", "--hypothesis", "vote")
    _, complaints = called(folder, *words, "-o", "x.model", text=b"1 | a\n", code=2)
    assert "standard input may never end" in complaints


def test_a_reader_that_has_enough_is_no_error(folder):
    command = f"{sys.executable} -m kerneltron predict short.model {'long.vw ' * 40} | head -n 1"
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, timeout=60, check=True)
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        ("predict short.model long.vw >/dev/full", 1, "standard output: cannot be written (No space left"),
        ("predict short.model long.vw >&-", 1, "standard output: cannot be written (it is closed)"),
        ("predict short.model long.vw -o answers.txt >&-", 0, ""),
        ("predict short.model - <&-", 2, "standard input: cannot be read"),
        ("inspect nothing.model 2>&-", 2, ""),
        ("inspect nothing.model 2>/dev/full", 2, ""),
        ("--help >&-", 1, "standard output: cannot be written (it is closed)"),
    ],
)
def test_a_standard_stream_that_is_closed_or_full_is_named(folder, words, code, complaint):
    command = f"{sys.executable} -m kerneltron {words}"
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, timeout=60, check=False)
    assert done.returncode == code
    assert done.stdout == b""
    assert done.stderr.startswith(f"kerneltron: error: {complaint}".encode() if complaint else b"")
    assert done.stderr.count(b"\n") == bool(complaint)
    if "answers.txt" in words:
        assert (folder / "answers.txt").read_text() == called(folder, "predict", "short.model", "long.vw")[0]


def test_where_an_error_came_from_is_shown_on_demand(folder):
    assert "Traceback" not in called(folder, "train", "nothing.vw", "-o", "x.model", code=2)[1]
    assert "Traceback" in called(folder, "train", "nothing.vw", "-o", "x.model", "--debug", code=2)[1]


@pytest.mark.parametrize(
    ("words", "slow"),
    [
        (["train", "long.vw", "--bits", "10", "-o", "x.model"], SLOW),
        (["predict", "short.model", "long.vw"], SLOW),
        (["evaluate", "short.model", "long.vw"], SLOW),
        (["--help"], ["numba", "numpy", *SLOW[:2]]),
        (["train", "--help"], ["numba", "numpy", *SLOW[:2]]),
    ],
)
def test_nothing_slow_is_imported_that_a_command_does_not_need(folder, words, slow):
    program = (
        "import json, os, sys\n"
        "from kerneltron.cli.running import run\n"
        f"code = run({words!r})\n"
        "print(json.dumps(sorted(sys.modules)), file=sys.stderr)\n"
        "sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, check=True, timeout=60
    )
    imported = json.loads(done.stderr)
    assert [name for name in slow if name in imported] == []


def test_the_shell_completes_names_of_learners_formats_and_models(folder):
    def offered(line, words):
        environment = {
            **os.environ,
            "_KERNELTRON_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": words,
        }
        done = subprocess.run(
            KERNELTRON, cwd=folder, env=environment, capture_output=True, timeout=60, check=True
        )
        return done.stdout.decode().split()

    assert offered("kerneltron tr", "1") == ["train"]
    assert offered("kerneltron train --learner pe", "3") == ["pegasos", "perceptron"]
    assert offered("kerneltron train --format sv", "3") == ["svmlight"]
    assert offered("kerneltron inspect sh", "2") == ["short.model"]


def test_a_live_line_is_drawn_on_a_terminal_only(folder):
    pty = pytest.importorskip("pty")

    def drawn(*more):
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [*KERNELTRON, *LONG, *more], cwd=folder, stdout=subprocess.PIPE, stderr=theirs
        )
        os.close(theirs)
        pieces = []
        while True:
            try:
                pieces.append(os.read(ours, 4096))
            except OSError:  # the other end is closed
                break
        printed, _ = process.communicate(timeout=60)
        os.close(ours)
        assert b"progressive loss" in printed
        return b"".join(pieces).decode()

    line = drawn()
    assert "examples" in line
    assert "recent 0." in line
    assert drawn("--quiet") == ""
