"""Checkpoints, tampered with: --resume refuses them by name, or the training goes on, or says why not."""

import tempfile
import warnings
from functools import cache
from pathlib import Path

import numpy as np

from kerneltron.files.format import ModelFileError, read, write
from kerneltron.jobs.job import Job
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import method
from kerneltron.learning.scaler_choice import scaler_of_stream
from kerneltron.stream.formats.vowpal import Vowpal
from kerneltron.stream.hashing import Hashing
from kerneltron.training.checkpoints import Checkpoints, state
from tests.fuzzing.guard import bounded
from tests.fuzzing.tampering import UNCLEAR, tampered

QUICK = 60
LINES = [f"{'abc'[i % 3]} |t w{i * 7 % 23} v{i % 5} u{i % 3}\n" for i in range(120)]
TRAININGS = [
    ("perceptron", 6, {"passes": 2}),
    ("perceptron", 9, {"hypothesis": "vote"}),
    ("perceptron", 6, {"hypothesis": "random"}),
    ("perceptron", 4, {"kernel": "Polynomial(2)", "representation": "primal"}),
    ("perceptron", 6, {"kernel": "Gaussian(2.0)"}),
    ("logistic", 8, {"passes": 3, "early_stopping": True, "validation_fraction": 0.3}),
    ("logistic", 6, {"schedule": "inverse"}),
    ("mira", 6, {}),
    ("winnow", 6, {"balanced": True}),
    ("romma", 10, {}),
    ("arow", 6, {"passes": 2}),
    ("logistic", 12, {"passes": 2}),  # packed
    ("passive-aggressive", 6, {"kernel": "Gaussian(2.0)", "budget": 8, "when_full": "merge"}),
    ("pegasos", 6, {"kernel": "Gaussian(2.0)", "representation": "RandomFourier(8)"}),
]
SCALED = {5, 10}  # of these, those whose rows are scaled


def begun(number, source):
    """Return a job and its training, not begun; its options do not depend on where the source lies."""
    name, bits, options = TRAININGS[number]
    learner = Learner(method(name)(random_state=0, **options), 1 << bits)
    hashing = Hashing(bits=bits, signed=False)
    if number in SCALED:
        learner.scaler = scaler_of_stream(hashing, learner.method)
    job = Job(learner, hashing, Vowpal(), [str(source)])
    return job, job.training()


@cache
def saved(number):
    """Return the contents of a checkpoint from the middle of a training."""
    with tempfile.TemporaryDirectory() as folder:
        source, path = Path(folder) / "some.vw", Path(folder) / "some.checkpoint"
        source.write_text("".join(LINES))
        _, training = begun(number, source)
        training.every = 50
        training.run(lambda training: path.exists() or write(path, state(training, {})))
        return read(path)


def case(rng, folder):
    number, other = (int(rng.integers(0, len(TRAININGS))) for _ in range(2))
    tampered(rng, saved(number), saved(other), path_in(folder))
    go_on(number, folder)


def path_in(folder):
    """Return where the checkpoint of a training lies."""
    return folder / "some.model.checkpoint"


def go_on(number, folder):
    """Take up a training where a checkpoint says that it was, and end it."""
    source = folder / "some.vw"
    source.write_text("".join(LINES))
    checkpoints = Checkpoints(str(folder / "some.model"), 50, {})
    with bounded(), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        job, training = begun(number, source)
        try:
            checkpoints.begin(training, resume=True)
        except ModelFileError as error:
            assert checkpoints.path in str(error)  # noqa: PT017 - there need not be one
            assert not any(name in str(error) for name in UNCLEAR)  # noqa: PT017
            return
        try:
            training.run(checkpoints.write_when_due)
            job.model(training).save(folder / "some.model")
        except ValueError:
            pass
