"""Headlines that are whole processes: what a command or a script takes from its start to its end."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.mail_file import write_mail
from benchmarks.speed.race import Contestants, Work

MAILS = 50_000
LINES = "1 | win a free prize\n-1 | lunch at noon\n1 | free entry now\n-1 | see you at lunch\n"

FIT = """
import numpy as np
{imported}
X = np.random.default_rng(0).normal(size=(200, 5))
{learner}.fit(X, X[:, 0] > 0)
"""


def train_mail() -> Contestants:
    """Make one pass of `train` in the given order, with the last vector, as Vowpal Wabbit learns."""
    folder = TemporaryDirectory()
    path = Path(folder.name, "mail.vw")
    write_mail(path, MAILS)
    return _trainings(folder, path, 5, "--no-shuffle", "--hypothesis", "last", "--bits", "18")


def train_tiny() -> Contestants:
    """Train on a file of four lines: what it takes to start and to end."""
    folder = TemporaryDirectory()
    path = Path(folder.name, "tiny.vw")
    path.write_text(LINES)
    return _trainings(folder, path, 7)


def first_fit() -> Contestants:
    """Run a script that imports a learner and fits 200 rows."""
    ours = FIT.format(imported="from kerneltron import Perceptron", learner="Perceptron()")
    peer = FIT.format(imported="from sklearn.linear_model import Perceptron", learner="Perceptron()")
    return _both(_process("-c", ours), _process("-c", peer), 5)


def _trainings(folder: TemporaryDirectory[str], path: Path, turns: int, *options: str) -> Contestants:
    """Return both commands; the folder lives as long as they do."""
    model = str(Path(folder.name, "model"))
    ours = _process("-m", "kerneltron", "train", str(path), "-o", model, "--quiet", *options, kept=folder)
    vowpal = ("-d", str(path), "--loss_function", "logistic", "-b", "18", "-f", model, "--quiet")
    return _both(ours, _process("-m", "vowpalwabbit", *vowpal), turns)


def _both(ours: Work, reference: Work, turns: int) -> Contestants:
    ours()
    reference()
    return Contestants(ours, reference, turns)


def _process(*arguments: str, kept: object = None) -> Work:
    """Return a run of Python with these arguments, to its end."""

    def run() -> object:
        done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(arguments)} failed:\n{done.stderr}")
        return kept

    return run
