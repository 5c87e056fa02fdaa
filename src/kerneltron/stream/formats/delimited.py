"""Text in columns, parted by commas or tabs."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from kerneltron._types import Bytes
from kerneltron.engine.text import delimited
from kerneltron.engine.text.changes import Original
from kerneltron.engine.text.delimited import (
    NO_QUOTE,
    QUOTE,
    Dialect,
    Scanned,
    last_record_end,
    scan_record,
)
from kerneltron.engine.text.faults import FEW_FIELDS
from kerneltron.engine.text.memory import SLACK
from kerneltron.stream.errors import REASONS, InputError
from kerneltron.stream.formats.columns import CATEGORY, FEATURES, Columns, check_names, guess
from kerneltron.stream.formats.format import last_line_end
from kerneltron.stream.formats.tabular import BYTE_ORDER_MARK, SAMPLE, Tabular, check_encoding

MOST_COLUMNS = 1 << 16
LINES_LOOKED_AT = 20
IN_VALUES = "\"'_.+-\r\n"  # what no delimiter can be, for numbers and words may hold it


class Record(NamedTuple):
    """Fields of a record, whose bytes that are not UTF-8 are surrogates, and where it begins."""

    fields: list[str]
    found: int  # fields, also if there are more than columns
    begin: int
    place: int  # of the fault
    fault: int  # 0 if there is none
    next: int  # where the next record begins


class Csv(Tabular):
    """Fields parted by commas; in quotes (RFC 4180) they may hold commas, line ends, and doubled quotes.

    The first record names the columns, unless names were given. Blank lines do not count. A quote that is not
    closed within 16 MB makes its line a bad one, and reading goes on with the next line.

    Parameters
    ----------
    columns
        What is known of the columns.
    delimiter
        What stands between fields, if not a comma.
    """

    name: ClassVar[str] = "csv"
    endings: ClassVar[tuple[str, ...]] = (".csv",)
    usual_delimiter: ClassVar[str] = ","
    quote: ClassVar[int] = QUOTE
    quoted_lines: ClassVar[bool] = True

    def __init__(self, columns: Columns | None = None, delimiter: str | None = None) -> None:
        super().__init__(columns)
        self.delimiter = self.usual_delimiter if delimiter is None else delimiter
        if len(self.delimiter) != 1 or not self.delimiter.isascii() or self.delimiter.isalnum():
            raise ValueError(
                f"The delimiter {self.delimiter!r} must be one ASCII character, and no letter or digit."
            )
        if self.delimiter in IN_VALUES:
            raise ValueError(
                f"The delimiter {self.delimiter!r} may be a part of values: convert the file to another."
            )
        self.has_header = not self.columns.names
        self._dialect = Dialect(ord(self.delimiter), self.quote)
        self._has_begun = False

    def namespaces(self) -> set[str] | None:
        """Return the columns that give features."""
        return {name for name, role in self.roles.items() if role in FEATURES}

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        """Return whether the first records have the same number of fields, more than one."""
        lines = [line.decode("utf-8", "replace") for line in head.splitlines(keepends=True) if line.strip()]
        reader = csv.reader(
            lines[:LINES_LOOKED_AT],
            delimiter=cls.usual_delimiter,
            quoting=csv.QUOTE_MINIMAL if cls.quote == QUOTE else csv.QUOTE_NONE,
        )
        try:
            counts = [len(record) for record in reader]
        except csv.Error:
            return False
        whole = counts if head.endswith((b"\n", b"\r")) else counts[:-1] or counts
        return len(set(whole)) == 1 and whole[0] > 1

    def suffices(self, head: bytes) -> bool:
        """Return whether there is a record besides the header: without one, no value tells a role."""
        wanted = 1 + self.has_header
        return len(list(islice(self._first_records(head, 0), wanted))) == wanted

    def begin(self, head: bytes, source: str) -> int:
        """Read the header, and find out the roles of columns from the first records."""
        check_encoding(head, source)
        start = len(BYTE_ORDER_MARK) if head.startswith(BYTE_ORDER_MARK) else 0
        records = self._first_records(head, start)
        names = self.columns.names
        if not names:
            header = next(records, Record([], 0, start, start, 0, start))
            if header.found > MOST_COLUMNS:
                many = f"the header has {header.found:,} columns, and at most {MOST_COLUMNS:,} can be read"
                raise InputError(f"{source}: {many}. Write so many features as svmlight or vw.")
            if header.fault not in (0, FEW_FIELDS):
                raise InputError(f"{source}, in the header: {REASONS[header.fault]}.")
            start, names = header.next, tuple(name.strip() for name in header.fields)
            check_names(names, source)
            if self._has_begun and names != self.names:
                raise InputError(_differences(self.names, names, source))
        if not self._has_begun:
            whole = (record.fields for record in records if len(record.fields) == len(names))
            values = list(zip(*islice(whole, SAMPLE), strict=True))
            guesses = list(map(guess, values)) or [CATEGORY] * len(names)
            self.settle(names, self.columns.assign(names, guesses, source))
            self.columns.warn_of_strays(self.roles, dict(zip(names, values, strict=False)), source)
            self._has_begun = True
        return min(start, len(head))

    def _first_records(self, head: bytes, start: int) -> Iterator[Record]:
        """Yield the first records of a file, of those that hold anything."""
        text = np.frombuffer(bytearray(head + b"\n" * (1 + SLACK)), np.uint8)
        for record in self.records_in(text, start, len(head), MOST_COLUMNS):
            if any(map(str.strip, record.fields)):
                yield record

    def records_in(self, text: Bytes, start: int, stop: int, columns: int) -> Iterator[Record]:
        """Yield the records of text[start:stop], of this many columns each; blank lines do not count."""
        places = np.empty((columns, 3), np.int64)
        while start < stop:
            scanned = Scanned(*scan_record(self._dialect, text, start, stop, places))
            spans = places[: min(scanned.fields, columns)].tolist()
            after = scanned.end + (2 if text[scanned.end : scanned.end + 2].tobytes() == b"\r\n" else 1)
            if text[start : scanned.end].tobytes().strip(b" \t"):
                fields = [_field(text[begin:end].tobytes(), doubled) for begin, end, doubled in spans]
                yield Record(fields, scanned.fields, start, scanned.place, scanned.fault, after)
            start = after

    def cut(self, text: Bytes, start: int, stop: int) -> int:
        """Return where the last whole record ends: line ends in quotes do not count."""
        if self.quote == QUOTE and (text[start:stop] == QUOTE).any():
            return int(last_record_end(self._dialect, text, start, stop))
        return last_line_end(text, start, stop)

    def compiled_format(self, original: Original, stop: int) -> delimited.Delimited:
        """Return the format as compiled code takes it, for one call."""
        fields = np.empty((len(self.names), 3), np.int64)
        return delimited.Delimited(
            self._dialect, self.codes, self.places, fields, original, stop, self.quote == QUOTE
        )

    def to_json(self) -> dict[str, Any]:
        """Return the columns, the delimiter, and whether files name their columns."""
        return {**super().to_json(), "delimiter": self.delimiter, "header": self.has_header}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the format that `to_json` described; labels are not needed."""
        columns = super().from_json(values).columns
        if not isinstance(has_header := values.get("header"), bool):
            raise ValueError(f"header={has_header!r} is neither True nor False.")
        if not has_header:
            columns = replace(columns, names=tuple(columns.roles))
        if not isinstance(delimiter := values.get("delimiter"), str):
            raise ValueError(f"The delimiter {delimiter!r} is not text.")
        return cls(columns, delimiter)


class Tsv(Csv):
    """Fields parted by tabs; quotes are ordinary characters, so a field holds neither tabs nor line ends."""

    name: ClassVar[str] = "tsv"
    endings: ClassVar[tuple[str, ...]] = (".tsv", ".tab")
    usual_delimiter: ClassVar[str] = "\t"
    quote: ClassVar[int] = NO_QUOTE
    quoted_lines: ClassVar[bool] = False


def _field(written: bytes, has_doubled_quotes: bool) -> str:
    plain = written.replace(b'""', b'"') if has_doubled_quotes else written
    return plain.decode("utf-8", "surrogateescape")


def _differences(known: tuple[str, ...], names: tuple[str, ...], source: str) -> str:
    number = next((n for n, pair in enumerate(zip(known, names, strict=False)) if pair[0] != pair[1]), None)
    if number is None:
        found = f"there are {len(names)} columns, and {len(known)} in the first file"
    else:
        found = f"column {number + 1} is {names[number]!r}, and {known[number]!r} in the first file"
    return f"{source}: {found}. All files must have the same columns, in the same order."
