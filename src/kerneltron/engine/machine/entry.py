"""A function that Python calls and that is machine code."""

import os
import sys
from collections.abc import Callable
from inspect import signature
from threading import RLock
from typing import Any

from kerneltron.engine.machine.kinds import Kind, kinds_of
from kerneltron.engine.machine.parts import Part

LOCK = RLock()
ENTRIES: dict[str, "Entry"] = {}  # by their names, as far as their modules have been imported


class Entry(Part):
    """A function that Python calls: doors to its machine code, one for each kinds of arguments met so far.

    Each door takes a call or says that the arguments are not its own. Where none of them does, the code is
    found: in what comes with the package, in what was kept, or by compiling it.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, options)
        self.name = f"{function.__module__}.{function.__qualname__}".removeprefix("kerneltron.engine.")
        self.met: list[tuple[Kind, ...]] = []  # kinds of arguments, one for each door
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
            door = door_of(self, kinds)
            self._doors += (door,)
            self.met.append(kinds)
        return door

    def _by_numba(self) -> Any:
        """Return the function as numba itself has it."""
        from kerneltron.engine.machine.numba_inside import by_numba

        door = by_numba(self.py_func, self.options)
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
