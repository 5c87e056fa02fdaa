"""Targets from outside of the package work wherever ours does.

`Ordinal` is classes in an order, whose errors have sizes. `Gains` derives from `Target` alone: truths are
numbers, of which the sign is learned, and there are no classes.
"""

import json
from dataclasses import dataclass

import numpy as np
import pytest

import kerneltron
from kerneltron.files.contents import ModelFileError
from kerneltron.learning import methods
from kerneltron.learning.examples import Coded
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods.logistic_regression import LogisticRegressionMethod
from kerneltron.learning.methods.perceptron import PerceptronMethod
from kerneltron.learning.progressive import Tally
from kerneltron.learning.targets.classification import Classification
from kerneltron.learning.targets.target import Met, Target
from kerneltron.training.combining import combine

LEVELS = 5


class Ordinal(Classification):
    """Classes in an order: the median of the probabilities is predicted, and distances are errors."""

    def predicted(self, scores):
        """Return the place of the median."""
        return (self.probabilities(scores, None).cumsum(axis=1) < 0.5 - 1e-12).sum(axis=1)

    def errors(self, predicted, codes):
        """Return how many classes lie between what was predicted and what is right."""
        return np.abs(predicted - codes)


@dataclass(kw_only=True, eq=False, repr=False)
class OrdinalRegressionMethod(LogisticRegressionMethod):
    """Logistic regression of ordered classes."""

    @classmethod
    def target_type(cls):
        return Ordinal


class Gains(Target):
    """Numbers, of which the sign is learned: 1 or -1 is predicted."""

    columns = 1

    def meet(self, truths, given=None, there=None):
        found = truths if there is None else truths[there]
        if (found == 0).any():
            raise ValueError("a gain of 0 has no sign.")
        return Met(self, {})

    def check_enough(self, source=""):
        """Any gain is enough."""

    def codes(self, truths):
        return (truths > 0).astype(np.int64)

    def codes_by_number(self, labels):
        return np.array([*(int(float(name) > 0) for name in labels.names), -1], np.int64)

    def examples(self, truths, by_class, sample_weight):
        return Coded(self.codes(truths), np.ones(len(truths)) if sample_weight is None else sample_weight)

    def predicted(self, scores):
        return (scores[:, 0] > 0).astype(np.int64)

    def truths(self, scores):
        return 2 * self.predicted(scores) - 1

    def errors(self, predicted, codes):
        return predicted != codes

    def tally(self, scores, codes, importance, logarithmic):
        errors = importance @ self.errors(self.predicted(scores), codes)
        return Tally(codes.size, float(importance.sum()), float(errors))

    def score(self, scores, truths):
        return float(np.mean(self.predicted(scores) == self.codes(truths)))

    def probabilities(self, scores, temperature):
        raise ValueError("gains have no probabilities.")

    log_loss = probabilities

    def origins(self, before):
        return [(0, 1.0)]

    def united(self, others):
        return self

    def state(self, contents):
        return contents

    def check_fits(self, columns):
        if columns != 1:
            raise ModelFileError(f"gains have one vector, not {columns}")

    @classmethod
    def restored(cls, contents):
        return cls()


@dataclass(kw_only=True, eq=False, repr=False)
class TraderMethod(PerceptronMethod):
    """A perceptron that learns whether there is a gain."""

    @classmethod
    def target_type(cls):
        return Gains


@pytest.fixture(autouse=True)
def known():
    """Let the methods be known for one test."""
    before = dict(methods.METHODS)
    methods.register(OrdinalRegressionMethod)
    methods.register(TraderMethod)
    yield
    methods.METHODS.clear()
    methods.METHODS.update(before)


def drawn(n=400, seed=0):
    """Return rows, and levels that grow along a direction and are noisy."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    latent = X @ [1.0, -2.0, 0.5] + 0.8 * rng.normal(size=n)
    return X, np.array(list("12345"))[np.digitize(latent, [-2.5, -0.8, 0.8, 2.5])]


def any_levels(n=400):
    """Return rows, and levels that have nothing to do with them: errors are above 1, and scores below 0."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, 3)), rng.choice(list("12345"), n)


def median(learner, X):
    """Return the first level whose share of one-against-rest probabilities, with those below, is a half."""
    p = 1 / (1 + np.exp(-learner.scores(X)))
    p = p / p.sum(axis=1, keepdims=True)
    return np.array(["12345"[next(c for c in range(LEVELS) if row[: c + 1].sum() >= 0.5)] for row in p])


def distance(predicted, levels):
    return np.abs(np.asarray(predicted, int) - np.asarray(levels, int)).mean()


def written(path, X, y):
    rows = [",".join([level, *(f"{value:.6f}" for value in row)]) for level, row in zip(y, X, strict=True)]
    path.write_text("\n".join(["label,a,b,c", *rows]) + "\n")
    return path


def levels_in(out):
    return np.array(out.split())


