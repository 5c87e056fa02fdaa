"""`kerneltron explain`: what a model has learned, or why it says what it says of an example."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any

from typer import Argument, Option

from kerneltron.cli.completion import models
from kerneltron.cli.flags import with_flags

EXAMPLES = (
    "kerneltron explain mail.model --top 50",
    "kerneltron explain groups.model --class sci.space --json",
    "kerneltron explain messages.model --example 'You have won a free prize'",
    "kerneltron explain mail.model --example '|text free prize |user bob'",
    "head -3 mail.vw | kerneltron explain mail.model --example -",
)


def explain(
    model: Annotated[str, Argument(metavar="MODEL", help="The model file.", autocompletion=models)],
    top: Annotated[int, Option(min=1, help="How many rows to show.")] = 20,
    label: Annotated[
        str | None,
        Option("--class", help="Explain this class.", show_default="all, or the predicted one"),
    ] = None,
    example: Annotated[
        str | None,
        Option(
            metavar="TEXT",
            help="Explain this example, written in the format of the training data; @FILE and - (standard "
            "input) hold several. Of formats with one column of text, the text alone will do.",
        ),
    ] = None,
    json: Annotated[bool, Option("--json", help="Print JSON, one object per line.")] = False,
) -> None:
    """List the strongest features of a model, or say word by word why an example is classified so.

    Names of features are known if the model was trained with --names; of an example they always are. A model
    that remembers examples (--kernel) is explained by these.
    """
    from kerneltron.cli.printing import print_json
    from kerneltron.explaining.streams import explain_model
    from kerneltron.learning.stream_model import StreamModel

    known = StreamModel.load(model)
    found = [explain_model(known, top, label)] if example is None else _explained(known, example, top, label)
    count = 0
    for explained in found:
        explanation = replace(explained, remarks=tuple(map(with_flags, explained.remarks)))
        if json:
            print_json(explanation.to_json())
        else:
            print(f"\n{explanation}" if count else explanation)
        count += 1
    if not count:
        raise ValueError("--example holds no example: give at least one line.")


def _explained(model: Any, example: str, top: int, label: str | None) -> Iterator[Any]:
    """Yield an explanation of each example that was given."""
    from kerneltron.explaining.streams import explain_examples, explain_text
    from kerneltron.stream.chunks import chunks
    from kerneltron.stream.declared import Declared
    from kerneltron.stream.formats.finding import format_like
    from kerneltron.stream.sources import STANDARD_INPUT, expand, opened

    if example != STANDARD_INPUT and not example.startswith("@"):
        yield from explain_text(model, example, top, label)
        return
    for name in expand([example.removeprefix("@")]):
        format = format_like(model.format, [name], Declared(), labelled=False)
        with opened(name, format.records) as source:
            known = replace(model, format=format)
            yield from explain_examples(known, chunks(source, format), top, label)
