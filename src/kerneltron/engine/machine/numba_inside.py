"""All that is private to numba and llvmlite; `tests/engine/test_compiled.py` names the versions it holds for.

Imported only where something is compiled.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from numba import njit, types
from numba.core import compiler, config
from numba.core.codegen import CodeLibrary, JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher, cpu_target
from numba.extending import intrinsic

from kerneltron.engine.foreign_code import CHOICES, is_foreign
from kerneltron.engine.machine.blas_symbols import BLAS, address_of
from kerneltron.engine.machine.boxing import SYMBOLS, add_door
from kerneltron.engine.machine.kinds import Array, Group, Kind
from kerneltron.engine.machine.late import numba_is_there

# What object code may ask of the process beside Python: memory and mathematics of the C library.
MATHEMATICS = {"exp", "log", "log1p", "expm1", "pow", "sqrt", "sin", "cos", "tanh", "floor", "ceil", "fmod"}
LIBRARY = {"memset", "memcpy", "memmove", *MATHEMATICS, *(f"{name}f" for name in MATHEMATICS)}
FREE = {*LIBRARY, *SYMBOLS, *BLAS}


_alive: list[Any] = []  # types hold what they are of by weak references


class ObjectCode(NamedTuple):
    """Machine code, and whether it can do without numba's own library."""

    code: bytes
    is_free: bool


def target() -> tuple[str, str]:
    """Return the processor that code is compiled for, and features that it has beyond those of its name."""
    library = cpu_target.target_context.codegen()
    return library._get_host_cpu_name(), library._tm_features


def by_numba(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Return numba's own way to call a function, which has a wrapper for that.

    numba keeps code by the file of the function alone: it is stale after an edit of another file. So that is
    only done where somebody has named a folder for it, which they are to change with the engine.
    """
    given = {name: value for name, value in options.items() if not name.endswith("_wrapper")}
    is_kept = "NUMBA_CACHE_DIR" in os.environ and not any(is_foreign(each.function) for each in CHOICES)
    return njit(cache=is_kept, **given)(function)


def type_of_part(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Return numba's type of a function that compiled functions call."""
    made = CPUDispatcher(function, targetoptions={"nopython": True, "boundscheck": None, **options})
    _alive.append(made)
    return types.Dispatcher(made)


def type_of_intrinsic(function: Callable[..., Any]) -> Any:
    """Return numba's type of a function that writes instructions."""
    made = intrinsic(function)
    _alive.append(made)
    cpu_target.typing_context.refresh()
    return cpu_target.typing_context.resolve_value_type(made)


def numba_type(kind: Kind) -> Any:
    """Return numba's type for a kind."""
    if isinstance(kind, Group):
        named = None if kind.group_type is tuple else kind.group_type
        return types.BaseTuple.from_types(tuple(map(numba_type, kind.items)), named)
    dtype = getattr(types, "boolean" if kind.dtype == "bool" else kind.dtype)
    if isinstance(kind, Array):
        return types.Array(dtype, kind.dimensions, kind.layout, kind.is_readonly, aligned=kind.is_aligned)
    return dtype


def object_code(
    function: Callable[..., Any], options: dict[str, Any], kinds: tuple[Kind, ...], name: str
) -> ObjectCode:
    """Return the object code of a function for arguments of these kinds, with a door of this name."""
    context = cpu_target.target_context
    with global_compiler_lock, _always_compiling(), _no_machine_code_for_parts(context):
        cpu_target.typing_context.refresh()  # what was registered since the last time
        context.refresh()
        flags = compiler.Flags()
        cpu_target.options.parse_as_flags(flags, {"nopython": True, "boundscheck": False, **options})
        arguments = tuple(map(numba_type, kinds))
        compiled = compiler.compile_extra(
            cpu_target.typing_context, context, function, arguments, None, flags, {}
        )
        library = context.codegen().create_library(name)
        library.add_linking_library(compiled.library)
        module = library.create_ir_module(name)
        add_door(context, module, name, compiled, kinds)
        library.add_ir_module(module)
        library.finalize()
        return _emitted(library, name)


@contextmanager
def _always_compiling() -> Iterator[None]:
    """Compile whatever `NUMBA_DISABLE_JIT` says, which is about functions of others."""
    before, config.DISABLE_JIT = config.DISABLE_JIT, 0
    try:
        yield
    finally:
        config.DISABLE_JIT = before


@contextmanager
def _no_machine_code_for_parts(context: Any) -> Iterator[None]:
    """Let no machine code be made of the functions that another one calls: it contains them.

    That would be half of what LLVM has to do. Functions from outside are left alone: Python may call them.
    """
    whole, finalize = context.get_executable, JITCodeLibrary._finalize_final_module

    def part(library: Any, description: Any, environment: Any) -> Any:
        if description.modname.partition(".")[0] in ("kerneltron", "numba"):
            return [].append  # a key: any built-in function that is no other
        library._ensure_finalized()
        finalize(library)
        return whole(library, description, environment)

    def end(library: Any) -> None:
        library._finalize_dynamic_globals()
        library._finalized = True

    context.get_executable, JITCodeLibrary._finalize_final_module = part, end
    try:
        yield
    finally:
        del context.get_executable
        JITCodeLibrary._finalize_final_module = finalize


def _emitted(library: CodeLibrary, name: str) -> ObjectCode:
    """Return object code in which only the door has a name: names of parts are long, and not unique."""
    module = llvm.parse_bitcode(library._final_module.as_bitcode())
    needed = set()
    for number, part in enumerate((*module.functions, *module.global_variables)):
        if part.is_declaration:
            needed.add(part.name)
        elif part.name != name:
            part.linkage = "internal"
            part.name = f"_{number}"
    is_free = all(each in FREE or each.startswith("llvm.") for each in needed)
    return ObjectCode(bytes(library._codegen._tm.emit_object(module)), is_free)


for _symbol in BLAS:  # for code that numba itself runs
    llvm.add_symbol(_symbol, address_of(_symbol))
numba_is_there()
