"""The approximations that a text may name, and where they are defined."""

from importlib import import_module
from typing import Any

# A new one is one line.
MAPS: dict[str, str] = {
    "Nystrom": ".nystrom",
    "RandomFourier": ".random_fourier",
    "RandomProjection": ".random_projection",
    "TensorSketch": ".tensor_sketch",
}


def map_type(name: str) -> Any:
    """Return the class of an approximation. It is imported only now."""
    return getattr(import_module(MAPS[name], __package__), name)
