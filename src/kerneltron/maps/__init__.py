"""Explicit feature maps of kernels: exact ones, where features can be listed, and few features that will do.

An approximation, such as `RandomFourier(2000)`, has inner products that are about the kernel's.

>>> from kerneltron.kernels import Gaussian
>>> from kerneltron.maps import RandomFourier
>>> RandomFourier(100).fit(Gaussian(2.0), [[1.0, 2.0]])([[3.0, 4.0]]).shape
(1, 100)
"""

from kerneltron.maps.catalogue import MAPS, map_type

# They are imported when first used. `__init__.pyi`, for type checkers and editors, is written by
# `python -m tools.stubs` from the catalogue.
__all__ = sorted(MAPS)  # noqa: PLE0605


def __getattr__(name: str) -> object:
    if name in MAPS:
        return map_type(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *MAPS})
