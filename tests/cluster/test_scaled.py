"""Running scaling on a cluster: one scale for all shards, which knows the examples of all of them."""

import dask.array as da
import dask.bag as db
import numpy as np
import pytest

import kerneltron
from kerneltron import cluster
from kerneltron.learning.stream_model import StreamModel
from tests.oracle import running_scales as oracle

pytestmark = pytest.mark.slow


@pytest.fixture
def paths(tmp_path):
    """Three files of numbers on awkward scales, whose labels follow from all of them."""
    rng = np.random.default_rng(0)
    found = []
    for number in range(3):
        X = rng.normal(size=(300, 3))
        labels = X @ [1.0, -2.0, 1.5] > 0
        lines = [
            f"{'yes' if label else 'no'} | a:{a * 1e-3:.6g} b:{b:.6g} c:{c * 1e3 + 5e3:.8g}"
            for (a, b, c), label in zip(X, labels, strict=True)
        ]
        found.append(tmp_path / f"{number}.vw")
        found[-1].write_text("\n".join(lines) + "\n")
    return found


def moments(path):
    return StreamModel.load(path).learner.scaler.moments


@pytest.mark.parametrize("options", [[], ["--normalize"]], ids=["scaled", "and of length 1"])
def test_one_shard_is_serial_training_to_the_byte(commands, paths, tmp_path, options):
    command = ["train", paths[0], "--scale", *options, "--bits", "8", "-q"]
    serial, one = tmp_path / "serial.model", tmp_path / "one.model"
    assert commands(*command, "--passes", "2", "-o", serial)[0] == 0
    assert commands(*command, "--shards", "1", "--workers", "1", "--rounds", "2", "-o", one)[0] == 0
    assert one.read_bytes() == serial.read_bytes()


@pytest.mark.parametrize("classes", [[], ["--classes", "no,yes"]], ids=["met", "given"])
def test_all_shards_are_on_the_scale_of_all_examples(commands, paths, tmp_path, classes):
    mixed, serial = tmp_path / "mixed.model", tmp_path / "serial.model"
    command = ["train", *paths, "--scale", "--bits", "8", "-q", *classes]
    assert commands(*command, "--workers", "2", "--rounds", "3", "-o", mixed)[0] == 0
    assert commands(*command, "-o", serial)[0] == 0
    lines = "".join(path.read_text() for path in paths).splitlines()
    X = np.array([[float(field[2:]) for field in line.split()[2:]] for line in lines])
    for path, parts in [(mixed, 3), (serial, 1)]:
        found = moments(path)
        used = np.flatnonzero(found.weights)
        assert found.total == 900
        assert used.size == 3
        means = np.abs(found.means[used])  # the sign of a slot is a hash, too
        for entries in map(np.concatenate, zip(*map(oracle.counted, np.split(X, parts)), strict=True)):
            k = np.abs(means - abs(entries.mean())).argmin()  # entries as they count in their shard
            assert found.weights[used[k]] == entries.size
            np.testing.assert_allclose(means[k], abs(entries.mean()), rtol=1e-6)
            np.testing.assert_allclose(found.squares[used[k]], entries.var() * entries.size, rtol=1e-6)
    code, out, _ = commands("evaluate", mixed, *paths)
    assert code == 0
    assert float(out.split("accuracy")[1].split("%")[0]) > 95


def test_going_on_adds_the_examples_of_all_shards_once(commands, paths, tmp_path):
    first, second = tmp_path / "first.model", tmp_path / "second.model"
    assert commands("train", paths[0], "--scale", "--bits", "8", "-q", "-o", first)[0] == 0
    command = ["train", *paths[1:], "--from", first, "--workers", "2", "--rounds", "2", "-q", "-o", second]
    assert commands(*command)[0] == 0
    assert moments(second).total == 900


# -- models that scale their columns themselves, as those of Python do by default ----------------------------


def numbers(n=600, units=(1e-3, 1.0, 1e3, 1.0)):
    rng = np.random.default_rng(1)
    X = rng.normal([0.0, 1.0, 5.0, 0.0], 1.0, (n, 4))
    X[rng.random(n) < 0.7, 3] = 0.0
    return X * units, (X @ [1.0, -2.0, 1.5, 1.0] > 5.5).astype(int)


def blocks(X, y, size=200):
    return da.from_array(X, chunks=(size, X.shape[1])), da.from_array(y, chunks=size)


