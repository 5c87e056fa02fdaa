"""Machine code from a file into this process, and a Python function to call it."""

import ctypes
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from kerneltron.engine.machine.blas_symbols import BLAS, address_of
from kerneltron.engine.machine.kinds import Kind, classes_in
from kerneltron.engine.machine.table import HELD, table_of

FAST = 0x0080  # METH_FASTCALL: arguments stand side by side


class _Method(ctypes.Structure):
    """Python's `PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("documentation", ctypes.c_char_p),
    )


_of_method = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.POINTER(_Method), ctypes.py_object, ctypes.c_void_p)
_new_function = _of_method(("PyCFunction_NewEx", ctypes.pythonapi))


_kept: list[Any] = []  # what has to live as long as machine code that may be called


@cache
def _target() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple()


def load(code: bytes, name: str, kinds: tuple[Kind, ...]) -> Any:
    """Return the door of this name, for arguments of these kinds, as a function.

    Each piece of code has an engine of LLVM for itself (0.1 ms), so that no name in it means another one.
    Raises a `LookupError` where there is no such door.
    """
    held = (*HELD, *classes_in(kinds))
    for symbol in BLAS:
        if symbol.encode() in code:
            llvm.add_symbol(symbol, address_of(symbol))
    machine = _target().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address = engine.get_function_address(name)
    if not address:
        raise LookupError(name)
    method = _Method(name.encode(), address, FAST, None)
    _kept.append((engine, held, method))
    return _new_function(ctypes.byref(method), table_of(held), None)
