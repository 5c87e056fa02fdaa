"""Records of columns as CSV or TSV: values are taken over as they are."""

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from kerneltron.engine.text.delimited import LONGEST
from kerneltron.engine.text.faults import FEW_FIELDS, LONG_RECORD, MANY_FIELDS
from kerneltron.stream.chunks import Chunk, lines_in
from kerneltron.stream.errors import Fault, InputError
from kerneltron.stream.formats.format import Format

DELIMITERS = {"csv": ",", "tsv": "\t"}
BYTE_ORDER_MARK = "\ufeff"
QUOTED = re.compile('[",\r\n]')  # what stands in quotes in csv
STRANGE = re.compile("[\t\r\n]")  # what tsv cannot hold
SURROGATE = re.compile("[\ud800-\udfff]")


class TableWriter:
    """Writes the records of chunks of a format with columns.

    Parameters
    ----------
    format
        The format of the records; it has begun with its first source when the first chunk comes.
    to
        "csv", where fields are quoted if they must be, or "tsv", which cannot hold tabs and line ends.
    replacement
        What to write in place of each of these; None refuses them.
    skip_faults
        Leave out records that do not have as many fields as there are columns; count them in `skipped`.
    """

    def __init__(
        self, format: Format, to: str, replacement: str | None = None, skip_faults: bool = False
    ) -> None:
        if not hasattr(format, "roles"):
            raise InputError(
                f"{format.name} has no columns, which {to} needs: convert it to vw, svmlight or jsonl."
            )
        if to == "tsv" and replacement is not None and STRANGE.search(replacement):
            raise ValueError(f"the replacement {replacement!r} cannot stand in tsv either.")
        self.format: Any = format
        self.to, self.replacement, self.skip_faults = to, replacement, skip_faults
        self.examples = self.skipped = 0
        self._names: tuple[str, ...] = ()
        self._line = 0

    @property
    def _text_format(self) -> Any:
        """The format of the text itself, which rows of Parquet and Arrow files become when they are read."""
        return getattr(self.format, "_text", self.format)

    def written(self, chunk: Chunk) -> bytes:
        """Return the records of a chunk, behind the names of the columns if it is the first one."""
        if chunk.first_line is not None:
            self._line = chunk.first_line - 1
        if chunk.exceeded:
            self._line += 1
            self._fault(str(Fault(chunk.source, self._line, 1, LONG_RECORD, chunk.exceeded)))
            return b""
        rows = [self.header(chunk.source)]
        for line, fields in self._records(chunk):
            row = self._row(fields, chunk.source, line)
            if not row.strip(" \t\n"):
                self._fault(
                    f"{chunk.source}, line {line}: in tsv an example without any value would be a blank "
                    "line, which is not an example: convert to csv or jsonl"
                )
                continue
            rows.append(row)
            self.examples += 1
        return "".join(rows).encode("utf-8", "surrogateescape")

    def header(self, source: str) -> str:
        """Return the names of the columns as a line, nothing if it was written before."""
        if self._names:
            return ""
        self._names = self._text_format.names
        if not self._names:
            raise InputError(f"{source}: there are no columns, which {self.to} needs.")
        for name in self._names:
            if name != name.strip() or not name:
                self._refuse(source, 0, f"a header cannot hold the name {name!r}: convert to jsonl")
        return self._row(list(self._names), source, 0)

    def _records(self, chunk: Chunk) -> Iterator[tuple[int, list[str]]]:
        """Return the line and the fields of each record."""
        return self._of_columns(chunk) if self._text_format.name in DELIMITERS else self._of_lines(chunk)

    def _of_columns(self, chunk: Chunk) -> Iterator[tuple[int, list[str]]]:
        columns, place = len(self._names), chunk.start
        for record in self._text_format.records_in(chunk.text, chunk.start, chunk.stop, columns):
            self._line += lines_in(chunk.text[place : record.begin].tobytes())
            place, line = record.begin, self._line + 1
            if record.fault in (FEW_FIELDS, MANY_FIELDS):
                told = f"{record.found} fields, where there are {columns} columns"
                self._fault(f"{chunk.source}, line {line}: {told}")
            elif record.fault:
                self._fault(str(Fault(chunk.source, line, record.place - record.begin + 1, record.fault)))
            else:
                yield line, record.fields
        self._line += lines_in(chunk.text[place : chunk.stop].tobytes())

    def _of_lines(self, chunk: Chunk) -> Iterator[tuple[int, list[str]]]:
        raw = chunk.text[chunk.start : chunk.stop].tobytes()
        for line, text in enumerate(raw.splitlines(), self._line + 1):
            if text.strip(b" \t"):
                try:
                    fields = self._of_json(text)
                except (ValueError, RecursionError) as error:
                    self._fault(f"{chunk.source}, line {line}: {str(error).rstrip('.')}")
                else:
                    yield line, fields
        self._line += lines_in(raw)

    def _of_json(self, line: bytes) -> list[str]:
        found = json.loads(
            line.decode("utf-8", "surrogateescape"),
            parse_float=str,
            parse_int=str,
            parse_constant=_refused_constant,
            object_pairs_hook=_unique,
        )
        if not isinstance(found, dict):
            raise ValueError("this is not a JSON object")
        for key, value in found.items():
            if key not in self._names:
                raise ValueError(
                    f"the key {key!r} first comes here, after the header of {self.to} was written: give it a "
                    f"role with `roles={{{key!r}: 'category'}}`"
                )
            if isinstance(value, list | dict):
                raise ValueError(f"{self.to} cannot hold the list or object of {key!r}: convert to jsonl")
        return [_without_halves(_text(found.get(name)), line) for name in self._names]

    def _row(self, fields: list[str], source: str, line: int) -> str:
        """Return fields as a line, which is read as the same fields again."""
        if self.to == "tsv":
            return "\t".join(self._held(field, source, line) for field in fields) + "\n"
        if len(fields) == 1 and not fields[0].strip(" \t"):
            return f'"{fields[0]}"\n'  # not a blank line
        return ",".join(self._quoted(field, source, line) for field in fields) + "\n"

    def _quoted(self, field: str, source: str, line: int) -> str:
        if not QUOTED.search(field) and not field.startswith(BYTE_ORDER_MARK):
            return field
        quoted = '"' + field.replace('"', '""') + '"'
        if 4 * len(quoted) >= LONGEST and len(quoted.encode("utf-8", "surrogateescape")) >= LONGEST:
            self._refuse(
                source, line, f"csv cannot hold quoted fields of {LONGEST:,} bytes: convert to jsonl"
            )
        return quoted

    def _held(self, field: str, source: str, line: int) -> str:
        if line == 0 and field.startswith(BYTE_ORDER_MARK):
            self._refuse(source, line, f"tsv cannot hold a byte order mark in the name {field[:40]!r}")
        if not STRANGE.search(field):
            return field
        if self.replacement is None:
            shown = repr(field[:40])
            self._refuse(
                source,
                line,
                f"tsv cannot hold the tab or line end in {shown}: convert to csv, or give `replacement=' '`",
            )
        replacement: str = self.replacement
        return STRANGE.sub(lambda _: replacement, field)

    def _refuse(self, source: str, line: int, reason: str) -> NoReturn:
        """Raise because of what the target cannot hold; line 0 is the header."""
        place = f"line {line}" if line else "the columns"
        raise InputError(f"{source}, {place}: {reason}.")

    def _fault(self, told: str) -> None:
        if not self.skip_faults:
            raise InputError(f"{told}. Mend the line, or leave such lines out with `skip_faults=True`.")
        self.skipped += 1


def _text(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _refused_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; raise if a key comes twice, for both values count and a table has room for one."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key comes twice")
    return found


def _without_halves(text: str, line: bytes) -> str:
    """Return a text with U+FFFD in place of escapes that are half of a pair, as when examples are read.

    Bytes that are not UTF-8 are surrogates too, and stay: so a line that has both cannot be told apart.
    """
    if not SURROGATE.search(text):
        return text
    if b"\\ud" in line.lower():
        try:
            line.decode()
        except UnicodeDecodeError:
            raise ValueError("this has halves of surrogate pairs, and bytes that are not UTF-8") from None
        return SURROGATE.sub("\ufffd", text)
    return text
