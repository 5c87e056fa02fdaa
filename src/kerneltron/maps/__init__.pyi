# Written by `python -m tools.stubs` from the catalogue of maps: change that, not this.

from .nystrom import Nystrom as Nystrom
from .random_fourier import RandomFourier as RandomFourier
from .random_projection import RandomProjection as RandomProjection
from .tensor_sketch import TensorSketch as TensorSketch

__all__ = [
    "Nystrom",
    "RandomFourier",
    "RandomProjection",
    "TensorSketch",
]
