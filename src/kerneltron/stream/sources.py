"""Where bytes come from: files, patterns of files, standard input, addresses; compressed or not."""

import glob
import gzip
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

from kerneltron.stream.errors import InputError
from kerneltron.stream.zstandard_frames import ZstandardFrames

Translation = Callable[[IO[bytes], str], Any]

STANDARD_INPUT = "-"
GZIP, ZSTANDARD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
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
    if names.count(STANDARD_INPUT) > 1:
        raise InputError("Standard input ('-') can be read only once.")
    return names


def is_address(name: str) -> bool:
    """Tell whether a name is an fsspec address such as s3://bucket/file or memory://file."""
    return "://" in name


def plain_name(name: str) -> str:
    """Return a file's name without the ending that tells of compression."""
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    return name


def size_of(name: str) -> int | None:
    """Return the size of a file as it lies on disk, None where that is not known."""
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


class Source:
    """The bytes of one source, uncompressed; errors name it. `consumed` counts them as they lie on disk.

    Parameters
    ----------
    name
        What errors call it.
    raw
        Its bytes.
    size
        How many there are at least, as far as that is known: a file that someone shortens is not whole.
    """

    def __init__(self, name: str, raw: IO[bytes], size: int = 0) -> None:
        self.name = name
        self._raw, self._size = raw, size
        buffered = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(raw)  # type: ignore[type-var]
        self._stream: Any = buffered
        head = buffered.peek(4)[:4]
        if head.startswith(GZIP):
            self._stream = gzip.GzipFile(fileobj=buffered)
        elif head.startswith(ZSTANDARD):
            self._stream = ZstandardFrames(buffered, _zstandard(name).ZstdDecompressor())

    @property
    def consumed(self) -> int:
        """Bytes read so far from the disk."""
        try:
            return self._raw.tell()
        except (OSError, ValueError):
            return 0

    def read(self, size: int) -> bytes:
        """Return the next bytes: so many, unless the source ends."""
        room = bytearray(size)
        return bytes(memoryview(room)[: self.fill(memoryview(room))])

    def fill(self, room: memoryview) -> int:
        """Fill `room` with the next bytes, all of it unless the source ends; return how many they are."""
        filled = 0
        try:
            while filled < len(room):
                count = self._stream.readinto(room[filled:])
                if not count:
                    break
                filled += count
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(f"{self.name}: damaged or cut off while compressed ({error}).") from error
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read ({error.strerror or error}).") from error
        except Exception as error:
            if type(error).__name__ != "ZstdError":
                raise
            raise InputError(f"{self.name}: damaged or cut off while compressed ({error}).") from error
        if filled < len(room) and self.consumed < self._size:
            raise InputError(f"{self.name}: became shorter while it was read. Start anew when it is whole.")
        return filled


def uncompressed(head: bytes) -> bytes:
    """Return what the first bytes of a source stand for, as far as they go."""
    if head.startswith(GZIP):
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head)
    if head.startswith(ZSTANDARD):
        found: bytes = _zstandard("standard input").ZstdDecompressor().decompressobj().decompress(head)
        return found
    return head


@contextmanager
def opened(name: str, records: Translation = lambda raw, name: raw) -> Iterator[Source]:
    """Open a source; `records` gives its bytes as text, if they are not."""
    if name == STANDARD_INPUT:
        yield Source("standard input", records(sys.stdin.buffer, "standard input"))
        return
    if is_address(name):
        with _fsspec(name).open(name, "rb") as raw:
            yield Source(name, records(raw, name))
        return
    try:
        raw = open(name, "rb", buffering=0)  # noqa: SIM115 - closed below
    except OSError as error:
        raise InputError(f"{name}: cannot be opened ({error.strerror}).") from error
    with raw:
        try:
            translated = records(raw, name)
            yield Source(name, translated, os.fstat(raw.fileno()).st_size if translated is raw else 0)
        except IsADirectoryError as error:
            raise InputError(f"{name} is a folder: name files, or a pattern such as {name}/*.") from error


def _fsspec(name: str) -> Any:
    try:
        import fsspec
    except ImportError as error:
        raise InputError(f"To read {name} install fsspec: pip install 'kerneltron[remote]'.") from error
    return fsspec


def _zstandard(name: str) -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise InputError(f"To read {name} install zstandard: pip install 'kerneltron[zstd]'.") from error
    return zstandard
