"""Tables of typed columns: Parquet and Arrow files.

Their rows are written as text, some at a time, and parsed as such: there is one way in which values become
features. pyarrow is needed, and imported when a file is opened.
"""

import io
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, ClassVar, NamedTuple

from kerneltron._types import Bytes, Integers
from kerneltron.engine.text.items import Items, Reached, Recipe, RowBuffers
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats.arrow_rows import as_csv, as_json, guess, is_nested, is_usable
from kerneltron.stream.formats.columns import FEATURES, IGNORE, Columns, check_names
from kerneltron.stream.formats.delimited import Csv
from kerneltron.stream.formats.json_lines import JsonLines
from kerneltron.stream.formats.record_text import Piece, RecordText
from kerneltron.stream.formats.tabular import SAMPLE, Tabular

ROWS = 1 << 11  # that are written at a time
Groups = tuple[int, int] | None  # the first row group of a Parquet file, and the one behind the last


class Part(NamedTuple):
    """Some rows, and which part of their table lies behind when they are read."""

    rows: Any
    done: float


class Columnar(Tabular):
    """Rows of typed columns: numbers are numbers, and strings never are.

    A flat table becomes CSV. Lists and structures become JSON, and so does a single column, whose missing
    values would be blank lines. A line is a row, for line ends within texts become blanks.
    """

    magic: ClassVar[bytes]  # with which files begin
    in_lines: ClassVar[bool] = False

    def __init__(self, columns: Columns | None = None) -> None:
        super().__init__(columns)
        self._text: Tabular = Csv(self.columns)
        self._has_begun = False

    def namespaces(self) -> set[str] | None:
        """Return the columns that give features."""
        return {name for name, role in self.roles.items() if role in FEATURES}

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        """Return whether a file begins as such files do."""
        return head.startswith(cls.magic)

    @abstractmethod
    def _opened(self, raw: IO[bytes]) -> tuple[Any, Any]:
        """Return a file's table and its schema."""

    @abstractmethod
    def _parts(self, table: Any, rows: int, names: list[str], groups: Groups) -> Iterator[Part]:
        """Yield batches of at most this many rows, with at least these columns, as the file has them."""

    def _sound_parts(self, table: Any, rows: int, names: list[str], groups: Groups = None) -> Iterator[Part]:
        """Yield batches whose bytes are what their types say: compiled code reads them without looking."""
        for part in self._parts(table, rows, names, groups):
            part.rows.validate(full=True)
            yield part

    def records(self, raw: IO[bytes], source: str, groups: Groups = None) -> RecordText:
        """Return the rows of a file, or of some of its groups, as text, for this format to cut and parse."""
        _check_arrow(source)
        if not raw.seekable():
            raise InputError(f"{source}: a {self.name} file cannot be read from a pipe. Name the file.")
        size = raw.seek(0, io.SEEK_END)
        raw.seek(0)
        with self._damage_told(source):
            table, schema = self._opened(raw)
            first = next(self._sound_parts(table, SAMPLE, schema.names), None)
            self._look_at(schema, first.rows if first else None, source)
        return RecordText(self._pieces(table, source, groups), size)

    def _look_at(self, schema: Any, first: Any, source: str) -> None:
        """Find out the roles of columns from their types and first values."""
        if self._has_begun:
            if tuple(schema.names) != self.names:
                known = ", ".join(map(repr, self.names))
                raise InputError(f"{source}: the columns are not those of the first file, {known}.")
            return
        check_names(schema.names, source)
        guesses = [guess(column.type, first[column.name] if first else ()) for column in schema]
        roles = self.columns.assign(schema.names, guesses, source)
        used = {column: role for column, role in zip(schema, roles, strict=True) if role != IGNORE}
        for column in used:
            if not is_usable(column.type):
                raise InputError(
                    f"{source}: no features can be made of the column {column.name!r} of type {column.type}. "
                    "Give it the role ignore."
                )
        self.settle(schema.names, roles)
        columns = Columns(
            roles={column.name: role for column, role in used.items()},
            names=tuple(column.name for column in used),
            labelled=False,
            complete=True,
        )
        is_flat = len(used) > 1 and not any(is_nested(column.type) for column in used)
        self._text = Csv(columns) if is_flat else JsonLines(columns)
        self._has_begun = True

    def _pieces(self, table: Any, source: str, groups: Groups) -> Iterator[Piece]:
        write = as_csv if isinstance(self._text, Csv) else as_json
        names = list(self._text.names)
        with self._damage_told(source):
            for rows, done in self._sound_parts(table, ROWS, names, groups):
                yield Piece(write(rows.select(names), self.roles), done)

    @contextmanager
    def _damage_told(self, source: str) -> Iterator[None]:
        """Raise what pyarrow makes of damaged files, exceptions of Python's own among them, as one."""
        try:
            yield
        except InputError:
            raise
        except (
            ValueError,
            LookupError,
            TypeError,
            NotImplementedError,
            OSError,
            MemoryError,
            OverflowError,
        ) as error:
            what = " ".join(str(error).split()) or type(error).__name__
            told = f"{source}: not a file in {self.name} format, or a damaged one ({what})."
            raise InputError(told) from error

    def words_among(self, text: Bytes, origins: Integers) -> int:
        """Return what the format of the text says."""
        return self._text.words_among(text, origins)

    def front(self) -> bytes:
        """Return what the format of the text wants before each chunk."""
        return self._text.front()

    def cut(self, text: Bytes, start: int, stop: int) -> int:
        """Return where the last whole row ends."""
        return self._text.cut(text, start, stop)

    def parse(
        self, text: Bytes, start: int, stop: int, recipe: Recipe, items: Items, buffers: RowBuffers
    ) -> Reached:
        """Parse rows."""
        return self._text.parse(text, start, stop, recipe, items, buffers)


