"""The command line: one command per file, which parses, builds, hands over and prints."""

import gc
import sys

# Allocations between two searches for garbage, 700 by default. Nearly all that a start makes stays: to look
# through it over and over took 40 ms of the 340 of `train --help`.
GARBAGE_EVERY = 50_000


def main() -> None:
    """Run the command that the process was given, and exit with its code."""
    gc.set_threshold(GARBAGE_EVERY)
    from kerneltron.cli.running import run
    from kerneltron.cli.standard_streams import prepare

    prepare()
    sys.exit(run(sys.argv[1:]))
