"""Bytes through a format, cut into chunks as the stream does it, with as little room as wished."""

from typing import NamedTuple

import numpy as np
import pytest

from kerneltron.engine.text.memory import SLACK
from kerneltron.engine.text.names import write_name
from kerneltron.stream.parsing import Parser
from tests.oracle import hashed

NEWLINE = 10


class Row(NamedTuple):
    features: dict  # from slot to value
    label: str
    tag: str
    weight: float
    line: int  # from 1
    digest: int
    names: list  # those of all rows that were parsed together


class Read(NamedTuple):
    rows: list
    faults: list  # (line from 1, byte from 1, reason)
    lines: int


class Capacity(NamedTuple):
    """How much there is room for at first."""

    items: int = 1 << 12
    features: int = 1 << 12
    rows: int = 1 << 8
    faults: int = 1 << 6


AMPLE = Capacity()
TINY = Capacity(items=1, features=1, rows=2, faults=1)


def assert_same(found, expected, hashing):
    """Compare rows with examples of the oracle."""
    assert len(found.rows) == len(expected)
    for row, wanted in zip(found.rows, expected, strict=True):
        features = hashed.features(wanted.spaces, hashing)
        assert row.features.keys() == features.keys()
        np.testing.assert_allclose(
            [row.features[slot] for slot in features], list(features.values()), rtol=1e-4, atol=1e-4
        )
        assert (row.label, row.tag) == (wanted.label, wanted.tag)
        assert row.weight == pytest.approx(wanted.weight)


def chunks(format, data, size):
    """Yield whole records: what is left over comes before what is read next."""
    front = format.front()
    place, rest, more = 0, b"", size
    while True:
        taken = data[place : place + more]
        place += len(taken)
        held = front + rest + taken
        text = np.full(len(held) + 1 + SLACK, NEWLINE, np.uint8)
        text[: len(held)] = np.frombuffer(held, np.uint8)
        start, stop, ended = len(front), len(held), place == len(data)
        cut = stop if ended else format.cut(text, start, stop)
        assert start <= cut <= stop
        if cut > start:
            yield text, start, cut
        if ended:
            return
        rest, more = held[cut:], max(size, stop - cut)


def read(format, data, hashing, size=1 << 20, capacity=AMPLE, naming=False, digest=False, source="file"):
    """Read a whole file."""
    parser = Parser(format, hashing.recipe(digest), naming)
    header = format.begin(data, source)
    before = data[:header]
    lines = before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")
    rows, faults = [], []
    for text, start, stop in chunks(format, data[header:], size):
        place = start
        while place < stop:
            reached, target, items = parsed(parser, text, place, stop, capacity)
            assert reached.place > place
            place = reached.place
            faults += [(lines + a + 1, b, c) for a, b, c in target.faults[: reached.faults].tolist()]
            names = names_of(text, items, reached, parser)
            found = [row(text, target, i, lines)._replace(names=names) for i in range(reached.rows)]
            rows += found if digest else [one._replace(digest=0) for one in found]
            lines += reached.lines
    return Read(rows, faults, lines)


def parsed(parser, text, start, stop, capacity):
    """Parse with more and more room until there is enough for one record."""
    items_size, features_size = capacity.items, capacity.features
    while True:
        target, items = parser._new_buffers(features_size, items_size)
        target = target._replace(
            importance=target.importance[: capacity.rows], faults=target.faults[: capacity.faults]
        )
        reached = parser.format.parse(text, start, stop, parser.recipe, items, target)
        if reached.faults >= 0:
            return reached, target, items
        items_size, features_size = 2 * items_size, 2 * features_size


def row(text, buffers, i, lines):
    def part(span):
        return text[span[0] : span[1]].tobytes().decode("utf-8", "surrogateescape")

    first, last = buffers.starts[i], buffers.starts[i + 1]
    slots = buffers.indices[first:last].tolist()
    assert len(set(slots)) == len(slots)
    features = dict(zip(slots, buffers.values[first:last].tolist(), strict=True))
    line, digest = lines + int(buffers.records[i, 2]) + 1, int(buffers.digests[i])
    return Row(
        features,
        part(buffers.labels[i]),
        part(buffers.tags[i]),
        float(buffers.importance[i]),
        line,
        digest,
        [],
    )


def names_of(text, items, reached, parser):
    """Return the names of all items that were parsed."""
    written = np.empty(1 << 16, np.uint8)
    names = []
    for i in range(reached.items):
        end = write_name(text, items, parser.recipe.groups, i, written, 0)
        names.append(written[:end].tobytes().decode("utf-8", "surrogateescape"))
    return names
