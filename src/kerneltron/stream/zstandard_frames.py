"""Bytes of zstandard frames, one behind the other; a frame that is cut off is told from one that ends."""

import io
from typing import IO, Any

PIECE = 1 << 12  # compressed bytes at a time: what they grow to must fit into memory even if they are hostile


class ZstandardFrames(io.RawIOBase):
    """The uncompressed bytes of a stream; reading raises an EOFError where a frame is cut off.

    zstandard's own reader ends there as if all had been read.

    Parameters
    ----------
    compressed
        Where compressed bytes come from.
    decompressor
        A `zstandard.ZstdDecompressor`.
    """

    def __init__(self, compressed: IO[bytes], decompressor: Any) -> None:
        self._compressed, self._decompressor = compressed, decompressor
        self._frame: Any = None  # the one that has begun and not ended
        self._next = b""  # compressed bytes behind the last frame
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        """Tell that this can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill `buffer` as far as bytes are at hand; return how many, 0 only at the end."""
        while not self._ready:
            piece = self._next or self._compressed.read(PIECE)
            self._next = b""
            if not piece:
                if self._frame is not None:
                    raise EOFError("Compressed file ended in the middle of a frame")
                return 0
            if self._frame is None:
                self._frame = self._decompressor.decompressobj()
            self._ready = memoryview(self._frame.decompress(piece))
            if self._frame.eof:
                self._next, self._frame = self._frame.unused_data, None
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count
