"""Loaders, small problems, pictures and the runs that show them."""

import gzip

import numpy as np
import pytest

from kerneltron import Perceptron
from kerneltron.datasets import mnist as mnist_data
from kerneltron.datasets.digits import load_digits
from kerneltron.datasets.mnist import load_mnist
from kerneltron.datasets.shapes import circle, dnf, parity, xor
from kerneltron.experiments import digits, kernels, mnist
from kerneltron.experiments.experiment import Asked
from kerneltron.kernels import Conjunctions, Linear, MonotoneConjunctions, Polynomial

pytestmark = pytest.mark.slow

# -- MNIST from files ----------------------------------------------------------------------------------


def idx(array):
    head = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes()
    return head + array.astype(np.uint8).tobytes()


def write_mnist(folder, packed=True, rows=300):
    """Write scikit-learn's digits as the four files of MNIST; return the images and labels."""
    data = load_digits()
    images = {"train": np.round(255 * data.X[:rows]), "t10k": np.round(255 * data.X_test[:100])}
    labels = {"train": data.y[:rows], "t10k": data.y_test[:100]}
    folder.mkdir(exist_ok=True)
    files = {f"{part}-images-idx3-ubyte": idx(array.reshape(-1, 8, 8)) for part, array in images.items()}
    files |= {f"{part}-labels-idx1-ubyte": idx(array) for part, array in labels.items()}
    for name, content in files.items():
        path = folder / (f"{name}.gz" if packed else name)
        path.write_bytes(gzip.compress(content) if packed else content)
    return images, labels


@pytest.mark.parametrize("packed", [True, False])
def test_mnist_is_read_as_written(tmp_path, packed):
    images, labels = write_mnist(tmp_path, packed)
    data = load_mnist(tmp_path)
    assert data.X.dtype == data.X_test.dtype == np.float32
    np.testing.assert_array_equal(data.X, images["train"].astype(np.float32) / np.float32(255))
    np.testing.assert_array_equal(data.X_test, images["t10k"].astype(np.float32) / np.float32(255))
    np.testing.assert_array_equal(data.y, labels["train"])
    np.testing.assert_array_equal(data.y_test, labels["t10k"])


def test_mnist_is_looked_for_in_the_data_folder(tmp_path, monkeypatch):
    write_mnist(tmp_path / "mnist")
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))
    assert load_mnist().X.shape == (300, 64)


def test_mnist_is_downloaded_where_there_is_no_folder(monkeypatch):
    monkeypatch.delenv("KERNELTRON_DATA", raising=False)
    monkeypatch.setattr(mnist_data, "TRAINING", 3)

    def fetch(name, version, **options):
        assert (name, version, options["as_frame"]) == ("mnist_784", 1, False)
        return np.full((5, 4), 255.0), np.array(list("50419"))

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch)
    data = load_mnist()
    assert data.X.shape == (3, 4)
    assert data.X_test.max() == 1
    assert data.y_test.tolist() == [1, 9]

    def fail(*_, **__):
        raise OSError("no network")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fail)
    with pytest.raises(OSError, match=r"no network.*KERNELTRON_DATA"):
        load_mnist()


def test_a_missing_file_is_named(tmp_path):
    write_mnist(tmp_path)
    (tmp_path / "t10k-labels-idx1-ubyte.gz").unlink()
    with pytest.raises(FileNotFoundError, match=r"Neither t10k-labels-idx1-ubyte.gz nor t10k-labels"):
        load_mnist(tmp_path)


IMAGES = "train-images-idx3-ubyte"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        pytest.param(lambda content: b"", "begins with nothing", id="empty"),
        pytest.param(lambda content: b"\x89PNG" + content, "begins with 89 50 4e 47", id="other format"),
        pytest.param(lambda content: b"\0\0\x0d" + content[3:], "not an idx file of bytes", id="floats"),
        pytest.param(lambda content: content[:10], "is damaged", id="cut in its head"),
        pytest.param(lambda content: content[:-1], r"300 x 8 x 8 entries in 19,216 bytes", id="cut"),
        pytest.param(lambda content: content + b"\0", "there are 19,217", id="too long"),
    ],
)
def test_a_damaged_file_is_named_with_what_is_wrong(tmp_path, damage, message):
    write_mnist(tmp_path, packed=False)
    path = tmp_path / IMAGES
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ValueError, match=message) as error:
        load_mnist(tmp_path)
    assert IMAGES in str(error.value)


