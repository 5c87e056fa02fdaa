"""Functions that compiled functions contain: numba makes its own of them when it meets them."""

from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any


class Part:
    """A function for compiled callers. Python runs it as it stands, which is slow and good for tests."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self.py_func, self.options = function, options

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Run the function in Python."""
        return self.py_func(*arguments, **named)

    def __reduce__(self) -> str:  # by its name, as functions are
        return str(self.__qualname__)  # type: ignore[attr-defined]

    @cached_property
    def _numba_type_(self) -> Any:
        """What numba asks of a value that it does not know."""
        from kerneltron.engine.machine.numba_inside import type_of_part

        return type_of_part(self.py_func, self.options)


class Intrinsic(Part):
    """A function that writes instructions itself, in the way of `numba.extending.intrinsic`."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Refuse: there is nothing that Python could run."""
        raise NotImplementedError(f"{self.py_func.__name__} exists in compiled code alone.")

    @cached_property
    def _numba_type_(self) -> Any:
        from kerneltron.engine.machine.numba_inside import type_of_intrinsic

        return type_of_intrinsic(self.py_func)
