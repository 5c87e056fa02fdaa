"""Iterative parameter mixing: the paper's bound and counter-example, and what serial training has."""

import dask.array as da
import numpy as np
import pytest

import kerneltron
from kerneltron import cluster
from kerneltron.cluster.mixing import MIXES, shares
from kerneltron.cluster.training import ClusterTraining
from kerneltron.cluster.waiting import LostError
from kerneltron.learning.stream_model import StreamModel
from kerneltron.training.combining import combine
from tests.cluster.examples import WRITERS, separable, write_vw
from tests.clusters import in_process

pytestmark = pytest.mark.slow

PLAIN = {"hypothesis": "last", "fit_intercept": False, "shuffle": False, "random_state": 0}


def blocks(X, y, shards):
    size = -(-len(y) // shards)
    return da.from_array(X, chunks=(size, X.shape[1])), da.from_array(y, chunks=size)


def followed(learner, data, client, **more):
    """Return the fitted learner, and the rounds that led to it."""
    seen = []
    fitted = cluster.fit(
        learner, data, client, callback=lambda training: seen.append(training.rounds[-1]), **more
    )
    return fitted, seen


# -- laws ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mix", MIXES)
@pytest.mark.parametrize("shards", [2, 3, 8])
def test_mistakes_weighted_by_shares_stay_below_the_bound(client, mix, shards):
    X, y, bound = separable(seed=shards)
    fitted, rounds = followed(
        kerneltron.Perceptron(**PLAIN), blocks(X, y, shards), client, rounds=25, mix=mix
    )
    weighted = sum(
        share * report.mistakes
        for each in rounds
        for share, report in zip(shares(mix, each.reports), each.reports, strict=True)
    )
    assert weighted <= bound
    if mix == "uniform":
        assert sum(each.mistakes for each in rounds) <= shards * bound
    assert rounds[-1].mistakes == 0, "separable data end in rounds without a mistake"
    assert fitted.score(X, y) == 1.0


def test_a_round_without_mistakes_keeps_the_base(client):
    X, y, _ = separable()
    data = blocks(X, y, 6)
    _, rounds = followed(kerneltron.Perceptron(**PLAIN), data, client, rounds=25)
    enough = next(each.number for each in rounds if each.mistakes == 0)
    ends = [
        cluster.fit(kerneltron.Perceptron(**PLAIN), data, client, rounds=number).coef_
        for number in (enough - 1, enough, enough + 3)
    ]
    np.testing.assert_array_equal(ends[0], ends[1])
    np.testing.assert_array_equal(ends[1], ends[2])


# McDonald, Hall and Mann 2010, section 3.1: separable by (1, -2, 1), two shards of two examples.
PAPER = np.array([[1.0, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 0]]), np.array([0, 1, 0, 1])


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_averaging_once_fails_on_the_papers_counter_example_whatever_the_shares(share):
    X, y = PAPER
    alone = [
        kerneltron.Perceptron(**{**PLAIN, "passes": 100}).fit(X[part], y[part])
        for part in (slice(0, 2), slice(2, 4))
    ]
    assert [
        part.score(X[rows], y[rows]) for part, rows in zip(alone, (slice(0, 2), slice(2, 4)), strict=True)
    ]
    once = combine([part.learner_ for part in alone], np.array([share, 1 - share]))
    assert (once.labels(once.scores(X)) == y).mean() < 1


@pytest.mark.parametrize("mix", MIXES)
def test_mixing_in_rounds_separates_the_papers_counter_example(client, mix):
    X, y = PAPER
    fitted, rounds = followed(kerneltron.Perceptron(**PLAIN), blocks(X, y, 2), client, rounds=20, mix=mix)
    assert fitted.score(X, y) == 1.0
    assert rounds[-1].mistakes == 0


def test_shares_sum_to_one_and_follow_what_was_asked(client):
    X, y, _ = separable(n=90)
    data = da.from_array(X, chunks=((60, 30), 6)), da.from_array(y, chunks=((60, 30),))
    _, rounds = followed(kerneltron.Perceptron(**PLAIN), data, client, rounds=1)
    reports = rounds[0].reports
    assert shares("uniform", reports).tolist() == [0.5, 0.5]
    assert shares("examples", reports).tolist() == [2 / 3, 1 / 3]
    counted = np.array([report.mistakes for report in reports])
    np.testing.assert_allclose(shares("mistakes", reports), counted / counted.sum())
    none = [report._replace(mistakes=0) for report in reports]
    assert shares("mistakes", none).tolist() == [0.5, 0.5]


# -- one shard is serial training ----------------------------------------------------------------------------

SERIAL = {
    "perceptron": (),
    "logistic": ("--passes", 3),
    "arow": ("--passes", 2, "--names"),
    "winnow": ("--bits", 12),
    "pegasos": ("--passes", 2, "--no-shuffle"),
    "mira": ("--names", "--cross", "text*text"),
    "passive-aggressive": ("--passes", 6, "--early-stopping", "--patience", 2),
    "romma": ("--hypothesis", "last"),
    "perceptron of Nystrom": ("--kernel", "Gaussian(2.0)", "--map", "Nystrom(20)", "--bits", 8),
    "perceptron in dual form": ("--kernel", "Gaussian(2.0)", "--bits", 8),
    "perceptron that votes": ("--hypothesis", "vote", "--bits", 8),
}


@pytest.mark.parametrize("name", SERIAL)
def test_one_shard_is_serial_training_to_the_byte(commands, tmp_path, name):
    file = write_vw(tmp_path / "a.vw")
    words = ["train", file, "--learner", name.split()[0], *SERIAL[name]]
    assert commands(*words, "-o", tmp_path / "serial.model")[0] == 0
    code, out, _ = commands(*words, "--workers", 2, "--shards", 1, "-o", tmp_path / "cluster.model")
    assert code == 0
    assert "on 1 shards" in out
    assert (tmp_path / "serial.model").read_bytes() == (tmp_path / "cluster.model").read_bytes()


@pytest.mark.parametrize("name", ["Perceptron", "LogisticRegression", "Arow", "PassiveAggressive", "Pegasos"])
@pytest.mark.parametrize("more", [{"passes": 3}, {"passes": 6, "early_stopping": True, "patience": 1}])
def test_one_block_of_an_array_is_fit_to_the_byte(client, tmp_path, name, more):
    X, y, _ = separable()
    learner = getattr(kerneltron, name)(random_state=3, **more)
    fitted = cluster.fit(learner, blocks(X, y, 1), client)
    learner.fit(X, y)
    np.testing.assert_array_equal(fitted.coef_, learner.coef_)
    assert fitted.n_updates_ == learner.n_updates_
    if "patience" in more:
        assert fitted.best_pass_ == learner.best_pass_


# -- several shards ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", ["perceptron", "logistic", "arow", "winnow"])
def test_a_round_is_training_each_shard_from_the_base_and_merging(commands, tmp_path, learner):
    base, mine, yours = (write_vw(tmp_path / f"{n}.vw", seed=n) for n in range(3))
    first = tmp_path / "base.model"
    assert commands("train", base, "--learner", learner, "--classes", "ham,spam", "-o", first)[0] == 0
    apart = [tmp_path / "mine.model", tmp_path / "yours.model"]
    for file, model in zip((mine, yours), apart, strict=True):
        assert commands("train", file, "--from", first, "-o", model)[0] == 0
    merged = tmp_path / "merged.model"
    assert commands("merge", *apart, "--base", first, "--weights", "1,1", "-o", merged)[0] == 0
    mixed = tmp_path / "mixed.model"
    assert commands("train", mine, yours, "--from", first, "--workers", 2, "-o", mixed)[0] == 0
    one, other = (StreamModel.load(model).learner.model.weights for model in (merged, mixed))
    for name in ("v", "negative", "kept", "scale", "mass", "clock", "updates"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    np.testing.assert_allclose(one.u, other.u, rtol=1e-6)  # of sums that began at different times


@pytest.mark.parametrize("format", WRITERS)
@pytest.mark.parametrize("shards", [2, 4])
def test_parts_of_one_file_are_all_of_it(commands, tmp_path, format, shards):
    file = WRITERS[format](tmp_path / f"a.{format}")
    words = ["train", file, "--names", "--learner", "perceptron", "--passes", 1]
    commands(*words, "-o", tmp_path / "serial.model")
    code, out, err = commands(*words, "--workers", 2, "--shards", shards, "-o", tmp_path / "cluster.model")
    assert code == 0, err
    assert f"on {shards} shards" in out
    serial, mixed = (StreamModel.load(tmp_path / f"{name}.model") for name in ("serial", "cluster"))
    assert mixed.examples == serial.examples == 400
    assert mixed.format.to_json() == serial.format.to_json()
    assert mixed.names.texts == serial.names.texts
    assert mixed.names.counts.tolist() == serial.names.counts.tolist()
    assert mixed.learner.known == serial.learner.known


def test_the_same_bytes_whatever_the_number_of_workers(commands, client, tmp_path):
    from kerneltron.cli.options.parallel import Parallel

    file = write_vw(tmp_path / "a.vw", n=2000)
    words = ["train", file, "--shards", 10, "--rounds", 3, "--workers", 2, "--names", "--learner", "logistic"]
    models = []
    for workers in (1, 3):
        with in_process(workers) as other, pytest.MonkeyPatch.context() as patch:
            patch.setattr(Parallel, "client", lambda self, other=other: _held(other))
            assert commands(*words, "-o", tmp_path / f"{workers}.model")[0] == 0
        models.append((tmp_path / f"{workers}.model").read_bytes())
    assert commands(*words, "-o", tmp_path / "2.model")[0] == 0
    assert models == [(tmp_path / "2.model").read_bytes()] * 2


def _held(client):
    from contextlib import nullcontext

    return nullcontext(client)


@pytest.mark.parametrize("map", ["Nystrom(30)", "RandomFourier(50)"])
def test_shards_share_the_map_of_a_kernel(commands, tmp_path, map):
    file = write_vw(tmp_path / "a.vw", n=1000)
    words = ["train", file, "--kernel", "Gaussian(2.0)", "--map", map, "--bits", 8, "--learner", "perceptron"]
    words += ["--rounds", 3, "--workers", 2, "--shards", 3, "--json", "--test", file]
    code, _out, err = commands(*words, "-o", tmp_path / "a.model")
    assert code == 0, err
    model = StreamModel.load(tmp_path / "a.model").learner.model
    assert model.form == "mapped"
    assert model.ticks == 3000


def test_early_stopping_holds_out_the_same_examples_and_keeps_the_best_round(commands, tmp_path):
    import json

    file = write_vw(tmp_path / "a.vw", n=1500)
    words = ["train", file, "--early-stopping", "--patience", 2, "--rounds", 12, "--json", "--workers", 2]
    code, out, err = commands(*words, "--shards", 3, "-o", tmp_path / "a.model")
    assert code == 0, err
    result = json.loads(out)
    scores = [each["validation_score"] for each in result["rounds"]]
    assert scores == result["validation_scores"]
    assert scores[result["best_pass"] - 1] == max(scores)
    learner = StreamModel.load(tmp_path / "a.model").learner
    assert learner.best_pass == result["best_pass"]
    assert len(learner.mistakes) == result["best_pass"]


def test_progressive_counts_of_rounds_add_up(commands, tmp_path):
    import json

    file = write_vw(tmp_path / "a.vw", n=900)
    words = ["train", file, "--rounds", 4, "--json", "--workers", 2, "--shards", 3, "--learner", "logistic"]
    result = json.loads(commands(*words, "-o", tmp_path / "a.model")[1])
    assert result["examples"] == 3600
    assert result["shards"] == 3
    errors = [each["progressive_error"] for each in result["rounds"]]
    assert result["progressive_error"] == pytest.approx(np.mean(errors))
    losses = [each["progressive_loss"] for each in result["rounds"]]
    assert result["progressive_loss"] == pytest.approx(np.mean(losses))
    learner = StreamModel.load(tmp_path / "a.model").learner
    assert learner.mistakes.tolist() == [each["mistakes"] for each in result["rounds"]]
    assert errors[-1] < errors[0]


def test_a_checkpoint_after_a_round_leads_to_the_same_bytes(commands, tmp_path, monkeypatch):
    from kerneltron.cluster.training import ClusterTraining

    file = write_vw(tmp_path / "a.vw", n=900)
    words = ["train", file, "--rounds", 5, "--shards", 3, "--workers", 2, "--names", "--checkpoint"]
    words += ["--early-stopping", "--patience", 4]
    commands(*words, "-o", tmp_path / "whole.model")
    model, real = tmp_path / "a.model", ClusterTraining._round

    def interrupted(self, when_savable):
        if self.number == 3:
            raise KeyboardInterrupt
        real(self, when_savable)

    monkeypatch.setattr(ClusterTraining, "_round", interrupted)
    code, _, err = commands(*words, "-o", model)
    assert code == 130
    assert "--resume" in err
    assert not model.exists()
    monkeypatch.setattr(ClusterTraining, "_round", real)
    other = [word for word in words if word not in ("--shards", 3)]
    assert commands(*other, "-o", model)[0] == 2  # there is a checkpoint
    code, _out, err = commands(*other, "--resume", "-o", model)
    assert code == 0, err
    assert model.read_bytes() == (tmp_path / "whole.model").read_bytes()
    assert not (tmp_path / "a.model.checkpoint").exists()


def test_a_model_of_a_cluster_is_explained_evaluated_and_trained_on(commands, tmp_path):
    file, model = write_vw(tmp_path / "a.vw", n=1500), tmp_path / "a.model"
    words = ["train", file, "--rounds", 3, "--workers", 2, "--shards", 4, "--names", "-o", model]
    assert commands(*words, "--test", file)[0] == 0
    code, out, _ = commands("explain", model)
    assert code == 0
    assert "text^w" in out
    assert commands("evaluate", model, file)[0] == 0
    assert commands("train", file, "--from", model, "-o", tmp_path / "b.model")[0] == 0
    more = ["train", file, "--from", model, "--workers", 2, "--shards", 2, "-o", tmp_path / "c.model"]
    assert commands(*more)[0] == 0
    assert StreamModel.load(tmp_path / "c.model").examples == 6000
    seen = StreamModel.load(tmp_path / "c.model").names.counts.sum()
    assert seen == 2 * StreamModel.load(model).names.counts.sum()


def test_labels_that_only_one_shard_has_are_known_to_all(commands, tmp_path):
    first, second = write_vw(tmp_path / "a.vw"), tmp_path / "b.vw"
    second.write_text("eggs |text w1 w2\nham |text w3\n" * 20)
    code, _out, err = commands("train", first, second, "--workers", 2, "-o", tmp_path / "a.model")
    assert code == 0, err
    assert StreamModel.load(tmp_path / "a.model").learner.known == ["eggs", "ham", "spam"]
    assert not err


def test_a_shard_that_learns_its_first_round_again_reads_nothing_twice(tmp_path):
    from kerneltron.cluster.planning import shards_of
    from kerneltron.cluster.stream_shard import StreamPlan, StreamShard
    from kerneltron.jobs.job import Job
    from kerneltron.learning.learner import Learner
    from kerneltron.learning.methods import on_stream
    from kerneltron.stream.formats.vowpal import Vowpal
    from kerneltron.stream.hashing import Hashing
    from kerneltron.training import windows

    hashing = Hashing(bits=10)
    learner = Learner(on_stream("perceptron", {"passes": 3}), hashing.slots)
    windows.meet(learner, ["ham", "spam"], are_given=True)
    learner.begin_pass()
    job = Job(learner, hashing, Vowpal(), [], ["ham", "spam"], keep_names=True, threads=1)
    (shard,) = shards_of([str(write_vw(tmp_path / "a.vw"))], Vowpal(), 1, 1).shards
    opened = StreamShard(StreamPlan(job, looks_first=False, is_only=False), shard, None, "topic")
    opened._told = float("inf")  # there is no worker to tell of it
    first, again, second = (opened.learn(learner, number) for number in (0, 0, 1))
    np.testing.assert_array_equal(first.delta.change, again.delta.change)
    assert second.report.progress.examples == 400
    assert opened.names().counts.sum() == 400 * 6


def test_all_workers_may_die_also_where_the_client_has_no_learner(tmp_path, monkeypatch):
    from kerneltron.cluster import training as module

    file = write_vw(tmp_path / "a.vw", n=600)
    monkeypatch.setattr(module, "SMALL", 0)
    learner = kerneltron.Perceptron(random_state=0)
    with in_process(2) as client:
        expected = cluster.fit(learner, file, client, rounds=3, count=2)[-1].coef_
        real, lost = module.ClusterTraining._round, []

        def losing(self, when_savable):
            if self.number == 2 and not lost:
                lost.append(self.number)
                raise module.LostError("all workers died")
            real(self, when_savable)

        monkeypatch.setattr(module.ClusterTraining, "_round", losing)
        found = cluster.fit(learner, file, client, rounds=3, count=2)[-1].coef_
    assert lost
    np.testing.assert_array_equal(found, expected)


def test_scores_of_rounds_that_were_lost_twice_are_not_counted(client, monkeypatch):
    X, y, _ = separable(n=200)
    y = np.where(np.arange(200) % 9 == 0, 1 - y, y)  # so that no round is perfect, and all are made
    settings = {"early_stopping": True, "patience": 9, "validation_fraction": 0.3}
    learner, data = kerneltron.Perceptron(**PLAIN, **settings), blocks(X, y, 2)
    whole = cluster.fit(learner, data, client, rounds=4)
    make_round, lost = ClusterTraining._round, []

    def losing(self, when_savable):
        make_round(self, when_savable)
        if self.number == 3 and len(lost) < 2:
            lost.append(self.number)
            raise LostError("a worker")

    monkeypatch.setattr(ClusterTraining, "_round", losing)
    again = cluster.fit(learner, data, client, rounds=4)
    assert lost == [3, 3]
    np.testing.assert_array_equal(again.validation_scores_, whole.validation_scores_)
    assert again.best_pass_ == whole.best_pass_
    np.testing.assert_array_equal(again.coef_, whole.coef_)


def test_patterns_of_compressed_files_and_addresses_are_what_their_files_are(commands, tmp_path):
    import gzip

    plain = [write_vw(tmp_path / f"{n}.vw", seed=n) for n in range(3)]
    for file in plain:
        file.with_suffix(".vw.gz").write_bytes(gzip.compress(file.read_bytes()))
    given = {
        "plain": plain,
        "packed": [tmp_path / "*.vw.gz"],
        "address": [f"file://{file}" for file in plain],
    }
    for name, inputs in given.items():
        words = ["train", *inputs, "--workers", 2, "--rounds", 2, "--names", "-o", tmp_path / f"{name}.model"]
        code, out, err = commands(*words)
        assert code == 0, err
        assert "on 3 shards" in out
    models = [(tmp_path / f"{name}.model").read_bytes() for name in given]
    assert models[0] == models[1] == models[2]