@pytest.mark.parametrize("more", [{}, {"classes": [0, 1]}], ids=["met", "given"])
@pytest.mark.parametrize("name", ["LogisticRegression", "Pegasos"])
def test_shards_of_arrays_share_the_scale_of_all_rows(client, name, more):
    X, y = numbers()
    learner = getattr(kerneltron, name)(random_state=0)
    fitted = cluster.fit(learner, blocks(X, y), client, rounds=5, **more)
    found = fitted.model_.scaler.known()[0]
    for j, columns in enumerate(zip(*map(oracle.counted, np.split(X, 3)), strict=True)):
        entries = np.concatenate(columns)  # as they count in their shard, where early ones may be limited
        expected = {"counts": entries.size, "means": entries.mean(), "squares": entries.var() * entries.size}
        for part, value in expected.items():
            np.testing.assert_allclose(found[part][j], value, rtol=1e-9, err_msg=part)
    assert fitted.model_.scaler.rows == 600
    assert fitted.score(X, y) > 0.95
    before = fitted.decision_function(X)
    np.testing.assert_allclose(X @ fitted.coef_.T + fitted.intercept_, before.reshape(-1, 1), rtol=1e-9)
    fitted.partial_fit(X[:50], y[:50])
    assert fitted.model_.scaler.rows == 650, "rows that come later are counted"


@pytest.mark.parametrize("size", [200, 600], ids=["three shards", "one shard"])
def test_shards_of_arrays_share_the_scaler_in_front_of_a_map(client, size):
    X, y = numbers()
    learner = kerneltron.LogisticRegression(
        kernel="Gaussian(3)", representation="RandomFourier(300)", scale=True, random_state=0
    )
    fitted = cluster.fit(learner, blocks(X * [1.0, 1e3, 1e-3, 1e3], y, size), client, rounds=4)
    assert fitted.learner_.scaler.rows == 600
    assert fitted.score(X * [1.0, 1e3, 1e-3, 1e3], y) > 0.9


def test_what_columns_are_measured_in_does_not_matter_on_a_cluster(client):
    X, y = numbers()
    learner, units = kerneltron.LogisticRegression(random_state=0), np.array([1.0, 1e3, 1e-3, 1e3])
    found = [
        cluster.fit(learner, blocks(X * unit, y), client, rounds=4).decision_function(X * unit)
        for unit in (1.0, units)
    ]
    np.testing.assert_allclose(found[1], found[0], rtol=1e-7, atol=1e-7)


def test_held_out_rows_are_not_counted(client):
    X, y = numbers()
    learner = kerneltron.LogisticRegression(random_state=0, early_stopping=True, validation_fraction=0.25)
    assert cluster.fit(learner, blocks(X, y), client, rounds=3).model_.scaler.rows == 450


@pytest.mark.parametrize("shards", [1, 3])
def test_files_and_bags_are_scaled_in_the_first_round_alone(client, paths, tmp_path, shards):
    learner = kerneltron.LogisticRegression(random_state=0)
    lines = [line for path in paths for line in path.read_text().splitlines()]
    fitted = cluster.fit(learner, paths, client, rounds=3, count=shards)
    assert fitted.named_steps["scaler"].moments_.total == 900
    assert np.mean(fitted.predict(lines) == [line.split()[0] for line in lines]) > 0.95
    if shards == 3:
        of_bag = cluster.fit(learner, db.from_sequence(lines, npartitions=3), client, rounds=3)
        kerneltron.save(fitted, tmp_path / "files.model")
        kerneltron.save(of_bag, tmp_path / "bag.model")
        assert (tmp_path / "files.model").read_bytes() == (tmp_path / "bag.model").read_bytes()


def test_a_model_of_a_cluster_goes_on_on_another(client, commands, paths, tmp_path):
    """Its weights are brought to the scale that knows the further shards, too."""
    first, second = tmp_path / "first.model", tmp_path / "second.model"
    kerneltron.save(cluster.fit(kerneltron.LogisticRegression(random_state=0), paths[:1], client), first)
    command = ["train", *paths[1:], "--from", first, "--workers", "2", "--rounds", "2", "-q", "-o", second]
    assert commands(*command)[0] == 0
    assert moments(second).total == 900
    code, out, _ = commands("evaluate", second, *paths)
    assert code == 0
    assert float(out.split("accuracy")[1].split("%")[0]) > 95
    code, out, error = commands("merge", first, second, "-o", tmp_path / "merged.model")
    assert code == 0, error


def test_the_same_bytes_come_out_whatever_the_number_of_workers(client, tmp_path):
    from tests.clusters import in_process

    X, y = numbers()
    learner = kerneltron.LogisticRegression(random_state=0)
    found = []
    with in_process(3) as other:
        for number, each in enumerate((client, other)):
            cluster.fit(learner, blocks(X, y, 100), each, rounds=3).save(tmp_path / f"{number}.model")
            found.append((tmp_path / f"{number}.model").read_bytes())
    assert found[0] == found[1]
