"""Checkpoints, tampered with: --resume refuses them by name, or the training goes on, or says why not."""

import tempfile
import warnings
from functools import cache
from pathlib import Path

import numpy as np

from kerneltron.files.format import ModelFileError, read, write
from kerneltron.jobs.job import Job
from kerneltron.learning.checkpoints import Checkpoints, state
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import method
from kerneltron.stream.formats.vowpal import Vowpal
from kerneltron.stream.hashing import Hashing
from tests.fuzzing.guard import bounded
from tests.fuzzing.tampering import tampered

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
]


def begun(number, source):
    """Return a job and its training, not begun; its options do not depend on where the source lies."""
    name, bits, options = TRAININGS[number]
    learner = Learner(method(name)(random_state=0, **options), 1 << bits)
    job = Job(learner, Hashing(bits=bits, signed=False), Vowpal(), [str(source)])
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
    source = folder / "some.vw"
    source.write_text("".join(LINES))
    checkpoints = Checkpoints(str(folder / "some.model"), 50, {})
    tampered(rng, saved(number), saved(other), Path(checkpoints.path))
    with bounded(), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        job, training = begun(number, source)
        try:
            checkpoints.begin(training, resume=True)
        except ModelFileError as error:
            assert checkpoints.path in str(error)  # noqa: PT017 - there need not be one
            assert "MemoryError" not in str(error)  # noqa: PT017
            return
        try:
            training.run(checkpoints.write_when_due)
            job.model(training).save(folder / "some.model")
        except ValueError:
            pass
