"""What cannot be learned from on a cluster: errors name the shard and the worker, and nothing is lost."""

import json
import os
import sys
from time import perf_counter

import dask.array as da
import numpy as np
import pandas as pd
import pytest
from sklearn.svm import LinearSVC

import kerneltron
from kerneltron import cluster
from kerneltron.cli.running import run
from kerneltron.cluster import connecting
from kerneltron.cluster.training import ClusterTraining
from tests.cluster.examples import separable, write_csv, write_vw


@pytest.fixture
def files(tmp_path):
    """Three files of the same kind."""
    return [write_vw(tmp_path / f"{name}.vw", seed=n) for n, name in enumerate("abc")]


def refused(commands, tmp_path, *words, code=2):
    """Return what a training that cannot be says; nothing is written."""
    model = tmp_path / "out.model"
    model.write_bytes(b"as before")
    began = perf_counter()
    found, _, err = commands("train", *words, "--workers", 2, "-o", model)
    assert found == code, err
    assert perf_counter() - began < 10
    assert model.read_bytes() == b"as before"
    assert len(err.strip().splitlines()) == 1
    return err


@pytest.mark.parametrize("contents", ["", "\n\n", "|text w1 w2\n" * 5])
@pytest.mark.parametrize("classes", [[], ["--classes", "ham,spam"]])
def test_an_empty_shard(commands, files, tmp_path, contents, classes):
    files[1].write_text(contents)
    err = refused(commands, tmp_path, *files, *classes)
    assert f"shard 2 ({files[1]}) on worker" in err
    assert "no labelled example" in err


@pytest.mark.filterwarnings("default")
def test_a_shard_with_one_class_is_refused_unless_all_classes_were_named(commands, files, tmp_path):
    files[2].write_text("spam |text w1 w2\n" * 5)
    err = refused(commands, tmp_path, *files)
    assert f"shard 3 ({files[2]}) on worker" in err
    assert "all labels are 'spam'" in err
    assert "--classes" in err
    words = ["train", *files, "--classes", "ham,spam", "--workers", 2, "-o", tmp_path / "a.model"]
    code, _, err = commands(*words)
    assert code == 0
    assert f"warning: shard 3 ({files[2]}) has examples of 'spam' alone" in err


def test_a_corrupt_line_in_one_shard(commands, files, tmp_path):
    lines = files[1].read_text().splitlines()
    lines[199] = "spam |text w1:many"
    files[1].write_text("\n".join(lines))
    err = refused(commands, tmp_path, *files)
    assert f"shard 2 ({files[1]}) on worker" in err
    assert f"{files[1]}, line 200" in err
    words = ["train", *files, "--on-error", "skip", "--workers", 2, "--json", "-o", tmp_path / "a.model"]
    code, out, err = commands(*words)
    assert code == 0, err
    result = json.loads(out)
    assert result["skipped"] == 1
    assert "line 200" in result["first_skipped"]


def test_a_corrupt_line_in_a_part_of_a_file_has_its_number_in_the_file(commands, tmp_path):
    path = write_vw(tmp_path / "a.vw")
    lines = path.read_text().splitlines()
    lines[349] = "spam |text w1:many"
    path.write_text("\n".join(lines))
    err = refused(commands, tmp_path, path, "--shards", 3)
    assert f"shard 3 ({path}, bytes" in err
    assert f"{path}, line 350" in err
    table = write_csv(tmp_path / "a.csv")
    text = table.read_text().replace(",370\n", ",370,1\n")
    table.write_text(text)
    err = refused(commands, tmp_path, table, "--shards", 4)
    line = text[: text.index(",370,1\n")].count("\n")  # a record has two lines: this is its first
    assert f"{table}, line {line}," in err


@pytest.mark.parametrize("contents", ["", "label,text\n"])
@pytest.mark.parametrize("ending", ["vw", "csv"])
def test_a_file_without_examples_that_is_to_be_cut(commands, tmp_path, contents, ending):
    if contents and ending == "vw":
        pytest.skip("VW has no header")
    path = tmp_path / f"a.{ending}"
    path.write_text(contents)
    err = refused(commands, tmp_path, path, "--shards", 3)
    assert "no labelled example" in err or "header" in err or "column" in err


@pytest.mark.slow
def test_quotes_inside_of_fields_are_text_to_whoever_cuts_as_well(commands, tmp_path):
    path = tmp_path / "a.csv"
    rows = [f'{("a", "b")[n % 2]},pipe {n}" wide,"two\nlines, {n}"' for n in range(300)]
    path.write_text("label,what,text\n" + "\n".join(rows) + "\n")
    words = ["train", path, "--workers", 2, "--json", "-o", tmp_path / "a.model"]
    code, out, err = commands(*words, "--shards", 7)
    assert code == 0, err
    result = json.loads(out)
    assert result["examples"] == 300 * result["chosen"]["passes"]


