"""From sources to shards: files, groups of files, and parts of large ones."""

import os
from collections.abc import Sequence
from typing import NamedTuple

from kerneltron.cluster.shard import Shard, marked
from kerneltron.stream.addresses import is_address
from kerneltron.stream.cutting import can_be_cut, cut, first_record, settle, shared_out, without_header
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats.format import Format
from kerneltron.stream.origins import Origin, Span
from kerneltron.stream.sources import is_pipe, size_of


class Shards(NamedTuple):
    """Shards, and the format that their workers read them in: that of the files, or of parts of them."""

    shards: list[Shard]
    format: Format


def shards_of(sources: Sequence[str], format: Format, count: int | None, otherwise: int) -> Shards:
    """Return shards of files.

    Parameters
    ----------
    sources
        As `stream.sources.expand` returns them.
    format
        Their format, which is settled by the first of them: each worker takes columns for the same.
    count
        How many shards. None: one per file, or of a single file that can be cut, `otherwise`.
    otherwise
        See `count`.
    """
    for name in sources:
        if is_pipe(name):
            raise InputError(f"{name} is a pipe, which workers cannot read: save its contents to a file.")
    # Workers may have been started in another folder.
    sources = [name if is_address(name) else os.path.abspath(name) for name in sources]
    if count is not None and count < 1:
        raise ValueError(f"shards={count!r} must be at least 1.")
    settle(format, sources[0])
    if len(sources) == 1:
        parts = otherwise if count is None else count
        if parts > 1 and can_be_cut(sources[0], format):
            spans = _cut(sources[0], parts, format)
            return Shards([marked(n, (span,)) for n, span in enumerate(spans)], without_header(format))
    elif count is not None and count > len(sources):
        return _cut_several(sources, format, count)
    if count is not None and count > len(sources):
        raise InputError(
            f"{sources[0]} cannot be cut into {count} shards, as it is compressed, of the Arrow format, or "
            "not a file: give several files, or a plain one."
        )
    sizes = [float(size_of(name) or 1) for name in sources]
    ends = shared_out(sizes, len(sources) if count is None else count)
    groups = [tuple(sources[start:stop]) for start, stop in zip([0, *ends], ends, strict=False)]
    return Shards([marked(n, group) for n, group in enumerate(groups)], format)


def _cut(name: str, parts: int, format: Format) -> list[Span]:
    begin = first_record(format, name) if format.in_lines else 0
    return cut(name, parts, format, begin)


def _cut_several(sources: Sequence[str], format: Format, count: int) -> Shards:
    """Return shards of several files, of which the larger ones are cut."""
    for name in sources:
        if not can_be_cut(name, format):
            raise InputError(
                f"{name} cannot be cut, as it is compressed, of the Arrow format, or not a file, and there "
                f"are {count} shards for {len(sources)} files: ask for fewer shards."
            )
    sizes = [size_of(name) or 0 for name in sources]
    parts = [1] * len(sources)
    for _ in range(count - len(sources)):  # the next cut goes to the file with the largest parts
        parts[max(range(len(sources)), key=lambda n: sizes[n] / parts[n])] += 1
    spans: list[Origin] = []
    for name, number in zip(sources, parts, strict=True):
        settle(format, name)
        spans += _cut(name, number, format)
    return Shards([marked(n, (span,)) for n, span in enumerate(spans)], without_header(format))
