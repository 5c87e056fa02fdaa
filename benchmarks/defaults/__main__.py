"""Write the page about the defaults from figures that `python -m benchmarks --only defaults --json` saved."""

import json
from argparse import ArgumentParser
from pathlib import Path

from benchmarks.defaults.before import keep, load_before
from benchmarks.defaults.page import page


def main() -> None:
    """Write the page, or keep the figures as those that later ones stand beside."""
    parser = ArgumentParser(prog="python -m benchmarks.defaults", description=__doc__)
    parser.add_argument("figures", type=Path, help="the saved figures")
    parser.add_argument("page", type=Path, nargs="?", help="the page to write")
    parser.add_argument("--keep", action="store_true", help="call these figures those before, from now on")
    given = parser.parse_args()
    saved = json.loads(given.figures.read_text())
    figures = [row["raw"] for row in saved["rows"] if row["case"] == "defaults" and "verdicts" in row["raw"]]
    if given.keep:
        keep(figures)
    if given.page is not None:
        given.page.write_text(page(figures, load_before(), saved["machine"]))


if __name__ == "__main__":
    main()
