"""A function that Python calls and that is machine code."""

import logging  # noqa: F401 - before LOCK is told of forks, see there
import os
import sys
from collections.abc import Callable
from inspect import signature
from threading import RLock
from typing import Any

from kerneltron.engine.machine.content import engine_digest
from kerneltron.engine.machine.kinds import Kind, kinds_of
from kerneltron.engine.machine.parts import Part

LOCK = RLock()
ENTRIES: dict[str, "Entry"] = {}  # by their names, as far as their modules have been imported

engine_digest()  # of the source as it is now, before any module of the engine is imported

if hasattr(os, "register_at_fork"):  # not on Windows
    # A fork waits for a compilation in another thread: the child would find numba's locks held for ever. Who
    # registered last is asked first: compiling may log, and the lock of `logging` is taken after this one.
    os.register_at_fork(before=LOCK.acquire, after_in_parent=LOCK.release, after_in_child=LOCK.release)


class Entry(Part):
    """A function that Python calls: doors to its machine code, one for each kinds of arguments met so far.

    Each door takes a call or says that the arguments are not its own. Where none of them does, the code is
    found: in what comes with the package, in what was kept, or by compiling it.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, options)
        self.name = f"{function.__module__}.{function.__qualname__}".removeprefix("kerneltron.engine.")
        self.met: dict[tuple[Kind, ...], Any] = {}  # a door for each kinds of arguments
        self._doors: tuple[Callable[..., Any], ...] = ()
        self._count = function.__code__.co_argcount
        ENTRIES[self.name] = self

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Run the machine code for these arguments."""
        if named or len(arguments) != self._count:
            arguments = self._complete(arguments, named)
        for door in self._doors:
            result = door(*arguments)
            if result is not NotImplemented:
                return result
        result = self._open(arguments)(*arguments)
        if result is NotImplemented:
            raise TypeError(f"{self.py_func.__qualname__} takes no such arguments: {arguments!r}.")
        return result

    def _complete(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        bound = signature(self.py_func).bind(*arguments, **named)
        bound.apply_defaults()
        return bound.args

    def _open(self, arguments: tuple[Any, ...]) -> Any:
        if not have_doors():
            return self._by_numba()
        from kerneltron.engine.machine.finding import door_of

        try:
            kinds = kinds_of(arguments)
        except TypeError as error:
            raise TypeError(f"{self.name}: {error}") from error
        with LOCK:
            if kinds not in self.met:  # another thread may have been quicker
                self.met[kinds] = door_of(self, kinds)
                self._doors += (self.met[kinds],)
        return self.met[kinds]

    def _by_numba(self) -> Any:
        """Return the function as numba itself has it."""
        from kerneltron.engine.machine.announcing import announced
        from kerneltron.engine.machine.numba_inside import by_numba

        made = by_numba(self.py_func, self.options)

        def door(*arguments: Any) -> Any:
            if made.signatures:
                return made(*arguments)
            with announced(self.name, "numba checks bounds, or this Python has no place for machine code"):
                return made(*arguments)

        self._doors = (door,)
        return door


def have_doors() -> bool:
    """Return whether this process has doors: CPython of 64 bits with its lock; and no bounds are checked.

    `NUMBA_BOUNDSCHECK` lets functions look whether indices are inside their arrays, and raise errors if not.
    """
    return (
        sys.implementation.name == "cpython"
        and sys.maxsize > 2**32
        and sys.byteorder == "little"
        and not hasattr(sys, "gettotalrefcount")  # a build for debugging, where objects begin otherwise
        and getattr(sys, "_is_gil_enabled", lambda: True)()
        and os.environ.get("NUMBA_BOUNDSCHECK", "0") in ("", "0")
    )
