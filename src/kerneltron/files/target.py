"""Where a file is to be written: looked at before the work that leads to it."""

import errno
import os
from collections.abc import Iterable
from pathlib import Path


def check_target(path: str | os.PathLike[str]) -> None:
    """Raise if a file cannot be written here, so that hours of training do not end in vain.

    Examples
    --------
    >>> check_target("nowhere/mail.model")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] there is no such folder: 'nowhere'
    """
    if "://" in os.fspath(path):
        raise ValueError(f"{path} is an address, and only files on this machine can be written: name one.")
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise ValueError(f"{path} is a folder: give the name of a file.")
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", os.fspath(Path(path).parent))
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "no file can be written there", os.fspath(Path(path).parent))


def check_apart(path: str | os.PathLike[str], inputs: Iterable[str]) -> None:
    """Raise if a file that is to be written is one of those that are read: its examples would be lost.

    Examples
    --------
    >>> check_apart("pyproject.toml", ["mail.vw", "./pyproject.toml"])
    Traceback (most recent call last):
    ValueError: pyproject.toml is input, and would be overwritten: give the output another name.
    """
    if not os.path.exists(path):
        return
    for name in inputs:
        if os.path.exists(name) and os.path.samefile(path, name):
            raise ValueError(f"{path} is input, and would be overwritten: give the output another name.")
