"""Machine code on disk that may be damaged: it is compiled anew, and never a reason to fail."""

import pickle
import zlib
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from typing import Any

from numba.core.caching import IndexDataCacheFile

from kerneltron.engine.foreign_code import UnknownCodeError, digest, foreign_types, is_foreign

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


class KeptCodes(KeptCode):
    """The same, with files of their own for what is compiled with code from outside of this package.

    These are as old as that code: a digest of it is part of their stamp. An index in which a type stands that
    another process cannot import would be damaged there, with the code for our own types.
    """

    function: Callable[..., Any]  # that is compiled

    def save(self, key: Any, data: Any) -> None:
        """Keep the code of one signature, if that can be."""
        kept = self._kept(key)
        if kept is self:
            super().save(key, data)
        elif kept is not None:
            kept.save(key, data)

    def load(self, key: Any) -> Any:
        """Return the code of one signature, None where it is not there."""
        kept = self._kept(key)
        if kept is self:
            return super().load(key)
        return None if kept is None else kept.load(key)

    def _kept(self, key: Any) -> KeptCode | None:
        """Return the files for a signature; None where the code that they depend on cannot be told."""
        types = foreign_types(key[0])
        if not types and not is_foreign(self.function):
            return self
        try:
            stamp = (self._source_stamp, digest(self.function, types))
        except UnknownCodeError:
            return None
        whose = sha256(repr([(each.__module__, each.__qualname__) for each in types]).encode()).hexdigest()
        return KeptCode(self._cache_path, f"{_base(self)}.{whose[:16]}", stamp)


def _base(kept: IndexDataCacheFile) -> str:
    """Return how the names of files begin."""
    return str(kept._index_name).removesuffix(".nbi")


def _is_sound(data: bytes) -> bool:
    """Tell whether data end in their checksum."""
    return zlib.crc32(data[:-CHECK]).to_bytes(CHECK, "little") == data[-CHECK:]


def check_kept(function: Any) -> None:
    """Let a function that numba keeps on disk check what it finds there."""
    kept: Any = getattr(function._cache, "_cache_file", None)
    if type(kept) is IndexDataCacheFile:  # another numba may keep its code in another way
        checked = KeptCodes(kept._cache_path, _base(kept), kept._source_stamp)
        checked.function = function.py_func
        function._cache._cache_file = checked
