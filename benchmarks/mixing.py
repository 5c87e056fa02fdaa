"""Two worker processes beside one, and what it costs to mix models of many weights."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from benchmarks.mail_file import EXAMPLES, write_mail
from benchmarks.settings import Settings
from benchmarks.table import Row, Target
from kerneltron.cluster import tasks
from kerneltron.cluster.carried import Carried
from kerneltron.cluster.connecting import local
from kerneltron.cluster.reports import Part
from kerneltron.cluster.stream_training import training_for
from kerneltron.cluster.training import MixOptions
from kerneltron.jobs.job import Job
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import method, on_stream
from kerneltron.models import merging
from kerneltron.stream.formats.vowpal import Vowpal
from kerneltron.stream.hashing import Hashing
from kerneltron.training import windows

COPIES = 6  # of the file of generated mail: 1.07 GB together
ROUNDS = 3
SHARDS = 2
BITS = (18, 22, 26)


def mixing(settings: Settings) -> list[Row]:
    """Return the time of rounds by one and by two workers, and that of mixing by number of weights."""
    with _mail(settings) as path:
        size = path.stat().st_size
        turns = [
            {workers: _rounds(path, workers) for workers in (1, 2)}
            for _ in range(1 if settings.quick else min(settings.repeats, 3))
        ]
    rows = _rows_of_rounds(turns, size)
    for bits in BITS[:2] if settings.quick else BITS:
        rows += _rows_of_mixing(bits)
    return rows


@contextmanager
def _mail(settings: Settings) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        one, all_of_it = Path(folder, "one.vw"), Path(folder, "mail.vw")
        write_mail(one, EXAMPLES // (20 if settings.quick else 1))
        with all_of_it.open("wb") as file:
            for _ in range(COPIES):
                with one.open("rb") as part:
                    shutil.copyfileobj(part, file, 1 << 24)
        one.unlink()
        yield all_of_it


class Timed(NamedTuple):
    """A round: all of it, and the passes alone of whichever worker took longest."""

    whole: float
    passes: float


def _rounds(path: Path, workers: int) -> list[Timed]:
    """Return how long each round took, with this many processes of one thread."""
    hashing = Hashing(bits=18)
    learner = Learner(on_stream("logistic", {"passes": ROUNDS}), hashing.slots)
    job = Job(learner, hashing, Vowpal(), [str(path)], classes=["1", "-1"])
    with local(workers) as client:
        training = training_for(job, client, MixOptions(), SHARDS)
        training.run()
    return [Timed(each.seconds, _longest(each.reports)) for each in training.rounds]


def _longest(reports: Sequence[Any]) -> float:
    by_worker: dict[str, float] = {}
    for report in reports:
        by_worker[report.worker] = by_worker.get(report.worker, 0.0) + report.seconds
    return max(by_worker.values())


def _rows_of_rounds(turns: list[dict[int, list[Timed]]], size: int) -> list[Row]:
    def best(workers: int, number: int, what: str) -> float:
        return float(min(getattr(turn[workers][number], what) for turn in turns))

    raw = {str(workers): [turn[workers] for turn in turns] for workers in (1, 2)}
    rows = []
    for number, source in ((0, "text"), (ROUNDS - 1, "the cache")):
        for what, words, target in (
            ("passes", "without mixing", Target("at least", 1.7)),
            ("whole", "with mixing", None),
        ):
            one, two = best(1, number, what), best(2, number, what)
            rows.append(
                Row(
                    f"two workers, a round from {source} of {size / 1e9:.2f} GB, {words}",
                    "one worker",
                    f"{two:.2f} s",
                    f"{one:.2f} s",
                    one / two,
                    "x",
                    raw,
                    target if number == 0 else None,
                )
            )
    cost = best(2, 0, "whole") - best(2, 0, "passes")
    gain = (best(1, 0, "whole") - best(2, 0, "passes")) / size
    rows.append(
        Row(
            "text from which a round of two workers pays, 2^18 weights",
            "one worker",
            f"{cost:.2f} s a round",
            f"{gain * 1e6 * 1e3:.1f} ms a MB gained",
            cost / gain / 1e6,
            "MB",
            {"cost": cost, "gain": gain},
        )
    )
    return rows


# -- what mixing costs where every weight has changed --


def _rows_of_mixing(bits: int) -> list[Row]:
    with local(2) as client, tempfile.TemporaryDirectory() as folder:
        workers = list(client.nthreads())
        base = client.submit(_dense_learner, bits, workers=workers[:1], pure=False)
        for worker in workers:  # where it would be after another round
            client.submit(_seen, base, workers=[worker], pure=False).result()
        turns = 2 if bits > 22 else 4
        by_dask = min(_mixed(client, workers, base) for _ in range(turns))
        by_files = min(_mixed(client, workers, base, folder) for _ in range(turns))
    weights = f"2^{bits} weights, all changed, with averages"
    raw = {"dask": by_dask, "files": by_files}
    target = Target("at most", 1.0) if bits == 22 else None
    return [
        Row(
            f"a round beyond its passes, {weights}",
            "through files in a shared folder",
            f"{by_dask:.2f} s",
            f"{by_files:.2f} s",
            by_dask,
            "s",
            raw,
            target,
        )
    ]


def _mixed(client: Any, workers: Sequence[str], base: Any, folder: str | None = None) -> float:
    """Return the time from the end of the passes to the next base on all workers."""
    learned = [client.submit(_gone_on, base, workers=[worker], pure=False) for worker in workers]
    for each in learned:
        client.submit(_seen, each, pure=False).result()
    submit = partial(client.submit, pure=False)
    began = perf_counter()
    parts = [
        submit(_part, each, base, folder, number, workers=[worker])
        for number, (each, worker) in enumerate(zip(learned, workers, strict=True))
    ]
    start = submit(_start, submit(_mix, base, parts), folder)
    done = [submit(_seen, start, workers=[worker]) for worker in workers]
    client.gather(done)
    return perf_counter() - began


def _dense_learner(bits: int) -> Carried:
    learner = Learner(method("perceptron")(random_state=0), 1 << bits)
    windows.meet(learner, ["0", "1"])
    learner.begin_pass()
    weights, rng = learner.model.weights, np.random.default_rng(0)
    weights.v[:] = rng.random(weights.v.size, np.float32)
    weights.u[:] = weights.v
    weights.clock[:], weights.mass[:] = 10, 10.0
    return Carried(learner)


def _gone_on(base: Carried) -> Learner:
    learner = base.learner.copy()
    weights = learner.model.weights
    weights.v[:] += 1
    weights.u[:] += 1
    weights.clock[:] += 10
    weights.mass[:] += 10
    return learner


def _part(learner: Learner, base: Carried, folder: str | None, number: int) -> Any:
    merging.to_go_on_from(base.learner.model, own=True)  # which a pass begins with
    part = Part(None, merging.delta(learner.model, base.learner.model), None)  # type: ignore[arg-type]
    if folder is None:
        return part
    return _written(part, Path(folder, f"part{number}"))


def _mix(base: Carried, parts: Sequence[Any]) -> Carried:
    return tasks.mix(base, [_read(part) for part in parts], [0.5, 0.5], [1.0, 1.0], 0, [None, None])


def _start(mixed: Carried, folder: str | None) -> Any:
    start = tasks.lean(mixed)
    return start if folder is None else _written(start, Path(folder, "base"))


def _seen(thing: Any) -> int:
    _read(thing)
    return 0


class File(NamedTuple):
    """What was written to a shared folder: the arrays in one file, and the rest."""

    path: str
    sizes: list[int]
    rest: bytes


def _written(thing: Any, path: Path) -> File:
    import pickle

    buffers: list[Any] = []
    rest = pickle.dumps(thing, protocol=5, buffer_callback=buffers.append)
    with path.open("wb") as file:
        for buffer in buffers:
            file.write(buffer.raw())
    return File(str(path), [len(buffer.raw()) for buffer in buffers], rest)


def _read(thing: Any) -> Any:
    import pickle

    if not isinstance(thing, File):
        return thing
    with open(thing.path, "rb") as file:
        return pickle.loads(thing.rest, buffers=[bytearray(file.read(size)) for size in thing.sizes])
