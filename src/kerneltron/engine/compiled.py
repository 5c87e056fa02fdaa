"""The one way in which this package compiles a function."""

from collections.abc import Callable
from typing import Any, TypeVar

from kerneltron.engine.machine.entry import Entry
from kerneltron.engine.machine.parts import Intrinsic, Part

Function = TypeVar("Function", bound=Callable[..., Any])

# Private options of numba stand here alone, each with what it gains; `tests/engine/test_compiled.py` holds
# numba to the versions that they were tested with.

# Compiled functions allocate nothing: the arrays that they work in are arguments. So they need no reference
# counts, whose atomic increments took 0.1 s of a pass of 0.26 s over 500,000 sparse rows.
BARE = {"nogil": True, "_nrt": False, "error_model": "numpy"}

# For compiled callers alone. To take NamedTuples of arrays apart is much of what is compiled: without that in
# each function the first fit takes 10.5 s in place of 12.7, and one with a budget 8 in place of 15.
INTERNAL = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

# As a part of the functions that call it: to hand over all arrays of the weights takes a tenth of a pass.
INLINED = {"forceinline": True, **INTERNAL}

# Products and sums in one instruction, rounded once; and sums in any order, which makes vectors of them.
CONTRACTED = {"fastmath": {"contract"}}
REORDERED = {"fastmath": {"reassoc", "contract"}}


def inlined(function: Function) -> Function:
    """Compile `function` as a part of the compiled functions that call it."""
    return Part(function, {**INLINED, **BARE})  # type: ignore[return-value]


def internal(function: Function) -> Function:
    """Compile `function` for the compiled functions that call it."""
    return Part(function, {**INTERNAL, **BARE})  # type: ignore[return-value]


def reordered(function: Function) -> Function:
    """Compile `function` like `inlined`, with its sums in any order."""
    return Part(function, {**INLINED, **REORDERED, **BARE})  # type: ignore[return-value]


def intrinsic(function: Callable[..., Any]) -> Any:
    """Let `function` write the instructions of calls to it, as `numba.extending.intrinsic` describes."""
    return Intrinsic(function, {})


def compiled(function: Function) -> Function:
    """Let Python call `function` as machine code, which runs without the GIL.

    The code comes with the package or is kept from an earlier process; where it is neither, numba compiles
    it now, and it is kept. Arguments are numbers, arrays and (named) tuples of these; results are numbers or
    plain tuples of them.
    """
    return Entry(function, {**INTERNAL, **BARE})  # type: ignore[return-value]
