"""Two processes learn from one generated file of mail: the end of `make demo`.

Run as `python -m kerneltron.experiments.two_workers [--users N]`.
"""

import argparse
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from kerneltron.datasets.mail import Mail, generate_mail, records

USERS = 300
ROUNDS = 3
NAMES = ("wanted", "spam")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the mail to a file, and show what the command line makes of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--users", type=int, default=USERS, help=f"whose mail it is (default: {USERS})")
    given = parser.parse_args(arguments)
    corpus = generate_mail(users=given.users, seed=0)
    with tempfile.TemporaryDirectory() as folder:
        training, test, model = (str(Path(folder, name)) for name in ("mail.vw", "later.vw", "mail.model"))
        write(training, corpus.training)
        write(test, corpus.test)
        words = ["train", training, "--workers", "2", "--rounds", str(ROUNDS), "--cross", "user*text"]
        words += ["--test", test, "-o", model]
        print(f"kerneltron {shlex.join(words)}\n".replace(f"{folder}/", ""), flush=True)
        return subprocess.run([sys.executable, "-m", "kerneltron", *words], check=False).returncode


def write(path: str, mail: Mail) -> None:
    """Write mail as VW text."""
    with open(path, "w") as file:
        for label, each in zip(mail.labels.tolist(), records(mail), strict=True):
            file.write(f"{NAMES[label]} |user {each['user']} |text {each['text']}\n")


if __name__ == "__main__":
    raise SystemExit(main())
