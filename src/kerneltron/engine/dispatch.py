"""Functions that the type of their first argument chooses, while a loop is compiled."""

from collections.abc import Callable
from typing import Any, TypeVar

from kerneltron.engine.compiled import BARE, INTERNAL
from kerneltron.engine.foreign_code import CHOICES, Choice
from kerneltron.engine.machine.late import tell_numba

Function = TypeVar("Function", bound=Callable[..., Any])


def implements(
    stub: Callable[..., Any], argument_type: type, **options: Any
) -> Callable[[Function], Function]:
    """Let the decorated function be `stub` where the first argument is a NamedTuple of this type.

    The choice costs nothing at run time, survives in the disk cache (functions handed over as
    arguments would not), and the loops need not know which types there are. `options` are numba's.
    """
    return _registers(stub, lambda given: given is argument_type, options)


def where(
    stub: Callable[..., Any], is_meant: Callable[[Any], bool], **options: Any
) -> Callable[[Function], Function]:
    """Let the decorated function be `stub` where this is said of the type of the first argument."""
    return _registers(stub, lambda given: given is not None and is_meant(given), options)


def _registers(
    stub: Callable[..., Any], is_chosen: Callable[[Any], bool], options: dict[str, Any]
) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        CHOICES.append(Choice(stub, is_chosen, function, options))

        def choose(first: Any, *others: Any) -> Function | None:
            return function if is_chosen(getattr(first, "instance_class", None)) else None

        overloads(stub, choose, options)
        return function

    return register


def overloads(stub: Callable[..., Any], choose: Callable[..., Any], options: dict[str, Any]) -> None:
    """Let compiled code call, in place of `stub`, the function that `choose` returns for numba's types."""

    def register() -> None:
        from numba.extending import overload

        overload(stub, strict=False, jit_options={**BARE, **INTERNAL, **options})(choose)

    tell_numba(register)
