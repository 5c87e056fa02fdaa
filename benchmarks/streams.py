"""The command line beside Vowpal Wabbit's, on one file of VW text: speed, loss and memory."""

import json
import re
import sys
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.compare import Work, faster, longer
from benchmarks.mail_file import EXAMPLES, write_mail
from benchmarks.measure import Timings, run_python
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


# A process inherits the peak of the one that starts it: a small one comes between.
LAUNCH = """
import json, resource, subprocess, sys
from time import perf_counter
start = perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
seconds = perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
print(json.dumps([done.returncode, seconds, peak, done.stdout]))
"""


def run(command: list[str]) -> Ran:
    """Run a program to its end."""
    code, seconds, peak, output = run_python("-c", LAUNCH, *command)
    if code != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{output}")
    return Ran(seconds, peak, output)


def streams(settings: Settings) -> list[Row]:
    """Train and predict on half a million mails of 60 words; the whole process, and once running."""
    examples = EXAMPLES // 10 if settings.quick else EXAMPLES
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_mail(folder / "mail.vw", examples)
        bench = Bench(folder, examples, settings.repeats)
        return [
            *bench.one_pass(),
            bench.more("five passes", ["--passes", "5"], ["--passes", "5", "--holdout_off", "-c", "-k"], 3),
            bench.more("crosses user*text", ["--cross", "u*t"], ["-q", "ut"], 2),
            bench.predictions(),
            bench.names(),
        ]


class Bench:
    """Runs over one generated file."""

    def __init__(self, folder: Path, examples: int, repeats: int) -> None:
        self.folder, self.repeats = folder, repeats
        self.file = str(folder / "mail.vw")
        self.work = Work(examples, "examples")

    def ours(self, *options: str, file: str = "") -> list[str]:
        """Return our command for training."""
        model = str(self.folder / "ours.model")
        return [*OURS, "train", file or self.file, "-o", model, *LOGISTIC, *options]

    def theirs(self, *options: str, file: str = "") -> list[str]:
        """Return Vowpal Wabbit's command for training."""
        return [*THEIRS, "-d", file or self.file, *VOWPAL, "-f", str(self.folder / "theirs.model"), *options]

    def one_pass(self) -> list[Row]:
        """Return rows for one pass of logistic regression with adaptive steps: the file, and ten times it.

        What a process needs to start does not grow with the file: once running, the rate is that of the nine
        files more. Vowpal Wabbit keeps the given order and the last vector; the middle rows do so too.
        """
        large = self._large()
        alike = ["--no-shuffle", "--hypothesis", "last"]
        small = self._turns({"ours": self.ours(), "alike": self.ours(*alike), "theirs": self.theirs()})
        ten = self._turns(
            {
                "ours": self.ours(file=large),
                "alike": self.ours(*alike, file=large),
                "theirs": self.theirs(file=large),
            },
            repeats=min(2, self.repeats),
            warm=False,
        )
        more = {name: self._more(small[name], ten[name]) for name in small}
        titles = {
            "ours": "train, one pass, once running",
            "alike": "train in the given order, the last vector, once running",
        }
        nine = Work(9 * self.work.amount, self.work.unit)
        running = Timings(
            {**{titles[name]: more[name] for name in titles}, "VW, once running": more["theirs"]}
        )
        bound = Target("at least", 3, 4)
        return [
            *(faster(running, title, "VW, once running", nine, bound) for title in titles.values()),
            self._beside(small, "train, one pass, whole process", "VW, whole process", 2),
            self._beside(ten, "train, ten times the file, whole process", "VW, whole process", 2),
            _losses(report(small["ours"][0])["progressive_loss"], _average_loss(small["theirs"][0])),
            _peak("the file", small["ours"], small["theirs"]),
            _peak("ten times the file", ten["ours"], ten["theirs"]),
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

    def _large(self) -> str:
        """Write a file of ten times the size; return its name."""
        large = self.folder / "large.vw"
        with large.open("wb") as file:
            for _ in range(10):
                with open(self.file, "rb") as once:
                    copyfileobj(once, file)
        return str(large)

    @staticmethod
    def _more(small: list[Ran], ten: list[Ran]) -> list[float]:
        """Return how much longer ten times the file takes."""
        return [max(1e-9, min(seconds(ten)) - min(seconds(small)))]

    def _beside(self, runs: dict[str, list[Ran]], ours: str, theirs: str, bound: float) -> Row:
        timings = Timings({ours: seconds(runs["ours"]), theirs: seconds(runs["theirs"])})
        return faster(timings, ours, theirs, self.work, Target("at least", bound))

    def _turns(
        self, commands: dict[str, list[str]], repeats: int | None = None, warm: bool = True
    ) -> dict[str, list[Ran]]:
        runs: dict[str, list[Ran]] = {name: [] for name in commands}
        for command in commands.values() if warm else ():
            run(command)  # compiles, and reads the file into the page cache
        for _ in range(repeats or self.repeats):
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


def _peak(title: str, mine: list[Ran], other: list[Ran]) -> Row:
    ours, theirs = max(ran.peak for ran in mine), max(ran.peak for ran in other)
    raw = {"bytes": {"ours": ours, "theirs": theirs}}
    shown = f"{ours / MEGABYTE:.0f} MB", f"{theirs / MEGABYTE:.0f} MB"
    return Row(f"memory of train, {title}", "VW", *shown, ours / MEGABYTE, "MB", raw, Target("below", 300))
