"""Kernels: similarities that are inner products in some feature space, and the algebra over them.

>>> from kerneltron.kernels import Gaussian, Linear, Polynomial, parse
>>> k = 0.5 * Polynomial(2) + (Linear() + 1) * Gaussian(3.0)
>>> k([[0.0, 1.0]], [[1.0, 1.0]]).round(3)
array([[3.892]])
>>> parse(repr(k)) == k
True
"""

import lazy_loader

from kerneltron.kernels.catalogue import KERNELS, kernel_type

# What stands beside the kernels of the catalogue. All are imported when first used: a linear learner needs
# one. `__init__.pyi`, for type checkers and editors, is written by `python -m tools.stubs` from both lists.
_OTHERS = {
    "catalogue": ["register"],
    "checking": ["check"],
    "diagnosis": ["diagnose"],
    "from_function": ["FromFunction"],
    "grammar": ["parse"],
    "kernel": ["Kernel"],
    "pack": ["Pack"],
    "search.proposing": ["propose", "propose_sigma"],
    "syntax": ["KernelSyntaxError"],
}
_other, _, _names = lazy_loader.attach(__name__, submod_attrs=_OTHERS)
__all__ = sorted([*KERNELS, *_names])  # noqa: PLE0605


def __getattr__(name: str) -> object:
    if name in KERNELS:
        return kernel_type(name)
    if name in _names:
        return _other(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *KERNELS, *__all__})
