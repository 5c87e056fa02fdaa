"""Two processes learn from one generated file of mail: the end of `make demo`.

`kerneltron reproduce two-workers` writes the mail to a file, and hands it to the command line.
"""

import json
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.table import Table

from kerneltron.cluster.connecting import check_installed
from kerneltron.datasets.mail import Mail, generate_mail, records
from kerneltron.experiments.experiment import Asked, Comparison, Outcome

USERS, FEW_USERS = 300, 60
ROUNDS = 3
NAMES = ("wanted", "spam")
TRAINING, TEST, MODEL = "mail.vw", "later.vw", "mail.model"
WORDS = (
    *("kerneltron", "train", TRAINING, "--workers", "2", "--rounds", str(ROUNDS)),
    *("--cross", "user*text", "--test", TEST, "-o", MODEL, "--json"),
)


def run(users: int, seed: int = 0) -> dict[str, Any]:
    """Write the mail of some users to files, and return what the command line makes of them."""
    check_installed()
    corpus = generate_mail(users=users, seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder, TRAINING), corpus.training)
        write(Path(folder, TEST), corpus.test)
        command = [sys.executable, "-m", *WORDS]
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"`{shlex.join(WORDS)}` ended with exit code {done.returncode}: see what it said.")
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed


def write(path: Path, mail: Mail) -> None:
    """Write mail as VW text."""
    with path.open("w") as file:
        for label, each in zip(mail.labels.tolist(), records(mail), strict=True):
            file.write(f"{NAMES[label]} |user {each['user']} |text {each['text']}\n")


def rounds_table(printed: Mapping[str, Any]) -> Table:
    """Lay the rounds out, below the command."""
    out = Table(title=shlex.join(WORDS), title_justify="left")
    for column in ("round", "error", "mistakes", "seconds", "mixing", "sent"):
        out.add_column(column, justify="right")
    for each in printed["rounds"]:
        out.add_row(
            f"{each['round']}",
            f"{100 * each['progressive_error']:.2f} %",
            f"{each['mistakes']:,}",
            f"{each['seconds']:.2f}",
            f"{each['mixing_seconds']:.2f}",
            f"{each['bytes_sent'] / 1e6:.1f} MB",
        )
    return out


def later_table(printed: Mapping[str, Any]) -> Table:
    """Lay out how well the model does on later mail."""
    found = printed["test"]
    title = f"Later mail: {found['examples']:,} examples, accuracy {100 * found['accuracy']:.2f} %"
    out = Table(title=title, title_justify="left")
    out.add_column("class")
    for column in ("precision", "recall", "examples"):
        out.add_column(column, justify="right")
    for each in found["classes"]:
        shares = (f"{100 * each[name]:.2f} %" for name in ("precision", "recall"))
        out.add_row(each["label"], *shares, f"{each['examples']:,.0f}")
    return out


def reproduce(asked: Asked) -> Outcome:
    """Train on two processes, which are mixed after each round, and test on later mail."""
    printed = run(FEW_USERS if asked.quick else USERS, asked.seed)
    error = Comparison(
        f"{printed['shards']} processes, later mail: test error", 100 * printed["test"]["error"]
    )
    return Outcome([error], [rounds_table(printed), later_table(printed)], figures=printed)
