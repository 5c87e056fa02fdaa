"""Machine code on disk that may be damaged: it is compiled anew, and never a reason to fail."""

import pickle
import zlib
from contextlib import suppress
from typing import Any

from numba.core.caching import IndexDataCacheFile

CHECK = 4  # bytes of a checksum behind the data, where pickle does not look


class KeptCode(IndexDataCacheFile):  # type: ignore[misc]
    """The index and the data files of one function as numba has them, each with a checksum at its end.

    An index that is not what was written has no entries, and such data are not there: numba then compiles
    the function, and writes both again. Code that finds no room on the disk is not kept.
    """

    def save(self, key: Any, data: Any) -> None:
        """Keep the code of one signature, if that can be."""
        with suppress(OSError):
            super().save(key, data)

    def _dump(self, obj: Any) -> bytes:
        data: bytes = super()._dump(obj)
        return data + zlib.crc32(data).to_bytes(CHECK, "little")

    def _load_index(self) -> Any:
        try:
            with open(self._index_path, "rb") as file:
                pickle.load(file)  # the version
                return super()._load_index() if _is_sound(file.read()) else {}
        except Exception:  # damaged pickles raise almost anything
            return {}

    def _load_data(self, name: str) -> Any:
        with open(self._data_path(name), "rb") as file:
            if not _is_sound(file.read()):
                raise OSError(f"{name} is damaged")  # which numba takes for a file that is not there
        return super()._load_data(name)


def _is_sound(data: bytes) -> bool:
    """Tell whether data end in their checksum."""
    return zlib.crc32(data[:-CHECK]).to_bytes(CHECK, "little") == data[-CHECK:]


def check_kept(function: Any) -> None:
    """Let a function that numba keeps on disk check what it finds there."""
    kept: Any = getattr(function._cache, "_cache_file", None)
    if type(kept) is IndexDataCacheFile:  # another numba may keep its code in another way
        function._cache._cache_file = KeptCode(
            kept._cache_path, kept._index_name.removesuffix(".nbi"), kept._source_stamp
        )
