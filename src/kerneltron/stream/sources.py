"""Where bytes come from: files, patterns of files, pipes, standard input, addresses."""

import glob
import io
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

from kerneltron.stream.addresses import is_address, open_address
from kerneltron.stream.errors import InputError
from kerneltron.stream.origins import Bounded, Origin, Span, Text
from kerneltron.stream.source import Source

Translation = Callable[..., Any]  # from bytes, and the name that errors have for them

STANDARD_INPUT = "-"
ENDINGS = (".gz", ".zst")  # of compressed files
ENDS = 1 << 16  # bytes


def expand(given: Sequence[str]) -> list[str]:
    """Return the names of all files that names, patterns and addresses stand for, in order."""
    names: list[str] = []
    for name in map(str, given):
        if name == STANDARD_INPUT or is_address(name) or os.path.exists(name):
            names.append(name)
        elif glob.has_magic(name):
            found = sorted(path for path in glob.glob(name, recursive=True) if os.path.isfile(path))
            if not found:
                raise InputError(f"No file matches {name!r}.")
            names += found
        else:
            raise InputError(f"There is no file {name!r}.")
    if not names:
        raise InputError("No input was given: name a file, or '-' for standard input.")
    pipes = [_identity(name) for name in names if is_pipe(name)]
    for name in names:
        if is_pipe(name) and pipes.count(_identity(name)) > 1:
            shown = "Standard input ('-')" if name == STANDARD_INPUT else f"{name}, which is a pipe,"
            raise InputError(f"{shown} can be read only once.")
    return names


def is_read_once(name: str) -> bool:
    """Return whether a source may not give the same when it is opened again: all but files and addresses.

    Standard input is a file where one was redirected there.
    """
    if name == STANDARD_INPUT:
        return not sys.stdin.buffer.seekable()
    return not (is_address(name) or os.path.isfile(name) or os.path.isdir(name))


def is_pipe(name: Origin) -> bool:
    """Return whether a source is standard input, or a pipe or socket that has a name."""
    if not isinstance(name, str):
        return False
    if name == STANDARD_INPUT:
        return True
    if is_address(name) or not os.path.exists(name):
        return False
    mode = os.stat(name).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def plain_name(name: str) -> str:
    """Return a file's name without the ending that tells of compression."""
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    return name


def size_of(name: Origin) -> int | None:
    """Return the size of a file, or of a part of it, as it lies on disk; None where that is not known."""
    if isinstance(name, Text):
        return len(name.data)
    if isinstance(name, Span):
        return None if name.of_groups else name.stop - name.start
    if name == STANDARD_INPUT or is_address(name) or not os.path.isfile(name):
        return None
    return os.path.getsize(name)


def ends_of(name: str) -> int | None:
    """Return a checksum of the first and last bytes of a file, None where it cannot be read twice.

    Together with the size it tells a file that was changed from one that is as it was, at no cost.
    """
    size = size_of(name)
    if size is None:
        return None
    with open(name, "rb") as file:
        first = zlib.crc32(file.read(ENDS))
        file.seek(max(size - ENDS, 0))
        return zlib.crc32(file.read(ENDS), first)


def head_of(name: str, size: int) -> bytes:
    """Return the first bytes of a source, uncompressed; whoever opens it next still finds them there."""
    if name == STANDARD_INPUT and not is_read_once(name):
        begin = sys.stdin.buffer.tell()
        head = Source("standard input", sys.stdin.buffer).read(size)
        sys.stdin.buffer.seek(begin)
        return head
    if not is_read_once(name):
        with opened(name) as source:
            return source.read(size)
    source = _looked_at(name) or _open_once(name)
    _LOOKED_AT[name] = source
    return source.peek(size)


@contextmanager
def opened(name: Origin, records: Translation = lambda raw, name: raw) -> Iterator[Source]:
    """Open a source; `records` gives its bytes as text, if they are not."""
    if isinstance(name, Text):
        yield Source(name.name, records(io.BytesIO(name.data), name.name))
    elif isinstance(name, Span):
        with _file(name.name) as raw:
            yield _part(raw, name, records)
    elif is_address(name):
        with open_address(name) as raw:
            yield Source(name, records(raw, name))
    elif name == STANDARD_INPUT or is_read_once(name):
        source = _looked_at(name) or _open_once(name)
        try:
            translated = records(source.raw, source.name)
            yield source if translated is source.raw else Source(source.name, translated)
        finally:
            _close(source)
    else:
        with _file(name) as raw:
            translated = records(raw, name)
            yield Source(name, translated, os.fstat(raw.fileno()).st_size if translated is raw else 0)


def _part(raw: IO[bytes], span: Span, records: Translation) -> Source:
    """Return the bytes of a part of a file."""
    if span.of_groups:
        return Source(span.name, records(raw, span.name, (span.start, span.stop)))
    size = span.stop - span.start
    if os.fstat(raw.fileno()).st_size < span.stop:
        raise InputError(f"{span}: the file is shorter than that now. Start anew when it is whole.")
    bounded: Any = Bounded(raw, span.start, span.stop)
    return Source(span.name, records(bounded, span.name), size)


# What was looked at and waits to be read: it cannot be opened again. By name.
_LOOKED_AT: dict[str, Source] = {}


def _looked_at(name: str) -> Source | None:
    """Return the source that was looked at under this name, if that still means the same."""
    source = _LOOKED_AT.pop(name, None)
    if source is None or _is_same(source, name):
        return source
    _close(source)
    return None


def _is_same(source: Source, name: str) -> bool:
    if name == STANDARD_INPUT:
        return source.raw is sys.stdin.buffer
    return os.path.exists(name) and os.path.samestat(os.fstat(source.raw.fileno()), os.stat(name))


def _open_once(name: str) -> Source:
    if name == STANDARD_INPUT:
        return Source("standard input", sys.stdin.buffer)
    return Source(name, _file(name))


def _close(source: Source) -> None:
    if source.raw is not sys.stdin.buffer:
        source.raw.close()


def _file(name: str) -> IO[bytes]:
    try:
        return open(name, "rb", buffering=0)
    except IsADirectoryError as error:
        raise InputError(f"{name} is a folder: name files, or a pattern such as {name}/*.") from error
    except OSError as error:
        raise InputError(f"{name}: cannot be opened ({error.strerror}).") from error


def _identity(name: str) -> Any:
    """Return what tells one pipe from another, whatever its names."""
    try:
        known = os.fstat(sys.stdin.fileno()) if name == STANDARD_INPUT else os.stat(name)
    except (OSError, ValueError):
        return name
    return known.st_dev, known.st_ino
