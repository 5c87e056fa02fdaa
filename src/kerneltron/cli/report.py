"""`kerneltron report`: what was reproduced, as one page."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from kerneltron._visible import visible

EXAMPLES = (
    "kerneltron report",
    "kerneltron report results -o results.html",
    "kerneltron report -o docs/reproduced.md",
)


def report(
    folder: Annotated[
        str, Argument(metavar="[FOLDER]", help="Where `kerneltron reproduce` saved results.")
    ] = "reproduced",
    output: Annotated[
        str, Option("-o", "--output", metavar="FILE", help="The page: .html, or .md for the numbers alone.")
    ] = "report.html",
) -> None:
    """Make one page of saved results: all comparisons, then tables, pictures and notes of each experiment.

    A page that ends in .html holds all of its pictures and needs no other file. One that ends in .md is a
    table of published numbers and ours, with the commands that make them again.
    """
    from kerneltron.experiments.markdown import markdown
    from kerneltron.experiments.page import page
    from kerneltron.experiments.saved import read_all
    from kerneltron.files.atomic import replacing
    from kerneltron.files.target import check_target

    if not output.endswith((".html", ".md")):
        raise ValueError(f"{output} ends neither in .html nor in .md: give -o one of these.")
    check_target(output)
    results = read_all(Path(folder))
    text = page(results, Path(folder)) if output.endswith(".html") else markdown(results, output)
    with replacing(output) as file:
        file.write(text.encode())
    print(visible(f"{output}: {_counted(results)}"))


def _counted(results: Sequence[Mapping[str, Any]]) -> str:
    """Say how many experiments and numbers a page has; what theory expects was not published."""
    from kerneltron.experiments.experiment import THEORY
    from kerneltron.experiments.summary import beside

    compared = [one for each in results for one in beside(each["comparisons"])]
    expected = sum(one["kind"] == THEORY for one in compared)
    published = len(compared) - expected
    return (
        f"{len(results)} {'experiment' if len(results) == 1 else 'experiments'}, "
        f"{published} {'number' if published == 1 else 'numbers'} beside published ones, "
        f"{expected} beside theory"
    )