class Parquet(Columnar):
    """Parquet files; only the columns that are used are read."""

    name: ClassVar[str] = "parquet"
    endings: ClassVar[tuple[str, ...]] = (".parquet", ".pq")
    magic: ClassVar[bytes] = b"PAR1"

    def _opened(self, raw: IO[bytes]) -> tuple[Any, Any]:
        import pyarrow.parquet

        table = pyarrow.parquet.ParquetFile(raw, pre_buffer=False)
        return table, table.schema_arrow

    def _parts(self, table: Any, rows: int, names: list[str], groups: Groups) -> Iterator[Part]:
        chosen = range(*groups) if groups else range(table.num_row_groups)
        done, all_rows = 0, max(sum(table.metadata.row_group(group).num_rows for group in chosen), 1)
        for batch in table.iter_batches(batch_size=rows, columns=names, row_groups=list(chosen)):
            done += batch.num_rows
            yield Part(batch, min(done / all_rows, 1.0))


class Arrow(Columnar):
    """Arrow files (Feather, version 2), read a batch at a time.

    They are not mapped into memory: a file that someone shortens meanwhile would kill the process.
    """

    name: ClassVar[str] = "arrow"
    endings: ClassVar[tuple[str, ...]] = (".arrow", ".feather", ".ipc")
    magic: ClassVar[bytes] = b"ARROW1"

    def _opened(self, raw: IO[bytes]) -> tuple[Any, Any]:
        import pyarrow

        table = pyarrow.ipc.open_file(raw)
        return table, table.schema

    def _parts(self, table: Any, rows: int, names: list[str], groups: Groups) -> Iterator[Part]:
        count = table.num_record_batches
        for number in range(count):
            batch = table.get_batch(number)
            batch.validate(full=True)  # before a slice is taken, whose bounds are those of the whole
            for first in range(0, batch.num_rows, rows):
                last = min(first + rows, batch.num_rows)
                yield Part(batch.slice(first, rows), (number + last / batch.num_rows) / count)


def _check_arrow(source: str) -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise InputError(f"To read {source} install pyarrow: pip install 'kerneltron[parquet]'.") from error
