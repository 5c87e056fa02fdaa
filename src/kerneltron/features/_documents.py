"""What users hand over as examples, as bytes that compiled code reads one batch at a time."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Bytes, Floats
from kerneltron.engine.text import documents
from kerneltron.engine.text.items import Items, Reached, Recipe, RowBuffers
from kerneltron.engine.text.memory import SLACK
from kerneltron.kernels.field_values import is_missing
from kerneltron.stream.formats.columns import IGNORE
from kerneltron.stream.formats.format import Format
from kerneltron.stream.formats.json_lines import JsonLines

ROWS = 1 << 12  # in a batch
LARGEST = 1 << 28  # bytes of a batch: places in it have 32 bits


class Batch(NamedTuple):
    """Some examples, ready to be parsed: `text` from `start` to `stop`, as `format` takes these."""

    format: Any
    text: Bytes
    start: int
    stop: int


class Documents(Format):
    """Documents in memory, by number: what `parse` calls places."""

    name, endings = "memory", ()

    def __init__(self, layout: documents.RunningTexts | documents.NameLists) -> None:
        self._layout = layout

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        """Tell that no file is of this format."""
        return False

    def parse(
        self, text: Bytes, start: int, stop: int, recipe: Recipe, items: Items, buffers: RowBuffers
    ) -> Reached:
        """Parse documents."""
        parts = documents.parse_documents(self._layout, text, start, stop, recipe, items, buffers)
        return Reached(*parts)


def rows_of(X: Any) -> list[Any]:
    """Return the examples as a list; of a data frame, each row as a dict without what is missing."""
    if isinstance(X, str | bytes | Mapping):
        raise ValueError(f"X is a single {type(X).__name__}: give a sequence of examples, such as [X].")
    if getattr(X, "ndim", 1) == 2 and hasattr(X, "notna"):
        if not X.columns.is_unique:
            twice = X.columns[X.columns.duplicated()][0]
            raise ValueError(f"X has two columns of the name {twice!r:.60}: rename one of them.")
        return X.astype(object).where(X.notna(), None).to_dict("records")  # type: ignore[no-any-return]
    if hasattr(X, "to_dicts"):
        return list(X.to_dicts())
    if getattr(X, "ndim", 1) != 1:
        raise ValueError(
            f"X has {X.ndim} dimensions: give one example per row, as a text, a dict or a list of names. "
            "Numbers in columns need no hashing."
        )
    return list(X)


def texts(rows: Sequence[str]) -> Iterator[Batch]:
    """Yield running texts."""
    for part in _parts([_encoded(row, number) for number, row in enumerate(rows)]):
        bounds = np.cumsum([0, *(len(text) + 1 for text in part)])
        yield Batch(Documents(documents.RunningTexts(bounds)), _buffer(b"\n".join(part)), 0, len(part))


def lists(rows: Sequence[Sequence[Any]]) -> Iterator[Batch]:
    """Yield lists of names, or of pairs of a name and a value."""
    for first in range(0, len(rows), ROWS):
        batch = rows[first : first + ROWS]
        try:
            names, joined, values = _names_and_values(list(chain.from_iterable(batch)))
        except (TypeError, ValueError, AttributeError):
            for number, row in enumerate(batch):
                _check_entries(row, first + number)
            raise
        # Where all are ASCII, as most are, characters are bytes.
        bounds = np.cumsum([0, *map(len, names if joined.isascii() else map(str.encode, names))])
        if bounds[-1] > LARGEST:
            raise ValueError(f"The names in X[{first}:{first + ROWS}] have more than {LARGEST:,} bytes.")
        layout = documents.NameLists(np.cumsum([0, *map(len, batch)]), bounds, values)
        yield Batch(Documents(layout), _buffer(joined), 0, len(batch))


def dicts(rows: Sequence[Mapping[str, Any]], format: JsonLines) -> Iterator[Batch]:
    """Yield dicts, as lines of JSON without the columns that are ignored."""
    ignored = {name for name, role in format.roles.items() if role == IGNORE}
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_for_json).encode
    yield from lines([_object(row, number, ignored, encode) for number, row in enumerate(rows)], format)


def named_rows(rows: Sequence[Mapping[Any, Any]]) -> list[dict[str, Any]]:
    """Return dicts with names for columns: those of data frames may be whole numbers."""
    return [_named(row, number) for number, row in enumerate(rows)]


def _named(row: Mapping[Any, Any], number: int) -> dict[str, Any]:
    if all(type(name) is str for name in row):
        return row if type(row) is dict else dict(row)
    names = [str(name) if isinstance(name, str | Integral) else name for name in row]
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"X[{number}] has the column {name!r:.60}: the name of a column is a text.")
        if names.count(name) > 1:
            raise ValueError(f"X[{number}] has two columns of the name {name!r:.60}.")
    return dict(zip(names, row.values(), strict=True))


def _object(row: Mapping[str, Any], number: int, ignored: set[str], encode: Callable[[Any], str]) -> str:
    """Return one example as a line of JSON."""
    kept = {name: row[name] for name in row if name not in ignored} if ignored else row
    try:
        return encode(kept)
    except (TypeError, ValueError, RecursionError):
        there = {name: value for name, value in kept.items() if not is_missing(value)}
        for name, value in there.items():
            _check_value(value, name, number, encode)
        return encode(there)


def _check_value(value: Any, name: str, number: int, encode: Callable[[Any], str]) -> None:
    """Raise an error that says which value cannot be used, and what to do."""
    place = f"X[{number}], column {name!r:.60}"
    try:
        encode(value)
    except RecursionError:
        raise ValueError(f"{place}: it holds itself, or is nested too deeply for features.") from None
    except TypeError:
        raise TypeError(
            f"{place}: {value!r:.60} is neither a number nor text, nor a list or dict of these. Leave it "
            f"out with columns={{{name!r:.60}: 'ignore'}}, or turn it into one of these."
        ) from None
    except ValueError as error:
        if "Circular" in str(error):
            raise ValueError(f"{place}: it holds itself.") from None
        raise ValueError(
            f"{place}: {value!r:.60} is not finite, or holds a number that is not. None and NaN stand for "
            "what is missing, but not inside of lists."
        ) from None


def lines(rows: Sequence[str], format: Format) -> Iterator[Batch]:
    """Yield lines of a format."""
    front = format.front()
    for part in _parts([_encoded(row, number) for number, row in enumerate(rows)]):
        text = front + b"\n".join(part)
        yield Batch(format, _buffer(text), len(front), len(text))


def _parts(encoded: list[bytes]) -> Iterator[list[bytes]]:
    """Cut texts into batches that are not too large."""
    part: list[bytes] = []
    size = 0
    for number, text in enumerate(encoded):
        if len(text) > LARGEST:
            raise ValueError(f"X[{number}] has {len(text):,} bytes: at most {LARGEST:,} can be read.")
        if part and (len(part) == ROWS or size + len(text) > LARGEST):
            yield part
            part, size = [], 0
        part.append(text)
        size += len(text) + 1
    if part:
        yield part


def _encoded(row: str, number: int) -> bytes:
    try:
        return row.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"X[{number}] is not text: half of a surrogate pair at {error.start}.") from error


def _buffer(text: bytes) -> Bytes:
    """Return bytes that can be written to, with a newline and what loads at the end may touch behind them."""
    return np.frombuffer(bytearray(text + b"\n" * (1 + SLACK)), np.uint8)


def entries(row: Any, number: int) -> Sequence[Any]:
    """Return the names, or pairs, of an example as a list."""
    try:
        return row if isinstance(row, list | tuple) else list(row)
    except TypeError as error:
        raise _strange(row, number) from error


def _names_and_values(entries: list[Any]) -> tuple[list[str], bytes, Floats]:
    """Return the names of many examples, all of them as one text, and their values."""
    values = np.ones(len(entries), np.float32)
    if entries and set(map(type, entries)) != {str}:
        pairs = [(entry, 1.0) if isinstance(entry, str) else entry for entry in entries]
        names, given = zip(*pairs, strict=True)
        with np.errstate(over="ignore"):
            values = np.array(given, np.float64).astype(np.float32)
        if values.shape != (len(names),) or not np.isfinite(values).all():
            raise ValueError("a value is not a finite number in single precision.")
        entries = list(names)
    return entries, "".join(entries).encode(), values


def _check_entries(row: Sequence[Any], number: int) -> None:
    """Raise if one is not an example, and say which."""
    if any(isinstance(entry, list | tuple) and len(entry) != 2 for entry in row):
        raise _strange(row, number)
    try:
        _names_and_values(list(row))
    except UnicodeEncodeError as error:
        raise ValueError(f"X[{number}] has a name that is not text: half of a surrogate pair.") from error
    except ValueError as error:
        raise ValueError(f"X[{number}] is {repr(row)[:60]}: {error}") from error
    except (TypeError, AttributeError) as error:
        raise _strange(row, number) from error


def _strange(row: Any, number: int) -> TypeError:
    return TypeError(
        f"X[{number}] is {repr(row)[:60]}: an example is a text, a dict, or a list of names or of pairs "
        "(name, number)."
    )


def plain(value: Any) -> Any:
    """Return a number or array of NumPy as Python's own, and anything else as it is."""
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else value


def _for_json(value: Any) -> Any:
    """Return what JSON knows in place of something that it does not."""
    known = plain(value)
    if known is value:
        raise TypeError
    return known
