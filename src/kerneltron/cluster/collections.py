"""Dask's collections as shards: one for each partition, which stays where it is."""

import io
import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from kerneltron.stream.cutting import settle
from kerneltron.stream.declared import Declared
from kerneltron.stream.formats.finding import format_for
from kerneltron.stream.formats.format import Format
from kerneltron.stream.looking import FirstLook, first_look
from kerneltron.stream.origins import Text

HEAD = 1 << 16  # bytes


class Partitions(NamedTuple):
    """Partitions of a collection, to be computed by workers."""

    names: list[str]
    data: list[Any]  # delayed


def is_collection(thing: Any) -> bool:
    """Return whether something is a collection of Dask's, without importing it."""
    return type(thing).__module__.partition(".")[0].startswith("dask")


def are_rows(shards: Any) -> bool:
    """Return whether shards are given as rows and labels; raise where that is meant, but not what it is."""
    if not isinstance(shards, tuple | list) or len(shards) != 2:
        return False
    if not any(hasattr(part, "shape") for part in shards):
        return False
    for part in shards:
        if not is_collection(part) or type(part).__name__ != "Array":
            raise TypeError(
                f"X and y are to be Dask arrays, both, and one is a {type(part).__name__}: what is in memory "
                "is learned from by `fit`, and a data frame is given whole, with its column of labels."
            )
    return True


def partitions(collection: Any) -> Partitions:
    """Return the partitions of a bag, data frame or array; of an array, all columns of some rows."""
    kind = type(collection).__name__
    data = collection
    if kind == "Array":
        if collection.ndim > 1 and len(collection.chunks[1]) > 1:
            data = collection.rechunk({1: -1})
        delayed = list(data.to_delayed().ravel())
    else:
        delayed = list(data.to_delayed())
    if not delayed:
        raise ValueError(f"the {kind.lower()} has no partitions: there is nothing to learn from.")
    return Partitions([f"partition {n + 1} of {len(delayed)}" for n in range(len(delayed))], delayed)


def pairs(X: Any, y: Any) -> Partitions:
    """Return blocks of rows with their labels."""
    if y.ndim != 1:
        raise ValueError(f"y has {y.ndim} dimensions: give one label per row.")
    if X.ndim != 2:
        raise ValueError(f"X has {X.ndim} dimensions: give a matrix.")
    rows = X.chunks[0]
    if rows != y.chunks[0]:
        if sum(rows) != sum(y.chunks[0]):
            raise ValueError(f"X has {sum(rows)} rows, and y {sum(y.chunks[0])} labels.")
        y = y.rechunk((rows,))
    blocks, labels = partitions(X), partitions(y)
    return Partitions(blocks.names, [list(pair) for pair in zip(blocks.data, labels.data, strict=True)])


def text_of(partition: Any) -> bytes:
    """Return a partition of a bag or data frame as records: lines, objects as JSON, a table as Arrow."""
    if hasattr(partition, "columns") and hasattr(partition, "iloc"):
        return _arrow(partition)
    return b"".join(_line(record) for record in partition)


def looked_at(partition: Any, declared: Declared) -> tuple[Format, FirstLook]:
    """Return the format of the records of a partition, and what the first of them look like.

    Runs on a worker, so that none pass the client.
    """
    text = text_of(partition)
    if declared.format is None and text.startswith(b"ARROW1"):
        declared = _with_format(declared, "arrow")
    if declared.format is None:
        from kerneltron.stream.formats import recognised

        declared = _with_format(declared, recognised("", text[:HEAD]).name)
    records = Text("partition 1", text)
    format = format_for([], declared)
    settle(format, records)
    return format, first_look([records], format_for([], declared))


def _with_format(declared: Declared, name: str) -> Declared:
    from dataclasses import replace

    return replace(declared, format=name)


def _line(record: Any) -> bytes:
    if isinstance(record, dict):
        return json.dumps(record, default=_plain).encode() + b"\n"
    if isinstance(record, str):
        record = record.encode("utf-8", "surrogateescape")
    if not isinstance(record, bytes):
        raise TypeError(
            f"a bag of {type(record).__name__}: give lines of text, or dicts from column to value."
        )
    return bytes(record.rstrip(b"\r\n")) + b"\n"


def _plain(value: Any) -> Any:
    """Return a number of NumPy's as one of Python's."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"a value of a dict is a {type(value).__name__}: give text, numbers, lists or dicts.")


def _arrow(frame: Any) -> bytes:
    import pyarrow

    table = pyarrow.Table.from_pandas(frame, preserve_index=False)
    buffer = io.BytesIO()
    with pyarrow.ipc.new_file(buffer, table.schema) as file:
        file.write_table(table)
    return buffer.getvalue()


def computed(client: Any, delayed: Sequence[Any]) -> list[Any]:
    """Return futures of partitions, or of lists of them."""
    futures: Iterable[Any] = client.compute(_flat(delayed))
    given = iter(futures)
    return [[next(given) for _ in each] if isinstance(each, list) else next(given) for each in delayed]


def _flat(delayed: Sequence[Any]) -> list[Any]:
    return [part for each in delayed for part in (each if isinstance(each, list) else [each])]
