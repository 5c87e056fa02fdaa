"""Examples one at a time, spelled out: each feature with its name, for whoever looks at words."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from kerneltron._types import Bytes, Floats, Integers
from kerneltron.engine.text.items import Items, Recipe, RowBuffers
from kerneltron.engine.text.memory import SLACK
from kerneltron.engine.text.names import write_name
from kerneltron.stream.chunks import NEWLINE, Chunk
from kerneltron.stream.errors import BadLineError
from kerneltron.stream.formats.format import Format
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.parsing import Parsed, Parser
from kerneltron.stream.reader import Skipped
from kerneltron.stream.window import NO_DIGESTS, NO_LABEL, Window

FIRST_SIZE = 1 << 10  # bytes of a name


class Spelled(NamedTuple):
    """One example: its row, what it was made of, and the text in which the names stand.

    It lasts until the next one is asked for.
    """

    text: Bytes
    items: Items  # those of this example alone, in order
    groups: Integers
    window: Window  # with one row, whose label is not numbered
    label: str  # as it is written, "" if there is none; what is not UTF-8 is surrogates, also in the tag
    source: str
    line: int  # from 1

    def name(self, i: int) -> str:
        """Return the name of an item, such as `text^free prize` or `user^bob*text^free`."""
        written = np.empty(FIRST_SIZE, np.uint8)
        while (end := write_name(self.text, self.items, self.groups, i, written, 0)) < 0:
            written = np.empty(2 * written.size, np.uint8)
        return written[:end].tobytes().decode("utf-8", "replace")


class Speller(Parser):
    """A parser that stops after each example, and knows where each feature comes from.

    Parameters
    ----------
    format, hashing
        As for a `Reader`.
    skip_faults
        Leave bad lines out, and count them in `skipped`, instead of raising at the first.
    """

    def __init__(self, format: Format, hashing: Hashing, skip_faults: bool = False) -> None:
        super().__init__(format, hashing.recipe(), naming=True)
        self.skip_faults, self.skipped = skip_faults, Skipped()
        self._line = 0  # lines of the present source that lie behind

    def examples(self, chunk: Chunk) -> Iterator[Spelled]:
        """Yield the examples of a chunk; chunks of a source come in their order."""
        if chunk.first_line is not None:
            self._line = chunk.first_line - 1
        place = chunk.start
        while place < chunk.stop:
            parsed = self.parse(chunk, place)
            place = parsed.reached.place
            self._look_at_faults(parsed)
            if parsed.reached.rows:
                yield self._spelled(parsed)
            self._line += parsed.reached.lines
            self.release(parsed)

    def _new_buffers(self, features: int, count: int) -> tuple[RowBuffers, Items]:
        buffers, items = super()._new_buffers(features, count)
        return buffers._replace(importance=buffers.importance[:1]), items

    def _look_at_faults(self, parsed: Parsed) -> None:
        for fault in parsed.faults(self._line):
            if not self.skip_faults:
                raise BadLineError(fault)
            self.skipped.note(fault)

    def _spelled(self, parsed: Parsed) -> Spelled:
        chunk, reached, buffers = parsed.chunk, parsed.reached, parsed.buffers
        begin, end = buffers.tags[0].tolist()
        window = Window(
            values=buffers.values[: reached.features],
            indices=buffers.indices[: reached.features],
            starts=buffers.starts[:2],
            labels=np.full(1, NO_LABEL, np.int32),
            importance=buffers.importance,
            digests=NO_DIGESTS,
            tags=[_text(chunk.text[begin:end].tobytes())],
            consumed=chunk.consumed,
        )
        label = self.format.label(_text(parsed.label_names[0])) if parsed.label_names else ""
        items = Items._make(array[: reached.items] for array in parsed.items)
        line = self._line + int(buffers.records[0, 2]) + 1
        return Spelled(chunk.text, items, self.recipe.groups, window, label, chunk.source, line)


def _text(written: bytes) -> str:
    return written.decode("utf-8", "surrogateescape")


def as_chunk(format: Format, records: bytes, source: str) -> Chunk:
    """Return records, without a header, as the one chunk of a source."""
    front = format.front()
    text = np.full(len(front) + len(records) + 1 + SLACK, NEWLINE, np.uint8)
    text[: len(front) + len(records)] = np.frombuffer(front + records, np.uint8)
    return Chunk(text, len(front), len(front) + len(records), source, 1, len(records))


def plain_text(format: Format) -> Format | None:
    """Return a format for the text of the one column of text that `format` has; None if there is not one."""
    texts = [name for name, role in getattr(format, "roles", {}).items() if role == "text"]
    if len(texts) != 1:
        return None
    from kerneltron.stream.formats.columns import Columns
    from kerneltron.stream.formats.delimited import Tsv

    return Tsv(Columns(roles={texts[0]: "text"}, names=tuple(texts), labelled=False, complete=True))


def keys_of(keys: Integers, recipe: Recipe) -> tuple[Integers, Floats]:
    """Return the slots of all copies of some keys and their signs, one row per key."""
    from kerneltron.engine.text.hashing import copy_keys

    hashes = np.empty((keys.size, recipe.copies), np.uint32)
    copy_keys(keys.astype(np.uint32), hashes)
    signed = hashes.view(np.int32).astype(np.int64)
    signs = np.where(signed < 0, -1.0, 1.0) if recipe.signed else np.ones(hashes.shape)
    return np.abs(signed) & recipe.mask, signs
