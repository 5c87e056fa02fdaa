"""The names by which compiled code calls BLAS, and where SciPy keeps what they stand for."""

import ctypes
from typing import Any

# The functions of Fortran, which take addresses of everything, and whole numbers of 32 bits.
BLAS = {f"kerneltron_{name}": name for name in ("dgemm", "sgemm", "dgemv", "sgemv")}


def address_of(name: str) -> int:
    """Return the address of one of these."""
    from scipy.linalg import cython_blas

    capsules: dict[str, Any] = dict(cython_blas.__pyx_capi__)
    capsule = capsules[BLAS[name]]
    name_of = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", ctypes.pythonapi))
    pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
        ("PyCapsule_GetPointer", ctypes.pythonapi)
    )
    return int(pointer_of(capsule, name_of(capsule)))
