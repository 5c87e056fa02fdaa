"""The command line: one command per file, which parses, builds, hands over and prints."""

import sys


def main() -> None:
    """Run the command that the process was given, and exit with its code."""
    from kerneltron.cli.running import run

    sys.exit(run(sys.argv[1:]))