@pytest.mark.parametrize(
    "damage", [lambda packed: packed[:-30], lambda packed: b"no gzip"], ids=["cut", "not packed"]
)
def test_a_file_that_cannot_be_unpacked_is_named(tmp_path, damage):
    write_mnist(tmp_path)
    path = tmp_path / f"{IMAGES}.gz"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ValueError, match=f"{IMAGES}.gz cannot be unpacked"):
        load_mnist(tmp_path)


def test_images_and_labels_have_to_belong_together(tmp_path):
    write_mnist(tmp_path, packed=False)
    (tmp_path / "train-labels-idx1-ubyte").write_bytes(idx(np.zeros(299)))
    with pytest.raises(ValueError, match="300 images but 299 labels"):
        load_mnist(tmp_path)


# -- small problems whose truth is known ----------------------------------------------------------------

SHAPES = {
    "xor": xor,
    "circle": circle,
    "parity": lambda n, seed: parity(n, bits=3, columns=6, seed=seed),
    "dnf": lambda n, seed: dnf(n, columns=8, terms=3, size=3, seed=seed),
    "monotone dnf": lambda n, seed: dnf(n, columns=8, terms=3, size=2, seed=seed, monotone=True),
}


@pytest.mark.parametrize("name", SHAPES)
def test_labels_are_those_of_the_truth(name):
    first, again, other = SHAPES[name](500, 1), SHAPES[name](500, 1), SHAPES[name](500, 2)
    assert first.bayes_error == 0
    assert set(first.y) == {-1, 1}
    assert 0.15 < np.mean(first.y > 0) < 0.85
    np.testing.assert_array_equal(first.truth.predict(first.X), first.y)
    np.testing.assert_array_equal(first.X, again.X)
    assert not np.array_equal(first.X, other.X)


def test_points_keep_the_margin():
    assert np.abs(xor(1000, margin=0.25).X).min() >= 0.25
    r = np.hypot(*circle(1000, margin=0.25).X.T)
    assert np.abs(r - 1).min() >= 0.25 - 1e-12
    assert r.max() <= 2


def test_terms_are_as_many_and_as_long_as_asked_for():
    terms = dnf(10, columns=4, terms=6, size=2, seed=0).truth.terms
    assert len({tuple(j for j, _ in term) for term in terms}) == 6
    assert all(len(term) == 2 for term in terms)
    assert all(value for term in SHAPES["monotone dnf"](10, 0).truth.terms for _, value in term)


def test_shapes_refuse_what_cannot_be():
    with pytest.raises(ValueError, match="columns=2 must be between 3"):
        parity(10, bits=3, columns=2, seed=0)
    with pytest.raises(ValueError, match="terms=7 must be between 1 and 6"):
        dnf(10, columns=4, terms=7, size=2, seed=0)
    with pytest.raises(ValueError, match="n=0"):
        xor(0)


# -- what kernels buy -----------------------------------------------------------------------------------


def test_kernels_learn_what_linear_learners_cannot():
    problems = kernels.problems()
    errors = {name: {row.kernel: row.error for row in kernels.rows(problems[name])} for name in problems}
    crossed, around, odd, formula, monotone = errors.values()
    names = list(problems)
    assert crossed[Linear()] > 0.4
    assert around[Linear()] > 0.3
    assert odd[Linear()] > 0.45
    assert formula[Linear()] > 0.2
    assert monotone[Linear()] > 0.1
    for plane in (crossed, around):
        assert max(error for kernel, error in plane.items() if kernel != Linear()) < 0.02
    for kernel in (Polynomial(3), Conjunctions(), Conjunctions(size=3), MonotoneConjunctions()):
        assert odd[kernel] < 0.03
        assert formula[kernel] < 0.05
    assert monotone[MonotoneConjunctions(size=3)] < monotone[MonotoneConjunctions()] < monotone[Linear()] / 2
    assert all(0.3 < kernels.chance(problems[name]) < 0.55 for name in names)


