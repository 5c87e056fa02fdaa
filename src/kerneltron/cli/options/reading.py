"""Options that say how files are read."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from typer import Option

from kerneltron.cli.completion import formats
from kerneltron.cli.pairs import pairs
from kerneltron.stream.declared import Declared


@dataclass
class Reading:
    """What was given of the input's format; None is not given."""

    title: ClassVar[str] = "Input"

    format: Annotated[
        str | None,
        Option(
            help="vw, svmlight, csv, tsv, jsonl, parquet or arrow.",
            show_default="by the name and the first lines",
            autocompletion=formats,
        ),
    ] = None
    label: Annotated[
        str | None,
        Option(help="The column of labels.", show_default="label, class, target or y"),
    ] = None
    columns: Annotated[
        str | None,
        Option(help="Names of the columns of a file without a header, as label,text."),
    ] = None
    role: Annotated[
        list[str] | None,
        Option(
            help="What a column is, as NAME=ROLE: label, text, number, category, user, tag, weight or "
            "ignore. Repeatable.",
            show_default="by its name and first values",
        ),
    ] = None
    delimiter: Annotated[
        str | None,
        Option(help="What stands between columns.", show_default="comma in csv, tab in tsv"),
    ] = None
    on_error: Annotated[
        str, Option(help="At a line that is not of the format: stop, or skip and count it.")
    ] = "stop"
    record_limit: Annotated[
        int,
        Option(
            min=1,
            max=1024,
            metavar="MB",
            help="A longer line, or record in quotes, is not of the format: it would be held in memory.",
        ),
    ] = 64

    def declared(self) -> Declared:
        """Return what was said about the format."""
        return Declared(
            self.format,
            self.label,
            tuple(name.strip() for name in self.columns.split(",")) if self.columns else (),
            dict(pairs("--role", self.role or (), "body=text")),
            {"\\t": "\t", "tab": "\t"}.get(self.delimiter, self.delimiter) if self.delimiter else None,
        )

    @property
    def skips_faults(self) -> bool:
        """Whether bad lines are left out."""
        if self.on_error not in ("stop", "skip"):
            raise ValueError(f"--on-error={self.on_error!r} is not known. Choose stop or skip.")
        return self.on_error == "skip"
