"""The bytes of one source, uncompressed."""

import gzip
import io
import zlib
from typing import IO, Any

from kerneltron.stream.errors import InputError
from kerneltron.stream.zstandard_frames import ZstandardFrames

GZIP, ZSTANDARD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


class Prefixed(io.RawIOBase):
    """Bytes that were read already, and then the others: whoever looks at the beginning takes nothing away.

    Parameters
    ----------
    first
        What was read.
    raw
        Where the rest comes from.
    """

    def __init__(self, first: bytes, raw: Any) -> None:
        super().__init__()
        self._first, self._raw = memoryview(first), raw

    def readable(self) -> bool:
        """Tell that this can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill `buffer` as far as bytes are at hand; return how many, 0 only at the end."""
        if not self._first:
            count: int = self._raw.readinto(buffer)
            return count
        count = min(len(buffer), len(self._first))
        buffer[:count] = self._first[:count]
        self._first = self._first[count:]
        return count


class Source:
    """The bytes of one source, uncompressed; errors name it. `consumed` counts them as they lie on disk.

    Parameters
    ----------
    name
        What errors call it.
    raw
        Its bytes.
    size
        The least number of them, where it is known: a file that someone shortens is not whole.
    """

    def __init__(self, name: str, raw: IO[bytes], size: int = 0) -> None:
        self.name, self.raw = name, raw
        self._size = size
        head = self._beginning(len(ZSTANDARD))
        self._stream: Any = io.BufferedReader(Prefixed(head, raw))
        if head.startswith(GZIP):
            self._stream = gzip.GzipFile(fileobj=self._stream)
        elif head.startswith(ZSTANDARD):
            self._stream = ZstandardFrames(self._stream, _zstandard(name).ZstdDecompressor())

    @property
    def consumed(self) -> int:
        """Bytes read so far from the disk."""
        try:
            return self.raw.tell()
        except (OSError, ValueError):
            return 0

    def peek(self, size: int) -> bytes:
        """Return the next bytes as `read` does; they are still to be read."""
        head = self.read(size)
        self._stream = io.BufferedReader(Prefixed(head, self._stream))
        return head

    def read(self, size: int) -> bytes:
        """Return the next `size` bytes, or fewer where the source ends."""
        buffer = bytearray(size)
        return bytes(memoryview(buffer)[: self.fill(memoryview(buffer))])

    def fill(self, buffer: memoryview) -> int:
        """Fill `buffer` with the next bytes, all of it unless the source ends; return how many they are."""
        filled = 0
        try:
            while filled < len(buffer):
                count = self._stream.readinto(buffer[filled:])
                if not count:
                    self._check_blocking(count)
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
        if filled < len(buffer) and self.consumed < self._size:
            raise InputError(f"{self.name}: became shorter while it was read. Start anew when it is whole.")
        return filled

    def _check_blocking(self, answer: object) -> None:
        """Raise if there may be more to come, which would be lost."""
        if answer is None:
            raise InputError(f"{self.name}: does not wait for what is written to it (O_NONBLOCK is set).")

    def _beginning(self, size: int) -> bytes:
        """Return the first bytes as they lie on disk: a pipe may hand them over one by one."""
        head = b""
        try:
            while len(head) < size:
                more = self.raw.read(size - len(head))
                if not more:
                    self._check_blocking(more)
                    break
                head += more
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read ({error.strerror or error}).") from error
        return head


def _zstandard(name: str) -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise InputError(f"To read {name} install zstandard: pip install 'kerneltron[zstd]'.") from error
    return zstandard