def test_the_heaviest_conjunctions_are_the_terms_of_the_formula():
    X, y, _, truth, _ = dnf(2000, columns=8, terms=2, size=2, seed=0)
    learner = Perceptron(kernel=Conjunctions(size=2), representation="dual", passes=10, random_state=0)
    learner.fit(X, y)
    features = [feature for feature in Conjunctions(size=2).feature_map(8).features() if len(feature) == 2]
    weights = {feature: float(learner.feature_weight(feature)[0]) for feature in features}
    heaviest = sorted(weights, key=lambda feature: -weights[feature])[:2]
    assert {tuple(sorted(feature)) for feature in heaviest} == set(truth.terms)


def test_kernels_are_compared_with_chance_on_each_problem():
    outcome = kernels.reproduce(Asked(quick=True))
    assert [len(found["rows"]) for found in outcome.figures.values()] == [4, 4]
    assert [comparison.ours for comparison in outcome.comparisons[4:]] == [
        100 * row["error"] for row in outcome.figures["a circle, 500 points"]["rows"]
    ]
    assert all(0.4 < found["chance"] < 0.6 for found in outcome.figures.values())
    assert [table.row_count for table in outcome.tables] == [4, 4]
    assert len(outcome.pictures["kernels"]().axes) == 4


def test_digits_are_learned_better_with_kernels(monkeypatch):
    monkeypatch.setattr(digits, "PASSES", (1, 4))
    for rows in digits.run_kernels(Asked()).values():
        for name in digits.COMPARED:
            linear, *others = (row for row in rows if row.learner == name)
            assert linear.kernel == "Linear()"
            assert len(others) == 3
            assert all(row.errors[1] < linear.errors[1] for row in others)
            assert all(0 < row.remembered < 1198 for row in others)


# -- the published table --------------------------------------------------------------------------------


def test_mnist_table_has_the_figures_of_each_pass(tmp_path, monkeypatch):
    write_mnist(tmp_path / "mnist", rows=200)
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))
    monkeypatch.setattr(mnist, "CANDIDATES", {name: mnist.CANDIDATES[name] for name in mnist.CHOSEN})
    outcome = mnist.reproduce(Asked(full=True))
    table, ten, selection = outcome.figures.values()
    assert [row.passes for row in table] == 3 * list(mnist.PASSES)
    assert [row.published for row in table[:6]] == list(mnist.PUBLISHED["linear"])
    assert len(selection) == len(ten) == len(mnist.TEN) * len(mnist.CHOSEN)
    for row in table + ten:
        assert 0 <= row.error < 0.7
        assert row.mistakes_per_row == row.mistakes / 200
        assert row.support is None if row.learner == "linear" else 0 < row.support <= 200
    *nine, last = outcome.comparisons
    assert [each.ours for each in nine] == [100 * row.error for row in table]
    assert (last.published, last.ours) == (1.6, 100 * ten[2].error)
    published, ours = outcome.pictures["errors by passes"]().axes
    assert [list(curve.get_ydata()) for curve in ours.lines] == [
        [100 * row.error for row in table if row.learner == name] for name in mnist.KERNELS
    ]
    assert published.lines[2].get_ydata()[-1] == pytest.approx(0.6)


def test_one_run_gives_the_figures_of_separate_runs(tmp_path):
    write_mnist(tmp_path)
    data = mnist.nine(load_mnist(tmp_path))
    options = {"kernel": Polynomial(2), "representation": "dual", "shuffle": False, "fit_intercept": False}
    rows = mnist.follow("degree 2", Perceptron(**options), data, (0.5, 1, 3))
    for row in rows:
        learner = Perceptron(passes=row.passes, **options).fit(data.X, data.y)
        assert row.error == 1 - learner.score(data.X_test, data.y_test)
        assert row.mistakes == learner.mistakes_.sum()
        assert row.support == learner.support_.size


def test_selection_looks_at_training_rows_only(tmp_path):
    write_mnist(tmp_path)
    data = load_mnist(tmp_path)
    parts = mnist.held_out(data)
    np.testing.assert_array_equal(np.concatenate([parts.X, parts.X_test]), data.X)
    assert len(parts.y_test) == len(parts.X_test) == 50