def test_examples_of_no_weight_are_no_examples_to_learn_from_but_no_error(commands, tmp_path):
    path = tmp_path / "a.vw"
    path.write_text("1 0 |x a\n2 0 |x b\n" * 40)
    for shards in (1, 2):
        words = ["train", path, "--workers", 2, "--shards", shards, "-o", tmp_path / "a.model"]
        assert commands(*words)[0] == 0


def test_a_missing_file(commands, files, tmp_path):
    assert "There is no file" in refused(commands, tmp_path, *files, tmp_path / "d.vw")
    assert "No file matches" in refused(commands, tmp_path, tmp_path / "*.csv")


def test_a_worker_that_does_not_see_the_file(commands, files, tmp_path, monkeypatch):
    real = ClusterTraining._open

    def gone(self):
        if files[1].exists():
            files[1].rename(tmp_path / "elsewhere")
        real(self)

    monkeypatch.setattr(ClusterTraining, "_open", gone)
    err = refused(commands, tmp_path, *files)
    assert f"shard 2 ({files[1]}) on worker" in err
    assert "There is no file" in err


@pytest.mark.parametrize("classes", [[], ["--classes", "ham,spam"]])
def test_a_shard_that_shrinks_between_rounds(commands, files, tmp_path, monkeypatch, classes):
    real = ClusterTraining._round

    def shrinking(self, when_savable):
        if self.number == 2:
            os.truncate(files[1], 1000)
        real(self, when_savable)

    monkeypatch.setattr(ClusterTraining, "_round", shrinking)
    err = refused(commands, tmp_path, *files, "--rounds", 5, "--checkpoint", *classes)
    assert f"shard 2 ({files[1]}) on worker" in err
    assert "changed since training began" in err
    assert (tmp_path / "out.model.checkpoint").exists(), "two rounds are not lost"


@pytest.mark.parametrize(
    ("name", "found", "said"),
    [
        ("kerneltron", "0.0.7", "has kerneltron 0.0.7, and this client has"),
        ("kerneltron", None, "has no kerneltron"),
        ("python", "3.8.1.final.0", "has python 3.8, and this client has python 3."),
    ],
)
def test_workers_with_another_version(client, monkeypatch, name, found, said):
    versions = client.get_versions(packages=["kerneltron"])
    address = next(iter(versions["workers"]))
    versions["workers"][address]["packages"][name] = found
    monkeypatch.setattr(connecting, "_versions", lambda client: versions["workers"])
    X, y, _ = separable()
    data = da.from_array(X, chunks=(100, 6)), da.from_array(y, chunks=100)
    with pytest.raises(ValueError, match=said) as error:
        cluster.fit(kerneltron.Perceptron(), data, client)
    assert f"worker {address}" in str(error.value)


@pytest.mark.slow
def test_an_unreachable_scheduler(files, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(connecting, "TIMEOUT", 1)
    words = ["train", str(files[0]), "-o", str(tmp_path / "a.model"), "--cluster"]
    began = perf_counter()
    for address in ("tcp://127.0.0.1:1", "nonsense://x", "tcp://"):
        assert run([*words, address]) == 2
        assert "no Dask scheduler answers" in capsys.readouterr().err
    assert perf_counter() - began < 15


@pytest.mark.slow
def test_a_scheduler_without_workers(files, tmp_path, capsys, monkeypatch):
    from distributed import LocalCluster

    monkeypatch.setattr(connecting, "TIMEOUT", 2)
    with LocalCluster(
        n_workers=0, processes=False, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as empty:
        words = ["train", str(files[0]), "-o", str(tmp_path / "a.model"), "--cluster"]
        assert run([*words, empty.scheduler_address]) == 2
    assert "has no workers" in capsys.readouterr().err


def test_without_dask_the_error_says_what_to_install(files, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run(["train", str(files[0]), "-o", str(tmp_path / "a.model"), "--workers", "2"]) == 2
    assert "pip install 'kerneltron[cluster]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--workers", 2, "--cluster", "tcp://x"], "leave --workers out"),
        (["--rounds", 3], "--rounds is about a cluster"),
        (["--shards", 3], "--shards is about a cluster"),
        (["--workers", 2, "--rounds", 3, "--passes", 2], "a round is a pass"),
        (["--workers", 2, "--checkpoint-every", 10], "give --checkpoint"),
        (["--workers", 2, "--mix", "median"], "--mix median is not known"),
        (["--workers", 2, "--squares", "lost"], "--squares lost is not known"),
        (["--workers", 0], "0"),
        (["--workers", 2, "--rounds", 0], "0"),
        (["--workers", 2, "--learner", "perceptron", "--hypothesis", "vote"], "--hypothesis vote is about"),
        (["--workers", 2, "--hypothesis", "random"], "--hypothesis random is about"),
        (["--workers", 2, "--kernel", "Gaussian(2.0)"], "RandomFourier(2000)"),
        (["--workers", 2, "--kernel", "Gaussian(2.0)", "--budget", 10], "Nystrom(500)"),
    ],
)
def test_options_that_cannot_be(commands, files, tmp_path, words, said):
    code, _, err = commands("train", *files, *words, "-o", tmp_path / "a.model")
    assert code == 2
    assert said in err


