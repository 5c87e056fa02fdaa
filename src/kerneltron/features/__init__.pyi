from .hasher import Hasher as Hasher
from .ngrams import NGrams as NGrams
from .nystrom import Nystrom as Nystrom
from .patterns import Patterns as Patterns
from .random_fourier import RandomFourier as RandomFourier
from .random_projection import RandomProjection as RandomProjection
from .scaler import Scaler as Scaler
from .substructures import Substructures as Substructures
from .tensor_sketch import TensorSketch as TensorSketch
from .word_pairs import WordPairs as WordPairs

__all__ = [
    "Hasher",
    "NGrams",
    "Nystrom",
    "Patterns",
    "RandomFourier",
    "RandomProjection",
    "Scaler",
    "Substructures",
    "TensorSketch",
    "WordPairs",
]
