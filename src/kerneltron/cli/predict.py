"""`kerneltron predict`: a label for every example."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Annotated

from typer import Argument, Option

from kerneltron.cli.completion import models
from kerneltron.cli.options.reading import Reading
from kerneltron.cli.options.words import Words
from kerneltron.cli.printing import print_skipped

EXAMPLES = (
    "kerneltron predict mail.model new.vw > labels.txt",
    "kerneltron predict mail.model new.csv.gz --probabilities -o answers.tsv",
    "zcat new.jsonl.gz | kerneltron predict mail.model - --json",
)


def predict(
    model: Annotated[str, Argument(metavar="MODEL", help="A model file.", autocompletion=models)],
    inputs: Annotated[
        list[str],
        Argument(metavar="INPUT...", help="Files, patterns, addresses, or - for standard input."),
    ],
    reading: Reading,
    words: Words,
    output: Annotated[
        str | None, Option("-o", "--output", metavar="FILE", help="Write to a file, not to standard output.")
    ] = None,
    scores: Annotated[
        bool, Option("--scores", help="Add a score for each class, in the order that inspect shows.")
    ] = False,
    probabilities: Annotated[
        bool, Option("--probabilities", help="Add a probability for each class, likewise.")
    ] = False,
    json: Annotated[bool, Option("--json", help="Print a JSON object for each example.")] = False,
) -> None:
    r"""Print the label of each example, one per line, and its tag if it has one, with tabs between.

    A tab, line end, control character or backslash inside a label or tag is written as \t, \n, \x1b, \\.
    With --json it is escaped as JSON has it, and a score that is not a finite number is null.

    Labels in the input are not looked at, and may be missing. Features are made as the model says; options
    that say otherwise are refused.
    """
    from kerneltron.cli.building import reader_for
    from kerneltron.cli.lines import Lines
    from kerneltron.files.target import check_apart, check_target
    from kerneltron.jobs.answering import answers, check_probabilities
    from kerneltron.jobs.continuing import check_hashing, check_scale
    from kerneltron.learning.stream_model import StreamModel
    from kerneltron.stream.sources import expand

    if output is not None:
        check_target(output)
        check_apart(output, [model, *expand(inputs)])
    loaded = StreamModel.load(model)
    check_hashing(loaded, words.settings())
    check_scale(loaded.learner, words.scale)
    if probabilities:
        check_probabilities(loaded)
    reader = reader_for(loaded, inputs, reading, labelled=False)
    lines = Lines(loaded.learner.known, scores, probabilities, json)
    with _opened(output) as file:
        for answer in answers(loaded.learner, reader.windows()):
            file.write(lines.of(answer).encode())
    print_skipped(reader.skipped)


@contextmanager
def _opened(output: str | None) -> Iterator[IO[bytes]]:
    if output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    from kerneltron.files.atomic import replacing

    with replacing(output) as file:
        yield file
