"""Files that are there whole or not at all."""

import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # without such locks nothing is swept
    fcntl = None  # type: ignore[assignment]

TEMPORARY = re.compile(r"\.kerneltron-[0-9a-f]{16}\.tmp")


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Yield a file to write to, which takes the place of `path` when all of it is on the disk.

    Until then, and for ever if anything goes wrong on the way, what stood there before stays as it was. A
    symbolic link keeps pointing where it did: its target is replaced. A new file has the permissions that
    the umask asks for, one that is replaced keeps its own.

    What processes that were killed had begun in the same folder is swept out. A file that is being written is
    locked, and the lock ends with its process: so nothing that is still wanted is taken for such a leftover.
    """
    target = Path(os.path.realpath(path))
    mode = _mode(target)
    _sweep(target.parent)
    # A short name of its own: a long name of the target with something added might be too long.
    temporary = target.parent / f".kerneltron-{secrets.token_hex(8)}.tmp"
    try:
        with _locked(temporary):
            with open(temporary, "wb") as file:
                if mode is not None:
                    temporary.chmod(mode)
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, target)
    except OSError as error:
        _remove(temporary)
        text = f"{error.strerror}; nothing was written, and what stood there before is as it was"
        raise OSError(error.errno, text, os.fspath(path)) from error
    except BaseException:
        _remove(temporary)
        raise
    _sync(target.parent)


def _mode(target: Path) -> int | None:
    """Return the permissions of the file that is replaced, if there is one; raise if it is not a file."""
    try:
        status = target.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISREG(status.st_mode):
        return stat.S_IMODE(status.st_mode)
    what = "a folder" if stat.S_ISDIR(status.st_mode) else "not a regular file"
    raise ValueError(f"{target} is {what}: give the name of a file.")


@contextmanager
def _locked(temporary: Path) -> Iterator[None]:
    """Make an empty file that no one sweeps out until the end."""
    while True:
        with open(temporary, "xb") as file:
            if fcntl is not None:
                with suppress(OSError):  # a file system without locks
                    fcntl.flock(file, fcntl.LOCK_EX)
            if temporary.exists():  # else it was swept out before it was locked
                if fcntl is None:
                    file.close()  # an open file cannot be renamed everywhere
                yield
                return


def _sweep(folder: Path) -> None:
    """Remove our temporary files that are no longer locked by any process."""
    if fcntl is None:
        return
    rests: list[str] = []
    with suppress(OSError), os.scandir(folder) as entries:
        rests = [entry.path for entry in entries if TEMPORARY.fullmatch(entry.name)]
    for rest in rests:
        with suppress(OSError):  # it is being written, or was swept out by someone else
            handle = os.open(rest, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # Someone else may have swept it out meanwhile, and its writer begun anew under the same name.
                if os.path.samestat(os.fstat(handle), os.stat(rest)):
                    os.unlink(rest)
            finally:
                os.close(handle)


def _remove(temporary: Path) -> None:
    with suppress(OSError):
        temporary.unlink()


def _sync(folder: Path) -> None:
    """Make the new name last through a loss of power, where folders can be opened."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