def test_an_estimator_predicts_by_it_and_stops_by_it(tmp_path):
    X, y = drawn()
    learner = kerneltron.OrdinalRegression(passes=5, random_state=0).fit(X, y)
    assert isinstance(learner.learner_.target, Ordinal)
    expected = median(learner.learner_, X)
    assert learner.predict(X).tolist() == expected.tolist()
    assert learner.predictor()(X).tolist() == expected.tolist()
    likeliest = learner.classes_[learner.decision_function(X).argmax(axis=1)]
    assert (expected != likeliest).any()
    assert distance(expected, y) < 0.6

    learner.save(tmp_path / "some.model")
    again = kerneltron.load(tmp_path / "some.model")
    assert isinstance(again.learner_.target, Ordinal)
    for each in (learner, again):
        each.partial_fit(X[:50], y[:50])
    assert again.predict(X).tolist() == learner.predict(X).tolist() == median(learner.learner_, X).tolist()


def test_early_stopping_goes_by_distances():
    X, y = any_levels()
    stopping = {"passes": 2, "early_stopping": True, "validation_fraction": 0.5, "random_state": 0}
    learner = kerneltron.OrdinalRegression(**stopping).fit(X, y)
    assert learner.validation_scores_.max() < 0


def test_a_level_that_comes_late_takes_its_place():
    X, y = drawn()
    few = y < "4"
    learner = kerneltron.OrdinalRegression(random_state=0).partial_fit(X[few], y[few])
    with pytest.warns(UserWarning, match="came late"):
        learner.partial_fit(X, y)
    assert isinstance(learner.learner_.target, Ordinal)
    assert learner.classes_.tolist() == list("12345")
    assert learner.predict(X).tolist() == median(learner.learner_, X).tolist()


def test_two_levels_share_a_column():
    X, y = drawn()
    y = np.where(y < "3", "1", "2")
    learner = kerneltron.OrdinalRegression(random_state=0).fit(X, y)
    plain = kerneltron.LogisticRegression(random_state=0).fit(X, y)
    assert learner.predict(X).tolist() == plain.predict(X).tolist()


def test_a_certificate_replays_it():
    X, y = drawn(n=100)
    learner = kerneltron.OrdinalRegression(passes=2, random_state=0, scale=False).fit(X, y)
    from kerneltron.theory.replaying import replay

    run = replay(learner.learner_, X, y)
    assert run.learner.scores(X) == pytest.approx(learner.decision_function(X))


def test_the_command_line_counts_distances(call_command, tmp_path):
    X, y = drawn()
    file, test = written(tmp_path / "some.csv", X, y), written(tmp_path / "test.csv", *drawn(seed=1))
    command = f"train {file} -o {tmp_path}/some.model --learner ordinal-regression --passes 3 --json -q"
    code, out, error = call_command(command)
    assert code == 0, error
    result = json.loads(out)
    loaded = kerneltron.load(tmp_path / "some.model")
    assert isinstance(loaded[-1].learner_.target, Ordinal)

    code, out, error = call_command(f"predict {tmp_path}/some.model {test} --scores")
    assert code == 0, error
    table = [line.split("\t") for line in out.splitlines()]
    scores = np.array([row[1:] for row in table], float)
    p = 1 / (1 + np.exp(-scores))
    codes = ((p / p.sum(axis=1, keepdims=True)).cumsum(axis=1) < 0.5).sum(axis=1)
    assert [row[0] for row in table] == ["12345"[code] for code in codes]

    code, out, error = call_command(f"evaluate {tmp_path}/some.model {test} --json")
    assert code == 0, error
    found = json.loads(out)
    levels = drawn(seed=1)[1]
    assert found["error"] == pytest.approx(distance([row[0] for row in table], levels))
    assert found["accuracy"] == pytest.approx(np.mean(np.array([row[0] for row in table]) == levels))
    assert result["progressive_error"] > found["error"]
    code, out, error = call_command(f"evaluate {file} --folds 2 --learner ordinal-regression --json")
    assert code == 0, error
    assert json.loads(out)["error"] > 1 - json.loads(out)["accuracy"]


def test_early_stopping_on_a_stream_goes_by_distances(call_command, tmp_path):
    file = written(tmp_path / "some.csv", *any_levels())
    command = f"train {file} -o {tmp_path}/some.model --learner ordinal-regression --passes 2 --json -q"
    code, out, error = call_command(f"{command} --early-stopping --validation-fraction 0.5")
    assert code == 0, error
    assert max(json.loads(out)["validation_scores"]) < 0
    assert json.loads(out)["progressive_error"] > 1


