"""Learning from streams: the same as from matrices, whatever the pieces, also after an interruption."""

import gzip

import numpy as np
import pytest
import scipy.sparse as sp

import kerneltron
from kerneltron.files import format as files
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import METHODS, method
from kerneltron.learning.progressive import Tally, log_loss, predicted, probabilities
from kerneltron.learning.stream_model import StreamModel
from kerneltron.learning.targets.classification import Classification
from kerneltron.stream.cache import Cache
from kerneltron.stream.formats.vowpal import Vowpal
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels
from kerneltron.stream.names import NameIndex, Names
from kerneltron.stream.reader import Reader, Wanted
from kerneltron.training import checkpoints, windows
from kerneltron.training.pass_plan import PassPlan
from kerneltron.training.streaming import StreamTraining

HASHING = Hashing(bits=10)
UNSIGNED = Hashing(bits=10, signed=False)


def lines(n, classes=2, seed=0, ordered=False):
    """Draw texts whose words depend on their class."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, classes, n)
    if ordered:
        labels = np.sort(labels)
    for label in labels:
        own = rng.integers(0, 12, 4) * classes + label
        noise = rng.integers(0, 60, 6)
        words = [f"w{w}" for w in own] + [f"v{w}" for w in noise]
        yield f"c{label} |t {' '.join(words)}"


@pytest.fixture
def small_windows(monkeypatch):
    monkeypatch.setattr("kerneltron.stream.window.FEATURES", 2000)
    monkeypatch.setattr("kerneltron.stream.window.ROWS", 300)
    monkeypatch.setattr("kerneltron.stream.cache.BLOCK", 50)


@pytest.fixture
def source(tmp_path):
    def write(n=1000, **options):
        path = tmp_path / "examples.vw"
        path.write_text("\n".join(lines(n, **options)) + "\n")
        return str(path)

    return write


def training(path, name="perceptron", course=None, hashing=HASHING, chunk=None, watch=None, **parameters):
    learner = Learner(method(name)(random_state=0, **parameters), hashing.slots)
    course = course or PassPlan()
    wanted = Wanted(digests=course.held_out > 0)
    reader = Reader([path], Vowpal(), hashing, Labels(), wanted=wanted, chunk=chunk, watch=watch)
    return StreamTraining(learner, reader, course)


def saved(trained):
    """Return the bytes that a trained learner is saved as."""
    model = StreamModel(trained.learner, HASHING, Vowpal(), None, trained.progress.examples)
    contents = model.contents()
    return contents.header, {name: array.tobytes() for name, array in contents.tensors.items()}


def matrix(path, hashing=HASHING):
    reader = Reader([path], Vowpal(), hashing, labels := Labels())
    rows, codes = [], []
    for window in reader.windows():
        shape = (window.size, hashing.slots)
        parts = (window.values.copy(), window.indices.copy(), window.starts.copy())
        rows.append(sp.csr_matrix(parts, shape))
        codes += [labels.names[label] for label in window.labels]
    return sp.vstack(rows, "csr"), np.array(codes)


@pytest.mark.parametrize("hypothesis", ["last", "average", "random"])
@pytest.mark.parametrize("name", sorted(set(METHODS) - {"svm"}))  # its weights are not for streams
@pytest.mark.usefixtures("small_windows")
def test_a_stream_teaches_what_partial_fit_does(source, name, hypothesis):
    hashing = UNSIGNED if name == "winnow" else HASHING
    path = source(600, classes=3)
    stream = training(path, name, PassPlan(seed=None), hashing, hypothesis=hypothesis)
    windows.meet(stream.learner, ["c0", "c1", "c2"])
    stream.run()
    X, y = matrix(path, hashing)
    estimator = getattr(kerneltron, METHODS[name][1])(hypothesis=hypothesis, random_state=0)
    estimator.partial_fit(X, y, classes=["c0", "c1", "c2"])
    assert stream.learner.known == estimator.classes_.tolist()
    ours, theirs = stream.learner.model.weights, estimator.model_.weights
    for field in ours._fields:
        np.testing.assert_allclose(getattr(ours, field), getattr(theirs, field), rtol=1e-5, atol=1e-6)
    assert stream.progress.examples == 600
    assert stream.learner.mistakes.tolist() == estimator.mistakes_.tolist()
    assert stream.progress.errors <= estimator.mistakes_.sum()  # a tie is a mistake, though it may be right


@pytest.mark.usefixtures("small_windows")
def test_a_dual_learner_learns_from_a_stream(source):
    path = source(400)
    stream = training(path, "perceptron", PassPlan(seed=None), kernel="Polynomial(2)")
    stream.run()
    X, y = matrix(path)
    estimator = kerneltron.Perceptron(kernel="Polynomial(2)", random_state=0).partial_fit(X, y)
    assert stream.learner.space.form == "dual"
    assert stream.learner.mistakes.tolist() == estimator.mistakes_.tolist()
    window = next(Reader([path], Vowpal(), HASHING, Labels()).windows())
    np.testing.assert_allclose(
        windows.scores(stream.learner, window)[:, 0],
        estimator.decision_function(X[: window.size]),
        rtol=1e-4,
        atol=1e-4,
    )


@pytest.mark.usefixtures("small_windows")
def test_chunks_and_compression_change_nothing(source, tmp_path):
    path = source(800, classes=3)
    course = PassPlan(passes=2, seed=3)
    (whole := training(path, "logistic", course)).run()
    (pieces := training(path, "logistic", course, chunk=700)).run()
    packed = tmp_path / "examples.vw.gz"
    packed.write_bytes(gzip.compress((tmp_path / "examples.vw").read_bytes()))
    (zipped := training(str(packed), "logistic", course)).run()
    assert saved(whole) == saved(pieces) == saved(zipped)
    assert whole.progress == pieces.progress == zipped.progress
    phi = {"kernel": "Gaussian(4)", "representation": "Nystrom(40)"}
    (whole := training(path, "logistic", course, **phi)).run()
    (pieces := training(path, "logistic", course, chunk=700, **phi)).run()
    assert saved(whole) == saved(pieces)


class KilledError(Exception):
    pass


# What is trained by a name: the method, and its parameters.
RESUMED = {
    "logistic": ("logistic", {"hypothesis": "average"}),
    "perceptron": ("perceptron", {"hypothesis": "last"}),
    "romma": ("romma", {"hypothesis": "random"}),
    "fourier": ("passive-aggressive", {"kernel": "Gaussian(4)", "representation": "RandomFourier(60)"}),
    "landmarks": ("perceptron", {"kernel": "Polynomial(2)", "representation": "Nystrom(30)"}),
    **{
        f"budget, {name}": (
            "passive-aggressive",
            {"kernel": "Gaussian(4)", "budget": 20, "when_full": name, **more},
        )
        for name, more in (
            ("random", {}),
            ("forget", {}),
            ("project", {}),
            ("merge", {}),
            ("sketch", {"sketch": "RandomFourier(20)"}),
        )
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RESUMED)
@pytest.mark.parametrize("held_out", [0.0, 0.2])
@pytest.mark.usefixtures("small_windows")
def test_a_resumed_training_ends_as_one_without_interruption(source, tmp_path, name, held_out):
    path, course = source(700, classes=3), PassPlan(passes=3, seed=1, held_out=held_out, patience=1)
    learner, parameters = RESUMED[name]

    def new():
        return training(path, learner, course, **parameters)

    steps = []
    whole = new()
    whole.run(lambda t: steps.append((t.number, t.batches_done)))
    file = tmp_path / "checkpoint"
    for stop in range(1, len(steps) + 1, 4):
        calls = []

        def after_window(state, stop=stop, calls=calls):
            calls.append(None)
            if len(calls) == stop:
                files.write(file, checkpoints.state(state, {"passes": 3}))
                raise KilledError

        with pytest.raises(KilledError):
            new().run(after_window)
        resumed = new()
        checkpoints.restore(files.read(file), resumed, {"passes": 3})
        assert (resumed.number, resumed.batches_done) == steps[stop - 1]
        resumed.run()
        assert saved(resumed) == saved(whole)
        assert resumed.progress == whole.progress
        assert resumed.best.scores == whole.best.scores


@pytest.mark.usefixtures("small_windows")
def test_a_training_resumed_where_a_class_began_ends_as_one_without_interruption(source, tmp_path):
    path, file = source(500, classes=3, ordered=True), tmp_path / "checkpoint"

    def new():
        stream = training(path, course=PassPlan(passes=2, seed=1))
        stream.every = 60
        return stream

    def within_late_window(state):
        if state.findings.late and state.visits:
            files.write(file, checkpoints.state(state, {}))
            raise KilledError

    (whole := new()).run()
    assert list(whole.findings.late) == ["c2"]
    with pytest.raises(KilledError):
        new().run(within_late_window)
    checkpoints.restore(files.read(file), resumed := new(), {})
    assert (resumed.number, bool(resumed.visits)) == (0, True)
    resumed.run()
    assert saved(resumed) == saved(whole)
    assert (resumed.progress, resumed.findings.late) == (whole.progress, whole.findings.late)


def test_a_checkpoint_of_other_options_is_refused(source, tmp_path):
    path = source(50)
    begun = training(path)
    begun.run()
    contents = checkpoints.state(begun, {"passes": 3})
    with pytest.raises(ValueError, match="passes=3, not 5"):
        checkpoints.restore(contents, training(path), {"passes": 5})


@pytest.mark.usefixtures("small_windows")
def test_early_stopping_holds_out_the_same_examples_and_restores_the_best_pass(source):
    path = source(900)
    stopped = training(path, "perceptron", PassPlan(passes=8, seed=0, held_out=0.25, patience=2))
    stopped.run()
    best = int(np.argmax(stopped.best.scores)) + 1
    assert stopped.best.number == best
    assert len(stopped.best.scores) <= best + 2
    learned = stopped.progress.examples / stopped.number
    assert 0.65 * 900 < learned < 0.85 * 900
    again = training(path, "perceptron", PassPlan(passes=best, seed=0, held_out=0.25))
    again.run()
    np.testing.assert_array_equal(again.learner.model.vectors(), stopped.learner.model.vectors())


@pytest.mark.usefixtures("small_windows")
def test_a_sorted_file_is_learned_as_well_as_a_shuffled_one(source):
    def accuracy(ordered):
        stream = training(
            source(3000, classes=4, ordered=ordered), "logistic", PassPlan(passes=5), learning_rate=0.1
        )
        stream.run()
        test = source(1000, classes=4, seed=1)
        X, y = matrix(test)
        window = list(Reader([test], Vowpal(), HASHING, Labels()).windows())
        assert window
        codes = predicted(np.asarray(stream.learner.model.scores(X)), 4)
        return np.mean(np.array(stream.learner.known)[codes] == y)

    assert accuracy(True) >= accuracy(False) - 0.005


@pytest.mark.usefixtures("small_windows")
def test_a_pass_from_the_cache_visits_every_example_once(source):
    path = source(777)
    reader = Reader([path], Vowpal(), HASHING, Labels())
    cache, expected = Cache(), []
    for window in reader.windows():
        cache.add(window)
        expected += [
            tuple(window.indices[a:b]) for a, b in zip(window.starts, window.starts[1:], strict=False)
        ]
    order = np.random.default_rng(0).permutation(len(cache.blocks))
    for chosen in (None, order):
        seen = []
        for window in cache.windows(chosen):
            ends = zip(window.starts, window.starts[1:], strict=False)
            seen += [tuple(window.indices[a:b]) for a, b in ends]
        assert sorted(seen) == sorted(expected)
        assert (seen == expected) == (chosen is None)


def test_values_and_weights_survive_the_cache(tmp_path):
    path = tmp_path / "few.vw"
    path.write_text("1 0.5 |a x:0.25 y:300\n\n-1 |a x:127 y:-128\n 3 |a\n |a z\n")
    (window,) = (w for w in Reader([str(path)], Vowpal(), HASHING, Labels()).windows())
    cache = Cache()
    cache.add(window, np.array([0, 2, 3]))
    cache.add(window, np.array([1]))
    (back,) = cache.windows()
    assert back.importance.tolist() == [0.5, 1.0, 1.0, 1.0]
    assert back.labels.tolist() == [0, 2, -1, 1]
    assert sorted(np.abs(back.values).tolist()) == [0.25, 1.0, 127.0, 128.0, 300.0]


def test_unlabelled_examples_are_left_out_and_counted(tmp_path):
    path = tmp_path / "some.vw"
    path.write_text("1 |a x\n|a y\n-1 |a z\n")
    stream = training(str(path))
    stream.run()
    assert (stream.progress.examples, stream.findings.unlabelled) == (2, 1)


def test_classes_that_come_late_and_one_alone(tmp_path):
    path = tmp_path / "late.vw"
    path.write_text("b |a x\n" * 3)
    stream = training(str(path))
    stream.run()
    assert stream.learner.known == ["b"]
    late = training(str(path))
    windows.meet(late.learner, ["a", "b", "c"])
    late.run()
    assert late.learner.model.columns == 3


def test_names_come_back_with_counts_and_collisions(tmp_path):
    path = tmp_path / "names.vw"
    text = "1 |user bob |text free prize free\n-1 |user al |text lunch\n"
    path.write_text(text * 3)
    hashing = Hashing(bits=4, cross=("user*text",), ngrams=2)
    names = Names(hashing)
    for _ in Reader([str(path)], Vowpal(), hashing, Labels(), watch=names.watch).windows():
        pass
    index = names.index()
    counts = {text.decode(): count for text, count in zip(index.texts, index.counts.tolist(), strict=True)}
    assert counts["text^free"] == 6
    assert counts["text^free prize"] == 3
    assert counts["user^bob*text^prize free"] == 3
    assert counts["user^al*text^lunch"] == 3
    assert sum(len(index.of(slot)) for slot in range(16)) == len(index) > 10
    again = NameIndex.from_tensors(hashing, index.tensors())
    assert again.texts == index.texts
    for slot in range(16):
        assert again.of(slot) == index.of(slot)
        assert all(name.slot == slot for name in index.of(slot))


@pytest.mark.usefixtures("small_windows")
def test_names_grow_beyond_their_first_table_and_stop_at_the_most(tmp_path, monkeypatch):
    monkeypatch.setattr("kerneltron.stream.names.FIRST_TABLE", 16)
    monkeypatch.setattr("kerneltron.stream.names.FIRST_BYTES", 8)
    path = tmp_path / "many.vw"
    path.write_text("".join(f"1 |t w{i} w{i % 10}\n" for i in range(500)))
    for most, known in ((10_000, 500), (100, 100)):
        names = Names(HASHING, most)
        for _ in Reader([str(path)], Vowpal(), HASHING, Labels(), watch=names.watch, chunk=200).windows():
            pass
        index = names.index()
        assert len(index) == known
        assert dict(zip(index.texts, index.counts.tolist(), strict=True))[b"t^w3"] == 51


def test_negative_features_are_no_food_for_winnow(tmp_path):
    path = tmp_path / "negative.vw"
    path.write_text("1 |a x:-1\n-1 |a x\n")
    with pytest.raises(ValueError, match="Negative values in data passed to Winnow"):
        training(str(path), "winnow", hashing=UNSIGNED).run()


def test_progressive_losses_are_those_of_probabilities():
    rng = np.random.default_rng(0)
    for classes in (2, 4):
        scores = 3 * rng.standard_normal((50, 1 if classes == 2 else classes))
        codes = rng.integers(0, classes, 50)
        p = probabilities(scores, classes)
        np.testing.assert_allclose(p.sum(axis=1), 1.0)
        np.testing.assert_allclose(log_loss(scores, codes), -np.log(p[np.arange(50), codes]), rtol=1e-9)
        weight = rng.random(50)
        found = Classification(np.arange(classes)).tally(scores, codes, weight, True)
        assert found.error_rate == pytest.approx(weight @ (p.argmax(axis=1) != codes) / weight.sum())
        assert (found + found - found) == found
    assert np.isnan(Tally().mean_loss)


def test_a_dual_learner_goes_on_from_a_file_and_over_several_passes(source, tmp_path):
    path = source(300)
    stream = training(path, "perceptron", PassPlan(passes=2), kernel="Polynomial(2)")
    stream.run()
    StreamModel(stream.learner, HASHING, Vowpal()).save(tmp_path / "dual.model")
    loaded = StreamModel.load(tmp_path / "dual.model")
    reader = Reader([path], Vowpal(), HASHING, Labels())
    again = StreamTraining(loaded.learner, reader, PassPlan())
    again.run()
    assert again.learner.mistakes.size == 3
    assert again.learner.mistakes[2] <= stream.learner.mistakes[0]
