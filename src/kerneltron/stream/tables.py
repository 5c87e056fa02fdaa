"""Records of columns as CSV or TSV: values are taken over as they are."""

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from kerneltron.stream.chunks import Chunk, lines_in
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats.format import Format

DELIMITERS = {"csv": ",", "tsv": "\t"}
LONGEST_FIELD = 1 << 24  # characters, as when examples are read


class TableWriter:
    """Writes the records of chunks of a format with columns.

    Parameters
    ----------
    form
        The format of the records; it has begun with its first source when the first chunk comes.
    to
        "csv", where fields are quoted if they must be, or "tsv", which cannot hold tabs and line ends.
    replacement
        What to write in place of each of these; None refuses them.
    skip_faults
        Leave out records that have not as many fields as there are columns, and count them in `skipped`.
    """

    def __init__(
        self, form: Format, to: str, replacement: str | None = None, skip_faults: bool = False
    ) -> None:
        if not hasattr(form, "roles"):
            raise InputError(
                f"{form.name} has no columns, which {to} needs: convert it to vw, svmlight or jsonl."
            )
        self.form: Any = form
        self.to, self.replacement, self.skip_faults = to, replacement, skip_faults
        self.examples = self.skipped = 0
        self._names: tuple[str, ...] = ()
        self._line = 0

    @property
    def _form(self) -> Any:
        """The format of the text itself, which rows of Parquet and Arrow files become when they are read."""
        return getattr(self.form, "_text", self.form)

    def written(self, chunk: Chunk) -> bytes:
        """Return the records of a chunk, behind the names of the columns if it is the first one."""
        out = io.StringIO(newline="")
        options: dict[str, Any] = {} if self.to == "csv" else {"quoting": csv.QUOTE_NONE, "quotechar": None}
        writer = csv.writer(out, delimiter=DELIMITERS[self.to], lineterminator="\n", **options)
        if not self._names:
            self._names = self._form.names
            writer.writerow([self._held(name, chunk, 0) for name in self._names])
        if chunk.first_line is not None:
            self._line = chunk.first_line - 1
        raw = chunk.text[chunk.start : chunk.stop].tobytes()
        for line, fields in self._records(raw, chunk):
            if len(fields) != len(self._names):
                self._fault(chunk, line, f"{len(fields)} fields, where there are {len(self._names)} columns")
                continue
            writer.writerow([self._held(field, chunk, line) for field in fields])
            self.examples += 1
        self._line += lines_in(raw)
        return out.getvalue().encode("utf-8", "surrogateescape")

    def _records(self, raw: bytes, chunk: Chunk) -> Iterator[tuple[int, list[str]]]:
        """Yield the line and the fields of each record."""
        text = raw.decode("utf-8", "surrogateescape")
        form = self._form
        if form.name in DELIMITERS:
            csv.field_size_limit(LONGEST_FIELD)
            dialect: Any = {"delimiter": form.delimiter}
            if form.name == "tsv":
                dialect["quoting"] = csv.QUOTE_NONE
            reader = csv.reader(io.StringIO(text, newline=""), **dialect)
            for fields in reader:
                if any(map(str.strip, fields)):
                    yield self._line + reader.line_num, fields
            return
        for number, line in enumerate(io.StringIO(text, newline=None), 1):
            if line.strip():
                try:
                    yield self._line + number, self._of_json(line)
                except ValueError as error:
                    self._fault(chunk, self._line + number, str(error).rstrip("."))

    def _of_json(self, line: str) -> list[str]:
        found = json.loads(line, parse_float=str, parse_int=str)
        if not isinstance(found, dict):
            raise ValueError("this is no JSON object")
        for key, value in found.items():
            if key not in self._names:
                raise ValueError(
                    f"the key {key!r} first comes here, after the header of {self.to} was written: give it a "
                    f"role with --role {key}=category"
                )
            if isinstance(value, list | dict):
                raise ValueError(f"{self.to} cannot hold the list or object of {key!r}: convert to jsonl")
        return [_text(found.get(name)) for name in self._names]

    def _held(self, field: str, chunk: Chunk, line: int) -> str:
        if self.to == "csv" or not any(sign in field for sign in "\t\r\n"):
            return field
        if self.replacement is None:
            raise InputError(
                f"{chunk.source}, line {line}: tsv cannot hold the tab or line end in {field[:40]!r}: "
                "convert to csv, or give --replace ' '."
            )
        return "".join(self.replacement if sign in "\t\r\n" else sign for sign in field)

    def _fault(self, chunk: Chunk, line: int, reason: str) -> None:
        if not self.skip_faults:
            raise InputError(
                f"{chunk.source}, line {line}: {reason}. Mend the line, or leave such lines out with "
                "--on-error=skip."
            )
        self.skipped += 1


def _text(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
