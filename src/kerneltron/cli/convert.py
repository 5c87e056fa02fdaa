"""`kerneltron convert`: from one format to another."""

import sys
from contextlib import ExitStack
from typing import Annotated, Any

from typer import Argument, Option

from kerneltron.cli.options.reading import Reading

EXAMPLES = (
    "kerneltron convert mail.vw -o mail.jsonl.gz",
    "kerneltron convert messages.csv --label kind -o messages.vw",
    "kerneltron convert 'day-*.parquet' -o days.csv.zst",
    "kerneltron convert cities.csv --replace _ --to vw -o - | head",
)


def convert(
    inputs: Annotated[
        list[str],
        Argument(metavar="INPUT...", help="Files, patterns, addresses, or - for standard input."),
    ],
    output: Annotated[
        str, Option("-o", "--output", metavar="FILE", help="The file to write, or - for standard output.")
    ],
    reading: Reading,
    to: Annotated[
        str | None,
        Option(help="vw, svmlight, jsonl, csv or tsv.", show_default="by the name of the output"),
    ] = None,
    lowercase: Annotated[
        bool,
        Option("--lowercase/--no-lowercase", help="Write words of running text in lower case, as read."),
    ] = True,
    replace: Annotated[
        str | None,
        Option(
            metavar="TEXT",
            help="Write this for each character that the format cannot hold (blanks, : and | in vw). That "
            "makes other features of such names.",
            show_default="refuse such names",
        ),
    ] = None,
    json: Annotated[bool, Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Write examples in another format; read again, they have the same features.

    Running text becomes words in vw and jsonl, and stays as it is in csv and tsv, which are written from
    formats with columns only. .gz and .zst compress.
    """
    from kerneltron.cli.printing import amount, print_facts, print_json
    from kerneltron.files.atomic import replacing
    from kerneltron.files.target import check_apart, check_target
    from kerneltron.stream.conversion import Manner, chunks_of, compressed, target_for
    from kerneltron.stream.conversion import convert as converted
    from kerneltron.stream.formats.finding import format_for
    from kerneltron.stream.sources import expand

    sources = expand(inputs)
    if output != "-":
        check_target(output)
        check_apart(output, sources)
    manner = Manner(target_for(output, to), lowercase, replace, reading.skips_faults)
    format = format_for(sources, reading.declared(), labelled=False)
    with ExitStack() as stack:
        file: Any = sys.stdout.buffer
        if output != "-":
            file = stack.enter_context(compressed(stack.enter_context(replacing(output)), output))
        result = converted(chunks_of(sources, format, reading.record_limit), format, file, manner)
    if output == "-":
        return
    if json:
        print_json({"output": output, "format": manner.to, **result._asdict()})
        return
    skipped = amount(result.skipped) if result.skipped else None
    print_facts(
        {"output": f"{output} ({manner.to})", "examples": amount(result.examples), "skipped": skipped}
    )
