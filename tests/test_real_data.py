"""Published figures on real data; needs the folder that KERNELTRON_DATA names."""

import gzip
import os
from pathlib import Path

import numpy as np
import pytest

from kerneltron import LogisticRegression, Perceptron

FOLDER = os.environ.get("KERNELTRON_DATA", "")
pytestmark = pytest.mark.skipif(not FOLDER, reason="KERNELTRON_DATA is not set")


def idx(name, offset):
    return np.frombuffer(gzip.open(Path(FOLDER, "mnist", name)).read(), np.uint8, offset=offset)


@pytest.fixture(scope="module")
def mnist():
    images = [idx(f"{part}-images-idx3-ubyte.gz", 16).reshape(-1, 784) for part in ("train", "t10k")]
    labels = [idx(f"{part}-labels-idx1-ubyte.gz", 8) for part in ("train", "t10k")]
    return [(X / np.float32(255), y) for X, y in zip(images, labels, strict=True)]


# The linear row of the lecture's table: digit 9 against the rest, the averaged perceptron.
@pytest.mark.parametrize(
    ("passes", "published", "tolerance"),
    [(0.1, 0.045, 0.004), (1, 0.039, 0.002), (2, 0.038, 0.002), (3, 0.038, 0.002), (4, 0.038, 0.002)],
)
def test_averaged_perceptron_on_mnist(mnist, passes, published, tolerance):
    (X, y), (X_test, y_test) = mnist
    learner = Perceptron(passes=passes, shuffle=False).fit(X, y == 9)
    assert 1 - learner.score(X_test, y_test == 9) <= published + tolerance
    assert learner.coef_.dtype == np.float32


def test_averaged_perceptron_on_spambase():
    """Published: 8.27 % after 128 passes, a decision tree 9.3 %; the split is not, so over several."""
    data = np.loadtxt(Path(FOLDER, "spambase", "spambase.data"), delimiter=",")
    errors, logistic = [], []
    for seed in range(5):
        rows = np.random.default_rng(seed).permutation(len(data))
        X, y = np.log1p(data[rows, :-1]), data[rows, -1]
        learner = Perceptron(passes=128, random_state=0).fit(X[:3065], y[:3065])
        errors.append(1 - learner.score(X[3065:], y[3065:]))
        raw = LogisticRegression(passes=10, random_state=0).fit(data[rows[:3065], :-1], y[:3065])
        logistic.append(1 - raw.score(data[rows[3065:], :-1], y[3065:]))
    assert np.mean(errors) < 0.0827
    assert np.mean(logistic) < 0.093  # from the features as they are, of very different scales
