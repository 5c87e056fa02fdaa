"""Fuzz the doors for as long as one wants: `make fuzz SECONDS=600`.

Each door runs in a process of its own, so that a crash is a finding like any other: the number of the case
that was under way is known, and the next process goes on behind it.
"""

import argparse
import subprocess
import sys
import time
import traceback
from itertools import count

from tests.fuzzing import NAMES, run_case


def work(name, first, cases, seconds):
    """Run cases of one door here; say which is under way, and what fell."""
    stop = time.monotonic() + seconds
    for number in count(first) if cases is None else range(first, first + cases):
        if time.monotonic() > stop:
            break
        print(f"case {number}", flush=True)
        try:
            run_case(name, number)
        except Exception:
            traceback.print_exc()
            print(f"fell {number}", flush=True)
    print("done", flush=True)


def watch(name, first, cases, seconds):
    """Fuzz one door in processes of its own; return how many cases ran and the numbers of those that fell."""
    stop, ran, fallen = time.monotonic() + seconds, 0, []
    while True:
        left = stop - time.monotonic()
        command = [sys.executable, "-X", "faulthandler", "-m", "tests.fuzzing", name, "--here"]
        command += ["--first", str(first), "--seconds", str(left)]
        command += [] if cases is None else ["--cases", str(cases)]
        under_way, ended = first, False
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout:
                word, _, number = line.partition(" ")
                if word == "case":
                    under_way, ran = int(number), ran + 1
                elif word == "fell":
                    fallen.append(int(number))
                ended = ended or line == "done\n"
        if ended:
            return ran, fallen
        print(
            f"{name}: the process died (exit code {process.returncode}) in case {under_way}", file=sys.stderr
        )
        fallen.append(under_way)
        if cases is not None:
            cases -= under_way + 1 - first
        first = under_way + 1
        if time.monotonic() > stop or cases == 0:
            return ran, fallen


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    parser.add_argument("doors", nargs="*", help=f"all, or some of {', '.join(NAMES)}", metavar="door")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each door")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--cases", type=int, help="how many; as many as there is time for, if not given")
    parser.add_argument("--here", action="store_true", help="in this process")
    options = parser.parse_args()
    unknown = set(options.doors) - set(NAMES)
    if unknown:
        parser.error(f"there is no door {sorted(unknown)[0]!r}: there are {', '.join(NAMES)}")
    if options.here:
        for name in options.doors or NAMES:
            work(name, options.first, options.cases, options.seconds)
        return 0
    falls = 0
    for name in options.doors or NAMES:
        ran, fallen = watch(name, options.first, options.cases, options.seconds)
        falls += len(fallen)
        print(
            f"{name}: {ran:,} cases, {len(fallen)} fell{': ' if fallen else ''}{fallen[:20] or ''}",
            flush=True,
        )
    return 1 if falls else 0


if __name__ == "__main__":
    sys.exit(main())