def test_files_that_cannot_be_cut(commands, files, tmp_path):
    import gzip

    packed = tmp_path / "a.vw.gz"
    packed.write_bytes(gzip.compress(files[0].read_bytes()))
    assert "cannot be cut" in refused(commands, tmp_path, packed, "--shards", 3)
    assert "cannot be cut" in refused(commands, tmp_path, packed, files[0], "--shards", 3)
    assert "pipe" in refused(commands, tmp_path, "-")


def test_rows_that_cannot_be_learned_from(client):
    X, y, _ = separable()
    bad = X.copy()
    bad[150, 2] = np.nan

    def blocks(X, y):
        return da.from_array(X, chunks=(100, 6)), da.from_array(y, chunks=100)

    with pytest.raises(ValueError, match=r"shard 2 \(partition 2 of 3\) on worker .*row 50"):
        cluster.fit(kerneltron.Perceptron(), blocks(bad, y), client)
    with pytest.raises(ValueError, match=r"shard 2 .*y holds NaN in row 50"):
        cluster.fit(kerneltron.Perceptron(), blocks(X, np.where(np.arange(len(y)) == 150, np.nan, y)), client)
    with pytest.raises(ValueError, match=r"shard 1 .*all labels are 1"):
        cluster.fit(kerneltron.Perceptron(), blocks(X, np.ones(len(y), int)), client)
    with pytest.raises(ValueError, match="X has 300 rows, and y 299 labels"):
        cluster.fit(kerneltron.Perceptron(), (blocks(X, y)[0], da.from_array(y[1:], chunks=100)), client)
    for pair in ((blocks(X, y)[0], y), [X, y], (pd.DataFrame(X), blocks(X, y)[1])):
        with pytest.raises(TypeError, match="Dask arrays, both"):
            cluster.fit(kerneltron.Perceptron(), pair, client)
    with pytest.raises(TypeError, match="checkpoint is about files"):
        cluster.fit(kerneltron.Perceptron(), blocks(X, y), client, checkpoint="a.checkpoint")
    with pytest.raises(TypeError, match="LinearSVC cannot learn on a cluster"):
        cluster.fit(LinearSVC(), blocks(X, y), client)
    with pytest.raises(ValueError, match="RandomFourier"):
        cluster.fit(kerneltron.Perceptron(kernel="Gaussian(2.0)"), blocks(X, y), client)
    with pytest.raises(ValueError, match=r"partial_fit|stream"):
        cluster.fit(kerneltron.SVM(), blocks(X, y), client)
    with pytest.raises(ValueError, match="balanced"):
        cluster.fit(kerneltron.Perceptron(class_weight="balanced"), blocks(X, y), client)
    with pytest.raises(ValueError, match="rounds are whole"):
        cluster.fit(kerneltron.Perceptron(passes=0.5), blocks(X, y), client)


@pytest.mark.filterwarnings("ignore:shard .* has examples of")
def test_classes_that_were_named_need_not_be_in_every_block(client):
    X, y, _ = separable()
    order = np.argsort(y, kind="stable")
    data = da.from_array(X[order], chunks=(100, 6)), da.from_array(y[order], chunks=100)
    with pytest.raises(ValueError, match="all labels are 0"):
        cluster.fit(kerneltron.Perceptron(random_state=0), data, client)
    fitted = cluster.fit(kerneltron.Perceptron(random_state=0), data, client, rounds=3, classes=[0, 1])
    assert fitted.classes_.tolist() == [0, 1]


def test_labels_in_the_place_of_a_client_are_named():
    with pytest.raises(TypeError, match=r"client is a ndarray.*\(learner, \(X, y\), client\)"):
        cluster.fit(kerneltron.Perceptron(), np.eye(2), np.array([0, 1]))
