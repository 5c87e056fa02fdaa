"""The one way in which this package compiles a function."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

from kerneltron.engine.kept_code import check_kept

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
    return njit(**INLINED, **BARE)(function)  # type: ignore[no-any-return]


def internal(function: Function) -> Function:
    """Compile `function` for the compiled functions that call it: Python cannot."""
    return njit(**INTERNAL, **BARE)(function)  # type: ignore[no-any-return]


def reordered(function: Function) -> Function:
    """Compile `function` like `inlined`, with its sums in any order."""
    return njit(**INLINED, **REORDERED, **BARE)(function)  # type: ignore[no-any-return]


def compiled(function: Function) -> Function:
    """Compile `function` on first use, without the GIL, and keep the machine code on disk.

    Where no folder is writable (a read-only installation without a home) the code is compiled anew
    in each process, and so is code on disk that is damaged.

    What Python calls returns numbers or plain tuples of them, not NamedTuples: numba makes these by running
    Python code and does not look whether that failed. Ctrl-C during the call would be raised there, and end
    the process with a segmentation fault.
    """
    try:
        kept = njit(cache=True, **BARE)(function)
        check_kept(kept)
        return kept  # type: ignore[no-any-return]
    except RuntimeError:
        return njit(**BARE)(function)  # type: ignore[no-any-return]