def test_merged_models_keep_it(call_command, tmp_path):
    X, y = drawn()
    for name, rows in (("low", y < "5"), ("high", y > "1")):
        file = written(tmp_path / f"{name}.csv", X[rows], y[rows])
        code, _, error = call_command(
            f"train {file} -o {tmp_path}/{name}.model -q --learner ordinal-regression"
        )
        assert code == 0, error
    code, _, error = call_command(
        f"merge {tmp_path}/low.model {tmp_path}/high.model -o {tmp_path}/both.model"
    )
    assert code == 0, error
    file = written(tmp_path / "some.csv", X, y)
    code, out, error = call_command(f"predict {tmp_path}/both.model {file}")
    assert code == 0, error
    assert set(levels_in(out)) <= set("12345")
    assert distance(levels_in(out), y) < 0.8
    assert isinstance(kerneltron.load(tmp_path / "both.model")[-1].learner_.target, Ordinal)


def test_a_cluster_learns_and_validates_by_it(tmp_path):
    da = pytest.importorskip("dask.array")
    pytest.importorskip("distributed")
    from kerneltron import cluster
    from tests.clusters import in_process

    X, y = drawn(n=600)
    rounds = []
    plain = kerneltron.OrdinalRegression(random_state=0)
    stopping = kerneltron.OrdinalRegression(early_stopping=True, validation_fraction=0.3, random_state=0)
    with in_process(2) as client:
        parts = [written(tmp_path / f"{n}.csv", X[n::2], y[n::2]) for n in range(2)]
        of_files = cluster.fit(plain, parts, client, rounds=3)
        of_rows = cluster.fit(plain, in_blocks(da, X, y), client, rounds=3)
        cluster.fit(
            stopping,
            in_blocks(da, *any_levels()),
            client,
            rounds=2,
            callback=lambda training: rounds.append(training.rounds[-1]),
        )
    for fitted in (of_files[-1], of_rows):
        assert isinstance(fitted.learner_.target, Ordinal)
    assert distance(of_files.predict([dict(zip("abc", row, strict=True)) for row in X]), y) < 0.6
    assert distance(of_rows.predict(X), y) < 0.6
    assert of_rows.predict(X).tolist() == median(of_rows.learner_, X).tolist()
    assert max(each.validation_score for each in rounds) < 0
    assert min(each.progress.error_rate for each in rounds) > 1


def in_blocks(da, X, y):
    half = -(-len(X) // 2)
    return da.from_array(X, chunks=(half, 3)), da.from_array(y, chunks=half)


def test_its_file_says_nothing_of_it_and_its_method_does():
    X, y = drawn()
    learner = kerneltron.OrdinalRegression(random_state=0).fit(X, y).learner_
    contents = learner.state()
    assert contents.header["kind"] == "OrdinalRegression"
    assert isinstance(Learner.restore(contents).target, Ordinal)


def gains(n=300):
    X = np.random.default_rng(0).normal(size=(n, 3))
    y = np.rint(10 * X @ [1.0, -2.0, 0.5]).astype(int)
    return X[y != 0], y[y != 0]


@pytest.mark.parametrize("kernel", ["linear", "Gaussian(3.0)"])
def test_truths_that_are_no_classes(tmp_path, kernel):
    X, y = gains()
    sign, weight = np.sign(y), np.arange(len(y)) % 3.0
    for rows, signs, more in ((y, sign, ()), (np.where(weight, y, 0), sign, (None, weight))):
        trader, plain = (
            each(kernel=kernel, random_state=0, passes=3)
            for each in (kerneltron.Trader, kerneltron.Perceptron)
        )
        trader.fit(X, rows, *more[1:])
        plain.fit(X, signs, *more[1:])
        for each, truth in ((trader, rows), (plain, signs)):
            each.partial_fit(X[:40], truth[:40], *(part if part is None else part[:40] for part in more))
        assert trader.predict(X).tolist() == plain.predict(X).tolist()
        assert trader.predictor()(X).tolist() == plain.predict(X).tolist()
        assert trader.mistakes_.tolist() == plain.mistakes_.tolist()
    assert not hasattr(trader, "classes_")
    trader.save(tmp_path / "some.model")
    again = kerneltron.load(tmp_path / "some.model")
    assert again.predict(X).tolist() == trader.predict(X).tolist()
    both = combine([trader.learner_, again.learner_], np.array([0.25, 0.75]))
    assert both.labels(both.scores(X)).tolist() == trader.predict(X).tolist()
    with pytest.raises(ValueError, match="has no sign"):
        trader.partial_fit(X[:1], [0])
    with pytest.raises(ValueError, match="no probabilities"):
        trader.predict_proba(X)


def test_a_cluster_learns_truths_that_are_no_classes():
    da = pytest.importorskip("dask.array")
    pytest.importorskip("distributed")
    from kerneltron import cluster
    from tests.clusters import in_process

    X, y = gains()
    with in_process(2) as client:
        fitted = cluster.fit(kerneltron.Trader(random_state=0), in_blocks(da, X, y), client, rounds=3)
    assert np.mean(fitted.predict(X) == np.sign(y)) > 0.9
