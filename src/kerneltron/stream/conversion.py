"""From one format to another, example by example: memory stays flat."""

import gzip
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any, NamedTuple

from kerneltron.stream.chunks import RECORD_LIMIT, Chunk, bytes_of, chunks
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats import named
from kerneltron.stream.formats.format import Format
from kerneltron.stream.hashing import MOST_BITS, Hashing
from kerneltron.stream.sources import opened, plain_name
from kerneltron.stream.spelling import Speller
from kerneltron.stream.tables import DELIMITERS, TableWriter
from kerneltron.stream.writing import WRITERS

TARGETS = (*WRITERS, *DELIMITERS)


class Converted(NamedTuple):
    """How many examples were written, and how many bad lines left out."""

    examples: int
    skipped: int


class Manner(NamedTuple):
    """How to convert.

    Parameters
    ----------
    to
        One of TARGETS.
    lowercase
        Whether words of running text are brought to lower case where a target names each word.
    replacement
        What stands in for characters that the target cannot hold; None refuses them.
    skip_faults
        Whether bad lines are left out.
    """

    to: str
    lowercase: bool = True
    replacement: str | None = None
    skip_faults: bool = False


def target_for(output: str, said: str | None) -> str:
    """Return the format to write: said, or told by the name of the output.

    Examples
    --------
    >>> target_for("mail.vw.gz", None), target_for("-", "jsonl")
    ('vw', 'jsonl')
    """
    if said is not None:
        if said not in TARGETS:
            raise InputError(f"{said!r} cannot be written. Choose one of {', '.join(TARGETS)}.")
        return said
    for name in TARGETS:
        if plain_name(output).lower().endswith(named(name).endings):
            return name
    raise InputError(
        f"{output}: the name does not tell the format. Say it with `to`, one of {', '.join(TARGETS)}."
    )


def convert(pieces: Iterable[Chunk], format: Format, file: IO[bytes], manner: Manner) -> Converted:
    """Write the examples of chunks to a file.

    What is read again has the same features, with the hash settings at their defaults. Word groups stay the
    same where the order of words does: always in vw, and in jsonl where a namespace is written as a list.
    """
    if manner.to in DELIMITERS:
        table = TableWriter(format, manner.to, manner.replacement, manner.skip_faults)
        for chunk in pieces:
            file.write(table.written(chunk))
        file.write(table.header("the input").encode("utf-8", "surrogateescape"))  # if there was no record
        return Converted(table.examples, table.skipped)
    writer = WRITERS[manner.to](manner.replacement)
    # Enough slots that names hardly meet: values that overflow when they do are a bad line.
    speller = Speller(format, Hashing(bits=MOST_BITS, lowercase=manner.lowercase), manner.skip_faults)
    examples = 0
    for chunk in pieces:
        for example in speller.examples(chunk):
            file.write(writer.line(example))
            examples += 1
    return Converted(examples, speller.skipped.count)


def chunks_of(sources: Sequence[str], format: Format, record_limit: int = RECORD_LIMIT) -> Iterator[Chunk]:
    """Yield all sources in chunks, one after the other; a record has at most `record_limit` MB."""
    for name in sources:
        with opened(name, format.records) as source:
            yield from chunks(source, format, limit=bytes_of(record_limit))


@contextmanager
def compressed(file: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    """Yield a file to write to, whose bytes go to `file` as the ending of the name says."""
    if name.endswith(".gz"):
        # Without name and time: the same examples give the same bytes.
        with gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0) as packed:
            yield packed  # type: ignore[misc]
    elif name.endswith(".zst"):
        with _zstandard(name).ZstdCompressor().stream_writer(file, closefd=False) as packed:
            yield packed
    else:
        yield file


def _zstandard(name: str) -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise InputError(f"To write {name} install zstandard: pip install 'kerneltron[zstd]'.") from error
    return zstandard
