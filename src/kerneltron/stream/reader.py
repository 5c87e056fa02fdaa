"""Sources as windows of examples: read, parsed and gathered in the background."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import NamedTuple

import numpy as np

from kerneltron._types import Integers
from kerneltron.stream.background import ahead, in_parallel
from kerneltron.stream.chunks import RECORD_LIMIT, Chunk, bytes_of, chunks
from kerneltron.stream.errors import MISSING_LABEL, UNKNOWN_LABEL, BadLineError, Fault, InputError
from kerneltron.stream.formats.format import Format
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import MISSING, Labels
from kerneltron.stream.origins import Origin
from kerneltron.stream.parsing import Parsed, Parser
from kerneltron.stream.sources import is_pipe, opened, size_of
from kerneltron.stream.window import NO_LABEL, Window, WindowBuffer, part_of, taken

THREADS = 2
FAULTS_KEPT = 100


@dataclass
class Skipped:
    """Bad lines that were left out."""

    count: int = 0
    first: list[Fault] = field(default_factory=list)

    def note(self, fault: Fault) -> None:
        """Count one, and keep it if it is among the first."""
        self.count += 1
        if len(self.first) < FAULTS_KEPT:
            self.first.append(fault)


class Wanted(NamedTuple):
    """What is to be known of examples beside their features and labels."""

    tags: bool = False
    digests: bool = False


NOTHING_MORE = Wanted()


class Reader:
    """Examples from sources, in order, in windows whose bounds depend on the examples alone.

    Parameters
    ----------
    sources
        Their names, as `stream.sources.expand` returns them.
    format
        The format of all of them.
    hashing
        How words become features.
    labels
        Where labels are numbered.
    skip_faults
        Leave bad lines out, and count them in `skipped`, instead of raising at the first.
    watch
        Called with every piece that was parsed, in order: it sees the words themselves.
    record_limit
        The most MB that one record may have; a longer one is a bad line. A record is held in memory.
    threads
        How many parse, besides one that reads and one that gathers windows; with 1, all is done by whoever
        asks for the next window, when it asks: where each processor has a reader of its own.
    """

    def __init__(
        self,
        sources: Sequence[Origin],
        format: Format,
        hashing: Hashing,
        labels: Labels,
        *,
        wanted: Wanted = NOTHING_MORE,
        skip_faults: bool = False,
        watch: Callable[[Parsed], None] | None = None,
        record_limit: int = RECORD_LIMIT,
        chunk: int | None = None,
        threads: int = THREADS,
    ) -> None:
        if threads < 1:
            raise ValueError(f"threads={threads!r} must be at least 1.")
        self.threads = threads
        self.sources, self.format, self.hashing, self.labels = sources, format, hashing, labels
        self.wanted, self.skip_faults, self.watch = wanted, skip_faults, watch
        self.skipped = Skipped()
        self._parser = Parser(format, hashing.recipe(wanted.digests), watch is not None)
        self._has_begun = False
        self._line = 0  # lines of the present source that lie behind
        self._chunk = {"limit": bytes_of(record_limit), **({} if chunk is None else {"size": chunk})}

    def total(self) -> int | None:
        """Return the size of all sources on disk, None if one is not known."""
        sizes = [size_of(name) for name in self.sources]
        return None if None in sizes else sum(size for size in sizes if size)

    def windows(self) -> Iterator[Window]:
        """Yield the examples; a window lasts until the next one is asked for. Pipes yield theirs once."""
        for name in filter(is_pipe, self.sources if self._has_begun else ()):
            raise InputError(f"{name} is a pipe, and can be read only once: save its contents to a file.")
        self._has_begun = True
        return self._windows() if self.threads == 1 else ahead(self._windows(), 0)

    def _windows(self) -> Iterator[Window]:
        buffers = cycle([WindowBuffer(), WindowBuffer()])
        buffer = next(buffers)
        consumed = 0
        for part in self._parts():
            consumed, first = part.consumed, 0
            while first < part.size:
                last = first + buffer.fitting(part, first)
                buffer.add(part_of(part, first, last))
                first = last
                if first < part.size or buffer.is_full:
                    yield buffer.window(consumed)
                    buffer = next(buffers)
                    buffer.begin()
        if buffer.rows:
            yield buffer.window(consumed)

    def _parts(self) -> Iterator[Window]:
        for parsed in self._parsed():
            while True:
                yield self._part(parsed)
                self._parser.release(parsed)
                if parsed.reached.place >= parsed.chunk.stop:
                    break
                parsed = self._parser.parse(parsed.chunk, parsed.reached.place)  # noqa: PLW2901 - its rest

    def _parsed(self) -> Iterator[Parsed]:
        if self.threads == 1:
            return map(self._parser.parse, self._chunks())
        return in_parallel(self._parser.parse, ahead(self._chunks()), self.threads)

    def _chunks(self) -> Iterator[Chunk]:
        before = 0
        for name in self.sources:
            with opened(name, self.format.records) as source:
                for chunk in chunks(source, self.format, **self._chunk):
                    yield chunk._replace(consumed=before + chunk.consumed)
                    if chunk.exceeded and not self.skip_faults:
                        return  # it will be raised: its line, which may never end, need not be passed over
                before += source.consumed

    def _part(self, parsed: Parsed) -> Window:
        """Return the rows of a piece, after its faults were dealt with and its words watched."""
        chunk, reached, buffers = parsed.chunk, parsed.reached, parsed.buffers
        if chunk.first_line is not None and parsed.start == chunk.start:
            self._line = chunk.first_line - 1
            if not chunk.exceeded:
                self._check_crosses(chunk.source)
        labels, strange = self._labels(parsed)
        for fault in sorted([*parsed.faults(self._line), *strange], key=lambda fault: fault.line):
            if not self.skip_faults:
                raise BadLineError(fault)
            self.skipped.note(fault)
        self._line += reached.lines
        if self.watch is not None:
            self.watch(parsed)
        rows, features = reached.rows, reached.features
        part = Window(
            values=buffers.values[:features],
            indices=buffers.indices[:features],
            starts=buffers.starts[: rows + 1],
            labels=labels,
            importance=buffers.importance[:rows],
            digests=buffers.digests[: rows if self.wanted.digests else 0],
            tags=self._tags(parsed) if self.wanted.tags else [],
            consumed=chunk.consumed,
        )
        return taken(part, np.flatnonzero(labels >= NO_LABEL)) if strange else part

    def _labels(self, parsed: Parsed) -> tuple[Integers, list[Fault]]:
        """Return the numbers of the labels, and faults of those that are none; note the place of new ones."""
        source, buffers, before = parsed.chunk.source, parsed.buffers, len(self.labels.names)
        try:
            numbers = self.labels.numbers(parsed.label_codes, parsed.label_names, self.format.label)
        except InputError as error:  # of what is not a label
            raise InputError(f"{source}: {error}") from error
        lines = self._line + buffers.records[: numbers.size, 2] + 1
        for number, name in enumerate(self.labels.names[before:], before):
            self.labels.places[name] = f"{source}, line {lines[np.argmax(numbers == number)]}"
        faults = []
        for row in np.flatnonzero(numbers < NO_LABEL).tolist():
            column = max(1, int(buffers.labels[row, 0] - buffers.records[row, 0] + 1))
            name = self.format.label(
                parsed.label_names[parsed.label_codes[row]].decode("utf-8", "backslashreplace")
            )
            reason = MISSING_LABEL if numbers[row] == MISSING else UNKNOWN_LABEL
            faults.append(Fault(source, int(lines[row]), column, reason, text=name))
        return numbers, faults

    def _check_crosses(self, source: str) -> None:
        """Raise if a cross names a namespace that cannot come."""
        there, excluded = self.format.namespaces(), self.format.excluded()
        for name in self.hashing.spaces():
            if name in excluded or (there is not None and name not in there):
                known = f": there are {', '.join(map(repr, sorted(there)))}" if there else ""
                raise InputError(
                    f"{source}: `cross` names {name!r}, which is not a column with features{known}."
                )

    def _tags(self, parsed: Parsed) -> list[str]:
        text = parsed.chunk.text
        spans = parsed.buffers.tags[: parsed.reached.rows].tolist()
        return [text[a:b].tobytes().decode("utf-8", "backslashreplace") if b > a else "" for a, b in spans]
