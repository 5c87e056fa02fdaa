"""`kerneltron report`: what was reproduced, as one page."""

from pathlib import Path
from typing import Annotated

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
    from kerneltron.experiments.page import page
    from kerneltron.experiments.saved import read_all
    from kerneltron.experiments.summary import markdown
    from kerneltron.files.atomic import replacing
    from kerneltron.files.target import check_target

    if not output.endswith((".html", ".md")):
        raise ValueError(f"{output} ends neither in .html nor in .md: give -o one of these.")
    check_target(output)
    results = read_all(Path(folder))
    text = page(results, Path(folder)) if output.endswith(".html") else markdown(results)
    with replacing(output) as file:
        file.write(text.encode())
    published = [one for each in results for one in each["comparisons"] if one["published"] is not None]
    print(visible(f"{output}: {len(results)} experiments, {len(published)} numbers beside published ones"))
