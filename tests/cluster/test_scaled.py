"""Running scaling on a cluster: one scale for all shards, which knows the examples of all of them."""

import numpy as np
import pytest

from kerneltron.learning.stream_model import StreamModel


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
    return StreamModel.load(path).learner.scale.moments


def test_one_shard_is_serial_training_to_the_byte(commands, paths, tmp_path):
    command = ["train", paths[0], "--scale", "--bits", "8", "-q"]
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
    one, other = moments(mixed), moments(serial)
    assert one.total == other.total == 900
    np.testing.assert_array_equal(one.weights, other.weights)
    np.testing.assert_allclose(one.means, other.means, rtol=1e-12)
    np.testing.assert_allclose(one.squares, other.squares, rtol=1e-12)
    code, out, _ = commands("evaluate", mixed, *paths)
    assert code == 0
    assert float(out.split("accuracy")[1].split("%")[0]) > 95


def test_going_on_adds_the_examples_of_all_shards_once(commands, paths, tmp_path):
    first, second = tmp_path / "first.model", tmp_path / "second.model"
    assert commands("train", paths[0], "--scale", "--bits", "8", "-q", "-o", first)[0] == 0
    command = ["train", *paths[1:], "--from", first, "--workers", "2", "--rounds", "2", "-q", "-o", second]
    assert commands(*command)[0] == 0
    assert moments(second).total == 900
