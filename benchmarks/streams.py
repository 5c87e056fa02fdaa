"""The command line beside Vowpal Wabbit's, on one file of VW text: speed, loss and memory."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

from benchmarks.compare import Work, faster, longer
from benchmarks.mail_file import EXAMPLES, write_mail
from benchmarks.measure import Timings
from benchmarks.settings import Settings
from benchmarks.table import Row, Target

OURS = [sys.executable, "-m", "kerneltron"]
THEIRS = [sys.executable, "-m", "vowpalwabbit"]
LOGISTIC = ["--bits", "18", "--json", "--quiet"]
VOWPAL = ["--loss_function", "logistic", "-b", "18"]
MEGABYTE = 1e6


class Ran(NamedTuple):
    """One run of a program: its time, its largest memory in bytes, and what it printed."""

    seconds: float
    peak: int
    output: str


def run(command: list[str]) -> Ran:
    """Run a program to its end."""
    start = perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{output}")
    return Ran(seconds, usage.ru_maxrss * 1024, output)


def streams(settings: Settings) -> list[Row]:
    """Train and predict on half a million mails of 60 words; the whole process, and once running."""
    examples = EXAMPLES // 10 if settings.quick else EXAMPLES
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_mail(folder / "mail.vw", examples)
        (folder / "none.vw").write_text("1 |t a\n-1 |t b\n")
        bench = Bench(folder, examples, settings.repeats)
        return [
            *bench.one_pass(),
            bench.more("five passes", ["--passes", "5"], ["--passes", "5", "--holdout_off", "-c", "-k"], 3),
            bench.more("crosses user*text", ["--cross", "u*t"], ["-q", "ut"], 2),
            bench.predictions(),
            bench.names(),
            *bench.memory(),
        ]


class Bench:
    """Runs over one generated file."""

    def __init__(self, folder: Path, examples: int, repeats: int) -> None:
        self.folder, self.repeats = folder, repeats
        self.file, self.none = str(folder / "mail.vw"), str(folder / "none.vw")
        self.work = Work(examples, "examples")

    def ours(self, *options: str, file: str = "") -> list[str]:
        """Return our command for training."""
        model = str(self.folder / "ours.model")
        return [*OURS, "train", file or self.file, "-o", model, *LOGISTIC, *options]

    def theirs(self, *options: str, file: str = "") -> list[str]:
        """Return Vowpal Wabbit's command for training."""
        return [*THEIRS, "-d", file or self.file, *VOWPAL, "-f", str(self.folder / "theirs.model"), *options]

    def one_pass(self) -> list[Row]:
        """Return rows for one pass of logistic regression with adaptive steps."""
        commands = {"ours": self.ours(), "theirs": self.theirs(), "none": self.theirs(file=self.none)}
        runs = self._turns(commands)
        start = min(seconds(runs["none"]))
        running = Timings(
            {
                "train, one pass, once running": [report(ran)["seconds"] for ran in runs["ours"]],
                "VW, without its start": [taken - start for taken in seconds(runs["theirs"])],
            }
        )
        mine, other = running.seconds
        return [
            faster(running, mine, other, self.work, Target("at least", 3, 4)),
            self._beside(runs, "train, one pass, whole process", "VW, whole process", 2),
            _losses(report(runs["ours"][0])["progressive_loss"], _average_loss(runs["theirs"][0])),
        ]

    def more(self, title: str, options: list[str], their_options: list[str], bound: float) -> Row:
        """Return the row of another way to train, whole processes."""
        runs = self._turns({"ours": self.ours(*options), "theirs": self.theirs(*their_options)})
        return self._beside(runs, f"train, {title}", f"VW {' '.join(their_options)}", bound)

    def predictions(self) -> Row:
        """Return the row for predictions of the same file, written to another."""
        for command in (self.ours(), self.theirs()):
            run(command)
        answers, model = str(self.folder / "answers"), str(self.folder / "theirs.model")
        mine = [*OURS, "predict", str(self.folder / "ours.model"), self.file, "-o", answers]
        other = [*THEIRS, "-d", self.file, "-t", "-i", model, "-p", answers, "--quiet"]
        return self._beside(self._turns({"ours": mine, "theirs": other}), "predict", "VW -t -p", 3)

    def names(self) -> Row:
        """Return the row for what names cost."""
        runs = self._turns({"with": self.ours("--names"), "without": self.ours()})
        timings = Timings({"train --names": seconds(runs["with"]), "train": seconds(runs["without"])})
        return longer(timings, "train --names", "train", Target("at most", 1.25))

    def memory(self) -> list[Row]:
        """Return rows for the peak of the resident memory, on the file and on one ten times as large."""
        large = self.folder / "large.vw"
        with large.open("wb") as file:
            for _ in range(10):
                file.write(Path(self.file).read_bytes())
        return [
            _peak("the file", run(self.ours()), run(self.theirs())),
            _peak("ten times the file", run(self.ours(file=str(large))), run(self.theirs(file=str(large)))),
        ]

    def _beside(self, runs: dict[str, list[Ran]], ours: str, theirs: str, bound: float) -> Row:
        timings = Timings({ours: seconds(runs["ours"]), theirs: seconds(runs["theirs"])})
        return faster(timings, ours, theirs, self.work, Target("at least", bound))

    def _turns(self, commands: dict[str, list[str]]) -> dict[str, list[Ran]]:
        runs: dict[str, list[Ran]] = {name: [] for name in commands}
        for command in commands.values():
            run(command)  # compiles, and reads the file into the page cache
        for _ in range(self.repeats):
            for name, command in commands.items():
                runs[name].append(run(command))
        return runs


def seconds(runs: list[Ran]) -> list[float]:
    """Return the times of some runs."""
    return [ran.seconds for ran in runs]


def report(ran: Ran) -> dict[str, Any]:
    """Return the JSON that `kerneltron train --json` printed."""
    found: dict[str, Any] = json.loads(ran.output)
    return found


def _average_loss(ran: Ran) -> float:
    found = re.search(r"average loss = ([0-9.]+)", ran.output)
    assert found is not None
    return float(found[1])


def _losses(mine: float, other: float) -> Row:
    raw = {"losses": {"ours": mine, "theirs": other}}
    title, peer = "progressive log-loss, one pass", "VW"
    return Row(
        title, peer, f"{mine:.4f}", f"{other:.4f}", mine / other, "of theirs", raw, Target("at most", 1.01)
    )


def _peak(title: str, mine: Ran, other: Ran) -> Row:
    raw = {"bytes": {"ours": mine.peak, "theirs": other.peak}}
    ours, theirs = mine.peak / MEGABYTE, other.peak / MEGABYTE
    shown = f"{ours:.0f} MB", f"{theirs:.0f} MB"
    return Row(f"memory of train, {title}", "VW", *shown, ours, "MB", raw, Target("below", 300))
