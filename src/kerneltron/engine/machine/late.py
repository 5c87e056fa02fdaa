"""What numba has to be told, once it is there: it is imported only to compile."""

from collections.abc import Callable
from threading import Event

_waiting: list[Callable[[], None]] = []
_is_there = Event()


def tell_numba(action: Callable[[], None]) -> None:
    """Do something with numba: at once if it has been imported for us, else when it is."""
    if _is_there.is_set():
        action()
    else:
        _waiting.append(action)


def numba_is_there() -> None:
    """Do all that has waited for numba."""
    _is_there.set()
    while _waiting:
        _waiting.pop(0)()
